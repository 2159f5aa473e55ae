"""Example responses: what the service returns of a small profile.

Invariant *as served*: the functions of the service build the examples.
"""

from functools import cache
from typing import Any, Final

from healthapi.http import envelope, resources
from healthapi.http.endpoints import ENDPOINTS, KEYS, Endpoint, Query
from healthapi.http.links import Links
from healthapi.profile import Profile, load
from purewire.json import codec

_ID: Final = KEYS["profile_id"].example
_GENERATED_AT: Final = "2026-01-31T12:00:00"
_SNAPSHOT: Final = {
    "saved_at": "2026-01-31T11:30:00",
    "requested_scopes": ["sleep", "settings"],
    "token_scope": ["sleep", "settings"],
    "endpoints": {
        "devices": {
            "ok": True,
            "status": 200,
            "fetched_at": "2026-01-31T11:30:00",
            "label": "Devices",
            "group": "account",
            "scope": "settings",
            "data": [{"deviceVersion": "Tracker", "battery": "High", "type": "TRACKER"}],
        }
    },
}
_FILES: Final = {
    "csv/fitbit_activity.csv": b"date,steps,caloriesOut,activeMinutes\n"
    b"2026-01-30,8200,2150,41\n2026-01-31,9100,2230,52\n",
    "csv/fitbit_sleep.csv": b"date,logId,isMainSleep,minutesAsleep,minutesDeep,sleepScore\n"
    b"2026-01-30,1,True,432,70,81\n2026-01-31,2,True,451,76,84\n",
    "csv/fitbit_hrv.csv": b"date,dailyRmssd,deepRmssd\n2026-01-31,34.5,31.2\n",
    "csv/fitbit_rhr.csv": b"date,resting_heart_rate\n2026-01-30,55\n2026-01-31,54\n",
    "cache/fitbit_profile_snapshot.json": codec.encode(_SNAPSHOT),
}


@cache
def example_profile() -> Profile:
    """Return the small profile."""
    return load(_ID, _FILES, generated_at=_GENERATED_AT)


@cache
def example_bodies() -> dict[str, Any]:
    """Return an example of each resource that the small profile has."""
    profile = example_profile()
    contents = (
        (endpoint, _content(profile, endpoint)) for endpoint in ENDPOINTS if endpoint.schema
    )
    return {
        endpoint.name: _body(profile, endpoint, content)
        for endpoint, content in contents
        if content is not None
    }


def _content(profile: Profile, endpoint: Endpoint) -> envelope.Content | None:
    links = Links.relative_to(endpoint.path)
    if endpoint.name == "index":
        return resources.index((profile.id,), profile.id, links)
    if endpoint.name == "profiles":
        return resources.profiles((profile.summary,), links)
    return resources.OF_PROFILE[endpoint.name](profile, _query(endpoint), links)


def _body(profile: Profile, endpoint: Endpoint, content: envelope.Content) -> Any:  # noqa: ANN401 - JSON
    profile_id = profile.id if endpoint.of_profile else None
    prepared = envelope.build_envelope(endpoint.name, profile.generated_at, profile_id, content)
    return codec.decode(prepared.asset.body)


def _query(endpoint: Endpoint) -> Query:
    """Return the parsed key and parameters of the example request."""
    key = "" if endpoint.key is None else endpoint.key.example
    return endpoint.parse_query(key, endpoint.example.partition("?")[2].encode())
