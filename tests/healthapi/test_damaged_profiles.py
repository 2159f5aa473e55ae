"""Files that cannot be read, from a folder of profiles on a disk to responses."""

import json
from pathlib import Path
from typing import Any

import pytest

from healthapi import Profile, Service, load
from healthapi.adapters.folder import FolderSource
from healthapi.endpoints import ENDPOINTS, ROOT, HealthEndpoint
from healthapi.errors import DataError
from status_contracts.exchange import Effect, ReadSource, drive
from status_contracts.messages import Request, Response
from support.healthapi.health_client import GENERATED_AT, HealthClient
from support.healthapi.health_folders import found, write_profile

ANNA = "profiles/anna"
ACTIVITY = "csv/fitbit_activity.csv"
HRV = "csv/fitbit_hrv.csv"
RHR = "csv/fitbit_rhr.csv"
SNAPSHOT = "cache/fitbit_profile_snapshot.json"

OF_PROFILE = [endpoint for endpoint in ENDPOINTS if endpoint.of_profile]


def target(endpoint: HealthEndpoint, profile_id: str = "anna") -> str:
    """Return a path of an endpoint."""
    keys = {key.name: key.example for key in endpoint.keys} | {"profile_id": profile_id}
    return f"{ROOT}{endpoint.path.format(**keys)}"


def profile_of(files: dict[str, str], **options: Any) -> Profile:
    """Read a profile from the texts of its files."""
    data = {name: text.encode() for name, text in files.items()}
    return load("anna", data, generated_at=GENERATED_AT, **options)


def get_from_folder(source: FolderSource, path: str) -> Response:
    """Send a GET request to a service of the folder."""

    def perform(effect: Effect) -> object:
        assert isinstance(effect, ReadSource)
        return found(source, effect.name)

    return drive(Service()(Request("GET", path.encode())), perform)


@pytest.mark.rule("HA-CELL-17")
class TestReasons:
    """The reason for a missing value is the true one."""

    @pytest.mark.parametrize("rate", ["19", "251"])
    def test_a_resting_rate_that_cannot_be_is_a_finding_and_null(self, rate: str) -> None:
        profile = profile_of({RHR: f"date,resting_heart_rate\n2026-01-30,{rate}\n2026-01-31,58\n"})
        assert profile.rhr.cells["rhr"] == (None, 58)
        (finding,) = profile.findings["rhr"].listed
        assert finding.rule == "number.implausible"
        (found,) = HealthClient([profile]).data(f"{ANNA}/coverage")["rhr"]["omissions"]
        assert (found["reason"], found["unit"], found["count"]) == (finding.rule, "cell", 1)

    @pytest.mark.parametrize("text", ["", "[]", '{"version": 2, "missing": []}'])
    def test_a_report_that_cannot_be_read_is_reported(self, text: str) -> None:
        with pytest.raises(DataError) as refused:
            profile_of({"import-report.json": text})
        assert [each.path for each in refused.value.findings] == ["/import-report.json"]


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

    @pytest.mark.parametrize("case", UNREADABLE)
    def test_a_file_that_cannot_be_read_is_never_an_empty_list(
        self, case: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Sources of other cases may still read: so each case has a profile of its own."""
        name, data, rule = UNREADABLE[case]
        anna = f"anna-{[*UNREADABLE].index(case)}"
        write_profile(tmp_path / anna)
        write_profile(tmp_path / "bob")
        (tmp_path / anna / name).write_bytes(data)
        for endpoint in OF_PROFILE:
            response = get_from_folder(FolderSource(tmp_path), target(endpoint, anna))
            assert response.status == 503, endpoint.name
            assert json.loads(response.body)["error"]["code"] == "service_unavailable"
            other = get_from_folder(FolderSource(tmp_path), target(endpoint, "bob"))
            assert other.status in {200, 404}
        source = FolderSource(tmp_path)
        source.profile("bob")  # lists wait for no profile
        listing = get_from_folder(source, f"{ROOT}/profiles")
        listed = json.loads(listing.body)["data"]["profiles"]
        assert [(entry["id"], entry["available"]) for entry in listed] == [
            (anna, False),
            ("bob", True),
        ]
        messages = {record.getMessage() for record in caplog.records}
        (own,) = (message for message in messages if message.startswith(f"{anna}/"))
        assert own.startswith(f"{anna}/{name}: ")
        assert own.endswith(f" [{rule}]")
