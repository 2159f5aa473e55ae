"""Bodies that the checks send: valid ones around the deployment's clock, and invalid ones."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from devicestatus import limits
from purewire.instants import format_instant
from purewire.json import codec

Plain = dict[str, Any]

SESSION: Final = "5f0c1b8e-2d43-4c2a-9a57-3f1f0e6d7b21"

INVALID_JSON: Final[Mapping[str, bytes]] = {
    "empty": b"",
    "blank": b" \n",
    "truncated": b'{"schema_version": 1',
    "nan": b'{"schema_version": NaN}',
    "infinity": b"[Infinity]",
    "trailing-text": b"{} {}",
    "trailing-comma": b'{"schema_version": 1,}',
    "single-quotes": b"{'schema_version': 1}",
    "leading-zero": b"[01]",
    "raw-control": b'{"active_app": "a\x01b"}',
    "utf-16": "{}".encode("utf-16"),
    "not-utf-8": b'{"active_app": "\xff"}',
    "encoded-surrogate": b'{"active_app": "\xed\xa0\xbd"}',
    "second-byte-order-mark": b"\xef\xbb\xbf\xef\xbb\xbf{}",
    "broken-depth": b"[" * 4000 + b"}" + b"]" * 3999,
}
"""Bytes that are not JSON text in UTF-8, by name."""


def encode(value: Plain) -> bytes:
    """Return a body as JSON text."""
    return codec.encode(value)


def snapshot(at: int, **members: object) -> Plain:
    """Return a valid snapshot that was collected at a time, with some members replaced."""
    return {
        "schema_version": 1,
        "collected_at": format_instant(at),
        "active_app": "Conformance Editor",
        "running_apps": ["Conformance Editor", "Terminal"],
        "battery": {"percent": 55.5, "charging": False, "power_source": "battery"},
        "system": {"load_1m": 0.25, "load_5m": None, "load_15m": 100_000},
        "music": {"state": "stopped", "track": None, "artist": None},
        **members,
    }


def nothing(at: int) -> Plain:
    """Return the snapshot that reports nothing."""
    return {
        "schema_version": 1,
        "collected_at": format_instant(at),
        "active_app": None,
        "battery": {"percent": None, "charging": None, "power_source": "unknown"},
        "system": {"load_1m": None, "load_5m": None, "load_15m": None},
        "music": {"state": "unavailable", "track": None, "artist": None},
    }


def event(seq: int, at: int, **changes: object) -> Plain:
    """Return an event."""
    return {"seq": seq, "at": format_instant(at), "changes": changes}


def gap(start: int, end: int, reason: str = "sleep") -> Plain:
    """Return a gap."""
    return {"start_at": format_instant(start), "end_at": format_instant(end), "reason": reason}


def window(
    start: int,
    end: int,
    *,
    events: list[Plain] | None = None,
    gaps: list[Plain] | None = None,
    **members: object,
) -> Plain:
    """Return a valid window that was generated at its end, with some members replaced."""
    return {
        "schema_version": 2,
        "session_id": SESSION,
        "batch_seq": 1,
        "generated_at": format_instant(end),
        "window_start": format_instant(start),
        "window_end": format_instant(end),
        "baseline": snapshot(start, active_app="Baseline"),
        "events": [] if events is None else events,
        "gaps": [] if gaps is None else gaps,
        "dropped_events": 0,
        **members,
    }


Make = Callable[[int], Plain]
_Cases = Mapping[str, tuple[tuple[str, ...], Make]]
"""Name of a case to the rules that it verifies, and what makes its body at the server's time."""


def _music(**members: object) -> Plain:
    return {"state": "playing", "track": "So What", "artist": "Miles Davis", **members}


def _battery(**members: object) -> Make:
    battery = {"percent": 50, "charging": None, "power_source": "ac", **members}
    return lambda now: snapshot(now, battery=battery)


def _system(**members: object) -> Make:
    system = {"load_1m": 1, "load_5m": 1, "load_15m": 1, **members}
    return lambda now: snapshot(now, system=system)


def _without(*path: str) -> Make:
    def make(now: int) -> Plain:
        body = snapshot(now)
        place = body
        for name in path[:-1]:
            place = place[name]
        del place[path[-1]]
        return body

    return make


