"""Checks of single members, whose values are derived from the constraints of the models.

A wrong value is sent in an otherwise valid body, one request each.  Valid values of different
members go into one body; only if that is rejected is each sent alone, to name the one at fault.
"""

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import Any, Final

from devicestatus.conformance.bodies import (
    CHANGED,
    SESSION,
    Plain,
    event,
    gap,
    snapshot,
    window,
)
from devicestatus.conformance.deployment import (
    SUITE,
    TIMELINE,
    Deployment,
    Written,
    expect_error,
    post,
    shows,
    write,
)
from devicestatus.models import Snapshot, Window
from purewire.conformance.checks import Action, CheckFailed, Steps, testing
from purewire.conformance.differences import shorten
from purewire.findings import pointer
from purewire.instants import format_instant
from purewire.json.codec import encode
from purewire.structuring.cases import DROPPED, Case, Cases

CASES: Final = Cases(
    {
        "a lowercase UUID of 8-4-4-4-12 hex digits": (
            SESSION,
            "",
            SESSION[:-1],
            f"{SESSION}0",
            f"A{SESSION[1:]}",
            f"g{SESSION[1:]}",
            f"\uff10{SESSION[1:]}",
            f"{SESSION}\n",
            f"{{{SESSION}}}",
            f"urn:uuid:{SESSION}",
            SESSION.replace("-", ""),
        )
    }
)
"""The cases of the models of this contract."""

_RULE_OF_FINDING: Final = {
    "type": "DS-TEXT-04",
    "required": "DS-TEXT-04",
    "unknown": "DS-TEXT-05",
    "text.control": "DS-TEXT-02",
    "number.finite": "DS-JSON-12",
    "items.unique": "DS-APP-05",
}
_RULE_OF_MEMBER: Final = {
    **dict.fromkeys(("active_app", "running_apps"), "DS-APP-02"),
    **dict.fromkeys(("load_1m", "load_5m", "load_15m"), "DS-DEVICE-04"),
    **dict.fromkeys(("track", "artist"), "DS-MUSIC-02"),
    **dict.fromkeys(("artwork_url", "track_url"), "DS-URL-01"),
    **dict.fromkeys(("battery", "system", "music", "changes"), "DS-TEXT-04"),
    **dict.fromkeys(("generated_at", "window_start", "window_end"), "DS-TIME-01"),
    **dict.fromkeys(("at", "start_at", "end_at"), "DS-TIME-01"),
    "collected_at": "DS-TIME-02",
    "percent": "DS-DEVICE-01",
    "charging": "DS-DEVICE-02",
    "power_source": "DS-DEVICE-03",
    "state": "DS-MUSIC-01",
    "schema_version": "DS-VERSION-01",
    "session_id": "DS-WINDOW-03",
    "batch_seq": "DS-WINDOW-05",
    "dropped_events": "DS-WINDOW-06",
    "baseline": "DS-WINDOW-12",
    "events": "DS-WINDOW-15",
    "gaps": "DS-WINDOW-16",
    "seq": "DS-EVENT-01",
    "reason": "DS-GAP-05",
}
RULE_OF_REQUIRED: Final = {
    "/music/": "DS-TEXT-04",
    "/baseline/": "DS-WINDOW-12",
    "/events/": "DS-EVENT-08",
    "/gaps/": "DS-GAP-06",
    "/battery/": "DS-DEVICE-05",
    "/system/": "DS-DEVICE-05",
}
"""Where a member is missing to the rule that requires it; of several the last one counts."""
_CONTROLS: Final = frozenset(("x\0x", "\tx", "x\n", "x\x1fx", "x\x7fx", "\r", "\x7f"))
"""Texts with each class of control characters: NUL, white space at an end, C0, DEL."""
_FOREIGN: Final = {"collected_at", "updated_at"}
"""Members of other objects, which are unknown where they are not."""
_BETWEEN_MEMBERS: Final = frozenset(("artwork_url", "track_url", "events", "gaps", "changes"))
"""Members whose valid values depend on others: vectors have them."""
_PATHS: Final = {Snapshot: "/api/update", Window: "/api/batch"}
_NAMES: Final = {Snapshot: "snapshot", Window: "window"}


def rule_of(finding: str, member: str) -> str:
    """Return the rule of the contract about a value of a member, by the rule of its finding."""
    return _RULE_OF_FINDING.get(finding) or _RULE_OF_MEMBER[member]


def rule_of_case(case: Case) -> str:
    """Return the rule of the contract that a case is about."""
    place = pointer(case.at)
    if case.rule == "required":
        rules = [rule for start, rule in RULE_OF_REQUIRED.items() if start in place]
        return [_RULE_OF_FINDING[case.rule], *rules][-1]
    names = [step for step in case.at if step in _RULE_OF_MEMBER]
    return rule_of(case.rule, str(names[-1]) if names else "changes")


def wrong_values(model: type) -> Iterator[Case]:
    """Generate the wrong values that are sent, in the order of the members."""
    for case in CASES.of(model):
        is_sent = {
            "": False,
            "text.control": case.value in _CONTROLS if case.rule == "text.control" else True,
            "unknown": case.value is None,
            "text.length": case.at[-1:] not in {("artwork_url",), ("track_url",)},
        }.get(case.rule, True)
        if case.at and case.has_text and is_sent:
            yield case
    for place, members in objects(body_of(model, 0)):
        for name in _FOREIGN - members.keys():
            yield Case((*place, name), format_instant(0), "unknown", (*place, name))


