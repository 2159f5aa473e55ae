"""The kits notice at least 95 of 100 faults, which are drawn from tables by a fixed seed.

That they find nothing in right services is tested beside each product.  A fault changes requests
before a right service sees them, or its answers.  Each product has tables of what is changed and of
how; its faults are the pairs of both that change any answer at all.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

import devicestatus.adapters
from devicestatus import Settings
from devicestatus.adapters.application import asgi_app
from devicestatus.adapters.memory import MemoryStore
from devicestatus.conformance import CASES, CHANGED
from devicestatus.conformance import KIT as DEVICE
from devicestatus.models import Snapshot, Window
from healthapi.adapters.application import asgi_app as health_asgi_app
from healthapi.conformance import KIT as HEALTH
from healthapi.endpoints import ROOT
from sitedata.adapters.application import asgi_app as site_asgi_app
from sitedata.conformance import KIT as SITE
from sitedata.service import PATH
from status_contracts.conformance.http import AUTHORIZED, InProcess, Reply, Send
from status_contracts.conformance.runner import Kit, NotTestable, Run
from status_contracts.exchange import Clock
from status_contracts.instants import format_instant, parse_utc
from status_contracts.structuring.cases import DROPPED
from support.checks.canary import TOKEN
from support.healthapi.health_client import ProfileSource, short
from support.sitedata.site_examples import SNAPSHOT

pytestmark = pytest.mark.check

Json = Any


@attrs.frozen
class Fault:
    """A fault: what happens to a request, or to the answer to it; None for nothing.

    With `shift_ms` reads are answered for another time.  The section of the kit that is likely to
    notice it is run `first`.
    """

    name: str
    on_request: Callable[[Send], Send | None] = lambda _: None
    on_reply: Callable[[Send, Reply], Reply | None] = lambda _, __: None
    shift_ms: int = 0
    first: str = ""


class Broken(InProcess):
    """A client of a service that has one fault."""

    fault = Fault("none")

    def send(self, request: Send) -> Reply:
        """Send a request as the fault changes it, and return the answer as it changes that."""
        is_read = request.method == "GET"
        self.time += self.fault.shift_ms * is_read
        try:
            reply = super().send(self.fault.on_request(request) or request)
        finally:
            self.time -= self.fault.shift_ms * is_read
        reply = attrs.evolve(reply, received_at=reply.received_at - self.fault.shift_ms * is_read)
        return self.fault.on_reply(request, reply) or reply


class FirstOnly(Run):
    """A run that ends with the first difference."""

    def _add(self, *arguments: Any) -> None:
        super()._add(*arguments)
        raise NotTestable


SECTIONS: Final = {"", *(part.name for kit in (DEVICE, HEALTH, SITE) for part in kit.sections)}


def is_noticed(kit: Kit, client: Broken, *, write: bool) -> bool:
    assert client.fault.first in SECTIONS
    sections = sorted(kit.sections, key=lambda section: section.name != client.fault.first)
    try:
        list(FirstOnly(attrs.evolve(kit, sections=sections), client, write=write).perform())
    except NotTestable:
        return True
    return False


def changed_member(name: str, change: Callable[[dict[str, Json], str], None]) -> Fault:
    """Return a fault of a member, wherever an answer has it."""

    def on_reply(_: Send, reply: Reply) -> Reply | None:
        value = json_of(reply.body)
        found = [each for each in objects(value) if name in each]
        for each in found:
            change(each, name)
        body = encoded(value)
        return attrs.evolve(reply, body=body) if json_of(reply.body) != value else None

    return Fault(f"{change.__name__} {name}", on_reply=on_reply, first="what is shown")


def json_of(body: bytes | None) -> Json:
    with suppress(ValueError, RecursionError):
        return json.loads(body or b"")
    return None


def encoded(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def objects(value: Json) -> Iterator[dict[str, Json]]:
    if isinstance(value, dict):
        yield value
        value = [*value.values()]
    for inner in value if isinstance(value, list) else ():
        yield from objects(inner)


def drop(of: dict[str, Json], name: str) -> None:
    del of[name]


def null(of: dict[str, Json], name: str) -> None:
    of[name] = None


def rename(of: dict[str, Json], name: str) -> None:
    of[f"{name}2"] = of.pop(name)


def add(of: dict[str, Json], name: str) -> None:
    of[f"{name}_2"] = of[name]


def alter(of: dict[str, Json], name: str) -> None:
    value = of[name]
    of[name] = {str: f"{value} ", bool: not value, int: 1}.get(type(value), value)
    if type(value) in {int, float}:
        of[name] = value + 1
    elif isinstance(value, list):
        of[name] = value[:-1]
    elif isinstance(value, dict):
        of[name] = {**value, "more": 1}


def later(of: dict[str, Json], name: str) -> None:
    of[name] = format_instant(parse_utc(of[name]) + 1000)


MEMBER_CHANGES: Final = (drop, null, rename, add, alter)


def changed_header(method: str, path: str, name: str, value: str | None) -> Fault:
    def on_reply(send: Send, reply: Reply) -> Reply | None:
        if (send.method, send.path) != (method, path):
            return None
        kept = tuple(line for line in reply.headers if line[0].lower() != name)
        return attrs.evolve(reply, headers=kept if value is None else (*kept, (name, value)))

    return Fault(f"{name}: {value} of {method} {path}", on_reply=on_reply)


def changed_status(method: str, path: str, status: int) -> Fault:
    def on_reply(send: Send, reply: Reply) -> Reply | None:
        is_it = (send.method, send.path) == (method, path) and reply.status != status
        return attrs.evolve(reply, status=status) if is_it else None

    return Fault(f"{status} of {method} {path}", on_reply=on_reply)


def served_as(path: str, other: str) -> Fault:
    def on_request(send: Send) -> Send | None:
        return attrs.evolve(send, path=path) if send.path == other else None

    return Fault(f"{other} is {path}", on_request)


def head_faults(client: InProcess, paths: list[str]) -> Iterator[Fault]:
    """Generate faults of the heads of answers, and unknown paths that are served."""
    for path in paths:
        for method in ("GET", "OPTIONS", "PUT", "HEAD"):
            reply = client.send(Send(method, path))
            for name in sorted({name.lower() for name, _ in reply.headers} - {"content-length"}):
                yield changed_header(method, path, name, None)
                yield changed_header(method, path, name, "x")
            yield changed_header(method, path, "set-cookie", "a=b")
            for status in (200, 204, 404, 500):
                yield changed_status(method, path, status)
        for other in (f"{path}/", f"/{path}", path.upper(), f"{path}.json"):
            yield served_as(path, other)


READS: Final = ("/api/now", "/api/timeline", "/api/music", "/api/apps/active", "/api/apps/running")
PATHS: Final = [*READS, "/api/device", "/api/badge.svg", "/api/health", "/api/icons", "/api/update"]
ICONS: Final = Path(devicestatus.adapters.__file__).parents[1] / "app_icons"


def device() -> Broken:
    def make_app(clock: Clock) -> object:
        store = MemoryStore()
        return asgi_app(Settings(TOKEN), store=store, assets=ICONS, clock=clock, page=None)

    return Broken(make_app, TOKEN)


def stored_otherwise(change: Callable[[dict[str, Json], str], None], name: str) -> Fault:
    """Return a fault by which another body is stored than the one that was sent."""

    def on_request(send: Send) -> Send | None:
        value = json_of(send.body)
        is_write = AUTHORIZED in send.headers
        found = [each for each in objects(value) if name in each] if is_write else []
        for each in found:
            change(each, name)
        return attrs.evolve(send, body=encoded(value)) if found else None

    return Fault(f"stored: {change.__name__} {name}", on_request, first="wrong uploads")


def reverse(of: dict[str, Json], name: str) -> None:
    of[name] = of[name][::-1] if isinstance(of[name], list | str) else of[name]


def empty(of: dict[str, Json], name: str) -> None:
    of[name] = type(of[name])() if isinstance(of[name], list | dict) else of[name]


def accepted(rule: str, place: str) -> Fault:
    """Return a fault by which a wrong value of a member is accepted."""

    wrong = {json.dumps(each.value) for each in WRONG[rule, place]}

    def on_reply(send: Send, reply: Reply) -> Reply | None:
        if json_of(reply.body) != {"error": "invalid_payload"}:
            return None
        values = {json.dumps(each[place]) for each in objects(json_of(send.body)) if place in each}
        body = encoded({"ok": True, "updated_at": "", "expires_at": ""})
        return attrs.evolve(reply, status=200, body=body) if wrong & values else None

    return Fault(f"{rule} of {place} is accepted", on_reply=on_reply, first="limits of members")


def refused(place: str, value: Json) -> Fault:
    """Return a fault by which a valid value of a member is refused."""

    def on_reply(send: Send, reply: Reply) -> Reply | None:
        values = [each[place] for each in objects(json_of(send.body)) if place in each]
        is_it = reply.status == 200 and json.dumps(value) in map(json.dumps, values)
        body = encoded({"error": "invalid_payload"})
        return attrs.evolve(reply, status=400, body=body) if is_it else None

    name = f"{place} {str(value)[:20]} is refused"
    return Fault(name, on_reply=on_reply, first="limits of members")


RELATED: Final = {"changes", "events", "gaps", "artwork_url", "track_url"}
"""Members whose valid values depend on others."""
WRONG: Final[dict[tuple[str, str], list[Any]]] = {}
VALID: Final[list[tuple[str, Json]]] = []
for _case in (*CASES.of(Snapshot), *CASES.of(Window)):
    if _case.at and isinstance(_case.at[-1], str) and _case.has_text and _case.value is not DROPPED:
        if _case.rule:
            WRONG.setdefault((_case.rule, _case.at[-1]), []).append(_case)
        else:
            VALID.append((_case.at[-1], _case.value))


def write_faults() -> Iterator[Fault]:
    yield from (accepted(*key) for key in WRONG)
    yield from (refused(*each) for each in VALID if each[0] not in RELATED)
    for name in (*CHANGED, "events", "gaps", "baseline", "track", "artist", "seq", "track_url"):
        yield from (
            stored_otherwise(change, name) for change in (drop, null, reverse, empty, alter)
        )
    yield ignored_header("content-type", ("Content-Type", "application/json"))
    yield from (ignored_header(name) for name in ("content-encoding", "authorization"))
    yield ignored_header("authorization", AUTHORIZED)
    for status in (200, 201, 400, 401):
        for path in ("/api/update", "/update", "/api/batch"):
            yield changed_status("POST", path, status)


def ignored_header(name: str, *right: tuple[str, str]) -> Fault:
    def on_request(send: Send) -> Send | None:
        kept = [line for line in send.headers if line == AUTHORIZED or line[0].lower() != name]
        return attrs.evolve(send, headers=tuple(dict.fromkeys([*kept, *right])))

    return Fault(f"{name} is {right or 'ignored'}", on_request, first="wrong uploads")


SHIFTS: Final = (-20_000, -1_000, -1, 1, 2, 5_000, 20_000, 60_000)


def device_faults() -> list[Fault]:
    members = (
        *("status", "updated_at", "expires_at", "collected_at", "playback", "at", "policy"),
        *("active_app", "running_apps", "music", "device", "window", "server_time", "mode"),
        *("error", "ok", "service", "icons", "aliases", "name", "icon_url", "icon_api_url"),
    )
    tables: list[tuple[int, list[Fault]]] = [
        (16, [changed_member(name, change) for name in members for change in MEMBER_CHANGES]),
        (3, [changed_member(name, later) for name in ("updated_at", "expires_at", "at")]),
        (13, list(head_faults(device(), PATHS))),
        (20, list(write_faults())),
        (8, [Fault(f"{ms} ms", shift_ms=ms) for ms in SHIFTS]),
    ]
    return drawn(tables)


def drawn(tables: list[tuple[int, list[Fault]]]) -> list[Fault]:
    """Return as many faults of each table as its share of the sample."""
    draw = random.Random(1)  # noqa: S311 - a sample
    return [fault for share, table in tables for fault in draw.sample(table, share)]


PROFILE: Final = f"{ROOT}/profiles/anna"
KEYS: Final = ("overview", "datasets/daily", "charts/series.svg", "tables/sleep")
RESOURCES: Final = [ROOT, f"{ROOT}/profiles", *(f"{PROFILE}/{name}" for name in KEYS)]
DERIVED: Final = (  # noqa: SIM905 - shorter
    "latest avg7 direction recovery_score available total count columns coefficient severity days"
    " partial_periods links href data missing_scopes generated_at profile_id meta points"
).split()
EXCHANGED: Final = ("datasets/monthly datasets/weekly", "sections/body sections/vitals")
QUERIES: Final = (  # noqa: SIM905 - shorter
    r"offset=\d+> limit=1000>limit=999 metrics=[^&]*> =0$>=9 _> theme=transparent> hrv,> %20>"
    r" width=\d+>width=960 height=1080>height=1079 granularity=[a-z]+> limit=2&limit=3>limit=3"
).split()


def health() -> Broken:
    return Broken(lambda clock: health_asgi_app(ProfileSource(short()), clock=clock))


def site() -> Broken:
    return Broken(lambda clock: site_asgi_app(SNAPSHOT, clock=clock))


def changed_query(pattern: str, other: str) -> Fault:
    def on_request(send: Send) -> Send | None:
        path, mark, query = send.path.partition("?")
        changed = f"{path}{mark}{re.sub(pattern, other, query)}"
        return None if changed == send.path else attrs.evolve(send, path=changed)

    return Fault(f"{pattern} is read as {other}", on_request, first="queries")


def health_faults() -> list[Fault]:
    members = [changed_member(name, change) for name in DERIVED for change in MEMBER_CHANGES]
    pairs = [served_as(*(f"{PROFILE}/{key}" for key in pair.split())) for pair in EXCHANGED]
    queries = [changed_query(*pair.split(">")) for pair in QUERIES]
    heads = list(head_faults(health(), RESOURCES))
    return drawn([(8, members), (2, pairs), (6, queries), (8, heads), (1, CONDITIONS[:1])])


CONDITIONS: Final = [ignored_header("if-none-match"), ignored_header("if-modified-since")]


def site_faults() -> list[Fault]:
    names = ("problems", "generatedAt", "commitCount", "path", "rawUrl", "title", "repository")
    members = [changed_member(name, change) for name in names for change in (drop, null, rename)]
    heads = list(head_faults(site(), [PATH]))
    return drawn([(5, members), (8, heads), (2, CONDITIONS)])


KITS: Final[dict[str, tuple[Kit, Callable[[], Broken], Callable[[], list[Fault]], int, int]]] = {
    "device": (DEVICE, device, device_faults, 60, 3),
    "health": (HEALTH, health, health_faults, 25, 1),
    "site": (SITE, site, site_faults, 15, 1),
}
"""Product to its kit, a right service, its faults, their number, and how many may be missed."""


@pytest.mark.parametrize("product", KITS)
def test_a_kit_notices_faults(product: str) -> None:
    kit, make, list_faults, count, most_missed = KITS[product]
    missed, faults = [], list_faults()
    for fault in faults:
        client = make()
        client.fault = fault
        if not is_noticed(kit, client, write=product == "device"):
            missed.append(fault.name)
    assert len(missed) <= most_missed, missed
    assert len(faults) == count
