"""The documentation names only what is there."""

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import get_args

import pytest

from devicestatus.cli import main as device_cli
from healthapi import snapshot
from healthapi.adapters import profile_files
from healthapi.cli import main as health_cli
from healthapi.rows import mapping, reading
from healthapi.rows.findings import RowRule
from sitedata import parsing as checking
from sitedata.adapters.git import RepositoryCode
from sitedata.cli import main as site_cli
from sitedata.client import Kind as OutcomeKind
from sitedata.errors import ErrorCode

PROJECT = Path(__file__).parent.parent
REFERENCE = PROJECT / "docs/reference"
README = (PROJECT / "README.md").read_text("utf-8")
METADATA = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
DOCS = sorted(PROJECT.glob("docs/**/*.md"))
LAID_OUT = sorted(path.parent.name for path in PROJECT.glob("src/*/py.typed"))


def read(page: Path) -> str:
    """Return the text of a page, with the value of `url` in place of `$url`."""
    return re.sub(r"(?m)^url=(\S+)\n([^`]*?)\$url", r"\2\1", page.read_text("utf-8"))


PAGES = {page: read(page) for page in [*PROJECT.glob("*.md"), *DOCS]}

EXAMPLE = re.compile(
    r"^( *)```(?:python|\{code-cell\} python)\n(?:---\n.*?^---\n)?(.*?)^\1```",
    re.DOTALL | re.MULTILINE,
)
PACKAGES = {"status_contracts", "devicestatus", "healthapi", "sitedata"}
BASE = "https://github.com/status-contracts/status-contracts/blob/main/"
SITE = "https://status-contracts.readthedocs.io/en/latest/"
IMAGES = "https://raw.githubusercontent.com/status-contracts/status-contracts/main/"
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def shown_ids(page: str) -> list[str]:
    """Return the ids of the messages that a page shows from the code."""
    blocks = re.findall(r"```{messages} \w+\n(.*?)```", page, re.DOTALL)
    names = [line.partition(":") for block in blocks for line in block.splitlines()]
    return [key for module, _, name in names for key in getattr(import_module(module), name)]


def test_the_promises_name_tests_that_exist() -> None:
    paths = re.findall(r"`(tests/[\w/]+\.py)`", PAGES[PROJECT / "docs/maintainers.md"])
    assert len(paths) > 10
    assert [path for path in paths if not (PROJECT / path).exists()] == []


def test_links_lead_to_files() -> None:
    targets = []
    for page, text in PAGES.items():
        targets += [page.parent / target for target in LINK.findall(text)]
        sources = re.sub(rf"{re.escape(SITE)}([^)#]+)\.html", rf"{BASE}docs/\1.md", text)
        start = rf"(?:\]\(|src=\"|srcset=\"|-LO )(?:{re.escape(BASE)}|{re.escape(IMAGES)})"
        targets += [PROJECT / path for path in re.findall(rf"{start}([^)#\"\s]+)", sources)]
    assert [str(target) for target in targets if not target.exists()] == []


def test_links_of_the_readme_work_on_a_package_index() -> None:
    """There is no repository beside the text there: links are absolute."""
    targets = re.findall(r"\]\(([^)]+)\)", README)
    assert len(targets) > 20
    assert [to for to in targets if not to.startswith("https://")] == []


def imports(text: str) -> Iterator[tuple[str, str]]:
    """Generate the modules that the examples of a page import, with each name from them."""
    for _, code in EXAMPLE.findall(text):
        for node in ast.walk(ast.parse(dedent(code))):
            if isinstance(node, ast.ImportFrom):
                yield from ((node.module or "", alias.name) for alias in node.names)


DESCRIBED = {
    module
    for page in (REFERENCE / "api").glob("*.md")
    for module in re.findall(r"automodule:: (\S+)$", page.read_text("utf-8"), re.MULTILINE)
}
"""The modules in the API reference."""


def is_public(module: str, name: str) -> bool:
    """Check whether the API reference has a module, or this module of a package, with the name."""
    is_listed = module in DESCRIBED and name in import_module(module).__all__
    return is_listed or f"{module}.{name}" in DESCRIBED


def test_examples_import_public_names() -> None:
    imported = {(str(page), *pair) for page, text in PAGES.items() for pair in imports(text)}
    own = [each for each in imported if each[1].partition(".")[0] in PACKAGES]
    assert len(own) > 100
    assert [each for each in own if not is_public(*each[1:])] == []
    assert not is_public("devicestatus", "lanes")
    assert not is_public("status_contracts.svg.axis", "Scale")


def test_every_module_in_the_api_reference_lists_its_names() -> None:
    assert [name for name in DESCRIBED if not hasattr(import_module(name), "__all__")] == []


def test_the_readme_names_every_extra() -> None:
    text = README.split("## Extras", 1)[1].split("\n## ", 1)[0]
    assert {*METADATA["optional-dependencies"]} <= {*re.findall(r"`(\w+)`", text)}


def test_the_page_of_folders_has_every_rule_of_findings() -> None:
    page = (REFERENCE / "health-folder.md").read_text("utf-8")
    assert {*shown_ids(page)} == {
        *get_args(RowRule),
        *get_args(reading.FileRule),
        *profile_files._MESSAGES,
        *snapshot._MESSAGE_OF,
        *mapping.MESSAGE_OF,
    }
    assert {"report.form", "snapshot.entry", "folder.profiles"} <= {*re.findall(r"`(.+?)`", page)}


