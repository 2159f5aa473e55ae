"""The schedule of uploads: when the next one follows, its size, and the clock correction."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devicestatus.agent.delivery import Decision, Skew, UploadResponse, decide
from devicestatus.agent.uploads import UploadSchedule, WriteQuota
from devicestatus.models import Music, Snapshot
from status_contracts.instants import SECOND_MS
from support.devicestatus.examples import BATTERY, SYSTEM, snapshot

START = 1_000_000
ACCEPTED = UploadResponse(200, accepted=True)


def after(*decisions: Decision) -> UploadSchedule:
    """Return the schedule after decisions on uploads that began and ended at `START`."""
    uploads = UploadSchedule()
    for decision in decisions:
        uploads = uploads.after_decision(decision, START)
    return uploads


def decided(
    response: UploadResponse | None,
    uploads: UploadSchedule,
    skew: Skew | None = None,
    sent_bytes: int = 1000,
) -> Decision:
    return decide(
        response,
        upload="window",
        attempt=uploads.attempt,
        jitter=1,
        skew=skew,
        sent_bytes=sent_bytes,
    )


class TestWhatWasLearnt:
    def test_a_window_that_was_too_large_is_followed_at_once_by_a_smaller_one(self) -> None:
        too_large = UploadResponse(413, "payload_too_large")
        uploads = after(decided(too_large, UploadSchedule(), sent_bytes=400_000))
        assert uploads.most_bytes == 200_000
        assert uploads.is_due(START)
        uploads = uploads.after_decision(decided(ACCEPTED, uploads), START)
        assert uploads.most_bytes == 200_000

    def test_corrections_of_the_clock_add_up(self) -> None:
        refused = UploadResponse(400, "invalid_payload")
        skews = [Skew(200_000, 202_000), Skew(-130_000, -128_000)]
        uploads = after(*(decided(refused, UploadSchedule(), skew=skew) for skew in skews))
        assert uploads.correction_ms == -201_000 + 129_000


@given(
    st.lists(
        st.sampled_from(
            [ACCEPTED, None, UploadResponse(503), UploadResponse(413, "payload_too_large")]
        ),
        max_size=40,
    ),
    st.integers(0, 400_000),
)
def test_waits_are_kept_for_every_response(
    responses: list[UploadResponse | None], step: int
) -> None:
    """Invariant *decisions are followed*: never before the wait is over."""
    uploads, now = UploadSchedule(), START
    for response in responses:
        if not uploads.is_due(now):
            now += step
            continue
        uploads = uploads.after_start(now)
        decision = decided(response, uploads)
        settled = uploads.after_decision(decision, now)
        assert settled.due_at == now + (decision.wait_ms or 0)
        assert not settled.is_due(now + (decision.wait_ms or 0) - 1)
        uploads = settled
        now += step


INTERVAL_MS = 30 * SECOND_MS
EDITOR, MAIL = snapshot(active_app="Editor"), snapshot(active_app="Mail")
SENT = decide(ACCEPTED, attempt=1, jitter=1)
FAILED = decide(None, attempt=1, jitter=1)


def sent(quota: WriteQuota | None = None) -> UploadSchedule:
    """Return the schedule after the editor was sent at `START`."""
    schedule = UploadSchedule(INTERVAL_MS, quota or WriteQuota())
    return schedule.after_start(START, EDITOR).after_decision(SENT, START + 100)


@pytest.mark.rule("DS-QUOTA-08")
class TestChanges:
    """Invariant *changes are sent at once*."""

    @pytest.mark.parametrize(
        "changed",
        [
            MAIL,
            snapshot(active_app=None),
            snapshot(active_app="Editor", running_apps=()),
            snapshot(active_app="Editor", music=Music("stopped", None, None)),
        ],
    )
    def test_another_app_other_music_and_a_lock_are_due_at_once(self, changed: Snapshot) -> None:
        schedule = sent()
        assert not schedule.is_due(START + 101, EDITOR)
        assert schedule.is_due(START + 101, changed)
        after = schedule.after_start(START + 101, changed)
        assert not after.is_due(START + 102, changed)
        assert after.due_at == START + 101 + INTERVAL_MS

    def test_battery_load_and_other_running_apps_wait_for_the_interval(self) -> None:
        other = attrs.evolve(
            EDITOR, battery=BATTERY, system=SYSTEM, running_apps=("Mail",), collected_at=1
        )
        schedule = sent()
        assert not schedule.is_due(START + INTERVAL_MS - 1, other)
        assert schedule.is_due(START + INTERVAL_MS, other)
        assert schedule.wait_ms(START + INTERVAL_MS + 5) == 0

    def test_a_change_that_is_gone_when_it_may_be_sent_is_not_sent(self) -> None:
        quota = WriteQuota(1)  # no change may follow another within a day
        schedule = sent(quota).after_start(START + 200, MAIL).after_decision(SENT, START + 300)
        assert not schedule.is_due(START + 400, EDITOR)
        assert not schedule.is_due(START + 500, MAIL)

    def test_a_change_does_not_shorten_a_back_off(self) -> None:
        schedule = sent().after_decision(FAILED, START)
        assert schedule.attempt == 2
        assert not schedule.is_due(START + 15 * SECOND_MS - 1, MAIL)
        assert schedule.is_due(START + 15 * SECOND_MS, MAIL)
        assert schedule.after_decision(SENT, START).attempt == 1

    def test_an_upload_that_is_not_due_is_an_error(self) -> None:
        with pytest.raises(ValueError, match="no upload is due"):
            sent().after_start(START + 1, EDITOR)
