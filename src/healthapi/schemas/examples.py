"""Responses of the service for an example profile of two days, as examples of the schemas.

Invariant *as served*: the service makes the examples, so they are what clients receive.
"""

import re
from functools import cache
from typing import Any, Final

from healthapi.http.endpoints import ENDPOINTS, ROOT, Endpoint
from healthapi.http.service import Service
from healthapi.profile import Profile, load
from purewire.exchange.drivers import drive
from purewire.exchange.effects import Effect, ReadSource
from purewire.http.messages import Request
from purewire.json import codec

__all__ = ["example_responses"]

_ID: Final = "anna"
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
_KEYS: Final = {
    "metric": "steps",
    "dataset": "rhr",
    "series": "daily",
    "section": "body",
    "table": "recovery",
    "snapshot-endpoint": "devices",
}
"""Resource with a key to the key of the example."""
_KEY: Final = re.compile(r"\{\w+\}")
_MAX_BYTES: Final = 8192
"""Longest example; longer responses consist of resources that have their own."""


def example_responses() -> dict[str, Any]:
    """Return the example of each resource whose response is not too long."""
    service = Service(base_url=None)
    found = {
        endpoint.resource: _body(service, endpoint)
        for endpoint in ENDPOINTS
        if endpoint.kind == "json"
    }
    return {name: codec.decode(body) for name, body in found.items() if len(body) <= _MAX_BYTES}


def _body(service: Service, endpoint: Endpoint) -> bytes:
    below = endpoint.path.replace("{profile_id}", _ID)
    path = f"{ROOT}{_KEY.sub(_KEYS.get(endpoint.resource, ''), below)}"
    query = b"limit=2&metrics=steps,sleep_score" if endpoint.resource == "series" else b""
    return drive(service(Request("GET", path.encode(), (), query)), _read).body


def _read(effect: Effect) -> object:
    """Return the list of profiles, or the profile."""
    if isinstance(effect, ReadSource) and effect.name is None:
        return (_ID,)
    return _profile()


@cache
def _profile() -> Profile:
    return load(_ID, _FILES, generated_at=_GENERATED_AT)
