"""Hypothesis strategies for the tests of users of the package."""