def _with(**members: object) -> Make:
    return lambda now: snapshot(now, **members)


def _plays(**members: object) -> Make:
    return lambda now: snapshot(now, music=_music(**members))


def _pair(**members: object) -> Make:
    return _plays(**{"artwork_url": ARTWORK, "track_url": TRACK, **members})


def _artwork(url: str) -> Make:
    return _pair(artwork_url=url)


ARTWORK: Final = "https://is1-ssl.mzstatic.com/image/thumb/100x100bb.jpg"
TRACK: Final = "https://music.apple.com/us/album/so-what/268443092?i=268443097"

INVALID_SNAPSHOTS: Final[_Cases] = {
    "unknown-member": (("DS-TEXT-05",), _with(mood="fine")),
    "updated-at": (("DS-UPDATE-05",), _with(updated_at="2026-01-31T12:00:00Z")),
    "expires-at": (("DS-UPDATE-05",), _with(expires_at="2026-01-31T12:00:00Z")),
    "lifetime": (("DS-UPDATE-05",), _with(ttl=3600)),
    "version-2": (("DS-SNAPSHOT-01",), _with(schema_version=2)),
    "version-text": (("DS-TEXT-04", "DS-SNAPSHOT-01"), _with(schema_version="1")),
    "version-true": (("DS-JSON-09",), _with(schema_version=True)),
    "version-missing": (("DS-SNAPSHOT-03",), _without("schema_version")),
    "collected-at-missing": (("DS-SNAPSHOT-03",), _without("collected_at")),
    "active-app-missing": (("DS-SNAPSHOT-03",), _without("active_app")),
    "battery-missing": (("DS-SNAPSHOT-03",), _without("battery")),
    "system-missing": (("DS-SNAPSHOT-03",), _without("system")),
    "music-missing": (("DS-SNAPSHOT-03",), _without("music")),
    "percent-missing": (("DS-DEVICE-05",), _without("battery", "percent")),
    "load-missing": (("DS-DEVICE-05",), _without("system", "load_15m")),
    "artist-missing": (("DS-TEXT-04",), _without("music", "artist")),
    "battery-null": (("DS-TEXT-04",), _with(battery=None)),
    "battery-unknown-member": (("DS-TEXT-05",), _battery(health=1)),
    "system-unknown-member": (("DS-TEXT-05",), _system(cpu=1)),
    "music-unknown-member": (("DS-TEXT-05",), _plays(album="x")),
    "app-empty": (("DS-APP-02",), _with(active_app="")),
    "app-too-long": (("DS-APP-02",), _with(active_app="a" * (limits.NAME_LENGTH + 1))),
    "app-number": (("DS-TEXT-04",), _with(active_app=1)),
    "app-control": (("DS-TEXT-02",), _with(active_app="a\u001fb")),
    "app-delete": (("DS-TEXT-02",), _with(active_app="a\u007fb")),
    "running-null": (("DS-APP-06",), _with(running_apps=None)),
    "running-too-many": (
        ("DS-APP-04",),
        _with(running_apps=[f"App {number}" for number in range(limits.RUNNING_APPS + 1)]),
    ),
    "running-repeated": (("DS-APP-05",), _with(running_apps=["A", "B", "A"])),
    "running-empty-name": (("DS-APP-02",), _with(running_apps=["A", ""])),
    "percent-low": (("DS-DEVICE-01",), _battery(percent=-0.5)),
    "percent-high": (("DS-DEVICE-01",), _battery(percent=100.5)),
    "percent-text": (("DS-TEXT-04", "DS-DEVICE-01"), _battery(percent="50")),
    "percent-true": (("DS-JSON-09", "DS-DEVICE-01"), _battery(percent=True)),
    "charging-text": (("DS-DEVICE-02",), _battery(charging="yes")),
    "charging-number": (("DS-DEVICE-02",), _battery(charging=1)),
    "power-source-null": (("DS-DEVICE-03",), _battery(power_source=None)),
    "power-source-other": (("DS-DEVICE-03",), _battery(power_source="usb")),
    "load-low": (("DS-DEVICE-04",), _system(load_1m=-1)),
    "load-high": (("DS-DEVICE-04",), _system(load_15m=limits.LOAD_MAX + 1)),
    "music-state": (("DS-MUSIC-01",), _plays(state="buffering")),
    "track-empty": (("DS-MUSIC-02",), _plays(track="")),
    "track-too-long": (("DS-MUSIC-02",), _plays(track="a" * (limits.TITLE_LENGTH + 1))),
    "artist-too-long": (("DS-MUSIC-02",), _plays(artist="a" * (limits.TITLE_LENGTH + 1))),
    "artwork-alone": (("DS-MUSIC-03",), _plays(artwork_url=ARTWORK)),
    "track-url-alone": (("DS-MUSIC-03",), _plays(track_url=TRACK)),
    "pair-half-null": (("DS-MUSIC-03",), _plays(artwork_url=ARTWORK, track_url=None)),
    "pair-while-stopped": (("DS-MUSIC-04",), _pair(state="stopped")),
    "pair-while-unavailable": (("DS-MUSIC-04",), _pair(state="unavailable")),
    "pair-without-artist": (("DS-MUSIC-05",), _pair(artist=None)),
    "pair-with-blank-track": (("DS-MUSIC-05", "DS-MUSIC-06"), _pair(track=" \u3000")),
    "pair-with-blank-artist": (("DS-MUSIC-05", "DS-MUSIC-06"), _pair(artist="\ufeff")),
    "url-too-long": (
        ("DS-URL-01",),
        _artwork(ARTWORK + "?" + "a" * (limits.URL_LENGTH - len(ARTWORK))),
    ),
    "url-outer-blank": (("DS-URL-02",), _artwork(f"{ARTWORK} ")),
    "url-control": (("DS-URL-03",), _artwork(f"{ARTWORK}?a\u007f")),
    "url-http": (("DS-URL-05",), _artwork(ARTWORK.replace("https", "http"))),
    "url-user": (("DS-URL-06",), _artwork(ARTWORK.replace("//", "//user@"))),
    "url-port": (("DS-URL-07",), _artwork(ARTWORK.replace(".com", ".com:8443"))),
    "url-other-host": (("DS-URL-08",), _artwork("https://art.example/a.jpg")),
    "url-catalog-domain-itself": (("DS-URL-08",), _artwork("https://mzstatic.com/a.jpg")),
    "url-similar-domain": (("DS-URL-08",), _artwork("https://xmzstatic.com/a.jpg")),
    "url-domain-as-prefix": (("DS-URL-08",), _artwork("https://mzstatic.com.example/a.jpg")),
    "url-trailing-dot": (("DS-URL-10",), _artwork("https://is1.mzstatic.com./a.jpg")),
    "url-empty-label": (("DS-URL-10",), _artwork("https://a..mzstatic.com/a.jpg")),
    "track-url-other-host": (("DS-URL-09",), _pair(track_url="https://music.example/a")),
    "track-url-subdomain": (
        ("DS-URL-09",),
        _pair(track_url="https://a.music.apple.com/a"),
    ),
    "clock-behind": (
        ("DS-SNAPSHOT-05", "DS-TIME-08"),
        lambda now: snapshot(now - limits.CLOCK_SKEW_MS - 5_000),
    ),
    "clock-ahead": (
        ("DS-SNAPSHOT-05", "DS-TIME-08"),
        lambda now: snapshot(now + limits.CLOCK_SKEW_MS + 5_000),
    ),
    "time-offset": (("DS-TIME-04",), lambda now: _collected(now, "+00:00")),
    "time-lower-case": (("DS-TIME-04",), lambda now: _collected(now, "z")),
    "time-four-digits": (("DS-TIME-02",), lambda now: _collected(now, "0Z")),
    "time-day": (("DS-TIME-03",), _with(collected_at="2026-02-30T12:00:00Z")),
    "time-24": (("DS-TIME-03",), _with(collected_at="2026-01-31T24:00:00Z")),
    "time-number": (("DS-TEXT-04",), lambda now: snapshot(now, collected_at=now)),
}
"""Snapshots that break a rule of their members."""


