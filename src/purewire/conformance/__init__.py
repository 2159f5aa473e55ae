"""Conformance kits: requests, the answers of the reference engine, and the report of a run.

A kit is a generator of requests, like an exchange, so that a socket, an application in the same
process and a test can run it.
"""
