"""Hypothesis strategies for invalid values, each with the one rule that it breaks.

Every value is drawn valid and then broken in one place: a member as its constraints have it
(`purewire.structuring.cases`), or a relation that only this contract has.  `SNAPSHOT_RULES` and
`WINDOW_RULES` list the rules that can be drawn.

Invariant *one rule*: `check_snapshot` or `check_window` returns findings of the given rule only;
`parse_snapshot` or `parse_window` rejects the body with that rule.

Some of `devicestatus.validation.cross_field.RULES` cannot be drawn: those that start with `icons.`,
which belong to the icon manifest; and for snapshots `json.depth`, because some interpreters can
build everything that 16,384 bytes can nest.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hypothesis import strategies as st

from devicestatus import limits
from devicestatus.conformance import values
from devicestatus.models import Snapshot, Window
from devicestatus.testing.strategies import (
    Received,
    plain_snapshots,
    plain_windows,
    snapshot_bodies,
    track_urls,
    window_bodies,
)
from purewire.instants import MINUTE_MS, SECOND_MS, format_instant
from purewire.json import codec
from purewire.primitives import WHITE_SPACE
from purewire.testing.json_texts import NOT_JSON

if TYPE_CHECKING:
    from purewire.structuring.cases import Case

__all__ = [
    "CASES",
    "SNAPSHOT_RULES",
    "WINDOW_RULES",
    "InvalidValue",
    "invalid_snapshots",
    "invalid_windows",
]

CASES: Final = values.CASES
"""The valid and the wrong values of each member of the models, with the rule that each breaks."""

_Plain = dict[str, Any]
_Values = st.SearchStrategy[object]
_Fault = Callable[[st.DrawFn, _Plain], None]
"""A function that breaks one rule of a plain object, in place."""

_NOW: Final = 1_767_268_800_000
"""2026-01-01T12:00:00.000Z: the receive time of all invalid values."""
_START: Final = _NOW - 10 * MINUTE_MS
_SIGNS: Final = st.sampled_from((1, -1))
_INSIDE: Final = st.integers(_START + SECOND_MS, _NOW - SECOND_MS)
"""Instants inside an empty window, away from its ends."""
_NESTED: Final = b"[" * 100_000 + b"]" * 100_000
"""Nested deeper than any interpreter can build, within the size limit of a batch."""
_OVERFLOWING_NUMBERS: Final = (
    b"1e999",
    b"-1e309",
    b"1" + b"0" * 500 + b".5",
    b"9" * 309,
    b"-" + b"9" * 900,
)
"""Numbers outside the range of a double."""
_NOT_OBJECTS: Final[_Values] = st.sampled_from((None, True, 0, 1.5, b'""', b'"{}"', [], [{}]))
"""Texts are bodies, because the checks raise TypeError for a `str`."""
_BLANKS: Final = sorted(set(WHITE_SPACE) - set("\t\n\v\f\r"))
_URLS: Final = {
    "artwork_url": "https://is1-ssl.mzstatic.com/image/cover.jpg",
    "track_url": "https://music.apple.com/us/album/1",
}
_HOSTS: Final = {"artwork_url": "a.mzstatic.com", "track_url": "itunes.apple.com"}
_WRONG_HOSTS: Final = {
    "artwork_url": (
        "mzstatic.com",
        "notmzstatic.com",
        "a.mzstatic.com.",
        "a.mzstatic.com.evil.example",
        "music.apple.com",
        "[::1]",
    ),
    "track_url": (
        "a.music.apple.com",
        "music.apple.com.",
        "music.apple.com.evil.example",
        "evilitunes.apple.com",
        "0x7f.1",
        "m\u00fcsic.apple.com",
    ),
}
_WRONG_URLS: Final = {
    "url.parse": (
        "",
        "cover.jpg",
        "//{host}/x",
        "https://{host}:65536/",
        "https://a b.{host}/",
        "https://[::1/{host}",
    ),
    "url.scheme": (
        "http://{host}/",
        "HTTP://{host}:443/",
        "httpss://{host}/",
        "data:,https://{host}/",
        "javascript:https://{host}/",
    ),
    "url.credentials": (
        "https://me@{host}/",
        "https://:word@{host}/",
        "https://{host}@{host}/",
        "https://%20@{host}/",
    ),
    "url.port": (
        "https://{host}:80/",
        "https://{host}:0/",
        "https://{host}:04430/",
    ),
}
"""Rule to URLs that break it, with a host of the catalog."""


class InvalidValue(NamedTuple):
    """An invalid value and the rule that it breaks.

    Attributes:
        value: a body (bytes), or a plain JSON value, which may contain a lone surrogate or a number
            that is not finite.
        received_at: the receive time to validate it with, ms since the epoch.
        rule: id of the broken rule.

    """

    value: object
    received_at: int
    rule: str


def invalid_snapshots(*rules: str) -> st.SearchStrategy[InvalidValue]:
    """Draw invalid snapshots that break one of the given rules, or of `SNAPSHOT_RULES`."""
    return st.one_of([_invalid(_SNAPSHOTS[rule], rule) for rule in rules or SNAPSHOT_RULES])


def invalid_windows(*rules: str) -> st.SearchStrategy[InvalidValue]:
    """Draw invalid windows that break one of the given rules, or of `WINDOW_RULES`."""
    return st.one_of([_invalid(_WINDOWS[rule], rule) for rule in rules or WINDOW_RULES])


def _invalid(values: list[_Values], rule: str) -> st.SearchStrategy[InvalidValue]:
    return st.one_of(values).map(lambda value: InvalidValue(value, _NOW, rule))


def _member_cases(model: type, valid: st.SearchStrategy[_Plain]) -> Iterator[tuple[str, _Values]]:
    """Generate the rules of the model's constraints with strategies for values that break them."""
    by_rule: dict[str, list[Case]] = {}
    for case in CASES.of(model):
        if case.rule and case.at:
            by_rule.setdefault(case.rule, []).append(case)
    for rule, cases in by_rule.items():
        chosen = st.sampled_from(cases)
        yield rule, st.builds(lambda plain, case: CASES.place(model, plain, case), valid, chosen)


