"""Parse and check bodies: reading, size, errors, and that nothing else is raised.

`TestVectors` has every rule on both sides of its boundary; the other classes have what a vector
cannot state: kinds of bytes, plain values, models, messages, costs.
"""

import inspect
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from devicestatus.errors import ContractError
from devicestatus.models import Snapshot, Window
from devicestatus.parsing import (
    check_snapshot,
    check_window,
    encode,
    kind_of,
    parse_snapshot,
    parse_window,
)
from status_contracts.adapters.contract import body_bytes
from status_contracts.findings import Finding
from status_contracts.instants import to_datetime
from status_contracts.json_text import encode as to_json
from status_contracts.primitives import ABSENT
from support.devicestatus.entry_points import put, refusal, window_faults, window_refusal
from support.devicestatus.examples import (
    BATTERY,
    COVERED_SONG,
    NOON,
    RECEIVED_AT,
    SESSION,
    body,
    event,
    plain,
    snapshot,
    window,
)
from support.vectors.cases import cases_of

AN_INSTANT = "must be an int of milliseconds since the epoch"
MARK = b"\xef\xbb\xbf"
FULL = snapshot(music=COVERED_SONG, running_apps=("Editor",))
SNAPSHOT = plain(FULL)
BODY = json.dumps(SNAPSHOT).encode()
WINDOW = plain(window(events=(event(1, NOON),)))
ACCEPTED: tuple[str, list[str]] = ("accepted", [])
INVALID_JSON = ("invalid_json", ["json.text"])
FRAMES = 40
"""Frames that a verdict may need; the caller's stack must leave as many."""


def spelled(path: str, text: bytes) -> bytes:
    """Return the example body with a JSON text of one's own as the value of a member."""
    return json.dumps(put(SNAPSHOT, path, "@here@")).encode().replace(b'"@here@"', text)


def read(body: bytes) -> Snapshot:
    return parse_snapshot(body, received_at=NOON)


def at_depth(frames: int, body: bytes) -> tuple[str, list[str]]:
    """Return the refusal of a body with that many more frames on the caller's stack."""
    return at_depth(frames - 1, body) if frames else refusal(body)


def stack_left(frames: int, body: bytes) -> tuple[str, list[str]]:
    """Return the refusal of a body where only that many frames are left."""
    used = len(inspect.stack(0))
    return at_depth(sys.getrecursionlimit() - used - frames, body)


def sized(size: int) -> dict[str, Any]:
    """Return a valid plain value whose shortest body has that many bytes; its load has 3 digits."""
    value = put(SNAPSHOT, "system/load_1m", 100)
    apps = [f"{number:02}" + "\U0001f3b5" * 57 for number in range(64)]
    for missing in range(size - len(to_json(put(value, "running_apps", apps)))):
        apps[missing % 64] += "a"
    return put(value, "running_apps", apps)


@pytest.mark.rule(
    "DS-POLICY-07", "DS-SERVICE-01", "DS-SNAPSHOT-02", "DS-VERSION-03", "DS-WINDOW-18"
)
class TestVectors:
    """The cases of `vectors/devicestatus/parsing.json`, by every entry point."""

    CASES = cases_of("devicestatus/parsing")

    def test_a_body_a_plain_value_and_a_model_have_the_verdict_of_the_case(self) -> None:
        failures = []
        for case in self.CASES:
            given, expected = case["input"], case["expected"]
            text, time = body_bytes(given["body"]), given["received_at"]
            is_update = given["endpoint"] == "/api/update"
            refused = refusal if is_update else window_refusal
            check: Any = check_snapshot if is_update else check_window
            rules = [each["rule"] for each in expected.get("findings", ())]
            code = expected.get("error", "accepted")
            found = {"body": refused(text, received_at=time) == (code, rules)}
            for name, form in self._forms(text, code, is_update=is_update, time=time):
                faults = [
                    {"path": each.path, "rule": each.rule} for each in check(form, received_at=time)
                ]
                found[name] = faults == expected.get("findings", [])
            failures += [(case["id"], name) for name, is_right in found.items() if not is_right]
        assert failures == []

    @staticmethod
    def _forms(text: bytes, code: str, *, is_update: bool, time: int) -> Iterator[tuple[str, Any]]:
        """Yield the plain value and the model of a body, where Python has one."""
        yield "checked body", text
        if code == "accepted":
            model: Any = (parse_snapshot if is_update else parse_window)(text, received_at=time)
            yield "model", model
            yield "encoded", encode(model)
        if code in {"accepted", "invalid_payload"}:
            with suppress(RecursionError, ValueError):  # deeper or longer than Python reads
                plain = json.loads(text.removeprefix(MARK))
                yield "plain value", text if isinstance(plain, str) else plain