def objects(
    value: object, place: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], Plain]]:
    """Generate every object in a value with its place."""
    if isinstance(value, dict):
        yield place, value
    items = value.items() if isinstance(value, dict) else ()
    for key, inner in enumerate(value) if isinstance(value, list) else items:
        yield from objects(inner, (*place, key))


def valid_values(model: type) -> Iterator[Case]:
    """Generate the valid values of the members that do not depend on others."""
    for case in CASES.of(model):
        is_absent_change = case.value is DROPPED and "changes" in case.at  # one must be there
        if not (case.rule or is_absent_change) and case.at and case.at[-1] not in _BETWEEN_MEMBERS:
            yield case


def body_of(model: type, now: int) -> Plain:
    """Return a valid body in which every object of a model is present."""
    if model is Snapshot:
        return snapshot(now)
    changes = {name: value for name, value in snapshot(now).items() if name in CHANGED}
    events = [event(1, now - 50_000, **changes)]
    gaps = [gap(now - 40_000, now - 30_000)]
    return window(now - 60_000, now - 10_000, events=events, gaps=gaps)


def place_of(case: Case) -> tuple[str | int, ...]:
    """Return the member that a case is about; unknown members belong to their object."""
    at = case.at[:-1] if case.rule == "unknown" else case.at
    return at[:-1] if at and isinstance(at[-1], int) else at


@contextmanager
def about(what: str) -> Iterator[None]:
    """Name the value that was sent in the failures of a block."""
    try:
        yield
    except CheckFailed as failed:
        failed.expected += f" for {what}"
        raise


def _shown(case: Case) -> str:
    if case.value is DROPPED:
        return f"a body without {pointer(case.at)}"
    return f"{pointer(case.at)} {shorten(json.dumps(case.value))}"


def _rejects(model: type, cases: list[Case], deployment: Deployment) -> Steps:
    now = yield from deployment.now()
    for case in cases:
        body = CASES.place(model, body_of(model, now), case)
        reply = yield from post(_PATHS[model], encode(body))
        with testing(rule_of_case(case)), about(_shown(case)):
            expect_error(reply, 400, "invalid_payload")


def accept_each(
    write_all: Callable[[Sequence[Any]], Generator[Action, Any, Written]],
    cases: Sequence[Any],
    name_of: Callable[[Any], str],
) -> Generator[Action, Any, Written]:
    """Write valid values at once; if that is rejected, each alone, to name the one at fault."""
    try:
        return (yield from write_all(cases))
    except CheckFailed:
        for case in cases:
            with about(name_of(case)):
                yield from write_all([case])
        raise


@cache
def _rows(model: type) -> tuple[tuple[Case, ...], ...]:
    """Return the valid values of a model in few rows; no case of a row is inside of another."""
    rows: list[list[Case]] = []
    for case in valid_values(model):
        free = (row for row in rows if not any(_overlap(case.at, taken.at) for taken in row))
        row = next(free, None)
        if row is None:
            row = []
            rows.append(row)
        row.append(case)
    return tuple(map(tuple, rows))


def _overlap(one: tuple[str | int, ...], other: tuple[str | int, ...]) -> bool:
    return all(a == b for a, b in zip(one, other, strict=False))


def _accepts(model: type, deployment: Deployment) -> Steps:
    def write_all(cases: Sequence[Case]) -> Generator[Action, Any, Written]:
        body = body_of(model, (yield from deployment.now()))
        for case in cases:
            body = CASES.place(model, body, case)
        with testing(rule_of_case(cases[0])):
            return (yield from write(_PATHS[model], encode(body)))

    for row in _rows(model):
        written = yield from accept_each(write_all, row, _shown)
        yield from shows(deployment, written, TIMELINE)


def _add_checks(model: type, *rules: str) -> None:
    name = _NAMES[model]
    by_place: dict[tuple[str | int, ...], list[Case]] = {}
    for case in wrong_values(model):
        by_place.setdefault(place_of(case), []).append(case)
    for place, cases in by_place.items():
        steps = [str(step) for step in place if isinstance(step, str)]
        slug = "-".join(steps).replace("_", "-")
        cited = [rule_of("", steps[-1])] if steps else []
        what = f"A wrong {pointer(place)}" if place else "An unknown member"
        SUITE.add(
            f"{name}.wrong-{slug or 'members'}",
            f"{what} of a {name} is rejected, whatever its value",
            (*cited, *map(rule_of_case, cases), "DS-ERROR-05", *rules),
            partial(_rejects, model, cases),
            writes=True,
        )
    SUITE.add(
        f"{name}.valid-values",
        f"Every member of a {name} has any value that its limits allow, and is shown unchanged",
        ("DS-TEXT-06", *map(rule_of_case, valid_values(model)), "DS-TEXT-01", "DS-TEXT-03"),
        partial(_accepts, model),
        writes=True,
    )


_add_checks(Snapshot, "DS-SNAPSHOT-03", "DS-UPDATE-05")
_add_checks(Window, "DS-WINDOW-02", "DS-WINDOW-18", "DS-EVENT-06")
