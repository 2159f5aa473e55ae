"""Vectors of device status: bodies of writes, each with the findings that it must have."""

# ruff: noqa: E501 # tables of cases

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

import attrs

from devicestatus import ContractError, parse_snapshot, parse_window
from devicestatus.conformance import rule_of
from devicestatus.models import Snapshot, Window
from devicestatus.testing.faults import CASES
from purewire.structuring.cases import Case as MemberCase
from purewire.structuring.to_builtins import to_builtins
from support.devicestatus.examples import NOON, RECEIVED_AT, SESSION
from support.vectors.derived import derived
from support.vectors.topics import Case, Json, Topic, body_bytes

__all__ = ["DROP", "PARSING", "SNAPSHOT", "WINDOW", "Raw", "edited"]

DROP: Final = object()
"""In place of a value: the member is left out."""

_VALUE_BYTES: Final = 2_000
"""The value of a longer body is left out of the file."""

START: Final = "2026-01-01T12:00:00.000Z"
END: Final = "2026-01-01T12:15:00.000Z"
COVER: Final = "https://is1-ssl.mzstatic.com/image/cover.jpg"
PAGE: Final = "https://music.apple.com/us/album/song/1?i=2"
SNAPSHOT: Final[Json] = {
    "schema_version": 1,
    "collected_at": START,
    "active_app": "Editor",
    "running_apps": ["Editor", "Terminal"],
    "battery": {"percent": 82, "charging": False, "power_source": "battery"},
    "system": {"load_1m": 1.5, "load_5m": 1.25, "load_15m": 1},
    "music": {"state": "playing", "track": "Song", "artist": "Band"},
}
WINDOW: Final[Json] = {
    "schema_version": 2,
    "session_id": SESSION,
    "batch_seq": 1,
    "generated_at": END,
    "window_start": START,
    "window_end": END,
    "baseline": SNAPSHOT,
    "events": [
        {"seq": 1, "at": "2026-01-01T12:01:00.000Z", "changes": {"active_app": "Files"}},
        {"seq": 2, "at": "2026-01-01T12:02:00.000Z", "changes": {"active_app": None}},
    ],
    "gaps": [
        {
            "start_at": "2026-01-01T12:05:00.000Z",
            "end_at": "2026-01-01T12:06:00.000Z",
            "reason": "sleep",
        }
    ],
    "dropped_events": 0,
}


@attrs.frozen
class Raw:
    """JSON text in place of a value, written as it is."""

    text: str


Edits = Mapping[str, Any]
Row = tuple[str, str, Edits, str]
"""Title, rules, members to replace by their path, and findings: paths and rule ids."""


def edited(base: Json, edits: Edits) -> Json:
    """Return a plain value with other members; a path is names and indexes joined by dots."""
    value: Any = deepcopy(base)
    for path, new in edits.items():
        *parents, last = path.split(".")
        place = value
        for step in parents:
            place = place[int(step) if isinstance(place, list) else step]
        if isinstance(place, list):
            place[int(last)] = new
        elif new is DROP:
            del place[last]
        else:
            place[last] = new
    result: Json = value
    return result


def text(value: object) -> str:
    """Return compact JSON text, with the text of each `Raw` as it is."""
    raws: list[str] = []

    def mark(raw: object) -> str:
        assert isinstance(raw, Raw)
        raws.append(raw.text)
        return f"\0{len(raws) - 1}\0"

    plain = json.dumps(value, default=mark, ensure_ascii=False, separators=(",", ":"))
    for number, raw in enumerate(raws):
        plain = plain.replace(f'"\\u0000{number}\\u0000"', raw)
    return plain


