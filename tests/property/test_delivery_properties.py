"""Properties of an agent: the measured clock, the course of every response, and the quota."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from devicestatus import limits
from devicestatus.agent import delivery
from devicestatus.agent.uploads import WriteQuota
from status_contracts.conditional import http_date
from status_contracts.instants import DAY_MS, SECOND_MS
from support.devicestatus.examples import NOON

HOUR_MS = DAY_MS // 24
MIDNIGHT = NOON - DAY_MS // 2

skews_ms = st.integers(-(10**12), 10**12) | st.integers(-125_000, -115_000)
skews_ms |= st.integers(115_000, 125_000)
sizes = st.integers(0, 2 * limits.BATCH_BODY_BYTES)
moments = st.integers(MIDNIGHT - DAY_MS, MIDNIGHT + 3 * DAY_MS)
quotas = st.builds(WriteQuota, st.sampled_from([1, 2, 3, 10, 50, 100, 200, 288, 1000, 1001]))


def too_large(size: int) -> delivery.Decision:
    """Decide on a window of a size that was too large."""
    return delivery.decide(
        delivery.UploadResponse(413, "payload_too_large"),
        upload="window",
        attempt=1,
        jitter=1,
        sent_bytes=size,
    )


class TestSkewLaws:
    @given(
        skews_ms, moments, st.integers(0, 20_000), st.integers(0, 20_000), st.integers(0, SECOND_MS)
    )
    def test_the_true_skew_is_within_the_interval(
        self, skew_ms: int, there: int, going: int, coming: int, staleness: int
    ) -> None:
        """Whatever the ways there and back take, and how old the second is that the server has."""
        date_ms = delivery.parse_response(503, b"", http_date(there - staleness)).date_ms
        here = there + skew_ms
        skew = delivery.estimate_skew(date_ms, sent_at=here - going, received_at=here + coming)
        assert skew is not None
        assert skew.min_ms <= skew_ms <= skew.max_ms
        assert skew.max_ms - skew.min_ms < going + coming + 2 * SECOND_MS
        assert abs(skew.midpoint_ms - skew_ms) <= (going + coming) // 2 + SECOND_MS

    @given(skews_ms, st.integers(0, 20_000), st.integers(0, 20_000))
    def test_a_clock_is_blamed_only_where_it_is_off(
        self, skew_ms: int, below: int, above: int
    ) -> None:
        """DS-AGENT-19: never for one that was measured within what is accepted."""
        skew = delivery.Skew(skew_ms - below, skew_ms + above)
        decision = delivery.decide(
            delivery.UploadResponse(400, "invalid_payload"), attempt=1, jitter=1, skew=skew
        )
        if abs(skew_ms) + max(below, above) <= limits.CLOCK_SKEW_MS:
            assert decision.action == "drop"
        if abs(skew_ms) > limits.CLOCK_SKEW_MS:
            assert decision.action == "fix-clock"
        if decision.correction_ms is not None:
            assert abs(skew_ms + decision.correction_ms) <= max(below, above) + 1


class TestDecideLaws:
    @given(sizes, st.integers(0, 100))
    def test_shrinking_ends(self, size: int, spare: int) -> None:
        """DS-AGENT-20: each is smaller than what was refused, and none below the least."""
        tries = 0
        while (decision := too_large(size)).most_bytes is not None:
            assert decision.wait_ms == 0
            assert limits.BATCH_BODY_BYTES_LEAST <= decision.most_bytes < size
            size = max(0, decision.most_bytes - spare)
            tries += 1
        assert decision.action == "drop"
        assert tries <= 3


class TestBudgetLaws:
    @given(quotas, st.lists(st.tuples(moments, st.integers(1, 60)), max_size=40))
    def test_no_utc_day_has_more_than_its_writes_whatever_is_called(
        self, quota: WriteQuota, calls: list[tuple[int, int]]
    ) -> None:
        """Invariant *a day's writes*: with a clock that jumps forth and back at will."""
        days: Counter[int] = Counter()
        for now, times in calls:
            for _ in range(times):
                if quota.wait_ms(now) == 0:
                    quota = quota.consume(now)
                    days[now // DAY_MS] += 1
        assert max(days.values(), default=0) <= quota.writes_per_day

    @given(quotas, st.lists(st.integers(0, 3 * 87_185), min_size=1, max_size=200))
    def test_a_span_has_its_share_and_one_burst(self, quota: WriteQuota, steps: list[int]) -> None:
        """Invariant *evenly*, of an agent that asks again after a rest or as soon as it may."""
        times, now = [], MIDNIGHT
        for step in steps:
            now += max(step, quota.wait_ms(now))
            quota = quota.consume(now)
            times.append(now)
        for span in (60 * SECOND_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS):
            most = max(sum(begin <= time < begin + span for time in times) for begin in times)
            assert most <= quota.burst + span * quota.writes_per_day / DAY_MS