@st.composite
def _broken(draw: st.DrawFn, fault: _Fault, valid: st.SearchStrategy[_Plain]) -> object:
    """Draw a valid value and break it."""
    plain = draw(valid)
    fault(draw, plain)
    return plain


@st.composite
def _truncated(draw: st.DrawFn, bodies: st.SearchStrategy[Received]) -> object:
    """Draw valid bodies that are truncated, or whose last brace is replaced."""
    body = draw(bodies).body.rstrip()
    cut = body[: draw(st.integers(0, len(body) - 1))]
    return draw(st.sampled_from((cut, *(body[:-1] + end for end in (b"]", b",", b"\x00")))))


@st.composite
def _padded(draw: st.DrawFn, valid: st.SearchStrategy[_Plain], limit: int) -> object:
    return codec.encode(draw(valid)).ljust(limit + draw(st.integers(1, 3)))


@st.composite
def _overflowing(draw: st.DrawFn, valid: st.SearchStrategy[_Plain]) -> object:
    plain = draw(valid)
    plain.get("baseline", plain)["system"]["load_5m"] = placeholder = "@number@"
    number = draw(st.sampled_from(_OVERFLOWING_NUMBERS))
    return codec.encode(plain).replace(f'"{placeholder}"'.encode(), number)


# Music, in snapshots, baselines and changes


def _music_pair(draw: st.DrawFn, music: _Plain) -> None:
    one, other = draw(st.permutations(sorted(_URLS)))
    halves: tuple[_Plain, ...] = ({one: None}, {one: _URLS[one]}, {one: _URLS[one], other: None})
    for name in _URLS:
        del music[name]
    music |= draw(st.sampled_from(halves))


def _url_state(draw: st.DrawFn, music: _Plain) -> None:
    music["state"] = draw(st.sampled_from(("stopped", "unavailable")))


def _url_title(draw: st.DrawFn, music: _Plain) -> None:
    blank = st.none() | st.text(st.sampled_from(_BLANKS), min_size=1, max_size=3)
    music[draw(st.sampled_from(("track", "artist")))] = draw(blank)


def _url_trimmed(draw: st.DrawFn, music: _Plain) -> None:
    url = draw(track_urls().filter(lambda url: len(url) < limits.URL_LENGTH))
    blank = draw(st.sampled_from(_BLANKS))
    music["track_url"] = draw(st.sampled_from((f"{url}{blank}", f"{blank}{url}")))


def _url_host(draw: st.DrawFn, music: _Plain) -> None:
    name = draw(st.sampled_from(sorted(_URLS)))
    music[name] = f"https://{draw(st.sampled_from(_WRONG_HOSTS[name]))}/x"


