"""Properties of the numbers that are made of daily rows: cards, correlations, the recovery score.

The rows drawn here are wilder than any wearable's: every finite number up to 2**53 of either sign,
null and absent cells anywhere.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from healthapi.derived.cards import Card, Goals, build_cards, build_recovery
from healthapi.derived.statistics import build_correlations
from healthapi.keys import CARD_METRICS
from healthapi.limits import LARGEST_NUMBER
from healthapi.models import DailyRow
from healthapi.rows.rows import Cell, Rows
from status_contracts.structuring.converter import unstructure
from support.healthapi.daily_rows import daily_of

NO_GOALS = Goals()

whole = st.integers(-LARGEST_NUMBER, LARGEST_NUMBER)
numbers = whole | st.floats(-LARGEST_NUMBER, LARGEST_NUMBER) | st.integers(0, 200)
cells = numbers | st.none()
goals = st.builds(Goals, sleep_minutes=st.none() | whole, daily_steps=st.none() | whole)


def days(*keys: str, least: int = 0, most: int = 50) -> st.SearchStrategy[Rows[DailyRow]]:
    """Daily rows that have these columns."""
    rows = st.lists(st.tuples(*(cells for _ in keys)), min_size=least, max_size=most)
    columns = rows.map(lambda found: zip(*found, strict=True) if found else ((),) * len(keys))
    return columns.map(lambda found: daily_of(**dict(zip(keys, found, strict=True))))


def numbers_in(plain: dict[str, Any]) -> Iterator[float]:
    """Yield all numbers of a plain value."""
    for member in plain.values():
        if isinstance(member, dict):
            yield from numbers_in(member)
        elif isinstance(member, (int, float)):
            yield member


def card_of(values: Sequence[Cell], key: str = "hrv") -> Card:
    """Return the card of one metric with these cells."""
    return build_cards(daily_of(**{key: values}), NO_GOALS)[CARD_METRICS.index(key)]


class TestStrictNumbers:
    """Whatever is measured, what comes out is JSON: no NaN and no infinity."""

    @settings(max_examples=60)
    @given(days(*CARD_METRICS, "minutes_asleep", most=20), goals)
    def test_every_number_is_finite_and_none_is_minus_zero(
        self, daily: Rows[DailyRow], goals: Goals
    ) -> None:
        found: list[attrs.AttrsInstance] = [*build_cards(daily, goals), *build_correlations(daily)]
        found.append(build_recovery(daily, goals))
        for number in (number for each in found for number in numbers_in(unstructure(each))):
            assert math.isfinite(number)
            assert number != 0 or math.copysign(1, number) == 1


class TestCardsByTheLetter:
    """Health facts, section 8, with the rulings: all windows are of values."""

    @given(st.lists(cells, max_size=40), st.lists(st.none(), max_size=40))
    def test_days_without_a_value_change_nothing(
        self, values: list[Cell], missing: list[Cell]
    ) -> None:
        assert card_of(values + missing) == card_of(values)
        moved = card_of(missing + values)
        assert attrs.evolve(moved, latest_date=None) == attrs.evolve(
            card_of(values), latest_date=None
        )

    @given(st.lists(numbers, min_size=30, max_size=40), st.lists(cells, max_size=20))
    def test_values_before_the_last_thirty_change_nothing(
        self, values: list[Cell], older: list[Cell]
    ) -> None:
        moved = card_of(older + values)
        assert attrs.evolve(moved, latest_date=None) == attrs.evolve(
            card_of(values), latest_date=None
        )
