"""Arguments that would give a silent wrong answer are refused, with what to pass instead."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from devicestatus import explain, intervals, join_windows, prepare, total_durations
from devicestatus.adapters.agent import Agent, BufferedAgent
from devicestatus.adapters.upload_client import Destination
from devicestatus.agent.recorder import Recorder
from devicestatus.card import card
from devicestatus.deadlines import projection_deadline, snapshot_deadline, window_deadline
from devicestatus.models import Snapshot
from devicestatus.parsing import check_snapshot, check_window, encode, parse_snapshot, parse_window
from devicestatus.player import Player
from devicestatus.settings import Settings
from devicestatus.state import state_of
from devicestatus.timeline import lanes
from status_contracts.adapters.http_clients import UnusableUrl
from status_contracts.instants import SECONDS
from support.devicestatus.examples import (
    NOON,
    SESSION,
    TOKEN,
    body,
    plain,
    snapshot,
    window,
    window_record,
)

Call = Callable[[Any], object]
SETTINGS = Settings(TOKEN)
SNAPSHOT, WINDOW = body(plain(snapshot())), body(plain(window()))
PREPARED = prepare(window())
URL = "https://status.example"
WINDOWS = Destination.from_url(URL, TOKEN, upload="window")
SNAPSHOTS = Destination.from_url(URL, TOKEN)


def recorder() -> Recorder:
    return Recorder(SESSION)


PRESENT: dict[str, Call] = {
    "project": PREPARED.project,
    "explain": lambda now: explain(window_record(), now, SETTINGS),
    "lanes": lambda at: lanes(window(), at=at),
    "gap, its start": lambda at: recorder().add_gap(at, NOON, "sleep"),
    "gap, its end": lambda at: recorder().add_gap(NOON, at, "sleep"),
}
"""What readers and agents call with an instant: seconds are surely a mistake."""
ANY_INSTANT: dict[str, Call] = {
    "parse_snapshot": lambda at: parse_snapshot(SNAPSHOT, received_at=at),
    "parse_window": lambda at: parse_window(WINDOW, received_at=at),
    "check_snapshot": lambda at: check_snapshot(SNAPSHOT, received_at=at),
    "check_window": lambda at: check_window(window(), received_at=at),
    "encode": lambda at: encode(snapshot(), received_at=at),
    "state_of": lambda now: state_of(window_record(), now=now, ttl_seconds=60),
    "card": lambda at: card(window(), at=at),
    "failed": lambda at: recorder().failed(at),
    "batch": lambda at: recorder().batch(now_ms=at),
    "checkpoint": lambda at: recorder().checkpoint(now_ms=at),
    "resume": lambda at: Recorder.resume(b"", now_ms=at),
    "window_deadline": window_deadline,
    "projection_deadline": projection_deadline,
    "snapshot_deadline": lambda at: snapshot_deadline(at, NOON, 60),
}
"""What the service and its tests call: a clock may stand anywhere."""
MONOTONIC: dict[str, Call] = {
    "observe": lambda ms: recorder().observe(snapshot(), wall_ms=NOON, monotonic_ms=ms),
    "view": Player().view,
    "accept": lambda ms: Player().accept(b"{}", ms),
}


@pytest.mark.parametrize(
    ("value", "remedy"),
    [
        (NOON / 1000, r"float: pass int\(time\.time\(\) \* 1000\)"),
        (float(NOON), r"float: pass int\(time\.time\(\) \* 1000\)"),
        (True, r"bool: pass int\(time\.time\(\) \* 1000\)"),
        (str(NOON), r"str: pass int\(time\.time\(\) \* 1000\)"),
        (datetime(2026, 1, 1, tzinfo=UTC), r"datetime: pass from_datetime\(value\)"),
        (timedelta(1), r"timedelta: pass value // timedelta\(milliseconds=1\)"),
    ],
)
@pytest.mark.parametrize("name", [*PRESENT, *ANY_INSTANT])
def test_an_instant_is_an_int_of_milliseconds(name: str, value: object, remedy: str) -> None:
    with pytest.raises(TypeError, match=f"must be an int of milliseconds .*, not {remedy}$"):
        (PRESENT | ANY_INSTANT)[name](value)


@pytest.mark.parametrize("seconds", [SECONDS[0], NOON // 1000, SECONDS[-1]])
@pytest.mark.parametrize("name", PRESENT)
def test_seconds_are_no_instant(name: str, seconds: int) -> None:
    with pytest.raises(ValueError, match=r"looks like seconds: pass int\(time\.time\(\) \* 1000\)"):
        PRESENT[name](seconds)


@pytest.mark.parametrize("unusual", [0, -1, SECONDS[0] - 1, SECONDS[-1] + 1])
@pytest.mark.parametrize("name", PRESENT)
def test_other_instants_are_good(name: str, unusual: int) -> None:
    PRESENT[name](unusual)


@pytest.mark.parametrize("check", [check_snapshot, check_window])
@pytest.mark.parametrize("seconds", [True, False])
def test_a_receive_time_that_looks_like_seconds_is_named_where_the_clocks_differ(
    check: Callable[..., Any], seconds: bool
) -> None:
    received_at = NOON // 1000 if seconds else NOON - 10**9
    value = SNAPSHOT if check is check_snapshot else WINDOW
    (finding,) = check(value, received_at=received_at)
    assert finding.rule.endswith(".skew")
    assert ("received_at looks like seconds: pass int(" in finding.message) is seconds


@pytest.mark.parametrize("value", [5.0, True, None])
@pytest.mark.parametrize("name", MONOTONIC)
def test_a_monotonic_reading_is_an_int_of_milliseconds(name: str, value: object) -> None:
    remedy = r"int of milliseconds, not \w+: pass time\.monotonic_ns\(\) // 1_000_000$"
    with pytest.raises(TypeError, match=f"^monotonic_ms: must be an {remedy}"):
        MONOTONIC[name](value)


async def waits(at: int, _: object = None) -> Snapshot:
    return snapshot(collected_at=at)


class Waits:
    """A sample function with a state."""

    async def __call__(self, at: int, _: object = None) -> Snapshot:
        return snapshot(collected_at=at)


def sample(at: int, _: object = None) -> Snapshot:
    return snapshot(collected_at=at)


def upload(url: str = URL, token: Any = TOKEN, upload: Any = "window") -> Destination:
    return Destination.from_url(url, token, upload=upload)


def windows_of(**members: Any) -> object:
    filled: dict[str, Any] = {"sample": sample, "destination": WINDOWS}
    return BufferedAgent(**filled | members)


PASS_WINDOWS = r'pass Destination.from_url\(url, token, upload="window"\)$'
PASS_SNAPSHOTS = r'pass Destination.from_url\(url, token, upload="snapshot"\)$'
PLAIN = "must be a plain function, not async: .* call asyncio.run"
PASS_RECORD = r"pass WindowRecord\(received_at, window, window_deadline\(window.window_end\)\)"
LENGTH = "token: must have 32 to 1024 characters without white space, as INGEST_TOKEN"

Refusals = dict[str, tuple[Callable[[], object], str]]
OF_ANOTHER_TYPE: Refusals = {
    "a text authorizes": (
        lambda: Settings(TOKEN).ingest_token.authorizes(f"Bearer {TOKEN}"),  # type: ignore[union-attr,arg-type]
        r'lines: must be of type tuple, not str: pass \(b"Bearer ..."',
    ),
    "bytes authorize": (
        lambda: Settings(TOKEN).ingest_token.authorizes(b"Bearer x"),  # type: ignore[union-attr,arg-type]
        "not bytes: pass",
    ),
    "a window is explained": (
        lambda: explain(window(), NOON, SETTINGS),
        f"record: must be a record or its stored bytes, not Window: {PASS_RECORD}",
    ),
    "a snapshot is explained": (
        lambda: explain(snapshot(), NOON, SETTINGS),
        r"not Snapshot: .*SnapshotRecord\(received_at, snapshot\)",
    ),
    "a body is explained": (
        lambda: explain(WINDOW, NOON, SETTINGS),
        f"record: is the body of an upload: parse it, and {PASS_RECORD}",
    ),
    "a snapshot is prepared": (
        lambda: prepare(snapshot()),  # type: ignore[arg-type]
        "window: must be of type Window, not Snapshot: pass parse_window",
    ),
    "a body is prepared": (
        lambda: prepare(WINDOW),  # type: ignore[arg-type]
        r"window: must be of type Window, not bytes: pass parse_window\(body, received_at=...\)$",
    ),
    "a record is drawn": (
        lambda: lanes(window_record()),  # type: ignore[arg-type]
        "window: must be of type Window, not WindowRecord: pass parse_window",
    ),
    "intervals of a snapshot": (
        lambda: intervals(snapshot(), "active_app"),  # type: ignore[call-overload]
        "window: must be of type Window, not Snapshot",
    ),
    "durations of a text": (
        lambda: total_durations("Editor"),  # type: ignore[arg-type]
        r"span: must be of type Interval, not str: pass what intervals\(window, member\) returns$",
    ),
    "one window is joined": (
        lambda: join_windows(window()),  # type: ignore[arg-type]
        r"windows: must be several, not one Window: pass \[window\]$",
    ),
    "bodies are joined": (
        lambda: join_windows([window(), WINDOW]),  # type: ignore[list-item]
        "window: must be of type Window, not bytes: pass parse_window",
    ),
    "text is played": (
        lambda: Player().accept("{}", 1),  # type: ignore[arg-type]
        "bytes are needed, not str",
    ),
    "no token": (lambda: upload(token=None), "not NoneType: is INGEST_TOKEN set"),
    "a URL for windows": (
        lambda: windows_of(destination=URL),
        f"destination: must be of type Destination, not str: {PASS_WINDOWS}",
    ),
    "the path of a checkpoint": (
        lambda: windows_of(checkpoints="agent.json"),
        r"^checkpoints: must be of type CheckpointFile, not str: pass CheckpointFile\(path\)$",
    ),
    "a sample in place of its function": (
        lambda: windows_of(sample=snapshot()),
        "sample: must be a function, not Snapshot",
    ),
    "an async function": (lambda: windows_of(sample=waits), f"^sample: {PLAIN}"),
    "a part of one": (lambda: windows_of(sample=partial(waits, 0)), PLAIN),
    "an object of one": (lambda: windows_of(sample=Waits()), PLAIN),
}
OF_ANOTHER_VALUE: Refusals = {
    "intervals of no member": (
        lambda: intervals(window(), "app"),  # type: ignore[call-overload]
        "member: must be one of active_app, running_apps, music, battery, system, not 'app'$",
    ),
    "uploads of no kind": (
        lambda: upload(upload="batch"),
        "^upload: must be snapshot or window, not 'batch'$",
    ),
    "a short token": (lambda: upload(token="x" * 31), f"{LENGTH}.* has 31$"),
    "a long token": (lambda: upload(token="x" * 1025), f"{LENGTH}.* has 1025$"),
    "a token in two words": (lambda: upload(token="x " * 30), LENGTH),
    "a destination of snapshots for windows": (
        lambda: windows_of(destination=SNAPSHOTS),
        f"destination: is one of uploads of a snapshot: {PASS_WINDOWS}",
    ),
    "a destination of windows for snapshots": (
        lambda: Agent(sample, WINDOWS, 1000),
        f"destination: is one of uploads of a window: {PASS_SNAPSHOTS}",
    ),
}
URLS: Refusals = {
    "the URL of an endpoint": (
        lambda: upload(f"{URL}/api/batch/"),
        "the URL must be that of the service: leave out /api/batch$",
    ),
    "the URL of the other endpoint": (
        lambda: upload(f"{URL}/below/api/update"),
        "leave out /api/update$",
    ),
}
REFUSED: dict[type[Exception], Refusals] = {
    TypeError: OF_ANOTHER_TYPE,
    ValueError: OF_ANOTHER_VALUE,
    UnusableUrl: URLS,
}


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in REFUSED for name in REFUSED[kind]]
)
def test_a_wrong_argument_is_refused_with_the_remedy(kind: type[Exception], name: str) -> None:
    call, message = REFUSED[kind][name]
    with pytest.raises(kind, match=message) as raised:
        call()
    assert TOKEN not in str(raised.value)
