"""Conformance suites as pytest tests; needs the `testing` extra.

Users inherit from the modules `testing.conformance` of the products; the package exports no names.
"""
