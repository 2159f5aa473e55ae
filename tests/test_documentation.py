"""The documentation names only what is there."""

import re
from pathlib import Path
from typing import get_args

import pytest

from healthapi.account import snapshot
from healthapi.adapters import cli, layouts, profilefiles
from healthapi.adapters.commands import check
from healthapi.errors import STATUS_OF
from healthapi.http.endpoints import ENDPOINTS, ROOT, Endpoint, Kind, Parameter
from healthapi.rows import csvtext
from healthapi.rows.columns import LIFESNAPS
from healthapi.rows.findings import RowRule
from healthapi.testing import files, secrets, strategies
from healthapi.vocabulary import CHARTS

HOUSE = Path(__file__).parent.parent
REFERENCE = HOUSE / "docs/reference"
PAGES = sorted([*HOUSE.glob("*.md"), *HOUSE.glob("docs/**/*.md")])
TESTS = sorted(HOUSE.glob("tests/**/test_*.py"))

NAMED = re.compile(r"`(test_\w+)(?:::(test_\w+))?`")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
PATH = re.compile(r"^\| `(/api[^`]*)` \|(.*)\|$", re.MULTILINE)
CODE = re.compile(r"^\| `(\w+)` \| (\d{3}) \|", re.MULTILINE)
MEDIA: dict[Kind, str] = {
    "json": "application/json",
    "openapi": "application/json",
    "html": "text/html",
    "markdown": "text/markdown",
    "svg": "image/svg+xml",
}


@pytest.mark.parametrize("name", ["rulings.md", "health-rulings.md"])
def test_every_test_that_the_rulings_name_exists(name: str) -> None:
    named = NAMED.findall((REFERENCE / name).read_text("utf-8"))
    assert named
    texts: dict[str, str] = {}
    for path in TESTS:  # modules of two packages may have the same name
        texts[path.stem] = texts.get(path.stem, "") + path.read_text("utf-8")
    missing = [
        f"{module}::{name}"
        for module, name in named
        if module not in texts or (name and f"def {name}(" not in texts[module])
    ]
    assert missing == []


@pytest.mark.parametrize("name", ["rulings.md", "health-rulings.md"])
def test_every_ruling_is_shown_by_a_test(name: str) -> None:
    text = (REFERENCE / name).read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    told = [row for row in rows if not row.startswith(("| --- ", "| ruling ", "| seen, "))]
    assert [row for row in told if NAMED.search(row.split(" | ")[-1]) is None] == []


def test_every_test_of_the_rulings_on_health_data_is_named() -> None:
    named = set(NAMED.findall((REFERENCE / "health-rulings.md").read_text("utf-8")))
    module = HOUSE / "tests/healthapi/test_health_rulings.py"
    shown = re.findall(r"def (test_\w+)\(", module.read_text("utf-8"))
    assert [name for name in shown if (module.stem, name) not in named] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(HOUSE)))
