"""Hostile input at every entry point, as a script: one line for each case, with what came of it.

    python tests/support/faults/hostile_cases.py

What it prints does not depend on how the interpreter was started (`test_interpreters`).  It asserts
nothing, for assertions may be switched off.
"""

import base64
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

import attrs

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
from support.devicestatus.examples import (
    COVERED_SONG,
    NOON,
    RECEIVED_AT,
    TOKEN,
    body,
    event,
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

Call = Callable[[], object]


def outcome(call: Call) -> str:
    """Return in words what came of a case: the code and rules of a refusal, or what was made."""
    try:
        made = call()
    except ContractError as error:
        return " ".join([error.code, *(finding.rule for finding in error.findings[:5])])
    except Exception as error:  # noqa: BLE001 - the one thing that must not be there
        return f"RAISED {type(error).__qualname__}"
    is_value = attrs.has(type(made)) or isinstance(made, bytes | tuple | dict)
    if is_value and len(repr(made)) > 40:
        characters = "".join(sorted(repr(made)))  # in whichever order a set has its items
        return sha256(characters.encode()).hexdigest()[:16]
    return repr(made) if isinstance(made, int | tuple | None) else type(made).__qualname__


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


def entry_points(name: str, data: bytes) -> Iterator[tuple[str, Call]]:
    """Return the entry points of bytes."""
    yield f"snapshot {name}", partial(parse_snapshot, data, received_at=NOON)
    yield f"check a snapshot {name}", partial(check_snapshot, data)
    yield f"window {name}", partial(parse_window, data, received_at=RECEIVED_AT)
    yield f"check a window {name}", partial(check_window, data)
    yield f"record {name}", partial(decode_record, data, ITUNES)
    yield f"explain {name}", partial(explain, data, RECEIVED_AT, Settings(TOKEN))
    yield f"timeline {name}", partial(Player().accept, data, 0)
    yield f"checkpoint {name}", partial(Recorder.resume, data, now_ms=RECEIVED_AT)
    yield f"account {name}", partial(shown, {SNAPSHOT_FILE: data})
    yield f"table {name}", partial(shown, {"csv/fitbit_activity.csv": b"date,steps\n" + data})
    yield f"columns {name}", partial(parse_column_mapping, data)
    yield f"site {name}", partial(sitedata.parse, data)
    yield f"settings {name}", partial(read_config, data)


def shown(files: dict[str, bytes]) -> bytes:
    return json_text(build_dashboard(load("me", files, generated_at=STAMP)))


def numbers() -> Iterator[tuple[str, Call]]:
    """Return long numbers in the places where numbers are read."""
    sound, site = body(snapshot()), body_of(1, problems=1)
    for count in DIGITS:
        digits = "9" * count
        for spelled in (digits, f"-{digits}", f"{digits}.0", f"0.{digits}", f"1e{digits}"):
            name = f"{spelled[:3]} {count}"
            text = sound.replace(b'"percent": 82', f'"percent": {spelled}'.encode())
            yield f"percent {name}", partial(parse_snapshot, text, received_at=NOON)
            table = f"date,steps\n2026-01-01,{spelled}\n".encode()
            yield f"cell {name}", partial(shown, {"csv/fitbit_activity.csv": table})
        yield f"limit {count}", partial(parse_integer, digits, DATASET_LIMIT)
        yield f"limit -{count}", partial(parse_integer, f"-{digits}", DATASET_LIMIT)
        yield f"length {count}", partial(is_length_allowed, (digits.encode(),), 1_000_000)
        yield f"date {count}", partial(parse_http_date, f"Tue, 03 Feb {digits} 10:00:00 GMT")
        yield f"lifetime {count}", partial(Settings, TOKEN, digits)
        yield f"toml {count}", partial(read_config, f"zone = {digits}".encode())
        text = site.replace(b'"commitCount":1', f'"commitCount":{digits}'.encode())
        yield f"commits {count}", partial(sitedata.check, text)


def sound() -> Iterator[tuple[str, Call]]:
    """Return what must be accepted however the interpreter was started."""
    text = body(snapshot(music=COVERED_SONG, running_apps=("a", "b")))
    yield "sound snapshot", partial(parse_snapshot, text, received_at=NOON)
    yield "sound window", partial(parse_window, body(FILLED), received_at=RECEIVED_AT)
    for record in (window_record(FILLED), snapshot_record()):
        yield "sound record", partial(decode_record, encode_record(record), ITUNES)
    files = {**csv_files(), SNAPSHOT_FILE: json.dumps(snapshot_value()).encode()}
    yield "sound profile", partial(shown, files)
    yield "sound account", partial(clean, snapshot_value())
    yield "sound site", partial(sitedata.parse, body_of(1))


def main() -> int:
    """Print the outcome of every case; 1 when anything but the one error was raised."""
    of_texts = [case for name, data in texts() for case in entry_points(name, data)]
    cases = [*of_texts, *numbers(), *sound()]
    lines = [f"{name}: {outcome(call)}" for name, call in cases]
    sys.stdout.write("\n".join([*lines, ""]))
    return int(any(": RAISED" in line for line in lines))


if __name__ == "__main__":
    sys.exit(main())
