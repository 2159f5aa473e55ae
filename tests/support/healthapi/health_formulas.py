"""The formulas of the health facts once more: plainly, row by row, from raw text to numbers.

Written from the health facts and the design decisions alone, without regard to speed; no code is
shared with the package, whose results are compared with it.  A row is a dict with members in the
order of the facts; an absent member is missing.
"""

import csv
import io
import re
import statistics
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from math import sqrt
from typing import Any, Final

__all__ = [
    "CARDS",
    "DECIMALS",
    "FILES",
    "PAIRS",
    "TEN_SCOPES",
    "TEXTS",
    "WIDE_ROWS",
    "Account",
    "Row",
    "account_tables",
    "activity_table",
    "badges_of",
    "card_of",
    "coefficient_of",
    "count_of",
    "daily_of",
    "month_key",
    "native_rows",
    "nights_of",
    "partial_of",
    "periods_of",
    "points_of",
    "recovery_of",
    "recovery_table",
    "rejected_in",
    "section_values",
    "sleep_table",
    "strengths_of",
    "tenth",
    "unreadable_in",
    "week_key",
    "wide_rows",
]

# Section 2: columns to fields

Row = dict[str, Any]


ACTIVITY: Final = {
    "steps": "steps",
    "sedentary_minutes": "sedentaryMinutes",
    "activity_calories": "activityCalories",
    "calories_out": "caloriesOut",
    "lightly_active_minutes": "lightlyActiveMinutes",
    "fairly_active_minutes": "fairlyActiveMinutes",
    "very_active_minutes": "veryActiveMinutes",
    "active_zone_minutes": "activeZoneMinutes",
    "active_minutes": "activeMinutes",
    "exercise_examples": "exerciseExamples",
}


SLEEP: Final = {
    "is_main_sleep": "isMainSleep",
    "minutes_asleep": "minutesAsleep",
    "minutes_awake": "minutesAwake",
    "time_in_bed": "timeInBed",
    "efficiency": "efficiency",
    "sleep_score": "sleepScore",
    "minutes_deep": "minutesDeep",
    "minutes_rem": "minutesREM",
    "minutes_light": "minutesLight",
    "minutes_wake_stages": "minutesWakeStages",
    "minutes_to_fall_asleep": "minutesToFallAsleep",
    "minutes_after_wakeup": "minutesAfterWakeup",
    "start_time": "startTime",
    "end_time": "endTime",
}


CHOOSING: Final = {"log_id": "logId", "duration": "duration"}


HRV: Final = {"hrv": "dailyRmssd", "deep_rmssd": "deepRmssd"}


RHR: Final = {"rhr": "resting_heart_rate"}


FILES: Final = {
    "activity": ("csv/fitbit_activity.csv", ACTIVITY),
    "sleep": ("csv/fitbit_sleep.csv", {**SLEEP, **CHOOSING}),
    "hrv": ("csv/fitbit_hrv.csv", HRV),
    "rhr": ("csv/fitbit_rhr.csv", RHR),
}


DERIVED: Final = ("sleep_hours", "deep_pct", "rem_pct")


DAILY: Final = ("date", *ACTIVITY, *SLEEP, "nap_count", *DERIVED, *HRV, *RHR)


TEXTS: Final = ("exercise_examples", "start_time", "end_time", "log_id")


DECIMALS: Final = ("sleep_score", "hrv", "deep_rmssd")


NUMBER: Final = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def decimal_of(cell: str) -> float | None:
    found = NUMBER.fullmatch(cell.strip())
    if found is None or Decimal(found[0]).copy_abs() > 2**53:
        return None
    return float(found[0]) + 0.0


def cell_of(field: str, cell: str) -> Any:
    if field in TEXTS:
        return cell.strip() or None
    if field == "is_main_sleep":
        return cell.strip().lower() in {"1", "true", "yes", "y"}
    number = decimal_of(cell)
    if number is None or not number_may_be(field, number):
        return None
    return number if field in DECIMALS else round(number)


def number_may_be(field: str, number: float) -> bool:
    return field != "rhr" or 20 <= number <= 250


