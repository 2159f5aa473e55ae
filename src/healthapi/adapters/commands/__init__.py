"""The subcommands of `healthapi`, one module each with a function `run`.

`status_contracts.healthapi` parses their arguments and imports the one that is called.
"""