def _collected(now: int, end: str) -> Plain:
    return snapshot(now, collected_at=format_instant(now).removesuffix("Z") + end)


VALID_SNAPSHOTS: Final[_Cases] = {
    "without-running-apps": (("DS-SNAPSHOT-03", "DS-APP-06"), _without("running_apps")),
    "nothing-reported": (("DS-SNAPSHOT-04", "DS-APP-01"), nothing),
    "no-running-app": (("DS-APP-06",), _with(running_apps=[])),
    "names-that-differ-in-case": (("DS-APP-05",), _with(running_apps=["A", "a", "A "])),
    "longest-app": (("DS-APP-02",), _with(active_app="a" * limits.NAME_LENGTH)),
    "longest-app-in-code-points": (
        ("DS-TEXT-01", "DS-APP-02"),
        _with(active_app="\U0001f3a7" * limits.NAME_LENGTH),
    ),
    "other-characters": (("DS-TEXT-03",), _with(active_app="\u0085\u2028\u202e\U0001f600")),
    "not-normalized": (("DS-TEXT-06",), _with(active_app=" e\u0301  \ufb01 ")),
    "markup": (("DS-TEXT-06",), _with(active_app="<b>&amp; 'Q' \\ \"\"")),
    "unsorted-apps": (("DS-TEXT-06", "DS-NOW-01"), _with(running_apps=["b", "a", "C"])),
    "most-running-apps": (
        ("DS-APP-04",),
        _with(running_apps=[f"App {number}" for number in range(limits.RUNNING_APPS)]),
    ),
    "percent-bounds": (("DS-DEVICE-01",), _battery(percent=0, charging=True)),
    "percent-upper-bound": (("DS-DEVICE-01", "DS-DEVICE-02"), _battery(percent=100)),
    "load-bounds": (("DS-DEVICE-04",), _system(load_1m=0, load_5m=limits.LOAD_MAX)),
    "playing-without-track": (("DS-MUSIC-07",), _plays(track=None, artist=None)),
    "stopped-with-track": (("DS-MUSIC-07",), _plays(state="stopped")),
    "paused": (("DS-MUSIC-01",), _plays(state="paused")),
    "longest-track": (("DS-MUSIC-02",), _plays(track="a" * limits.TITLE_LENGTH)),
    "pair-of-nulls": (("DS-MUSIC-03",), _pair(artwork_url=None, track_url=None, state="stopped")),
    "pair": (("DS-MUSIC-03", "DS-MUSIC-04"), _pair(state="paused")),
    "pair-with-next-line": (("DS-MUSIC-06",), _pair(artist="\u0085")),
    "url-port-443": (("DS-URL-07", "DS-URL-11"), _artwork(ARTWORK.replace(".com", ".com:0443"))),
    "url-upper-case": (
        ("DS-URL-05", "DS-URL-10", "DS-URL-11"),
        _artwork(ARTWORK.replace("https", "HTTPS").replace("mzstatic", "MZSTATIC")),
    ),
    "longest-url": (
        ("DS-URL-01",),
        _artwork(f"{ARTWORK}?{'a' * (limits.URL_LENGTH - len(ARTWORK) - 1)}"),
    ),
    "url-as-sent": (("DS-URL-04", "DS-URL-11"), _artwork(ARTWORK.replace("/image", "/a/../image"))),
    "time-without-fraction": (
        ("DS-TIME-02", "DS-TIME-05"),
        lambda now: snapshot(now, collected_at=f"{format_instant(now)[:19]}Z"),
    ),
    "time-with-one-digit": (
        ("DS-TIME-02", "DS-TIME-05"),
        lambda now: snapshot(now, collected_at=f"{format_instant(now)[:21]}Z"),
    ),
    "clock-behind": (
        ("DS-SNAPSHOT-05",),
        lambda now: snapshot(now - limits.CLOCK_SKEW_MS + 10_000),
    ),
    "clock-ahead": (
        ("DS-SNAPSHOT-05",),
        lambda now: snapshot(now + limits.CLOCK_SKEW_MS - 10_000),
    ),
}
"""Snapshots at the bounds of the rules, which a deployment accepts and shows unchanged."""


