"""Compare the package with the formulas of the health facts, and its responses with their names.

The oracle is `health_formulas`: it shares no code with the package.  What both say of real files
and of invented ones has to be the same, to the last digit, member and order.
"""

import csv
import io
import re
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from healthapi.profile import Profile, load
from healthapi.rows.mapping import LIFESNAPS
from status_contracts import json_text as codec
from status_contracts.structuring.converter import unstructure
from support.healthapi.health_client import (
    GENERATED_AT,
    HealthClient,
)
from support.healthapi.health_formulas import (
    CARDS,
    DECIMALS,
    FILES,
    PAIRS,
    TEN_SCOPES,
    TEXTS,
    WIDE_ROWS,
    Account,
    Row,
    account_tables,
    activity_table,
    card_of,
    coefficient_of,
    daily_of,
    month_key,
    native_rows,
    nights_of,
    partial_of,
    periods_of,
    points_of,
    recovery_of,
    recovery_table,
    rejected_in,
    section_values,
    sleep_table,
    strengths_of,
    tenth,
    unreadable_in,
    week_key,
    wide_rows,
)
from support.healthapi.health_snapshots import snapshot_value

pytestmark = pytest.mark.check

EXAMPLES: Final = Path(__file__).parents[2] / "examples" / "lifesnaps"


PEOPLE: Final = ("person-1", "person-2", "person-3")


SNAPSHOT_NAME: Final = "cache/fitbit_profile_snapshot.json"


def check_correlation(found: Row, daily: list[Row], one: str, other: str) -> None:
    assert list(found) == [
        *("key", "label", "points", "coefficient", "strength", "strength_label"),
    ]
    points = points_of(daily, one, other)
    exact, reported = coefficient_of(points), found["coefficient"]
    assert (found["key"], found["points"]) == (f"{one}-{other}", len(points))
    assert (found["strength"], found["strength_label"]) in strengths_of(exact)
    if exact is None:
        assert reported is None
    else:
        assert reported == round(reported, 3)
        assert abs(reported - exact) <= 0.0005 + 1e-12


def check_rows(profile: Profile, sets: dict[str, list[Row]]) -> tuple[list[Row], list[Row]]:
    """Check all datasets; return the sleep rows and the daily rows."""
    nights = nights_of(sets["sleep"])
    daily = daily_of({**sets, "sleep": nights})
    expected = {
        **sets,
        "sleep": nights,
        "daily": daily,
        "weekly": periods_of(daily, week_key),
        "monthly": periods_of(daily, month_key),
    }
    for dataset, rows in expected.items():
        found = profile.rows(dataset).plain()
        assert found == rows
        assert codec.encode(found) == codec.encode(rows)  # order of members, 1 and 1.0
    assert list(profile.partial_periods("weekly")) == partial_of(daily, week_key)
    assert list(profile.partial_periods("monthly")) == partial_of(daily, month_key)
    assert profile.partial_periods("daily") == tuple(
        row["date"] for row in daily[-1:] if row["date"] >= profile.generated_at[:10]
    )
    return nights, daily


def check_numbers(profile: Profile, daily: list[Row], goals: Row) -> None:
    hours = None if goals["sleep"] is None else tenth(goals["sleep"] / 60)
    for card, key in zip(map(unstructure, profile.cards), CARDS, strict=True):
        assert card.pop("label")
        expected = card_of(daily, key, {"sleep_hours": hours, "steps": goals["steps"]})
        assert card == expected
        assert list(card) == list(expected)
        assert list(card["trend"]) == list(expected["trend"])
    for found, pair in zip(map(unstructure, profile.correlations), PAIRS, strict=True):
        check_correlation(found, daily, *pair)
    shown = profile.overview.recovery_score, profile.overview.recovery_status.replace("_", " ")
    assert shown == recovery_of(daily, goals["sleep"])


def check_coverage(profile: Profile, sets: dict[str, list[Row]]) -> None:
    for dataset, rows in sets.items():
        found = unstructure(profile.coverage[dataset])
        days = [row["date"] for row in rows] or [None]
        names = ["count", "start_date", "end_date", "rejected_rows", "unreadable_cells"]
        found.pop("omissions", None)
        assert list(found) == names
        assert [found[name] for name in names[:3]] == [len(rows), days[0], days[-1]]


