"""A round of the device status: every endpoint is requested and every response checked."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs

from demonstration.probes import (
    Answer,
    Probe,
    Round,
    allows,
    has_headers_of,
    is_same,
    offers,
)
from devicestatus import limits
from devicestatus.models import Snapshot, Window, WindowChanges, WindowEvent
from status_contracts import json_text as codec
from status_contracts.instants import MINUTE_MS
from status_contracts.structuring.converter import unstructure

__all__ = ["small_window", "whole_round"]

_JSON: Final = {"Content-Type": "application/json"}


def whole_round(snapshot: Snapshot, token: str, window: Window) -> Round:
    """Request every endpoint of a service that has just received the snapshot.

    Args:
        snapshot: the received snapshot.
        token: the ingest token.
        window: a window that is played back now (see `small_window`).

    """
    yield from _pages()
    yield from _snapshot_views(unstructure(snapshot))
    yield from _icons()
    yield from _methods()
    yield from _error_probes(token)
    yield from _window_views(unstructure(window), token)
    yield _write("/update", snapshot, token, "the snapshot again, by the legacy path")
    yield _online("/now", unstructure(snapshot), "its status, by the legacy path")


def small_window(snapshot: Snapshot, now: int) -> Window:
    """Return a window of the last ten minutes with the state of the snapshot; valid at `now`."""
    start = now - 10 * MINUTE_MS
    return Window(
        session_id="00000000-0000-4000-8000-000000000001",
        batch_seq=1,
        generated_at=now,
        window_start=start,
        window_end=now,
        baseline=attrs.evolve(snapshot, collected_at=start),
        events=(WindowEvent(1, start + MINUTE_MS, WindowChanges(active_app=snapshot.active_app)),),
        gaps=(),
        dropped_events=0,
    )


def _pages() -> Round:
    html = "text/html; charset=utf-8"
    for path, label in (("/", "home page"), ("/api", "API reference")):
        yield Probe("GET", path, 200, label, lambda it: it.begins(html, b"<!DOCTYPE html>"))


def _snapshot_views(plain: dict[str, Any]) -> Round:
    yield _online("/api/now", plain, "the snapshot")
    yield _online("/api/timeline", plain | {"mode": "snapshot"}, "the snapshot as a timeline")
    music = {"artwork_url": None, "track_url": None} | plain["music"]
    yield _online("/api/music", {"music": music}, "music")
    yield Probe(
        "GET", "/api/apps/active", 200, "foreground app", _names_active(plain["active_app"])
    )
    yield Probe(
        "GET", "/api/apps/running", 200, "running apps", _names_running(plain.get("running_apps"))
    )
    device = {"battery": plain["battery"], "system": plain["system"]}
    yield _online("/api/device", {"device": device}, "battery and load")
    for path in ("/api/badge.svg", "/badge.svg"):
        yield Probe("GET", path, 200, "badge", _is_svg)
    for path in ("/api/health", "/health"):
        yield Probe("GET", path, 200, "health", lambda it: it.members.get("ok") is True)


def _icons() -> Round:
    manifest = yield Probe("GET", "/api/icons", 200, "icon manifest", lambda it: bool(_ids(it)))
    yield Probe("GET", "/app-icons/index.json", 200, "the manifest as a file", is_same(manifest))
    for icon_id in _ids(manifest)[:1]:
        path = f"/api/icons/{icon_id}.png"
        icon = yield Probe("GET", path, 200, "an icon", _is_png)
        yield Probe("HEAD", path, 200, "the icon's headers", has_headers_of(icon))
        known = {"If-None-Match": icon.headers.get("etag", "")}
        yield Probe("GET", path, 304, "the icon, not modified", headers=known)
        file = f"/app-icons/{icon_id}.png"
        yield Probe("GET", file, 200, "the icon as a file", is_same(icon))
        yield Probe("OPTIONS", path, 204, "its preflight", allows("GET, HEAD, OPTIONS"))


def _methods() -> Round:
    yield Probe("OPTIONS", "/api/update", 204, "preflight", allows("GET, POST, OPTIONS"))
    yield Probe("OPTIONS", "/api/now", 204, "preflight", allows("GET, POST, OPTIONS"))
    yield Probe("HEAD", "/api/now", 405, "no HEAD of a status", offers("GET, OPTIONS"))
    yield Probe("POST", "/api/now", 405, "a read-only status", offers("GET, OPTIONS"))
    yield Probe("GET", "/api/update", 405, "a write-only upload", offers("POST, OPTIONS"))
    yield Probe("GET", "/api/now/", 404, "no alias with a slash", _has_error("not_found"))
    yield Probe("GET", "/api/icons/no-such.png", 404, "no such icon", _has_error("not_found"))


def _error_probes(token: str) -> Round:
    path = "/api/update"
    bearer = {"Authorization": f"Bearer {token}"}
    known = bearer | _JSON
    long = b" " * (limits.UPDATE_BODY_BYTES + 1)
    unknown = "without the token"
    yield Probe("POST", path, 401, unknown, _has_error("unauthorized"), _JSON, b"{}")
    text = bearer | {"Content-Type": "text/plain"}
    yield Probe("POST", path, 415, "not as JSON", _has_error("unsupported_media_type"), text, b"{}")
    yield Probe("POST", path, 413, "too long", _has_error("payload_too_large"), known, long)
    yield Probe("POST", path, 400, "broken JSON", _has_error("invalid_json"), known, b"{")
    yield Probe("POST", path, 400, "no snapshot", _has_error("invalid_payload"), known, b"{}")


def _window_views(plain: dict[str, Any], token: str) -> Round:
    label = "a window of the last ten minutes"
    body = codec.encode(plain)
    yield Probe("POST", "/api/batch", 200, label, _is_accepted, _as_agent(token), body)
    timeline = {"mode": "window", "window": plain}
    yield _online("/api/timeline", timeline, "the window")
    yield Probe(
        "GET", "/api/now", 200, "the window, 420 s behind", _is_playback(plain["window_end"])
    )


def _write(path: str, snapshot: Snapshot, token: str, label: str) -> Probe:
    body = codec.encode(unstructure(snapshot))
    return Probe("POST", path, 200, label, _is_accepted, _as_agent(token), body)


def _as_agent(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}", **_JSON}


def _is_accepted(answer: Answer) -> bool:
    return answer.members.get("ok") is True


def _online(path: str, members: Mapping[str, Any], label: str) -> Probe:
    """Expect `online` and these members."""
    shown = {**members, "status": "online"}
    return Probe("GET", path, 200, label, lambda it: _has(it.members, shown))


def _has(found: object, expected: Mapping[str, Any]) -> bool:
    return isinstance(found, dict) and {name: found.get(name) for name in expected} == expected


def _is_playback(window_end: str) -> Callable[[Answer], bool]:
    playback = {"mode": "delayed", "delay_seconds": 420, "window_end": window_end}
    return lambda it: _has(it.members.get("playback"), playback)


def _names_active(name: str | None) -> Callable[[Answer], bool]:
    def holds(answer: Answer) -> bool:
        shown = answer.members.get("active_app", "")
        return shown is None if name is None else _has(shown, {"name": name})

    return holds


def _names_running(names: list[str] | None) -> Callable[[Answer], bool]:
    def holds(answer: Answer) -> bool:
        shown = answer.members.get("running_apps", "")
        if names is None or not isinstance(shown, list):
            return shown is names
        return len(shown) == len(names) and all(
            _has(app, {"name": name}) for app, name in zip(shown, names, strict=True)
        )

    return holds


def _is_svg(answer: Answer) -> bool:
    return answer.begins("image/svg+xml; charset=utf-8", b"<svg ")


def _is_png(answer: Answer) -> bool:
    return answer.begins("image/png", b"\x89PNG\r\n\x1a\n")


def _ids(manifest: Answer) -> list[str]:
    icons = manifest.members.get("icons")
    found = icons if isinstance(icons, list) else []
    return [icon["id"] for icon in found if isinstance(icon, dict) and "id" in icon]


def _has_error(code: str) -> Callable[[Answer], bool]:
    return lambda it: it.members == {"error": code}
