"""The published strategies: what is drawn as valid is accepted, what is drawn as faulty refused.

Invariants *as parsed*, *one rule* and *one fault, one rule*.
"""

import json
import re
import runpy
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from devicestatus import limits
from devicestatus.engine import record
from devicestatus.engine.record import Record, SnapshotRecord, WindowRecord
from devicestatus.models import Battery, Music, RunningApps, Snapshot, System, Window, WindowChanges
from devicestatus.testing import strategies as drawn
from devicestatus.testing.faults import (
    CASES,
    SNAPSHOT_RULES,
    WINDOW_RULES,
    InvalidValue,
    invalid_snapshots,
    invalid_windows,
)
from devicestatus.testing.strategies import Received
from devicestatus.validation.music_urls import ITUNES, CatalogHosts, artwork_fault, track_fault
from devicestatus.validation.parse import check_snapshot, check_window, parse_snapshot, parse_window
from status_contracts.findings import pointer
from status_contracts.instants import FIRST_INSTANT, LAST_INSTANT
from status_contracts.json import codec
from status_contracts.primitives import ABSENT
from status_contracts.structuring.cases import DROPPED
from status_contracts.structuring.to_builtins import to_builtins
from support.vectors.cases import example

SNAPSHOT = json.loads(example("devicestatus/parsing", "a-complete-snapshot"))
WINDOW = json.loads(example("devicestatus/parsing", "a-complete-window"))

FEW = settings(max_examples=6)
SOME = settings(max_examples=15)
SEEK = settings(
    max_examples=1000,
    phases=[Phase.generate],
    database=None,
    suppress_health_check=list(HealthCheck),
)
NOON = 1_767_268_800_000
OWN = CatalogHosts("img.example", {"music.example"})
URLS = {"artwork_url", "track_url"}

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


class TestSnapshots:
    @given(st.data(), drawn.instants())
    def test_a_snapshot_is_accepted_at_its_receive_time(self, data: Any, received_at: int) -> None:
        snapshot = data.draw(drawn.snapshots(received_at=received_at))
        body = codec.encode(to_builtins(snapshot))
        assert repr(parse_snapshot(body, received_at=received_at)) == repr(snapshot)

    @SOME
    @given(drawn.snapshot_bodies())
    def test_a_body_is_accepted_at_its_receive_time(self, received: Received) -> None:
        parse_snapshot(received.body, received_at=received.received_at)

    @FEW
    @given(drawn.music(CatalogHosts("", ())))
    def test_without_hosts_there_are_no_urls(self, music: Music) -> None:
        assert music.artwork_url in {None, ABSENT}


class TestWindows:
    @FEW
    @given(drawn.window_bodies())
    def test_bodies_of_windows_are_valid(self, received: drawn.Received) -> None:
        parse_window(received.body, received_at=received.received_at)

    @pytest.mark.uncounted
    @SOME
    @given(st.data(), drawn.instants())
    def test_a_window_is_accepted_at_its_receive_time(self, data: Any, received_at: int) -> None:
        window = data.draw(drawn.windows(received_at=received_at))
        body = codec.encode(to_builtins(window))
        assert repr(parse_window(body, received_at=received_at)) == repr(window)

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

    @settings(max_examples=3)
    @given(drawn.crowded_windows(received_at=NOON))
    def test_a_crowded_window_is_as_full_as_allowed(self, window: Window) -> None:
        assert check_window(window, received_at=NOON) == ()
        full = len(window.events) == limits.WINDOW_EVENTS, len(window.gaps) == limits.WINDOW_GAPS
        assert any(full)

    @FEW
    @given(drawn.changes())
    def test_changes_change_something(self, changes: WindowChanges) -> None:
        assert to_builtins(changes) != {}

    @pytest.mark.check
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


