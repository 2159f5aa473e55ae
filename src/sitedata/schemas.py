"""The schemas of the site-data contract, generated from its models."""

from collections.abc import Mapping
from typing import Any, Final

from sitedata.models import Snapshot
from sitedata.service import ENDPOINT, MESSAGE_OF, STATUS_OF
from status_contracts.pages import openapi
from status_contracts.pages.openapi import Api
from status_contracts.structuring.json_schema import (
    CALENDAR_DAY,
    Schema,
    SchemaBuilder,
    SchemaSet,
    document,
    matching,
)

FILE: Final = "site-data"
"""Name of the schema of the file, and of the folder of all."""
_FIRST_ERROR: Final = 400
_TEXT: Final[Schema] = {"type": "string"}
_ERROR_HEADERS: Final[Mapping[str, Schema]] = {
    "Access-Control-Allow-Origin": {"description": "Any origin.", "schema": {"const": "*"}}
}
_HEADERS: Final[Mapping[str, Schema]] = {
    **_ERROR_HEADERS,
    "ETag": {"description": "Entity tag of the file, for If-None-Match.", "schema": _TEXT},
    "Last-Modified": {
        "description": "When the file was replaced, for If-Modified-Since.",
        "schema": _TEXT,
    },
    "Cache-Control": {"description": "Time for which the file may be cached.", "schema": _TEXT},
}

_ERROR: Final[Schema] = openapi.error_body(STATUS_OF, MESSAGE_OF)

_HOUR: Final = "(?:[01][0-9]|2[0-3])"
_SIXTY: Final = "[0-5][0-9]"
_FRACTION: Final = r"(?:\.[0-9]{1,6})?"

_PREDICATES: Final[Mapping[str, Schema]] = {
    "time.format": {"$ref": "#/$defs/OffsetTime"},
    "date.real": {"$ref": "#/$defs/CalendarDay"},
}
"""Rule of a predicate to the schema of its text."""
_FORMS: Final[Mapping[str, Schema]] = {
    "OffsetTime": {
        "title": "Offset time",
        "description": "A real time with an offset from UTC, as RFC 3339 has it; in UTC, too, it is"
        " in the years 0001 to 9999, which a pattern does not state.",
        **matching(
            rf"{CALENDAR_DAY}[Tt]{_HOUR}:{_SIXTY}:{_SIXTY}{_FRACTION}(?:[Zz]|[+-]{_HOUR}:{_SIXTY})",
            format="date-time",
            examples=["2026-01-31T09:30:00+01:00", "2026-01-31T08:30:00Z"],
        ),
    },
    "CalendarDay": {
        "title": "Calendar day",
        "description": "A day of the calendar, as YYYY-MM-DD.",
        **matching(CALENDAR_DAY, format="date", examples=["2026-01-31"]),
    },
}
"""Definitions of texts that models check in code."""

_PROBLEM: Final = {
    "path": "kattis/hello.py",
    "platform": "kattis",
    "language": "Python",
    "title": "Hello World!",
    "problemUrl": "https://open.kattis.com/problems/hello",
    "githubUrl": "https://github.com/someone/practice/blob/main/kattis/hello.py",
    "rawUrl": "https://raw.githubusercontent.com/someone/practice/main/kattis/hello.py",
    "submittedAt": "2026-01-31T09:30:00+01:00",
}
_REPOSITORY: Final = {"owner": "someone", "name": "practice", "branch": "main"}
_SNAPSHOT: Final[dict[str, Any]] = {
    "repository": _REPOSITORY,
    "generatedAt": "2026-01-31T12:00:00.000Z",
    "sourceRef": "main",
    "commitCount": 3,
    "contributions": {"2026-01-30": 1, "2026-01-31": 2},
    "problems": [_PROBLEM],
    "ratings": {"kattis": None},
}
_EXAMPLES: Final[Mapping[str, list[Any]]] = {
    "Snapshot": [_SNAPSHOT],
    "Problem": [_PROBLEM, {**_PROBLEM, "submittedAt": None}],
    "Problem.platform": ["kattis", "codeforces"],
    "Repository": [_REPOSITORY],
}
"""`Model` or `Model.member` to its examples."""


def schemas() -> SchemaSet:
    """Return the schemas."""
    builder = SchemaBuilder(predicates=_PREDICATES, examples=_EXAMPLES)
    builder.reference(Snapshot)
    made: dict[str, Schema] = {**builder.definitions, **_FORMS}
    documents = {
        FILE: document(FILE, FILE, {"$ref": "#/$defs/Snapshot"}, made),
        "error": document(FILE, "error", _ERROR, made),
    }
    made["ErrorBody"] = _ERROR
    return SchemaSet(FILE, documents, _openapi(made))


def _openapi(definitions: dict[str, Schema]) -> dict[str, Any]:
    api = Api(
        title="Site data",
        version="0.1.0",
        description="One file: a deployed snapshot of a practice repository.",
        server="/",
        bodies={FILE: {"$ref": "#/$defs/Snapshot"}},
        status_of=STATUS_OF,
        reasons={405: "Method not allowed", 503: "No valid snapshot"},
        error_schema=lambda _: {"$ref": "#/$defs/ErrorBody"},
        headers=lambda _, status: _HEADERS if status < _FIRST_ERROR else _ERROR_HEADERS,
        conditions={
            "If-None-Match": "Entity tags of the files that the client has.",
            "If-Modified-Since": "Date of the file that the client has.",
        },
    )
    return openapi.document(api, [ENDPOINT], definitions)
