"""The published strategies: what is drawn as valid is accepted, what is drawn as faulty refused.

Invariants *as parsed*, *shrinks to the plain case* and *one fault, one rule*.
"""

import json
import re
import runpy
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from devicestatus import limits
from devicestatus.engine import record
from devicestatus.engine.record import Record, SnapshotRecord, WindowRecord
from devicestatus.errors import ContractError
from devicestatus.models.snapshot import Music, Snapshot
from devicestatus.models.window import Window, WindowChanges
from devicestatus.testing import faults, serializations
from devicestatus.testing import strategies as drawn
from devicestatus.testing.faults import (
    SNAPSHOT_RULES,
    WINDOW_RULES,
    InvalidValue,
    invalid_snapshots,
    invalid_windows,
)
from devicestatus.testing.serializations import json_texts
from devicestatus.testing.strategies import Received
from devicestatus.validation.music_urls import ITUNES, CatalogHosts, artwork_fault, track_fault
from devicestatus.validation.parse import check_snapshot, check_window, parse_snapshot, parse_window
from devicestatus.validation.rule_ids import RULES
from purewire.absent import ABSENT
from purewire.instants import FIRST_INSTANT, LAST_INSTANT
from purewire.json import codec
from purewire.structuring.to_builtins import to_builtins
from purewire.text import has_control, is_blank

FEW = settings(max_examples=20)
SOME = settings(max_examples=50)
SEEK = settings(
    max_examples=1000,
    phases=[Phase.generate],
    database=None,
    suppress_health_check=list(HealthCheck),
)
NOON = 1_767_268_800_000
OWN = CatalogHosts("img.example", {"music.example"})
PLAIN_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)

T = TypeVar("T")
Feature = Callable[[Any], bool]


class AllSeen(Exception):
    """Nothing is left to look for."""


def missing(strategy: st.SearchStrategy[Any], features: dict[str, Feature]) -> set[str]:
    """Return the features that no drawn value has."""
    left = set(features)

    @SEEK
    @given(strategy)
    def look(value: object) -> None:
        left.difference_update([name for name in left if features[name](value)])
        if not left:
            raise AllSeen

    with suppress(AllSeen):
        look()
    return left


def texts(model: Snapshot) -> str:
    """Return all text in a snapshot."""
    return json.dumps(to_builtins(model), ensure_ascii=False)


def simplest(strategy: st.SearchStrategy[T], has: Callable[[T], bool] = lambda _: True) -> T:
    """Return the value to which a strategy shrinks."""
    return find(strategy, has, settings=settings(phases=[Phase.generate, Phase.shrink]))


