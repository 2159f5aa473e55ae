"""Bodies to measure with, and the same rules written for two other libraries.

Both peers have all rules of the specification, and none does avoidable work: types and limits are
written in the library's own form, where it checks them fastest.  Rules that no library can express
(order, neighbours, catalog, clock) are in `hold_snapshot` and `hold_window`, which check columns;
URLs are checked by one function of this project for all.  Peers keep timestamps as text, which is
less work than our models do.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from operator import attrgetter
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from devicestatus import limits, parse_snapshot, parse_window
from devicestatus.music_urls import ITUNES, artwork_fault, track_fault
from status_contracts.instants import format_instant
from status_contracts.primitives import WHITE_SPACE

__all__ = [
    "NOON",
    "READERS",
    "RECEIVED_AT",
    "REFUSALS",
    "VERDICTS",
    "PSnapshot",
    "PWindow",
    "Read",
    "hold_window_object",
    "snapshot_plain",
    "window_plain",
]

NOON: Final = 1_767_268_800_000
"""Start of windows, and collection time of snapshots: 2026-01-01T12:00:00.000Z."""
_SPAN: Final = limits.WINDOW_SPAN_MS
RECEIVED_AT: Final = NOON + _SPAN
"""Time at which windows are received; snapshots are received at `NOON`."""

Read = Callable[[bytes], object]
Plain = dict[str, Any]


# Bodies


def _music(number: int, *, urls: bool) -> Plain:
    music: Plain = {
        "state": "playing",
        "track": f"Song {number} of an album with a name of some length",
        "artist": "A band with a name",
    }
    if not urls:
        return music
    return music | {
        "artwork_url": f"https://is1-ssl.mzstatic.com/image/thumb/Music/v4/{number:032x}/a-picture-of-the-cover.jpg/600x600bb.jpg",
        "track_url": f"https://music.apple.com/us/album/a-song-of-an-album-with-a-name/{number:09}?i={number:09}",
    }


def _changes(number: int, apps_open: int, *, urls: bool) -> Plain:
    """Return a typical change: mostly apps, sometimes songs or load."""
    match number % 8:
        case 0 | 4:
            return {"music": _music(number, urls=urls)}
        case 2:
            apps = [f"Application {(number + each) % 50}" for each in range(apps_open)]
            return {"active_app": apps[0], "running_apps": apps}
        case 6:
            loads = {"load_1m": number / 100, "load_5m": 1.25, "load_15m": None}
            battery = {"percent": number % 100, "charging": None, "power_source": "battery"}
            return {"system": loads, "battery": battery}
    return {"active_app": f"Application {number % 50}"}


def snapshot_plain(apps: int = 12, *, urls: bool = True) -> Plain:
    """Return a snapshot; with twelve apps it has about 700 bytes."""
    return {
        "schema_version": 1,
        "collected_at": format_instant(NOON),
        "active_app": "Editor",
        "running_apps": [f"Application {number}" for number in range(apps)],
        "battery": {"percent": 82.5, "charging": False, "power_source": "battery"},
        "system": {"load_1m": 1.5, "load_5m": 1.25, "load_15m": 1},
        "music": _music(1, urls=urls),
    }


def window_plain(events: int, gaps: int = 0, apps: int = 12, *, urls: bool = True) -> Plain:
    """Return a window; with 2,048 events and 128 gaps it has about 450 kB."""
    step, width = _SPAN // max(events, 1), _SPAN // max(gaps, 1)
    return {
        "schema_version": 2,
        "session_id": "0f8fad5b-d9cb-469f-a165-70867728950e",
        "batch_seq": 1,
        "generated_at": format_instant(NOON + _SPAN),
        "window_start": format_instant(NOON),
        "window_end": format_instant(NOON + _SPAN),
        "baseline": snapshot_plain(apps, urls=urls),
        "events": [
            {
                "seq": number,
                "at": format_instant(NOON + number * step),
                "changes": _changes(number, min(apps, 64) or 1, urls=urls),
            }
            for number in range(1, events + 1)
        ],
        "gaps": [
            {
                "start_at": format_instant(NOON + number * width),
                "end_at": format_instant(NOON + number * width + width // 2),
                "reason": "sleep",
            }
            for number in range(gaps)
        ],
        "dropped_events": 0,
    }


# Rules that no library can express, on columns; a missing URL is any value that is not text.

_Song = tuple[str, str | None, str | None, Any, Any]


def _hold(*, fact: bool) -> None:
    if not fact:
        raise ValueError("a rule between members is broken")


def _ms(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)


def _hold_songs(songs: Iterable[_Song]) -> None:
    for state, track, artist, artwork, page in songs:
        if type(artwork) is str and type(page) is str:
            named = all(name and name.strip(WHITE_SPACE) for name in (track, artist))
            _hold(fact=named and state in {"playing", "paused"})
            _hold(fact=artwork_fault(artwork, ITUNES) is None)
            _hold(fact=track_fault(page, ITUNES) is None)
        else:
            _hold(fact=artwork is page)


def hold_snapshot(collected_at: str, song: _Song, received_at: int) -> None:
    """Raise ValueError unless a snapshot keeps the rules between its members."""
    _hold(fact=abs(_ms(collected_at) - received_at) <= limits.CLOCK_SKEW_MS)
    _hold_songs([song])


def hold_window(
    times: tuple[str, str, str, str],
    seqs: list[int],
    instants: list[str],
    gaps: Sequence[tuple[str, str]],
    songs: Iterable[_Song],
    empty: Iterable[bool],
) -> None:
    """Raise ValueError unless a window keeps the rules between its members.

    Args:
        times: start, end, when it was generated, when the baseline was collected.
        seqs: sequence numbers of the events.
        instants: times of the events with milliseconds, which sort like times.
        gaps: start and end of each gap.
        songs: songs of the baseline and the events.
        empty: whether each event changes nothing.

    """
    first, last, generated_at, collected_at = times
    start, end, generated = _ms(first), _ms(last), _ms(generated_at)
    _hold(fact=0 <= end - start <= limits.WINDOW_SPAN_MS)
    _hold(fact=0 <= generated - end <= limits.GENERATION_LAG_MS)
    _hold(fact=abs(generated - RECEIVED_AT) <= limits.CLOCK_SKEW_MS)
    _hold(fact=collected_at == first)
    _hold(fact=not any(empty))
    _hold(fact=all(one < other for one, other in pairwise(seqs)))
    _hold(fact=sorted(instants) == instants)
    _hold(fact=not instants or first <= instants[0] <= instants[-1] <= last)
    edges = [first, *(edge for gap in gaps for edge in gap), last]
    _hold(fact=sorted(edges) == edges and all(one < other for one, other in gaps))
    _hold_songs(songs)


# Texts

_YEAR = "(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])"
_FOURTH = "(?:0[48]|[2468][048]|[13579][26])"
_DAY = (
    f"(?:{_YEAR}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    f"|(?:[0-9]{{2}}{_FOURTH}|{_FOURTH}00)-02-29)"
)
_TIME = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
_MILLISECOND = rf"{_DAY}T{_TIME}\.[0-9]{{3}}Z"
_UTC = rf"{_DAY}T{_TIME}(?:\.[0-9]{{1,3}})?Z"
_SESSION = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_PLAIN = r"[^\x00-\x1f\x7f]*"

_MARK = b"\xef\xbb\xbf"
_SEQ_MOST = limits.LARGEST_INTEGER
_GETTERS: Final = {
    "song": attrgetter("state", "track", "artist", "artwork_url", "track_url"),
    "times": attrgetter("window_start", "window_end", "generated_at", "baseline.collected_at"),
    "gap": attrgetter("start_at", "end_at"),
}


def _sized(body: bytes, limit: int) -> bytes:
    _hold(fact=len(body) <= limit)
    return body.removeprefix(_MARK)


def _distinct(apps: list[str]) -> list[str]:
    _hold(fact=len(set(apps)) == len(apps))
    return apps


def _whole(number: float) -> int:
    """Convert an integral float to an integer: `1.0` is 1."""
    _hold(fact=float(number).is_integer())
    return int(number)


# pydantic: all in Rust, except integers written as floats and lists without duplicates

_PMillisecond = Annotated[str, Field(pattern=f"^{_MILLISECOND}$")]
_PUtc = Annotated[str, Field(pattern=f"^{_UTC}$")]


def _p_integer(least: int, most: int) -> Any:  # noqa: ANN401 - an annotation
    limited = Field(ge=least, le=most)
    floating = Annotated[float, limited, AfterValidator(_whole)]
    return Annotated[Annotated[int, limited] | floating, Field(union_mode="left_to_right")]


def _p_number(most: int) -> Any:  # noqa: ANN401 - an annotation
    return Annotated[float, Field(ge=0, le=most)] | None


def _p_text(most: int) -> Any:  # noqa: ANN401 - an annotation
    return Annotated[str, Field(min_length=1, max_length=most, pattern=f"^{_PLAIN}$")]


_PSeq: Any = _p_integer(1, _SEQ_MOST)
_PName: Any = _p_text(limits.NAME_LENGTH)
_PTitle: Any = _p_text(limits.TITLE_LENGTH)
_PUrl = Annotated[str, Field(max_length=limits.URL_LENGTH, pattern=f"^{_PLAIN}$")]
_PApps = Annotated[list[_PName], Field(max_length=limits.RUNNING_APPS), AfterValidator(_distinct)]
_PLoad: Any = _p_number(limits.LOAD_MAX)
_PPercent: Any = _p_number(limits.BATTERY_PERCENT_MAX)
_NOT: Any = UNSET
"""The default of members that may be omitted but not null; defaults are not validated."""


class _P(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class PBattery(_P):
    """Battery."""

    percent: _PPercent
    charging: bool | None
    power_source: Literal["ac", "battery", "unknown"]


class PSystem(_P):
    """Load."""

    load_1m: _PLoad
    load_5m: _PLoad
    load_15m: _PLoad


class PMusic(_P):
    """Music."""

    state: Literal["playing", "paused", "stopped", "unavailable"]
    track: _PTitle | None
    artist: _PTitle | None
    artwork_url: _PUrl | None = _NOT
    track_url: _PUrl | None = _NOT


class PSnapshot(_P):
    """The v1 record."""

    schema_version: _p_integer(1, 1)  # type: ignore[valid-type]
    collected_at: _PUtc
    active_app: _PName | None
    battery: PBattery
    system: PSystem
    music: PMusic
    running_apps: _PApps = _NOT


class PChanges(_P):
    """The changes of an event."""

    active_app: _PName | None = _NOT
    running_apps: _PApps = _NOT
    battery: PBattery = _NOT
    system: PSystem = _NOT
    music: PMusic = _NOT


class PEvent(_P):
    """An event."""

    seq: _PSeq
    at: _PMillisecond
    changes: PChanges


class PGap(_P):
    """A gap."""

    start_at: _PMillisecond
    end_at: _PMillisecond
    reason: Literal["sleep", "restart", "collection", "overflow", "clock"]


class PWindow(_P):
    """The v2 record."""

    schema_version: _p_integer(2, 2)  # type: ignore[valid-type]
    session_id: Annotated[str, Field(pattern=f"^{_SESSION}$")]
    batch_seq: _PSeq
    generated_at: _PMillisecond
    window_start: _PMillisecond
    window_end: _PMillisecond
    baseline: PSnapshot
    events: Annotated[list[PEvent], Field(max_length=limits.WINDOW_EVENTS)]
    gaps: Annotated[list[PGap], Field(max_length=limits.WINDOW_GAPS)]
    dropped_events: _p_integer(0, _SEQ_MOST)  # type: ignore[valid-type]


def _hold_snapshot_object(snapshot: Any) -> None:  # noqa: ANN401 - of any library
    hold_snapshot(snapshot.collected_at, _GETTERS["song"](snapshot.music), NOON)


def hold_window_object(window: Any) -> None:  # noqa: ANN401 - of any library
    """Raise ValueError unless a window of objects keeps the rules between its members."""
    changes = [event.changes for event in window.events]
    musics = [window.baseline.music, *(each.music for each in changes if each.music is not UNSET)]
    hold_window(
        _GETTERS["times"](window),
        [event.seq for event in window.events],
        [event.at for event in window.events],
        [*map(_GETTERS["gap"], window.gaps)],
        map(_GETTERS["song"], musics),
        (
            each.active_app is each.running_apps is each.battery is each.system is each.music
            for each in changes
        ),
    )


def _pydantic_snapshot(body: bytes) -> PSnapshot:
    snapshot = PSnapshot.model_validate_json(_sized(body, limits.UPDATE_BODY_BYTES))
    _hold_snapshot_object(snapshot)
    return snapshot


def _pydantic_window(body: bytes) -> PWindow:
    window = PWindow.model_validate_json(_sized(body, limits.BATCH_BODY_BYTES))
    hold_window_object(window)
    return window


# msgspec: limits in C; patterns would run in Python one by one, so they follow, joined

_MInstant = Annotated[str, Meta(min_length=24, max_length=24)]
_MUtc = Annotated[str, Meta(min_length=20, max_length=24)]
_MSeq = Annotated[int, Meta(ge=1, le=_SEQ_MOST)]
_MName = Annotated[str, Meta(min_length=1, max_length=limits.NAME_LENGTH)]
_MTitle = Annotated[str, Meta(min_length=1, max_length=limits.TITLE_LENGTH)]
_MUrl = Annotated[str, Meta(max_length=limits.URL_LENGTH)]
_MApps = Annotated[list[_MName], Meta(max_length=limits.RUNNING_APPS)]
_MLoad = Annotated[float, Meta(ge=0, le=limits.LOAD_MAX)]


class _M(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """No unknown members, no recursive values."""


class MBattery(_M):
    """Battery."""

    percent: Annotated[float, Meta(ge=0, le=limits.BATTERY_PERCENT_MAX)] | None
    charging: bool | None
    power_source: Literal["ac", "battery", "unknown"]


class MSystem(_M):
    """Load."""

    load_1m: _MLoad | None
    load_5m: _MLoad | None
    load_15m: _MLoad | None


class MMusic(_M):
    """Music."""

    state: Literal["playing", "paused", "stopped", "unavailable"]
    track: _MTitle | None
    artist: _MTitle | None
    artwork_url: _MUrl | UnsetType | None = UNSET
    track_url: _MUrl | UnsetType | None = UNSET


class MSnapshot(_M):
    """The v1 record."""

    schema_version: Literal[1]
    collected_at: _MUtc
    active_app: _MName | None
    battery: MBattery
    system: MSystem
    music: MMusic
    running_apps: _MApps | UnsetType = UNSET


class MChanges(_M):
    """The changes of an event."""

    active_app: _MName | UnsetType | None = UNSET
    running_apps: _MApps | UnsetType = UNSET
    battery: MBattery | UnsetType = UNSET
    system: MSystem | UnsetType = UNSET
    music: MMusic | UnsetType = UNSET


class MEvent(_M):
    """An event."""

    seq: _MSeq
    at: _MInstant
    changes: MChanges


class MGap(_M):
    """A gap."""

    start_at: _MInstant
    end_at: _MInstant
    reason: Literal["sleep", "restart", "collection", "overflow", "clock"]


class MWindow(_M):
    """The v2 record."""

    schema_version: Literal[2]
    session_id: str
    batch_seq: _MSeq
    generated_at: _MInstant
    window_start: _MInstant
    window_end: _MInstant
    baseline: MSnapshot
    events: Annotated[list[MEvent], Meta(max_length=limits.WINDOW_EVENTS)]
    gaps: Annotated[list[MGap], Meta(max_length=limits.WINDOW_GAPS)]
    dropped_events: Annotated[int, Meta(ge=0, le=_SEQ_MOST)]


_M_SNAPSHOT: Final = msgspec.json.Decoder(MSnapshot)
_M_WINDOW: Final = msgspec.json.Decoder(MWindow)
_M_INSTANTS: Final = re.compile(f"(?:{_MILLISECOND})*+")
_M_UTC: Final = re.compile(_UTC)
_M_SESSION: Final = re.compile(_SESSION)
_M_SUSPECT: Final = re.compile(rb"\\(?:[bfnrt]|u00(?:[01]|7[fF]))")
_M_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


def _m_decoded(decoder: msgspec.json.Decoder[Any], body: bytes) -> Any:  # noqa: ANN401 - of its type
    """Decode; the last of repeated names is used, and `1.0` is an integer."""
    try:
        found = decoder.decode(body)
    except msgspec.ValidationError:
        found = msgspec.convert(_integral(msgspec.json.decode(body)), decoder.type)
    if b"\x7f" in body or (b"\\" in body and _M_SUSPECT.search(body)):
        _hold(fact=not any(map(_M_CONTROL.search, _texts(msgspec.to_builtins(found)))))
    return found


def _integral(value: Any) -> Any:  # noqa: ANN401 - JSON
    match value:
        case dict():
            return {name: _integral(each) for name, each in value.items()}
        case list():
            return [*map(_integral, value)]
        case float():
            return int(value) if value.is_integer() else value
    return value


def _texts(value: object) -> Iterable[str]:
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from _texts(each)
        case list():
            for each in value:
                yield from _texts(each)


def _msgspec_snapshot(body: bytes) -> MSnapshot:
    snapshot: MSnapshot = _m_decoded(_M_SNAPSHOT, _sized(body, limits.UPDATE_BODY_BYTES))
    _hold(fact=_M_UTC.fullmatch(snapshot.collected_at) is not None)
    if snapshot.running_apps is not UNSET:
        _distinct(snapshot.running_apps)
    _hold_snapshot_object(snapshot)
    return snapshot


def _msgspec_window(body: bytes) -> MWindow:
    window: MWindow = _m_decoded(_M_WINDOW, _sized(body, limits.BATCH_BODY_BYTES))
    times = [event.at for event in window.events]
    for gap in window.gaps:
        times += (gap.start_at, gap.end_at)
    times += (window.window_start, window.window_end, window.generated_at)
    _hold(fact=_M_INSTANTS.fullmatch("".join(times)) is not None)
    _hold(fact=_M_SESSION.fullmatch(window.session_id) is not None)
    for apps in (
        window.baseline.running_apps,
        *(event.changes.running_apps for event in window.events),
    ):
        if apps is not UNSET:
            _distinct(apps)
    hold_window_object(window)
    return window


READERS: Final[Mapping[str, Mapping[str, Read]]] = {
    "pydantic": {"snapshot": _pydantic_snapshot, "window": _pydantic_window},
    "msgspec": {"snapshot": _msgspec_snapshot, "window": _msgspec_window},
    "devicestatus": {
        "snapshot": lambda body: parse_snapshot(body, received_at=NOON),
        "window": lambda body: parse_window(body, received_at=RECEIVED_AT),
    },
}
"""Library to its readers of both kinds of body; they refuse by raising one of `REFUSALS`."""


# Bodies on which all readers must agree


def _with(plain: Plain, path: str, *value: object) -> bytes:
    """Return the body of a plain value with one value replaced or removed."""
    *steps, last = (int(step) if step.isdigit() else step for step in path.split("."))
    whole = json.loads(json.dumps(plain))
    holder: Any = whole
    for step in steps:
        holder = holder[step]
    if value:
        holder[last] = value[0]
    else:
        del holder[last]
    return json.dumps(whole).encode()


_TRUE: Final = True
_WINDOW: Final = window_plain(8, 2)
_SNAPSHOT: Final = snapshot_plain()
_BODY: Final = json.dumps(_SNAPSHOT).encode()

_ART, _PAGE = "music.artwork_url", "music.track_url"
_HOST, _TRACK = "https://a.mzstatic.com", "https://music.apple.com"
_EVENT = "2026-01-01T12:07:30.000Z"
_OF_SNAPSHOTS: Final[list[tuple[str, bytes, bool]]] = [
    ("as it is", _BODY, True),
    ("byte order mark", _MARK + _BODY, True),
    ("integer as 1.0", _with(_SNAPSHOT, "schema_version", 1.0), True),
    ("percent as 50.0", _with(_SNAPSHOT, "battery.percent", 50.0), True),
    ("charging null", _with(_SNAPSHOT, "battery.charging", None), True),
    ("app null", _with(_SNAPSHOT, "active_app", None), True),
    ("no apps known", _with(_SNAPSHOT, "running_apps"), True),
    ("name of 200", _with(_SNAPSHOT, "active_app", "\U0001f3b5" * 200), True),
    ("U+0080, U+2028", _with(_SNAPSHOT, "active_app", "\x80\u2028"), True),
    ("backslash and n", _with(_SNAPSHOT, "active_app", "\\n"), True),
    ("time without fraction", _with(_SNAPSHOT, "collected_at", "2026-01-01T12:00:00Z"), True),
    ("time of one digit", _with(_SNAPSHOT, "collected_at", "2026-01-01T12:00:00.1Z"), True),
    ("120 s away", _with(_SNAPSHOT, "collected_at", "2026-01-01T12:02:00.000Z"), True),
    ("port 443", _with(_SNAPSHOT, _ART, "https://a.mzstatic.com:443/x"), True),
    ("upper-case host", _with(_SNAPSHOT, _ART, "HTTPS://A.MZSTATIC.COM/x"), True),
    ("name twice, null first", _BODY[:-1] + b',"active_app":1,"active_app":"x"}', True),
    ("unknown member", _with(_SNAPSHOT, "ttl", 60), False),
    ("unknown inside", _with(_SNAPSHOT, "music.album", "x"), False),
    ("no battery", _with(_SNAPSHOT, "battery"), False),
    ("battery null", _with(_SNAPSHOT, "battery", None), False),
    ("version 2", _with(_SNAPSHOT, "schema_version", 2), False),
    ("version true", _with(_SNAPSHOT, "schema_version", _TRUE), False),
    ("version text", _with(_SNAPSHOT, "schema_version", "1"), False),
    ("empty name", _with(_SNAPSHOT, "active_app", ""), False),
    ("name of 201", _with(_SNAPSHOT, "active_app", "x" * 201), False),
    ("control character", _with(_SNAPSHOT, "active_app", "a\nb"), False),
    ("DEL", _with(_SNAPSHOT, "active_app", "a\x7fb"), False),
    ("DEL as it is", _BODY.replace(b"Editor", b"a\x7fb"), False),
    ("app number", _with(_SNAPSHOT, "active_app", 1), False),
    ("apps twice", _with(_SNAPSHOT, "running_apps", ["x", "x"]), False),
    ("apps null", _with(_SNAPSHOT, "running_apps", None), False),
    ("65 apps", _with(_SNAPSHOT, "running_apps", [*map(str, range(65))]), False),
    ("percent 100.5", _with(_SNAPSHOT, "battery.percent", 100.5), False),
    ("percent true", _with(_SNAPSHOT, "battery.percent", _TRUE), False),
    ("percent text", _with(_SNAPSHOT, "battery.percent", "50"), False),
    ("charging 0", _with(_SNAPSHOT, "battery.charging", 0), False),
    ("power source", _with(_SNAPSHOT, "battery.power_source", "mains"), False),
    ("load -1", _with(_SNAPSHOT, "system.load_1m", -1), False),
    ("load 1e999", _BODY.replace(b"1.25", b"1e999"), False),
    ("load NaN", _BODY.replace(b"1.25", b"NaN"), False),
    ("music state", _with(_SNAPSHOT, "music.state", "Playing"), False),
    ("music list", _with(_SNAPSHOT, "music", []), False),
    ("one URL", _with(_SNAPSHOT, _ART), False),
    ("one URL null", _with(_SNAPSHOT, _ART, None), False),
    ("URLs while stopped", _with(_SNAPSHOT, "music.state", "stopped"), False),
    ("URLs, blank artist", _with(_SNAPSHOT, "music.artist", "\u00a0"), False),
    ("URLs, no track", _with(_SNAPSHOT, "music.track", None), False),
    ("http", _with(_SNAPSHOT, _ART, "http://a.mzstatic.com/x"), False),
    ("domain itself", _with(_SNAPSHOT, _ART, "https://mzstatic.com/x"), False),
    ("other host", _with(_SNAPSHOT, _PAGE, "https://music.example/x"), False),
    ("port 444", _with(_SNAPSHOT, _PAGE, f"{_TRACK}:444/x"), False),
    ("user", _with(_SNAPSHOT, _PAGE, "https://u@music.apple.com/x"), False),
    ("URL with a space", _with(_SNAPSHOT, _PAGE, f"{_TRACK}/x "), False),
    ("URL of 2049", _with(_SNAPSHOT, _ART, f"{_HOST}/".ljust(2049, "x")), False),
    ("30 February", _with(_SNAPSHOT, "collected_at", "2026-02-30T12:00:00.000Z"), False),
    ("24:00", _with(_SNAPSHOT, "collected_at", "2026-01-01T24:00:00.000Z"), False),
    ("offset", _with(_SNAPSHOT, "collected_at", "2026-01-01T12:00:00+00:00"), False),
    ("time as number", _with(_SNAPSHOT, "collected_at", NOON), False),
    ("120.001 s away", _with(_SNAPSHOT, "collected_at", "2026-01-01T12:02:00.001Z"), False),
    ("empty", b"", False),
    ("no UTF-8", _BODY.replace(b"Editor", b"\xff"), False),
    ("lone surrogate", _BODY.replace(b"Editor", b"\\ud800"), False),
    ("more after it", _BODY + b"x", False),
    ("too large", _BODY + b" " * limits.UPDATE_BODY_BYTES, False),
    ("an array", b"[" + _BODY + b"]", False),
    ("deep", b"[" * 5000 + b"]" * 5000, False),
]
_OF_WINDOWS: Final[list[tuple[str, bytes, bool]]] = [
    ("as it is", json.dumps(_WINDOW).encode(), True),
    ("nothing happened", json.dumps(window_plain(0)).encode(), True),
    ("seq as 3.0", _with(_WINDOW, "events.2.seq", 3.0), True),
    ("equal times", _with(_WINDOW, "events.3.at", _WINDOW["events"][2]["at"]), True),
    ("event at the start", _with(_WINDOW, "events.0.at", _WINDOW["window_start"]), True),
    ("app becomes null", _with(_WINDOW, "events.0.changes.active_app", None), True),
    ("generated 30 s later", _with(_WINDOW, "generated_at", "2026-01-01T12:15:30.000Z"), True),
    ("song without URLs", _with(_WINDOW, "events.3.changes.music.artwork_url"), False),
    ("unknown member", _with(_WINDOW, "more", 1), False),
    ("unknown in an event", _with(_WINDOW, "events.7.more", 1), False),
    ("unknown change", _with(_WINDOW, "events.7.changes.more", 1), False),
    ("no change", _with(_WINDOW, "events.7.changes", {}), False),
    ("change null", _with(_WINDOW, "events.7.changes", {"battery": None}), False),
    ("apps become null", _with(_WINDOW, "events.1.changes.running_apps", None), False),
    ("apps twice", _with(_WINDOW, "events.1.changes.running_apps", ["x", "x"]), False),
    ("seq 0", _with(_WINDOW, "events.0.seq", 0), False),
    ("seq 2**53", _with(_WINDOW, "events.7.seq", 2**53), False),
    ("seq as 3.5", _with(_WINDOW, "events.2.seq", 3.5), False),
    ("seq twice", _with(_WINDOW, "events.3.seq", 3), False),
    ("time back", _with(_WINDOW, "events.7.at", _WINDOW["events"][2]["at"]), False),
    ("before the window", _with(_WINDOW, "events.0.at", "2026-01-01T11:59:59.999Z"), False),
    ("after the window", _with(_WINDOW, "events.7.at", "2026-01-01T12:15:00.001Z"), False),
    ("time without fraction", _with(_WINDOW, "events.3.at", "2026-01-01T12:07:30Z"), False),
    ("time with a comma", _with(_WINDOW, "events.3.at", _EVENT.replace(".", ",")), False),
    ("no such minute", _with(_WINDOW, "events.3.at", _EVENT.replace("07", "67")), False),
    ("late fault in a song", _with(_WINDOW, "events.7.changes.music.state", "on"), False),
    ("late fault in a URL", _with(_WINDOW, "events.7.changes.music.track_url", "x"), False),
    ("session in capitals", _with(_WINDOW, "session_id", "A" * 36), False),
    ("batch 0", _with(_WINDOW, "batch_seq", 0), False),
    ("dropped -1", _with(_WINDOW, "dropped_events", -1), False),
    ("2049 events", _with(_WINDOW, "events", [_WINDOW["events"][0]] * 2049), False),
    ("129 gaps", _with(_WINDOW, "gaps", [_WINDOW["gaps"][0]] * 129), False),
    ("gaps overlap", _with(_WINDOW, "gaps.1.start_at", _WINDOW["gaps"][0]["start_at"]), False),
    ("gap of no length", _with(_WINDOW, "gaps.1.end_at", _WINDOW["gaps"][1]["start_at"]), False),
    ("gap outside", _with(_WINDOW, "gaps.1.end_at", "2026-01-01T12:15:00.001Z"), False),
    ("gap's reason", _with(_WINDOW, "gaps.0.reason", "nap"), False),
    ("baseline later", _with(_WINDOW, "baseline.collected_at", _EVENT), False),
    (
        "baseline's form",
        _with(_WINDOW, "baseline.collected_at", "2026-01-01T12:00:00Z"),
        False,
    ),
    ("baseline's music", _with(_WINDOW, "baseline.music.state", "stopped"), False),
    ("end before start", _with(_WINDOW, "window_end", "2026-01-01T11:59:00.000Z"), False),
    ("901 s", _with(_WINDOW, "window_start", "2026-01-01T11:59:59.000Z"), False),
    ("generated before", _with(_WINDOW, "generated_at", "2026-01-01T12:14:59.999Z"), False),
    ("generated 31 s later", _with(_WINDOW, "generated_at", "2026-01-01T12:15:31.000Z"), False),
    ("too large", json.dumps(_WINDOW).encode() + b" " * limits.BATCH_BODY_BYTES, False),
]
VERDICTS: Final = {"snapshot": _OF_SNAPSHOTS, "window": _OF_WINDOWS}
"""Kind of body to a description, its bytes, and whether it is valid."""
REFUSALS: Final = (
    ValueError,
    TypeError,
    KeyError,
    RecursionError,
    msgspec.MsgspecError,
)