def day_of(cell: str) -> str | None:
    day = cell.strip()[:10]
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", day) is None:
        return None
    try:
        date.fromisoformat(day)
    except ValueError:
        return None
    return day


def lines_of(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), restval=""))


def native_rows(files: dict[str, bytes], dataset: str) -> list[Row]:
    name, fields = FILES[dataset]
    rows = [
        {"date": day_of(line["date"])}
        | {field: cell_of(field, line.get(column, "")) for field, column in fields.items()}
        for line in lines_of(files.get(name, b"date\n"))
    ]
    return sorted((row for row in rows if row["date"]), key=lambda row: str(row["date"]))


def wide_rows(data: bytes, dataset: str) -> list[Row]:
    """Read the one file of an example: a row counts where it has a value of the dataset."""
    rows = [{"date": line["date"]} | WIDE_ROWS[dataset](line) for line in lines_of(data)]
    flags = ("date", "is_main_sleep")
    return [row for row in rows if any(row[key] is not None for key in row if key not in flags)]


def sum_of(line: dict[str, str], *terms: tuple[str, float]) -> int | None:
    found = [(decimal_of(line[name]), factor) for name, factor in terms]
    there = [number * factor for number, factor in found if number is not None]
    return round(round(sum(there), 9)) if there else None


def wide_activity(line: dict[str, str]) -> Row:
    light, fair, very = (f"{level}_active_minutes" for level in ("lightly", "moderately", "very"))
    given = dict.fromkeys(ACTIVITY)
    return given | {
        "steps": cell_of("steps", line["steps"]),
        "sedentary_minutes": cell_of("sedentary_minutes", line["sedentary_minutes"]),
        "calories_out": cell_of("calories_out", line["calories"]),
        "lightly_active_minutes": cell_of("lightly_active_minutes", line[light]),
        "fairly_active_minutes": cell_of("fairly_active_minutes", line[fair]),
        "very_active_minutes": cell_of("very_active_minutes", line[very]),
        "active_zone_minutes": sum_of(line, (fair, 1), (very, 2)),
        "active_minutes": sum_of(line, (light, 1), (fair, 1), (very, 1)),
    }


def wide_sleep(line: dict[str, str]) -> Row:
    share = decimal_of(line["sleep_points_percentage"])
    same = ("minutesAsleep", "minutesAwake", "minutesToFallAsleep", "minutesAfterWakeup")
    fields = {column: field for field, column in SLEEP.items()}
    return {
        **dict.fromkeys(SLEEP),
        "log_id": None,
        "is_main_sleep": True,
        "duration": cell_of("duration", line["sleep_duration"]),
        "time_in_bed": sum_of(line, ("sleep_duration", 1 / 60_000)),
        "efficiency": cell_of("efficiency", line["sleep_efficiency"]),
        "sleep_score": None if not share else round(share * 100, 9),
        **{fields[column]: cell_of(fields[column], line[column]) for column in same},
    }


WIDE_ROWS: Final[dict[str, Callable[[dict[str, str]], Row]]] = {
    "activity": wide_activity,
    "sleep": wide_sleep,
    "hrv": lambda line: {"hrv": cell_of("hrv", line["rmssd"]), "deep_rmssd": None},
    "rhr": lambda line: {"rhr": cell_of("rhr", line["resting_hr"])},
}


# Section 3, and the rulings on naps and repeated logs


def by_date(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["date"], []).append(row)
    return dict(sorted(found.items()))


def without_repetitions(rows: list[Row]) -> list[Row]:
    def is_same(one: Row, other: Row) -> bool:
        return one == other or bool(one["log_id"] and other["log_id"] == one["log_id"])

    kept: list[int] = []
    for index, row in enumerate(rows):
        same = [place for place, other in enumerate(rows) if is_same(row, other)]
        best = max(same, key=lambda place: (rank_of(rows[place]), -place))
        if best == index:
            kept.append(index)
    return [rows[index] for index in kept]


def rank_of(row: Row) -> tuple[bool, int, int]:
    return row["is_main_sleep"], row["minutes_asleep"] or 0, row["duration"] or 0