def _wrong_url(forms: Sequence[str]) -> _Fault:
    def break_url(draw: st.DrawFn, music: _Plain) -> None:
        name = draw(st.sampled_from(sorted(_URLS)))
        music[name] = draw(st.sampled_from(forms)).format(host=_HOSTS[name])

    return break_url


_MUSIC_FAULTS: Final[Mapping[str, _Fault]] = {
    "music.pair": _music_pair,
    "music.url-state": _url_state,
    "music.url-title": _url_title,
    "url.trimmed": _url_trimmed,
    "url.host": _url_host,
    **{rule: _wrong_url(forms) for rule, forms in _WRONG_URLS.items()},
}


def _in_snapshot(fault: _Fault) -> _Fault:
    def break_music(draw: st.DrawFn, plain: _Plain) -> None:
        music = {"state": "playing", "track": "Song", "artist": "Band"} | _URLS
        plain["music"] = music
        fault(draw, music)

    return break_music


def _in_window(fault: _Fault) -> _Fault:
    def break_music(draw: st.DrawFn, plain: _Plain) -> None:
        part = draw(st.sampled_from((plain["baseline"], plain["events"][0]["changes"])))
        _in_snapshot(fault)(draw, part)

    return break_music


def _snapshot_skew(draw: st.DrawFn, plain: _Plain) -> None:
    off = draw(_SIGNS) * draw(_over(limits.CLOCK_SKEW_MS))
    plain["collected_at"] = format_instant(_NOW + off)


# Relations between the members of a window


def _over(limit: int) -> st.SearchStrategy[int]:
    """Draw durations over a limit, first by one millisecond (ms)."""
    return st.just(limit + 1) | st.integers(limit + 1, limit + 10**12)


@st.composite
def _empty_windows(draw: st.DrawFn) -> _Plain:
    plain = draw(plain_windows(received_at=_NOW, max_events=0))
    _move(plain, _START, _NOW, _NOW)
    return plain


@st.composite
def _short_windows(draw: st.DrawFn) -> _Plain:
    """Draw windows with one event, which changes everything, and one gap."""
    plain, at = draw(_EMPTY_WINDOWS), draw(_INSIDE)
    state = draw(plain_snapshots(received_at=_NOW))
    plain["events"] = [_event(1, at)]
    names = state.keys() - {"schema_version", "collected_at"}
    plain["events"][0]["changes"] = {name: state[name] for name in sorted(names)}
    plain["gaps"] = [_gap(at, _NOW)]
    return plain


def _move(plain: _Plain, start: int, end: int, generated: int) -> None:
    plain["window_start"] = plain["baseline"]["collected_at"] = format_instant(start)
    plain["window_end"] = format_instant(end)
    plain["generated_at"] = format_instant(generated)
    plain["events"], plain["gaps"] = [], []


def _event(seq: object, at: int) -> _Plain:
    return {"seq": seq, "at": format_instant(at), "changes": {"active_app": None}}


def _gap(start: int, end: int) -> _Plain:
    return {"start_at": format_instant(start), "end_at": format_instant(end), "reason": "sleep"}


def _empty(draw: st.DrawFn, plain: _Plain) -> None:
    plain["events"] = [_event(1, _START), _event(2, draw(_INSIDE)) | {"changes": {}}]


def _order(draw: st.DrawFn, plain: _Plain) -> None:
    _move(plain, _NOW + draw(_over(0)), _NOW, _NOW)


def _span(draw: st.DrawFn, plain: _Plain) -> None:
    _move(plain, _NOW - draw(_over(limits.WINDOW_SPAN_MS)), _NOW, _NOW)


def _ahead(draw: st.DrawFn, plain: _Plain) -> None:
    end = _NOW + draw(_over(0))
    _move(plain, end, end, _NOW)


def _lag(draw: st.DrawFn, plain: _Plain) -> None:
    end = _NOW - draw(_over(limits.GENERATION_LAG_MS))
    _move(plain, end, end, _NOW)


def _window_skew(draw: st.DrawFn, plain: _Plain) -> None:
    at = _NOW + draw(_SIGNS) * draw(_over(limits.CLOCK_SKEW_MS))
    _move(plain, at, at, at)


def _baseline(draw: st.DrawFn, plain: _Plain) -> None:
    off = draw(_SIGNS) * draw(_over(0))
    plain["baseline"]["collected_at"] = format_instant(_START + off)