SNAPSHOT_ROWS: Final[tuple[Row, ...]] = (
    ("a complete snapshot", "DS-SNAPSHOT-03 DS-SNAPSHOT-01", {}, ""),
    ("schema version 2 in a snapshot", "DS-SNAPSHOT-01 DS-VERSION-01", {"schema_version": 2}, "/schema_version constant"),
    ("schema version as text", "DS-SNAPSHOT-01", {"schema_version": "1"}, "/schema_version constant"),
    ("schema version 1.0", "DS-SNAPSHOT-01 DS-JSON-09", {"schema_version": Raw("1.0")}, ""),
    ("schema version true", "DS-SNAPSHOT-01 DS-JSON-09", {"schema_version": True}, "/schema_version constant"),
    ("a missing schema version", "DS-SNAPSHOT-03 DS-TEXT-04", {"schema_version": DROP}, "/schema_version required"),
    ("a missing active app", "DS-SNAPSHOT-03 DS-TEXT-04", {"active_app": DROP}, "/active_app required"),
    ("a missing battery", "DS-SNAPSHOT-03", {"battery": DROP}, "/battery required"),
    ("a missing music", "DS-SNAPSHOT-03", {"music": DROP}, "/music required"),
    ("missing running apps", "DS-SNAPSHOT-03 DS-APP-06", {"running_apps": DROP}, ""),
    ("every required member missing", "DS-SNAPSHOT-03 DS-ERROR-06", {"schema_version": DROP, "collected_at": DROP, "active_app": DROP, "battery": DROP, "system": DROP, "music": DROP}, "/schema_version required, /collected_at required, /active_app required, /battery required, /system required, /music required"),
    ("an unknown member of a snapshot", "DS-TEXT-05", {"mood": "good"}, "/mood unknown"),
    ("an unknown member of the battery", "DS-TEXT-05", {"battery.volts": 12}, "/battery/volts unknown"),
    ("a client that sends updated_at", "DS-UPDATE-05 DS-TEXT-05", {"updated_at": START}, "/updated_at unknown"),
    ("a client that sends a lifetime", "DS-UPDATE-05 DS-TEXT-05", {"ttl": 60}, "/ttl unknown"),
    ("an unknown member whose name needs an escape in a path", "DS-TEXT-05", {"a/b~c": 1}, "/a~1b~0c unknown"),
    ("a battery that is null", "DS-TEXT-04 DS-DEVICE-05", {"battery": None}, "/battery type"),
    ("a battery that is a list", "DS-TEXT-04", {"battery": []}, "/battery type"),
    # text
    ("an active app that is null", "DS-APP-01 DS-SNAPSHOT-04", {"active_app": None}, ""),
    ("an active app that is a number", "DS-APP-01 DS-TEXT-04", {"active_app": 7}, "/active_app type"),
    ("an empty app name", "DS-APP-02", {"active_app": ""}, "/active_app text.length"),
    ("an app name of 1 code point", "DS-APP-02", {"active_app": "x"}, ""),
    ("an app name of 200 code points", "DS-APP-02", {"active_app": "x" * 200}, ""),
    ("an app name of 201 code points", "DS-APP-02", {"active_app": "x" * 201}, "/active_app text.length"),
    ("an app name of 200 emoji", "DS-APP-02 DS-TEXT-01", {"active_app": "\U0001f600" * 200}, ""),
    ("an app name of 201 emoji", "DS-APP-02 DS-TEXT-01", {"active_app": "\U0001f600" * 201}, "/active_app text.length"),
    ("an app name with a line feed", "DS-TEXT-02", {"active_app": "a\nb"}, "/active_app text.control"),
    ("an app name with U+001F", "DS-TEXT-02", {"active_app": "a\x1f"}, "/active_app text.control"),
    ("an app name with DEL", "DS-TEXT-02", {"active_app": "a\x7f"}, "/active_app text.control"),
    ("an app name with U+0080 and U+2028", "DS-TEXT-03", {"active_app": "a\x80\u2028"}, ""),
    ("an app name with bidirectional marks", "DS-TEXT-03", {"active_app": "\u202eabc\u2069"}, ""),
    ("an app name of blanks", "DS-TEXT-03 DS-APP-02", {"active_app": "   "}, ""),
    ("a name that is not normalized", "DS-TEXT-06", {"active_app": "e\u0301 \ufb01"}, ""),
    ("an escaped lone surrogate", "DS-JSON-07", {"active_app": Raw(r'"a\ud800"')}, "invalid_json"),
    ("an escaped pair of surrogates", "DS-JSON-07 DS-TEXT-01", {"active_app": Raw(r'"\ud83d\ude00"')}, ""),
    ("the name of a private app", "DS-APP-03", {"active_app": "System"}, ""),
    # running apps
    ("no running apps", "DS-APP-06", {"running_apps": []}, ""),
    ("running apps that are null", "DS-APP-06 DS-TEXT-04", {"running_apps": None}, "/running_apps type"),
    ("64 running apps", "DS-APP-04", {"running_apps": [f"App {n}" for n in range(64)]}, ""),
    ("65 running apps", "DS-APP-04", {"running_apps": [f"App {n}" for n in range(65)]}, "/running_apps items.count"),
    ("a running app twice", "DS-APP-05", {"running_apps": ["A", "B", "A"]}, "/running_apps/2 items.unique"),
    ("running apps that differ in case and blanks", "DS-APP-05 DS-TEXT-06", {"running_apps": ["a", "A", "a "]}, ""),
    ("running apps that differ in normalization only", "DS-APP-05 DS-TEXT-06", {"running_apps": ["\u00e9", "e\u0301"]}, ""),
    ("an empty name among running apps", "DS-APP-02", {"running_apps": ["A", ""]}, "/running_apps/1 text.length"),
    ("a number among running apps", "DS-TEXT-04", {"running_apps": ["A", 1]}, "/running_apps/1 type"),
    # numbers
    ("a percentage of 0", "DS-DEVICE-01", {"battery.percent": 0}, ""),
    ("a percentage of 100", "DS-DEVICE-01", {"battery.percent": 100}, ""),
    ("a percentage above 100", "DS-DEVICE-01", {"battery.percent": 100.5}, "/battery/percent number.range"),
    ("a percentage below 0", "DS-DEVICE-01", {"battery.percent": -1}, "/battery/percent number.range"),
    ("a percentage that is null", "DS-DEVICE-01 DS-SNAPSHOT-04", {"battery.percent": None}, ""),
    ("a percentage of true", "DS-JSON-09", {"battery.percent": True}, "/battery/percent type"),
    ("a percentage of minus zero", "DS-JSON-10", {"battery.percent": Raw("-0")}, ""),
    ("a percentage of minus zero with a fraction", "DS-JSON-10", {"battery.percent": Raw("-0.0")}, ""),
    ("a percentage of 1e2", "DS-JSON-09 DS-JSON-13", {"battery.percent": Raw("1e2")}, ""),
    ("a percentage that no double holds", "DS-JSON-04 DS-JSON-12", {"battery.percent": Raw("1e999")}, "/battery/percent number.finite"),
    ("a percentage too close to zero for a double", "DS-JSON-11", {"battery.percent": Raw("1e-999")}, ""),
    ("a percentage that rounds to 100", "DS-JSON-11", {"battery.percent": Raw("100.000000000000001")}, ""),
    ("charging that is null", "DS-DEVICE-02 DS-SNAPSHOT-04", {"battery.charging": None}, ""),
    ("charging that is 1", "DS-DEVICE-02 DS-TEXT-04", {"battery.charging": 1}, "/battery/charging type"),
    ("an unknown power source", "DS-DEVICE-03", {"battery.power_source": "solar"}, "/battery/power_source constant"),
    ("a power source that is null", "DS-DEVICE-03", {"battery.power_source": None}, "/battery/power_source constant"),
    ("mains power that does not charge", "DS-DEVICE-02", {"battery.power_source": "ac", "battery.charging": False}, ""),
    ("a missing charging", "DS-DEVICE-05", {"battery.charging": DROP}, "/battery/charging required"),
    ("a load of 100000", "DS-DEVICE-04", {"system.load_1m": 100000}, ""),
    ("a load above 100000", "DS-DEVICE-04", {"system.load_1m": 100001}, "/system/load_1m number.range"),
    ("a load below 0", "DS-DEVICE-04", {"system.load_15m": -0.5}, "/system/load_15m number.range"),
    ("loads that are null", "DS-DEVICE-04 DS-SNAPSHOT-04", {"system.load_1m": None, "system.load_5m": None, "system.load_15m": None}, ""),
    ("a load that is text", "DS-TEXT-04", {"system.load_5m": "1"}, "/system/load_5m type"),
    ("a load with digits beyond a double", "DS-JSON-11", {"system.load_1m": Raw("0.1000000000000000055511151231257827")}, ""),
    # time
    ("a time without a fraction", "DS-TIME-02", {"collected_at": "2026-01-01T12:00:00Z"}, ""),
    ("a time with one fractional digit", "DS-TIME-02", {"collected_at": "2026-01-01T12:00:00.5Z"}, ""),
    ("a time with two fractional digits", "DS-TIME-02", {"collected_at": "2026-01-01T12:00:00.25Z"}, ""),
    ("a time with four fractional digits", "DS-TIME-02", {"collected_at": "2026-01-01T12:00:00.1234Z"}, "/collected_at time.format"),
    ("a time with a point and no digit", "DS-TIME-02", {"collected_at": "2026-01-01T12:00:00.Z"}, "/collected_at time.format"),
    ("a time with an offset", "DS-TIME-02", {"collected_at": "2026-01-01T12:00:00.000+00:00"}, "/collected_at time.format"),
    ("a time in small letters", "DS-TIME-04", {"collected_at": "2026-01-01t12:00:00.000z"}, "/collected_at time.format"),
    ("a time with a blank for the T", "DS-TIME-02", {"collected_at": "2026-01-01 12:00:00.000Z"}, "/collected_at time.format"),
    ("a time with full-width digits", "DS-TIME-04", {"collected_at": "\uff12026-01-01T12:00:00.000Z"}, "/collected_at time.format"),
    ("a time with a line feed at its end", "DS-TIME-02", {"collected_at": "2026-01-01T12:00:00.000Z\n"}, "/collected_at time.format"),
    ("the 30th of February", "DS-TIME-03", {"collected_at": "2026-02-30T12:00:00.000Z"}, "/collected_at time.format"),
    ("the 29th of February in a common year", "DS-TIME-03", {"collected_at": "2025-02-29T12:00:00.000Z"}, "/collected_at time.format"),
    ("the 29th of February of 1900", "DS-TIME-03", {"collected_at": "1900-02-29T12:00:00.000Z"}, "/collected_at time.format"),
    ("an hour 24", "DS-TIME-03", {"collected_at": "2026-01-01T24:00:00.000Z"}, "/collected_at time.format"),
    ("a minute 60", "DS-TIME-03", {"collected_at": "2026-01-01T12:60:00.000Z"}, "/collected_at time.format"),
    ("a leap second", "DS-TIME-03", {"collected_at": "2016-12-31T23:59:60.000Z"}, "/collected_at time.format"),
    ("the year 0000", "DS-TIME-04", {"collected_at": "0000-01-01T00:00:00.000Z"}, "/collected_at time.format"),
    ("a month 13", "DS-TIME-03", {"collected_at": "2026-13-01T12:00:00.000Z"}, "/collected_at time.format"),
    ("a time that is a number", "DS-TEXT-04", {"collected_at": NOON}, "/collected_at type"),
    ("collected 120 s before it is received", "DS-SNAPSHOT-05 DS-TIME-08", {"collected_at": "2026-01-01T11:58:00.000Z"}, ""),
    ("collected 120.001 s before it is received", "DS-SNAPSHOT-05 DS-TIME-08", {"collected_at": "2026-01-01T11:57:59.999Z"}, "/collected_at snapshot.skew"),
    ("collected 120 s after it is received", "DS-SNAPSHOT-05 DS-TIME-08", {"collected_at": "2026-01-01T12:02:00.000Z"}, ""),
    ("collected 120.001 s after it is received", "DS-SNAPSHOT-05 DS-TIME-08", {"collected_at": "2026-01-01T12:02:00.001Z"}, "/collected_at snapshot.skew"),
    # music
    ("music that plays without a track", "DS-MUSIC-07", {"music.track": None, "music.artist": None}, ""),
    ("an unknown music state", "DS-MUSIC-01", {"music.state": "buffering"}, "/music/state constant"),
    ("stopped music with a track", "DS-MUSIC-07 DS-MUSIC-01", {"music.state": "stopped"}, ""),
    ("unavailable music", "DS-MUSIC-01", {"music.state": "unavailable", "music.track": None, "music.artist": None}, ""),
    ("a missing artist", "DS-TEXT-04", {"music.artist": DROP}, "/music/artist required"),
    ("a track of 500 code points", "DS-MUSIC-02", {"music.track": "t" * 500}, ""),
    ("a track of 501 code points", "DS-MUSIC-02", {"music.track": "t" * 501}, "/music/track text.length"),
    ("an empty artist", "DS-MUSIC-02", {"music.artist": ""}, "/music/artist text.length"),
    ("a pair of URLs", "DS-MUSIC-03", {"music.artwork_url": COVER, "music.track_url": PAGE}, ""),
    ("a pair of nulls", "DS-MUSIC-03", {"music.artwork_url": None, "music.track_url": None}, ""),
    ("an artwork URL alone", "DS-MUSIC-03", {"music.artwork_url": COVER}, "/music music.pair"),
    ("a track URL alone", "DS-MUSIC-03", {"music.track_url": PAGE}, "/music music.pair"),
    ("one URL and one null", "DS-MUSIC-03", {"music.artwork_url": COVER, "music.track_url": None}, "/music music.pair"),
    ("a null alone", "DS-MUSIC-03", {"music.track_url": None}, "/music music.pair"),
    ("a pair of URLs while paused", "DS-MUSIC-04", {"music.state": "paused", "music.artwork_url": COVER, "music.track_url": PAGE}, ""),
    ("a pair of URLs while stopped", "DS-MUSIC-04", {"music.state": "stopped", "music.artwork_url": COVER, "music.track_url": PAGE}, "/music/state music.url-state"),
    ("a pair of nulls while stopped", "DS-MUSIC-04", {"music.state": "stopped", "music.artwork_url": None, "music.track_url": None}, ""),
    ("a pair of URLs without a track", "DS-MUSIC-05", {"music.track": None, "music.artwork_url": COVER, "music.track_url": PAGE}, "/music/track music.url-title"),
    ("a pair of URLs with a blank artist", "DS-MUSIC-05 DS-MUSIC-06", {"music.artist": " \u2003\ufeff", "music.artwork_url": COVER, "music.track_url": PAGE}, "/music/artist music.url-title"),
    ("a pair of URLs with an artist of U+0085", "DS-MUSIC-05 DS-MUSIC-06", {"music.artist": "\x85", "music.artwork_url": COVER, "music.track_url": PAGE}, ""),
    *((f"a pair of URLs with a blank track of U+{ord(blank):04X}", "DS-MUSIC-05 DS-MUSIC-06", {"music.track": blank, "music.artwork_url": COVER, "music.track_url": PAGE}, "/music/track music.url-title") for blank in "\u00a0\u1680\u2000\u2028\u2029\u202f\u205f\u3000\ufeff"),
    *((f"a pair of URLs with a track of U+{ord(text):04X}", "DS-MUSIC-05 DS-MUSIC-06", {"music.track": text, "music.artwork_url": COVER, "music.track_url": PAGE}, "") for text in "\u00ad\u180e\u200b\u200d\u2060"),
    ("a faulty URL without its pair", "DS-MUSIC-03 DS-MUSIC-05", {"music.artwork_url": "http://a.mzstatic.com/", "music.track_url": None, "music.track": None}, "/music music.pair, /music/artwork_url url.scheme, /music/track music.url-title"),
    ("two URLs of other hosts", "DS-URL-08 DS-URL-09", {"music.artwork_url": "https://example.com/a", "music.track_url": "https://example.com/a"}, "/music/artwork_url url.host, /music/track_url url.host"),
    ("a number in place of one URL", "DS-MUSIC-03 DS-TEXT-04", {"music.artwork_url": 0, "music.track_url": PAGE}, "/music/artwork_url type"),
    ("blank titles with a pair of nulls", "DS-MUSIC-05 DS-TEXT-03", {"music.track": " ", "music.artist": "\ufeff", "music.artwork_url": None, "music.track_url": None}, ""),
    ("a pair of URLs with every condition broken", "DS-MUSIC-04 DS-MUSIC-05", {"music.state": "stopped", "music.track": None, "music.artist": " ", "music.artwork_url": COVER, "music.track_url": PAGE}, "/music/state music.url-state, /music/track music.url-title, /music/artist music.url-title"),
    ("a pair of URLs with a faulty state and track", "DS-MUSIC-04 DS-MUSIC-05 DS-TEXT-04", {"music.state": "off", "music.track": 0, "music.artwork_url": COVER, "music.track_url": PAGE}, "/music/state constant, /music/track type"),
    *((f"a missing {member.replace('.', ' ')}", "DS-DEVICE-05 DS-TEXT-04", {member: DROP}, f"/{member.replace('.', '/')} required") for member in ("battery.percent", "battery.power_source", "system.load_1m", "system.load_5m", "system.load_15m")),
    *((f"a missing {member} of the music", "DS-TEXT-04", {f"music.{member}": DROP}, f"/music/{member} required") for member in ("state", "track")),
    *((f"an unknown member of the {place}", "DS-TEXT-05", {f"{place}.Extra": None}, f"/{place}/Extra unknown") for place in ("system", "music")),
    *((f"an app name with U+{code:04X}", "DS-TEXT-02", {"active_app": f"a{chr(code)}b"}, "/active_app text.control") for code in (0, 1, 8, 9, 13, 27)),
    *((f"an app name of U+{ord(text[0]):04X}", "DS-TEXT-03", {"active_app": text}, "") for text in ("\u0085", "\u009f", "\u00a0", "\u200e", "\ufeff", "\uffff", "\U0010ffff", "\U0001f468\u200d\U0001f467")),
    ("a URL that is a number", "DS-TEXT-04", {"music.artwork_url": 1, "music.track_url": PAGE}, "/music/artwork_url type"),
)  # fmt: skip

