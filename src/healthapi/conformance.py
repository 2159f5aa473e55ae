"""The conformance kit of health data: what is requested, and the engine that knows the answers.

`conformance.toml` has the rows that need no code.  The files of a deployment are not public, but
their content is: the rows of four datasets, and the sanitised snapshot.  From these the engine
derives each profile again, and its answers are the right ones.  What no answer tells is taken from
the deployment (`_derive`), or left free by a row of `tolerances`.
"""

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final
from urllib.parse import quote

import attrs

from healthapi.endpoints import ENDPOINTS, KEYS, ROOT, HealthEndpoint
from healthapi.errors import DataError
from healthapi.profile import Profile, derive
from healthapi.redaction import PrivacySettings
from healthapi.resources import build_dashboard
from healthapi.rows.findings import Findings
from healthapi.rows.mapping import ROW_OF
from healthapi.rows.rows import Rows
from healthapi.service import Service
from healthapi.snapshot import read_snapshot
from status_contracts import json_text
from status_contracts.conditional import is_valid_etag
from status_contracts.conformance import read_rows, requests
from status_contracts.conformance.answers import Difference, object_of
from status_contracts.conformance.http import Reply, Send
from status_contracts.conformance.runner import Kit, NotTestable, Run, Section, Step, Steps
from status_contracts.exchange import Disconnected, Effect, drive
from status_contracts.messages import Response

__all__ = ["KIT"]

Plain = dict[str, Any]

