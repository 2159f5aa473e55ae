"""Vectors of device status: scenarios of playback and of a recorder, and decisions on responses."""

# ruff: noqa: E501 # tables of cases

import json
from collections.abc import Iterator
from typing import Any, Final

from devicestatus import Battery, Music, PrivacyRules, Recorder, Snapshot, System
from devicestatus.agent.delivery import decide, estimate_skew, parse_response
from devicestatus.agent.recorder import Batch, Invalid, OutOfOrder, Recorded
from devicestatus.engine.projection import prepare
from devicestatus.player.player import Accepted, Player, parse_timeline
from devicestatus.responses import WindowStatus
from purewire.primitives import ABSENT
from purewire.structuring.to_builtins import to_builtins
from support.devicestatus import playback_vectors
from support.devicestatus.examples import ACCEPTED, NOON, SESSION
from support.vectors.device_bodies import COVER, DROP, PAGE, SNAPSHOT, edited
from support.vectors.topics import Case, Json, Topic

__all__ = ["DELIVERY", "PLAYBACK", "RECORDER"]

DRAWN: Final = 8
"""Random scenarios in the file; the tests of the page draw more."""
OTHER: Final = "11111111-2222-4333-8444-555555555555"

# Playback

_SCENARIO_RULES: Final = {
    "warm-up, play, gap, outage and resume": "DS-PLAYER-06 DS-PLAYER-07 DS-PLAYER-11 DS-PLAYER-12 DS-PLAYER-13 DS-PLAYER-14 DS-PLAYER-18",
    "the window moved on while nothing was read": "DS-PLAYER-09 DS-PLAYER-10 DS-PLAYER-21",
    "losses that are one, and one of its own": "DS-PLAYER-10 DS-PLAYER-22",
    "in warm-up a window gives back what was lost": "DS-PLAYER-23",
    "a new session starts anew, the old one does not come back": "DS-PLAYER-08 DS-PLAYER-17 DS-PLAYER-03",
    "stale, repeated and rewound responses": "DS-PLAYER-02 DS-PLAYER-03 DS-PLAYER-04",
    "offline and back": "DS-PLAYER-05 DS-PLAYER-16",
    "v1 snapshots": "DS-PLAYER-19",
    "every reason of a gap, some touching, one at each end": "DS-PLAYER-13 DS-GAP-05",
    "events of one instant, at both ends, and a window without length": "DS-PROJECTION-03 DS-PROJECTION-06 DS-PLAYER-07",
    "a viewer's clock that goes back, and one that starts below zero": "DS-PLAYER-01 DS-PLAYER-02",
    "nonsense": "DS-PLAYER-15 DS-PLAYER-20 DS-VERSION-04",
}


def _playback_cases() -> Iterator[Case]:
    for scenario in playback_vectors.written_scenarios():
        yield _playback_case(scenario, _SCENARIO_RULES[scenario.name])
    for scenario in playback_vectors.drawn_scenarios(DRAWN):
        yield _playback_case(scenario, "DS-PLAYER-06 DS-PLAYER-13")


def _playback_case(scenario: playback_vectors.Scenario, rules: str) -> Case:
    steps = [{name: step[name] for name in step if name != "gives"} for step in scenario.steps]
    results = json.loads(json.dumps([step["gives"] for step in scenario.steps]))
    return Case(scenario.name, rules, {"steps": steps}, {"results": results})


def _run_playback(given: Json) -> Json:
    player, accepted = Player(), ""
    results: list[Any] = []
    for step in given["steps"]:
        if "accept" in step:
            outcome = player.accept(step["accept"].encode(), step["at"])
            if isinstance(outcome, Accepted):
                accepted = step["accept"]
                results.append({"accepted": outcome.mode})
            else:
                results.append({"refused": outcome.reason})
        elif "view" in step:
            results.append(playback_vectors.view_members(player.view(step["view"])))
        else:
            response = parse_timeline(accepted.encode(), player.catalog)
            assert isinstance(response, WindowStatus)
            results.append(list(playback_vectors.intervals(prepare(response.window))))
    return {"results": results}


PLAYBACK: Final = Topic(
    "devicestatus",
    "playback",
    "scenarios of a consumer: responses of the timeline, and views at times of a monotonic clock",
    _playback_cases,
    _run_playback,
)