class TestBodies:
    """A body is bytes: UTF-8 JSON, nothing before or after it."""

    @pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
    def test_any_kind_of_bytes_is_a_body(self, kind: Callable[[bytes], bytes]) -> None:
        assert read(kind(BODY)) == FULL
        assert check_snapshot(kind(BODY), received_at=NOON) == ()
        assert refusal(kind(BODY.ljust(16_385)))[0] == "payload_too_large"

    @pytest.mark.parametrize(
        ("body", "kind"),
        [
            (b'{"schema_version":2}', "window"),
            (b'{"schema_version":1}', "snapshot"),
            (b'{"window_start":null}', "window"),
            (b'{"schema_version":3,"events":[]}', "window"),
            (b'{"baseline":{},"schema_version":"2"}', "window"),
            (b'{"collected_at":0,"events":[]}', "snapshot"),
            (b"{}", "snapshot"),
            (b"[2]", "snapshot"),
            (b"{", "snapshot"),
            (b"\xff", "snapshot"),
        ],
    )
    def test_what_is_like_no_window_counts_as_a_snapshot(self, body: bytes, kind: str) -> None:
        assert kind_of(body) == kind

    def test_a_surrogate_in_a_plain_value_is_found(self) -> None:
        for path in ("active_app", "music/track", "music/artwork_url"):
            (finding,) = check_snapshot(put(SNAPSHOT, path, "a\ud800"))
            assert (finding.path, finding.rule) == (f"/{path}", "text.surrogate")


class TestDepth:
    """Nesting up to 64 levels has the code of its text; deeper text is refused with either."""

    @pytest.mark.parametrize("depth", [1, 64])
    def test_nesting_up_to_64_levels_has_the_code_of_its_text(self, depth: int) -> None:
        opening, closing = b"[" * depth, b"]" * depth
        for text in (opening + closing, b'{"a":' * depth + b"{}" + b"}" * depth):
            assert refusal(text)[0] == "invalid_payload"
        for text in (
            opening,
            closing,
            opening + closing[1:],
            opening + closing + b"]",
            opening + b"}" + closing[1:],
            opening + b"," + closing,
            opening + b"01" + closing,
            opening + b'"\t"' + closing,
            opening + rb'"\ud800"' + closing,
            opening + b'"\xff"' + closing,
            opening + b'"a" "b"' + closing,
            opening + b'{"a" 1}' + closing,
            b'{"a":' * depth,
        ):
            assert refusal(text) == INVALID_JSON

    @pytest.mark.parametrize("depth", [65, 500, 2500])
    def test_deeper_text_is_refused(self, depth: int) -> None:
        for text in (b"[" * depth + b"]" * depth, b"[" * depth, b'{"a":' * depth):
            assert refusal(text)[0] in {"invalid_payload", "invalid_json"}

    @pytest.mark.parametrize("left", [FRAMES, 100])
    def test_a_deep_stack_of_the_caller_accepts_and_refuses_the_same(self, left: int) -> None:
        for depth in (2, 200, 2000):
            nested = b"[" * depth + b"]" * depth
            assert stack_left(left, nested)[0] == "invalid_payload"
            assert stack_left(left, nested[1:])[0] in {"invalid_payload", "invalid_json"}
        assert stack_left(left, BODY) == ACCEPTED
        assert stack_left(left, spelled("battery/percent", b"5e1")) == ACCEPTED
        assert stack_left(left, BODY[1:]) == INVALID_JSON