def check_overview(profile: Profile, daily: list[Row]) -> None:
    last = daily[-1] if daily else {}
    assert profile.overview.latest_date == last.get("date")
    assert profile.overview.tracked_days == len(daily)
    assert profile.overview.nap_count_today == last.get("nap_count")


def check_profile(profile: Profile, sets: dict[str, list[Row]], goals: Row) -> None:
    nights, daily = check_rows(profile, sets)
    check_numbers(profile, daily, goals)
    check_coverage(profile, {**sets, "sleep": nights, "daily": daily})
    check_overview(profile, daily)
    found = {table.key: list(table.rows) for table in profile.tables}
    assert found["sleep"] == sleep_table(nights)
    assert found["activity"] == activity_table(sets["activity"])
    assert found["recovery"] == recovery_table(daily)


NO_GOALS: Final = {"sleep": None, "steps": None}


class TestRealPeople:
    @pytest.mark.parametrize("person", PEOPLE)
    def test_every_number_is_that_of_the_formulas(self, person: str) -> None:
        data = (EXAMPLES / person / "csv" / "person.csv").read_bytes()
        profile = load(
            person, {"csv/person.csv": data}, generated_at=GENERATED_AT, columns=LIFESNAPS
        )
        sets = {dataset: wide_rows(data, dataset) for dataset in WIDE_ROWS}
        assert all(sets.values())
        check_profile(profile, sets, NO_GOALS)


integers = st.integers(-5, 2000).map(str)


numbers = integers | integers.map("{}.0".format) | st.integers(0, 4000).map(lambda n: f"{n / 20}")


odd = st.sampled_from(
    (
        *("", "", " ", "nan", "NaN", "None", "NULL", "nat", "2.5", "3.5", " 61.0 ", "9.1e3", "-0"),
        *("-0.4", "1,234", "1_234", "inf", "-nan", "1e400", "\uff11\uff12", "0x1f", "=1+1", "n/a"),
        *(".5", "5."),
    )
)
cells = {
    "number": numbers | numbers | odd,
    "truth": st.sampled_from(
        ("True", "True", "1", "yes", "Y", " true ", "False", "0", "", "maybe")
    ),
    "text": st.sampled_from(
        ("", " ", "2026-01-01T23:02:00.000", " Walk、Run ", 'a "b", c', "a\nb")
    ),
    "log": st.sampled_from(("", "", "1", "2", "3", "12345678901234567")),
}


KIND: Final = {"is_main_sleep": "truth", "log_id": "log"} | dict.fromkeys(TEXTS[:3], "text")


days = st.dates(date(2023, 12, 25), date(2025, 1, 7)).map(date.isoformat)


near = st.integers(0, 40).map(lambda number: (date(2024, 12, 20) + timedelta(number)).isoformat())


dates = (near | near | days).flatmap(lambda day: st.sampled_from((day, day, f" {day}T23:02:00 ")))


no_dates = st.sampled_from(("", "2025/04/07", "20250407", "2025-4-7", "2026-02-30", "abcd-ef-gh"))


@st.composite
def files_of_anybody(draw: st.DrawFn) -> dict[str, bytes]:
    """Write tables with columns in any order, odd cells, and dates that repeat in any order."""
    return {
        name: draw(table_of(fields)) for name, fields in FILES.values() if draw(st.integers(0, 9))
    }


@st.composite
def table_of(draw: st.DrawFn, fields: dict[str, str]) -> bytes:
    columns = draw(st.permutations(["date", *fields, "note"]))
    kinds = {fields[field]: cells[KIND.get(field, "number")] for field in fields}
    line = st.tuples(
        *(
            (dates | dates | dates | no_dates)
            if column == "date"
            else kinds.get(column, st.just("x"))
            for column in (
                column if column in ("date", "note") else fields[column] for column in columns
            )
        )
    )
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator=draw(st.sampled_from(("\n", "\r\n"))))
    writer.writerow([fields.get(column, column) for column in columns])
    writer.writerows(draw(st.lists(line, max_size=40)))
    return draw(st.sampled_from((b"", b"\xef\xbb\xbf"))) + text.getvalue().encode()


class TestAnybody:
    @settings(max_examples=20)
    @given(files_of_anybody())
    def test_every_number_is_that_of_the_formulas(self, files: dict[str, bytes]) -> None:
        profile = load("anybody", files, generated_at=GENERATED_AT)
        check_profile(profile, {key: native_rows(files, key) for key in FILES}, NO_GOALS)
        for count, name in ((rejected_in, "rejected_rows"), (unreadable_in, "unreadable_cells")):
            expected = {key: count(files, key) for key in FILES}
            expected["daily"] = sum(expected.values())
            assert {key: getattr(profile.coverage[key], name) for key in expected} == expected