# Recorder


def _sample(after: int, *, monotonic: int | None = None, **edits: Any) -> Json:
    """Return an observation so many ms after noon, on clocks that agree unless one is given."""
    state = edited(SNAPSHOT, {name.replace("__", "."): value for name, value in edits.items()})
    return {
        "observe": {name: state[name] for name in state if name != "collected_at"},
        "wall_ms": NOON + after,
        "monotonic_ms": after if monotonic is None else monotonic,
    }


def _batch(after: int, **options: Any) -> Json:
    return {"batch": NOON + after, **options}


def _alternate(times: int, every_ms: int, **options: Any) -> Json:
    """Return observations in which two apps take turns, the first at noon and `every_ms`."""
    apps = ["A", "B"]
    return {"alternate": apps, "times": times, "every_ms": every_ms, "from_ms": NOON, **options}


_STEPS: Final[tuple[tuple[str, str, list[Json]], ...]] = (
    ("the first sample is the baseline", "DS-AGENT-01 DS-WINDOW-12", [_batch(0), _sample(0), _batch(0)]),
    ("an equal sample adds no event", "DS-AGENT-02", [_sample(0), _sample(2000), _batch(2000)]),
    ("a change is one event", "DS-AGENT-02 DS-EVENT-07", [_sample(0), _sample(2000, active_app="Files"), _sample(4000, active_app=None, battery__percent=81), _batch(4000)]),
    ("two changes at one instant", "DS-AGENT-02 DS-EVENT-03", [_sample(0), _sample(2000, active_app="A"), _sample(2000, active_app="B"), _batch(2000)]),
    ("running apps that are missing stay", "DS-AGENT-18", [_sample(0), _sample(2000, running_apps=DROP), _sample(4000, running_apps=[]), _batch(4000)]),
    ("a sample that is invalid", "DS-AGENT-01", [_sample(0), _sample(2000, active_app=""), _sample(4000, music__artwork_url=COVER), _sample(6000, music__artwork_url=COVER, music__track_url=PAGE), _batch(6000)]),
    ("a time that goes back", "DS-AGENT-04", [_sample(5000), _sample(4999, active_app="A"), _sample(5000, active_app="B"), _batch(5000)]),
    ("a wall clock that is set forward", "DS-AGENT-15", [_sample(0), _sample(2000, monotonic=2000), _sample(9000, monotonic=4000), _sample(16_001, monotonic=6000), _batch(16_001)]),
    ("a wall clock that stands still while the other runs", "DS-AGENT-15", [_sample(0), _sample(2000, monotonic=7000), _sample(4000, monotonic=14_001), _batch(4000)]),
    ("a monotonic clock that begins again", "DS-AGENT-14", [_sample(0), _sample(2000, monotonic=2000), _sample(4000, monotonic=10), _batch(4000)]),
    ("a silence of 30 s", "DS-AGENT-16", [_sample(0), _sample(30_000), _batch(30_000)]),
    ("a silence of more than 30 s", "DS-AGENT-16", [_sample(0), _sample(30_001), _batch(30_001)]),
    ("a silence in which readings failed", "DS-AGENT-16", [_sample(0), {"failed": NOON + 10_000}, _sample(30_001), _batch(30_001)]),
    ("an observation of 30 s ago", "DS-AGENT-10", [_sample(0), _batch(30_000)]),
    ("an observation of 30.001 s ago", "DS-AGENT-10", [_sample(0), _batch(30_001)]),
    ("a batch before the last observation", "DS-AGENT-10", [_sample(5000), _batch(4999)]),
    ("numbers of batches and events continue", "DS-AGENT-03 DS-WINDOW-05", [_sample(0), _batch(0), _sample(1000, active_app="A"), _batch(1000), _sample(2000, active_app="B"), _batch(2000)]),
    ("the window slides", "DS-AGENT-05 DS-POLICY-02", [_sample(0), *(_sample(1000 * n, active_app=f"App {n}") for n in range(20, 900, 20)), *(_sample(1000 * n, active_app=f"App {n}") for n in (900, 920, 940)), _batch(900_000 + 40_000)]),
    ("an event exactly 900 s before the end", "DS-AGENT-05", [_sample(0), _sample(1, active_app="A"), *(_sample(n, active_app="A") for n in range(25_000, 900_000, 25_000)), _sample(900_001), _batch(900_001)]),
    ("gaps that are added", "DS-AGENT-08", [_sample(0), _sample(20_000), {"gap": [NOON + 5000, NOON + 8000], "reason": "sleep"}, {"gap": [NOON + 1000, NOON + 2000], "reason": "clock"}, _batch(20_000)]),
    ("gaps that touch and agree", "DS-AGENT-08", [_sample(0), _sample(20_000), {"gap": [NOON + 5000, NOON + 8000], "reason": "sleep"}, {"gap": [NOON + 8000, NOON + 9000], "reason": "sleep"}, _batch(20_000)]),
    ("gaps that overlap and differ", "DS-AGENT-08", [_sample(0), _sample(20_000), {"gap": [NOON + 5000, NOON + 8000], "reason": "sleep"}, {"gap": [NOON + 7000, NOON + 9000], "reason": "clock"}, _batch(20_000)]),
    ("gaps beyond both ends of the window", "DS-AGENT-08", [_sample(10_000), _sample(20_000), {"gap": [NOON, NOON + 12_000], "reason": "sleep"}, {"gap": [NOON + 19_000, NOON + 25_000], "reason": "overflow"}, _batch(20_000), _sample(30_000), _batch(30_000)]),
    ("an empty gap", "DS-AGENT-08", [_sample(0), _sample(20_000), {"gap": [NOON + 5000, NOON + 5000], "reason": "sleep"}, _batch(20_000)]),
    ("129 gaps", "DS-AGENT-09", [_sample(0), _sample(20_000), *({"gap": [NOON + 100 * n, NOON + 100 * n + 50], "reason": "sleep" if n else "clock"} for n in range(129)), _batch(20_000, summary=True)]),
    ("2049 events", "DS-AGENT-06", [_alternate(2050, 400), _batch(2049 * 400, summary=True)]),
    ("2048 events", "DS-AGENT-06", [_alternate(2049, 400), _batch(2048 * 400, summary=True)]),
    ("a limit of bytes, of compact text", "DS-AGENT-06 DS-AGENT-20", [_alternate(2001, 400, padding=150), _batch(2000 * 400, most_bytes=131_072, summary=True), _batch(2000 * 400, summary=True)]),
    ("a restart", "DS-AGENT-14 DS-AGENT-03", [_sample(0), _sample(2000, active_app="A"), _batch(2000), {"restart": NOON + 60_000, "saved": NOON + 3000}, _sample(60_000, monotonic=5, active_app="B"), _batch(60_000)]),
    ("a checkpoint of 900 s ago", "DS-AGENT-13", [_sample(0), {"restart": NOON + 900_000, "saved": NOON}]),
    ("a checkpoint of 900.001 s ago", "DS-AGENT-13", [_sample(0), {"restart": NOON + 900_001, "saved": NOON}]),
    ("a checkpoint of other privacy rules", "DS-AGENT-13 DS-WINDOW-04", [_sample(0), {"restart": NOON + 1000, "saved": NOON, "hidden": ["Secret"]}]),
    ("a checkpoint from the future", "DS-AGENT-13", [_sample(0), {"restart": NOON - 1, "saved": NOON}]),
    ("a change of privacy rules", "DS-WINDOW-04 DS-APP-03", [_sample(0), _sample(2000, active_app="Secret"), _batch(2000), {"hide": ["Secret"], "session_id": OTHER}, _batch(2000), _sample(4000, active_app="Secret"), _batch(4000)]),
    ("privacy rules that do not differ", "DS-WINDOW-04", [_sample(0), {"hide": [], "session_id": OTHER}, _batch(0)]),
    ("a hidden app among running apps", "DS-PRIVACY-01 DS-PRIVACY-02 DS-APP-07", [{"hide": ["secret"], "session_id": OTHER}, _sample(0, active_app="SECRET", running_apps=["Editor", "Secret", "s\u200becret"]), _batch(0)]),
)  # fmt: skip


