"""Responses of the services, by the name of the document that describes them."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import attrs

from devicestatus.engine.record import encode
from healthapi.catalog_keys import SERIES_METRICS
from healthapi.http.endpoints import ENDPOINTS, ROOT
from healthapi.rows.records import DailyRow
from status_contracts.http.messages import Asset
from support.devicestatus.examples import (
    COVERED_SONG,
    NOON,
    RECEIVED_AT,
    SONG,
    event,
    gap,
    snapshot,
    snapshot_record,
    window,
    window_record,
)
from support.devicestatus.fake_server import FakeServer
from support.healthapi.health_client import HealthClient
from support.schemas.mutations import mutations

PATHS: Final = {
    "now": "/api/now",
    "timeline": "/api/timeline",
    "music": "/api/music",
    "active-app": "/api/apps/active",
    "running-apps": "/api/apps/running",
    "device": "/api/device",
    "health": "/api/health",
    "icon-manifest": "/api/icons",
}
MANIFEST: Final = {
    "version": 1,
    "icons": [
        {
            "id": "editor",
            "app": "Editor",
            "aliases": ["Text Editor"],
            "imageUrl": "/api/icons/editor.png",
            "source": "installed-app",
            "credit": "drawn for a test",
            "sourceUrl": "https://icons.example/editor",
            "sha256": "0123456789abcdef" * 4,
        }
    ],
}
KEYS: Final = {
    "metric": "steps",
    "section": "body",
    "table": "activity",
    "dataset": "weekly",
    "series": "monthly",
    "snapshot-endpoint": "devices",
}
ANY_JSON: Final = re.compile(
    r"(snapshot_status/|^data/)(fetch_summary|range)/|endpoints/\w+/data/|^data/data/"
    r"|^(data/(fetch_summary|range)|data/data|.*/fetch_summary|.*endpoints/\w+/data): "
    r"|^data/endpoints/\w+: dropped"
)
"""Labels of mutations of what is any JSON, or any object, in the contract."""
OPTIONAL: Final = frozenset(
    {"omissions", "rejected_rows", "unreadable_cells", "partial_periods", "exercise_examples"}
    | {"avg7", "avg30", "trend"}
    | {field.name for field in attrs.fields(DailyRow) if field.name != "date"}
    | {metric for metrics in SERIES_METRICS.values() for metric in metrics}
)
MOST: Final = 60
"""Mutations of one response."""


def response_cases() -> Iterator[tuple[str, Any]]:
    """Generate document and value of responses of the device status service."""
    files = {"index.json": Asset(json.dumps(MANIFEST).encode())}
    apps = ("Editor", "System", "Unknown")
    records: tuple[tuple[bytes | None, int], ...] = (
        (None, NOON),
        (encode(snapshot_record()), NOON + 1),
        (encode(snapshot_record(data=snapshot(music=COVERED_SONG, running_apps=apps))), NOON + 1),
        (encode(snapshot_record(data=snapshot(active_app=None, running_apps=()))), NOON + 1),
        (
            encode(
                window_record(
                    window(
                        baseline=snapshot(running_apps=apps),
                        events=(event(1, NOON + 5), event(2, NOON + 9, music=SONG)),
                        gaps=(gap(NOON + 100, NOON + 200),),
                    )
                )
            ),
            RECEIVED_AT + 1,
        ),
    )
    server = FakeServer(files=files)
    for stored, now in records:
        server.stored, server.now = stored, now
        for document, path in PATHS.items():
            yield document, server.get(path)
    yield "error", json.loads(server.send("GET", "/nowhere").body)
    yield "error", json.loads(server.send("POST", "/api/update").body)
    server.now = NOON
    posted = server.post("/api/update", json.loads(encode(snapshot_record()))["data"])
    yield "update-result", json.loads(posted.body)


def health_responses() -> Iterator[tuple[str, Any]]:
    """Generate document and value of responses of the health data service."""
    server = HealthClient()
    for endpoint in ENDPOINTS:
        if endpoint.kind != "json":
            continue
        for profile in ("anna", "nobody") if endpoint.of_profile else ("",):
            path = endpoint.path.replace("{profile_id}", profile)
            path = re.sub(r"\{\w+\}", KEYS.get(endpoint.name, ""), path)
            if profile == "nobody" and endpoint.name.startswith("snapshot"):
                continue
            yield endpoint.name, server.get(f"{ROOT}{path}")
    yield "error", json.loads(server.send("GET", "profiles/unknown").body)


def sampled(value: Any) -> Iterator[tuple[str, Any]]:
    """Generate some of the mutations of a response that the contract refuses."""
    found = [each for each in mutations(value, OPTIONAL) if not ANY_JSON.search(each[0])]
    step = max(1, len(found) // MOST)
    yield from found[::step]
