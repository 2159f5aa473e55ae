"""The most that a reader can ask for: how much more it costs than a small read, and how long it is.

Ratios of processor time within one process; each read asks for something that was not asked before,
for an answer that is kept costs nothing.  The profile has ten years of days.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from functools import cache, partial
from itertools import count, permutations, repeat
from typing import Final

import pytest

from healthapi import limits
from healthapi.endpoints import ENDPOINTS, QueryParameter
from healthapi.keys import CHARTS, GRANULARITIES, METRICS
from healthapi.profile import Profile
from sitedata.views.calendar import Calendar
from sitedata.views.heatmap import CELL, MAX_WEEKS, heatmap
from support.healthapi.health_client import ROOT, HealthClient, make_profile

pytestmark = pytest.mark.check

DAYS: Final = 3650
MEGABYTES: Final = 10**6
CHART_MOST: Final = 400
"""The maximum cost of the largest chart, as a multiple of a small one: 29,200 points to one."""
SERIES_MOST: Final = 1000
"""The same for the values in JSON, all metrics of all days."""
HEAT_MAP_MOST: Final = 100
"""The same for a heat map of 106 weeks and one of a week."""
ANSWER_MOST: Final = 3 * MEGABYTES
"""Bytes of the longest answer of ten years."""
IMAGE_MOST: Final = MEGABYTES // 5
"""Bytes of the longest image of ten years: points closer than a pixel are drawn as one."""
ATTEMPTS: Final = 5

ALL: Final = ",".join(METRICS)
TALL: Final = limits.CHART_HEIGHT.maximum
WIDE: Final = limits.CHART_WIDTH.maximum
CALENDAR: Final = Calendar({date(2016, 1, 1) + timedelta(day): 1 + day % 17 for day in range(DAYS)})


@cache
def profile() -> Profile:
    return make_profile(days=DAYS)


@pytest.fixture
def world() -> HealthClient:
    return HealthClient([profile()])


def best_of(reads: Iterator[Callable[[], object]], rounds: int = 3) -> float:
    """Return the processor time of the cheapest of some reads."""
    seconds = []
    for _ in range(rounds):
        read = next(reads)
        start = time.process_time()
        read()
        seconds.append(time.process_time() - start)
    return min(seconds) + 1e-6  # the clock's own grain


def assert_bounded(
    large: Iterator[Callable[[], object]], small: Iterator[Callable[[], object]], most: int
) -> None:
    """Check that a large read costs at most so many times what a small one costs."""
    ratios: list[float] = []
    while len(ratios) < ATTEMPTS:
        ratios.append(best_of(large) / best_of(small, 10))
        if ratios[-1] <= most:
            return
    raise AssertionError(f"the largest read took {min(ratios):.0f} times as long as a small one")


def reads(
    world: HealthClient, form: str, parts: Iterable[int | str]
) -> Iterator[Callable[[], object]]:
    """Return reads that differ in one part, so that none was asked before."""
    for part in parts:
        yield partial(world.send, "GET", f"profiles/anna/{form.format(part)}")


class TestCosts:
    def test_the_largest_chart_costs_a_bounded_number_of_small_ones(
        self, world: HealthClient
    ) -> None:
        widths = limits.CHART_WIDTH
        large = f"charts/series.svg?granularity=daily&metrics={ALL}&height={TALL}&width={{}}"
        small = "charts/series.svg?granularity=daily&metrics=steps&limit=1&width={}"
        assert_bounded(
            reads(world, large, count(widths.maximum, -1)),
            reads(world, small, count(widths.minimum)),
            CHART_MOST,
        )

    def test_all_values_cost_a_bounded_number_of_small_answers(self, world: HealthClient) -> None:
        orders = map(",".join, permutations(METRICS))
        assert_bounded(
            reads(world, "series/daily?metrics={}", orders),
            reads(world, "series/daily?metrics=steps&limit={}", count(1)),
            SERIES_MOST,
        )

    def test_the_largest_heat_map_costs_a_bounded_number_of_small_ones(self) -> None:
        large = partial(heatmap, CALENDAR, weeks=MAX_WEEKS, cell=CELL[-1])
        small = partial(heatmap, CALENDAR, weeks=1, cell=CELL[0])
        assert_bounded(repeat(large), repeat(small), HEAT_MAP_MOST)


def targets() -> Iterator[str]:
    """Yield each path of a profile with all known keys and the maximum of each parameter."""
    for endpoint in ENDPOINTS:
        if endpoint.of_profile:
            path = endpoint.path.replace("{profile_id}", "anna")
            asked = "&".join(f"{each.name}={most_of(each)}" for each in endpoint.parameters)
            key = endpoint.key
            for choice in (None,) if key is None else key.choices or ("profile",):
                whole = path if key is None else path.replace(f"{{{key.name}}}", choice or "")
                yield f"{ROOT}{whole}?{asked}"


def most_of(parameter: QueryParameter) -> str:
    """Return what makes an answer the largest; of pages the first, for it is full."""
    if parameter.bounds is not None:
        return str(0 if parameter.name == "offset" else parameter.bounds.maximum)
    return ",".join(parameter.choices) if parameter.is_list else (parameter.choices or ("",))[0]


class TestSizes:
    def test_no_answer_of_ten_years_is_longer_than_said(self, world: HealthClient) -> None:
        asked = list(targets())
        found = {target: world.send("GET", target) for target in asked}
        assert {answer.status for answer in found.values()} <= {200, 404}
        lengths = {target: len(answer.body or b"") for target, answer in found.items()}
        assert len(lengths) > 40
        assert max(lengths.values()) < ANSWER_MOST

    @pytest.mark.parametrize("chart", CHARTS)
    def test_no_chart_of_ten_years_is_longer_than_said(
        self, chart: str, world: HealthClient
    ) -> None:
        """All days are drawn, for no limit is asked."""
        for granularity in GRANULARITIES:
            query = f"granularity={granularity}&metrics={ALL}&height={TALL}&width={WIDE}"
            answer = world.send("GET", f"profiles/anna/charts/{chart}.svg?{query}")
            assert answer.status == 200
            assert len(answer.body or b"") < IMAGE_MOST

    def test_no_heat_map_is_longer_than_said(self) -> None:
        assert len(heatmap(CALENDAR, weeks=MAX_WEEKS, cell=CELL[-1])) < IMAGE_MOST
