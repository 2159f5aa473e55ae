"""Adapters: ASGI and WSGI applications, clocks, files and commands.

No other package imports this one.  A front end of your own needs `status_contracts.exchange.drive`
(or `drive_async`) and a function that performs the five effects; see the two applications here.
"""