def test_the_page_of_the_site_data_file_has_every_code_and_outcome() -> None:
    page = (REFERENCE / "site-data.md").read_text("utf-8")
    assert {*get_args(RepositoryCode), *checking.RULES} <= {*shown_ids(page)}
    assert [code for code in get_args(ErrorCode) if f"`{code}`" not in page] == []
    table = page.split("\n| answer | outcome |", 1)[1].split("\n\n", 1)[0]
    assert {*re.findall(r"\| `(\w+)` \|", table)} == {*get_args(OutcomeKind)}


@pytest.mark.parametrize("package", LAID_OUT)
def test_the_layout_names_every_folder_and_top_module(package: str) -> None:
    page = (PROJECT / "docs/design/architecture.md").read_text("utf-8")
    lines = page.split(f"\n### `{package}`\n\n", 1)[1].split("\n\n", 1)[0].splitlines()
    named = [name for line in lines for name in re.findall(r"`([^`]+)`", line.partition(": ")[0])]
    paths = [path for path in (PROJECT / "src" / package).iterdir() if path.name[0] not in "_."]
    folders = [f"{path.name}/" for path in paths if path.is_dir()]
    assert sorted(named) == sorted([*folders, *(p.stem for p in paths if p.suffix == ".py")])


@pytest.mark.parametrize("program", [device_cli, health_cli, site_cli])
def test_every_command_is_in_the_table_and_its_options_are_described(
    program: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its help, of which the rest of the page of commands is made."""
    page = (REFERENCE / "command.md").read_text("utf-8")
    head, _, *rows = page[page.index("| task |") :].partition("\n\n")[0].splitlines()
    name = program.__name__.partition(".")[0]
    column = head.split("|").index(f" [`{name}`](#{name}) ")
    names = {name for row in rows for name in re.findall(r"`(\w+)", row.split("|")[column])}

    def help_of(*command: str) -> str:
        with pytest.raises(SystemExit):
            program.main([*command, "--help"])
        return capsys.readouterr().out

    commands = re.findall(r"^    ([a-z]+) ", help_of(), re.MULTILINE)
    assert {*commands} == names
    for command in commands:
        options = help_of(command).partition("\noptions:\n")[2]
        named = re.findall(
            r"^  (?:-\w(?: \S+)?, )?(--[\w-]+)(.*(?:\n {10}.*)?)", options, re.MULTILINE
        )
        assert [name for name, text in named if not re.search(r"(?: {2}|\n {10,})\w", text)] == []
        assert "--help" in dict(named)


BLOCK = re.compile(r"(?m)^```(.*)\n((?:.*\n)*?)```$")


def test_diagrams_and_settings_fit_the_page() -> None:
    """Their lines do not wrap, and a page is 90 columns wide on a desktop."""
    blocks = [(page, *block) for page in DOCS for block in BLOCK.findall(PAGES[page])]
    lines = [line for _, kind, text in blocks if kind in {"", "toml"} for line in text.splitlines()]
    assert len(lines) > 60
    assert [line for line in lines if len(line) > 88] == []


INSTALL = re.compile(r"pip install[^\n`]*?\bstatus-contracts(?:\[([a-z,]+)\])?(.{0,70})")
SOURCE = " @ git+https://github.com/status-contracts/status-contracts"
RELEASED = re.search(r"(?m)^## \d", (PROJECT / "CHANGELOG.md").read_text("utf-8"))


def test_every_install_line_works() -> None:
    """Before the first release a line names the repository."""
    pages = [PROJECT / "README.md", *(page for page in DOCS if page.stem != "maintainers")]
    pages += [path for path in PROJECT.glob("examples/**/*") if path.suffix in {".md", ".yml"}]
    lines = [line for page in pages for line in INSTALL.findall(read(page))]
    assert len(lines) > 12
    start = ("'",) if RELEASED else (f"{SOURCE}'", f'{SOURCE}"')
    assert [line for line in lines if not line[1].startswith(start)] == []
    extras = {extra for names, _ in lines for extra in names.split(",") if extra}
    assert extras <= {*METADATA["optional-dependencies"]}


def sentences(text: str) -> Iterator[str]:
    """Generate the sentences of a page outside of code, tables and headings."""
    text = re.sub(r"(?s)```.*?```|<!--.*?-->|\A---\n.*?\n---\n", "", text)
    for line in re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "X", text)).splitlines():
        if not line.startswith(("|", "#", "<")):
            yield from re.split(r'(?<=[.?!:])\s+(?=[A-Z\["*])', line)


def test_a_sentence_is_short_and_ends_with_what_it_says() -> None:
    """A verb at its end repeats an earlier one that readers would have to look for."""
    found = [(page.name, said) for page in DOCS for said in sentences(PAGES[page])]
    assert len(found) > 2000
    assert [pair for pair in found if len(pair[1].split()) > 35] == []
    cut = re.compile(r"(?<!as it )(?<!as they )\b(?:is|are|has|have|does|do|then)[.;]")
    assert [pair for pair in found if cut.search(pair[1])] == []


def test_the_readme_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    printing = re.compile(r"```python\n([^`]*)```\n\nIt prints:\n\n```text\n([^`]*)```")
    [(code, shown)] = printing.findall(README)
    exec(code, {})  # noqa: S102 - it is our own
    assert capsys.readouterr().out == shown
