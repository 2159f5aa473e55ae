"""Properties of parse and check: both paths and both functions agree, nothing else is raised.

Invariants *accept or leave*, *two paths, one result*, *one verdict*, *nothing else is raised* and
*findings quote no input*.  Bodies are valid ones, valid ones with members replaced, left out or put
in, and other values; `test_fuzz_properties` has damaged and arbitrary bytes.
"""

from collections.abc import Callable
from copy import deepcopy
from functools import partial
from typing import Any

import attrs
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from devicestatus import limits
from devicestatus.errors import ContractError
from devicestatus.models import Snapshot, Window
from devicestatus.testing.faults import (
    SNAPSHOT_RULES,
    WINDOW_RULES,
    InvalidValue,
    invalid_snapshots,
    invalid_windows,
)
from devicestatus.testing.strategies import (
    Received,
    plain_snapshots,
    plain_windows,
    snapshot_bodies,
    snapshots,
    window_bodies,
    windows,
)
from devicestatus.validation.cross_field import RULES
from devicestatus.validation.parse import check_snapshot, check_window, parse_snapshot, parse_window
from purewire.findings import Finding, Undecided
from purewire.json import codec
from purewire.structuring.decoder import ModelDecoder
from purewire.structuring.to_builtins import to_builtins
from purewire.testing.json_texts import json_texts

NOW = 1_767_268_800_000
SOME = settings(max_examples=60)
CANARY = "c4n4ry"
NUMBER = 7_700_077
"""Text and a number that stand in no message by themselves."""

SCALARS = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        1,
        -1,
        1.0,
        0.5,
        -0.0,
        100,
        101,
        2**53,
        2**64,
        1e308,
        "",
        "x",
        "System",
        "playing",
        "ac",
        "\x00",
        "\x7f",
        "\u2028",
        "x" * 201,
        "1",
        "2026-01-01T12:00:00.000Z",
        "2026-01-01T12:00:00Z",
        "https://music.apple.com/x",
        "https://a.mzstatic.com/x",
    ]
)
VALUES: st.SearchStrategy[object] = st.one_of(
    SCALARS,
    st.text(max_size=3),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.recursive(
        SCALARS,
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=4,
    ),
)
NAMES = st.sampled_from(
    ["collected_at", "music", "artwork_url", "track_url", "running_apps", "seq", "expires_at", ""]
) | st.text(max_size=3)


BODY_RULES = RULES.keys() - {"text.surrogate", "number.finite"}
"""The rules that any plain value can break which has a JSON text."""


@attrs.frozen(eq=False, repr=False)
class Kind:
    """One kind of body: how it is parsed and checked, its decoding paths and its strategies."""

    parse: Callable[..., Any]
    check: Callable[..., tuple[Finding, ...]]
    paths: ModelDecoder[Any]
    limit: int
    bodies: Callable[..., st.SearchStrategy[Received]]
    values: st.SearchStrategy[dict[str, Any]]
    models: st.SearchStrategy[Any]
    faulty: st.SearchStrategy[InvalidValue]


SNAPSHOT = Kind(
    parse_snapshot,
    check_snapshot,
    ModelDecoder(Snapshot, cap=limits.FINDINGS_CAP),
    limits.UPDATE_BODY_BYTES,
    snapshot_bodies,
    plain_snapshots(received_at=NOW),
    snapshots(),
    invalid_snapshots(*sorted(BODY_RULES & {*SNAPSHOT_RULES})),
)
WINDOW = Kind(
    parse_window,
    check_window,
    ModelDecoder(Window, cap=limits.FINDINGS_CAP),
    limits.BATCH_BODY_BYTES,
    partial(window_bodies, max_events=2),
    plain_windows(received_at=NOW, max_events=2),
    windows(),
    invalid_windows(*sorted(BODY_RULES & {*WINDOW_RULES})),
)
each_kind = pytest.mark.parametrize("kind", [SNAPSHOT, WINDOW], ids=["snapshot", "window"])


def hold(kind: Kind, body: bytes, received_at: int = NOW) -> bool:
    """Assert all properties for one body; return whether it is accepted."""
    findings = kind.check(body, received_at=received_at)
    assert {finding.rule for finding in findings} <= RULES.keys()
    assert len(findings) <= limits.FINDINGS_CAP
    try:
        model = kind.parse(body, received_at=received_at)
    except ContractError as error:
        hold_refusal(error, findings)
        hold_defers(kind, body)
        return False
    assert findings == ()
    hold_model(kind, body, model, received_at)
    return True


def hold_refusal(error: ContractError, findings: tuple[Finding, ...]) -> None:
    """Parse and check return the same findings, and the code matches them."""
    assert error.findings == findings
    codes = {"json.text": "invalid_json", "body.size": "payload_too_large"}
    assert error.code == codes.get(findings[0].rule, "invalid_payload")


def hold_defers(kind: Kind, body: bytes) -> None:
    """The fast path accepts a refused body only where neighbours, clock or size are at fault."""
    try:
        model = kind.paths._decoder.decode(body)
    except Undecided:
        return
    assert kind.paths.validate(codec.decode(body)) == (model, ())


def hold_model(kind: Kind, body: bytes, model: Any, received_at: int) -> None:
    """Both paths give the equal model, and it survives its own body."""
    plain = codec.decode(body)
    assert kind.paths.validate(plain) == (model, ())
    assert kind.check(plain, received_at=received_at) == ()
    assert kind.check(model, received_at=received_at) == ()
    try:
        assert repr(kind.paths._decoder.decode(body)) == repr(model)
        event("fast path")
    except Undecided:
        event("findings path")
    again = codec.encode(to_builtins(model))
    read = kind.parse(again, received_at=received_at)
    assert (read, repr(read)) == (model, repr(model))
    assert codec.encode(to_builtins(read)) == again