_ARTWORK_ROWS: Final[tuple[tuple[str, str, str, str], ...]] = (
    ("an upper-case scheme", "DS-URL-05", "HTTPS://a.mzstatic.com/x", ""),
    ("an http URL", "DS-URL-05", "http://a.mzstatic.com/x", "url.scheme"),
    ("a data URL", "DS-URL-05", "data:image/png;base64,AA", "url.scheme"),
    ("no URL", "DS-URL-04", "cover", "url.parse"),
    ("an empty URL", "DS-URL-04", "", "url.parse"),
    ("a URL with a user", "DS-URL-06", "https://user@a.mzstatic.com/x", "url.credentials"),
    ("a URL with a password", "DS-URL-06", "https://:secret@a.mzstatic.com/x", "url.credentials"),
    ("a URL with port 443", "DS-URL-07", "https://a.mzstatic.com:443/x", ""),
    ("a URL with port 0443", "DS-URL-07", "https://a.mzstatic.com:0443/x", ""),
    ("a URL with an empty port", "DS-URL-07", "https://a.mzstatic.com:/x", ""),
    ("a URL with port 8443", "DS-URL-07", "https://a.mzstatic.com:8443/x", "url.port"),
    ("a URL with port 80", "DS-URL-07", "https://a.mzstatic.com:80/x", "url.port"),
    ("the artwork domain itself", "DS-URL-08", "https://mzstatic.com/x", "url.host"),
    ("a host two levels below the domain", "DS-URL-08", "https://a.b.mzstatic.com/x", ""),
    ("a host that only ends like the domain", "DS-URL-08", "https://amzstatic.com/x", "url.host"),
    ("the domain as a prefix", "DS-URL-08", "https://a.mzstatic.com.example/x", "url.host"),
    ("an upper-case host", "DS-URL-10", "https://A.MZSTATIC.COM/x", ""),
    ("a percent-encoded host", "DS-URL-10", "https://a.mzstatic%2Ecom/x", ""),
    ("a host of full-width letters", "DS-URL-10", "https://a.\uff4d\uff5astatic.com/x", ""),
    ("a host with a trailing dot", "DS-URL-10", "https://a.mzstatic.com./x", "url.host"),
    ("a host with an empty label", "DS-URL-10", "https://a..mzstatic.com/x", "url.host"),
    ("backslashes in place of slashes", "DS-URL-04", r"https:\\a.mzstatic.com\x", ""),
    ("a URL without slashes", "DS-URL-04", "https:a.mzstatic.com/x", ""),
    ("a URL with a path that is not encoded", "DS-URL-11", "https://a.mzstatic.com/\u00e9 x/../y", ""),
    ("a URL with a blank before it", "DS-URL-02", " https://a.mzstatic.com/x", "url.trimmed"),
    ("a URL with a no-break space after it", "DS-URL-02", "https://a.mzstatic.com/x\u00a0", "url.trimmed"),
    ("a URL with U+0085 after it", "DS-URL-02", "https://a.mzstatic.com/x\x85", ""),
    ("a URL with a tab in it", "DS-URL-03", "https://a.mzstatic.com/\tx", "text.control"),
    ("a URL of 2048 code points", "DS-URL-01", "https://a.mzstatic.com/" + "x" * 2025, ""),
    ("a URL of 2049 code points", "DS-URL-01", "https://a.mzstatic.com/" + "x" * 2026, "text.length"),
    ("an ftp URL", "DS-URL-05", "ftp://a.mzstatic.com/x", "url.scheme"),
    ("a script URL", "DS-URL-05", "javascript:alert(1)//https://a.mzstatic.com/", "url.scheme"),
    ("a blob URL", "DS-URL-05", "blob:https://a.mzstatic.com/", "url.scheme"),
    ("a URL without a scheme", "DS-URL-04", "//a.mzstatic.com/x", "url.parse"),
    ("a scheme alone", "DS-URL-04", "https://", "url.parse"),
    ("three slashes after the scheme", "DS-URL-04", "https:///a.mzstatic.com/x", ""),
    ("an encoded blank as a user", "DS-URL-06", "https://%20@a.mzstatic.com/x", "url.credentials"),
    ("the host as a user of another host", "DS-URL-06", "https://a.mzstatic.com@example.org/x", "url.credentials"),
    ("an empty user", "DS-URL-06", "https://@a.mzstatic.com/x", ""),
    ("an at sign in the path", "DS-URL-06", "https://a.mzstatic.com/@me", ""),
    ("a URL with port 4430", "DS-URL-07", "https://a.mzstatic.com:4430/x", "url.port"),
    ("a URL with port 0", "DS-URL-07", "https://a.mzstatic.com:0/x", "url.port"),
    ("a port that is too large", "DS-URL-04 DS-URL-07", "https://a.mzstatic.com:65536/x", "url.parse"),
    ("a port that is no number", "DS-URL-04 DS-URL-07", "https://a.mzstatic.com:443x/", "url.parse"),
    ("an ideographic full stop in a host", "DS-URL-10", "https://a\u3002mzstatic.com/x", ""),
    ("an internationalized host", "DS-URL-10", "https://m\u00fcnchen.mzstatic.com/x", ""),
    ("a Cyrillic letter in a host", "DS-URL-10", "https://a.mzst\u0430tic.com/x", "url.host"),
    ("a host that begins with a dot", "DS-URL-10", "https://.mzstatic.com/x", "url.host"),
    ("a percent-encoded dot at the end of a host", "DS-URL-10", "https://a.mzstatic.com%2E/x", "url.host"),
    ("an IPv6 host", "DS-URL-08", "https://[::1]/x", "url.host"),
    ("a zero-width space at the end of a URL", "DS-URL-02", "https://a.mzstatic.com/\u200b", ""),
    ("an ideographic space before a URL", "DS-URL-02", "\u3000https://a.mzstatic.com/", "url.trimmed"),
    ("a line feed in the scheme", "DS-URL-03", "ht\ntps://a.mzstatic.com/", "text.control"),
    ("an IPv4 host", "DS-URL-08", "https://127.0.0.1/x", "url.host"),
    ("a host that cannot be parsed", "DS-URL-04", "https://a b.mzstatic.com/x", "url.parse"),
)  # fmt: skip
_TRACK_ROWS: Final[tuple[tuple[str, str, str, str], ...]] = (
    ("the second track host", "DS-URL-09 DS-CONFIG-06", "https://itunes.apple.com/x", ""),
    ("a host below a track host", "DS-URL-09", "https://a.music.apple.com/x", "url.host"),
    ("the artwork host for the page of a track", "DS-URL-09", COVER, "url.host"),
    ("a track host with a trailing dot", "DS-URL-10", "https://music.apple.com./x", "url.host"),
    ("a track URL with another port", "DS-URL-07", "https://music.apple.com:444/x", "url.port"),
)  # fmt: skip


