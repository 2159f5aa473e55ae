"""Hypothesis strategies for valid values: models, plain values, bodies and records.

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
from typing import Any, Final, Literal, NamedTuple

import attrs
from hypothesis import strategies as st

from devicestatus import conformance, limits
from devicestatus.conformance import CHANGED, body_of
from devicestatus.deadlines import window_deadline
from devicestatus.models import (
    AppName,
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
from devicestatus.music_urls import ITUNES, CatalogHosts
from devicestatus.record import Record, SnapshotRecord, WindowRecord
from status_contracts import json_text
from status_contracts.instants import DAY_MS, FIRST_INSTANT, LAST_INSTANT, SECOND_MS, format_instant
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
    "artwork_urls",
    "changes",
    "crowded_windows",
    "instants",
    "invalid_snapshots",
    "invalid_windows",
    "music",
    "plain_snapshots",
    "plain_windows",
    "records",
    "snapshot_bodies",
    "snapshots",
    "track_urls",
    "window_bodies",
    "windows",
]

VALUES: Final = Values()
"""Strategies for what has no rules between members: `VALUES.of(Battery)`, `VALUES.of(AppName)`."""
CASES: Final = conformance.CASES
"""The valid and the wrong values of each member of the models, with the rule that each breaks."""

_INSTANTS: Final = instants()

_SHORT: Final = 12  # code points
_LAST_POSITION: Final = 2**20  # more positions than a window has milliseconds
_STATES: Final[tuple[MusicState, ...]] = ("stopped", "unavailable", "paused", "playing")
_SCHEMES: Final = ("https://", "HTTPS://", "https:", "hTTps:\\/", "https:////")
_PORTS: Final = ("", ":443", ":", ":00443")
_CASES: Final = (str.lower, str.upper, str.title)
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


def artwork_urls(catalog: CatalogHosts = ITUNES) -> st.SearchStrategy[str]:
    """Draw artwork URLs of a catalog, in all forms that the URL standard parses alike."""
    below = st.sampled_from(("is1-ssl", "a", "A.b", "a_b", "xn--mnchen-3ya"))
    return _urls(below.map(lambda name: f"{name}.{catalog.artwork_domain}"))


def track_urls(catalog: CatalogHosts = ITUNES) -> st.SearchStrategy[str]:
    """Draw track URLs of a catalog that has track hosts; as `artwork_urls`."""
    return _urls(st.sampled_from(sorted(filter(None, catalog.track_hosts))))


def music(catalog: CatalogHosts = ITUNES) -> st.SearchStrategy[Music]:
    """Draw music without URLs, with null URLs and, where the catalog has hosts, with its URLs."""
    title = st.none() | VALUES.of(Title)
    unlinked = st.builds(
        lambda state, track, artist, urls: Music(state, track, artist, urls, urls),
        st.sampled_from(_STATES),
        title,
        title,
        st.sampled_from((ABSENT, None)),
    )
    if not catalog.artwork_domain or not any(catalog.track_hosts):
        return unlinked
    shown = VALUES.of(Title).map(lambda text: text if text.strip(WHITE_SPACE) else f"{text[1:]}a")
    urls = artwork_urls(catalog), track_urls(catalog)
    return unlinked | st.builds(Music, st.sampled_from(("playing", "paused")), shown, shown, *urls)


@cache
def changes(catalog: CatalogHosts = ITUNES) -> st.SearchStrategy[WindowChanges]:
    """Draw changes of one to five members."""
    drawn = Values({"Music": music(catalog)}).of(WindowChanges)
    return drawn.map(lambda value: WindowChanges(None) if value == WindowChanges() else value)


def snapshots(
    *, received_at: int | None = None, catalog: CatalogHosts = ITUNES
) -> st.SearchStrategy[Snapshot]:
    """Draw snapshots that are valid when received at a time (ms), with URLs of a music catalog.

    Without a receive time any instant of collection is drawn.
    """
    collected = _INSTANTS if received_at is None else _near(received_at)
    return st.builds(_collected, _states(catalog), collected)


@st.composite
def windows(
    draw: st.DrawFn,
    *,
    received_at: int | None = None,
    catalog: CatalogHosts = ITUNES,
    max_events: int = 4,
    max_gaps: int = 4,
) -> Window:
    """Draw windows, as `snapshots`, with few events and gaps; see `crowded_windows` for many."""
    generated = draw(_INSTANTS if received_at is None else _near(received_at))
    end = draw(_back(generated, limits.GENERATION_LAG_MS))
    start = draw(_back(end, limits.WINDOW_SPAN_MS))
    drawn = draw(_events(catalog, max_events))
    seqs = draw(_seqs(len(drawn)))
    changed = [change for _, change in drawn]
    times = sorted(_instant_at(start, end, position) for position, _ in drawn)
    gaps = {_instant_at(start, end, place): reason for place, reason in draw(_gaps(max_gaps))}
    return Window(
        draw(_SESSIONS),
        draw(_BATCH_SEQS),
        generated,
        start,
        end,
        _collected(draw(_states(catalog)), start),
        tuple(map(WindowEvent, seqs, times, changed)),
        tuple(
            WindowGap(first, last, reason)
            for first, last in pairwise(sorted(gaps))
            if (reason := gaps[first]) is not None
        ),
        draw(_COUNTS),
    )


@st.composite
def crowded_windows(draw: st.DrawFn, *, received_at: int | None = None) -> Window:
    """Draw windows with 2048 events, 128 gaps, or both: a few drawn parts, repeated."""
    generated = draw(_INSTANTS_OF_ANY_WINDOW if received_at is None else _near(received_at))
    start = generated - draw(st.integers(limits.WINDOW_EVENTS, limits.WINDOW_SPAN_MS))
    step = draw(st.sampled_from((0, 1)))
    parts = draw(_FEW_CHANGES)
    seqs = range(limits.WINDOW_EVENTS)
    events = [WindowEvent(n + 1, start + n * step, parts[n % len(parts)]) for n in seqs]
    width = (generated - start) // limits.WINDOW_GAPS
    bounds = [start + n * width for n in range(limits.WINDOW_GAPS)]
    gaps = [WindowGap(bound, bound + width, "collection") for bound in bounds]
    full = draw(st.sampled_from(((True, False), (False, True), (True, True))))
    return Window(
        draw(_SESSIONS),
        draw(_BATCH_SEQS),
        generated,
        start,
        generated,
        _collected(draw(_states(ITUNES)), start),
        tuple(events) if full[0] else (),
        tuple(gaps) if full[1] else (),
        draw(_COUNTS),
    )


@st.composite
def plain_snapshots(draw: st.DrawFn, *, received_at: int | None = None) -> dict[str, Any]:
    """Draw snapshots as plain JSON values, with other forms of their instants and numbers."""
    snapshot = draw(snapshots(received_at=received_at))
    plain = draw(_with_numbers(unstructure(snapshot)))
    return plain | {"collected_at": draw(st.sampled_from(_utc_forms(snapshot.collected_at)))}


def plain_windows(
    *, received_at: int | None = None, max_events: int = 4
) -> st.SearchStrategy[dict[str, Any]]:
    """Draw windows as plain JSON values, with other forms of their numbers."""
    drawn = windows(received_at=received_at, max_events=max_events)
    return drawn.flatmap(lambda window: _with_numbers(unstructure(window)))


@st.composite
def snapshot_bodies(draw: st.DrawFn, *, received_at: int | None = None) -> Received:
    """Draw bodies of `POST /api/update` in all JSON serializations, with their receive time."""
    received = draw(_INSTANTS) if received_at is None else received_at
    plain = draw(plain_snapshots(received_at=received))
    return Received(draw(_within_limit(plain, limits.UPDATE_BODY_BYTES)), received)


@st.composite
def window_bodies(
    draw: st.DrawFn, *, received_at: int | None = None, max_events: int = 4
) -> Received:
    """Draw bodies of `POST /api/batch`; as `snapshot_bodies`."""
    received = draw(_INSTANTS) if received_at is None else received_at
    drawn = plain_windows(received_at=received, max_events=max_events)
    return Received(draw(_within_limit(draw(drawn), limits.BATCH_BODY_BYTES)), received)


@st.composite
def records(
    draw: st.DrawFn,
    *,
    received_at: int | None = None,
    catalog: CatalogHosts = ITUNES,
    kinds: Literal["snapshot", "window", "both"] = "both",
) -> Record:
    """Draw records of the store, legacy ones among them; `received_at` is positive."""
    last = LAST_INSTANT - limits.CLOCK_SKEW_MS - limits.WINDOW_LIFETIME_MS - DAY_MS
    received = draw(instants(1, last)) if received_at is None else received_at
    if kinds == "snapshot" or (kinds == "both" and draw(st.booleans())):
        return draw(_snapshot_records(received, catalog))
    window = draw(windows(received_at=received, catalog=catalog))
    return WindowRecord(received, window, window_deadline(window.window_end))


def invalid_snapshots(*rules: str) -> st.SearchStrategy[InvalidValue]:
    """Draw invalid snapshots that break one of the given rules, or of `SNAPSHOT_RULES`."""
    return st.one_of([_SNAPSHOTS[rule] for rule in rules or SNAPSHOT_RULES])


def invalid_windows(*rules: str) -> st.SearchStrategy[InvalidValue]:
    """Draw invalid windows that break one of the given rules, or of `WINDOW_RULES`."""
    return st.one_of([_WINDOWS[rule] for rule in rules or WINDOW_RULES])


def _urls(hosts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Draw URLs of a host: in the usual form, in other forms, and of maximum length."""
    usual = hosts.map(lambda host: f"https://{host}/a/b.jpg?c=1")
    unusual = st.tuples(
        st.sampled_from(_SCHEMES),
        st.builds(lambda host, case: case(host), hosts, st.sampled_from(_CASES)),
        st.sampled_from(_PORTS),
        st.text(_PATH, max_size=_SHORT).map(lambda rest: f"/{rest}/x"),
    ).map("".join)
    longest = unusual.map(lambda url: url.ljust(limits.URL_LENGTH, "x"))
    return st.one_of(usual, unusual, longest)


