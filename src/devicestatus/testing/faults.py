"""Hypothesis strategies for invalid values, each with the one rule that it breaks.

One member of a valid drawn value is broken as its constraints have it (`CASES`).  Rules that hold
between members, JSON text and sizes have no constraints; the shipped vectors break them.

Invariant *one rule*: `check_snapshot` or `check_window` returns findings of the given rule only.
"""

from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from devicestatus import conformance
from devicestatus.conformance import CHANGED, body_of
from devicestatus.models import Snapshot, Window
from devicestatus.testing.strategies import plain_snapshots
from status_contracts.testing.values import broken_values

__all__ = [
    "CASES",
    "SNAPSHOT_RULES",
    "WINDOW_RULES",
    "InvalidValue",
    "invalid_snapshots",
    "invalid_windows",
]

CASES: Final = conformance.CASES
"""The valid and the wrong values of each member of the models, with the rule that each breaks."""

_NOW: Final = 1_767_268_800_000
"""2026-01-01T12:00:00.000Z: the receive time of values that are drawn."""


class InvalidValue(NamedTuple):
    """An invalid value and the rule that it breaks.

    Attributes:
        value: a plain JSON value, which may contain a lone surrogate or a number that is not
            finite.
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


def _window_around(state: dict[str, Any]) -> dict[str, Any]:
    """Return a window with a snapshot as its baseline, an event that changes all, and a gap."""
    body = body_of(Window, _NOW)
    body["baseline"] = {**state, "collected_at": body["window_start"]}
    body["events"][0]["changes"] = {name: state[name] for name in CHANGED if name in state}
    return body


def _table(
    model: type, valid: st.SearchStrategy[dict[str, Any]]
) -> dict[str, st.SearchStrategy[InvalidValue]]:
    """Return each rule that can be broken with the strategy for values that break it."""
    return {
        rule: st.builds(InvalidValue, broken, st.just(_NOW), st.just(rule))
        for rule, broken in broken_values(CASES, model, valid).items()
    }


_STATES: Final = plain_snapshots(received_at=_NOW)
_SNAPSHOTS: Final = _table(Snapshot, _STATES)
_WINDOWS: Final = _table(Window, _STATES.map(_window_around))

SNAPSHOT_RULES: Final = tuple(_SNAPSHOTS)
"""Ids of the rules that `invalid_snapshots` can break."""
WINDOW_RULES: Final = tuple(_WINDOWS)
"""Ids of the rules that `invalid_windows` can break."""
