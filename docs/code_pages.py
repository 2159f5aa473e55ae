"""Directives that show what code and vectors have: help of programs, messages, fields, topics.

```{command-help} sitedata
```

```{messages} rule
healthapi.rows.findings:MESSAGE_OF
```

```{native-columns}
```

```{ignored-names}
```

```{charts}
```

```{platforms}
hdu/1000.cpp
```

```{fields}
```

"""

import io
import json
import re
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from healthapi.keys import CHARTS, METRICS
from healthapi.rows.mapping import NATIVE, cell_types
from healthapi.schemas import COMPONENTS, DATA, META
from sitedata.building.known_platforms import known_platforms
from sitedata.building.platforms import FolderMatcher, PlatformIndex, SiblingIndex
from sitedata.building.settings import IGNORED_FILES, IGNORED_FOLDERS, IGNORED_ROOTS, split_name

if TYPE_CHECKING:
    from sphinx.application import Sphinx

Schema = dict[str, Any]


def _help(program: str, *command: str) -> str:
    """Return the help of a program or subcommand, without the breaks and colours of a terminal."""
    output = io.StringIO()
    environment = patch.dict("os.environ", {"COLUMNS": "9999", "NO_COLOR": "1"})
    with environment, redirect_stdout(output), suppress(SystemExit):
        import_module(f"{program}.cli.main").main([*command, "--help"])
    return output.getvalue().rstrip()


class CommandHelp(SphinxDirective):
    """Insert the help of a program; the argument is its name."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return its commands, which lead to their sections, and a section for each."""
        program = self.arguments[0]
        text = _help(program)
        found = list(_help_nodes(text, program))
        for command in _COMMAND.findall(text):
            section = nodes.section(names=[f"{program}-{command}"])
            self.state.document.note_explicit_target(section)
            section += nodes.title("", "", nodes.literal("", f"{program} {command}"))
            section += _help_nodes(_help(program, command), program)
            found.append(section)
        return found


def _help_nodes(text: str, program: str) -> Iterator[nodes.Node]:
    """Yield the parts of a help: lines that wrap on a phone, and lists of options or commands."""
    for part in text.split("\n\n"):
        head, _, items = part.partition("\n")
        if command := _EXAMPLE.match(part):
            yield nodes.literal_block("", f"$ {command[1]}", language="console")
        elif head.startswith("usage: "):
            usage = nodes.paragraph("", classes=["usage"])
            for name in _WORD.findall(part.removeprefix("usage: ")):
                usage += [nodes.literal("", name), nodes.Text(" ")]
            yield usage
        elif not items or _ITEM.search(items):
            yield nodes.paragraph("", head[0].upper() + head[1:])
        if not _ITEM.search(items):
            continue
        listed = nodes.definition_list(classes=["options"])
        for indent, name, meaning in _ITEM.findall(items):
            shown: nodes.Element = nodes.literal("", name)
            if indent == _OF_COMMANDS:
                shown = nodes.reference("", "", shown, refid=f"{program}-{name}")
            term, about = nodes.term("", "", shown), nodes.paragraph("", meaning)
            listed += nodes.definition_list_item("", term, nodes.definition("", about))
        yield listed


_OF_COMMANDS = "    "
_COMMAND = re.compile(r"^    ([a-z]+)  ", re.MULTILINE)
_ITEM = re.compile(r"^( +)(?!-h, )(\S.*?)(?:\n? {2,})(.+)", re.MULTILINE)
_WORD = re.compile(r"\[(?:[^][]|\[[^]]*\])*\]|\S+")  # of an option its value, too
_EXAMPLE = re.compile(r" *example: (.+)$")


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
        for name, table in NATIVE.tables.items():
            lines += ["", f"`csv/{table.file}`:", "", "| column | cells | unit | member |"]
            lines += ["| --- | --- | --- | --- |", "| `date` | day | | `date` |"]
            for member, source in table.sources():
                metric = METRICS.get(member)
                unit = "" if metric is None else metric.unit
                kind = cell_types(name)[member]
                lines.append(f"| `{source}` | {kind} | {unit} | `{member}` |")
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


