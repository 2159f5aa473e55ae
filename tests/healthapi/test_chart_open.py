"""What is not over is open in a chart."""

from datetime import date, timedelta

import attrs
import pytest

from healthapi.chart import MAX_IMAGE_BYTES, draw
from healthapi.derived.periods import Series
from healthapi.keys import CARD_METRICS, METRICS, Granularity
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
    assert ("not complete" in text) is is_open
    if granularity == "daily":
        assert bool(profile.series("daily", ["sedentary_minutes"]).unfinished) is is_open


@pytest.mark.parametrize(
    ("values", "side", "words"),
    [
        ((8000, 8400, 8200, 8800, 31), "below", {"8,800", "8,000"}),
        ((8000, 8400, 8200, 8800, 9000), "above", {"8,800", "8,000"}),
        ((8000, 8000, 8000, 8000, 31), "below", {"8,000"}),
        ((8000, 8400, 8200, 8800, 8800), "", {"8,800", "8,000"}),
    ],
)
def test_a_value_that_is_not_over_sets_no_scale_and_is_a_mark_beyond_it(
    values: tuple[int, ...], side: str, words: set[str]
) -> None:
    labels = tuple(f"2026-W{week}" for week in range(10, 15))
    series = Series("weekly", (METRICS["steps"],), labels, (values,), frozenset({"steps"}))
    read = read_chart(draw(series, title="Steps"))
    mark = {"below": "▽ ", "above": "△ ", "": ""}[side]
    legend = f"{mark}not complete and beyond the scale" if mark else "○ not complete"
    words |= {f"{mark}{values[-1]:,} steps", f"{MEAN}, {legend}"}
    assert words <= {*read.words}
    metrics = tuple(METRICS[key] for key in ("steps", "rhr", "hrv", "sleep_score"))
    low = attrs.evolve(series, metrics=metrics, values=(values,) * 4)
    words = {*read_chart(draw(low, title="Steps", width=360, height=220)).words}
    assert f"{mark}{values[-1]:,} steps" in words
    also = attrs.evolve(series, partial=frozenset({"2026-W12"}))
    legend = f"{MEAN}, ○ not complete, {mark}not complete and beyond the scale"
    assert (legend in read_chart(draw(also, title="Steps")).words) is bool(mark)
    assert "(2026-W14, not complete), lowest 8,000, hi" in read.description
    assert ", without 1 not complete" in read.description
    assert ("1 beyond the scale." in read.description) is bool(side)
    (line,) = read.lines
    assert line.open == [(line.last, side)]
    assert line.last == (line.right, line.bottom if side == "below" else line.top)


@pytest.mark.parametrize(
    ("granularity", "days", "opened", "few", "links"),
    [
        ("monthly", "01-10 22, 02-01 9, 03-01 10, 04-01 30", {1}, {2}, 1),
        ("monthly", "01-01 31, 02-01 28", set(), set(), 0),
        ("monthly", "01-30 2, 02-01 3, 03-31 1", {1}, {2, 3}, 1),
        ("weekly", "01-05 7, 01-12 2, 01-19 3, 01-26 7", set(), {3}, 2),
    ],
)
def test_the_mean_of_few_days_is_joined_by_dashes_to_its_neighbours(
    granularity: Granularity, days: str, opened: set[int], few: set[int], links: int
) -> None:
    """One in which the days with data begin late is not joined; a number of days is drawn."""
    starts = [(date.fromisoformat(f"2026-{one[:5]}"), int(one[6:])) for one in days.split(", ")]
    dates = [start + timedelta(day) for start, count in starts for day in range(count)]
    every = (dates[0] + timedelta(day) for day in range((dates[-1] - dates[0]).days + 1))
    steps = {day: 8000 + day.month * (day.day > 3) for day in dates}
    table = "".join(f"{day},{steps.get(day, '')},9\n" for day in every)
    files = {"csv/fitbit_activity.csv": f"date,steps,activeMinutes\n{table}".encode()}
    profile = load("ada", files, generated_at="2027-01-01T12:00:00")
    series = profile.series(granularity, ["active_minutes", "steps"])
    assert {int(label[-2:]) for label in series.partial} == opened
    found = {key: {int(label[-2:]) for label in of} - opened for key, of in series.few.items()}
    assert found == {"active_minutes": set(), "steps": few}
    read = read_chart(draw(series, title="Steps"))
    count = len(opened)
    assert [(len(one.open), len(one.links)) for one in read.lines] == [(count, 0), (count, links)]
    assert ("dashed: fewer than" in read.description) is bool(links)
    assert any(word.endswith("○ not complete") for word in read.words) is bool(opened)
    (counts,) = read_chart(draw(profile.series(granularity, ["days"]), title="Days")).lines
    assert not counts.open


@pytest.mark.parametrize("count", [250, 6000])
@pytest.mark.parametrize("every", [1, 2])
@pytest.mark.parametrize("size", [(360, 220), (1920, 1080)])
def test_no_number_of_open_periods_makes_an_image_too_large(
    count: int, every: int, size: tuple[int, int]
) -> None:
    days = (START + timedelta(7 * week) for week in range(count))
    labels = [f"{year}-W{week:02}" for year, week, _ in map(date.isocalendar, days)]
    metrics = tuple(map(METRICS.__getitem__, CARD_METRICS))
    cells = tuple(1e6 * (week % 3) for week in range(count))
    opened = frozenset(labels[::every])
    series = Series("weekly", metrics, tuple(labels), (cells,) * len(metrics), partial=opened)
    width, height = size
    svg = draw(series, title="'" * 200, width=width, height=height, theme="transparent")
    assert len(svg) <= MAX_IMAGE_BYTES
    few = attrs.evolve(series, partial=frozenset(), few={one.key: opened for one in metrics})
    assert len(draw(few, title="'" * 200, width=width, height=height)) <= MAX_IMAGE_BYTES
    expected = count // every if count == 250 else 60
    assert {len(line.open) for line in read_chart(svg).lines} == {expected}


def test_a_metric_that_is_only_open_is_drawn() -> None:
    metric = METRICS["steps"]
    series = Series("weekly", (metric,), ("2026-W02",), ((7,),), frozenset({"steps"}))
    assert b"not complete" in draw(series, title="Steps")
