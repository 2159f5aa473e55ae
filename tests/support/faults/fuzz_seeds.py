"""Bytes from which fuzzing starts: valid and faulty ones for each property, the same each time.

They are drawn from the published strategies, and from the corpora in `tests/data`.
"""

import base64
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from devicestatus.agent.recorder import Recorder
from devicestatus.record import encode_record
from devicestatus.strategies import records, snapshot_bodies, window_bodies
from healthapi.endpoints import ENDPOINTS, ROOT
from healthapi.snapshot import SNAPSHOT_FILE
from healthapi.strategies import profile_files, snapshots
from sitedata.strategies import bodies
from status_contracts import json_text
from status_contracts.adapters.contract import body_bytes
from support.devicestatus.examples import (
    COVERED_SONG,
    NOON,
    RECEIVED_AT,
    SESSION,
    TOKEN,
    body,
    event,
    gap,
    plain,
    snapshot,
    snapshot_record,
    window,
    window_record,
)
from support.healthapi.health_client import csv_files
from support.healthapi.planted_secrets import planted
from support.schemas.drawn import drawn
from support.sitedata.site_versions import body_of
from support.vectors.cases import cases_of, refused_bodies, response_texts

__all__ = ["SEEDS"]

TESTS: Final = Path(__file__).parents[2]
CORPORA: Final = TESTS / "data" / "corpora"
ALWAYS: Final = (b"", b"{}", b"[]", b"\xef\xbb\xbf{}", b"[" * 1200 + b"]" * 1200, b"\xff")
FULL: Final = window(
    events=(event(1, NOON), event(2, NOON + 5, music=COVERED_SONG)),
    gaps=(gap(NOON + 1000, NOON + 2000),),
)


def _documents() -> Iterator[bytes]:
    for line in (CORPORA / "json_test_suite.jsonl").read_text("utf-8").splitlines():
        text = base64.b64decode(json.loads(line)["body_b64"])
        if len(text) <= 4096:
            yield text


def _snapshots() -> Iterator[bytes]:
    yield body(snapshot(music=COVERED_SONG, running_apps=("a", "b")))
    for received in drawn(snapshot_bodies(received_at=NOON)):
        yield received.body
    naughty = [text for text in json.loads((CORPORA / "blns.json").read_text("utf-8")) if text]
    for name in ("<svg onload='x'>&]]>\"\ufffe", *naughty[::20]):
        song = {"state": "playing", "track": name, "artist": name}
        yield body({**plain(snapshot()), "active_app": name, "music": song})
    yield from (text[:4096] for text, _ in refused_bodies("/api/update"))


def _windows() -> Iterator[bytes]:
    yield body(FULL)
    for received in drawn(window_bodies(received_at=RECEIVED_AT, max_events=3)):
        yield received.body
    yield from (text[:4096] for text, _ in refused_bodies("/api/batch"))


def _records() -> Iterator[bytes]:
    yield encode_record(window_record(FULL))
    yield encode_record(snapshot_record())
    yield encode_record(snapshot_record(data=snapshot(music=COVERED_SONG, running_apps=("a", "b"))))
    yield from map(encode_record, drawn(records()))


def _answers() -> Iterator[bytes]:
    for case in cases_of("devicestatus/playback"):
        yield from map(str.encode, response_texts(case["input"]["responses"]).values())


def _checkpoints() -> Iterator[bytes]:
    recorder = Recorder(SESSION)
    yield recorder.checkpoint(now_ms=RECEIVED_AT)
    for after in range(4):
        instant = RECEIVED_AT - 40_000 + after * 10_000
        recorder.observe(
            snapshot(active_app=f"{after}", running_apps=("a",), music=COVERED_SONG),
            wall_ms=instant,
            monotonic_ms=after * 10_000,
        )
        recorder.add_gap(instant - 5000, instant - 1000, "sleep")
        recorder.add_gap(instant + 50_000, instant + 60_000, "clock")
        yield recorder.checkpoint(now_ms=instant)


