"""Where values meet the world: an ASGI and a WSGI application, a clock, a folder of files.

Nothing imports this package but the program that runs; none of its modules imports another
library.  A front end of your own needs `purewire.effects.drive` (or `drive_async`) and a function
that performs the four effects: the two here are examples of that.
"""
