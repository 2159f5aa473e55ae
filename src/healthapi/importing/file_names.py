"""Recognise the files of an export by their names.

Folders differ between years and account languages, so they are ignored: only the last part of a
path counts.

Invariant *nothing else is opened*: a file whose name is not in the table has no kind and is not
read.  That excludes heart rate, location and sensor files, most bytes of a real archive.
"""

import re
from typing import Final, Literal, get_args

__all__ = ["LEVELS", "FileKind", "Level", "kind_of"]

Level = Literal["sedentary", "lightly", "fairly", "very"]
"""A level of activity, with its minutes of a day."""
LEVELS: Final[tuple[Level, ...]] = get_args(Level)

FileKind = Literal[
    "steps",
    "calories",
    "sedentary",
    "lightly",
    "fairly",
    "very",
    "resting",
    "sleep",
    "exercise",
    "sleep-score",
    "hrv-summary",
    "zone-minutes",
    "google-steps",
    "google-calories",
    "google-hrv",
    "google-resting",
    "google-zone",
    "google-sleeps",
    "google-stages",
    "google-scores",
]
"""What a file holds; `google-` files are of the folders `Physical Activity_GoogleData` and such."""

_DATE: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_NAMES: Final[dict[FileKind, str]] = {
    "steps": rf"steps-{_DATE}\.json",
    "calories": rf"calories-{_DATE}\.json",
    "sedentary": rf"sedentary_minutes-{_DATE}\.json",
    "lightly": rf"lightly_active_minutes-{_DATE}\.json",
    "fairly": rf"moderately_active_minutes-{_DATE}\.json",
    "very": rf"very_active_minutes-{_DATE}\.json",
    "resting": rf"resting_heart_rate-{_DATE}\.json",
    "sleep": rf"sleep-{_DATE}\.json",
    "exercise": r"exercise-[0-9]+\.json",
    "sleep-score": r"sleep_score\.csv",
    "hrv-summary": r"daily heart rate variability summary - [0-9 ()-]+\.csv",
    "zone-minutes": rf"active zone minutes - {_DATE}\.csv",
    "google-steps": rf"steps_{_DATE}\.csv",
    "google-calories": rf"calories_{_DATE}\.csv",
    "google-hrv": rf"daily_heart_rate_variability(_{_DATE})?\.csv",
    "google-resting": rf"daily_resting_heart_rate(_{_DATE})?\.csv",
    "google-zone": rf"active_zone_minutes(_{_DATE})?\.csv",
    "google-sleeps": rf"usersleeps_{_DATE}\.csv",
    "google-stages": rf"usersleepstages_{_DATE}\.csv",
    "google-scores": rf"usersleepscores_{_DATE}\.csv",
}
_FORMS: Final = {kind: re.compile(form) for kind, form in _NAMES.items()}
_SEPARATORS: Final = re.compile(r"[/\\]")
_COPY: Final = re.compile(r" ?\([0-9]+\)(?=\.[a-z]+\Z)")
"""What a download or an unpacker adds to a name that exists already."""


def kind_of(path: str) -> FileKind | None:
    """Return the kind of a file of an archive; None for one that is not read."""
    name = _COPY.sub("", _SEPARATORS.split(path)[-1].lower())
    return next((kind for kind, form in _FORMS.items() if form.fullmatch(name)), None)
