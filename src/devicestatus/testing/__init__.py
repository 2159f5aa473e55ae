"""Contracts and strategies for those who build on this package; needs the `testing` extra.

Import the module you need; this package exports no names of its own.
"""
