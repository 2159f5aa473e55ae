"""Column mappings: which columns of a producer's files become which members of the rows.

Source: health facts, section 2.  A mapping describes one layout completely, so that a new producer
needs a new mapping and no new code.

Invariant *only named columns are read*: a column that no mapping names is ignored.

Contract: HA-FILE-02, HA-CELL-15, HA-COLUMN-01 to 08, HA-COLUMN-12, HA-COLUMN-13.
"""

from functools import cache
from typing import Final, Literal, get_args

import attrs

from healthapi.rows.records import ActivityRow, HrvRow, RhrRow, SleepLog

__all__ = [
    "LIFESNAPS",
    "NATIVE",
    "ROW_OF",
    "CellType",
    "Column",
    "FileDataset",
    "ProfileMap",
    "TableMap",
]

FileDataset = Literal["activity", "sleep", "hrv", "rhr"]
"""The datasets that are read from files."""
CellType = Literal["integer", "decimal", "text", "boolean"]

ROW_OF: Final[dict[FileDataset, type[attrs.AttrsInstance]]] = {
    "activity": ActivityRow,
    "sleep": SleepLog,
    "hrv": HrvRow,
    "rhr": RhrRow,
}
"""File dataset to the class of its rows."""

_CELL_TYPE_OF: Final[dict[type, CellType]] = {
    bool: "boolean",
    float: "decimal",
    int: "integer",
    str: "text",
}


@attrs.frozen
class Column:
    """The source of the values of one member.

    Attributes:
        field: Name of the member.
        terms: Columns of the file, each with a factor, that are added up.  A missing term counts
            as 0 if another one has a value.  If all are missing, or one is unreadable, the value
            is missing.
        constant: The value of every row, instead of terms.
        not_measured: The number in the file that stands for "not measured"; such a value is
            missing.  Only with exactly one term.

    Raises:
        ValueError: There are both or neither of terms and constant, or `not_measured` is given
            with another number of terms than one.

    """

    field: str
    terms: tuple[tuple[str, float], ...] = ()
    constant: bool | float | str | None = None
    not_measured: float | None = None

    def __attrs_post_init__(self) -> None:
        if bool(self.terms) is (self.constant is not None):
            raise ValueError("a column needs either terms or a constant")
        if self.not_measured is not None and len(self.terms) != 1:
            raise ValueError("not_measured needs exactly one term")

    @classmethod
    def of(cls, field: str, name: str, factor: float = 1.0) -> "Column":
        """Return a mapping from one column of the file, times a factor."""
        return cls(field, ((name, factor),))


@attrs.frozen
class TableMap:
    """The mapping of one file to one dataset.

    Attributes:
        dataset: Key of the dataset.
        file: Name of the file below `csv/`.
        date: Name of the column of dates.
        columns: The members that the file has values for; other members are None.
        wide: Whether the file contains other datasets too.  Then a row belongs to this dataset only
            if a column of numbers or text has a value; other rows are skipped without a finding.

    Raises:
        ValueError: A column is not a member of the dataset, occurs twice, or computes with text or
            booleans.

    """

    dataset: FileDataset
    file: str
    date: str
    columns: tuple[Column, ...]
    wide: bool = False

    def __attrs_post_init__(self) -> None:
        types = _cell_types(ROW_OF[self.dataset])
        fields = [column.field for column in self.columns]
        if not types.keys() - {"date"} >= set(fields):
            raise ValueError("a column is not a member of the dataset's rows")
        if len(set(fields)) != len(fields):
            raise ValueError("a member has two columns")
        for column in self.columns:
            plain = [factor for _, factor in column.terms] in ([], [1.0])
            plain = plain and column.not_measured is None
            if types[column.field] in ("text", "boolean") and not plain:
                raise ValueError(
                    "only columns of numbers can have several terms, a factor or not_measured"
                )

    def cell_type(self, field: str) -> CellType:
        """Return the type of a member of the rows."""
        return _cell_types(ROW_OF[self.dataset])[field]


@cache
def _cell_types(row: type[attrs.AttrsInstance]) -> dict[str, CellType]:
    """Return the types of a row's members from its annotations: `int | None` is integer."""
    return {
        field.name: _CELL_TYPE_OF[(get_args(field.type) or (field.type,))[0]]
        for field in attrs.fields(row)
    }


@attrs.frozen
class ProfileMap:
    """The mappings of all files of a profile; None if there is no such file.

    Raises:
        ValueError: A table is not of the dataset of its attribute.

    """

    activity: TableMap | None = None
    sleep: TableMap | None = None
    hrv: TableMap | None = None
    rhr: TableMap | None = None

    def __attrs_post_init__(self) -> None:
        for place in ROW_OF:
            table: TableMap | None = getattr(self, place)
            if table is not None and table.dataset != place:
                raise ValueError("a table is not of the dataset of its attribute")


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
"""The four files of the specification."""

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
            # Other producers leave days without zone minutes blank; here they were measured as 0.
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
            # The producer writes 0.0 for nights of any length that have no score.
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
"""One wide file a person: the daily rows of the LifeSnaps data set."""
