"""Hostile input at every entry point, as a script: one line for each case, with what came of it.

    python tests/hostile_cases.py

What it prints does not depend on how the interpreter was started (`test_interpreters`).  It asserts
nothing, for assertions may be switched off.
"""

import base64
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

import sitedata
from devicestatus import Settings, explain
from devicestatus.agent.recorder import Recorder
from devicestatus.music_urls import ITUNES
from devicestatus.parsing import check_snapshot, check_window, parse_snapshot, parse_window
from devicestatus.player import Player
from devicestatus.record import decode_record, encode_record
from healthapi import clean, load
from healthapi.adapters.column_mapping import parse_column_mapping
from healthapi.endpoints import parse_integer
from healthapi.limits import DATASET_LIMIT
from healthapi.resources import build_dashboard
from healthapi.snapshot import SNAPSHOT_FILE
from sitedata.adapters.files import read_config
from status_contracts.conditional import parse_http_date
from status_contracts.findings import ContractError
from status_contracts.json_text import encode as json_text
from status_contracts.messages import is_length_allowed
from status_contracts.structuring.converter import unstructure
from support.devicestatus.examples import (
    COVERED_SONG,
    NOON,
    RECEIVED_AT,
    TOKEN,
    body,
    event,
    plain,
    snapshot,
    snapshot_record,
    window,
    window_record,
)
from support.faults.heavy_bodies import heavy_texts
from support.healthapi.health_client import csv_files
from support.healthapi.health_snapshots import snapshot_value
from support.sitedata.site_versions import body_of

CORPORA: Final = Path(__file__).parents[2] / "data" / "corpora"
DIGITS: Final = (400, 401, 640, 641, 4300, 4301, 5000, 16_000)
STAMP: Final = "2026-01-31T12:00:00"
FILLED: Final = window(events=(event(1, NOON, music=COVERED_SONG),))
OVERFLOWING: Final = 1_000_000

Case = tuple[str, Callable[[], object]]


def outcome(call: Callable[[], object]) -> str:
    """Return in words what came of a case: the code and rules of a refusal, or what was made."""
    try:
        made = call()
    except ContractError as error:
        return " ".join([error.code, *(finding.rule for finding in error.findings[:5])])
    except Exception as error:  # noqa: BLE001 - the one thing that must not be there
        return f"RAISED {type(error).__qualname__}"
    if isinstance(made, int | None):
        return repr(made)
    return sha256(made).hexdigest()[:16] if isinstance(made, bytes) else type(made).__qualname__


