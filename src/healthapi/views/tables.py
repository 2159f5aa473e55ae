"""Build the ten tables: short lists for dashboards, newest first if they have dates.

Invariant *flat rows*: each row has exactly the columns of its table, in their order; each cell is
text, a number, a boolean or None.
Invariant *keys and labels*: members for programs (`status`, `enabled`, `group`, `type`, `metric`)
are keys or booleans; the member with `_label` is for people.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any, Final

import attrs

from healthapi import person
from healthapi.derived.statistics import rounded
from healthapi.keys import TABLES
from healthapi.models import ActivityRow, DailyRow, SleepRow
from healthapi.rows.rows import Rows
from healthapi.snapshot import (
    AccountResponse,
    Snapshot,
    data_of,
    day,
    integer,
    listed,
    member,
    number,
    objects,
    text,
    words,
)

_Cells = tuple[object, ...]

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    key: tuple(names.split())
    for key, names in {
        "sleep": "date score hours deep rem light awake",
        "activity": (
            "date steps active_minutes active_zone_minutes calories_out exercise_examples"
        ),
        "recovery": "date hrv deep_rmssd rhr",
        "body": "date type type_label value unit detail",
        "vitals": "date metric metric_label value unit detail",
        "foods": "name brand calories amount last_eaten",
        "devices": "device type type_label battery last_sync status",
        "badges": "name category value date",
        "alarms": "device time enabled enabled_label recurring weekdays",
        "endpoints": (
            "dataset endpoint group group_label scope status status_label http_status updated_at"
        ),
    }.items()
}
"""Table to its columns, which do not depend on data."""

_SLEEP_MEMBERS: Final = (
    *("sleep_score", "sleep_hours", "minutes_deep", "minutes_rem", "minutes_light"),
    "minutes_awake",
)
"""Members of a night in the order of the columns after its date."""
_MAX_RECENT: Final = 10
"""Rows of the tables sleep, activity and recovery; recovery skips rows without a value."""
_MAX_BODY_LOGS: Final = 8
_MAX_BODY_ROWS: Final = 12
"""Logs of each kind, and rows in total."""
_MAX_FOODS: Final = 12
_MAX_BADGES: Final = 12
_ON_OFF: Final = {True: "on", False: "off", None: None}

_BODY: Final[Mapping[person.BodyLog, tuple[str, str]]] = {
    "weight": ("Weight", "kg"),
    "fat": ("Body fat", "%"),
}
"""Kind of a body log to its label and unit."""


@attrs.frozen
class Table:
    """A table: each row has a member for each column, in this order.  Do not change the rows."""

    key: str
    label: str
    columns: tuple[str, ...]
    rows: tuple[dict[str, Any], ...] = attrs.field(repr=False)

    def plain(self, start: int = 0, stop: int | None = None) -> dict[str, Any]:
        """Return the published table with some of its rows."""
        return {
            "table": self.key,
            "label": self.label,
            "columns": list(self.columns),
            "rows": list(self.rows[start:stop]),
        }

    def __len__(self) -> int:
        return len(self.rows)


def build_tables(
    sleep: Rows[SleepRow],
    activity: Rows[ActivityRow],
    daily: Rows[DailyRow],
    snapshot: Snapshot | None,
) -> tuple[Table, ...]:
    """Return the ten tables in their order; the snapshot may be None."""
    # In the order of `COLUMNS`.
    of_snapshot = (_body, _vitals, _foods, _devices, _badges, _alarms, _endpoints)
    rows_of_tables = (
        _sleep(sleep),
        map(itemgetter(*COLUMNS["activity"]), reversed(activity.plain(-_MAX_RECENT))),
        _recovery(daily),
        *(build(snapshot) for build in of_snapshot),
    )
    return tuple(
        Table(
            key, TABLES[key], columns, tuple(dict(zip(columns, row, strict=True)) for row in rows)
        )
        for (key, columns), rows in zip(COLUMNS.items(), rows_of_tables, strict=True)
    )


def _sleep(sleep: Rows[SleepRow]) -> Sequence[_Cells]:
    nights = (row for row in reversed(sleep) if row.is_main_sleep)
    return [
        (row.date, *(rounded(getattr(row, name)) for name in _SLEEP_MEMBERS))
        for row in islice(nights, _MAX_RECENT)
    ]


def _recovery(daily: Rows[DailyRow]) -> Sequence[_Cells]:
    return [
        (row.date, rounded(row.hrv), rounded(row.deep_rmssd), row.rhr)
        for row in reversed(daily[-_MAX_RECENT:])
        if row.hrv is not None or row.rhr is not None
    ]


def _body(snapshot: Snapshot | None) -> Sequence[_Cells]:
    logs = [
        (day(log.get("date")), kind, label, rounded(number(log.get(kind))), unit, _body_detail(log))
        for kind, (label, unit) in _BODY.items()
        for log in reversed(person.body_logs(snapshot, kind)[-_MAX_BODY_LOGS:])
    ]
    return sorted(logs, key=lambda log: (log[0] or "", log[1]), reverse=True)[:_MAX_BODY_ROWS]


def _body_detail(log: dict[str, Any]) -> str | None:
    """Return the body mass index of a body log, or else its source."""
    bmi = rounded(number(log.get("bmi")))
    return text(log.get("source")) if bmi is None else f"BMI {bmi}"


def _vitals(snapshot: Snapshot | None) -> Sequence[_Cells]:
    return [
        (last.date, last.vital.key, last.vital.label, last.value, last.vital.unit, last.detail)
        for last in person.vital_readings(snapshot)
    ]


def _foods(snapshot: Snapshot | None) -> Sequence[_Cells]:
    foods = objects(listed(data_of(snapshot, "recent_foods"), "foods"))[:_MAX_FOODS]
    return [
        (
            _first_text(food, "name", "foodName", "description"),
            text(food.get("brand")),
            integer(food.get("calories")),
            _amount(food),
            _first_text(food, "dateLastEaten", "lastEaten"),
        )
        for food in foods
    ]


def _amount(food: dict[str, Any]) -> str | None:
    """Return the amount of a food: `1 cup`, `2.5 grams`."""
    amount, unit = number(food.get("amount")), food.get("unit")
    if amount is None:
        return text(food.get("amount"))
    named = text(unit) or _first_text(unit, *(("name",) if amount == 1 else ("plural", "name")))
    return f"{amount} {named}" if named else f"{amount}"


def _devices(snapshot: Snapshot | None) -> Sequence[_Cells]:
    return [
        (
            person.device_name(device.get("deviceVersion"), device.get("id")),
            *_key_and_label(device.get("type")),
            text(device.get("battery")),
            text(device.get("lastSyncTime")),
            person.device_name(device.get("deviceVersion")),
        )
        for device in objects(person.devices(snapshot))
    ]


def _badges(snapshot: Snapshot | None) -> Sequence[_Cells]:
    return [
        (
            _first_text(badge, "name", "shortName"),
            text(badge.get("category")),
            number(badge.get("value")),
            _first_text(badge, "dateTime", "date"),
        )
        for badge in objects(person.badges(snapshot))[:_MAX_BADGES]
    ]


def _alarms(snapshot: Snapshot | None) -> Sequence[_Cells]:
    return [
        (
            device,
            text(alarm.get("time")),
            _boolean(alarm.get("enabled")),
            _ON_OFF[_boolean(alarm.get("enabled"))],
            _boolean(alarm.get("recurring")),
            ", ".join(word.capitalize() for word in words(alarm.get("weekDays"))) or None,
        )
        for device, alarm in person.alarms(snapshot) or ()
    ]


def _endpoints(snapshot: Snapshot | None) -> Sequence[_Cells]:
    entries = snapshot.endpoints if snapshot else {}
    return [
        (
            entry.label or key,
            key,
            *_key_and_label(entry.group),
            entry.scope,
            entry.outcome,
            _outcome_label(entry),
            entry.status,
            entry.fetched_at,
        )
        for key, entry in sorted(entries.items())
    ]


def _outcome_label(entry: AccountResponse) -> str:
    if entry.outcome == "missing_scope":
        return f"missing scope {entry.missing_scope or ''}".strip()
    if entry.outcome == "failed" and entry.status is not None:
        return f"failed ({entry.status})"
    return entry.outcome


def _boolean(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _first_text(value: object, *names: str) -> str | None:
    """Return the first text among the named members of an object."""
    return next(filter(None, (text(member(value, name)) for name in names)), None)


def _key_and_label(value: object) -> tuple[str | None, str | None]:
    """Return the key and the label of a word of the account: `tracker`, `Tracker` of `TRACKER`."""
    key = (text(value) or "").lower() or None
    return key, key and key.replace("_", " ").capitalize()
