"""Where values meet the world: an ASGI and a WSGI application, a clock, files, commands.

Nothing imports this package but the program that runs; of its modules only `commands.serving`
imports another library.  A front end of your own needs `purewire.exchange.drivers.drive` (or
`drive_async`) and a function that performs the five effects: the two here are examples of that.
"""
