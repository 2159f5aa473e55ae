"""When paths were submitted: the time of the commit that dates each, where that is known.

Source: site-data specification, "Problem object" (`submittedAt`); rulings under "Site-data file".
The text is local time with the offset that the committer's zone had.

Invariant *no false date*: where the commit that dates a path is not known, the time is null.
Invariant *the instant stays*: whatever is odd about a zone, the text names the commit's instant.
"""

from datetime import date
from functools import lru_cache
from typing import Final

import attrs

from purewire.instants import MINUTE_MS, SECOND_MS
from sitedata.building.history import History, Touch
from sitedata.building.warnings import RULES, Remarks

__all__ = ["Dating", "time_text"]

_MINUTE: Final = MINUTE_MS // SECOND_MS
_DAY: Final = 24 * 60 * _MINUTE
_EPOCH: Final = date(1970, 1, 1).toordinal()


@attrs.define(eq=False, repr=False)
class Dating:
    """Dates the paths of one history.

    Attributes:
        history: it.
        remarks: where it remarks.

    """

    history: History
    remarks: Remarks
    _cut_off: int = attrs.field(default=0, init=False)
    _texts: dict[tuple[int, int], tuple[str | None, str | None]] = attrs.field(
        factory=dict, init=False
    )

    def submitted_at(self, name: bytes, path: str) -> str | None:
        """Give the time of a path; None where it is not known."""
        touch = self.history.touches.get(name)
        if touch is None:
            self.remarks.add("history.bulk_only", path.split("/"))
            return None
        if touch.is_boundary:
            self._cut_off += 1
            return None
        key = touch.seconds, touch.offset
        if key not in self._texts:
            self._texts[key] = _written(touch)
        text, rule = self._texts[key]
        if rule is not None:
            self.remarks.add(rule, path.split("/"))
        return text

    def conclude(self, counted: int) -> None:
        """Remark on the history as a whole; `counted`: the commits that fall on a day."""
        history = self.history
        if history.is_shallow or self._cut_off:
            words = f"{RULES['history.shallow']}; paths without a date for it: {self._cut_off}"
            self.remarks.add("history.shallow", (), words)
        if counted != history.commit_count:
            words = f"{history.commit_count - counted} {RULES['history.uncounted']}"
            self.remarks.add("history.uncounted", (), words)
        for commit, count in history.suspects:
            words = f"{RULES['history.bulk_suspect']}; files: {count}"
            self.remarks.add("history.bulk_suspect", (commit,), words)


def time_text(seconds: int, offset: int) -> str:
    """Write seconds since the epoch at an offset in minutes.

    Raises ValueError for an offset of a day or more, and outside the years 1 to 9999.
    """
    if not _is_offset(offset):
        raise ValueError("no offset")
    days, second = divmod(seconds + offset * _MINUTE, _DAY)
    minute, second = divmod(second, _MINUTE)
    hour, minute = divmod(minute, 60)
    return f"{_day(days)}T{hour:02}:{minute:02}:{second:02}{_zone(offset)}"


@lru_cache(maxsize=4096)
def _day(days: int) -> str:
    ordinal = days + _EPOCH
    if not 1 <= ordinal <= date.max.toordinal():
        raise ValueError("outside the years 1 to 9999")
    return date.fromordinal(ordinal).isoformat()


@lru_cache(maxsize=256)
def _zone(offset: int) -> str:
    hours, minutes = divmod(abs(offset), 60)
    return f"{'-' if offset < 0 else '+'}{hours:02}:{minutes:02}"


def _is_offset(minutes: int) -> bool:
    return abs(minutes) * _MINUTE < _DAY


def _written(touch: Touch) -> tuple[str | None, str | None]:
    """Give the text of a commit's time, and the rule that it breaks."""
    is_sound = _is_offset(touch.offset)
    try:
        text = time_text(touch.seconds, touch.offset if is_sound else 0)
    except ValueError:
        return None, "history.time"
    return text, None if is_sound else "history.offset"
