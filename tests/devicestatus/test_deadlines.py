"""The specification's "v1 deadline rules", and the two deadlines of a window."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devicestatus.deadlines import (
    Deadline,
    is_unexpired,
    projection_deadline,
    snapshot_deadline,
    window_deadline,
)
from status_contracts.instants import LAST_INSTANT
from status_contracts.primitives import ABSENT, Absent
from support.devicestatus.examples import NOON
from support.vectors.engine import failures_of

ECO, REALTIME = 180, 60
lifetimes = st.integers(60, 3600)
instants = st.integers(1, 2**53)


class TestSnapshotDeadline:
    def test_deadlines_are_those_of_the_vectors(self) -> None:
        assert failures_of("devicestatus/deadlines") == []

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

    @given(st.integers())
    def test_the_projection_ends_first(self, window_end: int) -> None:
        assert projection_deadline(window_end) < window_deadline(window_end)


class TestResponses:
    """A response writes a deadline after the year 9999 as the last instant, which readers know."""

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
        assert is_unexpired(now, expires_at) is before
