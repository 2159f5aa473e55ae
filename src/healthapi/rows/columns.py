"""How the columns of a producer's files become the members of the rows.

Source: health facts, section 2.  A map says everything about one layout; another producer is
another map, not other code.

Invariant *only named columns are read*: a column that no map names is never looked at.
"""

from functools import cache
from typing import Final, Literal, get_args

import attrs

from healthapi.rows.records import ActivityRow, HrvRow, RhrRow, SleepLog

__all__ = [
    "LIFESNAPS",
    "NATIVE",
    "ROW_OF",
    "Column",
    "FileDataset",
    "Kind",
    "ProfileMap",
    "TableMap",
]

FileDataset = Literal["activity", "sleep", "hrv", "rhr"]
"""The datasets that are files."""
Kind = Literal["integer", "decimal", "text", "boolean"]

ROW_OF: Final[dict[FileDataset, type[attrs.AttrsInstance]]] = {
    "activity": ActivityRow,
    "sleep": SleepLog,
    "hrv": HrvRow,
    "rhr": RhrRow,
}
"""File dataset to the class of its rows."""

_KIND_OF: Final[dict[type, Kind]] = {
    bool: "boolean",
    float: "decimal",
    int: "integer",
    str: "text",
}


@attrs.frozen
class Column:
    """Where the values of a member come from.

    Attributes:
        field: name of the member.
        terms: columns of the file, each with a factor, that are added up.  A term that is missing
            counts as 0 where another one is there; where all are missing, or one cannot be read,
            the value is missing.
        constant: the value of every row, in place of terms.
        not_measured: the number, as the file has it, that the producer writes for what was not
            measured; such a value is missing.  Only where there is one term.

    Raises ValueError unless there are either terms or a constant, and where `not_measured` stands
    beside anything but one term.

    """

    field: str
    terms: tuple[tuple[str, float], ...] = ()
    constant: bool | float | str | None = None
    not_measured: float | None = None

    def __attrs_post_init__(self) -> None:
        if bool(self.terms) is (self.constant is not None):
            raise ValueError("a column has either terms or a constant")
        if self.not_measured is not None and len(self.terms) != 1:
            raise ValueError("a value for what was not measured is of one column of the file")

    @classmethod
    def of(cls, field: str, name: str, factor: float = 1.0) -> "Column":
        """Give the column that takes one column of the file, times a factor."""
        return cls(field, ((name, factor),))


@attrs.frozen
class TableMap:
    """How one file becomes one dataset.

    Attributes:
        dataset: the dataset.
        file: name of the file below `csv/`.
        date: name of the column of dates.
        columns: the members that the file has values for; other members are None.
        wide: the file holds other sets too, so that a row counts only where it has a value in a
            column of numbers or text; one without is no row of this dataset, and no fault.

    Raises ValueError where a column is not of the dataset, is given twice, or computes with what
    is no number.

    """

    dataset: FileDataset
    file: str
    date: str
    columns: tuple[Column, ...]
    wide: bool = False

    def __attrs_post_init__(self) -> None:
        kinds = _kinds(ROW_OF[self.dataset])
        fields = [column.field for column in self.columns]
        if not kinds.keys() - {"date"} >= set(fields):
            raise ValueError("a column is no member of the dataset's rows")
        if len(set(fields)) != len(fields):
            raise ValueError("a member has two columns")
        for column in self.columns:
            plain = [factor for _, factor in column.terms] in ([], [1.0])
            plain = plain and column.not_measured is None
            if kinds[column.field] in ("text", "boolean") and not plain:
                raise ValueError("only numbers are added up, multiplied or not measured")

    def kind(self, field: str) -> Kind:
        """Give the kind of value that a member of the rows holds."""
        return _kinds(ROW_OF[self.dataset])[field]


@cache
def _kinds(row: type[attrs.AttrsInstance]) -> dict[str, Kind]:
    """Give the kinds of a row's members, as its annotations have them: `int | None` is integer."""
    return {
        field.name: _KIND_OF[(get_args(field.type) or (field.type,))[0]]
        for field in attrs.fields(row)
    }


@attrs.frozen
class ProfileMap:
    """How the files of a profile are laid out; None: there is no such file.

    Raises ValueError where a table is not of the dataset in whose place it stands.
    """

    activity: TableMap | None = None
    sleep: TableMap | None = None
    hrv: TableMap | None = None
    rhr: TableMap | None = None

    def __attrs_post_init__(self) -> None:
        for place in ROW_OF:
            table: TableMap | None = getattr(self, place)
            if table is not None and table.dataset != place:
                raise ValueError("a table is not of the dataset in whose place it stands")


