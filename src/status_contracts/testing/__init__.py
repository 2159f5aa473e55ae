"""Conformance kits as pytest tests, drawn values and JSON texts; needs the `testing` extra.

Users inherit from the modules `testing.conformance` of the products; the package exports no names.
"""
