"""Freshness of a response (RFC 9111)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitedata.serving.freshness import Freshness, freshness_of
from support.checks.costs import assert_linear

NOON = 1_767_268_800_000
DATE = "Thu, 01 Jan 2026 12:00:00 GMT"
EARLIER = "Thu, 01 Jan 2026 11:59:00 GMT"
LATER = "Thu, 01 Jan 2026 12:05:00 GMT"
DAY = 86_400


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
            ("public, max-age=300, stale-while-revalidate=600", 300),
            ("MAX-AGE=300", 300),
            ('max-age="300"', 300),
            ("  max-age=300\t,public", 300),
            ("max-age=0", 0),
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
            "max-age=300, max-age=300",
            "max-age=300, max-age=10",
            "max-age=300, =5",
            "max-age=300, (x)",
            "max-age=300, a b",
            "no-cache, max-age=300",
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
        assert now <= freshness_of(fields, now).until <= now + DAY * 1000

    @pytest.mark.parametrize("piece", [" ", ",", '"', 'a="', 'a="\\', '"a, ', "a=b ", "a=", "\\"])
    def test_the_time_is_linear(self, piece: str) -> None:
        """Invariant *linear*."""
        assert_linear(caching, lambda size: piece * (size // len(piece)), 100_000)