MISSING: Final = ("", "nan", "none", "null", "nat")
TRUTHS: Final = ("1", "true", "yes", "y", "0", "false", "no", "n", "")


def is_unreadable(field: str, cell: str) -> bool:
    if field == "is_main_sleep":
        return cell.strip().lower() not in TRUTHS
    if field in TEXTS or cell.strip().lower() in MISSING:
        return False
    number = decimal_of(cell)
    return number is None or not number_may_be(field, number)


def unreadable_in(files: dict[str, bytes], dataset: str) -> int:
    """Count the cells that are not blank and are read as missing, in rows with a day."""
    name, fields = FILES[dataset]
    return sum(
        is_unreadable(field, line.get(column, ""))
        for line in lines_of(files.get(name, b"date\n"))
        if day_of(line["date"])
        for field, column in fields.items()
    )


def tenth(value: float) -> float:
    return round(value, 1) + 0.0


def night_of(rows: list[Row]) -> Row:
    best = rows[0]
    for row in rows[1:]:
        best = row if rank_of(row) > rank_of(best) else best
    row = {"date": best["date"]} | {field: best[field] for field in SLEEP}
    row["nap_count"] = len(rows) - 1 + (not best["is_main_sleep"])
    asleep = row["minutes_asleep"]
    if asleep is not None:
        row["sleep_hours"] = tenth(asleep / 60)
    for share, part in (("deep_pct", "minutes_deep"), ("rem_pct", "minutes_rem")):
        if row[part] is not None and asleep:
            row[share] = tenth(row[part] / asleep * 100)
    return row


def nights_of(rows: list[Row]) -> list[Row]:
    return [night_of(without_repetitions(each)) for each in by_date(rows).values()]


def rejected_in(files: dict[str, bytes], dataset: str) -> int:
    """Count the rows without a day, and the sleep logs that repeat another."""
    name, _ = FILES[dataset]
    rows = native_rows(files, dataset)
    kept = rows
    if dataset == "sleep":
        kept = [row for each in by_date(rows).values() for row in without_repetitions(each)]
    return len(lines_of(files.get(name, b"date\n"))) - len(kept)


# Section 4, and the rulings on repeated dates and naps


def daily_of(sets: dict[str, list[Row]]) -> list[Row]:
    days: dict[str, Row] = {}
    for dataset, rows in sets.items():
        for row in rows:
            shown = row
            if dataset == "sleep" and not row["is_main_sleep"]:
                shown = {key: None for key in row if key not in DERIVED} | {
                    key: row[key] for key in ("date", "is_main_sleep", "nap_count")
                }
            day = days.setdefault(row["date"], {})
            for key, value in shown.items():
                if value is not None or key not in day:
                    day[key] = value
    return [{key: days[day][key] for key in DAILY if key in days[day]} for day in sorted(days)]


# Section 5


def week_key(day: str) -> str:
    year, week, _ = date.fromisoformat(day).isocalendar()
    return f"{year:04d}-W{week:02d}"


def month_key(day: str) -> str:
    return day[:7]


MEANS: Final = {
    **dict.fromkeys(("sleep_score", "sleep_hours", "hrv", "rhr"), 1),
    **dict.fromkeys(("steps", "active_minutes", "active_zone_minutes", "calories_out"), 0),
}


def values_of(rows: Iterable[Row], key: str) -> list[Any]:
    return [row[key] for row in rows if row.get(key) is not None]


def mean_of(values: Sequence[float], digits: int = 1) -> float | None:
    return round(statistics.fmean(values), digits) + 0.0 if values else None


def periods_of(daily: list[Row], key_of: Callable[[str], str]) -> list[Row]:
    periods: dict[str, list[Row]] = {}
    for row in daily:
        periods.setdefault(key_of(row["date"]), []).append(row)
    return [
        {"period": period, "days": len(rows)}
        | {key: mean_of(values_of(rows, key), digits) for key, digits in MEANS.items()}
        for period, rows in periods.items()
    ]