def _recorder_cases() -> Iterator[Case]:
    for title, rules, steps in _STEPS:
        yield Case(title, rules, {"session_id": SESSION, "steps": steps})


class _Scenario:
    """A recorder and the results of its steps."""

    def __init__(self, session_id: str) -> None:
        self._recorder = Recorder(session_id, PrivacyRules())

    def step(self, step: Json) -> Any:
        """Return the result of a step."""
        if "observe" in step:
            return self._observe(step["observe"], step["wall_ms"], step["monotonic_ms"])
        if "alternate" in step:
            return self._alternate(step)
        if "batch" in step:
            return self._batch(step)
        if "gap" in step:
            start, end = step["gap"]
            self._recorder.gap(start, end, step["reason"])
        if "failed" in step:
            self._recorder.failed(step["failed"])
        if "hide" in step:
            return self._recorder.change_rules(_rules(step["hide"]), step["session_id"])
        if "restart" in step:
            return self._restart(step)
        return None

    def _observe(self, members: Json, wall_ms: int, monotonic_ms: int) -> object:
        sample = _sample_of(members)
        found = self._recorder.observe(sample, wall_ms=wall_ms, monotonic_ms=monotonic_ms)
        if isinstance(found, Recorded):
            return "baseline" if found.event is None else {"event": to_builtins(found.event)}
        if isinstance(found, OutOfOrder):
            return {"out_of_order_ms": found.by_ms}
        if isinstance(found, Invalid):
            return {"invalid": [{"path": each.path, "rule": each.rule} for each in found.findings]}
        return "unchanged"

    def _alternate(self, step: Json) -> None:
        for number in range(step["times"]):
            app = step["alternate"][number % 2] + "x" * step.get("padding", 0)
            after = number * step["every_ms"]
            self._observe({**_DEFAULT, "active_app": app}, step["from_ms"] + after, after)

    def _batch(self, step: Json) -> Json:
        most = {"most_bytes": step["most_bytes"]} if "most_bytes" in step else {}
        found = self._recorder.batch(now_ms=step["batch"], **most)
        if not isinstance(found, Batch):
            return {"not_ready": found.reason}
        window = to_builtins(found.window)
        if not step.get("summary"):
            return {"window": window}
        events = window.pop("events")
        ends = {"first_seq": events[0]["seq"], "last_seq": events[-1]["seq"]} if events else {}
        return {"window": window, "events": len(events), **ends}

    def _restart(self, step: Json) -> object:
        checkpoint = self._recorder.checkpoint(now_ms=step["saved"])
        rules = _rules(step.get("hidden", []))
        found = Recorder.resume(checkpoint, rules, now_ms=step["restart"])
        if not isinstance(found, Recorder):
            return {"not_resumed": found.reason}
        self._recorder = found
        return "resumed"


