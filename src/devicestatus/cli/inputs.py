"""Inputs of the commands: files, times, bodies, records and the settings."""

import os
from collections.abc import Sequence
from typing import Final

import attrs

from devicestatus import limits
from devicestatus.deadlines import window_deadline
from devicestatus.models import Snapshot, Window
from devicestatus.parsing import check_body
from devicestatus.record import Record, decode_record, wrap_body
from devicestatus.settings import Settings
from devicestatus.state import Offline, Online, state_of
from status_contracts import json_text
from status_contracts.adapters.clocks import system_clock
from status_contracts.cli.exit_codes import REFUSED, USAGE, Failed
from status_contracts.cli.files import input_name, read_input, read_token
from status_contracts.cli.problems import described, problems_of, refused
from status_contracts.findings import Finding
from status_contracts.instants import LAST_INSTANT, SECOND_MS, SECONDS, format_instant, parse_utc
from status_contracts.primitives import ABSENT, plural

_QUOTED: Final = 40  # characters of a wrong value that a message quotes


def parse_time(option: str, text: str) -> int:
    """Return the time of an option: `now`, a timestamp, or milliseconds since the epoch.

    Raises:
        Failed: it is none of them, or a time at which a service would answer 503.

    """
    if text == "now":
        return system_clock()
    try:
        instant = int(text) if text.isascii() and text.isdigit() else parse_utc(text)
    except ValueError:
        expected = "now, a timestamp such as 2026-01-31T12:00:00Z, or ms since 1970"
        message = f"{option}: {text[:_QUOTED]!r} is not a time; give {expected}"
        raise Failed(USAGE, message) from None
    if instant in SECONDS:
        raise Failed(USAGE, f"{option}: {text} is in seconds; give {text}000")
    if not 0 < instant <= LAST_INSTANT:  # with such a clock a service answers 503
        limit = f"{format_instant(1)} and {format_instant(LAST_INSTANT)}"
        raise Failed(USAGE, f"{option}: {text[:_QUOTED]!r} is not between {limit}")
    return instant


def stored_value(name: str, settings: Settings) -> bytes:
    """Return the stored value in a file: a record as it is, a body as the record it would become.

    A body counts as received at the time it was made: a window at `generated_at`, a snapshot at
    `collected_at`.
    """
    data = read_input(name, limits.RECORD_BYTES)
    if json_text.member_at(data, "schema_version") is ABSENT:
        return data
    kind, findings = check_body(data, received_at=None, catalog=settings.catalog)
    if findings:
        raise _refused(name, findings, data, kind)

    def time_of(member: str) -> int:
        return parse_utc(str(json_text.member_at(data, member)))

    if kind == "window":
        received_at, expires_at = time_of("generated_at"), window_deadline(time_of("window_end"))
    else:
        received_at = time_of("collected_at")
        expires_at = received_at + ttl_of(settings) * SECOND_MS
    return wrap_body(data, received_at=received_at, expires_at=expires_at)


def load_record(name: str, settings: Settings) -> Record:
    """Return the record in a file, or the record that the body in it would become."""
    data = stored_value(name, settings)
    record = decode_record(data, settings.catalog)
    if record is None:
        raise untrusted(name, data)
    return record


def untrusted(name: str, data: bytes) -> Failed:
    """Return the failure of a file that contains neither a body nor a stored record."""
    kind, findings = check_body(data)
    if any(finding.rule == "json.text" for finding in findings):
        return _refused(name, findings, data, kind)
    fault = f"{described(data)}: expected a snapshot, a window or a stored record"
    return Failed(REFUSED, f"{input_name(name)}: {fault}")


def _refused(name: str, findings: Sequence[Finding], data: bytes, kind: str) -> Failed:
    words = f"not a valid {kind}: {plural(len(findings), 'problem')}"
    problems = problems_of(input_name(name), findings, data)
    return refused(name, words, problems, "devicestatus validate")


def unknown_kind(data: bytes) -> str:
    """Return what JSON is that has no member of a snapshot or a window; empty if it has one."""
    members = {field.name for model in (Snapshot, Window) for field in attrs.fields(model)}
    kind = described(data, members)
    return kind and f"{kind}: expected a snapshot (schema_version 1) or a window (schema_version 2)"


def load_state(name: str, now: int, settings: Settings) -> Online | Offline:
    """Return the public status at a server time, from the record or body in a file."""
    return state_of(load_record(name, settings), now=now, ttl_seconds=ttl_of(settings))


def load_settings() -> Settings:
    """Return the settings of the environment."""
    return Settings.from_environ(os.environ)


def serving_settings(token_file: str | None) -> Settings:
    """Return the settings with the token in a file; raise Failed where uploads would get 503."""
    token = read_token(token_file, is_service=True)
    settings = attrs.evolve(load_settings(), ingest_token=token)
    ttl_of(settings)
    return settings


def ttl_of(settings: Settings) -> int:
    """Return the configured lifetime of a v1 record, in seconds."""
    ttl_seconds = settings.ttl_seconds
    if ttl_seconds is None:
        raise Failed(
            USAGE,
            "STATUS_TTL_SECONDS, the lifetime of a snapshot, must be eco, realtime, or a whole"
            f" number of seconds from {limits.TTL_MIN_SECONDS} to {limits.TTL_MAX_SECONDS}",
        )
    return ttl_seconds