def _events(*events: tuple[int, str]) -> Edits:
    """Return events of a number and a time after 12:00 each."""
    changes = {"active_app": None}
    times = [(seq, f"2026-01-01T12:{at}Z") for seq, at in events]
    return {"events": [{"seq": seq, "at": at, "changes": changes} for seq, at in times]}


def _gaps(*gaps: tuple[str, str]) -> Edits:
    """Return gaps between two times after 12:00 each."""
    ends = [(f"2026-01-01T12:{start}Z", f"2026-01-01T12:{end}Z") for start, end in gaps]
    return {"gaps": [{"start_at": each, "end_at": end, "reason": "sleep"} for each, end in ends]}


_AT_END: Final[Edits] = {
    "window_start": END,
    "baseline.collected_at": END,
    "events": [],
    "gaps": [],
}
WINDOW_ROWS: Final[tuple[Row, ...]] = (
    ("a complete window", "DS-WINDOW-02 DS-WINDOW-01", {}, ""),
    ("a window without events and gaps", "DS-WINDOW-15 DS-WINDOW-16", {"events": [], "gaps": []}, ""),
    ("schema version 1 in a window", "DS-WINDOW-01 DS-VERSION-01", {"schema_version": 1}, "/schema_version constant"),
    ("every member of a window missing", "DS-WINDOW-02 DS-ERROR-06", dict.fromkeys(WINDOW, DROP), "/schema_version required, /session_id required, /batch_seq required, /generated_at required, /window_start required, /window_end required, /baseline required, /events required, /gaps required, /dropped_events required"),
    ("an unknown member of a window", "DS-TEXT-05", {"zone": "UTC"}, "/zone unknown"),
    ("an upper-case session id", "DS-WINDOW-03", {"session_id": SESSION.upper()}, "/session_id text.pattern"),
    ("a session id with a line feed at its end", "DS-WINDOW-03", {"session_id": SESSION + "\n"}, "/session_id text.pattern"),
    ("a session id without hyphens", "DS-WINDOW-03", {"session_id": SESSION.replace("-", "")}, "/session_id text.pattern"),
    ("a session id of zeros", "DS-WINDOW-03", {"session_id": "00000000-0000-0000-0000-000000000000"}, ""),
    *((f"a session id of {version}", "DS-WINDOW-03", {"session_id": session}, "") for version, session in (
        ("version 1", "c232ab00-9414-11ec-b3c8-9f6bdeced846"),
        ("version 5", "2ed6657d-e927-568b-95e1-2665a8aea6a2"),
        ("version 7 and variant c", "017f22e2-79b0-7cc3-c8c4-dc0c0c07398f"),
        ("the digits f only", "ffffffff-ffff-ffff-ffff-ffffffffffff"),
    )),
    ("an empty session id", "DS-WINDOW-03", {"session_id": ""}, "/session_id text.pattern"),
    ("a session id with a letter g", "DS-WINDOW-03", {"session_id": SESSION[:-1] + "g"}, "/session_id text.pattern"),
    ("a session id that is a digit too long", "DS-WINDOW-03", {"session_id": SESSION + "0"}, "/session_id text.pattern"),
    ("a session id with a hyphen in another place", "DS-WINDOW-03", {"session_id": "01234567-89abc-def-0123-456789abcdef"}, "/session_id text.pattern"),
    ("a session id in braces", "DS-WINDOW-03", {"session_id": f"{{{SESSION}}}"}, "/session_id text.pattern"),
    ("a session id with a full-width digit", "DS-WINDOW-03", {"session_id": "\uff10" + SESSION[1:]}, "/session_id text.pattern"),
    ("a session id that is null", "DS-WINDOW-03 DS-TEXT-04", {"session_id": None}, "/session_id type"),
    ("a baseline of schema version 2", "DS-SNAPSHOT-01 DS-WINDOW-12", {"baseline.schema_version": 2}, "/baseline/schema_version constant"),
    *((f"{name} without a fraction", "DS-TIME-01", {name: "2026-01-01T12:10:00Z"}, f"/{name} time.format") for name in ("window_start", "window_end")),
    *((f"{name} of a gap without a fraction", "DS-TIME-01", {f"gaps.0.{name}": "2026-01-01T12:05:30Z"}, f"/gaps/0/{name} time.format") for name in ("start_at", "end_at")),
    *((f"{name} that are an object", "DS-TEXT-04", {name: {}}, f"/{name} type") for name in ("events", "gaps")),
    ("an event that is a list", "DS-TEXT-04", {"events.0": []}, "/events/0 type"),
    ("a gap that is null", "DS-TEXT-04", {"gaps.0": None}, "/gaps/0 type"),
    ("a baseline that is null", "DS-TEXT-04", {"baseline": None}, "/baseline type"),
    ("batch number 0", "DS-WINDOW-05", {"batch_seq": 0}, "/batch_seq number.range"),
    ("the largest batch number", "DS-WINDOW-05", {"batch_seq": 2**53 - 1}, ""),
    ("batch number 2^53", "DS-WINDOW-05", {"batch_seq": 2**53}, "/batch_seq number.range"),
    ("batch number 2^53 plus 1", "DS-WINDOW-05 DS-JSON-11", {"batch_seq": 2**53 + 1}, "/batch_seq number.range"),
    ("batch number 1.0", "DS-WINDOW-05 DS-JSON-09", {"batch_seq": Raw("1.0")}, ""),
    ("batch number 1e0", "DS-WINDOW-05 DS-JSON-09", {"batch_seq": Raw("1e0")}, ""),
    ("batch number 1.5", "DS-WINDOW-05 DS-JSON-09", {"batch_seq": 1.5}, "/batch_seq number.integral"),
    ("batch number 1e999", "DS-JSON-04 DS-JSON-12", {"batch_seq": Raw("1e999")}, "/batch_seq number.finite"),
    ("batch number of 5,000 digits", "DS-JSON-04", {"batch_seq": Raw("9" * 5000)}, "/batch_seq number.finite"),
    ("batch number true", "DS-JSON-09", {"batch_seq": True}, "/batch_seq type"),
    ("batch number as text", "DS-TEXT-04", {"batch_seq": "1"}, "/batch_seq type"),
    ("the largest number of dropped events", "DS-WINDOW-06", {"dropped_events": 2**53 - 1}, ""),
    ("a negative number of dropped events", "DS-WINDOW-06", {"dropped_events": -1}, "/dropped_events number.range"),
    ("dropped events of minus zero", "DS-WINDOW-06 DS-JSON-10", {"dropped_events": Raw("-0")}, ""),
    ("a generation time without a fraction", "DS-TIME-01", {"generated_at": "2026-01-01T12:15:00Z"}, "/generated_at time.format"),
    ("a baseline time without a fraction", "DS-WINDOW-13 DS-TIME-01", {"baseline.collected_at": "2026-01-01T12:00:00Z"}, "/baseline/collected_at time.format"),
    ("a baseline of another time", "DS-WINDOW-13", {"baseline.collected_at": "2026-01-01T12:00:00.001Z"}, "/baseline/collected_at window.baseline"),
    ("a baseline that is not complete", "DS-WINDOW-12", {"baseline.system": DROP}, "/baseline/system required"),
    ("a baseline with an artwork URL alone", "DS-WINDOW-17", {"baseline.music.artwork_url": COVER}, "/baseline/music music.pair"),
    ("a window of zero length", "DS-WINDOW-07", {"window_start": END, "baseline.collected_at": END, "events": [], "gaps": []}, ""),
    ("a window that ends before it starts", "DS-WINDOW-07", {"window_start": "2026-01-01T12:15:00.001Z", "baseline.collected_at": "2026-01-01T12:15:00.001Z", "events": [], "gaps": []}, "/window_start window.order"),
    ("a window of 900 s", "DS-WINDOW-08 DS-TIME-08", {"events": []}, ""),
    ("a window of 900.001 s", "DS-WINDOW-08 DS-TIME-08", {"window_start": "2026-01-01T11:59:59.999Z", "baseline.collected_at": "2026-01-01T11:59:59.999Z"}, "/window_start window.span"),
    ("a window that ends 1 ms after it is generated", "DS-WINDOW-09", {"generated_at": "2026-01-01T12:14:59.999Z"}, "/window_end window.ahead"),
    ("generated 30 s after the end", "DS-WINDOW-10 DS-TIME-08", {"generated_at": "2026-01-01T12:15:30.000Z"}, ""),
    ("generated 30.001 s after the end", "DS-WINDOW-10 DS-TIME-08", {"generated_at": "2026-01-01T12:15:30.001Z"}, "/generated_at window.lag"),
    # events
    ("an event that changes nothing", "DS-EVENT-05", {"events.0.changes": {}}, "/events/0/changes changes.empty"),
    ("an event that changes something unknown", "DS-EVENT-06", {"events.0.changes": {"volume": 3}}, "/events/0/changes/volume unknown"),
    ("an event that changes everything", "DS-EVENT-06 DS-EVENT-07", {"events.0.changes": {name: SNAPSHOT[name] for name in ("active_app", "running_apps", "battery", "system", "music")}}, ""),
    ("an event whose battery is not complete", "DS-EVENT-06 DS-EVENT-07", {"events.0.changes": {"battery": {"percent": 5}}}, "/events/0/changes/battery/charging required, /events/0/changes/battery/power_source required"),
    ("an event whose running apps are null", "DS-APP-06 DS-EVENT-06", {"events.0.changes": {"running_apps": None}}, "/events/0/changes/running_apps type"),
    ("an event with an http artwork URL", "DS-WINDOW-17 DS-URL-05", {"events.1.changes": {"music": {"state": "playing", "track": "S", "artist": "B", "artwork_url": "http://a.mzstatic.com/x", "track_url": PAGE}}}, "/events/1/changes/music/artwork_url url.scheme"),
    ("an event without a number", "DS-EVENT-08", {"events.0.seq": DROP}, "/events/0/seq required"),
    ("an event with an unknown member", "DS-TEXT-05", {"events.0.note": ""}, "/events/0/note unknown"),
    ("event number 0", "DS-EVENT-01", {"events.0.seq": 0}, "/events/0/seq number.range"),
    ("the largest event number", "DS-EVENT-01", {"events.1.seq": 2**53 - 1}, ""),
    ("event number 2^53", "DS-EVENT-01", {"events.1.seq": 2**53}, "/events/1/seq number.range"),
    ("equal event numbers", "DS-EVENT-02", {"events.1.seq": 1}, "/events/1/seq events.seq"),
    ("event numbers that go back", "DS-EVENT-02", {"events.0.seq": 5, "events.1.seq": 4}, "/events/1/seq events.seq"),
    ("event numbers with gaps between them", "DS-EVENT-02", {"events.1.seq": 900}, ""),
    ("events of one instant", "DS-EVENT-03", {"events.1.at": "2026-01-01T12:01:00.000Z"}, ""),
    ("events that go back in time", "DS-EVENT-03", {"events.1.at": "2026-01-01T12:00:59.999Z"}, "/events/1/at events.order"),
    ("an event at the start of the window", "DS-EVENT-04", {"events.0.at": START}, ""),
    ("an event before the window", "DS-EVENT-04", {"events.0.at": "2026-01-01T11:59:59.999Z"}, "/events/0/at events.inside"),
    ("an event at the end of the window", "DS-EVENT-04", {"events.1.at": END}, ""),
    ("an event after the window", "DS-EVENT-04", {"events.1.at": "2026-01-01T12:15:00.001Z"}, "/events/1/at events.inside"),
    ("an event time without a fraction", "DS-TIME-01", {"events.0.at": "2026-01-01T12:01:00Z"}, "/events/0/at time.format"),
    # gaps
    ("a gap over the whole window", "DS-GAP-03", {"gaps.0.start_at": START, "gaps.0.end_at": END}, ""),
    ("a gap that begins before the window", "DS-GAP-03", {"gaps.0.start_at": "2026-01-01T11:59:59.999Z"}, "/gaps/0 gaps.inside"),
    ("a gap that ends after the window", "DS-GAP-03", {"gaps.0.end_at": "2026-01-01T12:15:00.001Z"}, "/gaps/0 gaps.inside"),
    ("an empty gap", "DS-GAP-02", {"gaps.0.end_at": "2026-01-01T12:05:00.000Z"}, "/gaps/0 gaps.order"),
    ("a gap of 1 ms", "DS-GAP-02", {"gaps.0.end_at": "2026-01-01T12:05:00.001Z"}, ""),
    ("a gap that ends before it starts", "DS-GAP-02", {"gaps.0.end_at": "2026-01-01T12:04:00.000Z"}, "/gaps/0 gaps.order"),
    ("gaps that touch", "DS-GAP-04", {"gaps": [WINDOW["gaps"][0], {"start_at": "2026-01-01T12:06:00.000Z", "end_at": "2026-01-01T12:07:00.000Z", "reason": "clock"}]}, ""),
    ("gaps that overlap by 1 ms", "DS-GAP-04", {"gaps": [WINDOW["gaps"][0], {"start_at": "2026-01-01T12:05:59.999Z", "end_at": "2026-01-01T12:07:00.000Z", "reason": "clock"}]}, "/gaps/1 gaps.overlap"),
    ("gaps that are not sorted", "DS-GAP-04", {"gaps": [WINDOW["gaps"][0], {"start_at": "2026-01-01T12:01:00.000Z", "end_at": "2026-01-01T12:02:00.000Z", "reason": "clock"}]}, "/gaps/1 gaps.overlap"),
    *((f"a gap of the reason {reason}", "DS-GAP-05", {"gaps.0.reason": reason}, "") for reason in ("restart", "collection", "overflow", "clock")),
    ("a gap of an unknown reason", "DS-GAP-05", {"gaps.0.reason": "holiday"}, "/gaps/0/reason constant"),
    ("a gap without an end", "DS-GAP-06", {"gaps.0.end_at": DROP}, "/gaps/0/end_at required"),
    ("128 gaps", "DS-WINDOW-16", {"gaps": [{"start_at": f"2026-01-01T12:00:00.{n:03}Z", "end_at": f"2026-01-01T12:00:00.{n + 1:03}Z", "reason": "sleep"} for n in range(128)]}, ""),
    ("129 gaps", "DS-WINDOW-16", {"gaps": [{"start_at": f"2026-01-01T12:00:00.{n:03}Z", "end_at": f"2026-01-01T12:00:00.{n + 1:03}Z", "reason": "sleep"} for n in range(129)]}, "/gaps items.count"),
    ("an event with an artwork URL alone", "DS-WINDOW-17 DS-MUSIC-03", {"events.1.changes": {"music": {**SNAPSHOT["music"], "artwork_url": COVER}}}, "/events/1/changes/music music.pair"),
    ("an event with a pair of URLs and without an app", "DS-WINDOW-17 DS-EVENT-06", {"events.1.changes": {"active_app": None, "music": {**SNAPSHOT["music"], "artwork_url": COVER, "track_url": PAGE}}}, ""),
    ("a window start that is null", "DS-WINDOW-13 DS-TEXT-04", {"window_start": None}, "/window_start type"),
    ("an event at the instant of a window of zero length", "DS-EVENT-04 DS-WINDOW-07", {**_AT_END, **_events((1, "15:00.000"))}, ""),
    *((f"an event 1 ms {side} a window of zero length", "DS-EVENT-04 DS-WINDOW-07", {**_AT_END, **_events((1, at))}, "/events/0/at events.inside") for side, at in (("before", "14:59.999"), ("after", "15:00.001"))),
    ("events that go back in time once", "DS-EVENT-03", _events((1, "00:00.005"), (2, "00:00.004"), (3, "00:00.004")), "/events/1/at events.order"),
    ("an event number that repeats and then falls", "DS-EVENT-02", _events((5, "01:00.000"), (5, "01:00.000"), (4, "01:00.000"), (7, "01:00.000")), "/events/1/seq events.seq, /events/2/seq events.seq"),
    ("events around one with a faulty number and time", "DS-EVENT-02 DS-EVENT-03", {**_events((5, "00:00.009"), (6, "00:00.009"), (5, "00:00.008")), "events.1.seq": None, "events.1.at": "later"}, "/events/1/seq type, /events/1/at time.format, /events/2/seq events.seq, /events/2/at events.order"),
    *((f"events out of order and {name} that is null", "DS-EVENT-03 DS-EVENT-04", {**_events((1, "20:00.000"), (2, "19:00.000")), name: None}, f"/{name} type, /events/1/at events.order") for name in ("window_start", "window_end")),
    ("events and a gap in a window that ends before it starts", "DS-WINDOW-07", {"window_start": "2026-01-01T12:15:00.001Z", "baseline.collected_at": "2026-01-01T12:15:00.001Z"}, "/window_start window.order"),
    ("gaps that touch, and one apart", "DS-GAP-04", _gaps(("00:00.000", "00:05.000"), ("00:05.000", "00:06.000"), ("00:09.000", "15:00.000")), ""),
    ("an empty gap in a window of zero length", "DS-GAP-02 DS-WINDOW-07", {**_AT_END, **_gaps(("15:00.000", "15:00.000"))}, "/gaps/0 gaps.order"),
    ("overlapping gaps around one without a valid end", "DS-GAP-04", {**_gaps(("00:00.000", "00:05.000"), ("00:05.000", "00:06.000"), ("00:04.000", "00:07.000")), "gaps.1.end_at": 0}, "/gaps/1/end_at type, /gaps/2 gaps.overlap"),
    ("overlapping gaps, the first without a valid end", "DS-GAP-04", {**_gaps(("00:00.000", "00:05.000"), ("00:04.000", "00:06.000")), "gaps.0.end_at": 0}, "/gaps/0/end_at type"),
    ("overlapping gaps in a window without an end", "DS-GAP-04", {**_gaps(("00:00.000", "00:05.000"), ("00:04.000", "00:06.000")), "window_end": DROP}, "/window_end required, /gaps/1 gaps.overlap"),
    ("faults of all relations at once", "DS-ERROR-06", {"window_start": "2026-01-01T11:45:00.000Z", "generated_at": "2026-01-01T12:15:30.001Z", **_events((2, "00:00.000"), (1, "15:00.001")), "events.1.changes": {}, **_gaps(("00:00.000", "00:00.000"), ("00:00.000", "16:00.000"))}, "/window_start window.span, /generated_at window.lag, /baseline/collected_at window.baseline, /events/1/seq events.seq, /events/1/at events.inside, /events/1/changes changes.empty, /gaps/0 gaps.order, /gaps/1 gaps.inside"),
    ("many faults at once", "DS-ERROR-06", {"batch_seq": 0, "events.0.seq": 2, "window_end": "2026-01-01T12:01:30.000Z", "generated_at": END, "gaps": []}, "/batch_seq number.range, /generated_at window.lag, /events/1/seq events.seq, /events/1/at events.inside"),
)  # fmt: skip

