"""Tables that only schemas need: refinements, examples, rules of models, and unstated rules.

A refinement states a rule that the validators check in code (`devicestatus.validation.cross_field`,
`devicestatus.icons`), or a form that the service writes (`devicestatus.http.views`).  A pattern of
URLs accepts every URL that `devicestatus.validation.music_urls` accepts.  What it cannot state
needs the tables of the URL standard: which hosts are valid, and which host a text means.
"""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, Final

import attrs

from devicestatus import limits
from devicestatus.models import SENSITIVE_APP, UtcInstant, WindowPolicy
from devicestatus.responses import BODIES, ICON_ID
from purewire.primitives import WHITE_SPACE
from purewire.structuring.json_schema import CONTROL, Schema, matching
from purewire.structuring.schema_set import NotInSchema

_BLANK: Final = "".join(character for character in WHITE_SPACE if not character.isascii())
_UNTRIMMED: Final[Schema] = {"not": {"pattern": f"{CONTROL}|^[ {_BLANK}]|[ {_BLANK}]$"}}

_SCHEME: Final = r"^[Hh][Tt][Tt][Pp][Ss]:[/\\]*"
_ENCODED: Final = (
    "%(?:2[1246-9A-Ea-e]|3[0-9BDbd]|4[1-9A-Fa-f]|5[0-9AFaf]|6[0-9A-Fa-f]|7[0-9ABDEabde]"
    "|[89A-Fa-f][0-9A-Fa-f])"
)
"""A percent-encoded byte of a host: none that a host must not have."""
_HOST: Final = rf"(?:(?:[^/\\?#@:\[\]<>^|% ]|{_ENCODED})+|\[[0-9A-Fa-f:.]+\])"
_END: Final = r"(?:[/\\?#]|$)"
_NO_USER: Final = "(?::?@)?"
_ANY_USER: Final = r"(?:[^/\\?#]*@)?"
_DEFAULT_PORT: Final = "(?::(?:0*443)?)?"
_ANY_PORT: Final = (
    "(?::(?:0*(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}"
    "|[0-9]{1,4}))?)?"
)

_CATALOG_URL: Final[Schema] = {
    "pattern": f"{_SCHEME}{_NO_USER}{_HOST}{_DEFAULT_PORT}{_END}",
    **_UNTRIMMED,
}
"""An https URL without user, password and port, trimmed."""
_ANY_HTTPS_URL: Final[Schema] = {
    "pattern": f"{_SCHEME}{_ANY_USER}{_HOST}{_ANY_PORT}{_END}",
    **_UNTRIMMED,
}
"""An https URL, trimmed."""
_NOT_BLANK: Final[Schema] = {"type": "string", "pattern": f"[^ {_BLANK}]"}
"""Text with a character that is not white space."""

_ICON_PATH: Final = matching(rf"/app-icons/{ICON_ID}\.png")
_ICON_API_PATH: Final = matching(rf"/api/icons/{ICON_ID}\.png")
_WRITTEN_TIME: Final[Schema] = {"$ref": "#/$defs/MillisecondTimestamp"}
"""Every timestamp of a response has three digits after the second."""


def _where(member: str, schema: Schema, then: Mapping[str, Schema]) -> Schema:
    """Return the schema: where a member is present and matches, the others match too."""
    return {
        "if": {"required": [member], "properties": {member: schema}},
        "then": {"properties": dict(then)},
    }


