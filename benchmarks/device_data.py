"""Bodies to measure with, and the same rules written for pydantic.

The peer has all rules of the specification, and does no avoidable work: types and limits are in the
library's own form, where it checks them fastest.  Rules that it cannot express (order, neighbours,
catalog, clock) are in functions that check columns; URLs are checked by
one function of this project for both.  It keeps timestamps as text, which is less work than our
models do.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from operator import attrgetter
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from devicestatus import ContractError, limits, parse_snapshot, parse_window
from devicestatus.music_urls import ITUNES, artwork_fault, track_fault
from status_contracts.instants import format_instant, parse_millisecond
from status_contracts.primitives import WHITE_SPACE

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


def full_body() -> bytes:
    """Return a window with the maximum numbers of events and gaps of a second each."""
    plain = window_plain(limits.WINDOW_EVENTS, limits.WINDOW_GAPS)
    for gap in plain["gaps"]:
        gap["end_at"] = format_instant(parse_millisecond(gap["start_at"]) + 1000)
    return json.dumps(plain).encode()


# Rules that pydantic cannot express, on columns; a missing URL is any value that is not text.

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
    _hold(fact=abs(_ms(snapshot.collected_at) - NOON) <= limits.CLOCK_SKEW_MS)
    _hold_songs([_GETTERS["song"](snapshot.music)])
    return snapshot


def _pydantic_window(body: bytes) -> PWindow:
    window = PWindow.model_validate_json(_sized(body, limits.BATCH_BODY_BYTES))
    hold_window_object(window)
    return window


READERS: Final[Mapping[str, Mapping[str, Read]]] = {
    "pydantic": {"snapshot": _pydantic_snapshot, "window": _pydantic_window},
    "devicestatus": {
        "snapshot": lambda body: parse_snapshot(body, received_at=NOON),
        "window": lambda body: parse_window(body, received_at=RECEIVED_AT),
    },
}
"""Library to its readers of both kinds of body; they refuse by raising one of `REFUSALS`."""
REFUSALS: Final = (ValueError, ContractError)
