"""Models as the bytes that the service accepts, or sends."""

import json
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import devicestatus
from devicestatus import limits, responses, strategies
from devicestatus.errors import ContractError
from devicestatus.parsing import encode
from devicestatus.responses import IconManifest, InstalledAppIcon
from status_contracts.instants import MINUTE_MS
from status_contracts.structuring.converter import unstructure
from support.devicestatus.examples import (
    BATTERY,
    COVERED_SONG,
    NOON,
    RECEIVED_AT,
    SONG,
    SYSTEM,
    WINDOW_END,
    event,
    snapshot,
    window,
)

ENVELOPE: dict[str, Any] = {"updated_at": NOON, "expires_at": NOON + 1, "collected_at": NOON}
ICON = InstalledAppIcon(
    "editor", "Editor", ("Edit",), "/api/icons/editor.png", "installed-app", "me", None
)
PLAYBACK = devicestatus.PlaybackInfo(at=NOON, window_end=WINDOW_END)
ANSWERS = [
    IconManifest(1, (ICON,)),
    responses.ActiveAppStatus(**ENVELOPE, active_app=None),
    responses.DeviceStatus(**ENVELOPE, device=responses.Device(BATTERY, SYSTEM)),
    responses.ErrorBody("not_found"),
    responses.Health("device-status"),
    responses.MusicStatus(**ENVELOPE, music=COVERED_SONG, playback=PLAYBACK),
    responses.OfflineStatus(),
    responses.OnlineStatus(
        NOON, "Editor", BATTERY, SYSTEM, SONG, updated_at=NOON, expires_at=NOON + 1
    ),
    responses.RunningAppsStatus(**ENVELOPE, running_apps=()),
    responses.SnapshotTimelineStatus(
        NOON, None, BATTERY, SYSTEM, SONG, server_time=NOON, updated_at=NOON, expires_at=NOON + 1
    ),
    responses.UpdateResult(updated_at=NOON, expires_at=NOON + 1),
    responses.WindowStatus(
        server_time=NOON,
        updated_at=NOON,
        expires_at=NOON + 1,
        window=window(events=(event(1, NOON),)),
    ),
]


def refusal(model: Any, **arguments: Any) -> ContractError:
    with pytest.raises(ContractError) as caught:
        encode(model, **arguments)
    return caught.value


class TestRoundTrip:
    @pytest.mark.parametrize("model", ANSWERS, ids=lambda model: type(model).__name__)
    def test_a_response_has_the_bytes_that_the_service_sends(self, model: Any) -> None:
        assert json.loads(encode(model)) == unstructure(model)


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
