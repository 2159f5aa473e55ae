"""Playback compared with its goals, on a full window: 2048 events and 128 gaps over 900 s.

- views per second (half a million are asked for), against a replay from the baseline per view, as
  a page does that keeps the answer as it came; both are shown to give the same;
- accepting an answer: for the first time, again, and of a later version, against the parser of the
  standard library alone;
- memory of what is kept.
"""

import json
from collections.abc import Iterator

import attrs
from measuring import Measured, compare, memory_of, show

from devicestatus import limits
from devicestatus.bodies import timeline
from devicestatus.models import (
    Battery,
    Music,
    Snapshot,
    System,
    Window,
    WindowChanges,
    WindowEvent,
    WindowGap,
)
from devicestatus.player import Player, PlayerState
from devicestatus.record import WindowRecord
from status_contracts import json_text as codec
from status_contracts.instants import parse_millisecond
from status_contracts.primitives import ABSENT
from status_contracts.structuring.converter import unstructure

START = parse_millisecond("2026-01-01T12:00:00.000Z")
END = START + limits.WINDOW_SPAN_MS
NAIVE, VIEWS = 400, 200_000
"""Views in a round; fewer for the replay, which is slow."""
ROUNDS = 9
MEMBERS = [field.name for field in attrs.fields(WindowChanges)]


def changes(number: int) -> WindowChanges:
    """Return changes of a busy device: apps, songs, loads, in turn."""
    if number % 8 == 0:
        return WindowChanges(music=Music("playing", f"Song {number}", "A Band of Some Renown"))
    if number % 8 == 1:
        return WindowChanges(
            system=System(number / 100, 1.5, 1.25), battery=Battery(50, None, "ac")
        )
    return WindowChanges(active_app=f"Application {number}")


def full_window() -> Window:
    """Return a window with the maximum numbers of events and gaps."""
    step = limits.WINDOW_SPAN_MS // limits.WINDOW_EVENTS
    hole = limits.WINDOW_SPAN_MS // limits.WINDOW_GAPS
    at = [START + number * step for number in range(limits.WINDOW_EVENTS)]
    edges = [START + number * hole for number in range(limits.WINDOW_GAPS)]
    return Window(
        session_id="0f8fad5b-d9cb-469f-a165-70867728950e",
        batch_seq=1,
        generated_at=END,
        window_start=START,
        window_end=END,
        baseline=Snapshot(
            START,
            "Editor",
            Battery(82, None, "battery"),
            System(1.5, 1.25, 1),
            Music("stopped", None, None),
        ),
        events=tuple(WindowEvent(n, each, changes(n)) for n, each in enumerate(at, start=1)),
        gaps=tuple(WindowGap(each, each + hole // 9, "sleep") for each in edges),
        dropped_events=0,
    )


def timeline_body(now: int, **more: object) -> bytes:
    """Return the response of `/api/timeline` for the full window."""
    record = WindowRecord(END, full_window(), END + limits.WINDOW_LIFETIME_MS)
    return codec.encode(unstructure(timeline(record, now=now, ttl_seconds=60)) | more)


def replay(window: Window, at: int) -> Snapshot | None:
    """Return the state by replaying the whole window, as most pages do."""
    if not window.window_start <= at < window.window_end:
        return None
    if any(gap.start_at <= at < gap.end_at for gap in window.gaps):
        return None
    base = window.baseline
    seen = {name: getattr(base, name) for name in MEMBERS}
    collected_at = base.collected_at
    for event in window.events:
        if event.at > at:
            break
        collected_at = event.at
        for name in seen:
            value = getattr(event.changes, name)
            if value is not ABSENT:
                seen[name] = value
    return Snapshot(collected_at, **seen)


def spread(count: int) -> Iterator[int]:
    """Return instants after the response, across the rest of the window and beyond."""
    span = limits.PLAYBACK_DELAY_MS + 10_000
    return (number * 7919 % span for number in range(count))


def views() -> None:
    """Measure views, and check that they equal those of the replay."""
    window, player = full_window(), Player()
    player.accept(timeline_body(END), 0)
    head = END - limits.PLAYBACK_DELAY_MS
    for instant in spread(NAIVE):
        if player.view(instant).snapshot != replay(window, head + instant):
            raise ValueError(f"they disagree {instant} ms after the answer")
    print(f"\nboth show the same at {NAIVE} instants")
    few, many = list(spread(NAIVE)), list(spread(VIEWS))

    def replays() -> None:
        for instant in few:
            replay(window, head + instant)

    def looks() -> None:
        view = player.view
        for instant in many:
            view(instant)

    def whole_looks() -> None:
        for instant in many:
            view = player.view(instant)
            _ = view.state, view.snapshot, view.delay_seconds, view.next_change_at

    measured = compare(
        {
            "replay from the baseline": replays,
            "playback: view": looks,
            "playback: view, four of its members": whole_looks,
        },
        ROUNDS,
    )
    per_second(measured, [NAIVE, VIEWS, VIEWS])


def per_second(measured: list[Measured], counts: list[int]) -> None:
    """Print a table of views per second."""
    base = counts[0] / measured[0].median
    print(f"\nviews of a window of {limits.WINDOW_EVENTS} events and {limits.WINDOW_GAPS} gaps")
    for each, count in zip(measured, counts, strict=True):
        rate = count / each.median
        print(
            f"  {each.name:<44} median {rate:12,.0f} per second"
            f"  best {count / each.best:12,.0f}  ratio {rate / base:9.1f}"
        )


def answers() -> None:
    """Measure accepting, the first time and again, with both decoders."""
    first, again = timeline_body(END), timeline_body(END + 60_000)
    later = timeline_body(END, added_later={"more": [1, 2, 3]})
    known = PlayerState().accepting(first, 0)[0]
    for state, body in ((PlayerState(), later), (known, again)):
        if state.accepting(body, 0)[0] == state:
            raise ValueError("an answer is not accepted")
    show(
        f"accepting a full window, {len(first)} bytes",
        compare(
            {
                "json.loads": lambda: json.loads(first),
                "playback: accept": lambda: PlayerState().accepting(first, 0),
                "playback: accept the next poll's": lambda: known.accepting(again, 60_000),
                "playback: accept a later version's": lambda: PlayerState().accepting(later, 0),
                "playback: refuse text cut short": lambda: known.accepting(first[:-1], 0),
            },
            ROUNDS,
        ),
    )


def memory() -> None:
    """Print the memory of a state."""
    body = timeline_body(END)
    PlayerState().accepting(body, 0)  # caches do not belong to the state
    held, peak = memory_of(lambda: PlayerState().accepting(body, 0))
    print(f"\nthe state of a full window holds {held / 1e6:.2f} MB, {peak / 1e6:.2f} MB on the way")


if __name__ == "__main__":
    views()
    answers()
    memory()
