"""Test helpers: Hypothesis strategies, store contract, state machine; needs the `testing` extra.

Import the module that you need; the package exports no names.
"""
