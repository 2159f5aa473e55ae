"""What the commands of every product share: how they start, end, write, serve and stop.

A product's own command knows its arguments; its commands are modules with a function `run`, which
takes the arguments and gives an exit code or raises `Failed`.
"""
