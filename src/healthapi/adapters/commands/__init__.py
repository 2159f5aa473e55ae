"""The commands of `healthapi`, one module each with a function `run`, and what they share.

`healthapi.adapters.cli` knows their arguments and imports the one that is asked for.
"""
