"""Describe states, reasons and deadlines in words: for commands, notebooks and pictures.

The words are not a stable interface.
"""

from collections.abc import Mapping
from typing import Final

from devicestatus import limits
from devicestatus.deadlines import Deadline, DeadlineRule
from devicestatus.models import GapReason, PowerSource, WindowGap
from devicestatus.state import OfflineReason
from status_contracts.instants import clamp_instant, format_instant
from status_contracts.svg.labels import format_duration

REASONS: Final[Mapping[OfflineReason, str]] = {
    "no-record": "nothing was ever written",
    "corrupt": "the stored value is not exactly a record that a write leaves",
    "future": "the record is received only later",
    "expired": "the deadline has passed",
    "warm-up": "playback has not reached the window yet",
    "gap": "playback is in a gap",
    "exhausted": "playback has passed the end of the window",
}
GAPS: Final[Mapping[GapReason, str]] = {  # as `GAPS` of the status page has them
    "sleep": "asleep",
    "restart": "restarting",
    "collection": "not readable",
    "overflow": "too many changes",
    "clock": "clock changed",
}
DEADLINE_RULES: Final[Mapping[DeadlineRule, str]] = {
    "stored": "the deadline stored with the record",
    "legacy": "60 s, for a record without a deadline",
    "policy": "the lifetime configured now",
    "projection": f"{format_duration(limits.PLAYBACK_DELAY_MS)} after the end of the window",
}
POWER: Final[Mapping[PowerSource, str]] = {
    "ac": "on mains power",
    "battery": "on battery",
    "unknown": "power unknown",
}
CHARGING: Final[Mapping[bool | None, str]] = {
    True: "charging",
    False: "not charging",
    None: "charging unknown",
}


def format_time(instant: int) -> str:
    """Return an instant as text; one out of the years 0001 to 9999 as the nearest one in them.

    A deadline may be later than the last instant that has a text.
    """
    return format_instant(clamp_instant(instant))


def reason_text(reason: OfflineReason, gap: WindowGap | None) -> str:
    """Return why a status is offline, with the gap if there is one."""
    text = REASONS[reason]
    if gap is None:
        return text
    return f"{text} ({GAPS[gap.reason]}, {format_time(gap.start_at)} to {format_time(gap.end_at)})"


def time_text(instant: int, now: int) -> str:
    """Return an instant with its distance from the server time `now`."""
    length = format_duration(abs(instant - now))
    distance = f"in {length}" if instant > now else f"{length} ago" if instant < now else "now"
    return f"{format_time(instant)}, {distance}"


def deadline_text(deadline: Deadline, now: int) -> str:
    """Return a deadline with its distance from `now` and the rule that sets it."""
    return f"{time_text(deadline.at, now)} ({DEADLINE_RULES[deadline.rule]})"
