"""Adapters: git, files, HTTP, commands."""
