"""Directives that show what code and vectors have: help of programs, messages, topics.

```{command-help} sitedata
```

```{messages} rule
healthapi.rows.findings:MESSAGE_OF
```

```{native-columns}
```

```{ignored-names}
```

"""

import io
import json
import re
from contextlib import redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from healthapi.keys import METRICS
from healthapi.rows.mapping import NATIVE, ROW_OF
from sitedata.building.settings import IGNORED_FILES, IGNORED_FOLDERS, IGNORED_ROOTS

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def _help(program: str, *command: str) -> str:
    """Return the help of a program or subcommand, without the width and colours of a terminal."""
    output = io.StringIO()
    environment = patch.dict("os.environ", {"COLUMNS": "88", "NO_COLOR": "1"})
    with environment, redirect_stdout(output), suppress(SystemExit):
        import_module(f"{program}.cli.main").main([*command, "--help"])
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


class Messages(SphinxDirective):
    """Insert a table of mappings from ids to messages; the argument is the head of the ids."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        lines = [f"| {self.arguments[0]} | message |", "| --- | --- |"]
        for reference in self.content:
            module, _, name = reference.partition(":")
            messages = getattr(import_module(module), name)
            lines += [f"| `{key}` | {_cell(text)} |" for key, text in messages.items()]
        return self.parse_text_to_nodes("\n".join(lines))


class NativeColumns(SphinxDirective):
    """Insert the tables of the columns of a profile's own files."""

    def run(self) -> list[nodes.Node]:
        """Return a heading and a table for each file."""
        lines: list[str] = []
        for name in ROW_OF:
            table = getattr(NATIVE, name)
            lines += ["", f"`csv/{table.file}`:", "", "| column | cells | unit | member |"]
            lines += ["| --- | --- | --- | --- |", "| `date` | day | | `date` |"]
            for column in table.columns:
                ((source, _),) = column.terms
                metric = METRICS.get(column.field)
                unit = "" if metric is None else metric.unit
                kind = table.cell_types[column.field]
                lines.append(f"| `{source}` | {kind} | {unit} | `{column.field}` |")
        return self.parse_text_to_nodes("\n".join(lines))


class IgnoredNames(SphinxDirective):
    """Insert the names that `sitedata build` skips without settings."""

    def run(self) -> list[nodes.Node]:
        """Return a list with an item for each table of settings."""
        tables = {"roots": IGNORED_ROOTS, "folders": IGNORED_FOLDERS, "files": IGNORED_FILES}
        return self.parse_text_to_nodes(
            "\n".join(
                f"- `{name}`: {', '.join(f'`{text}`' for text in sorted(texts))}"
                for name, texts in tables.items()
            )
        )


class VectorTopics(SphinxDirective):
    """Insert the table of the topics of the vectors; the argument is their folder."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        folder = Path(self.get_source_info()[0]).parent / self.arguments[0]
        lines = ["| topic | cases | about |", "| --- | --- | --- |"]
        for path in sorted(folder.glob("*/*.json")):
            found = json.loads(path.read_text("utf-8"))
            if "product" in found:
                name = f"`{found['product']}/{found['topic']}`"
                lines.append(f"| {name} | {found['count']} | {found['title']} |")
        return self.parse_text_to_nodes("\n".join(lines))


def _cell(text: str) -> str:
    """Return a message as the text of a cell: its sign for powers and its bars are no markup."""
    return re.sub(r"([|*<\[])", r"\\\1", text)


def setup(app: "Sphinx") -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("command-help", CommandHelp)
    app.add_directive("messages", Messages)
    app.add_directive("native-columns", NativeColumns)
    app.add_directive("ignored-names", IgnoredNames)
    app.add_directive("vector-topics", VectorTopics)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