_RECEIVED_ROWS: Final = (
    ("a window received 120 s after it is generated", 120_000, ""),
    ("a window received 120.001 s after it is generated", 120_001, "/generated_at window.skew"),
    ("a window received 120 s before it is generated", -120_000, ""),
    ("a window received 120.001 s before it is generated", -120_001, "/generated_at window.skew"),
)  # fmt: skip

_TEXT: Final = text(SNAPSHOT)
_SPACE: Final = 16_384 - len(_TEXT)
_EVENT: Final = '{"seq":#,"at":"2026-01-01T12:00:00.000Z","changes":{"active_app":null}}'
_HEAD, _TAIL = text(edited(WINDOW, {"events": Raw("|")})).split("|")
_BYTES_OF_WINDOW: Final = len(text(edited(WINDOW, {"events": []})))


def _base64(data: bytes) -> Json:
    return {"base64": b64encode(data).decode("ascii")}


_BodyRow = tuple[str, str, str, list[str | Json], str]


def _rewritten(
    kind: str, body: str, findings: str, rows: Sequence[tuple[str, str, str]]
) -> Iterator[_BodyRow]:
    """Generate rows of a body of which a part is replaced."""
    for title, part, other in rows:
        yield title, "DS-JSON-03", kind, [body.replace(part, other)], findings


