"""Properties of the recorder, against a diary that keeps everything.

A scenario is a list of steps, on two clocks that may disagree: samples (valid, equal, giant or
broken), silences, steps of the clocks, failures, gaps, bursts, restarts, changes of the rules and
batches of any quota.  The diary records all inputs; the properties compare.
"""

import unicodedata
from collections.abc import Iterator
from typing import Any, Final

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from devicestatus import limits
from devicestatus.agent.checkpoint import MAX_CHECKPOINT_BYTES, NotResumed
from devicestatus.agent.cleaning import drop_invisible
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
from devicestatus.models import Battery, GapReason, Music, Snapshot, Window
from devicestatus.parsing import parse_window
from devicestatus.projection import prepare
from devicestatus.strategies import snapshots
from status_contracts import json_text
from status_contracts.instants import SECONDS
from status_contracts.primitives import ABSENT
from status_contracts.structuring.converter import unstructure
from support.devicestatus.examples import DELAY, NOON, SESSION, snapshot, state_at

SPAN: Final = 900_000
CANARY: Final = "canary"
RULES: Final = (
    PrivacyRules(names=["Canary", "*canary*"]),
    PrivacyRules(names=["can*", "*  canary *", "*CANARY", "Kleiner Kanarienvogel"]),
    PrivacyRules(names=frozenset({"Canary"}), switches=Switches(apps=False, running_apps=False)),
)
FORMS: Final = ("Canary", "canary", "CANARY", "Ｃａｎａｒｙ", " Canary\u00a0")


apps = st.sampled_from(("Editor", "Files", "System", *FORMS))
public_apps = st.sampled_from((None, "Editor", "Files", 'A "quoted" \\ name', "名前 🎵"))
valid = st.builds(
    snapshot,
    active_app=public_apps | apps,
    running_apps=st.just(ABSENT)
    | st.lists(public_apps.filter(bool) | apps, max_size=4, unique=True).map(tuple),
    battery=st.sampled_from((Battery(50, None, "ac"), Battery(50.0, True, "ac"))),
    music=st.sampled_from((Music("stopped", None, None), Music("playing", "Song", None))),
)
broken = st.builds(
    snapshot,
    active_app=st.sampled_from(("", "a\nb", "x" * 201, "y" * 100_000, "\udc80")),
    battery=st.sampled_from((Battery(50, None, "ac"), Battery(float("nan"), None, "ac"))),
)
passed = st.sampled_from((0, 1, 2000, 29_999, 30_000, 30_001, 400_000, SPAN, SPAN + 1, 10**11))
apart = st.sampled_from((0, 0, 0, 5000, -5000, 5001, -5001, 10**9, -(10**12)))
reasons: st.SearchStrategy[GapReason] = st.sampled_from(
    ("sleep", "restart", "collection", "overflow", "clock")
)
quotas = st.sampled_from((limits.BATCH_BODY_BYTES, limits.BATCH_BODY_BYTES_LEAST, 5000, 1))
Step = tuple[Any, ...]
observed = st.tuples(st.just("observe"), valid | broken, passed, apart)
steps: st.SearchStrategy[Step] = st.one_of(
    observed,
    observed,
    observed,
    st.tuples(st.just("back"), st.integers(1, 10**6), valid),
    st.tuples(st.just("failed"), st.integers(-10, 10**5)),
    st.tuples(st.just("gap"), st.integers(-SPAN, SPAN), st.integers(-5, 10**6), reasons),
    st.tuples(st.just("batch"), st.integers(-5, 40_000), quotas),
    st.tuples(st.just("restart"), st.sampled_from((0, 1, 5000, SPAN, SPAN + 1))),
    st.tuples(st.just("rules"), st.sampled_from(RULES)),
)
scenarios = st.lists(steps, max_size=20)


