"""A health-data service with its source under the test's hands.

Every answer that passes through `HealthWorld.send` is held against the rules that all answers obey,
and its body against the schema that the service itself publishes for it.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from functools import cache
from typing import Any, NoReturn

import jsonschema_rs

from health_snapshots import snapshot_value
from healthapi.errors import MESSAGE_OF, STATUS_OF, DataError
from healthapi.http.endpoints import ENDPOINTS, ROOT
from healthapi.http.links import Links
from healthapi.profile import Profile, load
from healthapi.reference import openapi
from healthapi.service import Service
from purewire.effects import Effect, ReadSource, drive
from purewire.findings import Finding
from purewire.http.conditional import valid_etag
from purewire.http.messages import Request, Response

__all__ = ["GENERATED_AT", "ROOT", "HealthWorld", "check_answer", "error", "header", "make_profile"]

GENERATED_AT = "2026-01-31T12:00:00"
BASE = "https://health.example/mount"
FIRST_DAY = date(2025, 12, 10)
"""A Wednesday: the first and the last week of the data are partial."""

CACHE = "public, max-age=300, stale-while-revalidate=600"
DOCS_CACHE = "public, max-age=600, stale-while-revalidate=1200"
IMAGE_POLICY = "default-src 'none'; style-src 'none'; sandbox"


def csv_files(days: int = 50) -> dict[str, bytes]:
    """Write the four tables of some days: gaps, a nap, a date without a night, and a bad cell."""
    activity = ["date,steps,sedentaryMinutes,caloriesOut,activeZoneMinutes,activeMinutes"]
    sleep = ["date,logId,isMainSleep,minutesAsleep,minutesDeep,minutesREM,sleepScore,startTime"]
    hrv, rhr = ["date,dailyRmssd,deepRmssd"], ["date,resting_heart_rate"]
    for number in range(days):
        day = (FIRST_DAY + timedelta(number)).isoformat()
        steps = "" if number % 11 == 3 else str(4000 + number * 137 % 9000)
        activity.append(f"{day},{steps},700,{2100 + number},{number % 40},{30 + number}")
        if number % 13 != 5:
            asleep = 380 + number * 29 % 120
            sleep.append(f"{day},{number},True,{asleep},70,90.0,{70 + number % 25}.5,{day}T23:00")
        if number % 10 == 5:
            sleep.append(f"{day},{1000 + number},False,45,,,,{day}T14:00")
        if number % 7:
            hrv.append(f"{day},{30 + number % 17}.2,{28 + number % 9}.1")
        rhr.append(f"{day},{'n/a' if number == 20 else 52 + number % 6}")
    tables = {"activity": activity, "sleep": sleep, "hrv": hrv, "rhr": rhr}
    return {
        f"csv/fitbit_{name}.csv": ("\n".join(lines) + "\n").encode()
        for name, lines in tables.items()
    }


def make_profile(
    profile_id: str = "anna",
    *,
    days: int = 50,
    snapshot: Mapping[str, Any] | None = None,
    generated_at: str = GENERATED_AT,
) -> Profile:
    """Derive a profile of some days; with the invented snapshot unless another is given."""
    value = snapshot_value() if snapshot is None else snapshot
    files = csv_files(days) | {"cache/fitbit_profile_snapshot.json": json.dumps(value).encode()}
    return load(profile_id, files, generated_at=generated_at)


@cache
def anna() -> Profile:
    """Give the profile that most tests read."""
    return make_profile()


@cache
def empty() -> Profile:
    """Give a profile without any file."""
    return load("nobody", {}, generated_at=GENERATED_AT)


class HealthWorld:
    """One service; `asked` logs what it asked its source for."""

    def __init__(
        self,
        profiles: Iterable[Profile] | None = None,
        *,
        base_url: str | None = None,
        base: str = BASE,
    ) -> None:
        given = (anna(), empty()) if profiles is None else tuple(profiles)
        self.profiles = {profile.id: profile for profile in given}
        self.vanishing: set[str] = set()
        self.broken: set[str | None] = set()
        self.base = base
        self.service = Service(base_url=base_url)
        self.asked: list[str | None] = []

    def perform(self, effect: Effect) -> object:
        assert isinstance(effect, ReadSource)
        self.asked.append(effect.name)
        if effect.name in self.broken:
            raise DataError(findings=(Finding("/csv/fitbit_hrv.csv", "file.torn", "is torn"),))
        if effect.name is None:
            named = {name for name in self.broken if name is not None}
            return tuple(sorted(self.profiles.keys() | named | self.vanishing))
        return self.profiles.get(effect.name)

    def send(
        self,
        method: str,
        target: str | bytes,
        headers: Iterable[tuple[bytes, bytes]] = (),
    ) -> Response:
        """Send a request; a target that does not begin with a slash is below the index."""
        raw = target.encode() if isinstance(target, str) else target
        whole = raw if raw.startswith(b"/") else f"{ROOT}/".encode() + raw
        path, _, query = whole.partition(b"?")
        self.asked.clear()
        request = Request(method, path, tuple(headers), query, self.base)
        response = drive(self.service(request), self.perform)
        check_answer(request, response)
        return response

    def get(self, target: str | bytes) -> Any:
        """Give the envelope of a GET that must succeed."""
        response = self.send("GET", target)
        assert response.status == 200, response
        return json.loads(response.body)

    def data(self, target: str | bytes) -> Any:
        return self.get(target)["data"]

    def meta(self, target: str | bytes) -> Any:
        return self.get(target)["meta"]

    def fails(self, target: str | bytes, method: str = "GET") -> tuple[int, str]:
        """Give status and code of an error answer."""
        return error(self.send(method, target))


def header(response: Response, name: str) -> str | None:
    """Give the one value of a response header, None where it is not there."""
    found = [value for key, value in response.headers if key.lower() == name.lower()]
    assert len(found) <= 1, f"{name} stands {len(found)} times"
    return found[0] if found else None


def error(response: Response) -> tuple[int, str]:
    """Give status and code of an error answer with a body."""
    return response.status, json.loads(response.body)["error"]["code"]


def strict(body: bytes) -> Any:
    """Read JSON that has no NaN, no Infinity and no member twice."""

    def refuse(name: str) -> NoReturn:
        raise AssertionError(f"{name} is no JSON")

    def whole(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs), "a member stands twice"
        return dict(pairs)

    return json.loads(body.decode(), parse_constant=refuse, object_pairs_hook=whole)


@cache
def validators() -> dict[str, Any]:
    """Give the published schema of each resource, ready to judge."""
    document = openapi.document(Links(""))
    found = {}
    for endpoint in ENDPOINTS:
        answers = document["paths"][f"{ROOT}{endpoint.path}"]["get"]["responses"]["200"]["content"]
        schema = {**next(iter(answers.values()))["schema"], "components": document["components"]}
        found[endpoint.resource] = jsonschema_rs.validator_for(schema, validate_formats=True)
    return found


def check_answer(request: Request, response: Response) -> None:
    """Hold an answer against the rules that all answers obey."""
    assert header(response, "Access-Control-Allow-Origin") == "*"
    assert header(response, "X-Content-Type-Options") == "nosniff"
    assert header(response, "Referrer-Policy") == "no-referrer"
    assert header(response, "Access-Control-Allow-Credentials") is None
    assert header(response, "Set-Cookie") is None
    assert header(response, "Vary") is None
    assert (header(response, "Allow") is not None) == (response.status == 405)
    assert all(f"{name}{value}".isascii() for name, value in response.headers)
    if response.status in {204, 304} or request.method == "HEAD":
        assert response.body == b""
    else:
        assert header(response, "Content-Length") == str(len(response.body))
    if response.status >= 400:
        _check_error(request, response)
    elif response.status == 204:
        assert request.method == "OPTIONS"
        assert header(response, "Access-Control-Allow-Methods") == "GET, HEAD, OPTIONS"
    else:
        _check_success(request, response)


def _check_error(request: Request, response: Response) -> None:
    assert header(response, "Cache-Control") == "no-store, max-age=0"
    assert header(response, "CDN-Cache-Control") == "no-store"
    assert header(response, "ETag") is None
    assert header(response, "Content-Type") == "application/json; charset=utf-8"
    if request.method == "HEAD":
        return
    body = strict(response.body)
    assert list(body) == ["api_version", "error"]
    assert body["api_version"] == "v1"
    assert list(body["error"]) == ["code", "message"]
    code = body["error"]["code"]
    assert STATUS_OF[code] == response.status
    assert body["error"]["message"] == MESSAGE_OF[code]


def _check_success(request: Request, response: Response) -> None:
    assert request.method in {"GET", "HEAD"}
    assert response.status in {200, 304}
    etag = header(response, "ETag")
    assert etag is not None
    assert valid_etag(etag)
    assert not etag.startswith("W/")
    assert header(response, "CDN-Cache-Control") is None
    exposed = header(response, "Access-Control-Expose-Headers") or ""
    assert exposed.split(", ")[0] == "ETag"
    metadata = header(response, "X-Chart-Metadata")
    assert ("X-Chart-Metadata" in exposed) == (metadata is not None)
    media_type = header(response, "Content-Type")
    if response.status == 304:
        assert media_type is None
        assert header(response, "Content-Length") is None
        assert header(response, "Cache-Control") in {CACHE, DOCS_CACHE}
    elif media_type == "image/svg+xml; charset=utf-8":
        assert header(response, "Cache-Control") == CACHE
        assert header(response, "Content-Security-Policy") == IMAGE_POLICY
        assert metadata is not None
        assert list(strict(metadata.encode("ascii"))) == [
            "count",
            "available_metrics",
            "chart",
            "granularity",
            "theme",
            "width",
            "height",
        ]
    elif media_type != "application/json; charset=utf-8":
        assert media_type in {"text/html; charset=utf-8", "text/markdown; charset=utf-8"}
        assert header(response, "Cache-Control") == DOCS_CACHE
    elif request.method == "GET":
        _check_json(response)


def _check_json(response: Response) -> None:
    body = strict(response.body)
    if "openapi" in body:
        assert header(response, "Cache-Control") == DOCS_CACHE
        return
    assert header(response, "Cache-Control") == CACHE
    of_profile = ["profile_id"] if "profile_id" in body else []
    assert list(body) == [
        *("api_version", "resource", "generated_at"),
        *of_profile,
        *("data", "meta"),
    ]
    endpoint = next(one for one in ENDPOINTS if one.resource == body["resource"])
    assert endpoint.of_profile == bool(of_profile)
    validators()[endpoint.resource].validate(body)
    counted = body["meta"].get("count")
    lists = [member for member in body["data"].values() if isinstance(member, list)]
    assert counted is None or counted in {len(items) for items in lists}