def partial_of(daily: list[Row], key_of: Callable[[str], str]) -> list[str]:
    """Name the first and the last period that has a day before the first or after the last."""
    if not daily:
        return []
    ends = ((daily[0]["date"], -1), (daily[-1]["date"], 1))
    beyond = [
        key_of(day)
        for day, step in ends
        if key_of(day) == key_of((date.fromisoformat(day) + timedelta(step)).isoformat())
    ]
    return list(dict.fromkeys(beyond))


# Section 8, and the rulings on trends and goals

CARDS: Final = {
    "sleep_score": ("points", "blue", 1, 1.0),
    "sleep_hours": ("hours", "amber", 1, 0.2),
    "steps": ("steps", "green", 1, 300),
    "active_minutes": ("min", "teal", 1, 10),
    "active_zone_minutes": ("min", "red", 1, 5),
    "hrv": ("ms", "blue", 1, 2),
    "rhr": ("bpm", "red", -1, 1),
    "calories_out": ("kcal", "amber", 1, 40),
}


def trend_of(values: list[float], sign: int, tolerance: float) -> Row:
    if len(values) <= 7:
        return {"direction": "flat", "improving": None, "delta": None, "percent": None}
    previous = statistics.fmean(values[-14:-7])
    delta = statistics.fmean(values[-7:]) - previous
    moved = abs(delta) > tolerance
    return {
        "direction": ("up" if delta > 0 else "down") if moved else "flat",
        "improving": delta * sign > 0 if moved else None,
        "delta": tenth(delta),
        "percent": tenth(delta / abs(previous) * 100) if previous else None,
    }


def card_of(daily: list[Row], key: str, goals: Row) -> Row:
    unit, tone, sign, tolerance = CARDS[key]
    there = [row for row in daily if row.get(key) is not None]
    values = values_of(daily, key)
    return {
        "key": key,
        "unit": unit,
        "tone": tone,
        "latest": tenth(values[-1]) if values else None,
        "latest_date": there[-1]["date"] if there else None,
        "avg7": mean_of(values[-7:]),
        "avg30": mean_of(values[-30:]),
        "goal": goals.get(key),
        "trend": trend_of(values, sign, tolerance),
    }


# Section 9

PAIRS: Final = (("sleep_score", "hrv"), ("steps", "sleep_score"), ("sleep_score", "rhr"))


STRENGTHS: Final = (
    (0.7, ("strong", "strong")),
    (0.4, ("moderate", "moderate")),
    (0.2, ("weak", "weak")),
    (-1.0, ("none", "close to none")),
)


def points_of(daily: list[Row], one: str, other: str) -> list[tuple[Fraction, Fraction]]:
    return [
        (Fraction(row[one]), Fraction(row[other]))
        for row in daily
        if row.get(one) is not None and row.get(other) is not None
    ]


def coefficient_of(points: list[tuple[Fraction, Fraction]]) -> float | None:
    """Return Pearson's coefficient, exact but for the last root; None if it is undefined."""
    if len(points) < 3:
        return None
    middle_x, middle_y = (sum(side) / Fraction(len(points)) for side in zip(*points, strict=True))
    across = sum((x - middle_x) ** 2 for x, _ in points)
    up = sum((y - middle_y) ** 2 for _, y in points)
    both = Fraction(sum((x - middle_x) * (y - middle_y) for x, y in points))
    if across == 0 or up == 0:
        return None
    return sqrt(both**2 / (across * up)) * (-1 if both < 0 else 1)


def strengths_of(coefficient: float | None) -> set[tuple[str, str]]:
    """Return the strength; on a threshold both, where doubles may fall on either side."""
    if coefficient is None:
        return {("not_enough_data", "not enough data")}
    sizes = (abs(coefficient) - 1e-12, abs(coefficient) + 1e-12)
    return {next(words for least, words in STRENGTHS if size >= least) for size in sizes}


# Section 10