def _between(first: int, last: int) -> st.SearchStrategy[int]:
    return st.one_of(st.sampled_from((last, first)), st.integers(first, last))


def _near(received_at: int) -> st.SearchStrategy[int]:
    """Draw device times within the clock skew of a receive time."""
    first = max(FIRST_INSTANT, received_at - limits.CLOCK_SKEW_MS)
    last = min(LAST_INSTANT, received_at + limits.CLOCK_SKEW_MS)
    equal = min(max(first, received_at), last)
    return st.just(equal) | _between(first, last)


def _back(instant: int, maximum: int) -> st.SearchStrategy[int]:
    return _between(max(FIRST_INSTANT, instant - maximum), instant)


@cache
def _states(catalog: CatalogHosts) -> st.SearchStrategy[Snapshot]:
    """Draw snapshots that were collected at the epoch."""
    return Values({"Music": music(catalog), "Snapshot.collected_at": st.just(0)}).of(Snapshot)


def _collected(state: Snapshot, at: int) -> Snapshot:
    return attrs.evolve(state, collected_at=at)


@cache
def _events(
    catalog: CatalogHosts, maximum: int
) -> st.SearchStrategy[list[tuple[int, WindowChanges]]]:
    """Draw the positions and changes of events."""
    return st.lists(st.tuples(_POSITIONS, changes(catalog)), max_size=maximum)


