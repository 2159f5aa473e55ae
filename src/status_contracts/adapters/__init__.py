"""Adapters: ASGI and WSGI applications, clocks, files and pages.

The core imports none of them.  A front end of your own needs `status_contracts.exchange.drive`
(or `drive_async`) and a function that performs the five effects; see the two applications here.
"""
