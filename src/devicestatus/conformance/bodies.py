"""Bodies that the checks send: valid ones around the deployment's clock, and those of vectors."""

import base64
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from purewire.instants import SECOND_MS, format_instant, parse_utc
from purewire.json import codec

Plain = dict[str, Any]

SESSION: Final = "5f0c1b8e-2d43-4c2a-9a57-3f1f0e6d7b21"
ANY_BATCH: Final = 1
"""Batch number of a window that gets one of its own when it is written."""
ARTWORK: Final = "https://is1-ssl.mzstatic.com/image/thumb/100x100bb.jpg"
CHANGED: Final = ("active_app", "running_apps", "battery", "system", "music")
"""The members of a snapshot that an event may change."""
TRACK: Final = "https://music.apple.com/us/album/so-what/268443092?i=268443097"
_TIME: Final = re.compile(rb"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d")


def snapshot(at: int, **members: object) -> Plain:
    """Return a valid snapshot that was collected at a time, with some members replaced."""
    return {
        "schema_version": 1,
        "collected_at": format_instant(at),
        "active_app": "Conformance Editor",
        "running_apps": ["Conformance Editor", "Terminal"],
        "battery": {"percent": 55.5, "charging": False, "power_source": "battery"},
        "system": {"load_1m": 0.25, "load_5m": None, "load_15m": 100_000},
        "music": {"state": "stopped", "track": None, "artist": None},
        **members,
    }


def nothing(at: int) -> Plain:
    """Return the snapshot that reports nothing."""
    return {
        "schema_version": 1,
        "collected_at": format_instant(at),
        "active_app": None,
        "battery": {"percent": None, "charging": None, "power_source": "unknown"},
        "system": {"load_1m": None, "load_5m": None, "load_15m": None},
        "music": {"state": "unavailable", "track": None, "artist": None},
    }


def event(seq: int, at: int, **changes: object) -> Plain:
    """Return an event."""
    return {"seq": seq, "at": format_instant(at), "changes": changes}


def gap(start: int, end: int, reason: str = "sleep") -> Plain:
    """Return a gap."""
    return {"start_at": format_instant(start), "end_at": format_instant(end), "reason": reason}


def window(
    start: int,
    end: int,
    *,
    events: list[Plain] | None = None,
    gaps: list[Plain] | None = None,
    **members: object,
) -> Plain:
    """Return a valid window that was generated at its end, with some members replaced."""
    return {
        "schema_version": 2,
        "session_id": SESSION,
        "batch_seq": ANY_BATCH,
        "generated_at": format_instant(end),
        "window_start": format_instant(start),
        "window_end": format_instant(end),
        "baseline": snapshot(start, active_app="Baseline"),
        "events": events or [],
        "gaps": gaps or [],
        "dropped_events": 0,
        **members,
    }


def body_of_vector(vector: Plain, now: int) -> bytes:
    """Return the body of a vector as if it was received now: its times are moved by seconds."""
    seconds = (now - vector["received_at"]) // SECOND_MS
    return _TIME.sub(lambda match: _moved(match[0], seconds), b"".join(_parts(vector["body"])))


def _parts(parts: Iterable[str | Plain]) -> Iterable[bytes]:
    """Yield the parts of a body in a vector: text, base64 and repeated text."""
    for part in parts:
        if isinstance(part, str):
            yield part.encode()
        elif "base64" in part:
            yield base64.b64decode(part["base64"])
        else:
            copies = [part["repeat"]] * part["times"]
            if "#" in part["repeat"]:
                copies = [copy.replace("#", str(number)) for number, copy in enumerate(copies, 1)]
            yield part.get("join", "").join(copies).encode()


def _moved(text: bytes, seconds: int) -> bytes:
    """Return a time that is moved; one that does not exist stays, as do separators."""
    written = text.decode()
    try:
        then = parse_utc(f"{written[:10]}T{written[11:]}Z")
        moved = format_instant(then + seconds * SECOND_MS)
    except ValueError:
        return text
    return f"{moved[:10]}{written[10]}{moved[11:19]}".encode()


def inside_window(case: Plain, body: bytes, now: int) -> Iterator[tuple[str, Plain]]:
    """Yield windows with a faulty snapshot as their baseline, and in the changes of an event."""
    findings = [finding for finding in case["expected"].get("findings", ()) if finding["path"]]
    members = {finding["path"].split("/")[1] for finding in findings}
    is_plain = all(finding["rule"] != "number.finite" for finding in findings)
    if case["input"]["endpoint"] != "/api/update" or not (members and is_plain):
        return
    if "collected_at" in members:  # a baseline has the time of its window
        return
    value: Any = codec.decode(body)
    start, end = now - 60_000, now - 10_000
    yield (
        "it as the baseline",
        window(start, end, baseline={**value, "collected_at": format_instant(start)}),
    )
    if members <= {*CHANGED} & value.keys():
        changes = {name: value[name] for name in members}
        yield "it in an event", window(start, end, events=[event(1, end, **changes)])