SHOWN: Final = {
    "body": ("date", "type", "value", "unit"),
    "vitals": ("date", "metric", "value", "unit"),
    "foods": ("name", "calories", "last_eaten"),
    "devices": ("device", "battery", "last_sync"),
    "badges": ("name", "category", "value", "date"),
    "alarms": ("device", "time", "enabled", "recurring"),
    "endpoints": ("dataset", "group", "scope", "status", "status_label", "updated_at"),
}
"""The fields of each table that come from the account as they are."""


def check_account(profile: Profile, account: Account) -> None:
    values = {
        section.section: [card.value for card in section.summary.metrics]
        for section in profile.sections
    }
    assert values == section_values(account)
    tables = {table.key: table for table in profile.tables}
    for key, rows in account_tables(account).items():
        found = [tuple(row[name] for name in SHOWN[key]) for row in tables[key].rows]
        assert found == rows
    check_person(profile, account)
    check_catalog(profile, account)


def check_person(profile: Profile, account: Account) -> None:
    """Check the profile object and the overview; what names the person is not disclosed."""
    user = account.at("profile", "user") or {}
    summary = account.value.get("fetch_summary", {})
    person = profile.person.plain()
    assert person == {
        "id": "anna",
        "display_name": user.get("displayName") or "anna",
        **dict.fromkeys(("full_name", "country", "encoded_id", "height_cm", "weight_kg")),
        "avatar": user.get("avatar640"),
        "member_since": user.get("memberSince"),
        "timezone": user.get("timezone"),
        "locale": user.get("locale"),
        "sleep_goal_minutes": account.at("sleep_goal", "goal", "minDuration"),
        "daily_steps_goal": account.at("activity_goals_daily", "goals", "steps"),
        "daily_calories_goal": account.at("activity_goals_daily", "goals", "caloriesOut"),
        "weekly_steps_goal": account.at("activity_goals_weekly", "goals", "steps"),
        "device_count": account.device_count,
        "badge_count": account.badge_count,
        "scopes": account.value.get("token_scope", []),
        "requested_scopes": account.value.get("requested_scopes", TEN_SCOPES),
        "user_id": None,
        "last_snapshot_at": account.value.get("saved_at"),
    }
    same = ("sleep_goal_minutes", "daily_steps_goal", "device_count", "badge_count")
    assert (
        unstructure(profile.overview).items()
        >= {
            **{name: person[name] for name in same},
            "latest_sync_at": account.value.get("saved_at"),
            "missing_scopes_count": account.missing_count,
            "snapshot_ok_count": summary.get("ok"),
            "snapshot_total_count": summary.get("total"),
        }.items()
    )


def check_catalog(profile: Profile, account: Account) -> None:
    plain = unstructure(profile.catalog)
    summary = account.value.get("fetch_summary", {})
    assert plain["snapshot_completion"] == {
        "ok": summary.get("ok"),
        "total": summary.get("total"),
        "missing_scopes": account.missing_count,
    }
    statuses = []
    for domain in plain["domains"]:
        latest = [metric["latest"] for metric in domain["metrics"]]
        issues = len(account.missing) if domain["key"] == "account" else 0
        assert domain["issue_count"] == issues
        empty = domain["coverage"]["count"] == 0 and latest == [None] * len(latest)
        status = ("empty", 2) if empty else ("partial", 1) if issues else ("ready", 0)
        assert (domain["status"]["key"], domain["status"]["severity"]) == status
        statuses.append(status[0])
    keys = ("ready", "partial", "empty")
    assert plain["status_counts"] == {key: statuses.count(key) for key in keys}
    values, tables = section_values(account), account_tables(account)
    domains = {domain["key"]: domain for domain in plain["domains"]}
    latest_of = {
        key: [metric["latest"] for metric in domain["metrics"]] for key, domain in domains.items()
    }
    assert latest_of["vitals"] == [*values["body"][:3], *values["vitals"][:1]]
    assert latest_of["lifestyle"] == values["lifestyle"][:4]
    assert latest_of["account"] == values["account"]
    measured = [row for key in ("body", "vitals") for row in tables[key] if row[2] is not None]
    spans = {
        "vitals": (len(measured), None),
        "lifestyle": (len(tables["foods"]), None),
        "account": (summary.get("ok", 0), account.value.get("range", {}).get("recent_start")),
    }
    for key, span in spans.items():
        assert tuple(domains[key]["coverage"].values()) == (*span, account.value.get("saved_at"))