_SAME_JSON: Final = (
    ("an escaped solidus", "Editor", r"A\/B"),
    ("an exponent with an upper-case E and a minus sign", "1.25", "125E-2"),
    ("escapes in the name of a member", '"music"', r'"\u006dusi\u0063"'),
)
_NO_JSON: Final = (
    ("a comment in an object", '{"schema_version":2', '{/* v2 */"schema_version":2'),
    ("a line comment before the value", '{"schema_version":2', '// v2\n{"schema_version":2'),
    ("a member without quotes", '"batch_seq":1', "batch_seq:1"),
    ("a hexadecimal number", '"batch_seq":1', '"batch_seq":0x1'),
    ("a number that begins with a point", '"load_1m":1.5', '"load_1m":.5'),
    ("an exponent without digits", '"load_1m":1.5', '"load_1m":1e'),
    ("False of Python", '"charging":false', '"charging":False'),
    ("undefined of JavaScript", '"percent":82', '"percent":undefined'),
    ("two commas between members", ',"batch_seq"', ',,"batch_seq"'),
    ("a raw line feed in a string", "Files", "Fi\nles"),
    ("a raw NUL in a string", "Files", "Fi\0les"),
    ("an escape of x", "Files", r"\x46iles"),
    ("an escape with three digits", "Files", r"\u046iles"),
)
_BODY_ROWS: Final[tuple[_BodyRow, ...]] = (
    ("an empty body", "DS-JSON-03", "update", [], "invalid_json"),
    ("a body of blanks", "DS-JSON-03", "update", [" \n\t\r"], "invalid_json"),
    ("white space around the text", "DS-JSON-03", "update", ["\n\t ", _TEXT, "\r\n"], ""),
    ("a form feed before the text", "DS-JSON-03", "update", ["\f", _TEXT], "invalid_json"),
    ("a byte order mark", "DS-JSON-02", "update", [_base64(b"\xef\xbb\xbf"), _TEXT], ""),
    ("two byte order marks", "DS-JSON-02", "update", [_base64(b"\xef\xbb\xbf" * 2), _TEXT], "invalid_json"),
    ("a byte order mark alone", "DS-JSON-02", "update", [_base64(b"\xef\xbb\xbf")], "invalid_json"),
    ("UTF-16", "DS-JSON-01", "update", [_base64(_TEXT.encode("utf-16"))], "invalid_json"),
    ("Latin-1", "DS-JSON-01", "update", [_base64(_TEXT.replace("Editor", "\u00c9diteur").encode("latin-1"))], "invalid_json"),
    ("an encoded surrogate", "DS-JSON-01", "update", [_base64(_TEXT.encode().replace(b"Editor", b"\xed\xa0\x80"))], "invalid_json"),
    ("an overlong encoding", "DS-JSON-01", "update", [_base64(_TEXT.encode().replace(b"Editor", b"\xc0\xaf"))], "invalid_json"),
    ("a NUL after the text", "DS-JSON-03", "update", [_TEXT, "\0"], "invalid_json"),
    ("text after the value", "DS-JSON-03", "update", [_TEXT, "{}"], "invalid_json"),
    ("a truncated body", "DS-JSON-03", "update", [_TEXT[:-1]], "invalid_json"),
    ("NaN", "DS-JSON-03", "update", [_TEXT.replace("1.25", "NaN")], "invalid_json"),
    ("Infinity", "DS-JSON-03", "update", [_TEXT.replace("1.25", "-Infinity")], "invalid_json"),
    ("a number with a leading zero", "DS-JSON-03", "update", [_TEXT.replace("1.25", "01")], "invalid_json"),
    ("a number with a plus sign", "DS-JSON-03", "update", [_TEXT.replace("1.25", "+1")], "invalid_json"),
    ("a number that ends in a point", "DS-JSON-03", "update", [_TEXT.replace("1.25", "1.")], "invalid_json"),
    ("a trailing comma", "DS-JSON-03", "update", [_TEXT[:-1] + ",}"], "invalid_json"),
    ("single quotes", "DS-JSON-03", "update", [_TEXT.replace('"', "'")], "invalid_json"),
    ("a comment", "DS-JSON-03", "update", [_TEXT, "// done"], "invalid_json"),
    ("a raw control character in a string", "DS-JSON-03", "update", [_TEXT.replace("Editor", "a\tb")], "invalid_json"),
    ("an unknown escape", "DS-JSON-03", "update", [_TEXT.replace("Editor", r"\x41")], "invalid_json"),
    ("a member twice, the last one valid", "DS-JSON-08", "update", [_TEXT.replace('"schema_version":1', '"schema_version":9,"schema_version":1')], ""),
    ("a member twice, the last one invalid", "DS-JSON-08", "update", [_TEXT.replace('"schema_version":1', '"schema_version":1,"schema_version":9')], "/schema_version constant"),
    ("a member twice, once with an escape in its name", "DS-JSON-08", "update", [_TEXT[:-1] + r',"\u0061ctive_app":"Files"}'], ""),
    *_rewritten("update", _TEXT, "", _SAME_JSON),
    *_rewritten("batch", text(WINDOW), "invalid_json", _NO_JSON),
    ("a body that is null", "DS-JSON-04 DS-TEXT-04", "update", ["null"], " type"),
    ("a body that is a list", "DS-JSON-04 DS-TEXT-04", "update", ["[]"], " type"),
    ("a body that is text", "DS-JSON-04 DS-TEXT-04", "batch", ['"window"'], " type"),
    ("a number of 5,000 digits where none belongs", "DS-JSON-04", "update", [_TEXT[:-1] + ',"x":' + "9" * 5000 + "}"], "/x unknown"),
    ("nesting of 64 levels", "DS-JSON-04", "batch", [{"repeat": "[", "times": 64}, {"repeat": "]", "times": 64}], " type"),
    ("broken nesting of 64 levels", "DS-JSON-03", "batch", [{"repeat": "[", "times": 64}], "invalid_json"),
    ("nesting that is too deep", "DS-JSON-05", "batch", [{"repeat": "[", "times": 100_000}, {"repeat": "]", "times": 100_000}], " json.depth"),
    ("broken nesting that is too deep", "DS-JSON-05", "batch", [{"repeat": "[", "times": 100_000}], " json.depth"),
    ("nesting that is too deep inside of a member", "DS-JSON-05", "batch", ['{"schema_version":', {"repeat": '{"a":', "times": 50000}, "1", {"repeat": "}", "times": 50001}], " json.depth"),
    ("a snapshot of 16,384 bytes", "DS-BODY-01", "update", [_TEXT, {"repeat": " ", "times": _SPACE}], ""),
    ("a snapshot of 16,385 bytes", "DS-BODY-01", "update", [_TEXT, {"repeat": " ", "times": _SPACE + 1}], "payload_too_large"),
    ("a byte order mark that exceeds the limit", "DS-BODY-03 DS-BODY-01", "update", [_base64(b"\xef\xbb\xbf"), _TEXT, {"repeat": " ", "times": _SPACE - 2}], "payload_too_large"),
    ("16,385 bytes that are no JSON", "DS-BODY-01 DS-HTTP-12", "update", [{"repeat": "x", "times": 16_385}], "payload_too_large"),
    ("a window of 524,288 bytes", "DS-BODY-02", "batch", [text(edited(WINDOW, {"events": []})), {"repeat": " ", "times": 524_288 - _BYTES_OF_WINDOW}], ""),
    ("a window of 524,289 bytes", "DS-BODY-02", "batch", [text(edited(WINDOW, {"events": []})), {"repeat": " ", "times": 524_289 - _BYTES_OF_WINDOW}], "payload_too_large"),
    ("2048 events", "DS-WINDOW-15", "batch", [_HEAD + "[", {"repeat": _EVENT, "times": 2048, "join": ","}, "]" + _TAIL], ""),
    ("2049 events", "DS-WINDOW-15", "batch", [_HEAD + "[", {"repeat": _EVENT, "times": 2049, "join": ","}, "]" + _TAIL], "/events items.count"),
)  # fmt: skip


