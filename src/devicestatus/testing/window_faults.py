"""Faults of windows: of their counters, instants and lists, and of the relations between them.

As in `devicestatus.testing.member_faults`, a fault breaks one rule of a plain JSON object in
place.  The object is an empty window: ten minutes up to `NOW`, without events and gaps.
"""

from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st

from devicestatus import limits
from devicestatus.testing.member_faults import NOT_FINITE, WRONG_TYPES, Fault, Plain, replacing
from devicestatus.testing.strategies import plain_windows
from purewire.instants import MINUTE_MS, SECOND_MS, format_instant

__all__ = [
    "BAD_TIMES",
    "EMPTY_WINDOWS",
    "NOW",
    "WINDOW_FAULTS",
    "as_changes_fault",
    "over_limit",
    "version_fault",
]

NOW: Final = 1_767_268_800_000
"""2026-01-01T12:00:00.000Z: the receive time of all invalid values."""

BAD_TIMES: Final = (
    "",
    "2026-01-01",
    "2026-01-01T12:00:00.000",
    "2026-01-01T12:00:00.000z",
    "2026-01-01t12:00:00.000Z",
    "2026-01-01 12:00:00.000Z",
    "2026-01-01T12:00:00.000+00:00",
    "2026-01-01T12:00:00.0000Z",
    "2026-01-01T12:00:00.Z",
    "2026-01-01T12:00:00,000Z",
    "2026-01-01T12:00Z",
    "2026-01-01T12:00:60.000Z",
    "2026-01-01T24:00:00.000Z",
    "2026-01-01T12:60:00.000Z",
    "2026-00-01T12:00:00.000Z",
    "2026-13-01T12:00:00.000Z",
    "2026-01-00T12:00:00.000Z",
    "2026-02-29T12:00:00.000Z",
    "2026-04-31T12:00:00.000Z",
    "0000-01-01T12:00:00.000Z",
    "+2026-01-01T12:00:00.000Z",
    "12026-01-01T12:00:00.000Z",
    " 2026-01-01T12:00:00.000Z",
    "2026-01-01T12:00:00.000Z\n",
    "2026-01-01T12:00:00.000Z\u0000",
    "202\uff16-01-01T12:00:00.000Z",
    "2026-01-01T12:00:00.00\u0660Z",
    "2026-01-01T12:00:\u00b2\u00b2.000Z",
)
"""Text that is not a timestamp in any form."""

_ONLY_UTC: Final = (
    "2026-01-01T12:00:00Z",
    "2026-01-01T12:00:00.0Z",
    "2026-01-01T12:00:00.00Z",
)
_TIMES: Final = ("at", "start_at", "end_at", "generated_at", "window_start", "window_end")
_COUNTERS: Final = ("batch_seq", "dropped_events")
_KINDS: Final = {
    "events": "array",
    "gaps": "array",
    "baseline": "object",
    "changes": "object",
    "seq": "number",
    **dict.fromkeys(_COUNTERS, "number"),
    **dict.fromkeys(_TIMES, "text"),
    "session_id": "text",
}
_START: Final = NOW - 10 * MINUTE_MS
_LARGEST: Final = limits.LARGEST_INTEGER
_SIGNS: Final = st.sampled_from((1, -1))
_INSIDE: Final = st.integers(_START + SECOND_MS, NOW - SECOND_MS)
"""Instants inside an empty window, away from its ends."""


def over_limit(limit: int) -> st.SearchStrategy[int]:
    """Draw durations over a limit, first by one millisecond (ms)."""
    return st.just(limit + 1) | st.integers(limit + 1, limit + 10**12)


def version_fault(wrong: int) -> Fault:
    """Return the fault of a wrong schema version."""
    return replacing({"schema_version": (wrong, 0, 3, 1.5, "1", "2", None, True, [])})


def as_changes_fault(fault: Fault) -> Fault:
    """Apply a fault of members to the changes of an event with the same members."""

    def break_changes(draw: st.DrawFn, plain: Plain) -> None:
        baseline = plain["baseline"]
        changes = {name: baseline[name] for name in ("active_app", "battery", "system", "music")}
        plain["events"] = [_event(1, draw(_INSIDE)) | {"changes": changes}]
        for name in ("battery", "system", "music"):
            baseline[name] = dict(baseline[name])
        fault(draw, changes)

    return break_changes


