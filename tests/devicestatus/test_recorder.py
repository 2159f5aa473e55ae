"""The recorder: recorded and refused samples, gaps, and batches."""

from typing import Any
from uuid import UUID

import attrs
import pytest

from devicestatus import limits
from devicestatus.agent.privacy import PrivacyRules, Switches
from devicestatus.agent.recorder import (
    Batch,
    Invalid,
    NotReady,
    OutOfOrder,
    Recorded,
    Recorder,
    Unchanged,
)
from devicestatus.models import Battery, Music, System
from devicestatus.music_urls import CatalogHosts
from devicestatus.parsing import parse_window
from status_contracts.instants import FIRST_INSTANT, LAST_INSTANT, SECONDS, to_datetime
from status_contracts.primitives import ABSENT
from support.devicestatus.examples import COVERED_SONG, NOON, SESSION, event, gap, snapshot

RULES = PrivacyRules(names=frozenset({"Secret"}))


def recorder(rules: PrivacyRules = RULES) -> Recorder:
    return Recorder(SESSION, rules)


def observe(recorder: Recorder, after: int, **members: Any) -> Any:
    """Observe a sample so many ms after noon, on clocks that agree."""
    return recorder.observe(snapshot(**members), wall_ms=NOON + after, monotonic_ms=after)


@pytest.fixture
def new() -> Recorder:
    """Return a recorder that has observed a sample at noon."""
    new = recorder()
    observe(new, 0)
    return new


def batch_of(recorder: Recorder, now_ms: int | None = None, **options: int) -> Batch:
    """Return the batch at the last observation, or at another instant."""
    at = recorder.last_observed_at if now_ms is None else now_ms
    assert at is not None
    batch = recorder.batch(now_ms=at, **options)
    assert isinstance(batch, Batch)
    assert parse_window(batch.body, received_at=at) == batch.window
    return batch


def resumed(recorder: Recorder, now_ms: int, rules: PrivacyRules = RULES) -> Recorder:
    found = Recorder.resume(recorder.checkpoint(now_ms=now_ms), rules, now_ms=now_ms)
    assert isinstance(found, Recorder)
    return found


class TestCreate:
    @pytest.mark.parametrize(
        "session", ["", "x", SESSION.upper(), SESSION + "0", f"{SESSION}\n", UUID(SESSION)]
    )
    def test_a_session_is_a_lowercase_uuid(self, session: Any) -> None:
        with pytest.raises(ValueError, match=r"must be a lowercase UUID .*: pass str\(uuid4\(\)\)"):
            Recorder(session)


class TestObserve:
    """Samples.

    DS-AGENT-02 and DS-AGENT-18; invariant *a refused sample changes nothing*.
    """

    def test_values_that_are_equal_are_no_change_however_they_are_held(self) -> None:
        new = recorder()
        observe(new, 0, battery=Battery(50, None, "ac"))
        assert observe(new, 1, battery=Battery(50.0, None, "ac")) == Unchanged()

    def test_numbers_are_kept_in_their_one_form(self) -> None:
        new = recorder()
        observe(new, 0, battery=Battery(50.0, None, "ac"))
        kept = observe(new, 1, system=System(-0.0, 2.0, 2.5))
        assert repr(kept.event.changes.system) == repr(System(0, 2, 2.5))
        assert b'"percent":50,' in batch_of(new).body

    def test_a_text_of_which_nothing_is_visible_is_no_name_and_no_title(self) -> None:
        new = recorder()
        unseen = "\u200b"
        music = Music("playing", unseen, "\u3164")
        observe(new, 0, active_app="\u2060", running_apps=("Editor", unseen), music=music)
        first = batch_of(new).window.baseline
        assert (first.active_app, first.running_apps) == (None, ("Editor",))
        assert first.music == Music("playing", None, None)