def _seq(draw: st.DrawFn, plain: _Plain) -> None:
    first, at = draw(st.integers(1, limits.LARGEST_INTEGER)), draw(_INSIDE)
    second = draw(st.just(first) | st.integers(1, first))
    plain["events"] = [_event(first, at), _event(second, at)]


def _backwards(draw: st.DrawFn, plain: _Plain) -> None:
    at = draw(_INSIDE)
    plain["events"] = [_event(1, at), _event(2, draw(st.integers(_START, at - 1)))]


def _event_outside(draw: st.DrawFn, plain: _Plain) -> None:
    past = draw(_over(0))
    early, late = _START - draw(st.sampled_from((past, 0))), _NOW + past
    bounds = (_START, late) if early == _START else (early, _NOW)
    plain["events"] = [_event(seq, at) for seq, at in enumerate(bounds, 1)]


def _gap_reversed(draw: st.DrawFn, plain: _Plain) -> None:
    at = draw(_INSIDE)
    plain["gaps"] = [_gap(at, draw(st.just(at) | st.integers(_START, at)))]


def _gap_outside(draw: st.DrawFn, plain: _Plain) -> None:
    before, after = _START - draw(_over(0)), _NOW + draw(_over(0))
    bounds = st.sampled_from(((before, _NOW), (_START, after), (before, after), (before, _START)))
    plain["gaps"] = [_gap(*draw(bounds))]


def _gap_overlap(draw: st.DrawFn, plain: _Plain) -> None:
    at = draw(_INSIDE)
    plain["gaps"] = [_gap(_START, at), _gap(draw(st.integers(_START, at - 1)), _NOW)]


_WINDOW_FAULTS: Final[Mapping[str, _Fault]] = {
    "changes.empty": _empty,
    "window.order": _order,
    "window.span": _span,
    "window.ahead": _ahead,
    "window.lag": _lag,
    "window.skew": _window_skew,
    "window.baseline": _baseline,
    "events.seq": _seq,
    "events.order": _backwards,
    "events.inside": _event_outside,
    "gaps.order": _gap_reversed,
    "gaps.inside": _gap_outside,
    "gaps.overlap": _gap_overlap,
}


def _table(*cases: tuple[str, _Values]) -> dict[str, list[_Values]]:
    table: dict[str, list[_Values]] = {}
    for rule, drawn in cases:
        table.setdefault(rule, []).append(drawn)
    return table


_SNAPSHOT: Final = plain_snapshots(received_at=_NOW)
_EMPTY_WINDOWS: Final = _empty_windows()
_SHORT_WINDOWS: Final = _short_windows()
_SNAPSHOTS: Final = _table(
    ("body.size", _padded(_SNAPSHOT, limits.UPDATE_BODY_BYTES)),
    ("json.text", st.sampled_from(NOT_JSON)),
    ("json.text", _truncated(snapshot_bodies(received_at=_NOW))),
    ("type", _NOT_OBJECTS),
    ("number.finite", _overflowing(_SNAPSHOT)),
    *_member_cases(Snapshot, _SNAPSHOT),
    *((rule, _broken(_in_snapshot(fault), _SNAPSHOT)) for rule, fault in _MUSIC_FAULTS.items()),
    ("snapshot.skew", _broken(_snapshot_skew, _SNAPSHOT)),
)
_WINDOWS: Final = _table(
    ("body.size", _padded(plain_windows(received_at=_NOW), limits.BATCH_BODY_BYTES)),
    ("json.text", st.sampled_from(NOT_JSON)),
    ("json.text", _truncated(window_bodies(received_at=_NOW, max_events=1))),
    ("json.depth", st.just(_NESTED)),
    ("type", _NOT_OBJECTS),
    ("number.finite", _overflowing(_EMPTY_WINDOWS)),
    *_member_cases(Window, _SHORT_WINDOWS),
    *((rule, _broken(_in_window(fault), _SHORT_WINDOWS)) for rule, fault in _MUSIC_FAULTS.items()),
    *((rule, _broken(fault, _EMPTY_WINDOWS)) for rule, fault in _WINDOW_FAULTS.items()),
)

SNAPSHOT_RULES: Final = tuple(_SNAPSHOTS)
"""Ids of the rules that `invalid_snapshots` can break."""
WINDOW_RULES: Final = tuple(_WINDOWS)
"""Ids of the rules that `invalid_windows` can break."""
