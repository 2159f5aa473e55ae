"""A day's writes: how many, how evenly, and the effect of a clock that jumps."""

import pytest

from devicestatus.agent.uploads import WriteQuota
from status_contracts.instants import DAY_MS
from support.devicestatus.examples import NOON

MIDNIGHT = NOON - DAY_MS // 2


def writes_whenever_allowed(quota: WriteQuota, begin: int, end: int) -> list[int]:
    """Write whenever it is allowed, from `begin` until `end`, which is excluded."""
    times, now = [], begin + quota.wait_ms(begin)
    while now < end:
        quota = quota.consume(now)
        times.append(now)
        now += quota.wait_ms(now)
    return times


@pytest.mark.rule("DS-QUOTA-02")
class TestBudget:
    @pytest.mark.parametrize("writes", [0, -1])
    def test_a_day_without_a_write_is_refused(self, writes: int) -> None:
        with pytest.raises(ValueError, match="must be >= 1"):
            WriteQuota(writes)

    @pytest.mark.parametrize(
        ("writes", "burst", "interval_ms"),
        [
            (1, 1, DAY_MS),
            (2, 1, DAY_MS // 2),
            (3, 1, DAY_MS // 3),
            (99, 1, 872_728),
            (199, 1, 434_171),
            (288, 2, 301_046),
            (1000, 10, 87_185),
            (10_000, 100, 8_727),
            (10**12, 10**10, 1),
        ],
    )
    def test_the_burst_is_a_hundredth_and_the_pace_what_is_left_of_the_day_by_the_rest(
        self, writes: int, burst: int, interval_ms: int
    ) -> None:
        assert (WriteQuota(writes).burst, WriteQuota(writes).interval_ms) == (burst, interval_ms)


class TestWait:
    def test_after_the_burst_it_is_one_pace(self) -> None:
        quota = WriteQuota()
        for _ in range(9):
            quota = quota.consume(NOON)
            assert quota.wait_ms(NOON) == 0
        quota = quota.consume(NOON)
        assert quota.wait_ms(NOON) == 87_185
        assert quota.wait_ms(NOON + 87_184) == 1
        assert quota.wait_ms(NOON + 87_185) == 0
        assert quota.wait_ms(NOON + DAY_MS) == 0


class TestSpend:
    def test_there_is_no_write_while_there_is_a_wait(self) -> None:
        quota = WriteQuota(1).consume(NOON)
        with pytest.raises(ValueError, match="no write may be made now"):
            quota.consume(NOON + DAY_MS - 1)
        assert quota.consume(NOON + DAY_MS).wait_ms(NOON + DAY_MS) == DAY_MS


@pytest.mark.rule("DS-QUOTA-05")
class TestDay:
    """Invariants *a day's writes* and *evenly*, of an agent that writes whenever it may."""

    @pytest.mark.parametrize("writes", [1, 2, 24, 100, 288, 1000, 2880])
    def test_a_utc_day_has_its_writes_and_the_last_is_near_its_end(self, writes: int) -> None:
        times = writes_whenever_allowed(WriteQuota(writes), MIDNIGHT, MIDNIGHT + 3 * DAY_MS)
        for day in range(3):
            begin = MIDNIGHT + day * DAY_MS
            today = [time for time in times if begin <= time < begin + DAY_MS]
            assert writes - WriteQuota(writes).burst <= len(today) <= writes
            assert today[-1] >= begin + DAY_MS - 2 * WriteQuota(writes).interval_ms
