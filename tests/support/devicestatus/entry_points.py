"""Both entry points at once: the findings of `check_…`; `parse_…` must agree with them."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from devicestatus import limits
from devicestatus.errors import ContractError
from devicestatus.music_urls import ITUNES, CatalogHosts
from devicestatus.parsing import check_snapshot, check_window, parse_snapshot, parse_window
from status_contracts.findings import Finding
from support.devicestatus.examples import NOON, RECEIVED_AT

Fault = tuple[str, str]
"""Where a fault is (JSON pointer), and the id of the rule."""


def snapshot_faults(
    value: object, *, received_at: int = NOON, catalog: CatalogHosts = ITUNES
) -> list[Fault]:
    """Validate a snapshot with both entry points; return the findings."""
    findings = check_snapshot(value, received_at=received_at, catalog=catalog)
    body = json.dumps(value).encode()
    return _agreed(findings, lambda: parse_snapshot(body, received_at=received_at, catalog=catalog))


def window_faults(
    value: object, *, received_at: int = RECEIVED_AT, catalog: CatalogHosts = ITUNES
) -> list[Fault]:
    """Validate a window with both entry points; return the findings."""
    findings = check_window(value, received_at=received_at, catalog=catalog)
    body = json.dumps(value).encode()
    return _agreed(findings, lambda: parse_window(body, received_at=received_at, catalog=catalog))


def _agreed(found: tuple[Finding, ...], parse: Callable[[], object]) -> list[Fault]:
    """Assert that parsing and checking agree; return the findings."""
    code, findings = _outcome(parse)
    assert code == ("invalid_payload" if found else "accepted")
    assert findings == found
    return [(finding.path, finding.rule) for finding in found]


def _outcome(parse: Callable[[], object]) -> tuple[str, tuple[Finding, ...]]:
    try:
        parse()
    except ContractError as error:
        return error.code, error.findings
    return "accepted", ()


def refusal(body: bytes, *, received_at: int = NOON) -> tuple[str, list[str]]:
    """Return the code and the rules with which `parse_snapshot` refuses a body."""
    return _refusal(lambda: parse_snapshot(body, received_at=received_at))


def window_refusal(body: bytes, *, received_at: int = RECEIVED_AT) -> tuple[str, list[str]]:
    """Return the code and the rules with which `parse_window` refuses a body."""
    return _refusal(lambda: parse_window(body, received_at=received_at))


def _refusal(parse: Callable[[], object]) -> tuple[str, list[str]]:
    code, findings = _outcome(parse)
    assert len(findings) <= limits.FINDINGS_CAP
    assert bool(findings) == (code != "accepted")
    return code, [finding.rule for finding in findings]


def put(value: dict[str, Any], path: str, member: object) -> dict[str, Any]:
    """Return a copy of a value in which the member or item at the path is replaced."""
    copy = deepcopy(value)
    place, name = _place(copy, path)
    place[name] = member
    return copy


def _place(value: Any, path: str) -> tuple[Any, Any]:
    *steps, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    for step in steps:
        value = value[step]
    return value, last