NATIVE: Final = ProfileMap(
    activity=TableMap(
        "activity",
        "fitbit_activity.csv",
        "date",
        (
            Column.of("steps", "steps"),
            Column.of("sedentary_minutes", "sedentaryMinutes"),
            Column.of("activity_calories", "activityCalories"),
            Column.of("calories_out", "caloriesOut"),
            Column.of("lightly_active_minutes", "lightlyActiveMinutes"),
            Column.of("fairly_active_minutes", "fairlyActiveMinutes"),
            Column.of("very_active_minutes", "veryActiveMinutes"),
            Column.of("active_zone_minutes", "activeZoneMinutes"),
            Column.of("active_minutes", "activeMinutes"),
            Column.of("exercise_examples", "exerciseExamples"),
        ),
    ),
    sleep=TableMap(
        "sleep",
        "fitbit_sleep.csv",
        "date",
        (
            Column.of("log_id", "logId"),
            Column.of("is_main_sleep", "isMainSleep"),
            Column.of("duration", "duration"),
            Column.of("minutes_asleep", "minutesAsleep"),
            Column.of("minutes_awake", "minutesAwake"),
            Column.of("time_in_bed", "timeInBed"),
            Column.of("efficiency", "efficiency"),
            Column.of("sleep_score", "sleepScore"),
            Column.of("minutes_deep", "minutesDeep"),
            Column.of("minutes_rem", "minutesREM"),
            Column.of("minutes_light", "minutesLight"),
            Column.of("minutes_wake_stages", "minutesWakeStages"),
            Column.of("minutes_to_fall_asleep", "minutesToFallAsleep"),
            Column.of("minutes_after_wakeup", "minutesAfterWakeup"),
            Column.of("start_time", "startTime"),
            Column.of("end_time", "endTime"),
        ),
    ),
    hrv=TableMap(
        "hrv",
        "fitbit_hrv.csv",
        "date",
        (Column.of("hrv", "dailyRmssd"), Column.of("deep_rmssd", "deepRmssd")),
    ),
    rhr=TableMap("rhr", "fitbit_rhr.csv", "date", (Column.of("rhr", "resting_heart_rate"),)),
)
"""Four files, as the specification's producers write them."""

_MINUTES_OF_MS: Final = 1 / 60_000
_PERCENT_OF_SHARE: Final = 100.0

LIFESNAPS: Final = ProfileMap(
    activity=TableMap(
        "activity",
        "person.csv",
        "date",
        (
            Column.of("steps", "steps"),
            Column.of("sedentary_minutes", "sedentary_minutes"),
            Column.of("calories_out", "calories"),
            Column.of("lightly_active_minutes", "lightly_active_minutes"),
            Column.of("fairly_active_minutes", "moderately_active_minutes"),
            Column.of("very_active_minutes", "very_active_minutes"),
            # producers leave a day without zone minutes blank; here it has 0, for it was measured
            Column(
                "active_zone_minutes",
                (("moderately_active_minutes", 1.0), ("very_active_minutes", 2.0)),
            ),
            Column(
                "active_minutes",
                (
                    ("lightly_active_minutes", 1.0),
                    ("moderately_active_minutes", 1.0),
                    ("very_active_minutes", 1.0),
                ),
            ),
        ),
        wide=True,
    ),
    sleep=TableMap(
        "sleep",
        "person.csv",
        "date",
        (
            Column("is_main_sleep", constant=True),
            Column.of("duration", "sleep_duration"),
            Column.of("time_in_bed", "sleep_duration", _MINUTES_OF_MS),
            Column.of("minutes_asleep", "minutesAsleep"),
            Column.of("minutes_awake", "minutesAwake"),
            Column.of("minutes_to_fall_asleep", "minutesToFallAsleep"),
            Column.of("minutes_after_wakeup", "minutesAfterWakeup"),
            Column.of("efficiency", "sleep_efficiency"),
            # nights of any length have 0.0 where the producer made no score
            Column(
                "sleep_score",
                (("sleep_points_percentage", _PERCENT_OF_SHARE),),
                not_measured=0.0,
            ),
        ),
        wide=True,
    ),
    hrv=TableMap("hrv", "person.csv", "date", (Column.of("hrv", "rmssd"),), wide=True),
    rhr=TableMap("rhr", "person.csv", "date", (Column.of("rhr", "resting_hr"),), wide=True),
)
"""One wide file a person, as the LifeSnaps data set of daily rows has it."""
