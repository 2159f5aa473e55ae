"""Models as the bytes that the service accepts, or sends."""

import json
from operator import attrgetter
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import devicestatus
from devicestatus import limits, responses, strategies
from devicestatus.errors import ContractError
from devicestatus.parsing import encode
from status_contracts.instants import MINUTE_MS
from status_contracts.structuring.converter import unstructure
from support.devicestatus.examples import BATTERY, NOON, RECEIVED_AT, SONG, snapshot, window


def refusal(model: Any, **arguments: Any) -> ContractError:
    with pytest.raises(ContractError) as caught:
        encode(model, **arguments)
    return caught.value


@pytest.mark.parametrize("model", sorted(responses.BODIES, key=attrgetter("__name__")))
@given(st.data())
def test_a_response_has_the_bytes_that_the_service_sends(model: type, data: st.DataObject) -> None:
    value = data.draw(strategies.VALUES.of(model))
    assert json.loads(encode(value)) == unstructure(value)


class TestRefusals:
    @pytest.mark.parametrize(
        ("model", "rule"),
        [
            (snapshot(active_app=""), "text.length"),
            (snapshot(music=attrs.evolve(SONG, artwork_url=None)), "music.pair"),
            (snapshot(collected_at=10**18), "type"),
            (window(batch_seq=0), "number.range"),
            (responses.ErrorBody("unknown"), "constant"),  # type: ignore[arg-type]
            (responses.UpdateResult(updated_at=10**18, expires_at=NOON), "type"),
        ],
    )
    def test_what_the_service_would_refuse_is_not_encoded(self, model: Any, rule: str) -> None:
        error = refusal(model)
        assert (error.code, error.findings[0].rule) == ("invalid_payload", rule)

    def test_too_many_bytes_are_refused(self) -> None:
        apps = tuple(f"{n:02}" + "\U0001f3b5" * 198 for n in range(limits.RUNNING_APPS))
        error = refusal(snapshot(running_apps=apps))
        assert (error.code, error.status) == ("payload_too_large", 413)
        assert [finding.rule for finding in error.findings] == ["body.size"]

    @pytest.mark.parametrize(
        ("model", "rule"), [(snapshot(), "snapshot.skew"), (window(), "window.skew")]
    )
    def test_clock_rules_need_the_receive_time(self, model: Any, rule: str) -> None:
        late = RECEIVED_AT + 60 * MINUTE_MS
        assert encode(model)
        assert [finding.rule for finding in refusal(model, received_at=late).findings] == [rule]

    @pytest.mark.parametrize("value", [{}, b"{}", "text", None, BATTERY])
    def test_other_values_are_no_models(self, value: Any) -> None:
        with pytest.raises(TypeError, match=f"needed, not {type(value).__name__}"):
            encode(value)


@given(st.one_of(strategies.snapshots(), strategies.windows()), st.data())
def test_encode_and_check_have_one_verdict(model: Any, data: st.DataObject) -> None:
    """Also where a member was replaced by any other."""
    name = data.draw(st.sampled_from([field.name for field in attrs.fields(type(model))]))
    spoilt = attrs.evolve(model, **{name: data.draw(st.sampled_from([None, "", -1, 10**20, ()]))})
    check = devicestatus.check_window
    if isinstance(model, devicestatus.Snapshot):
        check = devicestatus.check_snapshot
    findings = check(spoilt)
    if findings:
        assert refusal(spoilt).findings == findings
    else:
        assert encode(spoilt)
