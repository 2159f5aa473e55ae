"""The properties that are fuzzed: they hold for any bytes at each entry point of the products.

A property is a function of bytes that returns, or raises what a bug raises; `PROPERTIES` has them
by name.
`fuzz/` drives them with coverage, `test_fuzz_properties` with seeds and by Hypothesis.
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import Any, Final, NoReturn

import attrs

import sitedata
from devicestatus import Settings, limits
from devicestatus import bodies as views
from devicestatus.agent.recorder import Batch, Recorder
from devicestatus.badge import render, status_text
from devicestatus.cross_field import RULES
from devicestatus.explanation import explain
from devicestatus.models import Snapshot, Window
from devicestatus.music_urls import ITUNES
from devicestatus.parsing import check_snapshot, check_window, parse_snapshot, parse_window
from devicestatus.player import Player, Refused
from devicestatus.record import WindowRecord, decode_record, encode_record
from devicestatus.state import Online, state_of
from devicestatus.timeline import lanes
from healthapi import DataError, clean, draw, load
from healthapi.adapters.column_mapping import parse_column_mapping
from healthapi.resources import build_dashboard
from healthapi.rows.mapping import NATIVE
from healthapi.rows.reading import read_rows
from healthapi.snapshot import SNAPSHOT_FILE
from sitedata.adapters.application import asgi_app, wsgi_app
from sitedata.adapters.files import read_config
from sitedata.building.history import CommitDate, History, TreeFile
from sitedata.service import publish
from sitedata.strategies import FAULTY_RULES
from status_contracts import json_text
from status_contracts.exchange import drive
from status_contracts.findings import ContractError, Finding
from status_contracts.instants import SECONDS
from status_contracts.messages import Request
from status_contracts.structuring.converter import unstructure
from status_contracts.structuring.decoder import ModelDecoder
from support.checks.answer_rules import DEVICE, HEALTH, Product, check
from support.checks.xml_reading import read_xml
from support.devicestatus.examples import NOON, RECEIVED_AT, TOKEN, snapshot, window_record
from support.devicestatus.fake_server import FakeServer
from support.healthapi.health_client import HealthClient
from support.sitedata.site_versions import LATER, body_of
from support.status_contracts.gateways import call_asgi, call_wsgi

__all__ = ["PROPERTIES", "SITE", "SNAPSHOT", "WINDOW", "Contract", "Property", "read", "request_of"]

Property = Callable[[bytes], None]

STAMP: Final = "2026-01-31T12:00:00"
SPAN_MS: Final = 900_000
FAR: Final = 10**7
SETTINGS: Final = Settings(TOKEN)
LONG: Final = 401
"""Digits from which an integer need not be exact."""
_LONG_INTEGER: Final = re.compile(rb"[0-9]{401}")


def json_document(data: bytes) -> None:
    """The standard library, kept from its quirks, is the reference for text that is not deep."""
    try:
        value = json_text.decode(data)
    except json_text.JsonDepthError:
        return
    except json_text.JsonTextError:
        assert _expected(data) in (None, _TOO_DEEP)
        return
    if _LONG_INTEGER.search(data) is None:  # an integer, or an infinity, that no rule accepts
        expected = _expected(data)
        assert expected == _TOO_DEEP or expected == repr(value)
    if _is_finite(value):
        assert repr(json_text.decode(json_text.encode(value))) == repr(value)


_TOO_DEEP: Final = "nested too deep for the standard library"


def _expected(data: bytes) -> str | None:
    """Return what the standard library reads, None for broken text; versions differ in depth."""
    try:
        text = data.removeprefix(json_text.BOM).decode()
        value = json.loads(text, parse_constant=_refuse, parse_int=_integer)
        pairs = json.loads(text, object_pairs_hook=list, parse_int=_integer)
        json.dumps(pairs, ensure_ascii=False).encode()
        return repr(value)
    except ValueError:
        return None
    except RecursionError:
        return _TOO_DEEP


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) < LONG else float(digits)


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


def _is_finite(value: object) -> bool:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict | list):
            waiting.extend(each.values() if isinstance(each, dict) else each)
        elif isinstance(each, float) and not math.isfinite(each):
            return False
    return True


@attrs.frozen(eq=False, repr=False)
class Contract:
    """The ways to read one kind of body: both functions, and both paths of the decoder."""

    parse: Callable[[bytes, int], Any]
    check: Callable[[Any, int], tuple[Finding, ...]]
    decoder: ModelDecoder[Any]
    received_at: int
    rules: frozenset[str] = frozenset(RULES)
    code: str = "invalid_payload"


SNAPSHOT: Final = Contract(
    lambda data, at: parse_snapshot(data, received_at=at),
    lambda value, at: check_snapshot(value, received_at=at),
    ModelDecoder(Snapshot),
    NOON,
)
WINDOW: Final = Contract(
    lambda data, at: parse_window(data, received_at=at),
    lambda value, at: check_window(value, received_at=at),
    ModelDecoder(Window),
    RECEIVED_AT,
)
SITE: Final = Contract(
    lambda data, _: sitedata.parse(data),
    lambda value, _: sitedata.check(value).errors,
    ModelDecoder(sitedata.Snapshot),
    0,
    frozenset({*FAULTY_RULES, "json.text", "json.depth"}),
    "invalid_site_data",
)


def read(contract: Contract, data: bytes, received_at: int | None = None) -> Any | None:
    """Return the model of a body, or None; all ways to read it agree, and a refusal has findings.

    Invariants *accept or leave*, *two paths, one result*, *one verdict* and *nothing else is
    raised*; the bytes of a model are read as an equal one.
    """
    at = contract.received_at if received_at is None else received_at
    decoder = contract.decoder
    found = contract.check(data, at)
    fast = decoder.try_decode(data)
    model, error = _tried(lambda: contract.parse(data, at))
    if error is not None:
        codes = {"json.text": "invalid_json", "body.size": "payload_too_large"}
        assert 0 < len(found) <= limits.FINDINGS_CAP
        rules = {finding.rule for finding in (*error.findings, *found)}
        # The frames above decide how deep a text can be read, so which of two faults is met first.
        assert error.findings == found or rules == {"json.text", "json.depth"}
        assert rules <= contract.rules
        assert error.code == codes.get(error.findings[0].rule, contract.code)
        if fast is not None:  # neighbours, the clock or the size are at fault
            assert decoder.validate(json_text.decode(data)) == (fast, ())
        return None
    plain = json_text.decode(data)
    assert found == contract.check(plain, at) == contract.check(model, at) == ()
    assert decoder.validate(plain) == (decoder.decode(data), ()) == (model, ())
    written = unstructure(model)
    assert fast is None or repr(fast) == repr(model)
    again = contract.parse(json_text.encode(written), at)
    assert (again, repr(again)) == (model, repr(model))
    return model


def snapshot_body(data: bytes) -> None:
    """A snapshot that is accepted is shown wherever it may be."""
    model = read(SNAPSHOT, data)
    if model is not None:
        read_xml(render(SETTINGS.service_name, status_text(model), online=True))


def window_body(data: bytes) -> None:
    """A window that is accepted is stored, read back and drawn."""
    model = read(WINDOW, data)
    if model is not None:
        stored = window_record(model)
        assert decode_record(encode_record(stored), ITUNES) == stored
        read_xml(lanes(model))


def _tried(call: Callable[[], Any]) -> tuple[Any, ContractError | None]:
    """Return what was read, or the one error that may be raised."""
    try:
        return call(), None
    except ContractError as error:
        return None, error


def stored_record(data: bytes) -> None:
    """Any stored bytes are a whole record, which every view can show at any time, or none."""
    record = decode_record(data, ITUNES)
    if record is None:
        with suppress(TypeError):  # of the body of an upload
            assert explain(data, RECEIVED_AT, SETTINGS).reason == "corrupt"
        return
    assert decode_record(encode_record(record), ITUNES) == record
    received = record.received_at
    for now in (0, received - 1, received, received + 1, received + SPAN_MS, 2 * received):
        state = state_of(record, now=now, ttl_seconds=60)
        parts = [views.music(state), views.device(state)] if isinstance(state, Online) else []
        for view in (views.now(state), *parts):
            json.loads(json_text.encode(unstructure(view)), parse_constant=_refuse)
        if now not in SECONDS:
            assert isinstance(state, Online) == explain(data, now, SETTINGS).online
    if isinstance(record, WindowRecord):
        start = record.data.window_start
        read_xml(lanes(record.data, at=None if start in SECONDS else start))


def timeline_answer(data: bytes) -> None:
    """Any answer is taken or refused; a refused one changes nothing, a taken one can be shown."""
    player = Player()
    before = player.state
    outcome = player.accept(data, 0)
    if isinstance(outcome, Refused):
        assert player.state == before
        return
    again = player.accept(data, 0)
    assert not isinstance(again, Refused)
    playheads = []
    for moment in (0, 1, 60_000, SPAN_MS, FAR):
        view = player.view(moment)
        assert view.state in {"playing", "gap", "buffering", "offline"}
        assert (view.snapshot is None) == (view.state != "playing")
        playheads.append(view.at)
    known = [at for at in playheads if at is not None]
    assert known == sorted(known)


def checkpoint(data: bytes) -> None:
    """A recorder resumes from any bytes or says why not; what it gives then is valid."""
    recorder = Recorder.resume(data, now_ms=RECEIVED_AT)
    if not isinstance(recorder, Recorder):
        assert recorder.reason in {"unreadable", "invalid", "old", "ahead", "privacy"}
        return
    again = Recorder.resume(recorder.checkpoint(now_ms=RECEIVED_AT), now_ms=RECEIVED_AT)
    assert isinstance(again, Recorder)
    for each in (recorder, again):
        each.observe(snapshot(), wall_ms=RECEIVED_AT, monotonic_ms=1)
    one, other = (each.batch(now_ms=RECEIVED_AT) for each in (recorder, again))
    assert isinstance(one, Batch)
    assert one == other
    assert parse_window(one.body, received_at=RECEIVED_AT) == one.window


def health_tables(data: bytes) -> None:
    """Any bytes are rows and findings, or a file that is refused."""
    files = {f"csv/{table.file}": data for table in NATIVE.tables.values()}
    for dataset, table in NATIVE.tables.items():
        read, error = _tried(partial(read_rows, data, dataset, table))
        if error is not None:
            assert error.findings[0].path == f"/csv/{table.file}"
        else:
            assert read[1].total >= read[1].rejected_rows
    _check_profile(files)


def account_snapshot(data: bytes) -> None:
    """Any bytes are a snapshot whose public form is strict JSON, or refused as a file."""
    _check_profile({SNAPSHOT_FILE: data})
    try:
        value = json_text.decode(data)
    except (json_text.JsonTextError, json_text.JsonDepthError):
        return
    cleaned = clean(value)
    assert clean(cleaned) == cleaned


def _check_profile(files: Mapping[str, bytes]) -> None:
    profile, error = _tried(lambda: load("me", files, generated_at=STAMP))
    if error is not None:
        assert error.findings
        assert all(finding.path.removeprefix("/") in files for finding in error.findings)
        return
    plain = build_dashboard(profile)
    assert json.loads(json_text.encode(plain), parse_constant=_refuse) == plain
    read_xml(draw(profile.series("daily"), title="All"))


def column_map(data: bytes) -> None:
    """Any bytes are a column mapping, or every fault of them is reported."""
    columns, error = _tried(lambda: parse_column_mapping(data))
    if error is not None:
        assert error.findings
        return
    for dataset, table in columns.tables.items():
        names = sorted({table.date, *(name for _, name in table.sources())})
        header = ",".join(f'"{name.replace(chr(34), chr(34) * 2)}"' for name in names)
        with suppress(DataError):  # a name may be longer than a cell
            read_rows(f"{header}\n2026-01-01\n".encode(), dataset, table)


def site_file(data: bytes) -> None:
    """A file that is read is written again without a loss, counted and drawn."""
    found = read(SITE, data)
    if found is None:
        return
    assert json_text.decode(sitedata.encode(found)) == json_text.decode(data)
    read_xml(sitedata.heatmap(sitedata.calendar_of(found)))
    problems = sitedata.ordered(found.problems)
    assert sorted(map(repr, problems)) == sorted(map(repr, found.problems))
    counts = sitedata.counts(problems)
    assert counts.total <= counts.files == len(problems)


HISTORY: Final = History(
    ref="main",
    branch="main",
    commit="c0ffee" * 6 + "c0ff",
    remote="git@github.com:ada/practice.git",
    files=tuple(
        map(
            TreeFile,
            [b"codeforces/1234/A.cpp", b"kattis/x y.py", b"own/\xff.py", b"a/b/c/1.rs", b"x.md"],
        )
    ),
    commit_dates={b"kattis/x y.py": CommitDate("c0ffee" * 6 + "c0ff", 1_700_000_000, 540)},
    commit_count=3,
    contributions={"2026-01-01": 3},
)


def build_settings(data: bytes) -> None:
    """Any bytes are settings, or every fault is reported; what is built by them is publishable."""
    built, error = _tried(lambda: sitedata.build(HISTORY, read_config(data), generated_at=LATER))
    if error is not None:
        assert error.findings
        return
    report = sitedata.check(sitedata.encode(built.snapshot))
    assert (report.snapshot, report.findings) == (built.snapshot, ())


def request_of(data: bytes) -> tuple[str, bytes, list[tuple[bytes, bytes]], bytes]:
    """Split a raw request as no server would dare to: method, target, header lines, body."""
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    method, _, target = first.removesuffix(b" HTTP/1.1").partition(b" ")
    pairs = (line.partition(b":") for line in lines)
    headers = [(name.strip().lower(), value.strip(b" \t")) for name, _, value in pairs]
    return method.decode("latin-1"), target, headers, body


def device_http(data: bytes) -> None:
    """Whatever is asked has a documented answer, also when a record is there."""
    method, target, headers, body = request_of(data)
    world = FakeServer(Settings(TOKEN), files={})
    world.body = body
    for stored in (None, encode_record(window_record()), body):
        world.stored, world.now = stored, RECEIVED_AT
        _ask(world.service, world.perform, DEVICE, Request(method, _path(target), tuple(headers)))


@cache
def _health_client() -> HealthClient:
    return HealthClient()


def health_http(data: bytes) -> None:
    """Whatever is asked has a documented answer."""
    method, target, headers, _ = request_of(data)
    world = _health_client()
    request = Request(method, _path(target), tuple(headers), target.partition(b"?")[2])
    response = _ask(world.service, world.perform, HEALTH, request)
    assert response.status < 500


@cache
def _site_apps() -> tuple[Any, Any]:
    published = publish(body_of(1))
    return asgi_app(published, clock=lambda: LATER), wsgi_app(published, clock=lambda: LATER)


def site_http(data: bytes) -> None:
    """Both applications give the same documented answer to what a server can tell them."""
    method, target, headers, body = request_of(data)
    ours = [(name, value) for name, value in headers if name.replace(b"-", b"").isalnum()]
    one, other = _site_apps()
    answer = call_asgi(one, method, target, ours, [body])
    assert answer.status in {200, 204, 304, 404, 405}
    if len({name for name, _ in ours}) == len(ours):
        assert answer == call_wsgi(other, method, target, ours, [body])


def _path(target: bytes) -> bytes:
    return target.partition(b"?")[0]


def _ask(service: Any, perform: Any, product: Product, request: Request) -> Any:
    response = drive(service(request), perform)
    check(product, request, response)
    return response


PROPERTIES: Final[Mapping[str, Property]] = {
    "json": json_document,
    "snapshot": snapshot_body,
    "window": window_body,
    "record": stored_record,
    "timeline": timeline_answer,
    "checkpoint": checkpoint,
    "tables": health_tables,
    "account": account_snapshot,
    "columns": column_map,
    "site": site_file,
    "settings": build_settings,
    "device-http": device_http,
    "health-http": health_http,
    "site-http": site_http,
}
