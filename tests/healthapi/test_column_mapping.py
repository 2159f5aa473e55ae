"""Column mappings as TOML: every mapping can be written, every error is reported."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from healthapi.adapters.column_mapping import COLUMNS_FILE_BYTES, MESSAGE_OF, parse_column_mapping
from healthapi.errors import DataError
from healthapi.rows.mapping import Column, ProfileMap, TableMap

FACTORS = ("0", "nan", "inf", "true", "'2'", "9" * 400)
EXAMPLE = Path(__file__).parents[2] / "examples" / "lifesnaps" / "columns.toml"


def faults(text: str | bytes) -> list[tuple[str, str]]:
    """Return path and rule of every finding."""
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(DataError) as refused:
        parse_column_mapping(data)
    for finding in refused.value.findings:
        assert finding.path.startswith("/columns.toml"), finding
        message = MESSAGE_OF[finding.rule]
        if finding.rule == "columns.unknown":
            assert finding.message.startswith(f"{message}: ")
        else:
            assert finding.message == message
    return [
        (finding.path.removeprefix("/columns.toml"), finding.rule)
        for finding in refused.value.findings
    ]


def sleep(columns: str) -> str:
    """Return a mapping of the sleep table."""
    return f'[sleep]\nfile = "a.csv"\n[sleep.columns]\n{columns}'


def rhr(settings: str, source: str = "'r'") -> str:
    """Return a mapping of the table of resting rates."""
    return f"[rhr]\nfile = 'a'\n{settings}\n[rhr.columns]\nrhr = {source}"


def outcome(data: bytes) -> ProfileMap | DataError:
    try:
        return parse_column_mapping(data)
    except DataError as refused:
        return refused


class TestMaps:
    def test_the_map_of_the_examples_is_a_map(self) -> None:
        found = parse_column_mapping(EXAMPLE.read_bytes())
        assert found.sleep is not None
        assert Column("is_main_sleep", constant=True) in found.sleep.columns
        assert EXAMPLE.stat().st_size < COLUMNS_FILE_BYTES

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
                "sleep",
                "a.csv",
                "date",
                (
                    Column.of("duration", "d"),
                    Column.of("efficiency", "e", 100.0),
                    Column("end_time", constant="07:00"),
                    Column("is_main_sleep", constant=True),
                    Column.of("log_id", "id"),
                    Column("minutes_awake", (("a", 1.0), ("b", -0.5))),
                    Column("minutes_deep", constant=3),
                    Column("minutes_rem", (("r", 1.0),), not_measured=-1.0),
                    Column("sleep_score", constant=50.0),
                    Column.of("start_time", "s"),
                ),
            )
        )

    @pytest.mark.parametrize("name", ["a", "Sleep Score.csv", "日.csv", "a..b", "-", "é" * 127])
    def test_plain_names_of_files(self, name: str) -> None:
        text = f'[rhr]\nfile = "{name}"\ndate = "d"\nwide = true\n[rhr.columns]\nrhr = "r"'
        found = parse_column_mapping(text.encode()).rhr
        assert found == TableMap("rhr", name, "d", (Column.of("rhr", "r"),), wide=True)

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
            *((text, {"": "toml"}) for text in ("=", "[sleep", "a = 1\na = 2", b"\xff")),
            *((text, {"": "toml"}) for text in ("a = " + "[" * 20_000, f"a = {'9' * 5000}")),
            ("", {"": "empty"}),
            ("[hrv]\nfile = 'a'", {"/hrv/columns": "empty"}),
            (
                sleep("date = 'd'\nsteps = 's'\nlog_id = 'l'") + "\n[weekly]\n[sleep.more]\n",
                dict.fromkeys(
                    ("/weekly", "/sleep/more", "/sleep/columns/date", "/sleep/columns/steps"),
                    "unknown",
                ),
            ),
            (
                "sleep = 1\n[hrv]\nfile = 1\ndate = ''\nwide = 1\ncolumns = 1",
                {
                    "/sleep": "table",
                    "/hrv/file": "file",
                    "/hrv/date": "name",
                    "/hrv/wide": "flag",
                    "/hrv/columns": "table",
                },
            ),
            (
                "file = 1\n[hrv]\nfile = 'a.csv'\n[hrv.columns]\nhrv = 1\ndeep_rmssd = 2",
                {
                    "/file": "unknown",
                    "/hrv/columns/deep_rmssd": "source",
                    "/hrv/columns/hrv": "source",
                },
            ),
            (
                rhr("delimiter = '::'\nskip_lines = -1\ndecimal = ';'\ndate_form = 'D'\nonly = 1"),
                {
                    "/rhr/delimiter": "delimiter",
                    "/rhr/skip_lines": "skip_lines",
                    "/rhr/decimal": "decimal",
                    "/rhr/date_form": "date_form",
                    "/rhr/only": "table",
                },
            ),
            (
                rhr(
                    "skip_lines = true\ndate_form = 1\ndelimiter = []\nonly = { a = [1], b = [] }",
                    "{ from = 'r', true_when = 'x' }",
                ),
                {
                    "/rhr/columns/rhr/true_when": "true_when",
                    "/rhr/delimiter": "delimiter",
                    "/rhr/skip_lines": "skip_lines",
                    "/rhr/date_form": "date_form",
                    "/rhr/only/a": "texts",
                    "/rhr/only/b": "texts",
                },
            ),
            (
                sleep("is_main_sleep = { from = 'r', true_when = 1 }"),
                {"/sleep/columns/is_main_sleep/true_when": "texts"},
            ),
        ],
    )
    def test_all_errors_are_reported_at_once(
        self, text: str | bytes, found: dict[str, str]
    ) -> None:
        assert faults(text) == [(path, f"columns.{rule}") for path, rule in found.items()]

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
        ("rule", "path", "sources"),
        [
            ("source", "", "1 '' [] {} {factor=2} {from='a',constant=2} {not_measured=0}"),
            ("source", "", "{sum=['a'],not_measured=0}"),
            ("source", "/sum", "{sum='a'} {sum=[]}"),
            ("source", "/sum/0", "{sum=[1]} {sum=[{from='a',not_measured=0}]}"),
            ("source", "/sum/1", "{sum=['a',1]}"),
            ("name", "/from", "{from=2}"),
            ("factor", "/factor", " ".join(f"{{from='a',factor={value}}}" for value in FACTORS)),
            ("factor", "/sum/0/factor", "{sum=[{from='a',factor=0}]}"),
            ("not_measured", "/not_measured", "{from='a',not_measured=nan}"),
            ("not_measured", "/not_measured", "log_id={from='a',not_measured=0}"),
            ("not_measured", "/not_measured", "is_main_sleep={from='a',not_measured=0}"),
            ("not_measured", "/not_measured", "{from='a',not_measured=true}"),
            ("not_measured", "/not_measured", "{from='a',not_measured='0'}"),
            ("plain", "", "log_id={from='a',factor=2} log_id={sum=['a','b']}"),
            ("plain", "", "is_main_sleep={sum=['a','b']}"),
            ("constant", "/constant", "is_main_sleep={constant=1} {constant=true} {constant=1.5}"),
            ("constant", "/constant", "sleep_score={constant=nan} sleep_score={constant='1'}"),
            ("constant", "/constant", "log_id={constant=''} log_id={constant=2026-01-31}"),
        ],
    )
    def test_invalid_sources(self, rule: str, path: str, sources: str) -> None:
        for source in sources.split():
            member = re.match("[a-z_]+(?==)", source)
            name = member.group() if member else "efficiency"
            text = source.removeprefix(f"{name}=")
            place = f"/sleep/columns/{name}{path}"
            assert faults(sleep(f"{name} = {text}")) == [(place, f"columns.{rule}")], source

    def test_a_shared_file_is_named_as_such(self) -> None:
        with pytest.raises(DataError) as refused:
            parse_column_mapping(b"", "../columns.toml")
        assert refused.value.findings[0].path == "/../columns.toml"

    @given(st.binary() | st.text().map(str.encode))
    def test_any_bytes_yield_a_mapping_or_errors(self, data: bytes) -> None:
        assert isinstance(outcome(data), ProfileMap | DataError)
