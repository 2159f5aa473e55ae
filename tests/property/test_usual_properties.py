"""Laws of usual ranges, runs and scales, for values as they are shown: tenths."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from healthapi.derived.statistics import (
    LEAST_VALUES,
    RANGE_VALUES,
    Range,
    count_days_outside,
    find_range,
    find_scale,
)

tenths = st.integers(-500_000, 500_000).map(lambda number: number / 10)
many = st.lists(tenths, min_size=LEAST_VALUES, max_size=2 * RANGE_VALUES)
MOST_OUTSIDE = RANGE_VALUES // 10


@given(many)
def test_a_range_is_within_the_values_and_a_tenth_is_on_each_side(values: list[float]) -> None:
    found = find_range(values)
    recent = values[-RANGE_VALUES:]
    assert found is not None
    assert min(recent) <= found.low <= found.high <= max(recent)
    for side in ("below", "above"):
        outside = sum(found.side(value) == side for value in recent)
        assert outside <= MOST_OUTSIDE
        assert outside <= len(recent) / 10 + 1


@given(many)
def test_a_range_does_not_depend_on_the_order(values: list[float]) -> None:
    assert find_range(sorted(values[-RANGE_VALUES:])) == find_range(values)


@given(many, st.integers(-1000, 1000))
def test_a_range_moves_with_its_values(values: list[float], step: int) -> None:
    whole = [round(value) for value in values]
    first, moved = find_range(whole, 0), find_range([value + step for value in whole], 0)
    assert first is not None
    assert moved is not None
    assert abs(moved.low - first.low - step) <= 1  # half to even
    assert abs(moved.high - first.high - step) <= 1


@given(many)
def test_no_run_is_longer_than_a_tenth_of_the_values(values: list[float]) -> None:
    recent = values[-RANGE_VALUES:]
    usual = find_range(recent)
    assert usual is not None
    days = list(map(date.fromordinal, range(1, len(recent) + 1)))
    side, count = count_days_outside(days, recent, usual)
    assert (side is None) == (count == 0)
    assert count <= MOST_OUTSIDE
    assert all(usual.side(value) == side for value in recent[len(recent) - count :])
    assert side is None or usual.side(recent[-count - 1]) != side


@given(st.lists(tenths, min_size=1, max_size=400), st.none() | st.tuples(tenths, tenths))
def test_a_scale_has_most_values_and_the_whole_range(
    values: list[float], ends: tuple[float, float] | None
) -> None:
    usual = None if ends is None else Range(min(ends), max(ends))
    scale = find_scale(values, usual)
    cut = [value for value in values if scale.side(value) is not None]
    assert len(cut) * 5 <= len(values)  # less than a tenth on each side
    kept = [value for value in values if scale.side(value) is None]
    ends_of = (
        (min(kept), max(kept)) if usual is None else (min(*kept, usual.low), max(*kept, usual.high))
    )
    assert (scale.low, scale.high) == ends_of


@given(st.lists(tenths, min_size=20, max_size=400))
def test_a_scale_does_not_depend_on_how_far_away_an_outlier_is(values: list[float]) -> None:
    values = [*values, *range(len(values))]  # not mostly equal
    assert find_scale([*values, 1e7]) == find_scale([*values, 2e7])
