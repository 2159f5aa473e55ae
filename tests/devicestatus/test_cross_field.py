"""The table of rules, and what no vector of a body can state of the rules between members.

`test_parse.TestVectors` has each rule on both sides of its boundary, and their combinations.
"""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from devicestatus.cross_field import RULES
from devicestatus.music_urls import CatalogHosts
from devicestatus.parsing import check_snapshot, check_window
from status_contracts.instants import FIRST_INSTANT, LAST_INSTANT, format_instant
from status_contracts.structuring import constraints
from support.devicestatus.entry_points import Fault, put, snapshot_faults, window_faults
from support.devicestatus.examples import COVERED_SONG, plain, snapshot, window

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/reference/validation.md").read_text("utf-8")
SOURCES = (
    "status_contracts/structuring/converter.py",
    "devicestatus/cross_field.py",
    "devicestatus/music_urls.py",
    "devicestatus/parsing.py",
    "devicestatus/icons.py",
)
SNAPSHOT = plain(snapshot())
LAG, SPAN = 30_000, 900_000


class TestTimes:
    """Distances are counted from before 1970 as well; the years 0001 and 9999 are legal."""

    @pytest.mark.parametrize("instant", [FIRST_INSTANT, LAST_INSTANT])
    def test_a_snapshot_of_the_first_and_last_year_is_valid(self, instant: int) -> None:
        value = put(SNAPSHOT, "collected_at", format_instant(instant))
        assert snapshot_faults(value, received_at=instant) == []

    @pytest.mark.parametrize(
        ("members", "received_at", "expected"),
        [
            *(
                ({"window_start": at, "window_end": at}, at, [])
                for at in (FIRST_INSTANT, LAST_INSTANT)
            ),
            ({"window_start": -SPAN, "window_end": 0}, 0, []),
            ({"window_start": -SPAN - 1, "window_end": 0}, 0, [("/window_start", "window.span")]),
            ({"window_start": -LAG, "window_end": -LAG, "generated_at": 0}, 0, []),
            (
                {"window_start": -LAG - 1, "window_end": -LAG - 1, "generated_at": 0},
                0,
                [("/generated_at", "window.lag")],
            ),
        ],
    )
    def test_a_window_is_validated_by_distances(
        self, members: dict[str, Any], received_at: int, expected: list[Fault]
    ) -> None:
        assert window_faults(plain(window(**members)), received_at=received_at) == expected

    def test_without_a_receive_time_the_clock_is_not_validated(self) -> None:
        """As an agent does that has no server's clock."""
        assert check_snapshot(put(SNAPSHOT, "collected_at", "0001-01-01T00:00:00Z")) == ()
        start = FIRST_INSTANT
        assert check_window(window(window_start=start, window_end=start)) == ()


class TestHosts:
    def test_a_finding_names_the_hosts_that_the_catalog_has(self) -> None:
        catalog = CatalogHosts("covers.example", frozenset({"b.example", "a.example"}))
        found = check_snapshot(snapshot(music=COVERED_SONG), catalog=catalog)
        messages = [
            ("/music/artwork_url", "must have a host below covers.example"),
            ("/music/track_url", "must have one of the hosts a.example, b.example"),
        ]
        assert [(each.path, each.message) for each in found] == messages
        within = check_window(window(baseline=snapshot(music=COVERED_SONG)), catalog=catalog)
        assert [(each.path, each.message) for each in within] == [
            (f"/baseline{path}", message) for path, message in messages
        ]

    def test_other_findings_have_the_message_of_their_rule(self) -> None:
        (found,) = check_snapshot(put(SNAPSHOT, "music/track_url", None))
        assert (found.rule, found.message) == ("music.pair", RULES["music.pair"])


def test_the_documentation_shows_the_table() -> None:
    assert "\ndevicestatus.cross_field:RULES\n" in PAGE


def test_the_vocabulary_of_shapes_is_part_of_it() -> None:
    assert constraints.RULES.items() <= RULES.items()


def test_every_id_is_used_in_the_core_and_every_used_id_is_listed() -> None:
    texts = {
        node.value
        for name in SOURCES
        for node in ast.walk(ast.parse((ROOT / "src" / name).read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    } | {constraints.Pattern.rule}  # beside the table of all rules of shapes
    assert RULES.keys() - texts == set()
    families = {rule.split(".")[0] for rule in RULES if "." in rule}
    looks = re.compile(rf"({'|'.join(sorted(families))})\.[a-z-]+")
    assert {text for text in texts if looks.fullmatch(text)} - RULES.keys() == set()
