"""A deployment of the health-data API as the checks see it, and reads that they share."""

from collections.abc import Generator, Iterator
from functools import lru_cache
from typing import Any, Final
from urllib.parse import quote

import attrs

from healthapi.http.endpoints import ENDPOINTS, KEYS, ROOT, Endpoint
from healthapi.http.envelope import API_VERSION
from healthapi.http.openapi import BODIES, COMPONENTS
from healthapi.profile import Profile
from purewire.conformance.checks import (
    Action,
    Arguments,
    NotTestable,
    Reply,
    Send,
    Steps,
    Suite,
    Unchecked,
    Wait,
    expect,
    expect_equal,
    expect_status,
    testing,
)
from purewire.conformance.json_schema import find_problem
from purewire.conformance.reads import get, list_items, media_type
from purewire.json import codec

Plain = dict[str, Any]

DOCUMENT: Final[Plain] = {"components": {"schemas": dict(COMPONENTS)}}
"""The value into which the published schemas refer."""
JSON_ENDPOINTS: Final = tuple(endpoint for endpoint in ENDPOINTS if endpoint.kind == "json")
_LOADING_ATTEMPTS: Final = 8
_LOADING_WAIT_MS: Final = 1_000
"""A profile that is read for the first time may be listed as unavailable meanwhile."""
_MOST_PROFILES: Final = 8
"""Profiles that are read, for time; the last of them is one without days where there is one."""


@attrs.frozen
class Deployment:
    """A deployment as the checks see it.

    Attributes:
        profile_id: the profile that is read; None if none can be read.
        profile_ids: all listed profiles.
        readable_ids: those that can be read, at most 8, with the one that is read first.
        empty_id: a profile that can be read and has no day; None if there is none.
        derived: what the engine has derived, by profile.

    """

    profile_id: str | None = None
    profile_ids: tuple[str, ...] = ()
    readable_ids: tuple[str, ...] = ()
    empty_id: str | None = None
    derived: dict[str, Profile] = attrs.field(factory=dict, eq=False, repr=False)

    def profile(self, subpath: str = "") -> str:
        """Return a path below the profile that is read; raise Unchecked without one."""
        if self.profile_id is None:
            raise Unchecked("the deployment lists no profile that can be read")
        return f"{ROOT}/profiles/{self.profile_id}{subpath}"

    def empty(self) -> str:
        """Return the profile without data; raise Unchecked if the deployment lists none."""
        if self.empty_id is None:
            raise Unchecked("the deployment lists no profile without data")
        return self.empty_id


def learn(arguments: Arguments) -> Generator[Action, Any, Deployment]:
    """Find out whether this is a health-data deployment, and which profile to read.

    Raises:
        NotTestable: the index does not respond as the contract requires.

    """
    del arguments  # nothing is written
    reply: Reply = yield Send("GET", ROOT)
    body = _value_of(reply)
    if not isinstance(body, dict) or not body.keys() & {"api_version", "resource"}:
        raise NotTestable(f"{ROOT} has status {reply.status}, and not a body with api_version")
    entries: list[Plain] = []
    for _ in range(_LOADING_ATTEMPTS):
        reply = yield Send("GET", f"{ROOT}/profiles")
        entries = [entry for entry in _listed(_value_of(reply), "profiles") if _has_id(entry)]
        if all(entry.get("available") is not False for entry in entries):
            break
        yield Wait(_LOADING_WAIT_MS)
    readable = [entry for entry in entries if entry.get("available") is not False]
    with_days = [entry for entry in readable if entry.get("latest_date") is not None]
    without = [entry["id"] for entry in readable if entry.get("latest_date") is None]
    ordered = [entry["id"] for entry in with_days] + without
    return Deployment(
        profile_id=next(iter(ordered), None),
        profile_ids=tuple(entry["id"] for entry in entries),
        readable_ids=(*ordered[: _MOST_PROFILES - 1], *ordered[_MOST_PROFILES - 1 :][-1:]),
        empty_id=next(iter(without), None),
    )


def _listed(body: object, name: str) -> Iterator[Plain]:
    """Yield the objects of a list inside `data`, whatever else has another form."""
    data = body.get("data") if isinstance(body, dict) else None
    listed = data.get(name) if isinstance(data, dict) else None
    entries = listed if isinstance(listed, list) else []
    yield from (entry for entry in entries if isinstance(entry, dict))


def _has_id(entry: Plain) -> bool:
    name = entry.get("id")
    return isinstance(name, str) and KEYS["profile_id"].pattern.fullmatch(name) is not None


