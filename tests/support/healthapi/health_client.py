"""A health-data service with a source in memory, and a client that sends requests to it."""

import json
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from functools import cache
from typing import Any

from healthapi.endpoints import ROOT
from healthapi.errors import DataError
from healthapi.profile import Profile, ProfileSummary, load
from healthapi.service import Service
from status_contracts.exchange import Effect, ReadSource, drive
from status_contracts.findings import Finding
from status_contracts.messages import Request, Response
from support.healthapi.health_snapshots import snapshot_value

GENERATED_AT = "2026-01-31T12:00:00"
BASE = "https://health.example/mount"
FIRST_DAY = date(2025, 12, 10)
"""A Wednesday: the first and the last week of the data are partial."""


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
    """Derive a profile of some days, by default with the sample snapshot."""
    value = snapshot_value() if snapshot is None else snapshot
    files = csv_files(days) | {"cache/fitbit_profile_snapshot.json": json.dumps(value).encode()}
    return load(profile_id, files, generated_at=generated_at)


@cache
def anna() -> Profile:
    """Return the profile that most tests read."""
    return make_profile()


@cache
def short() -> Profile:
    """Return the same person with fewer days."""
    return make_profile(days=15)


@cache
def empty() -> Profile:
    """Return a profile without any file."""
    return load("nobody", {}, generated_at=GENERATED_AT)


class HealthClient:
    """A client of one service.

    Attributes:
        profiles: The profiles of the source by id.
        missing: Ids that are listed, but have no profile.
        unreadable: Ids whose profile cannot be read; None is the list of profiles.
        reads: What the last request read from the source.
        summaries: The list of profiles in place of their ids; None for the ids.

    """

    def __init__(
        self, profiles: Iterable[Profile] | None = None, *, base_url: str | None = BASE
    ) -> None:
        given = (anna(), empty()) if profiles is None else tuple(profiles)
        self.profiles = {profile.id: profile for profile in given}
        self.missing: set[str] = set()
        self.unreadable: set[str | None] = set()
        self.service = Service(base_url=base_url)
        self.reads: list[str | None] = []
        self.summaries: tuple[ProfileSummary, ...] | None = None

    def perform(self, effect: Effect) -> object:
        assert isinstance(effect, ReadSource)
        self.reads.append(effect.name)
        if effect.name in self.unreadable:
            raise DataError(Finding("/csv/fitbit_hrv.csv", "file.torn", "is truncated"))
        if effect.name is None and self.summaries is not None:
            return self.summaries
        if effect.name is None:
            named = {name for name in self.unreadable if name is not None}
            return tuple(sorted(self.profiles.keys() | named | self.missing))
        return self.profiles.get(effect.name)

    def send(
        self, method: str, target: str | bytes, headers: Iterable[tuple[bytes, bytes]] = ()
    ) -> Response:
        """Send a request; a target that does not begin with a slash is below the index."""
        raw = target.encode() if isinstance(target, str) else target
        whole = raw if raw.startswith(b"/") else f"{ROOT}/".encode() + raw
        path, _, query = whole.partition(b"?")
        self.reads.clear()
        request = Request(method, path, tuple(headers), query)
        return drive(self.service(request), self.perform)

    def get(self, target: str | bytes) -> Any:
        """Return the envelope of a GET that must succeed."""
        response = self.send("GET", target)
        assert response.status == 200, response
        return json.loads(response.body)

    def data(self, target: str | bytes) -> Any:
        return self.get(target)["data"]

    def meta(self, target: str | bytes) -> Any:
        return self.get(target)["meta"]

    def error(self, target: str | bytes, method: str = "GET") -> tuple[int, str]:
        """Return status and code of an error response."""
        response = self.send(method, target)
        return response.status, json.loads(response.body)["error"]["code"]


class ProfileSource:
    """A source of profiles in memory."""

    nonblocking = True

    def __init__(self, *profiles: Profile) -> None:
        self.profiles = {profile.id: profile for profile in profiles}

    def read(self, name: str | None, now: int) -> Any:
        del now
        return tuple(sorted(self.profiles)) if name is None else self.profiles.get(name)
