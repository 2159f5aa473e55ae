"""No secret in the files of a profile leaves the service in any form.

Canaries are planted in snapshots and CSV cells.  Then all output of the service is searched for
them: responses with headers, findings and errors.
"""

import base64
import csv
import io
import json
import traceback
from collections.abc import Callable, Iterator
from urllib.parse import quote

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from healthapi.endpoints import ENDPOINTS, ROOT, HealthEndpoint
from healthapi.errors import DataError
from healthapi.profile import Profile, load
from healthapi.redaction import PRIVATE, PrivacySettings
from healthapi.snapshot import SNAPSHOT_FILE
from healthapi.strategies import days, snapshots
from status_contracts import json_text
from status_contracts.messages import Response
from support.healthapi.health_client import GENERATED_AT, HealthClient
from support.healthapi.planted_secrets import canaries, planted, secret_names, secret_texts

EVERYTHING = PrivacySettings(**{each.name: True for each in attrs.fields(PrivacySettings)})
DAYS = 40

Files = tuple[dict[str, bytes], tuple[str, ...]]
"""The files of a profile, and the canaries that are in them."""


def forms_of(canary: str) -> Iterator[str]:
    """Yield every encoding in which a canary may occur in a response."""
    yield canary
    yield "".join(f"%{ord(each):02x}" for each in canary)
    yield "".join(f"\\u{ord(each):04x}" for each in canary)
    yield "".join(f"&#{ord(each)};" for each in canary)
    yield canary.encode().hex()
    for before in range(3):  # Base64 of it, at any offset.
        code = base64.b64encode(b"-" * before + canary.encode()).decode()
        yield code[before + 1 : -4]


def kept(canaries: tuple[str, ...], *texts: str) -> list[str]:
    """Return the canaries that are in any of the texts, ignoring case."""
    whole = "\n".join(texts).lower()
    return [each for each in canaries for form in forms_of(each) if form.lower() in whole]


def text_of(response: Response) -> str:
    lines = [f"{name}: {value}" for name, value in response.headers]
    return "\n".join((*lines, response.body.decode()))


def csv_file(header: list[str], rows: list[list[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows((header, *rows))
    return text.getvalue().encode()


@st.composite
def planted_files(draw: st.DrawFn) -> Files:
    """Generate profiles with secrets in texts, numbers, unknown columns and ids."""
    snapshot, hidden = draw(planted(snapshots()))
    secrets = draw(st.lists(canaries(), min_size=5, max_size=5))
    failed = {"ok": False, "status": 401, "error": secrets[4], "reason": secrets[4]}
    snapshot["endpoints"] |= {"water_log_today": failed}
    texts = [draw(secret_texts(canary)) for canary in secrets]
    dates = draw(days(DAYS))
    column = draw(secret_names())
    activity = [[day, "5000", texts[0], secrets[1], secrets[2]] for day in dates]
    sleep = [[day, f"{secrets[3]}{day}", "True", "400", texts[3], texts[2]] for day in dates]
    rhr = [[day, texts[1]] for day in dates]
    files = {
        "csv/fitbit_activity.csv": csv_file(
            ["date", "steps", "exerciseExamples", "caloriesOut", column], activity
        ),
        "csv/fitbit_sleep.csv": csv_file(
            ["date", "logId", "isMainSleep", "minutesAsleep", "startTime", "endTime"], sleep
        ),
        "csv/fitbit_rhr.csv": csv_file(["date", "resting_heart_rate"], rhr),
        SNAPSHOT_FILE: json_text.encode(snapshot),
    }
    return files, (*hidden, *secrets)


def targets(profile: Profile) -> Iterator[str]:
    """Yield the target of every resource of a profile, charts in all granularities."""
    for endpoint in ENDPOINTS:
        for key in keys_of(endpoint, profile):
            path = endpoint.path.replace("{profile_id}", profile.id)
            if endpoint.key is not None:
                path = path.replace(f"{{{endpoint.key.name}}}", quote(key, safe=""))
            yield f"{ROOT}{path}"
            if endpoint.name in {"dataset", "table"}:
                yield f"{ROOT}{path}?limit=1000"
            if endpoint.name == "chart":
                yield f"{ROOT}{path}?granularity=monthly&theme=transparent&width=360"


def keys_of(endpoint: HealthEndpoint, profile: Profile) -> tuple[str, ...]:
    if endpoint.key is None:
        return ("",)
    if endpoint.key.choices is not None:
        return endpoint.key.choices
    snapshot = profile.snapshot
    return tuple(key for key in (snapshot.endpoints if snapshot else ()) if key)


class TestFiles:
    @settings(max_examples=40)
    @given(planted_files(), st.sampled_from((PRIVATE, EVERYTHING)))
    def test_no_response_has_a_secret(self, planting: Files, privacy: PrivacySettings) -> None:
        files, hidden = planting
        profile = load("anna", files, generated_at=GENERATED_AT, privacy=privacy)
        client = HealthClient((profile,))
        responses = [client.send("GET", target) for target in targets(profile)]
        assert {response.status for response in responses} == {200}
        assert {endpoint.name for endpoint in ENDPOINTS if endpoint.schema} <= {
            json.loads(response.body)["resource"]
            for response in responses
            if response.body.startswith(b'{"api_version"')
        } | {"snapshot-endpoint"}
        assert kept(hidden, *map(text_of, responses)) == []


def texts_of_load(files: dict[str, bytes]) -> tuple[str, ...]:
    """Return the texts of the findings, or of the error, of loaded files."""
    try:
        profile = load("anna", files, generated_at=GENERATED_AT)
    except DataError as error:
        words = str(error), repr(error), repr(error.args), *map(repr, error.findings)
        return (*words, *traceback.format_exception(error))
    return tuple(map(repr, profile.findings.values()))


def changed(data: bytes, place: int) -> bytes:
    place %= len(data)
    return data[:place] + b"\xff" + data[place + 1 :]


FAULTS: tuple[Callable[[bytes, int], bytes], ...] = (
    changed,
    lambda data, place: data[: place % len(data)],
    lambda data, _: b"[" + data + b"]",
    lambda data, _: b'{"endpoints":{"a":' + b"[" * 300 + data + b"]" * 300 + b"}}",
)


class TestBrokenFiles:
    @settings(max_examples=40)
    @given(planted_files(), st.sampled_from(FAULTS), st.integers(0, 10**6), st.data())
    def test_no_error_has_a_secret(
        self, planting: Files, fault: Callable[[bytes, int], bytes], place: int, data: st.DataObject
    ) -> None:
        files, hidden = planting
        name = data.draw(st.sampled_from(sorted(files)))
        broken = files | {name: fault(files[name], place)}
        assert kept(hidden, *texts_of_load(broken)) == []