def paths_of(
    deployment: Deployment, endpoint: Endpoint, *, every_profile: bool = True
) -> Generator[Action, Any, list[str]]:
    """Return the path of an endpoint with each of its keys, for one profile or every one.

    The snapshot names its own keys.
    """
    if not endpoint.of_profile:
        return [f"{ROOT}{endpoint.path}"]
    deployment.profile()
    paths = []
    for profile_id in deployment.readable_ids[: None if every_profile else 1]:
        path = f"{ROOT}{endpoint.path}".replace("{profile_id}", profile_id)
        key = endpoint.key
        if key is None:
            paths.append(path)
            continue
        keys = key.choices
        if keys is None:
            keys = yield from _snapshot_keys(profile_id)
        paths += [
            path.replace(f"{{{key.name}}}", quote(snapshot_key, safe="")) for snapshot_key in keys
        ]
    return paths


def _snapshot_keys(profile_id: str) -> Generator[Action, Any, tuple[str, ...]]:
    reply = yield from get(f"{ROOT}/profiles/{profile_id}/snapshot/endpoints")
    listed = _listed(plain_value(reply), "endpoints")
    keys = [entry.get("key") for entry in listed if entry.get("href") is not None]
    return tuple(key for key in keys if isinstance(key, str))


def one_of_each(
    deployment: Deployment,
) -> Generator[Action, Any, list[tuple[Endpoint, str]]]:
    """Return each endpoint with one path; without a profile only those of the service."""
    pairs = []
    for endpoint in ENDPOINTS:
        if deployment.profile_id is not None or not endpoint.of_profile:
            paths = yield from paths_of(deployment, endpoint, every_profile=False)
            pairs += [(endpoint, path) for path in paths[:1]]
    return pairs


def expect_json(reply: Reply) -> Plain:
    """Return the object of a successful JSON response."""
    expect_status(reply, 200)
    expect_equal("media type", media_type(reply), "application/json", rule="HA-HTTP-19")
    with testing("HA-HTTP-20"):
        return reply.object()


def expect_error(reply: Reply, status: int, code: str) -> None:
    """Expect an error of a code, with its envelope."""
    expect_status(reply, status)
    with testing("HA-ERROR-14"):
        expect_equal("media type", media_type(reply), "application/json")
        body = reply.object()
    error = body.get("error")
    expect(
        body.keys() == {"api_version", "error"}
        and body["api_version"] == API_VERSION
        and isinstance(error, dict)
        and error.keys() == {"code", "message"}
        and isinstance(error["message"], str)
        and error["message"],
        "api_version and an error of code and message, and nothing else",
        reply.body,
        rule="HA-ERROR-01",
    )
    expect_equal("error.code", body["error"]["code"], code)
    directives = list_items(reply.header("cache-control"))
    expect("no-store" in directives, "no-store on an error", directives, rule="HA-CACHE-03")


def get_behind_gateways(path: str) -> Generator[Action, Any, Reply]:
    """Request an unusual path; raise Unchecked if a gateway refused it before the service."""
    reply = yield from get(path)
    if reply.status in {400, 403, 414, 431} and media_type(reply) != "application/json":
        reason = f"GET {path[:80]} has status {reply.status}, perhaps of a gateway"
        raise Unchecked(reason, inconclusive=True)
    return reply


def expect_absent(path: str, code: str) -> Steps:
    """Expect 404 with a code."""
    expect_error((yield from get_behind_gateways(path)), 404, code)


def plain_value(reply: Reply) -> object:
    """Return the value of a successful JSON response; None for any other response."""
    return _value_of(reply) if media_type(reply) == "application/json" else None


def _value_of(reply: Reply) -> object:
    """Return the value of a body with status 200, whatever its media type."""
    try:
        return codec.decode(reply.body) if reply.status == 200 else None
    except ValueError:
        return None


def envelope_of(reply: Reply, path: str, resource: str) -> Plain:
    """Return the envelope of a response, for a check of its values.

    Raises Unchecked if it has not the published form; the check `shape.` of the resource says why.
    """
    body = plain_value(reply)
    if not isinstance(body, dict) or problem_of_form(resource, reply.body):
        reason = f"GET {path} has not the form of {resource}: see the check shape.{resource}"
        raise Unchecked(reason, inconclusive=True)
    return body


@lru_cache(maxsize=1024)
def problem_of_form(resource: str, body: bytes) -> str | None:
    """Return what a JSON body lacks of the published form; many checks read the same body."""
    value = codec.decode(body)
    return find_problem(BODIES[resource], value, DOCUMENT)


def read_envelope(path: str, resource: str) -> Generator[Action, Any, Plain]:
    """Return the envelope of a resource; raise Unchecked as `envelope_of` does."""
    return envelope_of((yield from get(path)), path, resource)


def read(deployment: Deployment, subpath: str, resource: str) -> Generator[Action, Any, Plain]:
    """Return the `data` of a resource below the profile, for a check of its values."""
    envelope = yield from read_envelope(deployment.profile(subpath), resource)
    data: Plain = envelope["data"]
    return data


SUITE: Final[Suite[Deployment]] = Suite("healthapi", learn)
