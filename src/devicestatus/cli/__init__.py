"""The subcommands of `devicestatus`: modules with a function `run`.

`devicestatus.cli.main` parses their arguments and imports the one that is called.
"""