@attrs.define
class Diary:
    """A recorder, and all its inputs of the session."""

    recorder: Recorder
    rules: PrivacyRules
    monotonic: int = 10**13
    sessions: int = 1
    seen: list[tuple[int, Snapshot]] = attrs.field(factory=list)
    gaps: list[tuple[int, int, GapReason]] = attrs.field(factory=list)
    changes: int = 0
    batches: int = 0
    responses: list[object] = attrs.field(factory=list)

    @property
    def last(self) -> int:
        """The last observation, or noon."""
        return self.seen[-1][0] if self.seen else NOON

    def perform(self, step: Step) -> object:
        """Perform one step of a scenario, and check the batches and recorders that it yields."""
        kind, *rest = step
        response: object = getattr(self, f"_{kind}")(*rest)
        self.responses.append(response)
        return response

    def _observe(self, sample: Snapshot, passed: int, apart: int) -> object:
        wall, before = self.last + passed, self.monotonic
        self.monotonic += passed + apart
        response = self.recorder.observe(sample, wall_ms=wall, monotonic_ms=self.monotonic)
        if isinstance(response, Invalid):
            self.monotonic = before
            return response
        assert isinstance(response, Recorded | Unchanged)
        self._note(
            sample, wall, is_event=isinstance(response, Recorded) and response.event is not None
        )
        return response

    def _note(self, sample: Snapshot, wall: int, *, is_event: bool) -> None:
        state = drop_invisible(attrs.evolve(self.rules.public(sample), collected_at=wall))
        before = self.seen[-1][1].running_apps if self.seen else ABSENT
        if state.running_apps is ABSENT and before is not ABSENT:
            state = attrs.evolve(state, running_apps=())
        same = self.seen and attrs.evolve(self.seen[-1][1], collected_at=wall) == state
        assert is_event == (bool(self.seen) and not same)
        self.changes += is_event
        self.seen.append((wall, state))

    def _back(self, by_ms: int, sample: Snapshot) -> object:
        if not self.seen:
            return None
        before = self.recorder.checkpoint(now_ms=self.last)
        response = self.recorder.observe(
            sample, wall_ms=self.last - by_ms, monotonic_ms=self.monotonic
        )
        assert response == OutOfOrder(by_ms)
        assert self.recorder.checkpoint(now_ms=self.last) == before
        return response

    def _failed(self, after: int) -> None:
        self.recorder.failed(self.last + after)

    def _gap(self, start: int, length: int, reason: GapReason) -> None:
        if self.seen:
            begin = max(self.last + start, self.last - SPAN)
            self.gaps.append((begin, begin + length, reason))
        self.recorder.add_gap(
            self.last + start, max(self.last + start, self.last - SPAN) + length, reason
        )

    def _batch(self, late: int, most_bytes: int) -> Batch | NotReady:
        response = self.recorder.batch(now_ms=self.last + late, most_bytes=most_bytes)
        ready = bool(self.seen) and 0 <= late <= 30_000
        assert isinstance(response, Batch) == ready
        if isinstance(response, Batch):
            self.batches += 1
            assert response.window.batch_seq == self.batches == self.recorder.batch_seq
            self.check(response, most_bytes)
        return response

    def _restart(self, after: int) -> Recorder | NotResumed:
        saved = self.last
        text = self.recorder.checkpoint(now_ms=saved)
        assert len(text) <= MAX_CHECKPOINT_BYTES
        found = Recorder.resume(text, self.rules, now_ms=saved + after)
        if after > SPAN:
            assert found == NotResumed("old")
            return found
        assert isinstance(found, Recorder)
        if self.seen:
            one, other = (each.batch(now_ms=saved) for each in (found, self.recorder))
            assert isinstance(one, Batch)
            assert isinstance(other, Batch)
            assert one.body == other.body
            self.batches += 1
        self.recorder = found
        return found

    def _rules(self, rules: PrivacyRules) -> bool:
        self.sessions += 1
        session = f"{self.sessions:08}{SESSION[8:]}"
        text = self.recorder.checkpoint(now_ms=self.last)
        found = Recorder.resume(text, rules, now_ms=self.last)
        changed = found == NotResumed("privacy")
        assert changed == (rules != self.rules)
        if changed:
            self.recorder = Recorder(session, rules)
            self.rules, self.seen, self.gaps = rules, [], []
            self.changes = self.batches = 0
        return changed

    def check(self, batch: Batch, most_bytes: int) -> None:
        """Check a batch against all inputs."""
        window = batch.window
        assert batch.body == json_text.encode(unstructure(window))
        if most_bytes >= limits.BATCH_BODY_BYTES_LEAST or window.events:
            assert len(batch.body) <= most_bytes
        assert parse_window(batch.body, received_at=window.generated_at) == window
        self.check_span(window)
        self.check_replay(window)
        self.check_gaps(window)

    def check_span(self, window: Window) -> None:
        """Check where the window lies and which events it has."""
        assert window.window_end == self.last
        oldest = max(self.seen[0][0], self.last - SPAN)
        assert window.window_start >= oldest
        assert window.window_start == oldest or window.dropped_events
        seqs = [event.seq for event in window.events]
        assert seqs == list(range(self.changes - len(seqs) + 1, self.changes + 1))
        if not window.dropped_events:
            at = [event.at for event in window.events]
            assert all(oldest < each or oldest == self.seen[0][0] for each in at)

    def check_replay(self, window: Window) -> None:
        """Check that each instant from the start on has the state that was seen last before it."""
        prepared = prepare(window)
        seen = dict(self.seen)
        for at, state in seen.items():
            if at >= window.window_start:
                replayed = state_at(window, at)
                assert attrs.evolve(replayed, collected_at=at) == state
                projected = prepared.project(at + DELAY)
                assert not isinstance(projected, Snapshot) or projected == replayed
        first = [state for at, state in self.seen if at <= window.window_start][-1]
        begins = state_at(window, window.window_start)
        assert attrs.evolve(begins, collected_at=0) == attrs.evolve(first, collected_at=0)

    def check_gaps(self, window: Window) -> None:
        """Check that every reported gap is in the batch."""
        held = [(gap.start_at, gap.end_at) for gap in window.gaps]
        for begin, finish, _ in self.gaps:
            start, end = max(begin, window.window_start), min(finish, window.window_end)
            assert start >= end or any(one <= start and end <= other for one, other in held)

    def texts(self) -> Iterator[str]:
        """Return everything that ever leaves the recorder, and what it holds."""
        history = self.recorder._history
        held = history and attrs.asdict(history)
        yield repr((self.recorder, held))
        for each in self.responses:
            yield whole(each)
            if isinstance(each, Batch):
                yield each.body.decode()
        yield self.recorder.checkpoint(now_ms=self.last).decode()


