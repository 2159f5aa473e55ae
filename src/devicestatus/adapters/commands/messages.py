"""Human-readable text of states, explanations and privacy rules.

The text is not a stable interface: programs read the JSON forms.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from devicestatus.agent.privacy import Hidden
from devicestatus.engine.deadlines import response_deadline
from devicestatus.engine.explanation import Explanation
from devicestatus.engine.state import Offline, OfflineReason, Online
from devicestatus.models.snapshot import SENSITIVE_APP, Battery, Music, Snapshot, System
from devicestatus.models.window import WindowGap
from purewire.absent import ABSENT
from purewire.instants import format_instant

__all__ = ["explanation_lines", "explanation_value", "format_time", "hidden_message", "state_lines"]

_REASONS: Final[Mapping[OfflineReason, str]] = {
    "no-record": "nothing was ever written",
    "corrupt": "the stored value is not exactly a record that a write leaves",
    "future": "the record is received only later",
    "expired": "the deadline has passed",
    "warm-up": "playback has not reached the window yet",
    "gap": "playback is in a gap",
    "exhausted": "playback has passed the end of the window",
}
_RULES: Final = {
    "stored": "the deadline stored with the record",
    "legacy": "60 s, for a record without a deadline",
    "policy": "the lifetime configured now",
    "projection": "420 s after the end of the window",
}
_POWER: Final = {"ac": "on mains power", "battery": "on battery", "unknown": "power unknown"}
_CHARGING: Final = {True: "charging", False: "not charging", None: "charging unknown"}


def format_time(instant: int) -> str:
    """Return an instant as text; a deadline may be later than the last instant that has a text."""
    return format_instant(response_deadline(instant))


def state_lines(state: Online | Offline) -> Iterator[str]:
    """Yield the lines that describe the public status."""
    if isinstance(state, Offline):
        yield f"offline: {_reason(state.reason, state.gap)}"
        return
    yield f"online until {format_time(state.deadline.at)} ({_RULES[state.deadline.rule]})"
    if state.playback is not None:
        yield f"played back at {format_time(state.playback.at)}"
    yield from _snapshot(state.snapshot)


def hidden_message(hidden: Hidden) -> str:
    """Return a line that names a privacy rule and what it hides; quotes no name of an app."""
    rule = hidden.rule
    option = {"name": "--sensitive", "pattern": "--sensitive-pattern"}.get(rule.kind)
    by = (
        "too many combining marks"
        if option is None
        else f"{option} {json.dumps(rule.text, ensure_ascii=False)}"
    )
    if hidden.member == "music":
        return f"music: not reported, its player is hidden by {by}"
    number = f"{hidden.count} names " if hidden.count > 1 else ""
    return f"{hidden.member}: {number}reported as {SENSITIVE_APP}, hidden by {by}"


def explanation_lines(explanation: Explanation) -> Iterator[str]:
    """Yield the lines that explain the status, and until when it holds."""
    if explanation.reason is None:
        yield "online"
    else:
        yield f"offline: {_reason(explanation.reason, explanation.gap)}"
    if explanation.deadline is not None:
        deadline = explanation.deadline
        yield f"deadline: {format_time(deadline.at)} ({_RULES[deadline.rule]})"
    if explanation.next_change_at is None:
        yield "next change: none, until something is written"
    else:
        yield f"next change: {format_time(explanation.next_change_at)}"


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


def _reason(reason: OfflineReason, gap: WindowGap | None) -> str:
    text = _REASONS[reason]
    if gap is None:
        return text
    return f"{text} ({gap.reason}, {format_time(gap.start_at)} to {format_time(gap.end_at)})"


def _snapshot(snapshot: Snapshot) -> Iterator[str]:
    yield f"collected: {format_time(snapshot.collected_at)}"
    yield f"foreground app: {snapshot.active_app or 'unknown'}"
    running = snapshot.running_apps
    yield f"running: {'not reported' if running is ABSENT else ', '.join(running) or 'no apps'}"
    yield f"battery: {_battery(snapshot.battery)}"
    yield f"load: {_load(snapshot.system)}"
    yield f"music: {_music(snapshot.music)}"


def _battery(battery: Battery) -> str:
    percent = "charge unknown" if battery.percent is None else f"{battery.percent} %"
    return f"{percent}, {_CHARGING[battery.charging]}, {_POWER[battery.power_source]}"


def _load(system: System) -> str:
    loads = (system.load_1m, system.load_5m, system.load_15m)
    return " ".join("unknown" if load is None else str(load) for load in loads)


def _music(music: Music) -> str:
    title = " — ".join(filter(None, (music.track, music.artist)))
    return f"{music.state}: {title}" if title else music.state