@st.composite
def _empty_windows(draw: st.DrawFn) -> Plain:
    plain = draw(plain_windows(received_at=NOW, max_events=0))
    _move(plain, _START, NOW, NOW)
    return plain


def _move(plain: Plain, start: int, end: int, generated: int) -> None:
    plain["window_start"] = plain["baseline"]["collected_at"] = format_instant(start)
    plain["window_end"] = format_instant(end)
    plain["generated_at"] = format_instant(generated)
    plain["events"], plain["gaps"] = [], []


def _event(seq: object, at: int) -> Plain:
    return {"seq": seq, "at": format_instant(at), "changes": {"active_app": None}}


def _gap(start: int, end: int) -> Plain:
    return {"start_at": format_instant(start), "end_at": format_instant(end), "reason": "sleep"}


def _part(draw: st.DrawFn, plain: Plain) -> Plain:
    """Return the window, or an event or a gap that is added to it."""
    at = draw(_INSIDE)
    plain["events"], plain["gaps"] = [_event(1, at)], [_gap(at, NOW)]
    parts: tuple[Plain, ...] = (plain, plain["events"][0], plain["gaps"][0])
    return draw(st.sampled_from(parts))


def _type(draw: st.DrawFn, plain: Plain) -> None:
    part = _part(draw, plain)
    name = draw(st.sampled_from(sorted(part.keys() & _KINDS)))
    part[name] = draw(st.sampled_from(WRONG_TYPES[_KINDS[name]]))


def _required(draw: st.DrawFn, plain: Plain) -> None:
    part = _part(draw, plain)
    del part[draw(st.sampled_from(sorted(part)))]


def _unknown(draw: st.DrawFn, plain: Plain) -> None:
    part = _part(draw, plain)
    part[draw(st.sampled_from(("expires_at", "ttl", "", "End_at", "state")))] = None


def _reason(draw: st.DrawFn, plain: Plain) -> None:
    wrong = st.sampled_from(("", "Sleep", "sleep ", "other", None, 0, ["sleep"]))
    plain["gaps"] = [_gap(_START, NOW) | {"reason": draw(wrong)}]


def _session(draw: st.DrawFn, plain: Plain) -> None:
    session: str = plain["session_id"]
    wrong = (
        "",
        f"A{session[1:]}",
        f"g{session[1:]}",
        f"\uff10{session[1:]}",
        session[:-1],
        f"{session}0",
        f"{session}\n",
        f"{{{session}}}",
        f"urn:uuid:{session}",
        session.replace("-", ""),
    )
    plain["session_id"] = draw(st.sampled_from(wrong))


def _number_fault(names: Sequence[str], wrong: Sequence[object]) -> Fault:
    """Return the fault of a number of the window, or of the `seq` of an event."""

    def break_number(draw: st.DrawFn, plain: Plain) -> None:
        name, value = draw(st.sampled_from((*names, "seq"))), draw(st.sampled_from(wrong))
        if name == "seq":
            plain["events"] = [_event(value, draw(_INSIDE))]
        else:
            plain[name] = value

    return break_number


def _too_many(draw: st.DrawFn, plain: Plain) -> None:
    lists = (("events", limits.WINDOW_EVENTS), ("gaps", limits.WINDOW_GAPS))
    name, most = draw(st.sampled_from(lists))
    plain[name] = [draw(st.sampled_from(({}, None, "")))] * (most + 1)


def _time(draw: st.DrawFn, plain: Plain) -> None:
    part = _part(draw, plain)
    if draw(st.booleans()):
        part, names = plain["baseline"], ["collected_at"]
    else:
        names = sorted(part.keys() & set(_TIMES))
    part[draw(st.sampled_from(names))] = draw(st.sampled_from((*_ONLY_UTC, *BAD_TIMES)))


def _empty(draw: st.DrawFn, plain: Plain) -> None:
    plain["events"] = [_event(1, _START), _event(2, draw(_INSIDE)) | {"changes": {}}]


