"""The schedule of uploads: when the next one follows, its size, and the clock correction."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devicestatus import limits
from devicestatus.agent.delivery import Decision, Skew, UploadResponse, decide
from devicestatus.agent.uploads import UploadSchedule, WriteQuota
from purewire.instants import SECOND_MS

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


class TestDue:
    def test_the_first_upload_may_begin_at_once(self) -> None:
        assert UploadSchedule().is_due(-5)

    def test_the_next_one_follows_an_accepted_one_after_300_seconds(self) -> None:
        uploads = after(decided(ACCEPTED, UploadSchedule()))
        assert not uploads.is_due(START + 300 * SECOND_MS - 1)
        assert uploads.is_due(START + 300 * SECOND_MS)

    def test_failures_wait_longer_each_and_a_success_begins_anew(self) -> None:
        uploads = UploadSchedule()
        waits = []
        for _ in range(7):
            uploads = uploads.after_decision(decided(None, uploads), START)
            assert uploads.due_at is not None
            waits.append((uploads.due_at - START) // SECOND_MS)
        assert waits == [15, 30, 60, 120, 240, 300, 300]
        uploads = uploads.after_decision(decided(ACCEPTED, uploads), START)
        assert uploads.attempt == 1

    def test_after_stop_there_is_none(self) -> None:
        uploads = after(decided(UploadResponse(401, "unauthorized"), UploadSchedule()))
        assert uploads.is_stopped
        assert not uploads.is_due(START + 10**12)

    def test_a_decision_without_a_wait_means_the_regular_interval(self) -> None:
        uploads = after(Decision("drop", None, "words"))
        assert uploads.due_at == START + limits.UPLOAD_INTERVAL_MS


class TestBudget:
    """Invariant *consumed at the start*."""

    def test_a_write_is_spent_when_it_is_begun(self) -> None:
        uploads = UploadSchedule(WriteQuota(1)).after_start(START)
        assert not uploads.is_due(START)
        assert uploads.quota == WriteQuota(1).consume(START)

    def test_an_upload_that_is_not_due_cannot_begin(self) -> None:
        with pytest.raises(ValueError, match="no upload is due"):
            UploadSchedule(due_at=START).after_start(START - 1)

    def test_the_interval_is_never_delayed_by_a_full_budget(self) -> None:
        uploads, now = UploadSchedule(), START
        for _ in range(2 * 288):
            assert uploads.is_due(now)
            uploads = uploads.after_start(now).after_decision(decided(ACCEPTED, uploads), now)
            now += limits.UPLOAD_INTERVAL_MS


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
        assert attrs.evolve(settled, due_at=None).quota == uploads.quota
        uploads = settled
        now += step