@cache
def _seqs(count: int) -> st.SearchStrategy[list[int]]:
    """Draw ascending numbers of events: from the first ones, or up to the largest."""
    steps = st.lists(st.integers(1, 100), min_size=count, max_size=count)
    first = steps.map(lambda steps: list(accumulate(steps)))
    return first | steps.map(
        lambda steps: [limits.LARGEST_INTEGER + 1 - rest for rest in accumulate(steps)][::-1]
    )


@cache
def _gaps(maximum: int) -> st.SearchStrategy[list[tuple[int, GapReason | None]]]:
    """Draw the positions where a gap starts, or where there is none up to the next position."""
    reasons = st.none() | VALUES.of(GapReason)
    return st.lists(st.tuples(_POSITIONS, reasons), max_size=maximum + 1)


def _instant_at(start: int, end: int, position: int) -> int:
    return start + (end - start) * position // _LAST_POSITION


def _utc_forms(instant: int) -> list[str]:
    """Return every text of an instant in UTC form."""
    text = format_instant(instant)
    whole, fraction = text[:-5], text[-4:-1]
    shorter = [fraction[:digits] for digits in (2, 1) if not fraction[digits:].strip("0")]
    forms = [f"{whole}.{digits}Z" for digits in (fraction, *shorter)]
    return [*forms, f"{whole}Z"] if fraction == "000" else forms


def _with_numbers(plain: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.sampled_from((plain, _as_floats(plain)))


def _as_floats(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Return the plain value with every number as a float, and zero as -0.0."""
    if isinstance(value, dict):
        return {name: _as_floats(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_as_floats(element) for element in value]
    if type(value) is int:
        return float(value) or -0.0
    return value


@st.composite
def _within_limit(draw: st.DrawFn, plain: dict[str, Any], maximum: int) -> bytes:
    """Draw a serialization within a size limit; the shortest one if the drawn one is too long."""
    text = draw(json_texts(plain))
    return text if len(text) <= maximum else json_text.encode(plain)


@st.composite
def _snapshot_records(draw: st.DrawFn, received_at: int, catalog: CatalogHosts) -> SnapshotRecord:
    seconds = _between(limits.TTL_MIN_SECONDS, limits.TTL_MAX_SECONDS)
    ttl = draw(st.none() | seconds)
    expires_at = ABSENT if ttl is None else received_at + ttl * SECOND_MS
    data = draw(snapshots(received_at=received_at, catalog=catalog))
    return SnapshotRecord(received_at, data, expires_at)


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
_INSTANTS_OF_ANY_WINDOW: Final = st.integers(10**12, 2 * 10**12)
_FEW_CHANGES: Final = st.lists(
    st.builds(WindowChanges, st.none() | VALUES.of(AppName).map(lambda name: name[:_SHORT])),
    min_size=1,
    max_size=3,
)
_PLAIN_SNAPSHOTS: Final = plain_snapshots(received_at=_NOW)
_SNAPSHOTS: Final = _table(Snapshot, _PLAIN_SNAPSHOTS)
_WINDOWS: Final = _table(Window, _PLAIN_SNAPSHOTS.map(_window_around))

SNAPSHOT_RULES: Final = tuple(_SNAPSHOTS)
"""Ids of the rules that `invalid_snapshots` can break."""
WINDOW_RULES: Final = tuple(_WINDOWS)
"""Ids of the rules that `invalid_windows` can break."""


for _model in (Battery, System):
    st.register_type_strategy(_model, VALUES.of)
st.register_type_strategy(Music, lambda _: music())
st.register_type_strategy(Snapshot, lambda _: snapshots())
st.register_type_strategy(Window, lambda _: windows())
st.register_type_strategy(WindowChanges, lambda _: changes())