def _order(draw: st.DrawFn, plain: Plain) -> None:
    _move(plain, NOW + draw(over_limit(0)), NOW, NOW)


def _span(draw: st.DrawFn, plain: Plain) -> None:
    _move(plain, NOW - draw(over_limit(limits.WINDOW_SPAN_MS)), NOW, NOW)


def _ahead(draw: st.DrawFn, plain: Plain) -> None:
    end = NOW + draw(over_limit(0))
    _move(plain, end, end, NOW)


def _lag(draw: st.DrawFn, plain: Plain) -> None:
    end = NOW - draw(over_limit(limits.GENERATION_LAG_MS))
    _move(plain, end, end, NOW)


def _skew(draw: st.DrawFn, plain: Plain) -> None:
    at = NOW + draw(_SIGNS) * draw(over_limit(limits.CLOCK_SKEW_MS))
    _move(plain, at, at, at)


def _baseline(draw: st.DrawFn, plain: Plain) -> None:
    off = draw(_SIGNS) * draw(over_limit(0))
    plain["baseline"]["collected_at"] = format_instant(_START + off)


def _seq(draw: st.DrawFn, plain: Plain) -> None:
    first, at = draw(st.integers(1, _LARGEST)), draw(_INSIDE)
    second = draw(st.just(first) | st.integers(1, first))
    plain["events"] = [_event(first, at), _event(second, at)]


def _backwards(draw: st.DrawFn, plain: Plain) -> None:
    at = draw(_INSIDE)
    plain["events"] = [_event(1, at), _event(2, draw(st.integers(_START, at - 1)))]


def _event_outside(draw: st.DrawFn, plain: Plain) -> None:
    past = draw(over_limit(0))
    if draw(st.booleans()):
        plain["events"] = [_event(1, _START), _event(2, NOW + past)]
    else:
        plain["events"] = [_event(1, _START - past), _event(2, NOW)]


def _gap_reversed(draw: st.DrawFn, plain: Plain) -> None:
    at = draw(_INSIDE)
    plain["gaps"] = [_gap(at, draw(st.just(at) | st.integers(_START, at)))]


def _gap_outside(draw: st.DrawFn, plain: Plain) -> None:
    before, after = _START - draw(over_limit(0)), NOW + draw(over_limit(0))
    bounds = st.sampled_from(((before, NOW), (_START, after), (before, after), (before, _START)))
    plain["gaps"] = [_gap(*draw(bounds))]


def _gap_overlap(draw: st.DrawFn, plain: Plain) -> None:
    at = draw(_INSIDE)
    plain["gaps"] = [_gap(_START, at), _gap(draw(st.integers(_START, at - 1)), NOW)]


EMPTY_WINDOWS: Final = _empty_windows()
"""Valid windows of ten minutes up to `NOW`, received then, without events and gaps."""

WINDOW_FAULTS: Final[dict[str, tuple[Fault, ...]]] = {
    "type": (_type,),
    "required": (_required,),
    "unknown": (_unknown,),
    "constant": (version_fault(1), _reason),
    "text.pattern": (_session,),
    "number.finite": (_number_fault(_COUNTERS, NOT_FINITE),),
    "number.integral": (_number_fault(_COUNTERS, (1.5, 1.0000000000000002, 4503599627370495.5)),),
    "number.range": (
        _number_fault(_COUNTERS, (_LARGEST + 1, _LARGEST + 1.0, -1, -0.5, 10**40, 1e300)),
        _number_fault(("batch_seq",), (0, 0.0, -0.0, 0.5)),
    ),
    "items.count": (_too_many,),
    "time.format": (_time,),
    "changes.empty": (_empty,),
    "window.order": (_order,),
    "window.span": (_span,),
    "window.ahead": (_ahead,),
    "window.lag": (_lag,),
    "window.skew": (_skew,),
    "window.baseline": (_baseline,),
    "events.seq": (_seq,),
    "events.order": (_backwards,),
    "events.inside": (_event_outside,),
    "gaps.order": (_gap_reversed,),
    "gaps.inside": (_gap_outside,),
    "gaps.overlap": (_gap_overlap,),
}
"""Rule id to its faults."""