class TestObserveInvalid:
    @pytest.mark.parametrize(
        ("members", "path", "rule"),
        [
            ({"active_app": "x" * 201}, "/active_app", "text.length"),
            ({"active_app": "a\udc80"}, "/active_app", "text.surrogate"),
            ({"active_app": b"bytes"}, "/active_app", "type"),
            ({"running_apps": ("x",) * 2}, "/running_apps/1", "items.unique"),
            ({"running_apps": ["x"]}, "/running_apps", "type"),
            ({"battery": Battery(101, None, "ac")}, "/battery/percent", "number.range"),
            ({"system": System(float("nan"), 1, 1)}, "/system/load_1m", "number.finite"),
            ({"system": None}, "/system", "type"),
            ({"battery": ABSENT}, "/battery", "type"),
            ({"music": attrs.evolve(COVERED_SONG, track_url=None)}, "/music", "music.pair"),
            (
                {"music": attrs.evolve(COVERED_SONG, state="stopped")},
                "/music/state",
                "music.url-state",
            ),
        ],
    )
    def test_a_sample_that_breaks_a_rule_is_refused_with_its_findings(
        self, members: dict[str, Any], path: str, rule: str
    ) -> None:
        for first in (True, False):
            new = recorder(PrivacyRules())
            if not first:
                observe(new, 0)
            refused = observe(new, 5, **members)
            assert isinstance(refused, Invalid)
            assert (path, rule) in {(each.path, each.rule) for each in refused.findings}
            assert new.last_observed_at == (None if first else NOON)

    def test_a_refused_sample_changes_nothing(self, new: Recorder) -> None:
        before = new.checkpoint(now_ms=NOON)
        observe(new, 5, active_app="x" * 300, battery=Battery(1, None, "ac"))
        assert new.checkpoint(now_ms=NOON) == before
        assert observe(new, 6, active_app="Files") == Recorded(
            event(1, NOON + 6, active_app="Files")
        )

    def test_what_is_no_snapshot_is_refused(self) -> None:
        nothing: Any = None
        new = recorder()
        for sample in (nothing, snapshot(active_app=5), snapshot(running_apps=(["x"],))):
            refused = new.observe(sample, wall_ms=NOON, monotonic_ms=0)
            assert isinstance(refused, Invalid)

    @pytest.mark.parametrize(
        "wall_ms",
        [
            NOON // 1000,
            NOON / 1000,
            float(NOON),
            to_datetime(NOON),
            None,
            True,
            SECONDS[0],
            SECONDS[-1],
            FIRST_INSTANT - 1,
            LAST_INSTANT + 1,
            10**40,
            -(10**40),
        ],
    )
    def test_a_time_that_is_not_in_milliseconds_is_refused(self, wall_ms: Any) -> None:
        new = recorder()
        refused = new.observe(snapshot(), wall_ms=wall_ms, monotonic_ms=0)
        assert isinstance(refused, Invalid)
        (finding,) = refused.findings
        assert (finding.path, finding.rule) == ("/wall_ms", "time.format")
        assert "pass int(time.time() * 1000)" in finding.message
        observe(new, 0)
        later = new.observe(snapshot(), wall_ms=wall_ms, monotonic_ms=0)
        assert isinstance(later, Invalid | OutOfOrder)

    @pytest.mark.parametrize(
        "wall_ms", [FIRST_INSTANT, 0, SECONDS[0] - 1, SECONDS[-1] + 1, LAST_INSTANT]
    )
    def test_the_first_and_last_instants_and_an_unset_clock_are_good(self, wall_ms: int) -> None:
        new = recorder()
        assert new.observe(snapshot(), wall_ms=wall_ms, monotonic_ms=0) == Recorded(None)
        batch_of(new)

    def test_the_hosts_of_another_catalog_are_used(self) -> None:
        none = CatalogHosts(artwork_domain="covers.example", track_hosts=frozenset())
        new = Recorder(SESSION, catalog=none)
        assert isinstance(observe(new, 0, music=COVERED_SONG), Invalid)
        assert observe(recorder(), 0, music=COVERED_SONG) == Recorded(None)


class TestPrivacy:
    """Invariant *rules first*."""

    def test_a_metric_that_is_off_is_not_recorded(self) -> None:
        new = recorder(PrivacyRules(switches=Switches(music=False, running_apps=False)))
        observe(new, 0, running_apps=("Editor",))
        assert observe(new, 1, music=Music("paused", "Hidden track", None)) == Unchanged()
        baseline = batch_of(new).window.baseline
        assert (baseline.music, baseline.running_apps) == (Music("unavailable", None, None), ABSENT)

    def test_a_metric_that_is_off_is_not_validated_either(self) -> None:
        new = recorder(PrivacyRules(switches=Switches(music=False)))
        assert observe(new, 0, music=Music("stopped", "x" * 999, None)) == Recorded(None)

    def test_a_hidden_name_too_long_for_the_contract_is_system(self) -> None:
        new = recorder(PrivacyRules(names=["secret*"]))
        assert observe(new, 0, active_app="Secret" + "x" * 300) == Recorded(None)

    def test_the_text_of_a_recorder_has_no_names(self) -> None:
        new = recorder()
        observe(new, 0, active_app="Public name")
        assert repr(new) == f"Recorder(session_id='{SESSION}', batch_seq=0)"


