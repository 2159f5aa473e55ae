"""What readers have to be told: the contract read a second time, as simply as can be.

Source: device-status specification, "States and transitions" and "Endpoints"; rulings under "Time".
Nothing here uses the engine that it is compared with: records are the plain JSON that was sent,
instants are compared as texts of one width, and a window is replayed event by event.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import attrs

from purewire.instants import LAST_INSTANT, SECOND_MS, format_instant

__all__ = ["JSON_PATHS", "OFFLINE", "Written", "told"]

Plain = dict[str, Any]

OFFLINE: Final = {"status": "offline"}
"""The whole body, whatever the reason."""

_POLICY: Final = {
    "upload_interval_seconds": 300,
    "window_seconds": 900,
    "playback_delay_seconds": 420,
    "poll_interval_seconds": 60,
    "sample_interval_seconds": 2,
    "metrics_interval_seconds": 30,
}
_DELAY_MS: Final = 420 * SECOND_MS


@attrs.frozen
class Written:
    """A body that was accepted.

    Attributes:
        body: the plain JSON of the snapshot or window.
        received_at: when its body was complete, ms since the epoch.
        expires_at: the deadline that its answer told, ms since the epoch.

    """

    body: Plain
    received_at: int
    expires_at: int

    @property
    def is_window(self) -> bool:
        """Whether it came by `POST /api/batch`."""
        return "window_end" in self.body


class _Shown(NamedTuple):
    """What the projected endpoints show, and the members that they wrap it in."""

    state: Plain
    envelope: Plain


def told(path: str, written: Written | None, *, now: int, ttl_seconds: int) -> Plain:
    """Give the JSON body that a GET has to answer while the store holds a record.

    Args:
        path: one of `JSON_PATHS`.
        written: the record; None where there is none, or one that is corrupt.
        now: when the store has answered, ms since the epoch.
        ttl_seconds: the configured lifetime of snapshots.

    """
    if written is None or written.received_at > now:
        return OFFLINE
    if path == "/api/timeline" and written.is_window:
        return _window(written, now) if now < written.expires_at else OFFLINE
    shown = _played(written, now) if written.is_window else _snapshot(written, now, ttl_seconds)
    return OFFLINE if shown is None else _VIEWS[path](shown, now)


def _snapshot(written: Written, now: int, ttl_seconds: int) -> _Shown | None:
    deadline = min(written.expires_at, written.received_at + ttl_seconds * SECOND_MS)
    if now >= deadline:
        return None
    return _Shown(written.body, _envelope(written, deadline))


def _played(written: Written, now: int) -> _Shown | None:
    window, at = written.body, format_instant(now - _DELAY_MS)
    if not window["window_start"] <= at < window["window_end"]:
        return None
    if any(gap["start_at"] <= at < gap["end_at"] for gap in window["gaps"]):
        return None
    state = window["baseline"]
    for event in window["events"]:
        if event["at"] <= at:
            state = state | event["changes"] | {"collected_at": event["at"]}
    playback = {
        "mode": "delayed",
        "delay_seconds": 420,
        "at": at,
        "window_end": window["window_end"],
    }
    # The stored deadline is the window's end and 600 s, that of its projection the end and 420 s.
    envelope = _envelope(written, written.expires_at - 180 * SECOND_MS)
    return _Shown(state, envelope | {"playback": playback})


def _envelope(written: Written, deadline: int) -> Plain:
    return {
        "status": "online",
        "updated_at": format_instant(written.received_at),
        "expires_at": format_instant(min(deadline, LAST_INSTANT)),
    }


def _window(written: Written, now: int) -> Plain:
    times = {"mode": "window", "server_time": format_instant(now), "policy": _POLICY}
    return _envelope(written, written.expires_at) | times | {"window": written.body}


def _whole(shown: _Shown, _now: int) -> Plain:
    return shown.state | shown.envelope


def _at_server_time(shown: _Shown, now: int) -> Plain:
    return _whole(shown, now) | {"mode": "snapshot", "server_time": format_instant(now)}


def _category(name: str, of: Callable[[Plain], object]) -> Callable[[_Shown, int], Plain]:
    def view(shown: _Shown, _now: int) -> Plain:
        collected = {"collected_at": shown.state["collected_at"]}
        return shown.envelope | collected | {name: of(shown.state)}

    return view


def _music(state: Plain) -> Plain:
    return {"artwork_url": None, "track_url": None, **state["music"]}


def _active_app(state: Plain) -> Plain | None:
    return _app(state["active_app"])


def _running_apps(state: Plain) -> list[Plain | None] | None:
    return [_app(name) for name in state["running_apps"]] if "running_apps" in state else None


def _device(state: Plain) -> Plain:
    return {"battery": state["battery"], "system": state["system"]}


def _app(name: str | None) -> Plain | None:
    """Give an app as a service without icons shows it."""
    return None if name is None else {"name": name, "icon_url": None, "icon_api_url": None}


_VIEWS: Final[Mapping[str, Callable[[_Shown, int], Plain]]] = {
    "/api/now": _whole,
    "/now": _whole,
    "/api/timeline": _at_server_time,
    "/api/music": _category("music", _music),
    "/api/apps/active": _category("active_app", _active_app),
    "/api/apps/running": _category("running_apps", _running_apps),
    "/api/device": _category("device", _device),
}
JSON_PATHS: Final = tuple(_VIEWS)
"""The paths whose answers `told` gives; the badge is a picture of the same state."""
