"""The time travel's script under Node, compared with the Python engine."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings

from devicestatus.adapters.notebook import Session, Upload, explore
from devicestatus.engine.explanation import Explanation, explain
from devicestatus.engine.projection import NoData, prepare
from devicestatus.engine.status_text import snapshot_fields
from devicestatus.models import Snapshot, Window
from devicestatus.player.player import Player
from devicestatus.settings import Settings
from purewire.structuring.to_builtins import to_builtins
from support.devicestatus.examples import NOON, WINDOW_END, event, gap, window
from support.devicestatus.playback_vectors import view_members
from support.devicestatus.sessions import Uploads, afternoon, data_of, sessions
from support.servers.node import run_node

RUNNER = Path(__file__).parents[1] / "travel_runner.cjs"
ADAPTERS = files("devicestatus.adapters")
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def session_of(uploads: Window | Uploads) -> Session:
    if isinstance(uploads, Window):
        return Session([Upload(None, uploads)])
    return Session([Upload(at, each) for at, each in uploads])


def run(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    scripts = ADAPTERS / "site" / "player.js", ADAPTERS / "notebook" / "travel.js"
    found: list[dict[str, Any]] = json.loads(run_node(RUNNER, *scripts, stdin=json.dumps(cases)))
    return found


def instants(session: Session) -> list[int]:
    """Return each change of the status and of what a page plays, and the ms on both sides."""
    reads = [read.at for read in session.reads()]
    edges = {span.start for span in session.spans()} | {*reads, session.start, session.end}
    edges = {*sorted(edges)[:: max(1, len(edges) // 20)]}
    player = Player()
    for read in session.reads():
        player.accept(read.body, read.at)
        change = player.view(read.at).next_change_at
        edges |= set() if change is None else {change}
    near = {at + shift for at in edges for shift in (-1, 0, 1)}
    return sorted(at for at in near if session.start <= at <= session.end)


def expected_looks(session: Session, moments: list[int]) -> list[dict[str, Any]]:
    """Return what the Python engine has at each instant, by the names of the script."""
    reads, player, is_held = list(session.reads()), Player(), session.uploads[0].arrived_at is None
    looks = []
    for now in moments:
        while not is_held and reads and reads[0].at <= now:
            player.accept(reads[0].body, reads[0].at)
            reads.pop(0)
        explanation = explain_at(session, now)
        number = sum(each.since <= now for each in session.uploads) - 1
        seen, gap_ = snapshot_at(session, now), explanation.gap
        looks.append(
            {
                "online": explanation.online,
                "reason": explanation.reason,
                "gap": gap_
                and {"start_at": gap_.start_at, "end_at": gap_.end_at, "reason": gap_.reason},
                "deadline": explanation.deadline and explanation.deadline.at,
                "nextChangeAt": explanation.next_change_at,
                "snapshot": seen and to_builtins(seen) | {"collected_at": seen.collected_at},
                "at": now - 420_000,
                "upload": number if number >= 0 else None,
                "page": None if is_held else view_members(player.view(now)),
            }
        )
    return looks


def explain_at(session: Session, now: int) -> Explanation:
    arrived = [each for each in session.uploads if each.since <= now]
    return explain(arrived[-1].record if arrived else None, now, Settings(None))


def snapshot_at(session: Session, now: int) -> Snapshot | None:
    arrived = [each for each in session.uploads if each.since <= now]
    found = prepare(arrived[-1].window).project(now) if arrived else None
    return found if isinstance(found, Snapshot) else None


def expected_spans(session: Session) -> list[dict[str, Any]]:
    merged: list[dict[str, Any]] = []
    for span in session.spans():
        found = span.projection
        kind = found.reason if isinstance(found, NoData) else "online" if found else "no-record"
        if merged and merged[-1]["kind"] == kind:
            merged[-1]["end"] = span.end
        else:
            merged.append({"start": span.start, "end": span.end, "kind": kind})
    return merged


def expected_changes(session: Session) -> list[int]:
    """Return each instant after the start at which something arrives or changes by itself."""
    found: list[int] = []
    now = session.start
    while True:
        arrivals = [each.since for each in session.uploads if each.since > now]
        change = explain_at(session, now).next_change_at
        later = [*arrivals, *([] if change is None else [change])]
        if not later:
            return found
        now = min(later)
        found.append(now)


def numbers(fields: dict[str, str] | None) -> dict[str, str] | None:
    """Write the numbers in texts in one form: JavaScript and Python differ for tiny ones."""
    if fields is None:
        return None
    return {
        name: NUMBER.sub(lambda found: repr(float(found[0])), text) for name, text in fields.items()
    }


def fields_of(seen: Snapshot | None) -> dict[str, str] | None:
    if seen is None:
        return None
    return {name: text for name, text in snapshot_fields(seen).items() if name != "collected"}


def assert_equal(uploads: Window | Uploads) -> None:
    session = session_of(uploads)
    moments = instants(session)
    (found,) = run([{"data": data_of(explore(uploads)), "instants": moments}])
    assert found["looks"] == expected_looks(session, moments)
    assert found["spans"] == expected_spans(session)
    if len(found["after"]) < 100:  # each costs the Python engine a whole replay
        assert found["after"] == expected_changes(session)
    assert found["after"] == sorted({*found["after"]})
    snapshots = [snapshot_at(session, now) for now in moments]
    assert [*map(numbers, found["fields"])] == [numbers(fields_of(each)) for each in snapshots]
    starts = [span.start for span in session.spans()]
    for now, before in zip(moments, found["before"], strict=True):
        since = session.start if before is None else before
        assert since < now or now == session.start
        assert [start for start in starts if since < start < now] == []


class TestEquality:
    """The page computes what the Python engine computes."""

    def test_a_window(self) -> None:
        events = tuple(event(n, NOON + n * 20_000) for n in range(1, 40))
        gaps = (gap(NOON, NOON + 30_000), gap(NOON + 30_000, NOON + 60_000, "clock"))
        assert_equal(window(events=events, gaps=gaps))

    def test_a_window_without_length(self) -> None:
        assert_equal(window(window_end=NOON))

    def test_a_gap_up_to_the_end(self) -> None:
        assert_equal(window(gaps=(gap(NOON, WINDOW_END),)))

    def test_an_afternoon_with_an_outage(self) -> None:
        assert_equal(afternoon())

    def test_uploads_in_another_order_are_sorted(self) -> None:
        assert data_of(explore(afternoon()[::-1])) == data_of(explore(afternoon()))

    @settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
    @given(sessions())
    def test_any_session(self, uploads: Window | Uploads) -> None:
        assert_equal(uploads)


class TestReach:
    """The comparison meets every state, so that it is meaningful."""

    def test_the_afternoon_meets_every_reason_and_a_loss(self) -> None:
        session = session_of(afternoon())
        looks = expected_looks(session, instants(session))
        assert {look["reason"] for look in looks} == {
            *(None, "no-record", "warm-up", "gap", "exhausted")
        }
        pages = [look["page"] for look in looks]
        assert {page["state"] for page in pages} == {"offline", "buffering", "playing", "gap"}
        assert any(page["lost"] for page in pages)
        assert any((page["delaySeconds"] or 0) > 420 for page in pages)