class TestCheck:
    """`check_…` returns the same findings for bodies, plain values and models."""

    def test_values_and_models_are_validated_by_the_size_of_their_body(self) -> None:
        apps = tuple(f"{number:02}" + "\U0001f3b5" * 80 for number in range(60))
        large = snapshot(running_apps=apps)
        for form in (large, plain(large)):
            assert [finding.rule for finding in check_snapshot(form)] == ["body.size"]

    def test_the_size_of_a_value_is_that_of_its_shortest_body(self) -> None:
        """A body may be as large, and longer where its numbers are written out."""
        value = put(sized(16_384), "system/load_1m", 100_000)
        text = to_json(value)
        assert len(text) == 16_384 + 3
        assert [finding.rule for finding in check_snapshot(value)] == ["body.size"]
        assert check_snapshot(text.replace(b"100000", b"1E5")) == ()
        assert check_snapshot(sized(16_384)) == ()

    def test_no_more_than_100_faults_are_found(self) -> None:
        many = dict.fromkeys(map(str, range(1000)))
        text = json.dumps(many).encode()
        assert len(check_snapshot(many)) == len(check_snapshot(text)) == 100
        assert len(refusal(text)[1]) == 100
        events = [plain(event(1, NOON - 1))] * 2048
        assert len(window_faults(put(WINDOW, "events", events))) == 100

    @pytest.mark.parametrize(
        ("wrong", "path", "message"),
        [
            (
                snapshot(collected_at=to_datetime(NOON)),
                "/collected_at",
                f"{AN_INSTANT}, not datetime: pass from_datetime(value)",
            ),
            (snapshot(collected_at=10**30), "/collected_at", "must be in the years 0001 to 9999"),
            (
                snapshot(collected_at=Decimal("Infinity")),
                "/collected_at",
                f"{AN_INSTANT}, not Decimal",
            ),
            (snapshot(battery=None), "/battery", "must be an instance of Battery, not NoneType"),
            (
                snapshot(battery={"percent": 5}),
                "/battery",
                "must be an instance of Battery, not dict: pass Battery(**value)",
            ),
            (
                snapshot(running_apps=["Editor"]),
                "/running_apps",
                "must be a tuple, not list: pass tuple(value)",
            ),
            (
                window(session_id=UUID(SESSION)),
                "/session_id",
                "must be text, not UUID: pass str(value)",
            ),
            (
                window(events=(event(1, NOON), {})),
                "/events/1",
                "must be an instance of WindowEvent, not dict: pass WindowEvent(**value)",
            ),
            (
                put(SNAPSHOT, "collected_at", to_datetime(NOON)),
                "/collected_at",
                "must be text, not datetime: pass format_instant(from_datetime(value))",
            ),
            (
                put(SNAPSHOT, "running_apps", ("Editor",)),
                "/running_apps",
                "must be an array, not tuple: pass list(value)",
            ),
            (put(SNAPSHOT, "battery", BATTERY), "/battery", "must be an object, not Battery"),
        ],
    )
    def test_a_python_value_of_another_type_is_a_finding_with_a_remedy(
        self, wrong: Any, path: str, message: str
    ) -> None:
        is_window = isinstance(wrong, Window)
        expected = (Finding(path, "type", message),)
        assert (check_window if is_window else check_snapshot)(wrong) == expected
        if isinstance(wrong, Window | Snapshot):
            with pytest.raises(ContractError) as refused:
                encode(wrong)
            assert refused.value.findings == expected

    @pytest.mark.parametrize(
        "value", [object(), {1: 2}, {None: 1}, ABSENT, (), {"a"}, 1j, Snapshot]
    )
    def test_a_value_that_is_no_json_is_a_finding(self, value: object) -> None:
        assert {finding.rule for finding in check_snapshot(value)} <= {"type", "required"}

    def test_subclasses_of_json_types_are_not_json(self) -> None:
        class Text(str):
            __slots__ = ()

        for path, value in (("active_app", Text("x")), ("running_apps", ("x",))):
            (finding,) = check_snapshot(put(SNAPSHOT, path, value))
            assert (finding.path, finding.rule) == (f"/{path}", "type")


class TestBytes:
    """A value that is not bytes is an error of the caller: TypeError with a clear message."""

    @pytest.mark.parametrize("read", [parse_snapshot, parse_window, check_snapshot, check_window])
    def test_text_is_not_bytes(self, read: Any) -> None:
        with pytest.raises(TypeError, match="bytes are needed, not str: encode the text as UTF-8"):
            read(body(SNAPSHOT).decode(), received_at=RECEIVED_AT)

    @pytest.mark.parametrize("parse", [parse_snapshot, parse_window], ids=lambda f: f.__name__)
    def test_plain_values_are_not_bytes(self, parse: Any) -> None:
        with pytest.raises(TypeError, match="bytes are needed, not dict"):
            parse(SNAPSHOT, received_at=RECEIVED_AT)


@pytest.mark.rule("DS-JSON-06")
class TestNothingElse:
    """Invariant *nothing else is raised*, and no body costs more than linear time."""

    def test_the_error_states_what_is_wrong_and_where(self) -> None:
        with pytest.raises(ContractError) as caught:
            read(body(put(SNAPSHOT, "battery/percent", 101)))
        assert str(caught.value) == (
            "invalid_payload: /battery/percent: must be 0 to 100 [number.range]"
        )
        assert caught.value.status == 400