def whole(response: Any) -> str:
    """Return a response with everything in it, which reprs are too short for; rules stay out."""
    is_short = attrs.has(type(response)) and not isinstance(response, Recorder)
    return repr(attrs.asdict(response) if is_short else response)


def new_diary() -> Diary:
    return Diary(Recorder(SESSION, RULES[0]), RULES[0])


@given(scenarios)
def test_every_scenario_yields_batches_that_are_valid_and_replay_what_was_seen(
    scenario: list[Step],
) -> None:
    diary = new_diary()
    for step in scenario:
        diary.perform(step)
        diary.perform(("batch", 0, limits.BATCH_BODY_BYTES))


@given(scenarios)
def test_no_hidden_name_leaves_the_recorder_or_stays_in_it(scenario: list[Step]) -> None:
    diary = new_diary()
    for step in scenario:
        diary.perform(step)
    diary.perform(("batch", 0, limits.BATCH_BODY_BYTES))
    for text in diary.texts():
        assert CANARY not in unicodedata.normalize("NFKC", text).casefold()


@given(st.lists(snapshots(), max_size=8), st.integers(0, 3000))
def test_any_valid_samples_are_kept_and_replayed(samples: list[Snapshot], step: int) -> None:
    diary = new_diary()
    for sample in samples:
        assert not isinstance(diary.perform(("observe", sample, step, 0)), Invalid)
    diary.perform(("batch", 0, limits.BATCH_BODY_BYTES))
    diary.perform(("restart", 5))
    diary.perform(("batch", 0, limits.BATCH_BODY_BYTES))


@settings(max_examples=max(10, settings().max_examples // 5))
@given(
    st.integers(1, 400),
    st.integers(0, 3),
    st.sampled_from((1, 40, 190)),
    st.sampled_from((1, 20, 64)),
    quotas,
)
def test_bursts_fold_the_oldest_and_no_more_than_they_must(
    count: int, step: int, length: int, running: int, quota: int
) -> None:
    diary = new_diary()
    for n in range(count):
        wide = "名" * length
        running_apps = tuple(f"{n} {place} {wide}"[:200] for place in range(running))
        sample = snapshot(active_app=f"{n} {wide}", running_apps=running_apps)
        diary.recorder.observe(sample, wall_ms=NOON + n * step, monotonic_ms=n * step)
        diary.seen.append((NOON + n * step, attrs.evolve(sample, collected_at=NOON + n * step)))
    diary.changes = count - 1
    diary.perform(("batch", 0, limits.BATCH_BODY_BYTES))
    batch = diary.perform(("batch", 0, quota))
    assert isinstance(batch, Batch)
    if batch.window.dropped_events:
        largest = max(len(json_text.encode(unstructure(sample))) for _, sample in diary.seen)
        full = min(quota, limits.BATCH_BODY_BYTES)
        assert not batch.window.events or len(batch.body) > full - 2 * largest - 200


near = st.integers(-(10**6), 10**6).map(lambda difference: NOON + difference)
instants = (st.integers() | near).filter(lambda instant: instant not in SECONDS)


@given(st.lists(st.tuples(instants, instants, instants, instants, reasons), max_size=12))
def test_no_instant_is_too_strange(instants: list[tuple[int, int, int, int, GapReason]]) -> None:
    recorder = Recorder(SESSION)
    for n, (wall, monotonic, other, now, reason) in enumerate(instants):
        recorder.observe(snapshot(active_app=f"App {n}"), wall_ms=wall, monotonic_ms=monotonic)
        recorder.failed(other)
        recorder.add_gap(other, monotonic, reason)
        batch = recorder.batch(now_ms=now)
        if isinstance(batch, Batch):
            assert parse_window(batch.body, received_at=now) == batch.window
        again = Recorder.resume(recorder.checkpoint(now_ms=now), now_ms=other)
        if isinstance(again, Recorder):
            recorder = again
