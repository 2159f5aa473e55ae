"""The conformance kit of health data: what is requested, and the engine that knows the answers.

`conformance.toml` has the rows that need no code.  The files of a deployment are not public, but
their content is: the rows of four datasets, and the sanitised snapshot.  From these the engine
derives each profile again, and its answers are the right ones.  What no answer tells is taken from
the deployment (`_derive`), or left free by a row of `TOLERANCES`.
"""

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final
from urllib.parse import quote

import attrs

from healthapi.endpoints import ENDPOINTS, KEYS, ROOT, HealthEndpoint
from healthapi.errors import DataError
from healthapi.models import ActivityRow, HrvRow, RhrRow, SleepLog
from healthapi.profile import Profile, Sources, derive
from healthapi.redaction import PrivacySettings
from healthapi.resources import build_dashboard
from healthapi.rows.findings import Findings
from healthapi.rows.rows import Rows
from healthapi.service import Service
from healthapi.snapshot import read_snapshot
from status_contracts import json_text
from status_contracts.conditional import is_valid_etag
from status_contracts.conformance import read_rows
from status_contracts.conformance.answers import Difference, object_of
from status_contracts.conformance.http import Reply, Send
from status_contracts.conformance.requests import (
    method_steps,
    same_steps,
    unknown_steps,
    unlike_steps,
)
from status_contracts.conformance.runner import Kit, NotTestable, Run, Section, Step, Steps, Wait
from status_contracts.exchange import Disconnected, Effect, drive
from status_contracts.messages import COMMON, Asset, Response, conditional_response

__all__ = ["KIT"]

Plain = dict[str, Any]

