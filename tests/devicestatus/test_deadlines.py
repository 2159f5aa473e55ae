"""The specification's "v1 deadline rules", and the two deadlines of a window."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devicestatus.engine.deadlines import (
    Deadline,
    is_before,
    projection_deadline,
    response_deadline,
    snapshot_deadline,
    window_deadline,
)
from purewire.absent import ABSENT, Absent
from purewire.instants import LAST_INSTANT
from support.devicestatus.examples import NOON, WINDOW_END

ECO, REALTIME = 180, 60
lifetimes = st.integers(60, 3600)
instants = st.integers(1, 2**53)


class TestSnapshotDeadline:
    @pytest.mark.parametrize("ttl", [ECO, REALTIME, 61, 3600])
    def test_under_the_policy_of_the_write_it_is_receive_time_plus_lifetime(self, ttl: int) -> None:
        stored = NOON + ttl * 1000
        assert snapshot_deadline(NOON, stored, ttl) == Deadline(stored, "stored")

    @pytest.mark.parametrize("ttl", [61, ECO, 3600])
    def test_raising_the_configuration_never_extends_a_record(self, ttl: int) -> None:
        stored = NOON + REALTIME * 1000
        assert snapshot_deadline(NOON, stored, ttl) == Deadline(stored, "stored")

    @pytest.mark.parametrize("ttl", [60, 61, 179])
    def test_lowering_the_configuration_shortens_a_record(self, ttl: int) -> None:
        stored = NOON + ECO * 1000
        assert snapshot_deadline(NOON, stored, ttl) == Deadline(NOON + ttl * 1000, "policy")

    @pytest.mark.parametrize("ttl", [60, ECO, 3600])
    def test_a_legacy_record_is_read_as_60_seconds(self, ttl: int) -> None:
        assert snapshot_deadline(NOON, ABSENT, ttl) == Deadline(NOON + 60_000, "legacy")

    def test_where_both_give_one_instant_the_record_itself_is_named(self) -> None:
        assert snapshot_deadline(NOON, NOON + 60_000, 60).rule == "stored"
        assert snapshot_deadline(NOON, ABSENT, 60).rule == "legacy"

    def test_one_millisecond_decides(self) -> None:
        assert snapshot_deadline(NOON, NOON + 60_001, 60) == Deadline(NOON + 60_000, "policy")
        assert snapshot_deadline(NOON, NOON + 59_999, 60) == Deadline(NOON + 59_999, "stored")

    @given(instants, lifetimes, lifetimes)
    def test_it_is_never_later_than_at_the_write(
        self, received: int, at_write: int, now: int
    ) -> None:
        stored = received + at_write * 1000
        deadline = snapshot_deadline(received, stored, now)
        assert deadline.at == received + min(at_write, now) * 1000
        assert deadline.at <= stored

    @given(instants, instants | st.just(ABSENT), lifetimes, lifetimes)
    def test_a_shorter_lifetime_never_yields_a_later_deadline(
        self, received: int, stored: int | Absent, one: int, other: int
    ) -> None:
        less, more = sorted((one, other))
        assert (
            snapshot_deadline(received, stored, less).at
            <= snapshot_deadline(received, stored, more).at
        )

    @given(instants, lifetimes)
    def test_a_legacy_record_never_lasts_longer_than_60_seconds(
        self, received: int, ttl: int
    ) -> None:
        assert snapshot_deadline(received, ABSENT, ttl) == Deadline(received + 60_000, "legacy")


class TestWindowDeadlines:
    """Both depend on `window_end` alone, so no late or repeated write can extend them."""

    def test_the_absolute_deadline_is_600_seconds_after_the_window(self) -> None:
        assert window_deadline(WINDOW_END) == WINDOW_END + 600_000

    def test_the_projection_ends_420_seconds_after_the_window(self) -> None:
        assert projection_deadline(WINDOW_END) == WINDOW_END + 420_000

    @given(st.integers())
    def test_the_projection_ends_first(self, window_end: int) -> None:
        assert projection_deadline(window_end) < window_deadline(window_end)


class TestResponses:
    """A response writes a deadline after the year 9999 as the last instant, which readers know."""

    def test_a_deadline_is_written_up_to_the_last_instant(self) -> None:
        assert response_deadline(LAST_INSTANT - 1) == LAST_INSTANT - 1
        assert response_deadline(LAST_INSTANT + 1) == LAST_INSTANT

    @pytest.mark.parametrize(
        ("now", "expires_at", "before"),
        [
            (NOON - 1, NOON, True),
            (NOON, NOON, False),
            (NOON + 1, NOON, False),
            (LAST_INSTANT - 1, LAST_INSTANT, True),
            (LAST_INSTANT, LAST_INSTANT, True),
            (LAST_INSTANT, LAST_INSTANT - 1, False),
        ],
    )
    def test_readers_take_the_last_instant_for_one_that_never_comes(
        self, now: int, expires_at: int, before: bool
    ) -> None:
        assert is_before(now, expires_at) is before