class TestSnapshots:
    @given(drawn.snapshots())
    def test_a_snapshot_has_no_faults_but_its_clock(self, snapshot: Snapshot) -> None:
        assert check_snapshot(snapshot) == ()

    @given(st.data(), drawn.instants())
    def test_a_snapshot_is_accepted_at_its_receive_time(self, data: Any, received_at: int) -> None:
        snapshot = data.draw(drawn.snapshots(received_at=received_at))
        body = codec.encode(to_builtins(snapshot))
        assert repr(parse_snapshot(body, received_at=received_at)) == repr(snapshot)

    @SOME
    @given(drawn.snapshot_bodies())
    def test_a_body_is_accepted_at_its_receive_time(self, received: Received) -> None:
        parse_snapshot(received.body, received_at=received.received_at)

    @given(drawn.plain_snapshots(received_at=NOON))
    def test_a_plain_value_is_accepted(self, value: dict[str, Any]) -> None:
        assert check_snapshot(value, received_at=NOON) == ()

    @pytest.mark.uncounted
    @FEW
    @given(drawn.snapshots(received_at=NOON, catalog=OWN))
    def test_the_catalog_is_a_parameter(self, snapshot: Snapshot) -> None:
        assert check_snapshot(snapshot, received_at=NOON, catalog=OWN) == ()

    @FEW
    @given(drawn.music(CatalogHosts("", ())))
    def test_without_hosts_there_are_no_urls(self, music: Music) -> None:
        assert music.artwork_url in {None, ABSENT}

    @pytest.mark.uncounted
    def test_the_limits_are_reached(self) -> None:
        features: dict[str, Feature] = {
            "year 0001": lambda s: s.collected_at == FIRST_INSTANT,
            "year 9999": lambda s: s.collected_at == LAST_INSTANT,
            "no app": lambda s: s.active_app is None,
            "longest app": lambda s: len(s.active_app or "") == limits.NAME_LENGTH,
            "one code point": lambda s: len(s.active_app or "") == 1,
            "longest title": lambda s: len(s.music.track or "") == limits.TITLE_LENGTH,
            "blank title": lambda s: is_blank(s.music.track or "x"),
            "emoji": lambda s: any(character > "\U0001f000" for character in texts(s)),
            "C1": lambda s: any("\x80" <= character <= "\x9f" for character in texts(s)),
            "bidirectional": lambda s: "\u202e" in texts(s) or "\u2066" in texts(s),
            "line separator": lambda s: "\u2028" in texts(s),
            "joined": lambda s: "\u200d" in texts(s) or "\u0301" in texts(s),
            "no list": lambda s: s.running_apps is ABSENT,
            "empty list": lambda s: s.running_apps == (),
            "longest list": lambda s: s.running_apps and len(s.running_apps) == limits.RUNNING_APPS,
            "no battery": lambda s: s.battery.percent is None,
            "full": lambda s: s.battery.percent == limits.BATTERY_PERCENT_MAX,
            "fraction": lambda s: isinstance(s.battery.percent, float),
            "highest load": lambda s: s.system.load_5m == limits.LOAD_MAX,
            "no URLs": lambda s: s.music.track_url is ABSENT,
            "null URLs": lambda s: s.music.track_url is None,
            "URLs": lambda s: isinstance(s.music.track_url, str),
            "paused": lambda s: s.music.state == "paused",
            "longest URL": lambda s: (
                s.music.artwork_url and len(s.music.artwork_url) == limits.URL_LENGTH
            ),
        }
        assert missing(drawn.snapshots(), features) == set()

    @pytest.mark.uncounted
    def test_bodies_are_written_in_many_ways(self) -> None:
        features: dict[str, Feature] = {
            "mark": lambda r: r.body.startswith(b"\xef\xbb\xbf"),
            "blanks": lambda r: b" : " in r.body or b"\n" in r.body,
            "escapes": lambda r: b"\\u" in r.body,
            "1.0": lambda r: b'"schema_version":1.0' in r.body,
            "1e0": lambda r: b'"schema_version":1e0' in r.body,
            "-0.0": lambda r: b":-0.0" in r.body,
            "given twice": lambda r: r.body.count(b'"battery"') > 1,
            "other order": lambda r: r.body.find(b'"music"') < r.body.find(b'"battery"'),
            "short time": lambda r: b':00Z"' in r.body or b'.0Z"' in r.body,
        }
        assert missing(drawn.snapshot_bodies(), features) == set()

    def test_the_simplest_one_is_plain(self) -> None:
        assert to_builtins(simplest(drawn.snapshots())) == {
            "schema_version": 1,
            "collected_at": "2001-09-09T01:46:40.000Z",
            "active_app": None,
            "battery": {"percent": None, "charging": None, "power_source": "unknown"},
            "system": {"load_1m": None, "load_5m": None, "load_15m": None},
            "music": {"state": "stopped", "track": None, "artist": None},
        }