_ROWS: Final[Plain] = read_rows("healthapi")
_FILES: Final = {"activity": ActivityRow, "sleep": SleepLog, "hrv": HrvRow, "rhr": RhrRow}
"""Dataset that is read from a file of its own, to its rows."""
_PUBLISHED: Final = dict.fromkeys(attrs.fields_dict(PrivacySettings), True)
"""An owner who publishes every personal value: from the outside only secrets are known as such."""
_MALFORMED: Final = (DataError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What is raised where an answer has not the form of the contract."""
_MOST_PROFILES: Final = 8
_LOADING_SECONDS: Final = 8
"""How long a profile that is read for the first time may be listed as unavailable."""

_OWN: Final = {name.lower() for name, _ in COMMON} | {"content-type", "content-length", "etag"}
"""Headers that `conditional_response` adds."""

# The reference engine as a model of one deployment


@attrs.frozen
class Model:
    """The answers of the engine for the profiles of a deployment.

    Attributes:
        profiles: by id, the first readable one first; None for one that is not known.
        malformed: paths that have not the form of the contract, and why.
        tags: path of a success to the deployment's ETag, by which conditions are judged.

    """

    service: Service
    profiles: Mapping[str, Profile | None]
    malformed: Sequence[tuple[str, str]]
    tags: dict[str, str | None] = attrs.field(factory=dict)

    def answer(self, state: object, send: Send, at: int) -> tuple[Response | None, object]:
        """Return the right answer, at any instant; None if it is not known."""
        del at
        request, tag = send.request(""), self.tags.get(send.path)
        with suppress(Disconnected):
            if tag is None or request.method not in {"GET", "HEAD"}:
                return drive(self.service(request), self._perform), state
            unconditional = attrs.evolve(request, method="GET", headers=())
            plain = drive(self.service(unconditional), self._perform)
            kept = tuple(line for line in plain.headers if line[0].lower() not in _OWN)
            kind = dict(plain.headers)["Content-Type"]
            return conditional_response(request, Asset(plain.body, tag), kind, kept), state
        return None, state

    def _perform(self, effect: Effect) -> object:
        """Return a profile, or the ids of all; one that is not known ends the exchange."""
        name = getattr(effect, "name", None)
        if name is None:
            return tuple(self.profiles)
        if name in self.profiles and self.profiles[name] is None:
            raise Disconnected
        return self.profiles.get(name)


# Learning what a deployment serves


def _learn(_: Run) -> Generator[Any, Any, tuple[Model, None]]:
    """Read the index and the list, and of some profiles the rows and the snapshot."""
    for _second in range(_LOADING_SECONDS):
        listed = _value((yield Send("GET", f"{ROOT}/profiles")))
        entries = _entries(listed)
        if all(entry.get("available") is not False for entry in entries):
            break
        yield Wait(1_000)
    index = _value((yield Send("GET", ROOT)))
    if not index.keys() & {"api_version", "resource"}:
        raise NotTestable(f"{ROOT} is no JSON object with api_version")
    data: Any = index.get("data")
    data = data if isinstance(data, dict) else {}
    entries.sort(key=lambda entry: bool(entry["id"] != data.get("sample_profile")))
    profiles: dict[str, Profile | None] = {entry["id"]: None for entry in entries}
    malformed = []
    readable = [entry["id"] for entry in entries if entry.get("available") is not False]
    for name in readable[:_MOST_PROFILES]:
        read = yield from _profile(name)
        if isinstance(read, Profile):
            profiles[name] = read
        else:
            malformed.append(read)
    with suppress(KeyError, TypeError, AttributeError, ValueError):
        base, root, _rest = data["docs"]["openapi"].partition(f"{ROOT}/openapi.json")
        return Model(Service(base_url=base if root else None), profiles, malformed), None
    return Model(Service(), profiles, malformed), None


def _value(reply: Reply) -> Plain:
    """Return the JSON object of a successful answer; an empty one for any other."""
    return object_of(reply.body) if reply.status == 200 else {}


def _entries(listed: Plain) -> list[Plain]:
    """Return the entries of the list of profiles that have a valid id."""
    with suppress(KeyError, TypeError):
        named = [(entry["id"], entry) for entry in listed["data"]["profiles"]]
        return [entry for name, entry in named if KEYS["profile_id"].parse(str(name)) == name]
    return []


def _profile(name: str) -> Generator[Send, Reply, Profile | tuple[str, str]]:
    """Return the profile that the engine derives from what is served; or what is malformed."""
    start = path = f"{ROOT}/profiles/{name}"
    served: Plain = {}
    try:
        for resource in ("", "/overview", "/coverage", "/snapshot-status", "/snapshot"):
            path = f"{start}{resource}"
            body = _value((yield Send("GET", path)))
            served[resource] = body["data"]
        for dataset in _FILES:
            rows = served[dataset] = []
            is_last = False
            while not is_last:
                path = f"{start}/datasets/{dataset}?limit=1000&offset={len(rows)}"
                page = _value((yield Send("GET", path)))
                rows += page["data"]["rows"]
                is_last = not page["data"]["rows"] or len(rows) >= page["meta"]["total"]
        path = f"{start}/snapshot"
        return _derive(name, served, body["generated_at"])
    except _MALFORMED as error:
        return path, f"{type(error).__name__}: {error}"


def _derive(name: str, served: Plain, generated_at: str) -> Profile:
    """Derive a profile from what a deployment serves.

    What files and settings tell is as the deployment has it: when the tables were written, how much
    of them could not be read, what the owner publishes, and the naps of a night.
    """
    person, overview = served[""]["profile"], served["/overview"]
    names = ("full_name", "country", "encoded_id", "height_cm", "weight_kg")
    own = {name.partition("_cm")[0].partition("_kg")[0]: person[name] is not None for name in names}
    disclosure = PrivacySettings(**{**_PUBLISHED, **own})
    public = json_text.encode(served["/snapshot"])
    has_snapshot = served["/snapshot-status"]["has_snapshot"]
    snapshot = read_snapshot(public, disclosure) if has_snapshot else None
    logs = []
    for night in served["sleep"]:
        naps = night["nap_count"] - (not night["is_main_sleep"])
        logs += [night, *[{"date": night["date"], "is_main_sleep": False}] * naps]
    rows: dict[str, Any] = {}
    counts = {}
    for key, row in _FILES.items():
        plain, coverage = logs if key == "sleep" else served[key], served["/coverage"][key]
        cells = {name: tuple(one.get(name) for one in plain) for name in attrs.fields_dict(row)}
        rows[key] = Rows(key, row, cells)
        counts[key] = Findings((), 0, coverage["rejected_rows"], coverage["unreadable_cells"])
    of_files = (rows["activity"], rows["sleep"], rows["hrv"], rows["rhr"])
    written_at = f"{overview['latest_date']}T00:00:00" if overview["latest_is_partial"] else None
    sources = Sources(name, *of_files, counts, {}, snapshot, disclosure)
    profile = derive(sources, generated_at=generated_at, written_at=written_at)
    build_dashboard(profile)  # here it is found what cannot be derived
    return profile


# Requests


def _targets(run: Run, most_profiles: int = 1) -> Iterator[tuple[HealthEndpoint, str, str]]:
    """Yield (endpoint, key, path) of all endpoints with all their keys."""
    profiles = [known for known in run.model.profiles.values() if isinstance(known, Profile)]
    profiles.sort(key=lambda profile: not profile.daily)
    for endpoint in ENDPOINTS:
        key, path = endpoint.key, f"{ROOT}{endpoint.path}"
        if not endpoint.of_profile:
            yield endpoint, "", path
            continue
        for profile in profiles[:most_profiles]:
            own = () if profile.snapshot is None else profile.snapshot.endpoints
            for name in ("",) if key is None else key.choices or own:
                start = path.replace("{profile_id}", profile.id)
                yield endpoint, name, re.sub(r"\{\w+\}", quote(name, safe=""), start)


def _resources(run: Run) -> Steps:
    """Request every resource with every key, of every profile."""
    for path, reason in run.model.malformed:
        judge = partial(_judge_form, reason)
        yield Step("HA-ENVELOPE-13", Send("GET", path), "", judge)
    tags: dict[str | None, bytes] = {}
    rules = _ROWS["content"]
    for endpoint, key, path in _targets(run, _MOST_PROFILES):
        rule = rules.get(f"{endpoint.name}/{key}") or rules[endpoint.name]
        yield Step(rule, Send("GET", path), key, partial(_judge, endpoint, tags))
        yield Step("HA-CACHE-09", Send("GET", path), "again")


def _judge_form(reason: str, _: Reply) -> Iterator[Difference]:
    yield Difference("body", "", "the form of the contract", reason)


def _judge(
    endpoint: HealthEndpoint, tags: dict[str | None, bytes], reply: Reply
) -> Iterator[Difference]:
    """Judge what is known of any right answer without deriving it."""
    tag, body = reply.header("etag") or "W/", _value(reply)
    text = reply.body.decode("utf-8", "replace")
    is_strong = is_valid_etag(tag) and not tag.startswith("W/")
    if not is_strong or tags.setdefault(tag, reply.body) != reply.body:
        yield Difference("reply", "etag", "a strong tag, another one for other bytes", tag)
    if endpoint.schema:
        order = [name for name in _ENVELOPE if name in body]
        if [*body] != order:
            yield Difference("body", "", f"the members {order}", str([*body]))
    elif endpoint.name != "chart":
        described = " ".join(body.get("paths", ())) if endpoint.name == "openapi" else text
        paths = " ".join(re.sub(r"\{\w+\}", "", other.path) for other in ENDPOINTS)
        for part in sorted({*re.findall("[a-z][a-z.-]+", paths)}):
            if part not in described:
                yield Difference("reply", "", f"something about {part}", "nothing")
        policy = reply.header("content-security-policy") or ""
        if endpoint.name == "docs" and "default-src 'none'" not in policy:
            yield Difference("header", "content-security-policy", "default-src 'none'", policy)


_ENVELOPE: Final = ("api_version", "resource", "generated_at", "profile_id", "data", "meta")


def queries_of(endpoint: HealthEndpoint) -> Iterator[tuple[str, str]]:
    """Yield queries of the parameters of an endpoint, with the rule that each tests."""
    names = {parameter.name for parameter in endpoint.parameters}
    for rule, queries in _ROWS["words"].items():
        for query in queries:
            if re.split(r"\W", query.lower().replace("%6c", "l"))[0] in names:
                yield query, rule
    for parameter in endpoint.parameters:
        if parameter.bounds is not None:
            name, low, high = parameter.name, parameter.bounds.minimum, parameter.bounds.maximum
            rule = _ROWS["ranges"].get(name) or _ROWS["ranges"][endpoint.name]
            yield from ((f"{name}={value}", rule) for value in (low, low + 1, high - 1, high))
            outside = (low - 1, low - 5, -high, high + 1)
            yield from ((f"{name}={value}", "HA-QUERY-05") for value in outside)
            for of_form, values in _ROWS["integers"].items():
                yield from ((f"{name}={value}", of_form) for value in values)


def _queries(run: Run) -> Steps:
    """Request the endpoints with each query; only one key of each with odd forms of integers."""
    tested = set()
    for endpoint, key, path in _targets(run):
        for query, rule in queries_of(endpoint):
            if rule not in _ROWS["integers"] or endpoint.name not in tested:
                yield Step(rule, Send("GET", f"{path}?{query}"), key)
        tested.add(endpoint.name)


def _requests(run: Run) -> Steps:
    """Request each endpoint with every method, with what changes nothing, and with conditions."""
    names = set()
    for endpoint, _, path in _targets(run):
        plain = yield Step("HA-CACHE-05", Send("GET", path))
        tag = run.model.tags[path] = plain and plain.header("etag")
        own = [tag, f"W/{tag}", f'"x", {tag}', tag.swapcase(), tag.strip('"')] if tag else []
        for value in ('"x"', "", *own):
            for method in ("GET", "HEAD"):
                send = Send(method, path, (("If-None-Match", value),))
                yield Step("HA-CACHE-05", send, value)
        yield from unlike_steps(run, path)
        if endpoint.name not in names:
            yield from same_steps(run, path)
            names.add(endpoint.name)
        else:
            yield from method_steps(run, path)


def _unknown(run: Run) -> Steps:
    """Request paths and keys that do not exist, and profiles that would be other paths."""
    for endpoint, _, path in _targets(run):
        if endpoint.name == "profile":
            yield from unknown_steps(run, root=ROOT, profile=path, id=path.rpartition("/")[2])


KIT: Final = Kit(
    "healthapi",
    _ROWS,
    _learn,
    (
        Section("resources", _resources),
        Section("requests", _requests),
        Section("unknown", _unknown),
        Section("queries", _queries),
    ),
)
"""The conformance kit of health data; its answers do not depend on the time."""
