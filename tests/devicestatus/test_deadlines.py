"""The specification's "v1 deadline rules", and the two deadlines of a window."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devicestatus.deadlines import (
    is_unexpired,
    snapshot_deadline,
)
from status_contracts.instants import LAST_INSTANT
from support.devicestatus.examples import NOON
from support.vectors.engine import failures_of

ECO, REALTIME = 180, 60
lifetimes = st.integers(60, 3600)
instants = st.integers(1, 2**53)


class TestSnapshotDeadline:
    def test_deadlines_are_those_of_the_vectors(self) -> None:
        assert failures_of("devicestatus/deadlines") == []

    @given(instants, lifetimes, lifetimes)
    def test_it_is_never_later_than_at_the_write(
        self, received: int, at_write: int, now: int
    ) -> None:
        stored = received + at_write * 1000
        deadline = snapshot_deadline(received, stored, now)
        assert deadline.at == received + min(at_write, now) * 1000
        assert deadline.at <= stored


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
