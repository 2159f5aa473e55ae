"""What type checkers infer for the code that users write: mypy checks each `assert_type`."""

from typing import assert_type

import pytest

import devicestatus
import healthapi
import sitedata
from devicestatus import ContractError, Finding, Snapshot, Window
from support.devicestatus.examples import NOON, RECEIVED_AT, body, snapshot, window


def test_bodies_of_device_status() -> None:
    parsed = devicestatus.parse_snapshot(body(snapshot()), received_at=NOON)
    assert_type(parsed, Snapshot)
    assert_type(parsed.active_app, str | None)
    assert_type(parsed.battery.percent, int | float | None)
    batch = devicestatus.parse_window(body(window()), received_at=RECEIVED_AT)
    assert_type(batch, Window)
    assert_type(devicestatus.check_snapshot(parsed, received_at=NOON), tuple[Finding, ...])
    assert_type(devicestatus.check_window(batch, received_at=RECEIVED_AT), tuple[Finding, ...])
    assert_type(devicestatus.encode(parsed), bytes)
    with pytest.raises(ContractError) as refused:
        devicestatus.parse_snapshot(b"", received_at=NOON)
    assert_type(refused.value.status, int)
    assert_type(refused.value.findings, tuple[Finding, ...])


def test_projection() -> None:
    prepared = devicestatus.prepare(window())
    assert_type(prepared.project(RECEIVED_AT), Snapshot | devicestatus.NoData)
    in_front = devicestatus.intervals(window(), "active_app")
    assert_type(in_front, tuple[devicestatus.Interval[str | None], ...])
    assert_type(devicestatus.total_durations(in_front), dict[str, int])


def test_health_data() -> None:
    table = b"date,resting_heart_rate\n2026-01-01,61\n"
    profile = healthapi.load(
        "anna", {"csv/fitbit_rhr.csv": table}, generated_at="2026-01-04T08:00:00"
    )
    assert_type(profile, healthapi.Profile)
    assert_type(profile.rhr, healthapi.Rows[healthapi.RhrRow])
    assert_type(profile.rhr[0].rhr, int | None)


def test_site_data() -> None:
    site = sitedata.parse(
        b'{"repository": {"owner": "ada", "name": "practice", "branch": "main"}, '
        b'"generatedAt": "2026-01-31T12:00:00.000Z", "sourceRef": "main", "commitCount": 0, '
        b'"contributions": {}, "problems": [], "ratings": {}}'
    )
    assert_type(site, sitedata.Snapshot)
    assert_type(sitedata.encode(site), bytes)
    assert_type(sitedata.ordered(site.problems), tuple[sitedata.Problem, ...])
