"""What commands are given: files, times, records, the token and the settings.

Invariant *bounded*: no more of a file is read than a record may have.
Invariant *the token is no argument*: it comes from the environment or from a file, and no message
quotes it.
"""

import os
import sys
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

from devicestatus import limits
from devicestatus.catalog import CatalogHosts
from devicestatus.deadlines import window_deadline
from devicestatus.ingest import check_snapshot, check_window, parse_snapshot, parse_window
from devicestatus.record import SnapshotRecord, WindowRecord, decode, encode
from devicestatus.settings import Settings
from devicestatus.state import Offline, Online, read, state_of
from purewire import jsontext
from purewire.adapters.commands.outcomes import CANNOT, REFUSED, USAGE, Failed
from purewire.findings import Finding
from purewire.instants import LAST_INSTANT, SECOND_MS, parse_utc
from purewire.text import has_control, has_surrogate

__all__ = [
    "Kind",
    "check",
    "checked",
    "instant",
    "kind_of",
    "lifetime",
    "read_file",
    "required_token",
    "settings",
    "state_at",
    "stored_value",
]

Kind = Literal["snapshot", "window"]

_STDIN: Final = "-"
_TOKEN_BYTES: Final = 4 * limits.TOKEN_LENGTH_MAX + len(b"\r\n")
_TOKEN_RULE: Final = (
    f"the ingest token must have {limits.TOKEN_LENGTH_MIN} to {limits.TOKEN_LENGTH_MAX}"
    " characters and no white space"
)
_WINDOW_VERSION: Final = 2


# Files


def read_file(name: str, most: int = limits.RECORD_BYTES) -> bytes:
    """Give the bytes of a file, or of the standard input for `-`."""
    try:
        if name == _STDIN:
            return _bounded(sys.stdin.buffer, most)
        with Path(name).open("rb") as file:
            return _bounded(file, most)
    except OSError as fault:
        raise Failed(CANNOT, f"cannot read {name}: {fault.strerror}") from None


def _bounded(file: BinaryIO, most: int) -> bytes:
    data = file.read(most + 1)
    if len(data) > most:
        raise Failed(REFUSED, f"the file has more than the {most} bytes that are allowed")
    return data


# Times


def instant(text: str) -> int:
    """Give the instant in an argument: timestamp text, or milliseconds since the epoch."""
    try:
        found = int(text) if text.isascii() and text.isdigit() else parse_utc(text)
    except ValueError:
        raise Failed(
            USAGE,
            "a time is written 2026-01-31T12:00:00Z, with up to three digits of a fraction,"
            " or as milliseconds since 1970",
        ) from None
    if not 0 < found <= LAST_INSTANT:  # a service answers 503 by such a clock
        raise Failed(USAGE, "the time is outside the years 1970 to 9999")
    return found


# Bodies and records


def kind_of(body: bytes) -> Kind:
    """Tell by its schema version what a body is; whatever is not a window counts as a snapshot."""
    version = _members(body).get("schema_version")
    return "window" if version == _WINDOW_VERSION else "snapshot"


def check(
    body: bytes, kind: Kind, received_at: int | None, catalog: CatalogHosts
) -> tuple[Finding, ...]:
    """Give every fault of a body."""
    judge = check_window if kind == "window" else check_snapshot
    return judge(body, received_at=received_at, catalog=catalog)


def stored_value(data: bytes, settings: Settings) -> bytes:
    """Give the stored value in a file: a record as it is, a body as the record it would become.

    A body counts as received when it says it was made: a window at `generated_at`, a snapshot at
    `collected_at`.
    """
    members = _members(data)
    if "schema_version" not in members:
        return data
    kind = kind_of(data)
    findings = check(data, kind, None, settings.catalog)
    if findings:
        raise Failed(REFUSED, *map(str, findings))
    if kind == "window":
        received_at = parse_utc(members["generated_at"])
        window = parse_window(data, received_at=received_at, catalog=settings.catalog)
        return encode(WindowRecord(received_at, window, window_deadline(window.window_end)))
    received_at = parse_utc(members["collected_at"])
    snapshot = parse_snapshot(data, received_at=received_at, catalog=settings.catalog)
    return encode(
        SnapshotRecord(received_at, snapshot, received_at + lifetime(settings) * SECOND_MS)
    )


def state_at(name: str, time: str, settings: Settings) -> Online | Offline:
    """Give what readers see of the record or body in a file at a server time."""
    now = instant(time)
    record = decode(stored_value(read_file(name), settings), settings.catalog)
    if record is None:
        raise Failed(
            REFUSED, "neither a body nor a record that a write leaves: readers see it as offline"
        )
    return state_of(read(record), now=now, ttl_seconds=lifetime(settings))


def _members(data: bytes) -> dict[str, Any]:
    try:
        value = jsontext.decode(data)
    except (jsontext.JsonTextError, jsontext.JsonDepthError):
        return {}
    return value if isinstance(value, dict) else {}


# Settings


def settings(*, ttl: str | None = None, token_file: str | None = None) -> Settings:
    """Give the settings of the environment, with what the arguments replace."""
    environ = dict(os.environ)
    if ttl is not None:
        environ["STATUS_TTL_SECONDS"] = ttl
    token = _token(token_file)
    environ.pop("INGEST_TOKEN", None)
    return Settings.from_environ(environ if token is None else {**environ, "INGEST_TOKEN": token})


def checked(settings: Settings) -> Settings:
    """Refuse settings by which a service would answer everything, or all uploads, with 503."""
    lifetime(settings)
    if settings.ingest_token is not None and settings.token is None:
        raise Failed(USAGE, _TOKEN_RULE)
    return settings


def lifetime(settings: Settings) -> int:
    """Give the configured lifetime of a v1 record, seconds."""
    ttl_seconds = settings.ttl_seconds
    if ttl_seconds is None:
        raise Failed(
            USAGE,
            "the lifetime (--ttl, STATUS_TTL_SECONDS) is eco, realtime or a whole number of"
            f" {limits.TTL_MIN_SECONDS} to {limits.TTL_MAX_SECONDS} seconds",
        )
    return ttl_seconds


def required_token(token_file: str | None) -> str:
    """Give the ingest token of the file, or else of the environment."""
    token = _token(token_file)
    if token is None:
        raise Failed(USAGE, "no ingest token: set INGEST_TOKEN or give --token-file")
    # A header line can hold no control character, though the service would accept one.
    if Settings(token).token is None or has_control(token) or has_surrogate(token):
        raise Failed(USAGE, _TOKEN_RULE)
    return token


def _token(file: str | None) -> str | None:
    """Give the token of the file, or else of the environment, where an empty one is none."""
    if file is None:
        return os.environ.get("INGEST_TOKEN") or None
    try:
        return read_file(file, _TOKEN_BYTES).decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        raise Failed(USAGE, _TOKEN_RULE) from None