class Platforms(SphinxDirective):
    """Insert the table of the built-in platforms, with what a build makes of example paths."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the table; raise an error for a path without a link, or a platform without one."""
        platforms = known_platforms()
        index, missing = PlatformIndex(platforms), {platform.name for platform in platforms}
        lines = ["| platform | folders | path | problem |", "| --- | --- | --- | --- |"]
        for path in self.content:
            parent, _, name = path.rpartition("/")
            stem, siblings = split_name(name)[0], SiblingIndex()
            siblings.add(parent, stem)
            platform, folders = index.find(parent) or (None, [])
            if platform is None:
                raise self.error(f"{path} has no platform")
            found = FolderMatcher(siblings, parent, platform, folders).statement(stem)
            if found is None or found.url is None:
                raise self.error(f"{path} has no link")
            names = ", ".join(sorted(platform.folders)) if platform.name in missing else ""
            shown = f"`{platform.name}`" if names else ""
            missing.discard(platform.name)
            problem = f"[{_cell(found.title)}]({found.url})"
            lines.append(f"| {shown} | {names} | `{path}` | {problem} |")
        if missing:
            raise self.error(f"no path of {', '.join(sorted(missing))}")
        return self.parse_text_to_nodes("\n".join(lines))


class Charts(SphinxDirective):
    """Insert the table of the charts of a profile."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        lines = ["| chart | points | metrics |", "| --- | --- | --- |"]
        for chart in CHARTS.values():
            metrics = ", ".join(f"`{metric}`" for metric in chart.metrics)
            if chart.key == "series":
                metrics = "the eight that have a card"
            lines.append(f"| `{chart.key}` | {chart.granularity} | {metrics} |")
        return self.parse_text_to_nodes("\n".join(lines))


class Fields(SphinxDirective):
    """Insert the members of each resource of health data, and of the objects in them.

    Their meaning is the description of their schema.
    """

    def run(self) -> list[nodes.Node]:
        """Return a table of the resources that are one object, a section for each other one."""
        lines = ["## Resources", "", "| resource | `data` | `meta` |", "| --- | --- | --- |"]
        sections: list[str] = []
        for resource, schema in DATA.items():
            names = META[resource]["properties"]
            if "properties" not in schema and len(names) <= 1:
                shown = ", ".join(f"`{name}`" for name in names)
                lines.append(f"| `{resource}` | {_type(schema)} | {shown} |")
            else:
                sections += self.section(resource, schema, names)
        lines += ["", *sections, "## Objects", ""]
        for name, schema in sorted(COMPONENTS.items()):
            if "properties" in schema:
                lines += [f"(fields-{name.lower()})=", f"### {_words(name)}", ""]
                lines += self.members(schema)
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)

    def section(self, resource: str, schema: Schema, names: Schema) -> Iterator[str]:
        """Yield the lines of a section about a resource; `names` are the members of its meta."""
        yield from (f"### {resource}", "", *self.members(schema))
        if len(names) > 1:
            yield from ("Members of `meta`:", "", *self.members(META[resource]))
        elif names:
            yield from (f"`meta` has `{', '.join(names)}`.", "")

    def members(self, schema: Schema) -> Iterator[str]:
        """Yield the lines of a table with the members of an object."""
        if "properties" not in schema:
            yield from (f"`data` is one {_type(schema)}.", "")
            return
        members = schema["properties"]
        meanings = {value["description"] for value in members.values()}
        if len(members) > len(meanings) == 1:
            yield from (f"{', '.join(f'`{name}`' for name in members)}: {_cell(*meanings)}", "")
            return
        yield from ("| member | value | meaning |", "| --- | --- | --- |")
        for member, value in members.items():
            yield f"| `{member}` | {_type(value)} | {_cell(value['description'])} |"
        yield ""


def _words(name: str) -> str:
    """Return the name of a class as words: `CoreMetric` is `Core metric`."""
    return re.sub(r"(?<!^)(?=[A-Z])", " ", name).capitalize()


def _type(schema: Schema) -> str:
    """Return a schema in few words; a reference to an object becomes a link."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if "properties" in COMPONENTS[name]:
            return f"[{_words(name).lower()}](#fields-{name.lower()})"
        return _type(COMPONENTS[name])
    choices = schema.get("enum", ())
    text = str(schema.get("type", "any JSON"))
    if choices:
        text = " or ".join(f"`{each}`" for each in choices) if len(choices) <= _LISTED else "a key"
    elif "anyOf" in schema:
        text = " or ".join(dict.fromkeys(map(_type, schema["anyOf"])))
    elif text == "array":
        text = f"list of {_type(schema.get('items', {}))}".replace("of a key", "of keys")
    elif "properties" in schema:
        text = f"object with {', '.join(f'`{name}`' for name in schema['properties'])}"
    return text


_LISTED = 5
"""Most choices that a table lists."""


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
    app.add_directive("charts", Charts)
    app.add_directive("platforms", Platforms)
    app.add_directive("fields", Fields)
    app.add_directive("vector-topics", VectorTopics)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