REFINEMENTS: Final[Mapping[str, Schema]] = {
    "Music": {
        "dependentRequired": {"artwork_url": ["track_url"], "track_url": ["artwork_url"]},
        "allOf": [
            _where("artwork_url", {"type": "null"}, {"track_url": {"type": "null"}}),
            _where(
                "artwork_url",
                {"type": "string"},
                {
                    "track_url": {"type": "string"},
                    "state": {"enum": ["playing", "paused"]},
                    "track": _NOT_BLANK,
                    "artist": _NOT_BLANK,
                },
            ),
        ],
    },
    "Music.artwork_url": _CATALOG_URL,
    "Music.track_url": _CATALOG_URL,
    "WindowChanges": {"minProperties": 1},
    "MusicStatus.music": {"type": "object", "required": ["artwork_url", "track_url"]},
    "RunningAppsStatus.running_apps": {"maxItems": limits.RUNNING_APPS, "uniqueItems": True},
    "AppWithIcon": {
        "allOf": [
            _where("icon_url", {"type": "null"}, {"icon_api_url": {"type": "null"}}),
            _where("icon_url", {"type": "string"}, {"icon_api_url": {"type": "string"}}),
            _where("name", {"const": SENSITIVE_APP}, {"icon_url": {"type": "null"}}),
        ]
    },
    "AppWithIcon.icon_url": _ICON_PATH,
    "AppWithIcon.icon_api_url": _ICON_API_PATH,
    "InstalledAppIcon.imageUrl": _ICON_API_PATH,
    "InstalledAppIcon.sourceUrl": _ANY_HTTPS_URL,
    **{
        f"{model.__name__}.{field.name}": _WRITTEN_TIME
        for model in sorted(BODIES, key=attrgetter("__name__"))
        for field in attrs.fields(model)
        if field.type == UtcInstant
    },
}
"""`Model` or `Model.member` to the keywords that are added."""

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "Snapshot": ("SNAPSHOT", "APP"),
    "Battery": ("DEVICE",),
    "System": ("DEVICE",),
    "Music": ("MUSIC", "URL"),
    "Window": ("WINDOW",),
    "WindowEvent": ("EVENT",),
    "WindowChanges": ("EVENT",),
    "WindowGap": ("GAP",),
    "WindowPolicy": ("POLICY",),
    "SnapshotRecord": ("RECORD",),
    "WindowRecord": ("RECORD",),
    "UpdateResult": ("UPDATE", "BATCH"),
    "OnlineStatus": ("NOW",),
    "OfflineStatus": ("NOW",),
    "PlaybackInfo": ("PROJECTION",),
    "WindowStatus": ("TIMELINE",),
    "SnapshotTimelineStatus": ("TIMELINE",),
    "MusicStatus": ("SLICE",),
    "ActiveAppStatus": ("SLICE",),
    "RunningAppsStatus": ("SLICE",),
    "DeviceStatus": ("SLICE",),
    "AppWithIcon": ("SLICE",),
    "Health": ("HEALTH",),
    "ErrorBody": ("ERROR",),
    "IconManifest": ("MANIFEST",),
    "InstalledAppIcon": ("MANIFEST",),
}
"""Model to the groups of its rules in the contract."""

_SNAPSHOT: Final[dict[str, Any]] = {
    "schema_version": 1,
    "collected_at": "2026-01-31T12:00:00.000Z",
    "active_app": "Code Editor",
    "battery": {"percent": 82, "charging": False, "power_source": "battery"},
    "system": {"load_1m": 1.5, "load_5m": 1.25, "load_15m": 1},
    "music": {
        "state": "playing",
        "track": "Song",
        "artist": "Band",
        "artwork_url": "https://is1-ssl.mzstatic.com/image/cover.jpg",
        "track_url": "https://music.apple.com/us/album/song/1?i=2",
    },
    "running_apps": ["Code Editor", "Terminal"],
}
_NOTHING: Final[dict[str, Any]] = {
    **_SNAPSHOT,
    "active_app": None,
    "battery": {"percent": None, "charging": None, "power_source": "unknown"},
    "system": {"load_1m": None, "load_5m": None, "load_15m": None},
    "music": {"state": "unavailable", "track": None, "artist": None},
}
del _NOTHING["running_apps"]
_WINDOW: Final[dict[str, Any]] = {
    "schema_version": 2,
    "session_id": "0f8fad5b-d9cb-469f-a165-70867728950e",
    "batch_seq": 7,
    "generated_at": "2026-01-31T12:15:01.000Z",
    "window_start": "2026-01-31T12:00:00.000Z",
    "window_end": "2026-01-31T12:15:00.000Z",
    "baseline": _SNAPSHOT,
    "events": [
        {"seq": 41, "at": "2026-01-31T12:03:20.000Z", "changes": {"active_app": "Terminal"}},
        {
            "seq": 42,
            "at": "2026-01-31T12:09:00.000Z",
            "changes": {"music": {"state": "stopped", "track": None, "artist": None}},
        },
    ],
    "gaps": [
        {
            "start_at": "2026-01-31T12:05:00.000Z",
            "end_at": "2026-01-31T12:06:00.000Z",
            "reason": "sleep",
        }
    ],
    "dropped_events": 0,
}
_TIMES: Final = {
    "updated_at": "2026-01-31T12:00:01.000Z",
    "expires_at": "2026-01-31T12:01:01.000Z",
}
_SLICE: Final = {"status": "online", **_TIMES, "collected_at": "2026-01-31T12:00:00.000Z"}
_APP: Final = {
    "name": "Terminal",
    "icon_url": "/app-icons/terminal.png",
    "icon_api_url": "/api/icons/terminal.png",
}
_MANIFEST_ICON: Final = {
    "id": "terminal",
    "app": "Terminal",
    "aliases": ["Konsole", "kitty"],
    "imageUrl": "/api/icons/terminal.png",
    "source": "installed-app",
    "credit": "Drawn for this deployment",
    "sourceUrl": None,
}

