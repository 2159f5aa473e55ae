"""Checks of a device-status deployment over HTTP, whatever its language."""
