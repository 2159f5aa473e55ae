"""The schemas of the device status contract, and the OpenAPI 3.1 document of the service.

A refinement states a rule that the validators check in code (`devicestatus.cross_field`,
`devicestatus.icons`), or a form that the service writes (`devicestatus.bodies`).  Of URLs it states
the scheme: user, port and host are what the URL standard makes of the text.

Invariant *no second source*: paths come from the table of endpoints, bodies from the models, error
codes from `devicestatus.errors`.
"""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

import attrs

from devicestatus import bodies, limits
from devicestatus.agent.privacy import NO_BATTERY, NO_MUSIC, NO_SYSTEM
from devicestatus.deadlines import Deadline, window_deadline
from devicestatus.endpoints import ENDPOINTS
from devicestatus.errors import STATUS_OF, ErrorCode
from devicestatus.icons import index_icons
from devicestatus.models import (
    SENSITIVE_APP,
    Battery,
    Music,
    Snapshot,
    System,
    UtcInstant,
    Window,
    WindowChanges,
    WindowEvent,
    WindowGap,
)
from devicestatus.record import Record, SnapshotRecord, WindowRecord
from devicestatus.responses import (
    BODIES,
    ICON_ID,
    RESPONSES,
    ErrorBody,
    Health,
    IconManifest,
    InstalledAppIcon,
    OfflineStatus,
    UpdateResult,
)
from devicestatus.settings import DEFAULT_SERVICE_NAME
from devicestatus.state import Online, state_of
from status_contracts import json_text
from status_contracts.instants import MINUTE_MS, SECOND_MS, parse_millisecond
from status_contracts.pages import openapi
from status_contracts.primitives import WHITE_SPACE
from status_contracts.structuring.converter import unstructure
from status_contracts.structuring.json_schema import (
    CONTROL,
    Schema,
    SchemaBuilder,
    SchemaSet,
    document,
    matching,
)

__all__ = ["CONTRACT_VERSION", "DOCUMENTS", "EXAMPLES", "MEANINGS", "PRODUCT", "schemas"]

PRODUCT: Final = "device-status"
"""The folder of the files of the schemas."""
CONTRACT_VERSION: Final = "0.1.0"

DOCUMENTS: Final[Mapping[str, tuple[type[attrs.AttrsInstance], ...]]] = {
    "snapshot": (Snapshot,),
    "window": (Window,),
    "record": (SnapshotRecord, WindowRecord),
    **RESPONSES,
}
"""Name of a document to the models of which it has one: bodies, and the value of the store."""

MEANINGS: Final[dict[ErrorCode, str]] = {
    "invalid_json": "The body is empty, not UTF-8 or not JSON.",
    "invalid_payload": "A value, an unknown member, an order or a time breaks a rule.",
    "unauthorized": "No token, or another one; comes with `WWW-Authenticate: Bearer`.",
    "not_found": "No such path, or no such icon.",
    "method_not_allowed": "The path has no such method; `Allow` lists those it has.",
    "payload_too_large": "The body is too long, or its stated length is not a number.",
    "unsupported_media_type": "Not JSON by its header, or compressed.",
    "service_unavailable": "The configuration is incomplete, or store or icons cannot be reached;"
    " try again later.",
}
"""Error code to what it means."""
_REASONS: Final = {
    status: " ".join(text for code, text in MEANINGS.items() if STATUS_OF[code] == status)
    for status in STATUS_OF.values()
}
_ORIGIN: Final[Schema] = {"description": "Any origin.", "schema": {"const": "*"}}
_HEADERS: Final[Mapping[int, Mapping[str, Schema]]] = {
    401: {"WWW-Authenticate": {"description": "The scheme.", "schema": {"const": "Bearer"}}},
    405: {"Allow": {"description": "The methods of the path.", "schema": {"type": "string"}}},
}


_BLANK: Final = "".join(character for character in WHITE_SPACE if not character.isascii())
_UNTRIMMED: Final[Schema] = {"not": {"pattern": f"{CONTROL}|^[ {_BLANK}]|[ {_BLANK}]$"}}