@st.composite
def accounts(draw: st.DrawFn) -> Row | None:
    """Return the snapshot of a producer, some of whose endpoints are missing or have failed."""
    if not draw(st.integers(0, 9)):
        return None
    value = snapshot_value()
    endpoints = value["endpoints"]
    for key in draw(st.sets(st.sampled_from(sorted(endpoints)))):
        if draw(st.booleans()):
            del endpoints[key]
        else:
            endpoints[key] |= {"ok": False, "status": draw(st.sampled_from((None, 500)))}
    for key in ("weight_log_recent", "fat_log_recent"):
        if key in endpoints:
            name = key.partition("_")[0]
            logs = endpoints[key]["data"][name]
            endpoints[key]["data"] = {
                name: logs[draw(st.sampled_from((0, 1, 2, 3, 5, 9, 10, 10))) :]
            }
    ok = sum(entry["ok"] for entry in endpoints.values())
    value["fetch_summary"] |= {"total": len(endpoints), "ok": ok}
    value["token_scope"] = draw(st.lists(st.sampled_from(TEN_SCOPES), unique=True))
    return value


@pytest.mark.rule("HA-PERSON-08")
class TestAccount:
    @settings(max_examples=25)
    @given(accounts())
    def test_every_value_is_that_of_the_formulas(self, value: Row | None) -> None:
        files = {} if value is None else {SNAPSHOT_NAME: codec.encode(value)}
        profile = load("anna", files, generated_at=GENERATED_AT)
        check_account(profile, Account(value))


@st.composite
def regular_files(draw: st.DrawFn) -> dict[str, bytes]:
    """Write tables of many days in a row, most of whose cells are there."""
    luck = draw(st.randoms(use_true_random=True))
    first, count = date.fromisoformat(draw(days)), draw(st.integers(3, 80))
    files: dict[str, bytes] = {}
    for name, fields in FILES.values():
        rows = [
            (day.isoformat(), *(regular_cell(field, luck) for field in fields))
            for day in (first + timedelta(number) for number in range(count))
            for _ in range(luck.choice((0, 1, 1, 1, 1, 1, 1, 2)))
        ]
        lines = (("date", *fields.values()), *rows)
        files[name] = "".join(f"{','.join(cells)}\n" for cells in lines).encode()
    return files


def regular_cell(field: str, luck: Random) -> str:
    if field in TEXTS or luck.random() < 0.1:
        return ""
    if field == "is_main_sleep":
        return luck.choice(("True", "True", "False"))
    return str(luck.randrange(400, 900) / (10 if field in DECIMALS else 1))


class TestRegularPeople:
    @settings(max_examples=20)
    @given(regular_files(), accounts())
    def test_every_number_is_that_of_the_formulas(
        self, files: dict[str, bytes], value: Row | None
    ) -> None:
        account = Account(value)
        if value is not None:
            files[SNAPSHOT_NAME] = codec.encode(value)
        profile = load("anna", files, generated_at=GENERATED_AT)
        goals = {
            "sleep": account.at("sleep_goal", "goal", "minDuration"),
            "steps": account.at("activity_goals_daily", "goals", "steps"),
        }
        check_profile(profile, {key: native_rows(files, key) for key in FILES}, goals)
        check_catalog(profile, account)


class TestResponses:
    def test_means_without_decimals_are_still_decimals(self) -> None:
        body = HealthClient().send("GET", "profiles/anna/series/monthly?metrics=steps&limit=1").body
        assert re.search(rb'"points":\[{"period":"2026-01","steps":[0-9]+\.0}\]', body)


class TestDomainsWithoutValues:
    @pytest.mark.parametrize("domain", ["sleep", "activity", "recovery"])
    def test_rows_of_blanks_are_no_values(self, domain: str) -> None:
        """Decisions on the catalog: a domain without any value is empty."""
        files = {
            name: f"date,{','.join(fields.values())}\n2026-01-01{',' * len(fields)}\n".encode()
            for name, fields in FILES.values()
        }
        found = load("anna", files, generated_at=GENERATED_AT).catalog.domains
        assert {entry.key: entry.status.key for entry in found}[domain] == "empty"
