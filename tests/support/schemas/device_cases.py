"""Icon manifests and stored records, valid and with one fault each."""

from collections.abc import Iterator
from typing import Any

from support.devicestatus.entry_points import put
from support.devicestatus.examples import plain, snapshot_record, window_record
from support.schemas.validators import Case, case

RECORD = plain(snapshot_record())
WINDOW_RECORD = plain(window_record())
ICON = {
    "id": "editor",
    "app": "Editor",
    "aliases": ["Text Editor"],
    "imageUrl": "/api/icons/editor.png",
    "source": "installed-app",
    "credit": "drawn for a test",
    "sourceUrl": None,
}
MANIFEST: dict[str, Any] = {"version": 1, "icons": [ICON]}


def valid_manifests() -> Iterator[Case]:
    urls = (None, "https://a.example/x?y", "https://me:word@a.example:8443/", "HTTPS:a.example")
    for url in urls:
        yield case("icon-manifest", put(MANIFEST, "icons/0/sourceUrl", url))
    yield case("icon-manifest", put(MANIFEST, "icons/0/sha256", "0123456789abcdef" * 4))
    yield case("icon-manifest", {"version": 1, "icons": []})
    yield case("icon-manifest", {"version": 1.0, "icons": [ICON, ICON]})


def manifest_faults() -> Iterator[Any]:
    """Generate manifests that break one rule each."""
    members: tuple[tuple[str, tuple[object, ...]], ...] = (
        ("id", ("Editor", "a--b", "-a", "a-", "", "a\n", None, 7)),
        ("app", ("", None, "a\x7f")),
        ("aliases", ([], [""], ["a\n"], None, "a")),
        ("source", ("elsewhere", None)),
        ("credit", ("", 1)),
        ("imageUrl", ("/app-icons/editor.png", "", "/api/icons/editor.png\n", "/api/icons/.png")),
        ("sha256", ("A" * 64, "a" * 63, "a" * 65, None, "a" * 64 + "\n")),
        (
            "sourceUrl",
            (
                *("", "http://a.example/", " https://a.example/", "https://a.example/\u3000"),
                "a.png",
            ),
        ),
    )
    for name, values in members:
        for value in values:
            yield {**MANIFEST, "icons": [ICON, {**ICON, name: value}]}
    for name in ICON:
        yield {**MANIFEST, "icons": [{each: ICON[each] for each in ICON if each != name}]}
    yield {**MANIFEST, "icons": [{**ICON, "more": 1}]}
    yield from ({}, [], None, {"version": 2, "icons": []}, {"version": 1}, {**MANIFEST, "more": 1})


def record_faults() -> Iterator[Any]:
    """Generate stored values that break a rule of one member."""
    for value in (RECORD, WINDOW_RECORD):
        for wrong in (0, -1, 1.5, "1", None, True, 253_402_300_800_000):
            yield put(value, "received_at", wrong)
        for wrong in (0, -1, 1.5, "1", None, 253_402_304_400_000):
            yield put(value, "expires_at", wrong)
        yield {**value, "more": 1}
        yield {name: value[name] for name in value if name != "data"}
        yield {name: value[name] for name in value if name != "received_at"}
        yield put(value, "data", {})
        yield put(value, "data/schema_version", 3)
    yield {name: WINDOW_RECORD[name] for name in WINDOW_RECORD if name != "expires_at"}
    yield from (None, [], {}, "record", 1)