def _span(
    start: float,
    end: float,
    *events: tuple[int, float],
    gaps: tuple[tuple[float, float], ...] = (),
    **members: object,
) -> Make:
    """Return what makes a window; all times are seconds relative to the server's time."""

    def make(now: int) -> Plain:
        def at(seconds: float) -> int:
            return now + round(seconds * 1000)

        made_events = [event(seq, at(seconds), active_app=f"App {seq}") for seq, seconds in events]
        made_gaps = [gap(at(first), at(last)) for first, last in gaps]
        body = window(at(start), at(end), events=made_events, gaps=made_gaps)
        body.update(
            {name: value(at) if callable(value) else value for name, value in members.items()}
        )
        return body

    return make


def _edit(change: Callable[[Plain], object]) -> Make:
    def make(now: int) -> Plain:
        body = _span(-600, -10, (1, -500), (2, -400), gaps=((-300, -200),))(now)
        change(body)
        return body

    return make


def _text(seconds: float) -> Callable[[Callable[[float], int]], str]:
    return lambda at: format_instant(at(seconds))


INVALID_WINDOWS: Final[_Cases] = {
    "unknown-member": (("DS-TEXT-05",), _span(-60, -10, mood="fine")),
    "version-1": (("DS-WINDOW-01",), _span(-60, -10, schema_version=1)),
    **{
        f"{name.replace('_', '-')}-missing": (
            ("DS-WINDOW-02",),
            _edit(lambda body, name=name: body.pop(name)),  # type: ignore[misc]
        )
        for name in ("session_id", "batch_seq", "generated_at", "baseline", "gaps")
    },
    "session-upper-case": (("DS-WINDOW-03",), _span(-60, -10, session_id=SESSION.upper())),
    "session-short": (("DS-WINDOW-03",), _span(-60, -10, session_id=SESSION[:-1])),
    "batch-0": (("DS-WINDOW-05",), _span(-60, -10, batch_seq=0)),
    "batch-too-large": (
        ("DS-WINDOW-05",),
        _span(-60, -10, batch_seq=limits.LARGEST_INTEGER + 1),
    ),
    "batch-fraction": (("DS-WINDOW-05", "DS-JSON-09"), _span(-60, -10, batch_seq=1.5)),
    "dropped-negative": (("DS-WINDOW-06",), _span(-60, -10, dropped_events=-1)),
    "ends-before-it-starts": (("DS-WINDOW-07",), _span(-10, -11)),
    "too-long": (("DS-WINDOW-08", "DS-TIME-08"), _span(-910, -9.999)),
    "generated-before-its-end": (
        ("DS-WINDOW-09",),
        _span(-60, -10, generated_at=_text(-10.001)),
    ),
    "generated-too-late": (
        ("DS-WINDOW-10", "DS-TIME-08"),
        _span(-60, -40, generated_at=_text(-9.999)),
    ),
    "clock-behind": (("DS-WINDOW-11",), _span(-200, -125)),
    "clock-ahead": (("DS-WINDOW-11",), _span(-10, 125)),
    "baseline-at-another-time": (
        ("DS-WINDOW-13",),
        _span(-60, -10, baseline=lambda at: snapshot(at(-59))),
    ),
    "baseline-with-another-text": (
        ("DS-WINDOW-13",),
        _edit(lambda body: body["baseline"].update(collected_at=body["window_start"][:-1] + "0Z")),
    ),
    "baseline-incomplete": (("DS-WINDOW-12",), _edit(lambda body: body["baseline"].pop("music"))),
    "baseline-pair-while-stopped": (
        ("DS-WINDOW-17",),
        _edit(lambda body: body["baseline"]["music"].update(artwork_url=ARTWORK, track_url=TRACK)),
    ),
    "event-pair-while-stopped": (
        ("DS-WINDOW-17",),
        _edit(
            lambda body: body["events"][0]["changes"].update(
                music=_music(state="stopped", artwork_url=ARTWORK, track_url=TRACK)
            )
        ),
    ),
    "too-many-events": (
        ("DS-WINDOW-15",),
        _span(-60, -10, *((seq, -50) for seq in range(1, limits.WINDOW_EVENTS + 2))),
    ),
    "too-many-gaps": (
        ("DS-WINDOW-16",),
        _span(-300, -10, gaps=tuple((-290 + 2 * n, -289 + 2 * n) for n in range(129))),
    ),
    "seq-0": (("DS-EVENT-01",), _span(-60, -10, (0, -50))),
    "seq-repeated": (("DS-EVENT-02",), _span(-60, -10, (1, -50), (1, -40))),
    "seq-falling": (("DS-EVENT-02",), _span(-60, -10, (2, -50), (1, -40))),
    "events-go-back": (("DS-EVENT-03",), _span(-60, -10, (1, -40), (2, -40.001))),
    "event-before-window": (("DS-EVENT-04",), _span(-60, -10, (1, -60.001))),
    "event-after-window": (("DS-EVENT-04",), _span(-60, -10, (1, -9.999))),
    "changes-empty": (("DS-EVENT-05",), _edit(lambda body: body["events"][0].update(changes={}))),
    "changes-unknown": (
        ("DS-EVENT-06",),
        _edit(lambda body: body["events"][0]["changes"].update(collected_at=body["window_start"])),
    ),
    "changes-partial-battery": (
        ("DS-EVENT-06",),
        _edit(lambda body: body["events"][0].update(changes={"battery": {"percent": 5}})),
    ),
    "event-without-seq": (("DS-EVENT-08",), _edit(lambda body: body["events"][0].pop("seq"))),
    "event-time-without-fraction": (
        ("DS-TIME-01",),
        _edit(lambda body: body["events"][0].update(at=body["window_start"][:19] + "Z")),
    ),
    "gap-empty": (("DS-GAP-02",), _span(-60, -10, gaps=((-40, -40),))),
    "gap-backwards": (("DS-GAP-02",), _span(-60, -10, gaps=((-40, -41),))),
    "gap-before-window": (("DS-GAP-03",), _span(-60, -10, gaps=((-60.001, -40),))),
    "gap-after-window": (("DS-GAP-03",), _span(-60, -10, gaps=((-40, -9.999),))),
    "gaps-unsorted": (("DS-GAP-04",), _span(-60, -10, gaps=((-30, -20), (-50, -40)))),
    "gaps-overlap": (("DS-GAP-04",), _span(-60, -10, gaps=((-50, -30), (-31, -20)))),
    "gap-reason": (("DS-GAP-05",), _edit(lambda body: body["gaps"][0].update(reason="lunch"))),
    "gap-without-reason": (("DS-GAP-06",), _edit(lambda body: body["gaps"][0].pop("reason"))),
}
"""Windows that break a rule."""

