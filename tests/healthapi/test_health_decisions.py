"""Design decisions that no other test checks, from files to responses.

The rules of the contract name these tests.

The entry points are `load`, `Service`, and a folder of profiles on a disk.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from healthapi import PrivacySettings, Profile, Service, load
from healthapi.adapters.folder import FolderSource
from healthapi.errors import DataError
from healthapi.http.endpoints import ENDPOINTS, Endpoint
from purewire.exchange import Effect, ReadSource, drive
from purewire.http.messages import Request, Response
from purewire.primitives import ABSENT
from support.healthapi.health_client import (
    GENERATED_AT,
    ROOT,
    HealthClient,
    anna,
    check_response,
)
from support.healthapi.health_folders import found, write, write_profile
from support.healthapi.health_snapshots import SAVED_AT, TODAY

ANNA = "profiles/anna"
ACTIVITY = "csv/fitbit_activity.csv"
SLEEP = "csv/fitbit_sleep.csv"
HRV = "csv/fitbit_hrv.csv"
RHR = "csv/fitbit_rhr.csv"
SNAPSHOT = "cache/fitbit_profile_snapshot.json"
NOW = 1_769_860_800_000
"""2026-01-31T12:00:00Z, in ms."""

KEY_OF = {
    "metric_key": "steps",
    "dataset": "daily",
    "granularity": "daily",
    "section_key": "account",
    "table_key": "endpoints",
    "endpoint_key": "profile",
    "chart": "series",
}
"""A key for each variable part of a path."""

OF_PROFILE = [endpoint for endpoint in ENDPOINTS if endpoint.of_profile]
ENVELOPED = [endpoint for endpoint in ENDPOINTS if endpoint.kind == "json"]


def target(endpoint: Endpoint, profile_id: str = "anna") -> str:
    """Return a path of an endpoint."""
    return f"{ROOT}{endpoint.path.format(profile_id=profile_id, **KEY_OF)}"


def profile_of(files: dict[str, str], **options: Any) -> Profile:
    """Read a profile from the texts of its files."""
    data = {name: text.encode() for name, text in files.items()}
    return load("anna", data, generated_at=GENERATED_AT, **options)


def sleep_profile(*lines: str) -> Profile:
    """Read a profile of recorded sleeps: date, id, main sleep, minutes asleep, score."""
    head = "date,logId,isMainSleep,minutesAsleep,sleepScore"
    return profile_of({SLEEP: "\n".join((head, *lines)) + "\n"})


def with_snapshot(value: Any, disclosure: PrivacySettings | None = None) -> HealthClient:
    """Serve a profile of a snapshot alone."""
    files = {SNAPSHOT: json.dumps(value)}
    return HealthClient([profile_of(files, disclosure=disclosure or PrivacySettings())])


def get_from_folder(root: Path, path: str, service: Service | None = None) -> Response:
    """Send a GET request to a service of the folder."""
    source = FolderSource(root)

    def perform(effect: Effect) -> object:
        assert isinstance(effect, ReadSource)
        return found(source, effect.name)

    request = Request("GET", path.encode())
    response = drive((service or Service())(request), perform)
    check_response(request, response)
    return response


def texts(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text of plain JSON with the name of its member."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, list):
        for item in value:
            yield from texts(item, name)
    elif isinstance(value, dict):
        for key, member in value.items():
            yield from texts(member, key)


class TestSleep:
    """One row for each date, and a nap is no night."""

    def test_a_nap_never_becomes_a_night(self) -> None:
        profile = sleep_profile("2026-01-30,1,True,420,80", "2026-01-31,2,False,60,99")
        (_, nap), (night, day) = profile.sleep, profile.daily
        assert (nap.is_main_sleep, nap.minutes_asleep) == (False, 60)
        assert (day.is_main_sleep, day.nap_count) == (False, 1)
        assert (day.minutes_asleep, day.sleep_score) == (None, None)
        assert (day.sleep_hours, day.deep_pct, day.rem_pct) == (ABSENT, ABSENT, ABSENT)
        assert night.sleep_hours == 7.0
        cards = {card.key: card for card in profile.cards}
        assert (cards["sleep_hours"].latest, cards["sleep_hours"].avg7) == (7.0, 7.0)
        assert cards["sleep_score"].latest_date == "2026-01-30"
        assert profile.overview.recovery_score is None
        assert (profile.weekly[0].days, profile.weekly[0].sleep_hours) == (2, 7.0)
        assert profile.series("daily", ["sleep_hours"]).values == ((7.0, None),)
        (table,) = (table for table in profile.tables if table.key == "sleep")
        assert [row["date"] for row in table.rows] == ["2026-01-30"]


@pytest.mark.rule("HA-CELL-17")
class TestReasons:
    """The reason for a missing value is the true one."""

    @pytest.mark.parametrize("rate", ["19", "251"])
    def test_a_resting_rate_that_cannot_be_is_a_finding_and_null(self, rate: str) -> None:
        profile = profile_of({RHR: f"date,resting_heart_rate\n2026-01-30,{rate}\n2026-01-31,58\n"})
        assert profile.rhr.cells["rhr"] == (None, 58)
        (finding,) = profile.findings["rhr"].listed
        assert finding.rule == "number.implausible"
        (found,) = omissions_of(profile, "rhr")
        assert (found["reason"], found["unit"], found["count"]) == (finding.rule, "cell", 1)

    def test_a_value_that_an_import_left_out_is_said_to_be(self) -> None:
        missing = [
            ("activity", "steps", "day.incomplete", [["2026-01-28", "2026-01-30"]]),
            ("activity", "caloriesOut", "day.incomplete", [["2026-01-28", "2026-01-30"]]),
            ("activity", None, "zone.unknown", [["2026-01-20", "2026-01-21"]]),
            ("activity", "activityCalories", "column.not-exact", []),
            ("activity", "activeMinutes", "value.none", [["2026-01-29", "2026-01-29"]]),
            ("sleep", "logId", "sleep.google-only", [["2026-01-29", "2026-01-29"]]),
            ("rhr", None, "column.not-in-archive", []),
            ("hrv", "dailyRmssd", "hrv.zero", [["2026-01-31", "2026-01-31"]]),
        ]
        names = ("dataset", "column", "code", "days")
        report = {
            "version": 1,
            "missing": [dict(zip(names, each, strict=True)) for each in missing],
        }
        profile = profile_of(
            {
                "import-report.json": json.dumps(report),
                ACTIVITY: "date,steps,caloriesOut\n2026-01-29,,\n2026-01-30,5000,\n",
                HRV: "date,dailyRmssd\n2026-01-31,40\n",
            }
        )
        words = "left out by the import: the archive lacks minutes of the day"
        by_reason = {each["reason"]: each for each in omissions_of(profile, "activity")}
        steps = [each for each in omissions_of(profile, "activity") if "steps" in each["fields"]]
        assert steps[0]["label"].startswith(words)
        assert steps[0]["ranges"] == [{"start_date": "2026-01-28", "end_date": "2026-01-29"}]
        assert by_reason["zone.unknown"] | {"label": ""} == {
            "reason": "zone.unknown",
            "label": "",
            "unit": "day",
            "count": 2,
            "fields": [],
            "ranges": [{"start_date": "2026-01-20", "end_date": "2026-01-21"}],
        }
        assert by_reason["column.not-exact"]["count"] is None
        assert by_reason["column.not-exact"]["fields"] == ["activity_calories"]
        assert "value.none" not in by_reason
        assert [each["reason"] for each in omissions_of(profile, "rhr")] == [
            "column.not-in-archive"
        ]
        assert omissions_of(profile, "hrv") == omissions_of(profile, "sleep") == []

    @pytest.mark.parametrize("text", ["", "[]", '{"version": 2, "missing": []}'])
    def test_a_report_that_cannot_be_read_is_reported(self, text: str) -> None:
        with pytest.raises(DataError) as refused:
            profile_of({"import-report.json": text})
        assert [each.path for each in refused.value.findings] == ["/import-report.json"]


def omissions_of(profile: Profile, dataset: str) -> list[Any]:
    """Return the reasons of a dataset as the API has them."""
    coverage = HealthClient([profile]).data(f"{ANNA}/coverage")[dataset]
    found: list[Any] = coverage.get("omissions", [])
    return found


NUMBERS = ("-nan", "1e400", "=1+1")
BAD_FILES = {
    "a date that does not exist": (ACTIVITY, "date,steps\n2026-02-30,1\n2026-01-31,2\n"),
    "a date that is none": (ACTIVITY, "date,steps\nabcd-ef-gh,1\n2026-01-31,2\n"),
    **{
        f"{number} in a column of {kind}": (
            file,
            f'{head}\n2026-01-30,"{number}"\n2026-01-31,2\n',
        )
        for number in NUMBERS
        for kind, file, head in (
            ("integers", RHR, "date,resting_heart_rate"),
            ("decimals", HRV, "date,dailyRmssd"),
        )
    },
    "a line that is too short": (SLEEP, "date,logId,isMainSleep\n2026-01-30\n2026-01-31,2,True\n"),
    "an entry that is no object": (SNAPSHOT, '{"endpoints": {"profile": [], "devices": 7}}'),
    "a list for an answer": (SNAPSHOT, '{"endpoints": {"profile": {"ok": true, "data": [1]}}}'),
    "a number past every double": (SNAPSHOT, '{"endpoints": {"a": {"data": [1e999, 5]}}}'),
}
UNREADABLE: dict[str, tuple[str, bytes, str]] = {
    "Latin-1": (
        ACTIVITY,
        "date,steps,exerciseExamples\n2026-01-31,1,Möwe\n".encode("latin-1"),
        "file.encoding",
    ),
    "no byte": (HRV, b"", "file.header"),
    "a torn line": (RHR, b"date,resting_heart_rate\n2026-01-30,58\n2026-0", "file.torn"),
    "broken JSON": (SNAPSHOT, b'{"endpoints": {', "snapshot.json"),
    "a list of endpoints": (SNAPSHOT, b'{"endpoints": []}', "snapshot.shape"),
    "JSON without end": (SNAPSHOT, b"[" * 300 + b"]" * 300, "snapshot.depth"),
}


@pytest.mark.rule("HA-ERROR-16", "HA-SERVICE-05")
class TestFiles:
    """Invalid values are reported and do not affect others."""

    @pytest.mark.parametrize("case", BAD_FILES)
    def test_one_invalid_value_affects_nothing_else(self, case: str) -> None:
        """Every response matches its schema and is JSON without NaN."""
        file, text = BAD_FILES[case]
        profile = profile_of({file: text})
        client = HealthClient([profile])
        for endpoint in OF_PROFILE:
            if endpoint.key is None or endpoint.key.choices is not None:
                assert client.send("GET", target(endpoint)).status == 200
        (entry,) = client.data("profiles")["profiles"]
        assert entry["available"] is True
        if file != SNAPSHOT:
            assert profile.daily.labels[-1] == "2026-01-31"

    @pytest.mark.parametrize("case", UNREADABLE)
    def test_a_file_that_cannot_be_read_is_never_an_empty_list(
        self, case: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        name, data, rule = UNREADABLE[case]
        write_profile(tmp_path / "anna")
        write_profile(tmp_path / "bob")
        (tmp_path / "anna" / name).write_bytes(data)
        for endpoint in OF_PROFILE:
            response = get_from_folder(tmp_path, target(endpoint))
            assert response.status == 503, endpoint.name
            assert json.loads(response.body)["error"]["code"] == "service_unavailable"
            assert get_from_folder(tmp_path, target(endpoint, "bob")).status in {200, 404}
        listed = json.loads(get_from_folder(tmp_path, f"{ROOT}/profiles").body)["data"]["profiles"]
        assert [(entry["id"], entry["available"]) for entry in listed] == [
            ("anna", False),
            ("bob", True),
        ]
        assert {record.getMessage() for record in caplog.records} == {f"anna/{name}: {rule}"}

    def test_nothing_is_written(self, tmp_path: Path) -> None:
        write_profile(tmp_path / "anna")
        before = _tree(tmp_path)
        for endpoint in ENDPOINTS:
            get_from_folder(tmp_path, target(endpoint))
        assert _tree(tmp_path) == before

    def test_files_in_auth_are_never_used(self, tmp_path: Path) -> None:
        write_profile(tmp_path / "anna")
        write(tmp_path / "anna" / "auth" / "tokens.json", '{"scope": "sleep", "user_id": "9QZ4XW"}')
        write(tmp_path / "anna" / SNAPSHOT, '{"endpoints": {}}')
        data = json.loads(get_from_folder(tmp_path, f"{ROOT}/{ANNA}").body)["data"]
        assert (data["profile"]["scopes"], data["profile"]["user_id"]) == ([], None)
        assert data["snapshot_status"]["scopes"] == []


def _tree(root: Path) -> dict[str, tuple[int, int]]:
    """Return every file and folder with its size and the time of its last change."""
    found = {path: path.stat() for path in (root, *root.rglob("*"))}
    return {str(path): (stat.st_size, stat.st_mtime_ns) for path, stat in found.items()}


def _user(**members: Any) -> dict[str, Any]:
    return {"endpoints": {"profile": {"ok": True, "data": {"user": members}}}}


IDENTITY = {
    "encodedId": "9QZ4XW",
    "fullName": "Anna Nordmann",
    "firstName": "Anna-Marie",
    "lastName": "Nordmann",
    "dateOfBirth": "1987-06-05",
    "email": "anna@example.org",
    "phoneNumber": "+47 21 00 00 00",
    "address": "Storgata 1",
    "country": "NO",
}
EVERYTHING = PrivacySettings(
    full_name=True,
    country=True,
    encoded_id=True,
    height=True,
    weight=True,
    birth_date=True,
    email=True,
    phone=True,
    address=True,
)


@pytest.mark.rule("HA-SNAPSHOT-20")
class TestSnapshot:
    """Responses of the account, without secrets and data that name or locate a person."""

    def test_the_identity_of_the_person_is_not_published(self) -> None:
        client = with_snapshot(_user(displayName="Anna N.", height=171.5, **IDENTITY))
        body = b"".join(client.send("GET", target(endpoint)).body for endpoint in ENVELOPED)
        for name, value in IDENTITY.items():
            if name != "country":  # two letters may occur anywhere
                assert value.encode() not in body, name
        assert b'"country":"NO"' not in body
        person = client.data(ANNA)["profile"]
        named = ("full_name", "country", "encoded_id", "height_cm", "weight_kg", "user_id")
        assert [person[name] for name in named] == [None] * 6
        assert person["display_name"] == "Anna N."

    def test_height_and_weight_are_health_data_in_the_snapshot(self) -> None:
        client = with_snapshot(_user(height=171.5, weight=64.25))
        user = client.data(f"{ANNA}/snapshot/endpoints/profile")["data"]["user"]
        assert user == {"height": 171.5, "weight": 64.25}
        assert client.data(ANNA)["profile"]["height_cm"] is None

    @pytest.mark.parametrize("disclosure", [PrivacySettings(), EVERYTHING])
    def test_a_hardware_address_is_never_published(self, disclosure: PrivacySettings) -> None:
        address = "7C:E9:D3:0A:4B:F1"
        device = {"id": address, "mac": address, "note": f"at {address}", "type": "TRACKER"}
        value = {"endpoints": {"devices": {"ok": True, "data": [device]}}}
        client = with_snapshot(value, disclosure)
        for endpoint in ENVELOPED:
            if endpoint.name != "snapshot-endpoint":
                body = client.send("GET", target(endpoint)).body
                assert address.encode() not in body, endpoint.name
        (row,) = client.data(f"{ANNA}/tables/devices")["rows"]
        assert (row["device"], row["type"], row["type_label"]) == (None, "tracker", "Tracker")

    def test_values_of_today_come_with_the_day_of_the_snapshot(self) -> None:
        """A snapshot may be old; its dates show its age."""
        client = HealthClient([anna()])
        data = client.data(f"{ANNA}/snapshot")
        assert (data["saved_at"], data["range"]["today"]) == (SAVED_AT, TODAY)
        assert client.data(f"{ANNA}/overview")["latest_sync_at"] == SAVED_AT
        assert client.data(ANNA)["profile"]["last_snapshot_at"] == SAVED_AT
        domains = {each["key"]: each for each in client.data(f"{ANNA}/catalog")["domains"]}
        ends = {domains[key]["coverage"]["end_date"] for key in ("vitals", "lifestyle", "account")}
        assert ends == {SAVED_AT}


class TestResponses:
    """Members of every response."""

    def test_labels_are_in_english_and_keys_are_keys(self) -> None:
        """Texts of the account are unchanged."""
        client = HealthClient([profile_of({})])
        for endpoint in ENVELOPED:
            if endpoint.name == "snapshot-endpoint":
                continue
            for name, text in texts(client.get(target(endpoint))):
                if name.endswith("label") or name in {"summary", "hint", "title", "description"}:
                    assert text.isascii(), (endpoint.name, name)
                if name in {"key", "tone", "strength", "direction", "kind", "metric", "section"}:
                    assert re.fullmatch(r"[a-z0-9_-]+", text), (endpoint.name, name)
