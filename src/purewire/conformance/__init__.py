"""Checks of a deployment over HTTP: what to send, what to expect, and the report.

A check is a generator that yields requests and waits, like an exchange, so that a socket, an
application in the same process and a test can run it.
"""
