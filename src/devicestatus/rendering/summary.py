"""A picture of a window in words: one line for all, and a description for who does not see it.

Invariant *in words too*: for each lane the description says what is most of it, for each of the
first gaps when and why it was, and of the rest how many there are.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from devicestatus.engine.intervals import Interval, RecordedGap, Recording
from devicestatus.rendering.labels import (
    amount,
    brief,
    clock,
    count,
    duration,
    during,
    fineness,
    span,
)
from devicestatus.rendering.lane_values import Charge, Heard, Shown

__all__ = ["NOTHING", "extent", "story", "summary"]

NOTHING: Final = "no data"
"""What stands for a lane in which nothing was observed."""

_LISTED: Final = 5


def summary(window: Recording) -> str:
    """Say from when to when, and how many events, dropped ones and gaps there are."""
    events, gaps = count(len(window.events), "event"), count(len(window.gaps), "gap")
    dropped = f", {window.dropped_events} dropped" if window.dropped_events else ""
    return f"{span(window.window_start, window.window_end)}, {events}{dropped}, {gaps}"


def story(window: Recording, shown: Shown, at: int | None) -> str:
    """Say what the lanes show."""
    said = [
        summary(window),
        f"App in front: {_longest((each.value, each.duration) for each in shown.apps)}",
        f"Running apps: {extent([each.value for each in shown.running]) or NOTHING}",
        f"Music: {_played(shown.music)}",
        f"Battery: {_charged(shown.battery)}",
        f"Load over 1 minute: {extent([each.value for each in shown.load]) or NOTHING}",
    ]
    if window.gaps:
        said.append(f"Gaps: {_listed(list(map(_missed, window.gaps)))}")
    if at is not None:
        said.append(_marked(window, shown, at))
    return "".join(f"{sentence}. " for sentence in said).rstrip()


def extent(values: Iterable[float | None], unit: str = "") -> str:
    """Write the least and the greatest of some numbers; nothing where there are none."""
    known = [value for value in values if value is not None]
    ends = dict.fromkeys(f"{amount(end)}" for end in (min(known), max(known))) if known else {}
    return f"{' to '.join(ends)}{unit}" if ends else ""


def _longest(held: Iterable[tuple[str | None, int]]) -> str:
    """List names with how long each held, the longest first."""
    durations: dict[str, int] = {}
    for name, time in held:
        if name is not None:
            durations[name] = durations.get(name, 0) + time
    ranked = sorted(durations.items(), key=lambda each: -each[1])
    return _listed([f"{brief(name)} {duration(time)}" for name, time in ranked])


def _listed(things: Sequence[str]) -> str:
    shown, more = things[:_LISTED], len(things) - _LISTED
    return ", ".join([*shown, f"{more} more"] if more > 0 else shown) or NOTHING


def _played(found: Sequence[Interval[Heard]]) -> str:
    playing = [each for each in found if each.value.state == "playing"]
    if playing:
        return _longest((each.value.name or "playing", each.duration) for each in playing)
    states = dict.fromkeys(each.value.state for each in found)
    return ", ".join(state for state in states if state != "unavailable") or NOTHING


def _charged(found: Sequence[Interval[Charge]]) -> str:
    charging = sum(each.duration for each in found if each.value.charging)
    said = [extent([each.value.percent for each in found], "%") or NOTHING]
    if charging:
        said.append(f"charging for {duration(charging)}")
    return ", ".join(said)


def _missed(gap: RecordedGap) -> str:
    return f"{brief(gap.reason)} {during(gap.start_at, gap.end_at)}"


def _marked(window: Recording, shown: Shown, at: int) -> str:
    time = clock(at, fineness(window.window_end - window.window_start))
    if not window.window_start <= at < window.window_end:
        return f"Marked: {time}, not covered by the window"
    front = [each.value for each in shown.apps if each.start <= at < each.end]
    if not front:
        return f"Marked: {time}, in a gap"
    return f"Marked: {time}, {'no app' if front[0] is None else brief(front[0])} in front"
