"""Waits of a client after failures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitedata.serving.freshness import backoff_ms, retry_after_ms

NOON = 1_767_268_800_000
"""2026-01-01T12:00:00Z."""
DAY = 86_400_000
jitters = st.floats(0, 1, exclude_max=True)


class TestBackoff:
    @pytest.mark.parametrize(
        ("failures", "most"),
        [(1, 15), (2, 30), (3, 60), (4, 120), (8, 1920), (9, 3600), (10, 3600), (10**9, 3600)],
    )
    def test_doubles_up_to_an_hour(self, failures: int, most: int) -> None:
        assert backoff_ms(failures, 0.0) == most * 500
        assert backoff_ms(failures, 0.5) == most * 750
        assert most * 999 < backoff_ms(failures, 0.9999) < most * 1000

    @given(st.integers(1, 50), jitters, jitters)
    def test_the_range_grows_with_the_failures(
        self, failures: int, one: float, other: float
    ) -> None:
        """Invariant *doubling*."""
        assert 7_500 <= backoff_ms(failures, one) <= 3_600_000
        assert backoff_ms(failures, one) <= 2 * backoff_ms(failures, other)
        assert backoff_ms(failures, one) <= backoff_ms(failures + 1, one)

    @pytest.mark.parametrize("jitter", [-0.1, 1.0, 2.0, float("nan"), float("inf")])
    def test_an_invalid_jitter_is_refused(self, jitter: float) -> None:
        with pytest.raises(ValueError, match="jitter"):
            backoff_ms(1, jitter)


class TestRetryAfter:
    @pytest.mark.parametrize(
        ("text", "wait"),
        [
            ("120", 120_000),
            (" 120 ", 120_000),
            ("0", 1000),
            ("86400", DAY),
            ("86401", DAY),
            ("9" * 5000, DAY),
            ("Thu, 01 Jan 2026 12:02:00 GMT", 120_000),
            ("Thursday, 01-Jan-26 12:02:00 GMT", 120_000),
            ("Thu, 01 Jan 2026 11:00:00 GMT", 1000),
            ("Fri, 01 Jan 2027 00:00:00 GMT", DAY),
        ],
    )
    def test_is_limited(self, text: str, wait: int) -> None:
        """Invariant *bounded*."""
        assert retry_after_ms([("Retry-After", text)], NOON) == wait

    @pytest.mark.parametrize("text", ["", "soon", "-5", "1.5", "1h", "2026-01-01T13:00:00Z", "５"])
    def test_an_invalid_value_is_ignored(self, text: str) -> None:
        assert retry_after_ms([("Retry-After", text)], NOON) is None

    def test_a_missing_or_repeated_value_is_ignored(self) -> None:
        assert retry_after_ms([], NOON) is None
        assert retry_after_ms([("Retry-After", "5"), ("retry-after", "6")], NOON) is None

    def test_a_date_counts_from_the_date_of_the_response(self) -> None:
        fields = [
            ("Retry-After", "Thu, 01 Jan 2026 12:02:00 GMT"),
            ("Date", "Thu, 01 Jan 2026 12:01:00 GMT"),
        ]
        assert retry_after_ms(fields, NOON - 7 * DAY) == 60_000

    @given(st.text(max_size=20) | st.integers().map(str), st.integers(0, 10**13))
    def test_any_text_is_parsed(self, text: str, now: int) -> None:
        wait = retry_after_ms([("Retry-After", text)], now)
        assert wait is None or 1000 <= wait <= DAY
