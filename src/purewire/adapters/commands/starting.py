"""How a command begins: who asks for its help has it at once.

The help is a text that ships, as the parser of the command's arguments writes it for 80 columns;
that parser, and the module it stands in, are imported for all else.
"""

import sys
from importlib import import_module

__all__ = ["start"]


def start(text: str, module: str) -> int:
    """Show the help, or run `main` of the module that reads the arguments; give the exit code."""
    if sys.argv[1:] in (["-h"], ["--help"]):
        sys.stdout.write(text)
        return 0
    code: int = import_module(module).main()
    return code
