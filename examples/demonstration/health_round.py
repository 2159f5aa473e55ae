"""A round of the health data: every endpoint is requested and every response checked.

The requests are derived from the table of endpoints, so a new endpoint is included.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from demonstration.probes import Answer, Probe, Round, same_again
from healthapi.endpoints import ENDPOINTS, KEYS, ROOT, ContentKind, Endpoint, PathKey
from healthapi.envelope import API_VERSION
from healthapi.errors import STATUS_OF, ErrorCode

__all__ = ["whole_round"]

_METHODS: Final = "GET, HEAD, OPTIONS"
_UNKNOWN: Final = "no-such"
_BEGINNINGS: Final[Mapping[ContentKind, tuple[str, bytes]]] = {
    "html": ("text/html; charset=utf-8", b"<!"),
    "markdown": ("text/markdown; charset=utf-8", b"# "),
    "svg": ("image/svg+xml; charset=utf-8", b"<svg"),
}


def whole_round(profile_ids: tuple[str, ...]) -> Round:
    """Request every endpoint of a service of these profiles, which must be readable.

    All resources of the first profile are requested, and the dashboards of the others.
    """
    for endpoint in ENDPOINTS:
        if not endpoint.keys:
            yield _probe(endpoint, {})
        if endpoint.name == "dashboard":
            for profile_id in profile_ids[1:]:
                yield _probe(endpoint, {"profile_id": profile_id})
    for profile_id in profile_ids[:1]:
        yield from _of_profile(profile_id)
        yield from same_again(f"{ROOT}/profiles/{profile_id}/overview", _METHODS)
        yield from _missing_keys(profile_id)
    yield _error_probe("GET", _path("/profiles/{profile_id}", {}), "profile_not_found")
    yield _error_probe("GET", f"{ROOT}/", "not_found")


def _of_profile(profile_id: str) -> Round:
    for endpoint in ENDPOINTS:
        if not endpoint.of_profile:
            continue
        for key in _choices(endpoint.key):
            answer = yield _probe(endpoint, {"profile_id": profile_id, **key})
            if endpoint.name == "snapshot-endpoints":
                yield from _snapshot_endpoints(profile_id, answer)


def _choices(key: PathKey | None) -> Iterator[dict[str, str]]:
    """Yield all choices for the key of a path; nothing if they depend on the data."""
    if key is None:
        yield {}
        return
    yield from ({key.name: choice} for choice in key.choices or ())


def _snapshot_endpoints(profile_id: str, index: Answer) -> Round:
    """Request every endpoint to which the index of the snapshot links."""
    (endpoint,) = (each for each in ENDPOINTS if each.name == "snapshot-endpoint")
    entries = _object(index.members, "data").get("endpoints")
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and entry.get("href") is not None:
            key = str(entry.get("key"))
            yield _probe(endpoint, {"profile_id": profile_id, "endpoint_key": key})


def _missing_keys(profile_id: str) -> Round:
    for endpoint in ENDPOINTS:
        if endpoint.key is not None:
            path = _path(endpoint.path, {"profile_id": profile_id})
            yield _error_probe("GET", path, endpoint.key.error_code)


def _error_probe(method: str, path: str, code: ErrorCode) -> Probe:
    def holds(answer: Answer) -> bool:
        return _object(answer.members, "error").get("code") == code

    return Probe(method, path, STATUS_OF[code], code.replace("_", " "), holds)


def _probe(endpoint: Endpoint, keys: Mapping[str, str]) -> Probe:
    holds = _holds(endpoint, keys.get("profile_id"))
    return Probe("GET", _path(endpoint.path, keys), 200, endpoint.title, holds)


def _path(template: str, keys: Mapping[str, str]) -> str:
    """Fill in a path template; missing keys get an unknown value."""
    given = {name: quote(keys.get(name, _UNKNOWN), safe="") for name in KEYS}
    return f"{ROOT}{template.format_map(given)}"


def _holds(endpoint: Endpoint, profile_id: str | None) -> Callable[[Answer], bool]:
    """Return a check of the response of an endpoint."""
    beginning = _BEGINNINGS.get(endpoint.kind)
    if beginning is not None:
        return lambda answer: answer.begins(*beginning)
    if endpoint.kind == "openapi":
        return lambda answer: ROOT in str(list(_object(answer.members, "paths")))
    expected = {"api_version": API_VERSION, "resource": endpoint.name}
    if profile_id is not None:
        expected["profile_id"] = profile_id
    return lambda answer: _is_enveloped(answer.members, expected)


def _is_enveloped(members: Mapping[str, Any], expected: Mapping[str, str]) -> bool:
    objects = (members.get("data"), members.get("meta"))
    return all(isinstance(each, dict) for each in objects) and expected.items() <= members.items()


def _object(members: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = members.get(name)
    return found if isinstance(found, dict) else {}