def places(value: object) -> list[tuple[Any, Any]]:
    """Return every member and item of a plain value, with what holds it."""
    if isinstance(value, dict):
        inner = [place for member in value.values() for place in places(member)]
        return [(value, name) for name in value] + inner
    if isinstance(value, list):
        inner = [place for item in value for place in places(item)]
        return [(value, index) for index in range(len(value))] + inner
    return []


@st.composite
def mutated(draw: st.DrawFn, values: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    """Draw plain values with one or two members replaced, left out, put in or moved."""
    value = deepcopy(draw(values))
    for _ in range(draw(st.integers(1, 2))):
        holders = places(value)
        if not holders:
            break
        holder, key = draw(st.sampled_from(holders))
        action = draw(st.sampled_from(["replace", "drop", "insert", "move"]))
        if action == "replace":
            holder[key] = draw(VALUES)
        elif action == "drop":
            del holder[key]
        elif action == "move":
            holder[key] = deepcopy(draw(st.sampled_from(holders))[0])
        elif isinstance(holder, dict):
            holder[draw(NAMES)] = draw(VALUES)
        else:
            holder.insert(key, draw(VALUES))
    return value


@each_kind
class TestBodies:
    @SOME
    @given(data=st.data())
    def test_valid_bodies(self, kind: Kind, data: Any) -> None:
        received = data.draw(kind.bodies())
        assert hold(kind, received.body, received.received_at)

    @SOME
    @given(data=st.data())
    def test_mutated_values_in_any_form(self, kind: Kind, data: Any) -> None:
        value = data.draw(mutated(kind.values))
        accepted = hold(kind, codec.encode(value))
        spelled = data.draw(json_texts(value))
        if len(spelled) <= kind.limit:
            assert hold(kind, spelled) == accepted

    @SOME
    @given(value=VALUES)
    def test_arbitrary_values(self, kind: Kind, value: object) -> None:
        if isinstance(value, str):  # text is no body, and no plain value of one
            with pytest.raises(TypeError):
                kind.check(value)
        else:
            assert kind.check(value) != ()
        assert not hold(kind, codec.encode(value))

    @SOME
    @given(data=st.data())
    def test_equal_models_have_equal_bytes_and_hashes(self, kind: Kind, data: Any) -> None:
        one, other = data.draw(kind.models), data.draw(kind.models)
        first, second = codec.encode(to_builtins(one)), codec.encode(to_builtins(other))
        assert (one == other) == (first == second)
        again, _ = kind.paths.validate(codec.decode(first))
        assert (again, hash(again)) == (one, hash(one))


@each_kind
class TestFastPath:
    """It is worth having: what clients write is read by it, and no fault gets past it."""

    @SOME
    @given(data=st.data())
    def test_it_takes_compact_bodies(self, kind: Kind, data: Any) -> None:
        model = data.draw(kind.models)
        body = codec.encode(to_builtins(model))
        if b"\\" not in body:
            assert kind.paths._decoder.decode(body) == model

    @SOME
    @given(data=st.data())
    def test_it_never_takes_a_faulty_body(self, kind: Kind, data: Any) -> None:
        faulty: InvalidValue = data.draw(kind.faulty)
        assert not hold(kind, body_of(faulty), faulty.received_at)


def body_of(faulty: InvalidValue) -> bytes:
    return faulty.value if isinstance(faulty.value, bytes) else codec.encode(faulty.value)


class TestNoQuotations:
    """Invariant *findings quote no input*: whatever a value holds, no message or path shows it."""

    @each_kind
    @SOME
    @given(data=st.data())
    def test_mutated_values(self, kind: Kind, data: Any) -> None:
        self._hold(kind.check, spoiled(data.draw(mutated(kind.values))))

    @settings(max_examples=60)
    @given(invalid_snapshots() | invalid_windows())
    def test_every_rule(self, faulty: InvalidValue) -> None:
        self._hold(check_snapshot, spoiled(faulty.value))
        self._hold(check_window, spoiled(faulty.value))

    def test_a_long_unknown_name_shows_its_first_64_code_points(self) -> None:
        name = "x" * 64 + CANARY
        found = check_snapshot({name: CANARY})
        assert not [finding for finding in found if CANARY in str(finding)]

    @pytest.mark.parametrize("body", [b"c4n4ry", b'{"c4n4ry', b'"\xffc4n4ry"', b"[c4n4ry]"])
    def test_broken_text(self, body: bytes) -> None:
        with pytest.raises(ContractError) as caught:
            parse_snapshot(body, received_at=NOW)
        assert CANARY not in f"{caught.value}{caught.value!r}"

    def _hold(self, check: Callable[..., tuple[Finding, ...]], value: object) -> None:
        found = check(value, received_at=NOW)
        assert found != ()
        error = ContractError("invalid_payload", found)
        shown = f"{error}{error!r}"
        assert CANARY not in shown
        assert str(NUMBER) not in shown


def spoiled(value: object) -> object:
    """Return a plain value with the canary in every text, and for every number."""
    if isinstance(value, dict):
        return {name: spoiled(member) for name, member in value.items()}
    if isinstance(value, list):
        return [spoiled(each) for each in value]
    if isinstance(value, str):
        return f"{value}{CANARY}"
    return NUMBER if type(value) in {int, float} else value
