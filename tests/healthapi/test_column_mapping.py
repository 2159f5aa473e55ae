"""Column mappings as TOML: every mapping can be written, every error is reported."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from healthapi.adapters.column_mapping import COLUMNS_FILE_BYTES, parse_column_mapping
from healthapi.adapters.folder import FolderSource
from healthapi.errors import DataError
from healthapi.rows.mapping import Column, ProfileMap, TableMap, Term

EXAMPLE = Path(__file__).parents[2] / "examples" / "lifesnaps" / "columns.toml"


def faults(text: str | bytes) -> list[tuple[str, str]]:
    """Return path and rule of every finding."""
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(DataError) as refused:
        parse_column_mapping(data)
    findings = refused.value.findings
    assert all(finding.path.startswith("/columns.toml") for finding in findings)
    return [(finding.path.removeprefix("/columns.toml"), finding.rule) for finding in findings]


def sleep(columns: str) -> str:
    """Return a mapping of the sleep table."""
    return f'[sleep]\nfile = "a.csv"\n[sleep.columns]\n{columns}'


def named(source: str) -> tuple[str, str]:
    """Return the member and the value of a source; without a name it is of a number."""
    match = re.fullmatch(r"(?:([a-z_]+)=)?(.*)", source)
    assert match is not None
    return match[1] or "efficiency", match[2]


def rhr(settings: str) -> str:
    """Return a mapping of the table of resting rates."""
    return f"[rhr]\nfile = 'a'\n{settings}\n[rhr.columns]\nrhr = 'r'"


class TestMaps:
    def test_the_map_of_the_examples_is_a_map(self) -> None:
        found = parse_column_mapping(EXAMPLE.read_bytes())
        assert found.sleep is not None
        assert found.sleep.columns["is_main_sleep"] == Column(constant=True)
        assert EXAMPLE.stat().st_size < COLUMNS_FILE_BYTES

    @pytest.mark.parametrize("person", ["person-1", "person-2", "person-3"])
    def test_nobody_of_the_examples_has_a_heart_rate_variability_of_0(self, person: str) -> None:
        profile = FolderSource(EXAMPLE.parent).profile(person)
        assert profile is not None
        assert 0 not in profile.daily.cells["hrv"]

    def test_every_way_to_name_a_source(self) -> None:
        found = parse_column_mapping(
            sleep(
                'log_id = "id"\n'
                'duration = { from = "d" }\n'
                'efficiency = { from = "e", factor = 100 }\n'
                'minutes_awake = { sum = ["a", { from = "b", factor = -0.5 }] }\n'
                'minutes_rem = { from = "r", not_measured = -1 }\n'
                'start_time = { sum = ["s"] }\n'
                "is_main_sleep = { constant = true }\n"
                "minutes_deep = { constant = 3 }\n"
                "sleep_score = { constant = 50 }\n"
                'end_time = { constant = " 07:00 " }\n'
            ).encode()
        )
        assert found == ProfileMap(
            sleep=TableMap(
                "a.csv",
                {
                    "log_id": Column("id"),
                    "duration": Column("d"),
                    "efficiency": Column("e", 100),
                    "minutes_awake": Column(sum=(Term("a"), Term("b", -0.5))),
                    "minutes_rem": Column("r", not_measured=-1),
                    "start_time": Column(sum=(Term("s"),)),
                    "is_main_sleep": Column(constant=True),
                    "minutes_deep": Column(constant=3),
                    "sleep_score": Column(constant=50),
                    "end_time": Column(constant=" 07:00 "),
                },
            )
        )

    @pytest.mark.parametrize("name", ["a", "Sleep Score.csv", "日.csv", "a..b", "-", "é" * 127])
    def test_plain_names_of_files(self, name: str) -> None:
        text = f'[rhr]\nfile = "{name}"\ndate = "d"\nwide = true\n[rhr.columns]\nrhr = "r"'
        found = parse_column_mapping(text.encode()).rhr
        assert found == TableMap(name, {"rhr": Column("r")}, "d", wide=True)

    def test_the_map_of_the_documentation_is_a_map(self) -> None:
        page = EXAMPLE.parents[2] / "docs" / "reference" / "health-folder.md"
        block, forms = re.findall(r"```toml\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
        found = parse_column_mapping(block.encode())
        assert found.activity is not None
        assert found.activity.wide
        assert found.sleep is not None
        forms = parse_column_mapping(forms.encode()).sleep
        assert forms is not None
        assert (forms.delimiter, forms.skip_lines, forms.decimal) == (";", 1, ",")


@pytest.mark.rule("HA-COLUMN-12", "HA-COLUMN-13")
class TestErrors:
    @pytest.mark.parametrize(
        ("text", "found"),
        [
            *((text, {"": "config.toml"}) for text in ("=", "[sleep", "a = 1\na = 2", b"\xff")),
            *((text, {"": "config.toml"}) for text in ("a = " + "[" * 20_000, f"a = {'9' * 5000}")),
            ("", {"": "columns.empty"}),
            ("[hrv]\nfile = 'a'\n[hrv.columns]", {"/hrv/columns": "columns.empty"}),
            (
                sleep("[weekly]\n[sleep.more]\n") + "[hrv]\nfile = 'a'",
                {"/weekly": "unknown", "/sleep/more": "unknown", "/hrv/columns": "required"},
            ),
            (
                "sleep = 1\n[hrv]\nfile = 1\ndate = ''\nwide = 1\ncolumns = 1",
                {
                    "/sleep": "type",
                    "/hrv/file": "type",
                    "/hrv/date": "text.length",
                    "/hrv/wide": "type",
                    "/hrv/columns": "type",
                },
            ),
            (
                rhr("delimiter = '::'\nskip_lines = -1\ndecimal = ';'\ndate_form = 'D'\nonly = 1"),
                {
                    "/rhr/delimiter": "constant",
                    "/rhr/skip_lines": "number.range",
                    "/rhr/decimal": "constant",
                    "/rhr/date_form": "columns.date_form",
                    "/rhr/only": "type",
                },
            ),
            (
                rhr("skip_lines = true\ndate_form = 1\nonly = { a = [1], b = [] }"),
                {
                    "/rhr/skip_lines": "type",
                    "/rhr/date_form": "type",
                    "/rhr/only/a/0": "type",
                    "/rhr/only/b": "items.count",
                },
            ),
        ],
    )
    def test_all_errors_are_reported_at_once(
        self, text: str | bytes, found: dict[str, str]
    ) -> None:
        assert faults(text) == list(found.items())

    @pytest.mark.parametrize(
        "name",
        [
            *("", ".", "..", ".hidden", "../a", "/etc/passwd", "a/b", "a\\\\b", "a\\u0000"),
            *("a\\n", "\\u202e", "a" * 256, "é" * 128),
        ],
    )
    def test_invalid_file_names(self, name: str) -> None:
        text = f'[rhr]\nfile = "{name}"\n[rhr.columns]\nrhr = "r"'
        assert faults(text) == [("/rhr/file", "columns.file")]

    @pytest.mark.parametrize(
        ("path", "rule", "sources"),
        [
            ("", "type", "1 []"),
            ("/sum", "type", "{sum='a'}"),
            ("/sum", "items.count", "{sum=[]}"),
            ("/sum/0", "type", "{sum=[1]}"),
            ("/sum/0/not_measured", "unknown", "{sum=[{from='a',not_measured=0}]}"),
            ("/from", "text.length", "{from=''} ''"),
            ("/factor", "number.finite", "{from='a',factor=nan} {from='a',factor=inf}"),
            ("/factor", "type", "{from='a',factor=true} {from='a',factor='2'}"),
            ("/not_measured", "type", "{from='a',not_measured=true}"),
            ("/true_when", "type", "{from='a',true_when=1}"),
            ("/constant", "number.finite", "sleep_score={constant=nan}"),
            ("/constant", "type", "log_id={constant=2026-01-31}"),
        ],
    )
    def test_sources_of_another_form(self, path: str, rule: str, sources: str) -> None:
        for source in sources.split():
            name, text = named(source)
            place = f"/sleep/columns/{name}{path}"
            assert faults(sleep(f"{name} = {text}")) == [(place, rule)], source

    @pytest.mark.parametrize(
        ("words", "sources"),
        [
            ("is not a member; there are duration, ", "steps='a' date='a'"),
            ("needs one of from, sum and constant", "{} {from='a',constant=2} {not_measured=0}"),
            ("has a factor without from", "{sum=['a'],factor=2} {constant=1,factor=2}"),
            ("has a factor of 0", "{from='a',factor=0} {sum=['a',{from='b',factor=0.0}]}"),
            ("not_measured needs exactly one term", "{sum=['a','b'],not_measured=0}"),
            ("only columns of numbers", "log_id={from='a',factor=2} log_id={sum=['a','b']}"),
            ("only columns of numbers", "is_main_sleep={from='a',not_measured=0}"),
            ("only columns of booleans", "{from='a',true_when='x'}"),
            ("must be a constant of", "is_main_sleep={constant=1} {constant=true} {constant=1.5}"),
            ("must be a constant of", "sleep_score={constant='1'} log_id={constant=''}"),
        ],
    )
    def test_sources_that_do_not_suit_the_member(self, words: str, sources: str) -> None:
        for source in sources.split():
            name, text = named(source)
            with pytest.raises(DataError) as refused:
                parse_column_mapping(sleep(f"{name} = {text}").encode())
            (finding,) = refused.value.findings
            assert finding.path == f"/columns.toml/sleep/columns/{name}"
            assert (finding.rule, words in finding.message) == ("columns.source", True), source
            assert finding.message.startswith("line 4: ")

    def test_deep_tables_are_reported_like_any_other(self) -> None:
        deep = ".".join(["a"] * 490)
        assert faults(f"[{deep}]\n{deep} = 1") == [("/a", "unknown")]

    @given(st.binary() | st.text().map(str.encode))
    def test_any_bytes_yield_a_mapping_or_errors(self, data: bytes) -> None:
        with suppress(DataError):
            assert isinstance(parse_column_mapping(data), ProfileMap)
