"""What the engine of device status returns for the inputs of its vectors."""

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, Final

import attrs

from devicestatus import (
    Battery,
    ContractError,
    Music,
    PrivacyRules,
    Recorder,
    Settings,
    Snapshot,
    System,
    Window,
    parse_snapshot,
    parse_window,
)
from devicestatus import bodies as views
from devicestatus.agent.delivery import decide, estimate_skew, parse_response
from devicestatus.agent.recorder import Batch, Invalid, OutOfOrder, Recorded
from devicestatus.badge import status_text
from devicestatus.deadlines import projection_deadline, snapshot_deadline, window_deadline
from devicestatus.explanation import explain
from devicestatus.icons import IconIndex, check_manifest, index_icons, parse_manifest
from devicestatus.models import WindowGap
from devicestatus.music_urls import ITUNES
from devicestatus.player import Accepted, Player, View, parse_timeline
from devicestatus.projection import NoData, PreparedWindow, prepare
from devicestatus.record import decode_record
from devicestatus.responses import WindowStatus
from devicestatus.state import state_of
from status_contracts import json_text
from status_contracts.adapters.contract import body_bytes
from status_contracts.conditional import is_unmodified
from status_contracts.instants import clamp_instant, format_instant, parse_millisecond
from status_contracts.messages import Request
from status_contracts.primitives import ABSENT
from status_contracts.structuring.converter import unstructure
from support.devicestatus.examples import NOON
from support.vectors.cases import Json, Results, example, played_steps

_VALUE_BYTES: Final = 2_000
"""The value of a longer body is left out of the file."""


def parsing_result(given: Json) -> Json:
    """Return the verdict on a body."""
    body = body_bytes(given["body"])
    parse = parse_snapshot if given["endpoint"] == "/api/update" else parse_window
    try:
        model = parse(body, received_at=given["received_at"])
    except ContractError as error:
        found = [{"path": each.path, "rule": each.rule} for each in error.findings]
        return {"valid": False, "error": error.code, "findings": found}
    accepted: Json = {"valid": True}
    if len(body) <= _VALUE_BYTES:
        accepted["value"] = unstructure(model)
    return accepted


def deadline_result(given: Json) -> Json:
    if given["kind"] == "snapshot":
        stored = given["stored_expires_at"]
        kept = ABSENT if stored is None else stored
        deadline = snapshot_deadline(given["received_at"], kept, given["ttl_seconds"]).at
    else:
        rule = projection_deadline if given["kind"] == "projection" else window_deadline
        deadline = rule(given["window_end"])
    expires_at = format_instant(clamp_instant(deadline))
    return {"deadline": deadline, "expires_at": expires_at, "expired": given["now"] >= deadline}


def _window_of(plain: Json) -> Window:
    received_at = parse_millisecond(plain["generated_at"])
    return parse_window(json.dumps(plain).encode(), received_at=received_at)


def projection_result(given: Json) -> Json:
    prepared = prepare(_window_of(given["window"]))
    found = [prepared.project(now) for now in given["now"]]
    return {"states": [_projected(each) for each in found]}


def _projected(found: Any) -> Json:
    if not isinstance(found, NoData):
        return {"online": True, "state": unstructure(found)}
    plain: Json = {"online": False, "reason": found.reason}
    if found.gap is not None:
        plain["gap"] = unstructure(found.gap)
    return plain


def record_result(given: Json) -> Json:
    value = None if given["value"] is None else body_bytes(given["value"])
    now, ttl_seconds = given["now"], given["ttl_seconds"]
    record = decode_record(value, ITUNES)
    explanation = explain(record, now, Settings(None, ttl_seconds))
    timeline = views.timeline_json(record, now=now, ttl_seconds=ttl_seconds)
    is_corrupt = record is None and value is not None
    return {
        "now": "online" if explanation.online else "offline",
        "timeline": json.loads(timeline)["status"],
        "reason": "corrupt" if is_corrupt else explanation.reason,
    }


def view_result(given: Json) -> Json:
    record = decode_record(json.dumps(given["record"]).encode(), ITUNES)
    assert record is not None
    path, now, ttl = given["path"], given["now"], given["ttl_seconds"]
    if path == "/api/timeline":
        return {"body": json_text.decode(views.timeline_json(record, now=now, ttl_seconds=ttl))}
    state, icons = state_of(record, now=now, ttl_seconds=ttl), _icons(given["manifest"])
    bodies: dict[str, Callable[[], Any]] = {
        "/api/now": lambda: views.now(state),
        "/api/music": lambda: views.music(state),
        "/api/apps/active": lambda: views.active_app(state, icons),
        "/api/apps/running": lambda: views.running_apps(state, icons),
        "/api/device": lambda: views.device(state),
    }
    return {"body": unstructure(bodies[path]())}


def _icons(plain: Json | None) -> IconIndex:
    if plain is None:
        return IconIndex()
    manifest = parse_manifest(json.dumps(plain).encode())
    assert manifest is not None
    return index_icons(manifest)


def badge_result(given: Json) -> Json:
    state = given["state"]
    if state is None:
        return {"text": status_text(None)}
    snapshot = parse_snapshot(json.dumps(state).encode(), received_at=NOON)
    return {"text": status_text(snapshot)}


