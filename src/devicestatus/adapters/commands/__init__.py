"""The commands of `devicestatus`, one module each with a function `run`, and what they share.

`devicestatus.adapters.cli` knows their arguments and imports the one that is asked for.  What the
commands of every product share is in `purewire.adapters.commands`.
"""
