"""The subcommands of `healthapi`, one module each with a function `run`.

`healthapi.cli.main` parses their arguments and imports the one that is called.
"""
