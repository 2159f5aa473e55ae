"""What is not over is open in a chart."""

from datetime import date, timedelta

import pytest

from healthapi.chart import draw
from healthapi.derived.periods import Series
from healthapi.keys import METRICS
from healthapi.profile import load
from support.healthapi.chart_reading import read_chart

START = date(2026, 1, 5)  # a Monday
MEAN = "mean per day of each week"


def profile_of(days: int) -> bytes:
    """Return a table of steps of a number of days."""
    steps = (8000 + day % 5 * 100 for day in range(days))
    rows = (f"{START + timedelta(day)},{count}" for day, count in enumerate(steps))
    return "\n".join(("date,steps", *rows, "")).encode()


@pytest.mark.parametrize(
    ("granularity", "written", "is_open"),
    [
        ("weekly", "2027-01-01", True),
        ("monthly", "2027-01-01", True),
        ("daily", "2027-01-01", False),
        ("daily", "2026-03-09", True),
    ],
)
def test_a_last_period_that_is_not_over_is_a_circle_and_no_part_of_the_line(
    granularity: str, written: str, is_open: bool
) -> None:
    files = {"csv/fitbit_activity.csv": profile_of(64)}  # to Monday 9 March
    profile = load("ada", files, generated_at=f"{written}T12:00:00")
    text = draw(profile.series(granularity, ["steps"]), title="Steps").decode()  # type: ignore[arg-type] # a parameter
    assert ('fill="none"/></g>' in text) is is_open
    assert ("not complete)" in text) is is_open
    if granularity == "daily":
        assert bool(profile.series("daily", ["sedentary_minutes"]).unfinished) is is_open


@pytest.mark.parametrize(
    ("values", "side", "words"),
    [
        ((8000, 8400, 8200, 8800, 31), "below", {"8,800", "8,000", f"{MEAN}, ▼ beyond the scale"}),
        (
            (8000, 8400, 8200, 8800, 9000),
            "above",
            {"8,800", "8,000", f"{MEAN}, ▲ beyond the scale"},
        ),
        ((8000, 8000, 8000, 8000, 31), "below", {"8,000", f"{MEAN}, ▼ beyond the scale"}),
        ((8000, 8400, 8200, 8800, 8800), "", {"8,800", "8,000", f"{MEAN}, ○ not complete"}),
    ],
)
def test_a_value_that_is_not_over_sets_no_scale_and_is_a_mark_beyond_it(
    values: tuple[int, ...], side: str, words: set[str]
) -> None:
    labels = tuple(f"2026-W{week}" for week in range(10, 15))
    series = Series("weekly", (METRICS["steps"],), labels, (values,), frozenset({"steps"}))
    read = read_chart(draw(series, title="Steps"))
    mark = {"below": "▼ ", "above": "▲ ", "": ""}[side]
    assert words | {f"{mark}{values[-1]:,} steps (mean so far)"} <= {*read.words}
    assert "(2026-W14, not complete), before it lowest 8,000, hi" in read.description
    assert ("1 beyond the scale." in read.description) is bool(side)
    (line,) = read.lines
    assert line.beyond == side
    assert line.last == (line.right, line.bottom if side == "below" else line.top)


def test_a_metric_that_is_only_open_is_drawn() -> None:
    metric = METRICS["steps"]
    series = Series("weekly", (metric,), ("2026-W02",), ((7,),), frozenset({"steps"}))
    assert b"not complete" in draw(series, title="Steps")
