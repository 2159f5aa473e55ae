"""Both entry points at once: the findings of `check_…`; `parse_…` must agree with them."""

import json
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from typing import Any

from devicestatus import limits
from devicestatus.errors import ContractError
from devicestatus.music_urls import ITUNES, CatalogHosts
from devicestatus.parsing import check_snapshot, check_window, parse_snapshot, parse_window
from status_contracts.findings import Finding
from support.devicestatus.examples import NOON, RECEIVED_AT

Fault = tuple[str, str]
"""Where a fault is (JSON pointer), and the id of the rule."""


def _faults(
    check: Callable[..., tuple[Finding, ...]],
    parse: Callable[..., object],
    value: object,
    *,
    received_at: int,
    catalog: CatalogHosts = ITUNES,
) -> list[Fault]:
    """Validate a value with both entry points; return the findings on which they agree."""
    found = check(value, received_at=received_at, catalog=catalog)
    body = json.dumps(value).encode()
    code, findings = _outcome(lambda: parse(body, received_at=received_at, catalog=catalog))
    assert code == ("invalid_payload" if found else "accepted")
    assert findings == found
    return [(finding.path, finding.rule) for finding in found]


snapshot_faults = partial(_faults, check_snapshot, parse_snapshot, received_at=NOON)
window_faults = partial(_faults, check_window, parse_window, received_at=RECEIVED_AT)


def _outcome(parse: Callable[[], object]) -> tuple[str, tuple[Finding, ...]]:
    try:
        parse()
    except ContractError as error:
        return error.code, error.findings
    return "accepted", ()


def _refusal(
    parse: Callable[..., object], body: bytes, *, received_at: int
) -> tuple[str, list[str]]:
    """Return the code and the rules with which a body is refused."""
    code, findings = _outcome(lambda: parse(body, received_at=received_at))
    assert len(findings) <= limits.FINDINGS_CAP
    assert bool(findings) == (code != "accepted")
    return code, [finding.rule for finding in findings]


refusal = partial(_refusal, parse_snapshot, received_at=NOON)
window_refusal = partial(_refusal, parse_window, received_at=RECEIVED_AT)


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
