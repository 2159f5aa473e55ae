"""A second, simple implementation of the read endpoints, to compare the service with.

It does not use the engine: records are the plain JSON that was sent, instants are compared as text
of one width, and a window is replayed event by event.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs

from devicestatus import limits
from status_contracts.instants import LAST_INSTANT, SECOND_MS, format_instant

Plain = dict[str, Any]

OFFLINE: Final = {"status": "offline"}
"""The whole body, whatever the reason."""

_POLICY: Final = {
    "upload_interval_seconds": limits.UPLOAD_INTERVAL_SECONDS,
    "window_seconds": limits.WINDOW_SECONDS,
    "playback_delay_seconds": limits.PLAYBACK_DELAY_SECONDS,
    "poll_interval_seconds": limits.POLL_INTERVAL_SECONDS,
    "sample_interval_seconds": limits.SAMPLE_INTERVAL_SECONDS,
    "metrics_interval_seconds": limits.METRICS_INTERVAL_SECONDS,
}


@attrs.frozen
class AcceptedBody:
    """An accepted body.

    Attributes:
        received_at: when its body was complete, ms since the epoch.
        expires_at: the deadline in its response, ms since the epoch.

    """

    body: Plain
    received_at: int
    expires_at: int

    @property
    def is_window(self) -> bool:
        """Check whether it was sent to `POST /api/batch`."""
        return "window_end" in self.body


def expected_body(path: str, accepted: AcceptedBody | None, *, now: int, ttl_seconds: int) -> Plain:
    """Return the JSON body that a GET must return while the store has a record.

    `accepted` is None if there is no record, or a corrupt one.  `now` is the time at which the
    store returned it, ms since the epoch.
    """
    if accepted is None or accepted.received_at > now:
        return OFFLINE
    if path == "/api/timeline" and accepted.is_window:
        return _timeline(accepted, now) if now < accepted.expires_at else OFFLINE
    project = _of_window if accepted.is_window else _of_snapshot
    state = project(accepted, now, ttl_seconds)
    return OFFLINE if state is None else _VIEWS[path](state, now)


def _of_snapshot(accepted: AcceptedBody, now: int, ttl_seconds: int) -> Plain | None:
    deadline = min(accepted.expires_at, accepted.received_at + ttl_seconds * SECOND_MS)
    return accepted.body | _envelope(accepted, deadline) if now < deadline else None


def _of_window(accepted: AcceptedBody, now: int, _: int) -> Plain | None:
    window, at = accepted.body, format_instant(now - limits.PLAYBACK_DELAY_MS)
    is_gap = any(gap["start_at"] <= at < gap["end_at"] for gap in window["gaps"])
    if is_gap or not window["window_start"] <= at < window["window_end"]:
        return None
    state = window["baseline"]
    for event in window["events"]:
        if event["at"] <= at:
            state = state | event["changes"] | {"collected_at": event["at"]}
    playback = {
        "mode": "delayed",
        "delay_seconds": limits.PLAYBACK_DELAY_SECONDS,
        "at": at,
        "window_end": window["window_end"],
    }
    left_after_projection = limits.WINDOW_LIFETIME_MS - limits.PLAYBACK_DELAY_MS
    envelope = _envelope(accepted, accepted.expires_at - left_after_projection)
    return {**state, **envelope, "playback": playback}


def _envelope(accepted: AcceptedBody, deadline: int) -> Plain:
    return {
        "status": "online",
        "updated_at": format_instant(accepted.received_at),
        "expires_at": format_instant(min(deadline, LAST_INSTANT)),
    }


def _timeline(accepted: AcceptedBody, now: int) -> Plain:
    times = {"mode": "window", "server_time": format_instant(now), "policy": _POLICY}
    return _envelope(accepted, accepted.expires_at) | times | {"window": accepted.body}


_ENVELOPE: Final = ("status", "updated_at", "expires_at", "playback", "collected_at")


def _category(name: str, of: Callable[[Plain], object]) -> Callable[[Plain, int], Plain]:
    def view(state: Plain, _now: int) -> Plain:
        return {key: state[key] for key in _ENVELOPE if key in state} | {name: of(state)}

    return view


def _app(name: str | None) -> Plain | None:
    """Return an app as a service without icons shows it."""
    return None if name is None else {"name": name, "icon_url": None, "icon_api_url": None}


_VIEWS: Final[Mapping[str, Callable[[Plain, int], Plain]]] = {
    "/api/now": lambda state, _now: state,
    "/now": lambda state, _now: state,
    "/api/timeline": lambda state, now: (
        state | {"mode": "snapshot", "server_time": format_instant(now)}
    ),
    "/api/music": _category(
        "music", lambda state: {"artwork_url": None, "track_url": None, **state["music"]}
    ),
    "/api/apps/active": _category("active_app", lambda state: _app(state["active_app"])),
    "/api/apps/running": _category(
        "running_apps",
        lambda state: [*map(_app, state["running_apps"])] if "running_apps" in state else None,
    ),
    "/api/device": _category(
        "device", lambda state: {name: state[name] for name in ("battery", "system")}
    ),
}
