"""Header fields and freshness of a response (RFC 9111), and waits of a client after failures."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitedata.serving.cache import (
    Freshness,
    backoff_ms,
    freshness_of,
    retry_after_ms,
)
from support.checks.costs import assert_linear

NOON = 1_767_268_800_000
DATE = "Thu, 01 Jan 2026 12:00:00 GMT"
EARLIER = "Thu, 01 Jan 2026 11:59:00 GMT"
LATER = "Thu, 01 Jan 2026 12:05:00 GMT"
DAY = 86_400
DAY_MS = 1000 * DAY
JITTERS = st.floats(0, 1, exclude_max=True)


def seconds(*fields: tuple[str, str]) -> float:
    """Return for how many seconds a response that was received at noon is fresh."""
    return (freshness_of(fields, NOON).until - NOON) / 1000


def caching(field: str) -> float:
    return seconds(("Cache-Control", field))


class TestMaxAge:
    @pytest.mark.parametrize(
        ("field", "fresh"),
        [
            ("max-age=300", 300),
            ('max-age="300"', 300),
            ("  max-age=300\t,public", 300),
            ("max-age=86400", DAY),
            ("max-age=86401", DAY),
            (f"max-age={'9' * 5000}", DAY),
            ("s-maxage=10, max-age=20", 20),
            ('max-age=20, immutable, x="a, no-store"', 20),
            ('max-age=20, x="\\", no-cache"', 20),
            ("max-age=20,,", 20),
        ],
    )
    def test_max_age_is_the_lifetime(self, field: str, fresh: int) -> None:
        assert caching(field) == fresh

    @pytest.mark.parametrize(
        "field",
        [
            "",
            "public",
            "s-maxage=300",
            "max-age",
            "max-age=",
            "max-age = 300",
            "max-age=-1",
            "max-age=1.5",
            "max-age=5m",
            'max-age=""',
            'max-age="300',
            "max-age='300'",
            "max-age=300 seconds",
            "max-age=300; public",
            "max-age=300, max-age=10",
            "max-age=300, (x)",
            "max-age=300, a b",
            'max-age=300, no-cache="Set-Cookie"',
            "max-age=300, No-Store",
        ],
    )
    def test_invalid_values_are_stale(self, field: str) -> None:
        """Invariant *stale when in doubt*."""
        assert caching(field) == 0

    def test_lines_are_one_list(self) -> None:
        assert seconds(("Cache-Control", "public"), ("cache-control", "max-age=9")) == 9
        assert seconds(("Cache-Control", "no-cache"), ("cache-control", "max-age=9")) == 0

    def test_max_age_overrides_expires(self) -> None:
        assert seconds(("Cache-Control", "max-age=9"), ("Expires", LATER)) == 9
        assert seconds(("Cache-Control", "max-age=x"), ("Expires", LATER)) == 0


class TestExpires:
    def test_expires_counts_from_the_date_of_the_response(self) -> None:
        assert seconds(("Expires", LATER)) == 300
        assert seconds(("Expires", LATER), ("Date", DATE)) == 300
        # made a minute ago to live for six
        assert seconds(("Expires", LATER), ("Date", EARLIER)) == 300

    @pytest.mark.parametrize("text", ["0", "-1", "", "soon", EARLIER, DATE])
    def test_a_past_or_invalid_date_is_stale(self, text: str) -> None:
        assert seconds(("Expires", text)) == 0

    def test_a_repeated_value_is_stale(self) -> None:
        assert seconds(("Expires", LATER), ("Expires", LATER)) == 0

    def test_last_modified_is_not_used(self) -> None:
        assert seconds(("Last-Modified", "Thu, 01 Jan 2015 00:00:00 GMT"), ("Date", DATE)) == 0


class TestAge:
    @pytest.mark.parametrize(
        ("text", "fresh"),
        [("0", 300), ("100", 200), ("300", 0), ("9" * 99, 0), ("100, 5", 200)],
    )
    def test_age_is_subtracted(self, text: str, fresh: int) -> None:
        assert seconds(("Cache-Control", "max-age=300"), ("Age", text)) == fresh

    @pytest.mark.parametrize("text", ["", "x", "-1", "1.5", "x, 100"])
    def test_an_invalid_age_is_ignored(self, text: str) -> None:
        assert seconds(("Cache-Control", "max-age=300"), ("Age", text)) == 300

    def test_the_first_line_counts(self) -> None:
        fields = ("Cache-Control", "max-age=300"), ("Age", "10"), ("Age", "200")
        assert seconds(*fields) == 290

    def test_an_old_date_counts_as_age(self) -> None:
        fields = ("Cache-Control", "max-age=300"), ("Date", EARLIER)
        assert seconds(*fields) == 240
        assert seconds(*fields, ("Age", "100")) == 200
        assert seconds(*fields, ("Age", "10")) == 240

    def test_a_future_date_is_ignored(self) -> None:
        assert seconds(("Cache-Control", "max-age=300"), ("Date", LATER)) == 300


class TestFreshness:
    def test_has_the_cache_directives(self) -> None:
        found = freshness_of([("Cache-Control", "must-revalidate, max-age=1")], NOON)
        assert found == Freshness(NOON + 1000, must_revalidate=True)
        found = freshness_of([("Cache-Control", "no-store")], NOON)
        assert found == Freshness(NOON, no_store=True)
        found = freshness_of([("Cache-Control", '"unfinished, no-store')], NOON)
        assert found.no_store

    @settings(max_examples=60)
    @given(
        st.lists(
            st.tuples(
                st.sampled_from(["Cache-Control", "Age", "Date", "Expires"]),
                st.text(max_size=30)
                | st.sampled_from([DATE, EARLIER, LATER, "no-cache", "max-age=5", '"', "a=\\"]),
            ),
            max_size=6,
        ),
        st.integers(0, 10**14),
    )
    def test_is_bounded_for_any_headers(self, fields: list[tuple[str, str]], now: int) -> None:
        """Invariant *bounded*."""
        assert now <= freshness_of(fields, now).until <= now + DAY_MS

    @pytest.mark.parametrize("piece", [" ", ",", '"', 'a="', 'a="\\', '"a, ', "a=b ", "a=", "\\"])
    def test_the_time_is_linear(self, piece: str) -> None:
        """Invariant *linear*."""
        assert_linear(caching, lambda size: piece * (size // len(piece)), 100_000)


class TestBackoff:
    @given(st.integers(1, 50), JITTERS, JITTERS)
    def test_the_range_grows_with_the_failures(
        self, failures: int, one: float, other: float
    ) -> None:
        """Invariant *doubling*."""
        assert 7_500 <= backoff_ms(failures, one) <= 3_600_000
        assert backoff_ms(failures, one) <= 2 * backoff_ms(failures, other)
        assert backoff_ms(failures, one) <= backoff_ms(failures + 1, one)

    def test_after_any_number_of_failures_it_is_at_most_an_hour(self) -> None:
        assert backoff_ms(10**9, 0.0) == 1_800_000

    @pytest.mark.parametrize("jitter", [-0.1, 1.0, 2.0, float("nan"), float("inf")])
    def test_an_invalid_jitter_is_refused(self, jitter: float) -> None:
        with pytest.raises(ValueError, match="jitter"):
            backoff_ms(1, jitter)


class TestRetryAfter:
    @pytest.mark.parametrize(
        ("text", "wait"),
        [
            (" 120 ", 120_000),
            ("86400", DAY_MS),
            ("86401", DAY_MS),
            ("9" * 5000, DAY_MS),
            ("Thursday, 01-Jan-26 12:02:00 GMT", 120_000),
            ("Thu, 01 Jan 2026 11:00:00 GMT", 1000),
            ("Fri, 01 Jan 2027 00:00:00 GMT", DAY_MS),
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

    @given(st.text(max_size=20) | st.integers().map(str), st.integers(0, 10**13))
    def test_any_text_is_parsed(self, text: str, now: int) -> None:
        wait = retry_after_ms([("Retry-After", text)], now)
        assert wait is None or 1000 <= wait <= DAY_MS
