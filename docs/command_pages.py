"""A directive that shows the help of a program and of each of its subcommands.

```{command-help} sitedata
```
"""

import io
import re
from contextlib import redirect_stdout, suppress
from importlib import import_module
from typing import TYPE_CHECKING
from unittest.mock import patch

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def _help(program: str, *command: str) -> str:
    """Return the help of a program or subcommand, without the width and colours of a terminal."""
    output = io.StringIO()
    environment = patch.dict("os.environ", {"COLUMNS": "88", "NO_COLOR": "1"})
    with environment, redirect_stdout(output), suppress(SystemExit):
        import_module(f"status_contracts.{program}").main([*command, "--help"])
    return output.getvalue().rstrip()


class CommandHelp(SphinxDirective):
    """Insert the help of a program; the argument is its name."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return a section for each subcommand."""
        program = self.arguments[0]
        text = _help(program)
        found: list[nodes.Node] = [nodes.literal_block(text, text, language="text")]
        for command in re.findall(r"^    ([a-z]+) ", text, re.MULTILINE):
            section = nodes.section(ids=[f"{program}-{command}"])
            section += nodes.title("", "", nodes.literal("", f"{program} {command}"))
            shown = _help(program, command)
            section += nodes.literal_block(shown, shown, language="text")
            found.append(section)
        return found


def setup(app: "Sphinx") -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