_ROWS: Final[Plain] = read_rows("healthapi")
_Malformed = tuple[str, Callable[[Reply], list[Difference]]]
_MALFORMED: Final = (DataError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What is raised where an answer has not the form of the contract."""
_MOST_PROFILES: Final = 8
_ENVELOPE: Final = ("api_version", "resource", "generated_at", "profile_id", "data", "meta")


@attrs.frozen
class Model:
    """The answers of the engine for the profiles of a deployment.

    Attributes:
        profiles: by id, the first readable one first; None for one that is not known.
        malformed: paths that have not the form of the contract, and what reports why.
        tags: path of a success to the deployment's ETag, and that of the engine.

    """

    service: Service
    profiles: Mapping[str, Profile | None]
    malformed: Sequence[_Malformed]
    tags: dict[str, tuple[str, str]] = attrs.field(factory=dict)

    def answer(self, state: object, send: Send, at: int) -> tuple[Response | None, object]:
        """Return the right answer, at any instant; None if it is not known."""
        del at
        tag, own = self.tags.get(send.path, ("", ""))
        lines = tuple((name, value.replace(tag, own)) for name, value in send.headers)
        with suppress(Disconnected):
            request = attrs.evolve(send, headers=lines).request("")
            return drive(self.service(request), self._perform), state
        return None, state

    def _perform(self, effect: Effect) -> object:
        """Return a profile, or the ids of all; one that is not known ends the exchange."""
        name = getattr(effect, "name", None)
        if name is None:
            return tuple(self.profiles)
        if name in self.profiles and self.profiles[name] is None:
            raise Disconnected
        return self.profiles.get(name)


def _learn(_: Run) -> Generator[Send, Reply, tuple[Model, None]]:
    """Read the index and the list, and of some profiles the rows and the snapshot."""
    index = object_of((yield Send("GET", ROOT)))
    if not index.keys() & {"resource", "data"}:
        raise NotTestable(f"{ROOT} is no JSON object with resource or data")
    listed = _listed((yield Send("GET", f"{ROOT}/profiles")))
    service = Service()
    with suppress(*_MALFORMED):
        listed.sort(key=lambda entry: bool(entry[0] != index["data"]["sample_profile"]))
        base, root, _rest = index["data"]["docs"]["openapi"].partition(f"{ROOT}/openapi.json")
        service = Service(base_url=base if root else None)
    profiles: dict[str, Profile | None] = dict.fromkeys(name for name, _ in listed)
    malformed = []
    for name, said in listed[:_MOST_PROFILES]:
        read = yield from _profile(name, said)
        if isinstance(read, Profile):
            profiles[name] = read
        elif read is not None:
            malformed.append(read)
    return Model(service, profiles, malformed), None


def _listed(reply: Reply) -> list[tuple[str, object]]:
    """Return the valid ids in the list of profiles, each with what it says of being available."""
    with suppress(KeyError, TypeError):
        entries = object_of(reply)["data"]["profiles"]
        named = [(entry["id"], entry.get("available")) for entry in entries]
        return [one for one in named if KEYS["profile_id"].parse(str(one[0])) == one[0]]
    return []


def _profile(name: str, said: object) -> Generator[Send, Reply, Profile | _Malformed | None]:
    """Return the profile that the engine derives from what is served.

    Or the path of what is malformed, and why; None if the list `said` that it is not available.
    """
    start = path = f"{ROOT}/profiles/{name}"
    served: Plain = {}
    try:
        for resource in ("", "/overview", "/coverage", "/snapshot-status", "/snapshot"):
            path = f"{start}{resource}"
            reply = yield Send("GET", path)
            if reply.status == 503 and said is False:
                return None
            body = object_of(reply)
            served[resource] = body["data"]
        for dataset in ROW_OF:
            rows, total = list[Plain](), 1
            while len(rows) < total:
                path = f"{start}/datasets/{dataset}?limit=1000&offset={len(rows)}"
                page = object_of((yield Send("GET", path)))
                rows += page["data"]["rows"]
                total = page["meta"]["total"] if page["data"]["rows"] else 0
            served[dataset] = rows
        path = f"{start}/snapshot"
        return _derive(name, served, body["generated_at"])
    except _MALFORMED as error:
        reason = f"{type(error).__name__}: {error}"
        return path, lambda _: [Difference("body", "", "the form of the contract", reason)]


def _derive(name: str, served: Plain, generated_at: str) -> Profile:
    """Derive a profile from what a deployment serves.

    What files and settings tell is as the deployment has it: when the tables were written, how much
    of them could not be read, what the owner publishes, and the naps of a night.  Of members that
    the profile object does not have, only secrets are known as such.
    """
    person, overview = served[""]["profile"], served["/overview"]
    own = {re.sub("_(cm|kg)$", "", name): value is not None for name, value in person.items()}
    published = {name: own.get(name, True) for name in attrs.fields_dict(PrivacySettings)}
    privacy = PrivacySettings(**published)
    public = json_text.encode(served["/snapshot"])
    has_snapshot = served["/snapshot-status"]["has_snapshot"]
    snapshot = read_snapshot(public, privacy) if has_snapshot else None
    logs = []
    for night in served["sleep"]:
        naps = night["nap_count"] - (not night["is_main_sleep"])
        if naps > 100:
            raise ValueError(f"nap_count {night['nap_count']}; expected 100 at most")
        logs += [night, *[{"date": night["date"], "is_main_sleep": False}] * naps]
    rows: list[Any] = []
    counts: dict[str, Findings] = {}
    for key, row in ROW_OF.items():
        plain, coverage = logs if key == "sleep" else served[key], served["/coverage"][key]
        cells = {name: tuple(one.get(name) for one in plain) for name in attrs.fields_dict(row)}
        rows.append(Rows(key, row, cells))
        counts[key] = Findings((), 0, coverage["rejected_rows"], coverage["unreadable_cells"])
    written_at = f"{overview['latest_date']}T00:00:00" if overview["latest_is_partial"] else None
    times = generated_at, generated_at
    activity, sleeps, hrv, rhr = rows
    profile = Profile(name, activity, sleeps, hrv, rhr, counts, {}, snapshot, privacy, *times)
    profile = derive(profile, generated_at=generated_at, written_at=written_at)
    build_dashboard(profile)  # here it is found what cannot be derived
    return profile


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
            for name in ("",) if key is None else key.choices or filter(None, own):
                start = path.replace("{profile_id}", profile.id)
                yield endpoint, name, re.sub(r"\{\w+\}", quote(name, safe=""), start)


def _resources(run: Run) -> Steps:
    """Request every resource with every key, of every profile."""
    for path, judge in run.model.malformed:
        yield Step("HA-ENVELOPE-13", Send("GET", path), "", judge)
    tags: dict[str | None, bytes] = {}
    rules = _ROWS["content"]
    for endpoint, key, path in _targets(run, _MOST_PROFILES):
        rule = rules.get(f"{endpoint.name}/{key}") or rules[endpoint.name]
        yield Step(rule, Send("GET", path), key, partial(_judge, endpoint, tags))


def _judge(
    endpoint: HealthEndpoint, tags: dict[str | None, bytes], reply: Reply
) -> Iterator[Difference]:
    """Judge what is known of any success without deriving it."""
    if reply.status != 200:
        return
    tag, body = reply.header("etag") or "W/", object_of(reply)
    is_strong = is_valid_etag(tag) and not tag.startswith("W/")
    if not is_strong or tags.setdefault(tag, reply.body) != reply.body:
        yield Difference("reply", "etag", "a strong tag, another one for other bytes", tag)
    if endpoint.schema:
        order = [name for name in _ENVELOPE if name in body]
        if [*body] != order:
            yield Difference("body", "", f"the members {order}", str([*body]))
    elif not endpoint.of_profile:
        for part in _ROWS["described"]:
            if part not in str(body.get("paths", reply.body)):
                yield Difference("reply", "", f"something about {part}", "nothing")


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
    """Request each endpoint with every method, with what changes nothing, and with conditions.

    And paths and keys that do not exist, and profiles that would be other paths.
    """
    names = set()
    for endpoint, _, path in _targets(run):
        if endpoint.name in names:
            yield from requests.method_steps(run, path)
            continue
        names.add(endpoint.name)
        yield from requests.unlike_steps(run, path)
        if endpoint.name == "profile":
            name = path.rpartition("/")[2]
            yield from requests.missing_steps(run, "unknown", root=ROOT, profile=path, id=name)
        yield from requests.same_steps(run, path)
        file = yield Step("HA-CACHE-09", Send("GET", path), "again")
        right = run.model.answer(None, Send("GET", path), 0)[0]
        if right is not None and right.status == 200 and (tag := file.header("etag")):
            run.model.tags[path] = tag, dict(right.headers)["ETag"]
            yield from requests.conditional_steps(run, "HA-CACHE-05", path, file)


KIT: Final = Kit(
    "healthapi",
    _ROWS,
    _learn,
    (
        Section("resources", _resources),
        Section("requests", _requests),
        Section("queries", _queries),
    ),
)
"""The conformance kit of health data; its answers do not depend on the time."""