_HTTPS_URL: Final[Schema] = {"pattern": "^[Hh][Tt][Tt][Pp][Ss]:", **_UNTRIMMED}
"""Trimmed text that begins as an https URL; the URL standard states the rest."""
_NOT_BLANK: Final[Schema] = {"type": "string", "pattern": f"[^ {_BLANK}]"}
"""Text with a character that is not white space."""

_ICON_API_PATH: Final = matching(rf"/api/icons/{ICON_ID}\.png")
_WRITTEN_TIME: Final[Schema] = {"$ref": "#/$defs/MillisecondTimestamp"}
"""Every timestamp of a response has three digits after the second."""
_IN_BODIES: Final[Mapping[str, Schema]] = {
    "ok": {"description": "The request succeeded."},
    "status": {"description": "Whether there is a current record."},
}


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
    "Music.artwork_url": _HTTPS_URL,
    "Music.track_url": _HTTPS_URL,
    "SnapshotTimelineStatus": {"title": "With snapshots"},
    "WindowStatus": {"title": "With windows"},
    "WindowChanges": {"minProperties": 1},
    "WindowChanges.active_app": {"description": "The new foreground app, or null."},
    "WindowChanges.running_apps": {"description": "The new list of apps."},
    "WindowGap.reason": {"description": "Why nothing was observed."},
    "Health.service": {"description": "Name of the service."},
    **{f"System.load_{n}m": {"description": f"Mean over {n} min, or null."} for n in (1, 5, 15)},
    "MusicStatus.music": {"type": "object", "required": ["artwork_url", "track_url"]},
    "RunningAppsStatus.running_apps": {
        "description": "The apps with their icons; null where they are not reported.",
        "maxItems": limits.RUNNING_APPS,
        "uniqueItems": True,
    },
    "AppWithIcon": {
        "allOf": [
            _where("icon_url", {"type": "null"}, {"icon_api_url": {"type": "null"}}),
            _where("icon_url", {"type": "string"}, {"icon_api_url": {"type": "string"}}),
            _where("name", {"const": SENSITIVE_APP}, {"icon_url": {"type": "null"}}),
        ]
    },
    "AppWithIcon.icon_url": matching(rf"/app-icons/{ICON_ID}\.png"),
    "AppWithIcon.icon_api_url": _ICON_API_PATH,
    "InstalledAppIcon.imageUrl": _ICON_API_PATH,
    "InstalledAppIcon.sourceUrl": _HTTPS_URL,
    **{
        f"{model.__name__}.{field.name}": _IN_BODIES.get(field.name, _WRITTEN_TIME)
        for model in sorted(BODIES, key=attrgetter("__name__"))
        for field in attrs.fields(model)
        if field.type == UtcInstant or field.name in _IN_BODIES
    },
}
"""`Model` or `Model.member` to the keywords that are added."""

