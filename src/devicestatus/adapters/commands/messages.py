"""Human-readable text of states, explanations and privacy rules.

The text is not a stable interface: programs read the JSON forms.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from devicestatus.agent.privacy import Hidden, Rule
from devicestatus.engine.explanation import Explanation, explanation_fields
from devicestatus.engine.state import Offline, Online
from devicestatus.engine.status_text import (
    deadline_text,
    format_time,
    reason_text,
    snapshot_fields,
)
from devicestatus.models.snapshot import SENSITIVE_APP
from devicestatus.models.window import WindowGap


def state_lines(state: Online | Offline) -> Iterator[str]:
    """Yield the lines that describe the public status."""
    if isinstance(state, Offline):
        yield f"offline: {reason_text(state.reason, state.gap)}"
        return
    yield f"online until {deadline_text(state.deadline)}"
    if state.playback is not None:
        yield f"played back at {format_time(state.playback.at)}"
    yield from (f"{name}: {text}" for name, text in snapshot_fields(state.snapshot).items())


_OPTIONS: Final = {"name": "--sensitive", "pattern": "--sensitive-pattern"}
_REASONS: Final = {
    "marks": "too many combining marks",
    "unconfirmed": "a change of the source of apps; add --confirm to the dry run to show it",
}
"""Kind of a rule that is no option to why it hides an app."""


def _option_of(rule: Rule) -> str:
    """Return the option that a rule is, and its text; or why there is a rule without option."""
    if rule.kind in _REASONS:
        return _REASONS[rule.kind]
    return f"{_OPTIONS[rule.kind]} {json.dumps(rule.text, ensure_ascii=False)}"


def hidden_message(hidden: Hidden) -> str:
    """Return a line that names a privacy rule and what it hides; quotes no name of an app."""
    by = _option_of(hidden.rule)
    if hidden.member == "music":
        return f"music: not reported, its player is hidden by {by}"
    number = f"{hidden.count} names " if hidden.count > 1 else ""
    return f"{hidden.member}: {number}reported as {SENSITIVE_APP}, hidden by {by}"


def unmatched_message(rule: Rule) -> str:
    """Return a line that names a privacy rule that hides nothing, with the remedy."""
    return (
        f"{_option_of(rule)} hides nothing: open the app and repeat the dry run, or give the name"
        " that the dry run prints for it"
    )


def explanation_lines(explanation: Explanation) -> Iterator[str]:
    """Yield the lines that explain the status, and until when it holds."""
    if explanation.reason is None:
        yield "online"
    else:
        yield f"offline: {reason_text(explanation.reason, explanation.gap)}"
    yield from (f"{name}: {text}" for name, text in explanation_fields(explanation).items())


def explanation_value(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON-compatible values."""
    gap, deadline, change = explanation.gap, explanation.deadline, explanation.next_change_at
    return {
        "online": explanation.online,
        "reason": explanation.reason,
        "gap": None if gap is None else _gap_value(gap),
        "deadline": deadline and {"at": format_time(deadline.at), "rule": deadline.rule},
        "next_change_at": None if change is None else format_time(change),
    }


def _gap_value(gap: WindowGap) -> dict[str, str]:
    return {
        "start_at": format_time(gap.start_at),
        "end_at": format_time(gap.end_at),
        "reason": gap.reason,
    }
