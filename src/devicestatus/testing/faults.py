"""Hypothesis strategies for invalid values, each with the one rule that it breaks.

Members are broken as their constraints have it (`purewire.structuring.cases`), in drawn values that
are valid otherwise.  What only this contract has (relations between members, URLs, JSON text,
sizes) are the bodies of the shipped vectors; those of snapshots also as the baseline and in an
event of a window.  `SNAPSHOT_RULES` and `WINDOW_RULES` list the rules that can be drawn.

Invariant *one rule*: `check_snapshot` or `check_window` returns findings of the given rule only;
`parse_snapshot` or `parse_window` rejects the body with that rule.

Some of `devicestatus.validation.cross_field.RULES` cannot be drawn: those that start with `icons.`,
which belong to the icon manifest; and for snapshots `json.depth`, because some interpreters can
build everything that 16,384 bytes can nest.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from devicestatus import conformance as values
from devicestatus.conformance import CHANGED, body_of_vector, event, window
from devicestatus.models import Snapshot, Window
from devicestatus.testing.strategies import plain_snapshots
from purewire.adapters.contract import read_vectors
from purewire.instants import format_instant
from purewire.json import codec
from purewire.testing.values import broken_values

__all__ = [
    "CASES",
    "SNAPSHOT_RULES",
    "WINDOW_RULES",
    "InvalidValue",
    "invalid_snapshots",
    "invalid_windows",
]

CASES: Final = values.CASES
"""The valid and the wrong values of each member of the models, with the rule that each breaks."""

_Plain = dict[str, Any]

_NOW: Final = 1_767_268_800_000
"""2026-01-01T12:00:00.000Z: the receive time of values that are drawn."""
_MODELS: Final = {"/api/update": Snapshot, "/api/batch": Window}


class InvalidValue(NamedTuple):
    """An invalid value and the rule that it breaks.

    Attributes:
        value: a body (bytes), or a plain JSON value, which may contain a lone surrogate or a number
            that is not finite.
        received_at: the receive time to validate it with, ms since the epoch.
        rule: id of the broken rule.

    """

    value: object
    received_at: int
    rule: str


def invalid_snapshots(*rules: str) -> st.SearchStrategy[InvalidValue]:
    """Draw invalid snapshots that break one of the given rules, or of `SNAPSHOT_RULES`."""
    return st.one_of([_SNAPSHOTS[rule] for rule in rules or SNAPSHOT_RULES])


def invalid_windows(*rules: str) -> st.SearchStrategy[InvalidValue]:
    """Draw invalid windows that break one of the given rules, or of `WINDOW_RULES`."""
    return st.one_of([_WINDOWS[rule] for rule in rules or WINDOW_RULES])


def _window_around(state: _Plain) -> _Plain:
    """Return a window with a snapshot as its baseline, an event that changes all, and a gap."""
    body = values.body_of(Window, _NOW)
    changes = {name: state[name] for name in CHANGED if name in state}
    body["baseline"] = {**state, "collected_at": body["window_start"]}
    body["events"][0]["changes"] = changes
    return body


def _vector_faults(model: type) -> Iterator[InvalidValue]:
    """Generate the values of vectors that break one rule each."""
    for case in read_vectors("devicestatus", "parsing"):
        rules = {finding["rule"] for finding in case["expected"].get("findings", ())}
        if len(rules) != 1:
            continue
        ((rule,), received_at) = rules, case["input"]["received_at"]
        body = body_of_vector(case["input"], received_at)
        if _MODELS[case["input"]["endpoint"]] is model:
            yield InvalidValue(_plain(rule, body), received_at, rule)
        elif model is Window:
            for inside in _inside_window(case, body, received_at):
                yield InvalidValue(inside, received_at, rule)


def _inside_window(case: _Plain, body: bytes, now: int) -> Iterator[_Plain]:
    """Generate windows with a faulty snapshot as their baseline, and in the changes of an event."""
    findings = [finding for finding in case["expected"].get("findings", ()) if finding["path"]]
    members = {finding["path"].split("/")[1] for finding in findings}
    is_plain = all(finding["rule"] != "number.finite" for finding in findings)
    if not (members and is_plain) or "collected_at" in members:  # a baseline has that of its window
        return
    value: Any = codec.decode(body)
    start, end = now - 60_000, now - 10_000
    yield window(start, end, baseline={**value, "collected_at": format_instant(start)})
    if members <= {*CHANGED} & value.keys():
        changes = {name: value[name] for name in members}
        yield window(start, end, events=[event(1, end, **changes)])


def _plain(rule: str, body: bytes) -> bytes | _Plain:
    """Return the object of a body; a body that is none, or too much for a parser, as it is."""
    value = None if rule in {"json.text", "json.depth", "body.size"} else codec.decode(body)
    return value if isinstance(value, dict) and rule != "number.finite" else body


def _table(
    model: type, valid: st.SearchStrategy[_Plain]
) -> dict[str, st.SearchStrategy[InvalidValue]]:
    """Return each rule that can be broken with the strategy for values that break it."""
    vectors: dict[str, list[InvalidValue]] = {}
    for fault in _vector_faults(model):
        vectors.setdefault(fault.rule, []).append(fault)
    table = {rule: st.sampled_from(faults) for rule, faults in vectors.items()}
    for rule, broken in broken_values(CASES, model, valid).items():
        drawn = st.builds(InvalidValue, broken, st.just(_NOW), st.just(rule))
        table[rule] = table[rule] | drawn if rule in table else drawn
    return table


_STATES: Final = plain_snapshots(received_at=_NOW)
_SNAPSHOTS: Final = _table(Snapshot, _STATES)
_WINDOWS: Final = _table(Window, _STATES.map(_window_around))

SNAPSHOT_RULES: Final = tuple(_SNAPSHOTS)
"""Ids of the rules that `invalid_snapshots` can break."""
WINDOW_RULES: Final = tuple(_WINDOWS)
"""Ids of the rules that `invalid_windows` can break."""
