"""Parse charts into texts, grid and lines with coordinates in px, for tests.

And series to draw: `daily("2024-01-01", steps=[4000, None, 5200])`.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

import attrs

from healthapi.catalog_keys import METRICS, Granularity
from healthapi.derived.series import Series
from support.checks.xml_reading import Element, read_xml

COMMAND = re.compile(r"([Mlvh])([-+ .0-9]*)")
NUMBER = re.compile(r"[-+]?[0-9]+(?:\.[0-9]+)?")

Point = tuple[float, float]
Values = Sequence[int | float | None]


def daily(start: str, **values: Values) -> Series:
    """Return a series of days without a missing one."""
    first = date.fromisoformat(start).toordinal()
    count = len(next(iter(values.values())))
    days = [date.fromordinal(first + number).isoformat() for number in range(count)]
    return series_of_days(days, **values)


def series_of_days(labels: Sequence[str], **values: Values) -> Series:
    """Return a series of these days."""
    return periods("daily", labels, **values)


def periods(granularity: Granularity, labels: Sequence[str], **values: Values) -> Series:
    """Return a series of these periods."""
    metrics = tuple(METRICS[key] for key in values)
    return Series(granularity, metrics, tuple(labels), tuple(map(tuple, values.values())))


@attrs.define
class Drawn:
    """One metric: the runs of its line, dots of isolated values, and its last value."""

    color: str
    dashes: str | None = None
    runs: list[list[Point]] = attrs.field(factory=list)
    dots: list[Point] = attrs.field(factory=list)
    last: Point | None = None

    @property
    def points(self) -> list[Point]:
        return [point for run in (*self.runs, self.dots) for point in run]


@attrs.define
class Read:
    """A chart."""

    elements: list[Element]
    width: int
    height: int
    title: str
    description: str
    texts: list[Element]
    words: list[str]
    left: float = 0
    top: float = 0
    pen: float = 0
    lines: list[Drawn] = attrs.field(factory=list)
    grid: list[tuple[Point, Point]] = attrs.field(factory=list)
    samples: list[Element] = attrs.field(factory=list)

    @property
    def right(self) -> float:
        return max(x for _, (x, _) in self.grid)

    @property
    def bottom(self) -> float:
        return max(y for _, (_, y) in self.grid)


def read_chart(svg: bytes) -> Read:
    """Read a chart; raises ExpatError for malformed XML, ValueError for an unknown path."""
    elements = read_xml(svg)
    root, title, description = elements[:3]
    texts = [element for element in elements if element.name == "text"]
    chart = Read(
        elements,
        int(root.attributes["width"]),
        int(root.attributes["height"]),
        title.text,
        description.text,
        texts,
        [element.text for element in elements if element.name in {"text", "tspan"}],
    )
    inside = False
    for element in elements:
        if "transform" in element.attributes:
            inside = True
            _place(chart, element)
        elif inside and element.name in {"g", "path", "circle"}:
            _take(chart, element)
        elif element.name == "path" and element.attributes["d"].count("M") > 1:
            chart.grid = [(run[0], run[-1]) for run in path(element.attributes["d"])]
        elif element.name == "path":
            chart.samples.append(element)
    return chart


def _place(chart: Read, plot: Element) -> None:
    found = re.fullmatch(r"translate\((\d+) (\d+)\)scale\(0\.1\)", plot.attributes["transform"])
    if found is None:
        raise ValueError("the transform of the plot is unknown")
    chart.left, chart.top = map(float, found.groups())
    chart.pen = float(plot.attributes["stroke-width"]) / 10


def _take(chart: Read, element: Element) -> None:
    look = element.attributes
    if element.name == "g":
        if "stroke" in look:
            chart.lines.append(Drawn(look["stroke"]))
    elif element.name == "circle":
        chart.lines[-1].last = _point(chart, float(look["cx"]), float(look["cy"]))
    else:
        runs = [[_point(chart, *point) for point in run] for run in path(look["d"])]
        if "stroke-linecap" in look:
            chart.lines[-1].dots = [run[0] for run in runs]
        else:
            chart.lines[-1].runs = runs
            chart.lines[-1].dashes = look.get("stroke-dasharray")


def _point(chart: Read, x: float, y: float) -> Point:
    return chart.left + x / 10, chart.top + y / 10


def path(data: str) -> list[list[Point]]:
    """Return the points of each part of path data."""
    if "".join(match[0] for match in COMMAND.finditer(data)) != data:
        raise ValueError("path data has an unknown command")
    return list(_parts(data))


def _parts(data: str) -> Iterator[list[Point]]:
    run: list[Point] = []
    for command, rest in COMMAND.findall(data):
        numbers = [float(number) for number in NUMBER.findall(rest)]
        if command == "M":
            if run:
                yield run
            run = [(numbers[0], numbers[1])]
        else:
            x, y = run[-1]
            dx, dy = {"l": numbers, "h": [*numbers, 0], "v": [0, *numbers]}[command]
            run.append((x + dx, y + dy))
    yield run