_AT: Final = parse_millisecond("2026-01-31T12:00:00.000Z")
_RECEIVED_AT: Final = _AT + SECOND_MS
_END: Final = _AT + 15 * MINUTE_MS
_BATTERY: Final = Battery(82, charging=False, power_source="battery")
_MUSIC: Final = Music(
    "playing",
    "Song",
    "Band",
    "https://is1-ssl.mzstatic.com/image/cover.jpg",
    "https://music.apple.com/us/album/song/1?i=2",
)
_APPS: Final = ("Code Editor", "Terminal")
_SNAPSHOT: Final = Snapshot(_AT, _APPS[0], _BATTERY, System(1.5, 1.25, 1), _MUSIC, _APPS)
_WINDOW: Final = Window(
    session_id="0f8fad5b-d9cb-469f-a165-70867728950e",
    batch_seq=7,
    generated_at=_END + SECOND_MS,
    window_start=_AT,
    window_end=_END,
    baseline=_SNAPSHOT,
    events=(
        WindowEvent(41, _AT + 200 * SECOND_MS, WindowChanges(active_app="Terminal")),
        WindowEvent(
            42, _AT + 9 * MINUTE_MS, WindowChanges(music=Music("stopped", track=None, artist=None))
        ),
    ),
    gaps=(WindowGap(_AT + 5 * MINUTE_MS, _AT + 6 * MINUTE_MS, "sleep"),),
    dropped_events=0,
)
_ICON: Final = InstalledAppIcon(
    id="code-editor",
    app="Code Editor",
    aliases=("Editor", "code"),
    imageUrl="/api/icons/code-editor.png",
    source="installed-app",
    credit="Drawn for this deployment",
    sourceUrl=None,
)
_MANIFEST: Final = IconManifest(1, (_ICON,))
_INDEX: Final = index_icons(_MANIFEST)
_SNAPSHOT_RECORD: Final = SnapshotRecord(_RECEIVED_AT, _SNAPSHOT, _RECEIVED_AT + MINUTE_MS)
_WINDOW_RECORD: Final = WindowRecord(_END + 2 * SECOND_MS, _WINDOW, window_deadline(_END))
_TTL: Final = limits.TTL_UNSET_SECONDS
_STATE: Final = Online(_SNAPSHOT, _RECEIVED_AT, Deadline(_RECEIVED_AT + MINUTE_MS, "stored"))
_PLAYED: Final = state_of(_WINDOW_RECORD, now=_END + MINUTE_MS // 2, ttl_seconds=_TTL)


def _timeline(record: Record) -> object:
    return json_text.decode(bodies.timeline_json(record, now=record.received_at, ttl_seconds=_TTL))


EXAMPLES: Final[Mapping[str, list[Any]]] = {
    **{
        type(values[0]).__name__: [unstructure(value) for value in values]
        for values in (
            (_SNAPSHOT, Snapshot(_AT, None, NO_BATTERY, NO_SYSTEM, NO_MUSIC)),
            (_WINDOW,),
            (_SNAPSHOT_RECORD,),
            (_WINDOW_RECORD,),
            (UpdateResult(_RECEIVED_AT, _RECEIVED_AT + MINUTE_MS),),
            (bodies.now(_PLAYED), bodies.now(_STATE)),
            (OfflineStatus(),),
            (bodies.music(_STATE),),
            (bodies.active_app(_STATE, _INDEX),),
            (bodies.running_apps(_STATE, _INDEX),),
            (bodies.device(_STATE),),
            (Health(DEFAULT_SERVICE_NAME),),
            (ErrorBody("invalid_payload"),),
            (_MANIFEST,),
        )
    },
    "WindowStatus": [_timeline(_WINDOW_RECORD)],
    "SnapshotTimelineStatus": [_timeline(_SNAPSHOT_RECORD)],
}
"""Model of a whole body to its examples."""


def schemas() -> SchemaSet:
    """Return the schemas."""
    builder = SchemaBuilder(refinements=REFINEMENTS, examples=EXAMPLES)
    schema_of = {
        name: _body(name, {model.__name__: builder.reference(model) for model in models})
        for name, models in DOCUMENTS.items()
    }
    made = builder.definitions
    documents = {name: document(PRODUCT, name, body, made) for name, body in schema_of.items()}
    return SchemaSet(PRODUCT, documents, _openapi(schema_of, made))


def _body(name: str, references: Mapping[str, Schema]) -> Schema:
    if len(references) == 1:
        return next(iter(references.values()))
    description = f"One of {', '.join(references)}."
    title = name.replace("-", " ").capitalize()
    return {"title": title, "description": description, "anyOf": [*references.values()]}


def _openapi(schema_of: Mapping[str, Schema], definitions: Mapping[str, Schema]) -> dict[str, Any]:
    def error_schema(codes: Sequence[str]) -> Schema:
        return {**schema_of["error"], "properties": {"error": {"enum": list(codes)}}}

    api = openapi.Api(
        title="Device status",
        version=CONTRACT_VERSION,
        description="The status of one computer: one agent writes, everybody reads.",
        server="./",
        bodies=schema_of,
        status_of=STATUS_OF,
        reasons=_REASONS,
        error_schema=error_schema,
        headers=lambda _, status: {
            "Access-Control-Allow-Origin": _ORIGIN,
            **_HEADERS.get(status, {}),
        },
        conditions={
            "If-None-Match": "Entity tags of the files that the client has.",
            "If-Modified-Since": "Date of the file that the client has.",
        },
        token="The ingest token of the deployment.",  # noqa: S106 - a description
    )
    return openapi.document(api, ENDPOINTS, definitions)
