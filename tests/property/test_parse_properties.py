"""Properties of parse and check: both paths and both functions agree, nothing else is raised.

`fuzz_properties.read` has what holds for any bytes.  Bodies are valid ones, valid ones with members
replaced, left out or put in, and faulty ones; `test_fuzz_properties` has damaged bytes and
arbitrary ones.
"""

import json
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devicestatus import limits, strategies
from devicestatus.cross_field import RULES
from sitedata import strategies as site
from status_contracts import json_text
from status_contracts.findings import ContractError
from status_contracts.strategies import json_texts, json_values
from status_contracts.structuring.converter import unstructure
from support.devicestatus.examples import NOON
from support.faults.damage import VALUES, changed_values
from support.faults.fuzz_properties import SITE, SNAPSHOT, WINDOW, Contract, read
from support.vectors.cases import refused_bodies

SOME = settings(max_examples=60)
CANARY = "c4n4ry"
NUMBER = 7_700_077
"""Text and a number that stand in no message by themselves."""
ANY_VALUES = st.sampled_from(VALUES) | json_values()
BODY_RULES = RULES.keys() - {"text.surrogate", "number.finite"}
"""The rules that any plain value can break which has a JSON text."""


@attrs.frozen(eq=False, repr=False)
class Kind:
    """One kind of body: how it is read, and its strategies."""

    contract: Contract
    limit: int
    bodies: st.SearchStrategy[bytes]
    values: st.SearchStrategy[dict[str, Any]]
    models: st.SearchStrategy[Any]
    faulty: st.SearchStrategy[object]

    def accepts(self, body: bytes) -> bool:
        return read(self.contract, body, NOON) is not None

    def faults(self, value: object) -> tuple[Any, ...]:
        return self.contract.check(value, NOON)


KINDS = {
    "snapshot": Kind(
        SNAPSHOT,
        limits.UPDATE_BODY_BYTES,
        strategies.snapshot_bodies(received_at=NOON).map(lambda received: received.body),
        strategies.snapshots(received_at=NOON).map(unstructure),
        strategies.snapshots(),
        strategies.invalid_snapshots(*sorted(BODY_RULES & {*strategies.SNAPSHOT_RULES})).map(
            lambda faulty: faulty.value
        )
        | st.sampled_from([body for body, _ in refused_bodies("/api/update")]),
    ),
    "window": Kind(
        WINDOW,
        limits.BATCH_BODY_BYTES,
        strategies.window_bodies(received_at=NOON, max_events=2).map(
            lambda received: received.body
        ),
        strategies.windows(received_at=NOON, max_events=2).map(unstructure),
        strategies.windows(),
        strategies.invalid_windows(*sorted(BODY_RULES & {*strategies.WINDOW_RULES})).map(
            lambda faulty: faulty.value
        )
        | st.sampled_from([body for body, _ in refused_bodies("/api/batch")]),
    ),
    "site": Kind(
        SITE,
        1 << 20,
        site.bodies(),
        site.snapshots(3).map(unstructure),
        site.snapshots(),
        site.faulty_bodies().map(lambda faulty: faulty.body),
    ),
}
each_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@pytest.mark.rule("SD-JSON-10")
@each_kind
class TestBodies:
    """Invariants *accept or leave*, *two paths, one result*, *one error*, *round trip*."""

    @SOME
    @given(data=st.data())
    def test_changed_values_in_any_form(self, kind: Kind, data: Any) -> None:
        value = data.draw(changed_values(kind.values))
        accepted = kind.accepts(dumped(value))
        assert accepted == (kind.faults(value) == ())
        spelled = data.draw(json_texts(value))
        if len(spelled) <= kind.limit:
            assert kind.accepts(spelled) == accepted

    @SOME
    @given(value=ANY_VALUES)
    def test_arbitrary_values(self, kind: Kind, value: object) -> None:
        if isinstance(value, str):  # text is no body, and no plain value of one
            with pytest.raises(TypeError):
                kind.faults(value)
        else:
            assert kind.faults(value) != ()
        assert not kind.accepts(dumped(value))

    @SOME
    @given(data=st.data())
    def test_faulty_bodies(self, kind: Kind, data: Any) -> None:
        value = data.draw(kind.faulty)
        assert not kind.accepts(value if isinstance(value, bytes) else json_text.encode(value))

    @SOME
    @given(data=st.data())
    def test_equal_models_have_equal_bytes_and_hashes(self, kind: Kind, data: Any) -> None:
        one, other = data.draw(kind.models), data.draw(kind.models)
        first, second = json_text.encode(unstructure(one)), json_text.encode(unstructure(other))
        assert (one == other) == (first == second)
        again, _ = kind.contract.decoder.validate(json_text.decode(first))
        assert (again, hash(again)) == (one, hash(one))


def dumped(value: object) -> bytes:
    """Return JSON text of any plain value: integers of any length included."""
    return json.dumps(value, ensure_ascii=False).encode()


class TestFastPath:
    """It is worth having: what clients write is read by it."""

    @pytest.mark.parametrize("kind", [KINDS["snapshot"], KINDS["window"]], ids=["v1", "v2"])
    @SOME
    @given(data=st.data())
    def test_it_takes_compact_bodies(self, kind: Kind, data: Any) -> None:
        model = data.draw(kind.models)
        body = json_text.encode(unstructure(model))
        if b"\\" not in body:
            assert kind.contract.decoder.try_decode(body) == model


class TestNoQuotations:
    """Invariant *findings quote no input*: whatever a value holds, no message or path shows it."""

    @each_kind
    @SOME
    @given(data=st.data())
    def test_of_a_changed_or_faulty_value(self, kind: Kind, data: Any) -> None:
        value = spoiled(data.draw(changed_values(kind.values) | kind.faulty))
        found = kind.faults([value] if isinstance(value, str) else value)  # a text is no body
        assert found != ()
        error = ContractError("invalid_payload", found)
        shown = f"{error}{error!r}"
        assert CANARY not in shown
        assert str(NUMBER) not in shown


def spoiled(value: object) -> object:
    """Return a plain value with the canary in every text, and for every number."""
    if isinstance(value, bytes):
        try:
            return spoiled(json_text.decode(value))
        except ValueError:
            return [value.decode("latin-1") + CANARY]
    if isinstance(value, dict):
        return {name: spoiled(member) for name, member in value.items()}
    if isinstance(value, list):
        return [spoiled(each) for each in value]
    if isinstance(value, str):
        return f"{value}{CANARY}"
    return NUMBER if type(value) in {int, float} else value