class TestClocks:
    """DS-AGENT-16."""

    def test_a_silence_with_invalid_samples_is_collection(self, new: Recorder) -> None:
        observe(new, 20_000, active_app="")
        observe(new, 40_000)
        assert batch_of(new).window.gaps == (gap(NOON, NOON + 40_000, "collection"),)

    def test_a_failure_at_a_time_before_the_last_observation_has_no_effect(self) -> None:
        new = recorder()
        observe(new, 2)
        new.failed(NOON + 1)
        observe(new, 40_000)
        assert batch_of(new).window.gaps == (gap(NOON + 2, NOON + 40_000, "sleep"),)
        observe(new, 50_000)
        new.failed(NOON + 50_000)
        observe(new, 90_000)
        assert batch_of(new).window.gaps[1] == gap(NOON + 50_000, NOON + 90_000, "collection")

    def test_a_failure_before_all_observations_has_no_effect(self) -> None:
        new = recorder()
        new.failed(NOON)
        observe(new, 1)
        assert batch_of(new).window.gaps == ()

    def test_after_a_restart_the_new_count_is_the_measure(self) -> None:
        new = recorder()
        new.observe(snapshot(), wall_ms=NOON, monotonic_ms=10**9)
        new.observe(snapshot(), wall_ms=NOON + 50_000, monotonic_ms=10)
        new.observe(snapshot(), wall_ms=NOON + 60_000, monotonic_ms=10_010)
        assert batch_of(new).window.gaps == (gap(NOON, NOON + 50_000, "restart"),)

    def test_a_refused_step_is_reported_before_its_sample_is_validated(self) -> None:
        new = recorder()
        observe(new, 1)
        assert observe(new, 0, active_app="") == OutOfOrder(1)
        assert observe(new, 40_001) == Unchanged()
        assert batch_of(new).window.gaps == (gap(NOON + 1, NOON + 40_001, "sleep"),)


class TestGap:
    def test_one_before_all_observations_has_no_effect(self) -> None:
        new = recorder()
        new.add_gap(NOON - 5, NOON + 5, "collection")
        observe(new, 0)
        observe(new, 10)
        assert batch_of(new).window.gaps == ()

    def test_another_reason_is_refused(self) -> None:
        reason: Any = "tired"
        with pytest.raises(ValueError, match="the reason of a gap must be one of"):
            recorder().add_gap(NOON, NOON + 1, reason)


@pytest.mark.rule("DS-BATCH-03")
class TestBatch:
    """Invariant *always a valid batch*."""

    def test_an_instant_after_the_year_9999_is_stale(self) -> None:
        new = recorder()
        new.observe(snapshot(), wall_ms=LAST_INSTANT, monotonic_ms=0)
        assert new.batch(now_ms=LAST_INSTANT + 1) == NotReady("stale")

    def test_dropped_events_are_counted_over_the_session(self, new: Recorder) -> None:
        for n in range(1, 2051):
            observe(new, n, active_app=f"App {n}")
        assert batch_of(new).window.dropped_events == 2
        observe(new, 2 * 900_000, active_app="Later")
        assert batch_of(new).window.dropped_events == 2

    def test_a_smaller_budget_folds_more_for_this_batch_and_later_ones(self, new: Recorder) -> None:
        for n in range(1, 2000):
            observe(new, n, active_app=f"App {n:0200}"[:200] if n % 2 else f"{n:0200}")
        least = limits.BATCH_BODY_BYTES_LEAST
        small = batch_of(new, most_bytes=least)
        assert least - 500 < len(small.body) <= least
        assert small.window.dropped_events == 1999 - len(small.window.events) > 0
        assert batch_of(new).window.events == small.window.events


class TestResume:
    def test_failures_between_resume_and_the_first_observation_have_no_effect(
        self, new: Recorder
    ) -> None:
        again = resumed(new, NOON + 5000)
        again.failed(NOON + 5000)
        observe(again, 50_000)
        assert batch_of(again).window.gaps == (gap(NOON, NOON + 50_000, "restart"),)

    def test_gaps_reported_ahead_are_kept(self, new: Recorder) -> None:
        new.add_gap(NOON + 5, NOON + 100_000, "restart")
        again = resumed(new, NOON)
        observe(again, 10)
        assert batch_of(again).window.gaps == (gap(NOON, NOON + 10, "restart"),)