def _rules(names: list[str]) -> PrivacyRules:
    return PrivacyRules(names=frozenset(names))


_DEFAULT: Final[Json] = {name: SNAPSHOT[name] for name in SNAPSHOT if name != "collected_at"}


def _sample_of(members: Json) -> Snapshot:
    """Return a snapshot of members, which may break rules; its time does not matter."""
    apps = members.get("running_apps")
    return Snapshot(
        collected_at=NOON,
        active_app=members["active_app"],
        battery=Battery(**members["battery"]),
        system=System(**members["system"]),
        music=Music(**members["music"]),
        running_apps=ABSENT if apps is None else tuple(apps),
    )


RECORDER: Final = Topic(
    "devicestatus",
    "recorder",
    "scenarios of a device: samples, gaps, batches, restarts and changes of privacy rules",
    _recorder_cases,
    lambda given: {"results": list(map(_Scenario(given["session_id"]).step, given["steps"]))},
)

# Delivery

_DATE: Final = "Thu, 01 Jan 2026 12:00:00 GMT"  # noon
_CLOCK: Final = "DS-AGENT-19"
_DECISIONS: Final[tuple[tuple[str, str, Json, Json], ...]] = (
    ("an accepted snapshot", "DS-UPDATE-04", {"status": 200, "body": ACCEPTED.decode()}, {"action": "accepted", "wait_ms": None}),
    ("an accepted window", "DS-AGENT-11 DS-POLICY-01", {"upload": "window", "status": 200, "body": ACCEPTED.decode()}, {"action": "accepted", "wait_ms": 300_000}),
    ("an accepted write of a later version", "DS-VERSION-04", {"status": 200, "body": ACCEPTED.decode()[:-1] + ',"later":[1]}'}, {"action": "accepted", "wait_ms": None}),
    ("a 200 that is no result", "DS-UPDATE-04", {"status": 200, "body": "<html>Please log in</html>"}, {"action": "retry", "wait_ms": 15_000}),
    ("a 200 whose ok is false", "DS-UPDATE-04", {"status": 200, "body": ACCEPTED.decode().replace("true", "false")}, {"action": "retry", "wait_ms": 15_000}),
    ("a 202 with a result", "DS-UPDATE-04", {"status": 202, "body": ACCEPTED.decode()}, {"action": "retry", "wait_ms": 15_000}),
    ("no response to a snapshot", "DS-AGENT-12", {}, {"action": "retry", "wait_ms": 15_000}),
    ("no response to a window", "DS-AGENT-12", {"upload": "window"}, {"action": "retry", "wait_ms": 15_000}),
    *((f"failure {attempt} in a row", "DS-AGENT-12", {"attempt": attempt}, {"action": "retry", "wait_ms": wait}) for attempt, wait in ((2, 30_000), (3, 60_000), (4, 120_000), (5, 240_000), (6, 300_000), (7, 300_000), (1000, 300_000))),
    ("the smallest jitter", "DS-AGENT-12", {"attempt": 3, "jitter": 0.8}, {"action": "retry", "wait_ms": 48_000}),
    ("the smallest jitter of the longest wait", "DS-AGENT-12", {"attempt": 9, "jitter": 0.8}, {"action": "retry", "wait_ms": 240_000}),
    ("a service without a store", "DS-ERROR-02 DS-ERROR-04", {"status": 503, "code": "service_unavailable"}, {"action": "retry", "wait_ms": 15_000}),
    ("a proxy that fails", "DS-AGENT-12", {"status": 502, "body": "Bad Gateway"}, {"action": "retry", "wait_ms": 15_000}),
    ("too many requests", "DS-AGENT-12", {"status": 429}, {"action": "retry", "wait_ms": 15_000}),
    ("a wrong token", "DS-TOKEN-05 DS-ERROR-02", {"status": 401, "code": "unauthorized"}, {"action": "stop", "wait_ms": None}),
    ("a 401 without a code", "DS-ERROR-02", {"status": 401}, {"action": "stop", "wait_ms": None}),
    ("a code under another status", "DS-ERROR-02", {"status": 503, "code": "unauthorized"}, {"action": "retry", "wait_ms": 15_000}),
    ("an unknown path", "DS-ERROR-02", {"status": 404, "code": "not_found"}, {"action": "stop", "wait_ms": None}),
    ("a service without windows", "DS-BATCH-05", {"upload": "window", "status": 404, "code": "not_found"}, {"action": "stop", "wait_ms": None}),
    ("a path for reading", "DS-ERROR-02", {"status": 405, "code": "method_not_allowed"}, {"action": "stop", "wait_ms": None}),
    ("a redirect", "DS-AGENT-21", {"status": 301}, {"action": "stop", "wait_ms": None}),
    ("a temporary redirect of a window", "DS-AGENT-21", {"upload": "window", "status": 307}, {"action": "stop", "wait_ms": None}),
    ("an invalid snapshot", "DS-ERROR-05", {"status": 400, "code": "invalid_payload"}, {"action": "drop", "wait_ms": None}),
    ("an invalid window", "DS-ERROR-05", {"upload": "window", "status": 400, "code": "invalid_payload"}, {"action": "drop", "wait_ms": 15_000}),
    ("invalid JSON", "DS-ERROR-02", {"status": 400, "code": "invalid_json"}, {"action": "drop", "wait_ms": None}),
    ("another media type", "DS-ERROR-02", {"status": 415, "code": "unsupported_media_type"}, {"action": "drop", "wait_ms": None}),
    ("a snapshot that is too large", "DS-ERROR-02", {"status": 413, "code": "payload_too_large"}, {"action": "drop", "wait_ms": None}),
    ("a window that is too large", "DS-AGENT-20", {"upload": "window", "status": 413, "sent_bytes": 524_288}, {"action": "shrink", "wait_ms": 0, "most_bytes": 262_144}),
    ("a window that is too large at half the size", "DS-AGENT-20", {"upload": "window", "status": 413, "sent_bytes": 200_000}, {"action": "shrink", "wait_ms": 0, "most_bytes": 131_072}),
    ("a window that is too large at its smallest", "DS-AGENT-20", {"upload": "window", "status": 413, "sent_bytes": 131_072}, {"action": "drop", "wait_ms": 15_000}),
    ("a window just above the smallest", "DS-AGENT-20", {"upload": "window", "status": 413, "sent_bytes": 131_073}, {"action": "shrink", "wait_ms": 0, "most_bytes": 131_072}),
    ("a clock an hour ahead", _CLOCK, {"status": 400, "code": "invalid_payload", "date": _DATE, "sent_at": NOON + 3_600_000, "arrived_at": NOON + 3_600_000}, {"action": "fix-clock", "correction_ms": -3_599_000}),
    ("a clock an hour behind", _CLOCK, {"upload": "window", "status": 400, "code": "invalid_payload", "date": _DATE, "sent_at": NOON - 3_600_000, "arrived_at": NOON - 3_600_000}, {"action": "fix-clock", "wait_ms": 15_000}),
    ("a clock 120 s ahead at most", _CLOCK, {"status": 400, "code": "invalid_payload", "date": _DATE, "sent_at": NOON + 120_000, "arrived_at": NOON + 120_000}, {"action": "drop", "correction_ms": None}),
    ("a clock that may be 120.001 s ahead", _CLOCK, {"status": 400, "code": "invalid_payload", "date": _DATE, "sent_at": NOON + 120_001, "arrived_at": NOON + 120_001}, {"action": "fix-clock"}),
    ("a slow response that leaves the clock in doubt", _CLOCK, {"status": 400, "code": "invalid_payload", "date": _DATE, "sent_at": NOON, "arrived_at": NOON + 300_000}, {"action": "drop", "correction_ms": None}),
    ("a clock ahead, but the payload was not the fault", _CLOCK, {"status": 503, "code": "service_unavailable", "date": _DATE, "sent_at": NOON + 3_600_000, "arrived_at": NOON + 3_600_000}, {"action": "retry", "correction_ms": None}),
    ("a Date that cannot be read", _CLOCK, {"status": 400, "code": "invalid_payload", "date": "yesterday", "sent_at": NOON + 3_600_000, "arrived_at": NOON + 3_600_000}, {"action": "drop"}),
    ("a clock that was set back meanwhile", _CLOCK, {"status": 400, "code": "invalid_payload", "date": _DATE, "sent_at": NOON + 3_600_000, "arrived_at": NOON + 3_599_999}, {"action": "drop"}),
)  # fmt: skip


