"""The subcommands of `devicestatus`: modules with a function `run`.

`status_contracts.devicestatus` parses their arguments and imports the one that is called.
"""
