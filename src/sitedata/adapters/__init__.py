"""Adapters: git, files, HTTP applications, the page, fetch."""