class TestWindows:
    @pytest.mark.uncounted
    @SOME
    @given(drawn.windows())
    def test_a_window_has_no_faults_but_its_clock(self, window: Window) -> None:
        assert check_window(window) == ()

    @pytest.mark.uncounted
    @SOME
    @given(st.data(), drawn.instants())
    def test_a_window_is_accepted_at_its_receive_time(self, data: Any, received_at: int) -> None:
        window = data.draw(drawn.windows(received_at=received_at))
        body = codec.encode(to_builtins(window))
        assert repr(parse_window(body, received_at=received_at)) == repr(window)

    @FEW
    @given(drawn.window_bodies())
    def test_a_body_is_accepted_at_its_receive_time(self, received: Received) -> None:
        parse_window(received.body, received_at=received.received_at)

    @FEW
    @given(drawn.plain_windows(received_at=NOON, max_events=1))
    def test_a_plain_value_is_accepted(self, value: dict[str, Any]) -> None:
        assert check_window(value, received_at=NOON) == ()
        assert len(value["events"]) <= 1

    @FEW
    @given(drawn.windows(received_at=NOON, catalog=OWN, max_events=2, max_gaps=1))
    def test_catalog_and_counts_are_parameters(self, window: Window) -> None:
        assert check_window(window, received_at=NOON, catalog=OWN) == ()
        assert len(window.events) <= 2
        assert len(window.gaps) <= 1

    @pytest.mark.uncounted
    @settings(max_examples=10)
    @given(drawn.crowded_windows(received_at=NOON))
    def test_a_crowded_window_is_as_full_as_allowed(self, window: Window) -> None:
        assert check_window(window, received_at=NOON) == ()
        full = len(window.events) == limits.WINDOW_EVENTS, len(window.gaps) == limits.WINDOW_GAPS
        assert any(full)

    @FEW
    @given(drawn.changes())
    def test_changes_change_something(self, changes: WindowChanges) -> None:
        assert to_builtins(changes) != {}

    @pytest.mark.uncounted
    def test_the_limits_are_reached(self) -> None:
        features: dict[str, Feature] = {
            "year 0001": lambda w: w.window_start == FIRST_INSTANT,
            "year 9999": lambda w: w.generated_at == LAST_INSTANT,
            "zero length": lambda w: w.window_start == w.window_end,
            "longest": lambda w: w.window_end - w.window_start == limits.WINDOW_SPAN_MS,
            "oldest": lambda w: w.generated_at - w.window_end == limits.GENERATION_LAG_MS,
            "first batch": lambda w: w.batch_seq == 1,
            "last batch": lambda w: w.batch_seq == limits.LARGEST_INTEGER,
            "dropped": lambda w: w.dropped_events > 0,
            "last seq": lambda w: w.events and w.events[-1].seq == limits.LARGEST_INTEGER,
            "no events": lambda w: not w.events,
            "events at both ends": lambda w: (
                {w.window_start, w.window_end} <= {each.at for each in w.events}
            ),
            "one instant": lambda w: len({each.at for each in w.events}) < len(w.events),
            "everything changes": lambda w: any(
                ABSENT not in (e.changes.running_apps, e.changes.battery, e.changes.music)
                for e in w.events
            ),
            "gap from start to end": lambda w: (
                w.gaps and (w.gaps[0].start_at, w.gaps[-1].end_at) == (w.window_start, w.window_end)
            ),
            "gaps touch": lambda w: any(
                one.end_at == other.start_at for one in w.gaps for other in w.gaps
            ),
            "gap in between": lambda w: any(
                w.window_start < each.start_at and each.end_at < w.window_end for each in w.gaps
            ),
        }
        assert missing(drawn.windows(), features) == set()

    def test_the_receive_time_reaches_its_limits(self) -> None:
        features: dict[str, Feature] = {
            "fast clock": lambda w: w.generated_at - NOON == limits.CLOCK_SKEW_MS,
            "slow clock": lambda w: NOON - w.generated_at == limits.CLOCK_SKEW_MS,
            "right": lambda w: w.generated_at == NOON,
        }
        assert missing(drawn.windows(received_at=NOON), features) == set()

    @pytest.mark.uncounted
    def test_an_event_shrinks_to_the_plain_one(self) -> None:
        found = simplest(drawn.windows(max_events=1), lambda window: len(window.events) > 0)
        assert to_builtins(found)["events"] == [
            {"seq": 1, "at": "2001-09-09T01:46:40.000Z", "changes": {"active_app": None}}
        ]
        assert found.gaps == ()


class TestParts:
    @given(drawn.artwork_urls() | drawn.artwork_urls(OWN))
    def test_artwork_urls_are_of_the_catalog(self, url: str) -> None:
        assert None in {artwork_fault(url, ITUNES), artwork_fault(url, OWN)}

    @given(drawn.track_urls() | drawn.track_urls(OWN))
    def test_track_urls_are_of_the_catalog(self, url: str) -> None:
        assert None in {track_fault(url, ITUNES), track_fault(url, OWN)}

    @given(drawn.app_names() | drawn.titles())
    def test_text_is_allowed_text(self, text: str) -> None:
        assert 1 <= len(text) <= limits.TITLE_LENGTH
        assert not has_control(text)
        assert text.encode().decode() == text

    @FEW
    @given(drawn.running_apps())
    def test_running_apps_differ(self, apps: tuple[str, ...]) -> None:
        assert len(set(apps)) == len(apps) <= limits.RUNNING_APPS

    @FEW
    @given(drawn.instants(5, 7))
    def test_instants_lie_between_their_ends(self, instant: int) -> None:
        assert 5 <= instant <= 7


class TestRecords:
    @SOME
    @given(drawn.records())
    def test_a_record_reads_back(self, value: Record) -> None:
        assert repr(record.decode(record.encode(value), ITUNES)) == repr(value)

    @FEW
    @given(drawn.stored_values(received_at=NOON, catalog=OWN, kinds="window"))
    def test_a_stored_window_reads_back(self, value: bytes) -> None:
        stored = record.decode(value, OWN)
        assert isinstance(stored, WindowRecord)
        assert stored.received_at == NOON

    @FEW
    @given(drawn.stored_values(kinds="snapshot"))
    def test_a_stored_snapshot_reads_back(self, value: bytes) -> None:
        assert isinstance(record.decode(value, ITUNES), SnapshotRecord)

    def test_the_kinds_and_limits_are_reached(self) -> None:
        features: dict[str, Feature] = {
            "window": lambda r: isinstance(r, WindowRecord),
            "legacy": lambda r: r.expires_at is ABSENT,
            "shortest": lambda r: r.expires_at and r.expires_at - r.received_at == 60_000,
            "longest": lambda r: r.expires_at and r.expires_at - r.received_at == 3_600_000,
            "earliest": lambda r: r.received_at == 1,
        }
        assert missing(drawn.records(), features) == set()