def _tables() -> Iterator[bytes]:
    yield from csv_files(4).values()
    for files in drawn(profile_files(3), 6):
        yield from (data for name, data in files.items() if name != SNAPSHOT_FILE)
    for case in cases_of("healthapi/rows"):
        yield from (body_bytes(parts)[:4096] for parts in case["input"]["files"].values())
    yield b'date,steps\r\n"2026-01-01","1\r\n2"\r\r\n\r2026-01-02,"a""b"'


def _accounts() -> Iterator[bytes]:
    for files in drawn(profile_files(1), 8):
        if SNAPSHOT_FILE in files:
            yield files[SNAPSHOT_FILE]
    for value, _ in drawn(planted(snapshots()), 12):
        yield json_text.encode(value)


def _columns() -> Iterator[bytes]:
    root = TESTS.parent / "examples" / "lifesnaps" / "columns.toml"
    yield root.read_bytes()
    yield b"""
[activity]
file = "a.csv"
wide = true
[activity.columns]
steps = { sum = ["a", { from = "b", factor = 2 }] }
"""
    yield b'[sleep]\nfile="a.csv"\ndate="d"\n[sleep.columns]\nis_main_sleep={constant=true}\n'


def _sites() -> Iterator[bytes]:
    yield body_of(1, problems=2)
    yield from drawn(bodies(2))
    for case in cases_of("sitedata/files"):
        yield body_bytes(case["input"]["body"])[:4096]


def _settings() -> Iterator[bytes]:
    yield rb"""
dates = "first-added"
zone = "Europe/Berlin"
ratings = ["a"]
[repository]
owner = "ada"
name = "practice"
host = "git.example.org"
kind = "gitea"
[ignore]
roots = ["x"]
keep = ["y"]
[languages]
rs = "Rust"
[platforms.uva]
folders = ["own", "mine/own"]
[platforms.kattis]
enabled = false
"""


def _device_requests() -> Iterator[bytes]:
    gets = ("now", "timeline", "music", "apps/active", "apps/running", "device", "badge.svg")
    for name in (*gets, "health", "icons", "icons/terminal.png"):
        yield _request("GET", f"/api/{name}", [("If-None-Match", '"x", W/"y"')])
    heads = [("Authorization", f"Bearer {TOKEN}"), ("Content-Type", "application/json")]
    for path, text in (("/api/update", body(snapshot())), ("/api/batch", body(FULL))):
        yield _request("POST", path, [*heads, ("Content-Length", str(len(text)))], text)
        yield _request("POST", path, [*heads, ("Content-Encoding", "identity")], text)
        yield _request("OPTIONS", path, [])
    yield _request("HEAD", "/now", [("If-Modified-Since", "Tue, 03 Feb 2026 10:00:00 GMT")])


def _health_requests() -> Iterator[bytes]:
    query = (
        "?limit=5&offset=1&metrics=steps,hrv&granularity=weekly&width=400&height=300&theme=light"
    )
    for endpoint in ENDPOINTS:
        path = endpoint.path.replace("{profile_id}", "anna")
        for key in ("sleep", "daily", "steps", "series.svg", "profile"):
            filled = "/".join(key if part.startswith("{") else part for part in path.split("/"))
            yield _request("GET", f"{ROOT}{filled}{query}", [("If-None-Match", "*")])


def _site_requests() -> Iterator[bytes]:
    heads = [("If-None-Match", '"x"')]
    for method in ("GET", "HEAD", "OPTIONS", "POST"):
        yield _request(method, "/data/site-data.json?page=2", heads)
    yield _request(
        "GET", "/data/site-data.json", [("If-Modified-Since", "Fri, 02 Jan 2026 00:00:00 GMT")]
    )


def _request(method: str, target: str, headers: list[tuple[str, str]], text: bytes = b"") -> bytes:
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + text


SEEDS: Final[Mapping[str, Callable[[], Iterator[bytes]]]] = {
    "json": _documents,
    "snapshot": _snapshots,
    "window": _windows,
    "record": _records,
    "timeline": _answers,
    "checkpoint": _checkpoints,
    "tables": _tables,
    "account": _accounts,
    "columns": _columns,
    "site": _sites,
    "settings": _settings,
    "device-http": _device_requests,
    "health-http": _health_requests,
    "site-http": _site_requests,
}
"""Name of a property to its seeds; `ALWAYS` belongs to each."""
