"""Hypothesis strategies for valid values: models, bodies and records; and for invalid values.

Every value is valid at the receive time that is drawn with it, but for invalid values: one member
of a valid one is broken as its constraints have it (`CASES`), so that `check_snapshot` or
`check_window` returns findings of the one rule.  Members come from the constraints of the models
(`status_contracts.strategies`), what lies between members from here: events of one instant,
gaps that touch, windows of length zero, the years 0001 and 9999.

Importing this module registers the strategies: `hypothesis.strategies.from_type` draws models.

Invariant *one rule*: an invalid value has findings of the given rule only.
Invariant *as parsed*: a drawn model equals the one that parsing its body returns.
Invariant *shrinks to the simplest case*: the first choice of every strategy is the simplest one.
"""

from functools import cache
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import Any, Final, NamedTuple

import attrs
from hypothesis import strategies as st

from devicestatus import conformance, limits
from devicestatus.conformance import CHANGED, body_of
from devicestatus.deadlines import window_deadline
from devicestatus.models import (
    BatchSeq,
    Battery,
    Count,
    GapReason,
    Music,
    MusicState,
    Snapshot,
    System,
    Title,
    Window,
    WindowChanges,
    WindowEvent,
    WindowGap,
)
from devicestatus.music_urls import ITUNES
from devicestatus.record import Record, SnapshotRecord, WindowRecord
from status_contracts import json_text
from status_contracts.instants import DAY_MS, FIRST_INSTANT, LAST_INSTANT, SECOND_MS
from status_contracts.primitives import ABSENT, WHITE_SPACE
from status_contracts.strategies import Values, broken_values, instants, json_texts
from status_contracts.structuring.converter import unstructure

__all__ = [
    "CASES",
    "SNAPSHOT_RULES",
    "VALUES",
    "WINDOW_RULES",
    "InvalidValue",
    "Received",
    "invalid_snapshots",
    "invalid_windows",
    "records",
    "snapshot_bodies",
    "snapshots",
    "window_bodies",
    "windows",
]

VALUES: Final = Values()
"""Strategies for what has no rules between members: `VALUES.of(Battery)`, `VALUES.of(AppName)`."""
CASES: Final = conformance.CASES
"""The valid and the wrong values of each member of the models, with the rule that each breaks."""

_INSTANTS: Final = instants()
_LAST_POSITION: Final = 2**20  # more positions than a window has milliseconds
_SCHEMES: Final = ("https://", "HTTPS://", "https:", "hTTps:\\/", "https:////")
_PORTS: Final = ("", ":443", ":", ":00443")
_PATH: Final = "/aZ09._~?=&%-#;:@!$'()*+,|[]\\^`{} \u00e9\u6f22\U0001f3b5\u202e\u0085"
_NOW: Final = 1_767_268_800_000
"""2026-01-01T12:00:00.000Z: the receive time of values that are drawn."""


class Received(NamedTuple):
    """A body, and when it was complete, ms since the epoch."""

    body: bytes
    received_at: int


class InvalidValue(NamedTuple):
    """An invalid value and the rule that it breaks.

    Attributes:
        value: a plain JSON value, which may contain a lone surrogate or a number that is not
            finite.
        received_at: the receive time to validate it with, ms since the epoch.
        rule: id of the broken rule.

    """

    value: object
    received_at: int
    rule: str


def snapshots(*, received_at: int | None = None) -> st.SearchStrategy[Snapshot]:
    """Draw snapshots that are valid when received at a time (ms).

    Without a receive time any instant of collection is drawn.
    """
    collected = _INSTANTS if received_at is None else _near(received_at)
    return st.builds(lambda state, at: attrs.evolve(state, collected_at=at), _STATES, collected)


@st.composite
def windows(
    draw: st.DrawFn, *, received_at: int | None = None, max_events: int = 4, max_gaps: int = 4
) -> Window:
    """Draw windows, as `snapshots`, with few events and gaps."""
    generated = draw(_INSTANTS if received_at is None else _near(received_at))
    end = draw(_back(generated, limits.GENERATION_LAG_MS))
    start = draw(_back(end, limits.WINDOW_SPAN_MS))
    events = sorted(draw(_events(max_events)), key=itemgetter(0))
    seqs = draw(_seqs(len(events)))
    gaps = {_instant_at(start, end, place): reason for place, reason in draw(_gaps(max_gaps))}
    return Window(
        draw(_SESSIONS),
        draw(_BATCH_SEQS),
        generated,
        start,
        end,
        attrs.evolve(draw(_STATES), collected_at=start),
        tuple(
            WindowEvent(seq, _instant_at(start, end, place), changes)
            for seq, (place, changes) in zip(seqs, events, strict=True)
        ),
        tuple(
            WindowGap(first, last, reason)
            for first, last in pairwise(sorted(gaps))
            if (reason := gaps[first]) is not None
        ),
        draw(_COUNTS),
    )