def icon_result(given: Json) -> Json:
    manifest = parse_manifest(json_text.encode(given["manifest"]))
    assert manifest is not None
    found = index_icons(manifest).describe(given["name"])
    assert found.name == given["name"]
    prefix, suffix = "/api/icons/", ".png"
    url = found.icon_api_url
    return {"icon": None if url is None else url.removeprefix(prefix).removesuffix(suffix)}


def manifest_result(given: Json) -> Json:
    findings = check_manifest(given["manifest"])
    is_valid = parse_manifest(json_text.encode(given["manifest"])) is not None
    found = [{"path": each.path, "rule": each.rule} for each in findings]
    return {"valid": is_valid, "findings": found}


def conditional_result(given: Json) -> Json:
    request, resource = given["request"], given["resource"]
    headers = [(b"if-none-match", line.encode()) for line in request["if_none_match"] or ()]
    since: Any = request["if_modified_since"]
    if since is not None:
        headers.append((b"if-modified-since", since.encode()))
    joined = Request(request["method"], b"/", tuple(headers)).joined
    conditions = joined(b"if-none-match"), joined(b"if-modified-since")
    unmodified = is_unmodified(*conditions, resource["etag"], resource["last_modified"])
    return {"status": 304 if unmodified else 200}


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
            self._recorder.add_gap(start, end, step["reason"])
        if "failed" in step:
            self._recorder.failed(step["failed"])
        if "hide" in step:
            return self._hide(_rules(step["hide"]), step["session_id"])
        if "restart" in step:
            return self._restart(step)
        return None

    def _observe(self, members: Json, wall_ms: int, monotonic_ms: int) -> object:
        sample = _sample_of(members)
        found = self._recorder.observe(sample, wall_ms=wall_ms, monotonic_ms=monotonic_ms)
        if isinstance(found, Recorded):
            return "baseline" if found.event is None else {"event": unstructure(found.event)}
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
        window = unstructure(found.window)
        if not step.get("summary"):
            return {"window": window}
        events = window.pop("events")
        ends = {"first_seq": events[0]["seq"], "last_seq": events[-1]["seq"]} if events else {}
        return {"window": window, "events": len(events), **ends}

    def _hide(self, rules: PrivacyRules, session_id: str) -> bool:
        """Continue by other rules: return whether that begins a new session."""
        now_ms = self._recorder.last_observed_at or NOON
        checkpoint = self._recorder.checkpoint(now_ms=now_ms)
        found = Recorder.resume(checkpoint, rules, now_ms=now_ms)
        is_new = not isinstance(found, Recorder)
        self._recorder = found if isinstance(found, Recorder) else Recorder(session_id, rules)
        return is_new

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


SNAPSHOT: Final[Json] = json.loads(example("devicestatus/parsing", "a-complete-snapshot"))
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


def delivery_result(given: Json) -> Json:
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


def played(steps: list[Json]) -> list[Any]:
    """Return the results of steps, which have the texts of responses."""
    player, accepted = Player(), ""
    results: list[Any] = []
    for step in steps:
        if "accept" in step:
            outcome = player.accept(step["accept"].encode(), step["at"])
            if isinstance(outcome, Accepted):
                accepted = step["accept"]
                results.append({"accepted": outcome.mode})
            else:
                results.append({"refused": outcome.reason})
        elif "view" in step:
            results.append(_view_members(player.view(step["view"])))
        else:
            response = parse_timeline(accepted.encode(), player.catalog)
            assert isinstance(response, WindowStatus)
            results.append(list(_intervals(prepare(response.window))))
    return results


def _gap(value: WindowGap | None) -> Json | None:
    return None if value is None else attrs.asdict(value)


def _snapshot(value: Snapshot | None) -> Json | None:
    return None if value is None else unstructure(value) | {"collected_at": value.collected_at}


def _view_members(view: View) -> Json:
    """Return the members of a view that are not null, by the names of the page's player."""
    members = {
        "state": view.state,
        "reason": view.reason,
        "gap": _gap(view.gap),
        "snapshot": _snapshot(view.snapshot),
        "mode": view.mode,
        "serverTime": view.server_time,
        "at": view.at,
        "delaySeconds": view.delay_seconds,
        "bufferedSeconds": view.buffered_seconds,
        "warmUpSeconds": view.warm_up_seconds,
        "lost": None if view.lost is None else attrs.asdict(view.lost),
        "nextChangeAt": view.next_change_at,
        "lastSeen": view.last_seen,
    }
    return {name: value for name, value in members.items() if value is not None}


def _intervals(prepared: PreparedWindow) -> Iterator[Json]:
    """Generate the intervals of a window between its changes."""
    stages = prepared.projections[1:]
    for (start, end), stage in zip(pairwise(prepared.change_times), stages, strict=False):
        if isinstance(stage, NoData):
            yield {"start": start, "end": end, "gap": _gap(stage.gap)}
        else:
            yield {"start": start, "end": end, "snapshot": _snapshot(stage)}


RESULTS: Final[Results] = {
    "parsing": parsing_result,
    "lifetimes": lambda given: {"seconds": Settings(None, given["configured"]).ttl_seconds},
    "deadlines": deadline_result,
    "projection": projection_result,
    "records": record_result,
    "views": view_result,
    "badges": badge_result,
    "icons": icon_result,
    "manifests": manifest_result,
    "conditional": conditional_result,
    "playback": lambda given: {"results": played(played_steps(given))},
    "recorder": lambda given: {
        "results": list(map(_Scenario(given["session_id"]).step, given["steps"]))
    },
    "delivery": delivery_result,
}