def _delivery_cases() -> Iterator[Case]:
    for title, rules, stated, expected in _DECISIONS:
        given: Json = {"upload": "snapshot", "attempt": 1, "jitter": 1, "response": None}
        response = {name: stated[name] for name in ("status", "body", "date") if name in stated}
        if "code" in stated:
            response["body"] = json.dumps({"error": stated["code"]})
        given |= {name: stated[name] for name in stated if name not in {*response, "code"}}
        given |= {"response": {"body": "", **response}} if response else {}
        yield Case(title, rules, given, expected)


def _run_delivery(given: Json) -> Json:
    stated, skew = given["response"], None
    response = None
    if stated is not None:
        response = parse_response(stated["status"], stated["body"].encode(), stated.get("date"))
        if "sent_at" in given:
            skew = estimate_skew(
                response.date_ms, sent_at=given["sent_at"], received_at=given["arrived_at"]
            )
    found = decide(
        response,
        upload=given["upload"],
        attempt=given["attempt"],
        jitter=given["jitter"],
        skew=skew,
        sent_bytes=given.get("sent_bytes"),
    )
    names = ("action", "wait_ms", "most_bytes", "correction_ms")
    return {name: getattr(found, name) for name in names}


DELIVERY: Final = Topic(
    "devicestatus",
    "delivery",
    "what an agent does after an upload: action, wait, size of the next window, clock correction",
    _delivery_cases,
    _run_delivery,
)