def _expected(findings: str) -> Json:
    if not findings:
        return {"valid": True}
    if findings in {"invalid_json", "payload_too_large"}:
        return {"valid": False, "error": findings}
    listed = [each.rsplit(" ", 1) for each in findings.split(", ")]
    found = [{"path": path, "rule": rule} for path, rule in listed]
    return {"valid": False, "error": "invalid_payload", "findings": found}


def _case(row: tuple[str, str, str, Sequence[str | Json], str], received_at: int) -> Case:
    title, rules, kind, parts, findings = row
    given = {"endpoint": f"/api/{kind}", "received_at": received_at, "body": list(parts)}
    either = {"DS-JSON-05": ("invalid_json",), "DS-JSON-07": ("invalid_payload",)}
    also = either.get(rules, ()) if findings else ()
    return Case(title, rules, given, _expected(findings), also)


def _derived_cases() -> Iterator[Case]:
    for model, valid, kind, received_at in (
        (Snapshot, SNAPSHOT, "update", NOON),
        (Window, {**WINDOW, "events": WINDOW["events"][:1]}, "batch", RECEIVED_AT),
    ):
        for each in derived(CASES, model, valid, is_wanted=_has_own_verdict):
            rule = "DS-TEXT-04" if each.rule == "required" else rule_of(each.rule, each.member)
            findings = each.rule and f"{each.path} {each.rule}"
            yield _case((each.title, rule, kind, [text(each.value)], findings), received_at)