def recovery_of(daily: list[Row], sleep_goal: int | None) -> tuple[int | None, str]:
    last = daily[-1] if daily else {}
    usual = {key: values_of(daily[-30:], key) for key in ("hrv", "rhr")}
    hrv, rhr = (statistics.median(values) if values else None for values in usual.values())
    parts: list[float] = []
    if last.get("sleep_score") is not None:
        parts.append(last["sleep_score"])
    if last.get("minutes_asleep") is not None and sleep_goal:
        parts.append(last["minutes_asleep"] / sleep_goal * 100)
    if last.get("hrv") is not None and hrv:
        parts.append(50 + (last["hrv"] - hrv) / hrv * 100)
    if last.get("rhr") is not None and rhr:
        parts.append(50 - 6 * (last["rhr"] - rhr))
    if not parts:
        return None, "waiting for data"
    score = round(statistics.fmean([min(max(part, 0), 100) for part in parts]))
    words = ((80, "good"), (65, "stable"), (50, "watch"), (-1, "rest"))
    return score, next(label for least, label in words if score >= least)


# Section 13: the tables that are made of rows


def sleep_table(nights: list[Row]) -> list[Row]:
    def rounded(value: float | None) -> float | None:
        return None if value is None else tenth(value)

    return [
        {
            "date": row["date"],
            "score": rounded(row["sleep_score"]),
            "hours": rounded(row.get("sleep_hours")),
            "deep": row["minutes_deep"],
            "rem": row["minutes_rem"],
            "light": row["minutes_light"],
            "awake": row["minutes_awake"],
        }
        for row in [row for row in nights if row["is_main_sleep"]][-10:][::-1]
    ]


def activity_table(rows: list[Row]) -> list[Row]:
    names = ("date", "steps", "active_minutes", "active_zone_minutes", "calories_out")
    return [{key: row[key] for key in (*names, "exercise_examples")} for row in rows[-10:][::-1]]


def recovery_table(daily: list[Row]) -> list[Row]:
    return [
        {
            "date": row["date"],
            "hrv": tenth_of(row.get("hrv")),
            "deep_rmssd": None if row.get("deep_rmssd") is None else tenth(row["deep_rmssd"]),
            "rhr": row.get("rhr"),
        }
        for row in daily[-10:][::-1]
        if row.get("hrv") is not None or row.get("rhr") is not None
    ]


# Sections 6, 7, 12, 13 and 15: what is made of the account


class Account:
    """The raw snapshot of a producer, looked into by the letter of the health facts."""

    def __init__(self, value: Row | None) -> None:
        self.value = value or {}
        self.entries: Row = self.value.get("endpoints", {})

    def data(self, key: str) -> Any:
        entry = self.entries.get(key, {})
        return entry.get("data") if entry.get("ok") else None

    def at(self, key: str, *names: str) -> Any:
        found = self.data(key)
        for name in names:
            found = found.get(name) if isinstance(found, dict) else None
        return found

    def listed(self, key: str, name: str | None = None) -> list[Row]:
        return (self.data(key) if name is None else self.at(key, name)) or []

    @property
    def device_count(self) -> int | None:
        """The number of devices; None where no granted scopes are known."""
        return count_of(self.data("devices")) if self.value.get("token_scope") else None

    @property
    def badge_count(self) -> int | None:
        """The number of badges; None where no granted scopes are known."""
        return count_of(badges_of(self)) if self.value.get("token_scope") else None

    @property
    def missing_count(self) -> int | None:
        """Number of missing scopes; None if no granted scopes are known."""
        return len(self.missing) if self.value.get("token_scope") else None

    @property
    def missing(self) -> list[str]:
        granted = self.value.get("token_scope") or TEN_SCOPES
        return [scope for scope in self.value.get("requested_scopes", ()) if scope not in granted]


TEN_SCOPES: Final = [
    *("activity", "heartrate", "nutrition", "oxygen_saturation", "profile"),
    *("respiratory_rate", "settings", "sleep", "temperature", "weight"),
]


def tenth_of(value: float | None) -> float | None:
    return None if value is None else tenth(value)


def count_of(found: Any) -> int | None:
    return None if found is None else len(found)


