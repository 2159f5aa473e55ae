"""Serve the file over HTTP."""
