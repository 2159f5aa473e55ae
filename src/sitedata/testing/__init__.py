"""Strategies for the tests of whoever uses the package."""