class TestParts:
    @FEW
    @given(
        drawn.snapshots(),
        drawn.VALUES.of(RunningApps),
        drawn.VALUES.of(Battery),
        drawn.VALUES.of(System),
    )
    def test_members_are_accepted_in_a_snapshot(
        self, snapshot: Snapshot, apps: tuple[str, ...], battery: Battery, system: System
    ) -> None:
        whole = attrs.evolve(snapshot, running_apps=apps, battery=battery, system=system)
        assert check_snapshot(whole) == ()

    @given(drawn.artwork_urls() | drawn.artwork_urls(OWN))
    def test_artwork_urls_are_of_the_catalog(self, url: str) -> None:
        assert None in {artwork_fault(url, ITUNES), artwork_fault(url, OWN)}

    @given(drawn.track_urls() | drawn.track_urls(OWN))
    def test_track_urls_are_of_the_catalog(self, url: str) -> None:
        assert None in {track_fault(url, ITUNES), track_fault(url, OWN)}


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


class TestCases:
    """Invariant *one fault, one rule*: of every member, at both sides of each limit."""

    @pytest.mark.uncounted
    @pytest.mark.parametrize(
        ("model", "check", "valid"),
        [
            (Snapshot, check_snapshot, SNAPSHOT),
            (Window, check_window, {**WINDOW, "events": WINDOW["events"][1:]}),
        ],
    )
    def test_each_case_has_its_verdict(self, model: type, check: Any, valid: Any) -> None:
        for case in CASES.of(model):
            if case.at and not self._depends_on_another_member(case):
                found = check(CASES.place(model, valid, case))
                expected = [(pointer(case.path), case.rule)] if case.rule else []
                assert [(finding.path, finding.rule) for finding in found] == expected, case

    def _depends_on_another_member(self, case: Any) -> bool:
        """Check whether a valid value depends on rules that constraints do not state."""
        is_only_change = case.at[-2:] == ("changes", "active_app") and case.value is DROPPED
        return not case.rule and (case.at[-1] in URLS or is_only_change)


class TestFaults:
    @pytest.mark.uncounted
    @settings(max_examples=3)
    @pytest.mark.parametrize("rule", SNAPSHOT_RULES)
    @given(data=st.data())
    def test_every_rule_of_snapshots_can_be_drawn(self, rule: str, data: Any) -> None:
        faulty = data.draw(invalid_snapshots(rule))
        assert faulty.rule == rule
        self._hold(faulty, check_snapshot)

    @settings(max_examples=3)
    @pytest.mark.parametrize("rule", WINDOW_RULES)
    @given(data=st.data())
    def test_every_rule_of_windows_can_be_drawn(self, rule: str, data: Any) -> None:
        faulty = data.draw(invalid_windows(rule))
        assert faulty.rule == rule
        self._hold(faulty, check_window)

    def test_every_rule_of_members_is_covered(self) -> None:
        assert {*SNAPSHOT_RULES, *WINDOW_RULES} == {
            case.rule for model in (Snapshot, Window) for case in CASES.of(model) if case.rule
        }

    def test_a_rule_that_is_not_covered_is_a_mistake(self) -> None:
        with pytest.raises(KeyError):
            invalid_snapshots("gaps.order")

    def _hold(self, faulty: InvalidValue, check: Callable[..., Any]) -> None:
        found = check(faulty.value, received_at=faulty.received_at)
        assert {finding.rule for finding in found} == {faulty.rule}


@pytest.mark.check
class TestPage:
    """The examples of the documentation run."""

    PAGE = Path(__file__).parents[2] / "docs/reference/testing.md"

    def test_the_examples_run(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)  # an example makes a repository
        script = tmp_path / "page.py"
        blocks = re.findall(r"```python\n(.*?)```", self.PAGE.read_text("utf-8"), re.DOTALL)
        text = "\n".join(blocks)
        script.write_text(text, "utf-8")
        names = runpy.run_path(str(script))
        ran = [name for name, value in names.items() if name.startswith("test_") and not value()]
        assert len(ran) == text.count("\ndef test_")
