"""Parsing of CSV tables into typed rows, with the findings of each file."""