@st.composite
def snapshot_bodies(draw: st.DrawFn, *, received_at: int | None = None) -> Received:
    """Draw bodies of `POST /api/update` in many JSON serializations, with their receive time."""
    received = draw(_INSTANTS) if received_at is None else received_at
    plain = unstructure(draw(snapshots(received_at=received)))
    text = plain["collected_at"]
    plain["collected_at"] = draw(st.sampled_from((text, text.replace(".000Z", "Z"))))
    return Received(draw(_within_limit(plain, limits.UPDATE_BODY_BYTES)), received)


@st.composite
def window_bodies(
    draw: st.DrawFn, *, received_at: int | None = None, max_events: int = 4
) -> Received:
    """Draw bodies of `POST /api/batch`; as `snapshot_bodies`."""
    received = draw(_INSTANTS) if received_at is None else received_at
    plain = unstructure(draw(windows(received_at=received, max_events=max_events)))
    return Received(draw(_within_limit(plain, limits.BATCH_BODY_BYTES)), received)


@st.composite
def records(draw: st.DrawFn, *, received_at: int | None = None) -> Record:
    """Draw records of the store, legacy ones among them; `received_at` is positive."""
    last = LAST_INSTANT - limits.CLOCK_SKEW_MS - limits.WINDOW_LIFETIME_MS - DAY_MS
    received = draw(instants(1, last)) if received_at is None else received_at
    if draw(st.booleans()):
        window = draw(windows(received_at=received))
        return WindowRecord(received, window, window_deadline(window.window_end))
    ttl = draw(st.none() | _between(limits.TTL_MIN_SECONDS, limits.TTL_MAX_SECONDS))
    expires_at = ABSENT if ttl is None else received + ttl * SECOND_MS
    return SnapshotRecord(received, draw(snapshots(received_at=received)), expires_at)


def invalid_snapshots(*rules: str) -> st.SearchStrategy[InvalidValue]:
    """Draw invalid snapshots that break one of the given rules, or of `SNAPSHOT_RULES`."""
    return st.one_of([_SNAPSHOTS[rule] for rule in rules or SNAPSHOT_RULES])


def invalid_windows(*rules: str) -> st.SearchStrategy[InvalidValue]:
    """Draw invalid windows that break one of the given rules, or of `WINDOW_RULES`."""
    return st.one_of([_WINDOWS[rule] for rule in rules or WINDOW_RULES])


def _music() -> st.SearchStrategy[Music]:
    """Draw music without URLs, with null URLs, and with those of the iTunes catalog."""
    title = st.none() | VALUES.of(Title)
    unlinked = st.builds(
        lambda state, track, artist, urls: Music(state, track, artist, urls, urls),
        VALUES.of(MusicState),
        title,
        title,
        st.sampled_from((ABSENT, None)),
    )
    shown = VALUES.of(Title).map(lambda text: text if text.strip(WHITE_SPACE) else f"{text[1:]}a")
    artworks = [f"{below}.{ITUNES.artwork_domain}" for below in ("is1-ssl", "a.b_c", "xn--4ca")]
    urls = _urls(artworks), _urls(sorted(ITUNES.track_hosts))
    return unlinked | st.builds(Music, st.sampled_from(("playing", "paused")), shown, shown, *urls)


def _urls(hosts: list[str]) -> st.SearchStrategy[str]:
    """Draw URLs of some hosts in forms that the URL standard parses alike, up to the longest."""
    url = st.builds(
        "{}{}{}/{}/x".format,
        st.sampled_from(_SCHEMES),
        st.sampled_from([*hosts, *map(str.upper, hosts)]),
        st.sampled_from(_PORTS),
        st.text(_PATH, max_size=12),
    )
    return url | url.map(lambda text: text.ljust(limits.URL_LENGTH, "x"))