def _has_own_verdict(case: MemberCase) -> bool:
    """Check whether no rule between members applies, and no snapshot in a window is its object."""
    inner = [step for step in case.at if step in {"baseline", "changes"}]
    if inner and case.at[-1] not in {*inner, *SNAPSHOT}:
        return False
    return bool(case.rule) or case.at[-1] not in {"artwork_url", "track_url", "active_app"}


def _as_track_rows() -> Iterator[tuple[str, str, str, str]]:
    """Generate the rows of artwork URLs whose verdict a track URL of the same form has."""
    for title, rules, url, rule in _ARTWORK_ROWS:
        changed = url.replace("a.mzstatic.com", "music.apple.com")
        if changed != url and "DS-URL-08" not in rules:
            most = len(url) if len(url) > 2_000 else None  # the limits are on the length
            yield f"{title}, of the track", rules, changed[:most], rule


def _cases() -> Iterator[Case]:
    for title, rules, edits, findings in SNAPSHOT_ROWS:
        yield _case((title, rules, "update", [text(edited(SNAPSHOT, edits))], findings), NOON)
    for member, other, rows in (
        ("artwork_url", {"music.track_url": PAGE}, _ARTWORK_ROWS),
        ("track_url", {"music.artwork_url": COVER}, (*_TRACK_ROWS, *_as_track_rows())),
    ):
        for title, rules, url, rule in rows:
            body = text(edited(SNAPSHOT, {f"music.{member}": url, **other}))
            findings = rule and f"/music/{member} {rule}"
            yield _case((title, rules, "update", [body], findings), NOON)
    for title, rules, edits, findings in WINDOW_ROWS:
        yield _case((title, rules, "batch", [text(edited(WINDOW, edits))], findings), RECEIVED_AT)
    for title, after, findings in _RECEIVED_ROWS:
        row = (title, "DS-WINDOW-11 DS-WINDOW-14 DS-TIME-08", "batch", [text(WINDOW)], findings)
        yield _case(row, RECEIVED_AT - 1000 + after)
    yield from _derived_cases()
    for body_row in _BODY_ROWS:
        yield _case(body_row, NOON if body_row[2] == "update" else RECEIVED_AT)


def run(given: Json) -> Json:
    """Return the verdict on a body."""
    body = body_bytes(given["body"])
    parse = parse_snapshot if given["endpoint"] == "/api/update" else parse_window
    try:
        model = parse(body, received_at=given["received_at"])
    except ContractError as error:
        found = [{"path": each.path, "rule": each.rule} for each in error.findings]
        return {"valid": False, "error": error.code, "findings": found}
    accepted: Json = {"valid": True}
    if len(body) <= _VALUE_BYTES:
        accepted["value"] = to_builtins(model)
    return accepted


PARSING: Final = Topic(
    "devicestatus", "parsing", "bodies of writes: accepted, or error code and findings", _cases, run
)
