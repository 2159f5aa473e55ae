"""The page of fields describes every member that is published, and no other."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from healthapi.endpoints import ENDPOINTS
from healthapi.profile import load
from healthapi.snapshot import SNAPSHOT_FILE
from status_contracts import json_text as codec
from support.healthapi.health_client import ROOT, HealthClient, csv_files
from support.healthapi.health_snapshots import snapshot_value

PAGE = (Path(__file__).parents[2] / "docs/reference/health-fields.md").read_text("utf-8")


def members(value: Any) -> Iterator[str]:
    """Yield the name of every member, at any depth; links and importers name theirs."""
    for item in value if isinstance(value, list) else ():
        yield from members(item)
    for name, member in value.items() if isinstance(value, dict) else ():
        yield name
        yield from members(member) if name not in {"links", "fetch_summary"} else ()


def test_every_member_is_described() -> None:
    files = {**csv_files(), SNAPSHOT_FILE: codec.encode(snapshot_value())}
    client = HealthClient([load("anna", files, generated_at="2026-01-31T12:00:00")])
    keys = {"profile_id": "anna", "endpoint_key": "profile"}
    published: set[str] = set()
    for endpoint in ENDPOINTS:
        if endpoint.of_profile and endpoint.kind == "json" and "snapshot" not in endpoint.path:
            key = endpoint.key
            for choice in key.choices if key is not None and key.choices else ("",):
                path = endpoint.path.format_map({**keys, **({key.name: choice} if key else {})})
                published |= {*members(client.get(f"{ROOT}{path}")["data"])}
    published = {name for name in published if not name.endswith("_label")}
    assert published - {*re.findall(r"`(\w+)`", PAGE)} == set()
