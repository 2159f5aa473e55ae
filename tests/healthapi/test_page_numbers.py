"""Numbers are written alike by the scripts of a page and by the library, for any double."""

from importlib.resources import files
from math import nextafter

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from healthapi.keys import METRICS
from healthapi.page import METRICS_SCRIPT
from status_contracts.adapters.page_files import SHARED
from status_contracts.svg.labels import format_number
from support.servers.node import evaluate

SITE = files("healthapi") / "page_files"
SCRIPTS = (SHARED, SITE / "days.js", SITE / "text.js")
ROUND = (0.0, -0.0, 1e15, 2.0**53, 2.0**60, 1e22, 1e23, 5e-324, 1.7976931348623157e308)
HALVES = (*(each / 20 for each in range(-101, 102)), 1e9 + 0.25, 2.0**49 + 0.25, 2.0**52 - 0.5)
EDGES = [*ROUND, *HALVES, *(nextafter(each, end) for each in HALVES for end in (-1e9, 1e9))]
numbers = st.lists(
    st.floats(allow_nan=False, allow_infinity=False)
    | st.integers(-(10**7), 10**7).map(lambda number: number / 20)
    | st.integers(-(2**53), 2**53).map(lambda number: number / 4),
    min_size=300,
    max_size=300,
)


def under_node(expression: str, given: object) -> list[str]:
    """Return the value of an expression over `given`, with the scripts of the page."""
    found: list[str] = evaluate(expression, given, *SCRIPTS, before=METRICS_SCRIPT)
    return found


def check_written(values: list[float]) -> None:
    assert under_node("given.map(text.number)", values) == list(map(format_number, values))


def check_rounded(values: list[float]) -> None:
    for metric in (METRICS["hrv"], METRICS["steps"]):
        found = under_node(
            "given[1].map((each) => text.precise(each, given[0]))"
            ".map((each) => (Object.is(each, -0) ? '-0' : String(each)))",
            [{"unit": metric.unit}, values],
        )
        expected = [round(each, metric.decimals) + 0.0 for each in values]
        assert list(map(repr, map(float, found))) == list(map(repr, expected))


def test_edges_are_written_alike() -> None:
    check_written(EDGES)


def test_edges_are_rounded_alike() -> None:
    check_rounded(EDGES)


@pytest.mark.check
@settings(max_examples=3, phases=[Phase.generate])
@given(numbers)
def test_any_number_is_written_and_rounded_alike(values: list[float]) -> None:
    check_written(values)
    check_rounded(values)
