"""Serve the file over HTTP, and keep the cache state of a client."""