class TestFaults:
    @settings(max_examples=60)
    @given(invalid_snapshots())
    def test_a_faulty_snapshot_breaks_its_one_rule(self, faulty: InvalidValue) -> None:
        self._hold(faulty, check_snapshot, parse_snapshot)

    @pytest.mark.uncounted
    @settings(max_examples=60)
    @given(invalid_windows())
    def test_a_faulty_window_breaks_its_one_rule(self, faulty: InvalidValue) -> None:
        self._hold(faulty, check_window, parse_window)

    @pytest.mark.uncounted
    @settings(max_examples=3)
    @pytest.mark.parametrize("rule", SNAPSHOT_RULES)
    @given(data=st.data())
    def test_every_rule_of_snapshots_can_be_drawn(self, rule: str, data: Any) -> None:
        faulty = data.draw(invalid_snapshots(rule))
        assert faulty.rule == rule
        self._hold(faulty, check_snapshot, parse_snapshot)

    @settings(max_examples=3)
    @pytest.mark.parametrize("rule", WINDOW_RULES)
    @given(data=st.data())
    def test_every_rule_of_windows_can_be_drawn(self, rule: str, data: Any) -> None:
        faulty = data.draw(invalid_windows(rule))
        assert faulty.rule == rule
        self._hold(faulty, check_window, parse_window)

    def test_a_text_is_drawn_as_a_body(self) -> None:
        """The checks raise TypeError for a str, which is no value but text to encode."""
        with pytest.raises(NoSuchExample):
            find(faults._NOT_OBJECTS, lambda value: isinstance(value, str))

    def test_every_rule_that_shows_at_the_entry_points_is_covered(self) -> None:
        covered = {*SNAPSHOT_RULES, *WINDOW_RULES}
        assert {rule for rule in RULES if not rule.startswith("icons.")} == covered

    def test_only_rules_of_the_other_kind_are_left_out(self) -> None:
        of_windows = ("changes.", "window.", "events.", "gaps.")
        assert {rule for rule in RULES.keys() - {*SNAPSHOT_RULES} if "icons" not in rule} == {
            *(rule for rule in RULES if rule.startswith(of_windows)),
            "json.depth",
            "number.integral",
            "text.pattern",
        }
        assert RULES.keys() - {*WINDOW_RULES} >= {"snapshot.skew"}

    def test_a_rule_that_is_not_covered_is_a_mistake(self) -> None:
        with pytest.raises(KeyError):
            invalid_snapshots("gaps.order")

    def _hold(
        self, faulty: InvalidValue, check: Callable[..., Any], parse: Callable[..., Any]
    ) -> None:
        found = check(faulty.value, received_at=faulty.received_at)
        assert {finding.rule for finding in found} == {faulty.rule}
        if isinstance(faulty.value, bytes):
            with pytest.raises(ContractError) as caught:
                parse(faulty.value, received_at=faulty.received_at)
            assert {finding.rule for finding in caught.value.findings} == {faulty.rule}


class TestForms:
    @given(st.data())
    def test_every_form_is_the_same_value(self, data: Any) -> None:
        value = data.draw(PLAIN_VALUES)
        assert codec.decode(data.draw(json_texts(value))) == value

    @given(st.integers(), st.data())
    def test_numbers_stay_exact(self, number: int, data: Any) -> None:
        assert codec.decode(data.draw(json_texts([number, -number]))) == [number, -number]

    @pytest.mark.parametrize(
        "value", [object(), (), b"", {"a": {1}}], ids=lambda value: type(value).__name__
    )
    def test_what_is_no_plain_value_is_a_mistake(self, value: object) -> None:
        with pytest.raises(TypeError, match="not a plain value"):
            simplest(json_texts(value))

    def test_the_simplest_form_is_compact(self) -> None:
        value = {"a": [1, None, True], "b": "é"}
        assert simplest(json_texts(value)) == '{"a":[1,null,true],"b":"é"}'.encode()


class TestPage:
    """The examples of the documentation run."""

    PAGE = Path(__file__).parents[2] / "docs/reference/testing.md"

    def test_the_examples_run(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)  # an example makes a repository
        script = tmp_path / "page.py"
        blocks = re.findall(r"```python\n(.*?)```", self.PAGE.read_text("utf-8"), re.DOTALL)
        script.write_text("\n".join(blocks), "utf-8")
        names = runpy.run_path(str(script))
        ran = [name for name, value in names.items() if name.startswith("test_") and not value()]
        assert len(ran) == len(blocks) - 1  # the class for stores runs under pytest only

    def test_every_public_strategy_is_on_the_page(self) -> None:
        page = self.PAGE.read_text("utf-8")
        for name in (*drawn.__all__, *faults.__all__, *serializations.__all__):
            assert f"`{name}" in page
