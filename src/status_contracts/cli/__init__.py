"""The shared parts of the command lines: arguments, exit codes, files, output, serving.

Each subcommand of a product is a module with a function `run`, which takes the parsed arguments and
returns an exit code or raises `Failed`.
"""
