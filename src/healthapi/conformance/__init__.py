"""Checks of a health-data deployment over HTTP, whatever its language; they only read."""