def texts() -> Iterator[tuple[str, bytes]]:
    """Return hostile bytes that any entry point may meet."""
    for line in (CORPORA / "json_test_suite.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        yield case["name"], base64.b64decode(case["body_b64"])
    yield from heavy_texts(12_000).items()
    for count in DIGITS:
        yield f"{count} digits", b"9" * count
        yield f"{count} digits, negative", b"[-" + b"9" * count + b"]"
        yield f"{count} digits and a fraction", b"9" * count + b".5"


def entry_points(name: str, data: bytes) -> Iterator[Case]:
    """Return the entry points of bytes."""
    yield f"snapshot {name}", parsing(data)
    yield f"check {name}", checking(data)
    yield f"window {name}", lambda: parse_window(data, received_at=RECEIVED_AT)
    yield f"record {name}", lambda: decode_record(data, ITUNES)
    yield f"explain {name}", lambda: explain(data, RECEIVED_AT, Settings(TOKEN))
    yield f"timeline {name}", lambda: Player().accept(data, 0)
    yield f"checkpoint {name}", lambda: Recorder.resume(data, now_ms=RECEIVED_AT)
    yield f"account {name}", lambda: shown({SNAPSHOT_FILE: data})
    yield f"table {name}", lambda: shown({"csv/fitbit_activity.csv": b"date,steps\n" + data})
    yield f"columns {name}", lambda: parse_column_mapping(data)
    yield f"site {name}", lambda: sitedata.parse(data)
    yield f"settings {name}", lambda: read_config(data)


def shown(files: dict[str, bytes]) -> bytes:
    return json_text(build_dashboard(load("me", files, generated_at=STAMP)))


def numbers() -> Iterator[Case]:
    """Return long numbers in the places where numbers are read."""
    for count in DIGITS:
        digits = "9" * count
        value = plain(snapshot())
        for spelled in (digits, f"-{digits}", f"{digits}.0", f"0.{digits}", f"1e{digits}"):
            text = body({**value, "battery": {**value["battery"], "percent": "@"}})
            made = text.replace(b'"@"', spelled.encode())
            yield f"percent {spelled[:3]} {count}", parsing(made)
            table = f"date,steps\n2026-01-01,{spelled}\n".encode()
            yield f"cell {spelled[:3]} {count}", showing({"csv/fitbit_activity.csv": table})
        yield f"limit {count}", reading(digits)
        yield f"limit -{count}", reading(f"-{digits}")
        yield f"length {count}", allowing(digits.encode())
        yield f"date {count}", dating(f"Tue, 03 Feb {digits} 10:00:00 GMT")
        yield f"lifetime {count}", living(digits)
        yield f"toml {count}", configuring(f"zone = {digits}".encode())
        yield f"commits {count}", siting(digits.encode())


def parsing(data: bytes) -> Callable[[], object]:
    return lambda: json_text(unstructure(parse_snapshot(data, received_at=NOON)))


def checking(data: bytes) -> Callable[[], object]:
    """Validate a body as agents do, at both entry points."""
    found = (check_snapshot, check_window)
    return lambda: json_text([[finding.rule for finding in check(data)] for check in found])


def decoding(stored: bytes) -> Callable[[], object]:
    def call() -> bytes | None:
        record = decode_record(stored, ITUNES)
        return None if record is None else encode_record(record)

    return call


def showing(files: dict[str, bytes]) -> Callable[[], object]:
    return lambda: shown(files)


def reading(text: str) -> Callable[[], object]:
    return lambda: parse_integer(text, DATASET_LIMIT)


def allowing(line: bytes) -> Callable[[], object]:
    return lambda: is_length_allowed((line,), OVERFLOWING)


def dating(text: str) -> Callable[[], object]:
    return lambda: parse_http_date(text)


def living(text: str) -> Callable[[], object]:
    return lambda: Settings(TOKEN, text).ttl_seconds


def configuring(data: bytes) -> Callable[[], object]:
    return lambda: read_config(data)


def siting(digits: bytes) -> Callable[[], object]:
    text = body_of(1, problems=1).replace(b'"commitCount":1', b'"commitCount":' + digits)
    return lambda: json_text([finding.rule for finding in sitedata.check(text).findings])


def sound() -> Iterator[Case]:
    """Return what must be accepted however the interpreter was started."""
    yield "sound snapshot", parsing(body(snapshot(music=COVERED_SONG, running_apps=("a", "b"))))
    yield "sound window", checking(body(FILLED))
    yield "sound window record", decoding(encode_record(window_record(FILLED)))
    yield "sound snapshot record", decoding(encode_record(snapshot_record()))
    files = {**csv_files(), SNAPSHOT_FILE: json.dumps(snapshot_value()).encode()}
    yield "sound profile", showing(files)
    yield "sound account", lambda: json_text(clean(snapshot_value()))
    yield "sound site", lambda: sitedata.encode(sitedata.parse(body_of(1)))


def cases() -> Iterable[Case]:
    for name, data in texts():
        yield from entry_points(name, data)
    yield from numbers()
    yield from sound()


def main() -> int:
    """Print the outcome of every case; 1 when anything but the one error was raised."""
    lines = [f"{name}: {outcome(call)}" for name, call in cases()]
    sys.stdout.write("\n".join([*lines, ""]))
    return int(any(": RAISED" in line for line in lines))


if __name__ == "__main__":
    sys.exit(main())
