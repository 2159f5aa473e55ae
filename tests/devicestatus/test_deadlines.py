"""The specification's "v1 deadline rules", and the two deadlines of a window."""

import pytest

from devicestatus.deadlines import is_unexpired
from status_contracts.instants import LAST_INSTANT
from support.devicestatus.examples import NOON


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