VITALS: Final = (
    ("spo2", "spo2_recent", None, "avg", "%"),
    ("breathing_rate", "breathing_rate_recent", "br", "breathingRate", "breaths/min"),
    ("skin_temperature", "skin_temperature_recent", "tempSkin", "nightlyRelative", "°C"),
)


def vitals_of(account: Account) -> list[tuple[str, str | None, float | None, str]]:
    found = []
    for key, endpoint, name, member, unit in VITALS:
        data = account.entries.get(endpoint, {}).get("data")  # `ok` does not matter
        records = (data if name is None else data and data[name]) or []
        last = max(records, key=lambda record: str(record["dateTime"]), default=None)
        day, value = (last["dateTime"], last["value"][member]) if last else (None, None)
        found.append((key, day, value, unit))
    return found


def section_values(account: Account) -> dict[str, list[float | None]]:
    weights, fats = (
        account.listed("weight_log_recent", "weight"),
        account.listed("fat_log_recent", "fat"),
    )
    # The owner publishes neither height nor weight of the profile.
    weight = weights[-1]["weight"] if weights else None
    bmi = weights[-1]["bmi"] if weights else None
    summary = account.value.get("fetch_summary") or {}
    completion = tenth(summary["ok"] / summary["total"] * 100) if summary.get("total") else None
    return {
        "body": [
            tenth_of(weight),
            tenth_of(bmi),
            tenth_of(account.at("weight_goal", "goal", "weight")),
            tenth_of(fats[-1]["fat"] if fats else None),
        ],
        "vitals": [value for _, _, value, _ in vitals_of(account)],
        "lifestyle": [
            account.at("food_goal", "goals", "calories"),
            account.at("food_log_today", "summary", "calories"),
            account.at("water_goal", "goal", "goal"),
            account.at("water_log_today", "summary", "water"),
            count_of(account.data("frequent_foods")),
            count_of(account.data("favorite_foods")),
            count_of(account.at("meals", "meals")),
        ],
        "account": [
            account.device_count,
            account.badge_count,
            completion,
            account.missing_count,
        ],
    }


def badges_of(account: Account) -> Any:
    found = account.at("badges", "badges")
    return found or account.at("profile", "user", "topBadges") or found


def body_table(account: Account) -> list[tuple[Any, ...]]:
    rows = [
        (log["date"], kind, tenth(log[kind]), unit)
        for kind, unit in (("weight", "kg"), ("fat", "%"))
        for log in account.listed(f"{kind}_log_recent", kind)[-8:]
    ]
    return sorted(rows, key=lambda row: (row[0], row[1]), reverse=True)[:12]


def status_words(entry: Row) -> tuple[str, str]:
    if entry["ok"]:
        return "cached", "cached"
    reason = str(entry.get("reason"))
    if reason.startswith("missing_scope:"):
        return "missing_scope", f"missing scope {reason.removeprefix('missing_scope:')}"
    if entry.get("skipped"):
        return "skipped", "skipped"
    return "failed", f"failed ({entry['status']})" if entry["status"] else "failed"


def account_tables(account: Account) -> dict[str, list[tuple[Any, ...]]]:
    foods = account.listed("recent_foods")[:12]
    return {
        "body": body_table(account),
        "vitals": [(day, key, value, unit) for key, day, value, unit in vitals_of(account)],
        "foods": [(food["name"], food["calories"], food["dateLastEaten"]) for food in foods],
        "devices": [
            (device["deviceVersion"], device["battery"], device["lastSyncTime"])
            for device in account.listed("devices")
        ],
        "badges": [
            (badge["name"], badge["category"], badge["value"], badge["dateTime"])
            for badge in (badges_of(account) or [])[:12]
        ],
        "alarms": [
            (device["device_name"], alarm["time"], alarm["enabled"], alarm["recurring"])
            for device in account.listed("device_alarms", "devices")
            for alarm in device["alarms"]
        ],
        "endpoints": [
            (
                entry["label"],
                entry["group"],
                entry["scope"],
                *status_words(entry),
                entry["fetched_at"],
            )
            for _, entry in sorted(account.entries.items())
        ],
    }
