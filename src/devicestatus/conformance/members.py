"""Checks of every member of a body: required ones, unknown ones, times, versions, numbers."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from devicestatus.conformance.bodies import Plain, encode, event, gap, snapshot, window
from devicestatus.conformance.deployment import JSON_TYPE, SUITE, Deployment, post, read_back, write
from purewire.conformance.checks import Steps, expect, expect_equal

_Path = tuple[str | int, ...]
_Case = tuple[str, Plain]

_WINDOW_TIMES: Final[tuple[_Path, ...]] = (
    ("generated_at",),
    ("window_start",),
    ("window_end",),
    ("events", 0, "at"),
    ("gaps", 0, "start_at"),
    ("gaps", 0, "end_at"),
)


def _snapshot(now: int) -> Plain:
    """Return a snapshot without optional members."""
    body = snapshot(now)
    del body["running_apps"]
    return body


def _window(now: int) -> Plain:
    """Return a window with an event and a gap."""
    events = [event(1, now - 50_000, active_app="Editor")]
    gaps = [gap(now - 40_000, now - 30_000)]
    body = window(now - 60_000, now - 10_000, events=events, gaps=gaps)
    del body["baseline"]["running_apps"]
    return body


def _objects(value: object, path: _Path = ()) -> Iterator[_Path]:
    """Yield the path of every object in a value."""
    if isinstance(value, dict):
        yield path
        items: list[tuple[str | int, object]] = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    else:
        return
    for key, inner in items:
        yield from _objects(inner, (*path, key))


def _at(value: Plain, path: _Path) -> Any:  # noqa: ANN401 - any JSON value
    found: Any = value
    for key in path:
        found = found[key]
    return found


def _without_each(make: Callable[[int], Plain], now: int) -> Iterator[_Case]:
    """Yield a body without each of its members; members of `changes` are optional."""
    for path in _objects(make(now)):
        if path and path[-1] == "changes":
            continue
        for name in _at(make(now), path):
            body = make(now)
            del _at(body, path)[name]
            yield _pointer((*path, name)), body


def _with_another(make: Callable[[int], Plain], now: int) -> Iterator[_Case]:
    """Yield a body with an unknown member in each of its objects."""
    for path in _objects(make(now)):
        body = make(now)
        _at(body, path)["conformance"] = None
        yield _pointer(path), body


def _pointer(path: _Path) -> str:
    return "".join(f"/{key}" for key in path) or "the body"


def _rejects_all(path: str, what: str, cases: Iterator[_Case]) -> Steps:
    for place, body in cases:
        reply = yield from post(path, encode(body))
        expect_equal(f"status {what} {place}", reply.status, 400)
        expect_equal("Content-Type", reply.header("content-type"), JSON_TYPE)
        error = {"error": "invalid_payload"}
        expect(reply.json() == error, f"{error} {what} {place}", reply.body)


@SUITE.check(
    "members.of-a-snapshot",
    "DS-SNAPSHOT-03",
    "DS-DEVICE-05",
    "DS-TEXT-04",
    "DS-ERROR-05",
    "DS-SERVICE-01",
    writes=True,
)
def _required_in_snapshots(deployment: Deployment) -> Steps:
    """Every member of a snapshot but `running_apps` is required, at every level."""
    now = yield from deployment.now()
    yield from write("/api/update", encode(_snapshot(now)))
    yield from _rejects_all("/api/update", "without", _without_each(_snapshot, now))


@SUITE.check(
    "members.of-a-window", "DS-WINDOW-02", "DS-EVENT-08", "DS-GAP-06", "DS-ERROR-05", writes=True
)
def _required_in_windows(deployment: Deployment) -> Steps:
    """Every member of a window, its events and its gaps is required."""
    now = yield from deployment.now()
    yield from write("/api/batch", encode(_window(now)))
    yield from _rejects_all("/api/batch", "without", _without_each(_window, now))


@SUITE.check(
    "members.unknown", "DS-TEXT-05", "DS-EVENT-06", "DS-UPDATE-05", "DS-ERROR-05", writes=True
)
def _unknown_members(deployment: Deployment) -> Steps:
    """An unknown member is rejected in every object of a snapshot and of a window."""
    now = yield from deployment.now()
    what = "with an unknown member in"
    yield from _rejects_all("/api/update", what, _with_another(_snapshot, now))
    yield from _rejects_all("/api/batch", what, _with_another(_window, now))


@SUITE.check("members.times", "DS-WINDOW-18", "DS-TIME-01", "DS-ERROR-05", writes=True)
def _times_of_windows(deployment: Deployment) -> Steps:
    """Every time of a window has three fractional digits and `Z`."""
    now = yield from deployment.now()
    now -= now % 1_000  # whole seconds, so that the texts differ in form only

    def faults() -> Iterator[_Case]:
        for path in _WINDOW_TIMES:
            text = _at(_window(now), path)
            for other in (f"{text[:19]}Z", f"{text[:22]}Z", f"{text[:-1]}0Z", f"{text[:-1]}+00:00"):
                body = _window(now)
                _at(body, path[:-1])[path[-1]] = other
                if path == ("window_start",):
                    body["baseline"]["collected_at"] = other
                yield f"{_pointer(path)} {other}", body

    yield from write("/api/batch", encode(_window(now)))
    yield from _rejects_all("/api/batch", "for", faults())


@SUITE.check(
    "members.versions",
    "DS-VERSION-01",
    "DS-VERSION-03",
    "DS-SNAPSHOT-01",
    "DS-WINDOW-01",
    "DS-ERROR-05",
    writes=True,
)
def _versions(deployment: Deployment) -> Steps:
    """Each endpoint accepts its own version only; a snapshot of an older agent is accepted."""
    now = yield from deployment.now()
    yield from write("/api/update", encode(_snapshot(now)))
    yield from _rejects_all("/api/update", "for", iter([("a window", _window(now))]))
    yield from _rejects_all("/api/batch", "for", iter([("a snapshot", _snapshot(now))]))


@SUITE.check("members.doubles", "DS-JSON-11", "DS-DEVICE-01", "DS-ERROR-05", writes=True)
def _doubles(deployment: Deployment) -> Steps:
    """A number with a fraction is compared as the nearest double."""
    now = yield from deployment.now()
    for number, status in ((b"100.00000000000000001", 200), (b"100.00000000000002", 400)):
        body = encode(snapshot(now)).replace(b'"percent":55.5', b'"percent":' + number)
        reply = yield from post("/api/update", body)
        expect_equal(f"status for {number.decode()}", reply.status, status)


@SUITE.check("members.largest-text", "DS-RECORD-12", "DS-BODY-02", "DS-TEXT-06", writes=True)
def _largest_text(deployment: Deployment) -> Steps:
    """A window of nearly 524,288 bytes of two-byte characters is accepted and read back."""
    now = yield from deployment.now()
    events = [
        event(
            number, now - 50_000, running_apps=[f"{number} {app} {'é' * 194}" for app in range(64)]
        )
        for number in range(1, 21)
    ]
    body = window(now - 60_000, now - 10_000, events=events)
    result = yield from write("/api/batch", encode(body))
    reply = yield from read_back(deployment, "/api/timeline", result)
    expect(reply.object().get("window") == body, "the window as it was sent", reply.body[:200])