VALID_WINDOWS: Final[_Cases] = {
    "zero-length": (("DS-WINDOW-07",), _span(-30, -30)),
    "longest": (("DS-WINDOW-08", "DS-TIME-08"), _span(-910, -10)),
    "latest-generation": (
        ("DS-WINDOW-10", "DS-TIME-08"),
        _span(-60, -40, generated_at=_text(-10)),
    ),
    "events-at-both-ends": (("DS-EVENT-04",), _span(-60, -10, (1, -60), (2, -10))),
    "events-at-one-instant": (("DS-EVENT-02", "DS-EVENT-03"), _span(-60, -10, (3, -50), (9, -50))),
    "gap-over-all": (("DS-GAP-03",), _span(-60, -10, gaps=((-60, -10),))),
    "touching-gaps": (("DS-GAP-04",), _span(-60, -10, gaps=((-50, -40), (-40, -30)))),
    "most-events": (
        ("DS-WINDOW-15",),
        _span(-600, -10, *((seq, -500 + seq / 10) for seq in range(1, limits.WINDOW_EVENTS + 1))),
    ),
    "most-gaps": (
        ("DS-WINDOW-16",),
        _span(-300, -10, gaps=tuple((-290 + 2 * n, -289 + 2 * n) for n in range(128))),
    ),
    "largest-numbers": (
        ("DS-WINDOW-05", "DS-WINDOW-06", "DS-EVENT-01"),
        _span(
            -60,
            -10,
            (limits.LARGEST_INTEGER, -20),
            batch_seq=limits.LARGEST_INTEGER,
            dropped_events=limits.LARGEST_INTEGER,
        ),
    ),
    "old-baseline": (("DS-WINDOW-14",), _span(-800, -10)),
}
"""Windows at the bounds of the rules, which a deployment accepts and returns unchanged."""