EXAMPLES: Final[Mapping[str, list[Any]]] = {
    "Snapshot": [_SNAPSHOT, _NOTHING],
    "Snapshot.active_app": ["Code Editor", SENSITIVE_APP, None],
    "Snapshot.running_apps": [["Code Editor", "Terminal"], []],
    "Battery": [_SNAPSHOT["battery"]],
    "Music": [_SNAPSHOT["music"], _NOTHING["music"]],
    "Window": [_WINDOW],
    "WindowChanges": [{"active_app": "Terminal"}, {"active_app": None}],
    "SnapshotRecord": [
        {"received_at": 1769860801000, "data": _SNAPSHOT, "expires_at": 1769860861000}
    ],
    "WindowRecord": [{"received_at": 1769861702000, "data": _WINDOW, "expires_at": 1769862300000}],
    "UpdateResult": [{"ok": True, **_TIMES}],
    "OnlineStatus": [{**_SNAPSHOT, "status": "online", **_TIMES}],
    "OfflineStatus": [{"status": "offline"}],
    "PlaybackInfo": [
        {
            "mode": "delayed",
            "delay_seconds": limits.PLAYBACK_DELAY_SECONDS,
            "at": "2026-01-31T12:08:02.000Z",
            "window_end": "2026-01-31T12:15:00.000Z",
        }
    ],
    "WindowStatus": [
        {
            "status": "online",
            "mode": "window",
            "server_time": "2026-01-31T12:15:02.000Z",
            "updated_at": "2026-01-31T12:15:02.000Z",
            "expires_at": "2026-01-31T12:25:00.000Z",
            "policy": attrs.asdict(WindowPolicy()),
            "window": _WINDOW,
        }
    ],
    "SnapshotTimelineStatus": [
        {
            **_SNAPSHOT,
            "status": "online",
            "mode": "snapshot",
            "server_time": "2026-01-31T12:00:02.000Z",
            **_TIMES,
        }
    ],
    "MusicStatus": [{**_SLICE, "music": _SNAPSHOT["music"]}],
    "ActiveAppStatus": [{**_SLICE, "active_app": _APP}],
    "RunningAppsStatus": [{**_SLICE, "running_apps": [_APP]}],
    "DeviceStatus": [
        {**_SLICE, "device": {"battery": _SNAPSHOT["battery"], "system": _SNAPSHOT["system"]}}
    ],
    "AppWithIcon": [_APP, {"name": SENSITIVE_APP, "icon_url": None, "icon_api_url": None}],
    "Health": [{"ok": True, "service": "device-status"}],
    "ErrorBody": [{"error": "invalid_payload"}],
    "IconManifest": [{"version": 1, "icons": [_MANIFEST_ICON]}],
    "InstalledAppIcon": [_MANIFEST_ICON],
}
"""`Model` or `Model.member` to its examples."""

_RECORD: Final = "DS-RECORD"
# Ids are put together: in full they would claim that this module implements the rules.
NOT_IN_SCHEMA: Final = (
    NotInSchema("json.text", "bytes", "A schema sees the value, after the text was decoded."),
    NotInSchema("body.size", "bytes", "A schema sees the value, not the length of its text."),
    NotInSchema(
        "text.surrogate",
        "unicode",
        "A pattern for lone surrogates does not compile in Rust and Go, whose text has none.",
    ),
    NotInSchema("url.parse", "url", "Tables of the URL standard have the valid hosts."),
    NotInSchema("url.host", "configuration", "Each deployment configures its catalog's hosts."),
    NotInSchema("snapshot.skew", "clock", "The receive time is not part of the value."),
    NotInSchema("window.skew", "clock", "The receive time is not part of the value."),
    NotInSchema("window.order", "members", "It compares window_start with window_end."),
    NotInSchema("window.span", "members", "It subtracts window_start from window_end."),
    NotInSchema("window.ahead", "members", "It compares window_end with generated_at."),
    NotInSchema("window.lag", "members", "It subtracts window_end from generated_at."),
    NotInSchema("window.baseline", "members", "It compares baseline with window_start."),
    NotInSchema("events.seq", "members", "It compares each item with the one before."),
    NotInSchema("events.order", "members", "It compares each item with the one before."),
    NotInSchema("events.inside", "members", "It compares each item with both ends of the window."),
    NotInSchema("gaps.order", "members", "It compares start_at with end_at."),
    NotInSchema("gaps.inside", "members", "It compares each item with both ends of the window."),
    NotInSchema("gaps.overlap", "members", "It compares each item with the one before."),
    NotInSchema("icons.image-url", "members", "It compares imageUrl with id."),
    NotInSchema("icons.source-url", "url", "Tables of the URL standard have the valid hosts."),
    NotInSchema(f"{_RECORD}-04", "members", "It compares times of data with received_at."),
    NotInSchema(f"{_RECORD}-08", "members", "It subtracts received_at from expires_at."),
    NotInSchema(f"{_RECORD}-09", "members", "It compares expires_at with window_end of data."),
    NotInSchema(f"{_RECORD}-10", "bytes", "A schema sees the value, not the length of its text."),
)
"""Every rule that a body, a record or a manifest can break and still match its schema."""