def test_links_lead_to_files(page: Path) -> None:
    targets = LINK.findall(page.read_text("utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


class TestHealthHttp:
    """The page of the health-data paths has every path, parameter and code, and no other."""

    PAGE = (REFERENCE / "health-http.md").read_text("utf-8")

    def test_the_paths_are_those_of_the_service(self) -> None:
        paths = [path for path, _ in PATH.findall(self.PAGE)]
        assert paths == [f"{ROOT}{endpoint.path}" for endpoint in ENDPOINTS]

    @pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.resource)
    def test_a_row_says_what_the_service_does(self, endpoint: Endpoint) -> None:
        row = dict(PATH.findall(self.PAGE))[f"{ROOT}{endpoint.path}"]
        resource, _, parameters, media_type = (cell.strip() for cell in row.split("|"))
        assert resource == (f"`{endpoint.resource}`" if endpoint.kind == "json" else "")
        assert media_type == f"`{MEDIA[endpoint.kind]}`"
        assert re.findall(r"`(\w+)`(?=[:,])", parameters) == [
            parameter.name for parameter in endpoint.parameters
        ]
        for told in map(_bounded, endpoint.parameters):
            assert told in parameters

    def test_the_codes_are_those_of_the_contract(self) -> None:
        assert {code: int(status) for code, status in CODE.findall(self.PAGE)} == STATUS_OF

    def test_the_charts_are_those_of_the_vocabulary(self) -> None:
        for chart in CHARTS.values():
            metrics = ", ".join(f"`{metric}`" for metric in chart.metrics)
            words = "the eight that have a card" if chart.key == "series" else metrics
            assert f"| `{chart.key}` | {chart.granularity} | {words} |" in self.PAGE


def _bounded(parameter: Parameter) -> str:
    """Give default and bounds of an integer as the page has them; else the name."""
    if parameter.bounds is None:
        return f"`{parameter.name}`"
    least, most, default = parameter.bounds.least, parameter.bounds.most, parameter.bounds.default
    return f"`{parameter.name}`: {'all' if default is None else default} ({least} to {most})"


class TestHealthFolder:
    """The page of folders has every rule of findings, and the map of LifeSnaps as it is."""

    PAGE = (REFERENCE / "health-folder.md").read_text("utf-8")

    def test_the_rules_are_those_of_findings(self) -> None:
        rules = re.findall(r"^\| `([a-z]+\.[a-z]+)` \|", self.PAGE, re.MULTILINE)
        assert len(rules) == len(set(rules))
        assert set(rules) == {
            *get_args(RowRule),
            *get_args(csvtext.FileRule),
            *profilefiles._MESSAGE_OF,
            *snapshot._RULES,
            check._ENTRY,
            *layouts.MESSAGE_OF,
        }

    def test_the_map_is_that_of_the_package(self) -> None:
        rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (.+) \|$", self.PAGE, re.MULTILINE)
        tables = (LIFESNAPS.activity, LIFESNAPS.sleep, LIFESNAPS.hrv, LIFESNAPS.rhr)
        assert [(dataset, member, _terms(source)) for dataset, member, source in rows] == [
            (table.dataset, column.field, column.terms)
            for table in tables
            if table is not None
            for column in table.columns
        ]


def _terms(source: str) -> tuple[tuple[str, float], ...]:
    """Read what a member is made of: columns with their factors."""
    return tuple(
        (name, float(times or 1) / float(by or 1))
        for name, times, by in re.findall(r"`(\w+)`(?: × (\d+)| / (\d+))?", source)
    )


class TestArchitecture:
    """The plan of health data has every room, and in it every module."""

    PAGE = (HOUSE / "docs/design/architecture.md").read_text("utf-8")
    CORE = HOUSE / "src/healthapi"

    def rooms(self) -> dict[str, set[str]]:
        """Give the names of each row of the plan by folder; those of the root by an empty one."""
        table = self.PAGE.split("\n`healthapi`:", 1)[1].split("| --- | --- |\n", 1)[1]
        found: dict[str, set[str]] = {"": set()}
        for row in table.split("\n\n", 1)[0].splitlines():
            _, room, words, _ = row.split("|")
            names = re.findall(r"`(\w+)(/?)`", room)
            for name, folder in names:
                if folder:
                    found[name] = set(re.findall(r"`(\w+)`", words))
                else:
                    found[""].add(name)
        return found

    def test_every_module_is_in_its_room(self) -> None:
        rooms = self.rooms()
        folders = {path.parent.name for path in self.CORE.glob("*/__init__.py")}
        assert rooms.keys() - {""} == folders
        for room in rooms.keys() - {"adapters", "testing"}:
            modules = {path.stem for path in (self.CORE / room).glob("*.py")} - {"__init__"}
            assert rooms[room] == modules, room


def test_every_option_of_the_health_command_is_described(
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = (REFERENCE / "command.md").read_text("utf-8").split("## The `healthapi` command", 1)[1]
    for command in ("serve", "check", "chart"):
        with pytest.raises(SystemExit):
            cli.main([command, "--help"])
        options = set(
            re.findall(r"^ +(?:-\w \S+, )?(--[\w-]+)", capsys.readouterr().out, re.MULTILINE)
        )
        assert len(options) > 1
        for option in options:
            rows = [row for row in page.splitlines() if f"`{option}" in row]
            assert any(f"`{command}`" in row or "| all |" in row for row in rows), option


def test_every_public_strategy_of_health_data_is_on_the_page_of_the_kit() -> None:
    page = (REFERENCE / "testing.md").read_text("utf-8")
    for name in (*strategies.__all__, *files.__all__, *secrets.__all__):
        assert f"`{name}" in page, name
