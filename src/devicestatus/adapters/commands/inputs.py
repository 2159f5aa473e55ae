"""What commands are given: files, times, records, the token and the settings.

Invariant *bounded*: no more of a file is read than a record may have.
Invariant *the token is no argument*: it comes from the environment or from a file, and no message
quotes it.
"""

import os
from typing import Any, Final, Literal

from devicestatus import limits
from devicestatus.engine.deadlines import window_deadline
from devicestatus.engine.record import SnapshotRecord, WindowRecord, decode, encode
from devicestatus.engine.state import Offline, Online, prepare_record, state_of
from devicestatus.settings import Settings
from devicestatus.validation.music_urls import CatalogHosts
from devicestatus.validation.parse import check_snapshot, check_window, parse_snapshot, parse_window
from purewire.adapters.clocks import system_clock
from purewire.adapters.commands.exit_codes import REFUSED, USAGE, Failed
from purewire.adapters.commands.files import read_input
from purewire.findings import Finding
from purewire.instants import LAST_INSTANT, SECOND_MS, format_instant, parse_utc
from purewire.json import codec
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

_NOW: Final = "now"
_QUOTED: Final = 40
"""Characters of a wrong value that a message repeats."""
_TOKEN_RULE: Final = (
    f"the ingest token (INGEST_TOKEN or --token-file) must have {limits.TOKEN_LENGTH_MIN} to"
    f" {limits.TOKEN_LENGTH_MAX} characters, without white space and control characters"
)
_TOKEN_BYTES: Final = 4 * limits.TOKEN_LENGTH_MAX + len(b"\r\n")
_WINDOW_VERSION: Final = 2


# Files


def read_file(name: str) -> bytes:
    """Return the bytes of a file that may be a record, or of the standard input for `-`."""
    return read_input(name, limits.RECORD_BYTES)


# Times


def instant(option: str, text: str) -> int:
    """Return the time that an option gives, in ms since the epoch.

    Args:
        option: the name of the option, for the message.
        text: `now`, a timestamp, or milliseconds since the epoch.

    Raises:
        Failed: it is none of them, or a time by which a service would answer 503.

    """
    if text == _NOW:
        return system_clock()
    try:
        found = int(text) if text.isascii() and text.isdigit() else parse_utc(text)
    except ValueError:
        expected = f"{_NOW}, a timestamp such as 2026-01-31T12:00:00Z, or ms since 1970"
        raise Failed(
            USAGE, f"{option}: {text[:_QUOTED]!r} is not a time; give {expected}"
        ) from None
    if not 0 < found <= LAST_INSTANT:  # a service answers 503 by such a clock
        limit = f"{format_instant(1)} to {format_instant(LAST_INSTANT)}"
        raise Failed(USAGE, f"{option}: {text[:_QUOTED]!r} is not from {limit}")
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
    now = instant("--at", time)
    record = decode(stored_value(read_file(name), settings), settings.catalog)
    if record is None:
        raise Failed(
            REFUSED,
            f"{name} contains neither a body nor a stored record: readers see it as offline",
        )
    return state_of(prepare_record(record), now=now, ttl_seconds=lifetime(settings))


def _members(data: bytes) -> dict[str, Any]:
    try:
        value = codec.decode(data)
    except (codec.JsonTextError, codec.JsonDepthError):
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
    """Return the configured lifetime of a v1 record, seconds."""
    ttl_seconds = settings.ttl_seconds
    if ttl_seconds is None:
        raise Failed(
            USAGE,
            "the lifetime of a snapshot (--ttl of explain, or STATUS_TTL_SECONDS) must be eco,"
            " realtime, or a whole number of seconds from"
            f" {limits.TTL_MIN_SECONDS} to {limits.TTL_MAX_SECONDS}",
        )
    return ttl_seconds


def required_token(token_file: str | None) -> str:
    """Return the ingest token of the file, or else of the environment."""
    token = _token(token_file)
    if token is None:
        raise Failed(USAGE, "no ingest token: set INGEST_TOKEN, or give --token-file FILE")
    # A header line can hold no control character, though the service would accept one.
    if Settings(token).token is None or has_control(token) or has_surrogate(token):
        raise Failed(USAGE, f"{_TOKEN_RULE}; this one has {len(token)} characters")
    return token


def _token(file: str | None) -> str | None:
    """Return the token of the file, or else of the environment, where an empty one is none."""
    if file is None:
        return os.environ.get("INGEST_TOKEN") or None
    try:
        return read_input(file, _TOKEN_BYTES).decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        raise Failed(USAGE, f"--token-file: {file} is not text in UTF-8") from None