def _between(first: int, last: int) -> st.SearchStrategy[int]:
    return st.one_of(st.sampled_from((last, first)), st.integers(first, last))


def _near(received_at: int) -> st.SearchStrategy[int]:
    first = max(FIRST_INSTANT, received_at - limits.CLOCK_SKEW_MS)
    last = min(LAST_INSTANT, received_at + limits.CLOCK_SKEW_MS)
    return st.just(min(max(first, received_at), last)) | _between(first, last)


def _back(instant: int, maximum: int) -> st.SearchStrategy[int]:
    return _between(max(FIRST_INSTANT, instant - maximum), instant)


@cache
def _events(maximum: int) -> st.SearchStrategy[list[tuple[int, WindowChanges]]]:
    return st.lists(st.tuples(_POSITIONS, _CHANGES), max_size=maximum)


@cache
def _seqs(count: int) -> st.SearchStrategy[list[int]]:
    """Draw ascending numbers of events: from the first ones, or up to the largest."""
    steps = st.lists(st.integers(1, 100), min_size=count, max_size=count)
    first = steps.map(lambda steps: list(accumulate(steps)))
    return first | first.map(lambda seqs: [limits.LARGEST_INTEGER + 1 - n for n in seqs[::-1]])


@cache
def _gaps(maximum: int) -> st.SearchStrategy[list[tuple[int, GapReason | None]]]:
    """Draw the positions where a gap starts, or where there is none up to the next position."""
    reasons = st.none() | VALUES.of(GapReason)
    return st.lists(st.tuples(_POSITIONS, reasons), max_size=maximum + 1)


def _instant_at(start: int, end: int, position: int) -> int:
    return start + (end - start) * position // _LAST_POSITION


@st.composite
def _within_limit(draw: st.DrawFn, plain: dict[str, Any], maximum: int) -> bytes:
    """Draw a serialization within a size limit; the shortest one if the drawn one is too long."""
    text = draw(json_texts(plain))
    return text if len(text) <= maximum else json_text.encode(plain)


def _window_around(state: dict[str, Any]) -> dict[str, Any]:
    """Return a window with a snapshot as its baseline, an event that changes all, and a gap."""
    body = body_of(Window, _NOW)
    body["baseline"] = {**state, "collected_at": body["window_start"]}
    body["events"][0]["changes"] = {name: state[name] for name in CHANGED if name in state}
    return body


def _table(
    model: type, valid: st.SearchStrategy[dict[str, Any]]
) -> dict[str, st.SearchStrategy[InvalidValue]]:
    """Return each rule that can be broken with the strategy for values that break it."""
    return {
        rule: st.builds(InvalidValue, broken, st.just(_NOW), st.just(rule))
        for rule, broken in broken_values(CASES, model, valid).items()
    }


# Strategies that do not depend on arguments are built, and validated, once.
_SESSIONS: Final = st.uuids().map(str)
_BATCH_SEQS: Final = VALUES.of(BatchSeq)
_COUNTS: Final = VALUES.of(Count)
_POSITIONS: Final = _between(0, _LAST_POSITION)
_MUSIC: Final = _music()
_CHANGES: Final = (
    Values({"Music": _MUSIC})
    .of(WindowChanges)
    .map(lambda value: WindowChanges(None) if value == WindowChanges() else value)
)
_STATES: Final = Values({"Music": _MUSIC, "Snapshot.collected_at": st.just(0)}).of(Snapshot)
"""Snapshots that were collected at the epoch."""
_PLAIN_SNAPSHOTS: Final = snapshots(received_at=_NOW).map(unstructure)
_SNAPSHOTS: Final = _table(Snapshot, _PLAIN_SNAPSHOTS)
_WINDOWS: Final = _table(Window, _PLAIN_SNAPSHOTS.map(_window_around))

SNAPSHOT_RULES: Final = tuple(_SNAPSHOTS)
"""Ids of the rules that `invalid_snapshots` can break."""
WINDOW_RULES: Final = tuple(_WINDOWS)
"""Ids of the rules that `invalid_windows` can break."""


for _model in (Battery, System):
    st.register_type_strategy(_model, VALUES.of)
st.register_type_strategy(Music, lambda _: _MUSIC)
st.register_type_strategy(Snapshot, lambda _: snapshots())
st.register_type_strategy(Window, lambda _: windows())
st.register_type_strategy(WindowChanges, lambda _: _CHANGES)
