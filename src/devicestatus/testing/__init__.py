"""Test helpers: strategies, faults, store contract, conformance; needs the `testing` extra.

Import the module that you need; the package exports no names.
"""
