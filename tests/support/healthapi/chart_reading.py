"""Parse charts into texts, grid and lines with coordinates in px, for tests.

And series to draw: `daily("2024-01-01", steps=[4000, None, 5200])`.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import chain, pairwise

import attrs

from healthapi.derived.periods import Series
from healthapi.keys import METRICS, Granularity
from support.checks.xml_reading import Element, read_xml

COMMAND = re.compile(r"([MlhVHaz])([-+ .0-9]*)")
NUMBER = re.compile(r"[-+]?[0-9]+(?:\.[0-9]+)?")

Point = tuple[float, float]
Values = Sequence[int | float | None]


def daily(start: str, **values: Values) -> Series:
    """Return a series of days without a missing one."""
    first = date.fromisoformat(start).toordinal()
    count = len(next(iter(values.values())))
    days = [date.fromordinal(first + number).isoformat() for number in range(count)]
    return periods("daily", days, **values)


def periods(granularity: Granularity, labels: Sequence[str], **values: Values) -> Series:
    """Return a series of these periods."""
    metrics = tuple(METRICS[key] for key in values)
    return Series(granularity, metrics, tuple(labels), tuple(map(tuple, values.values())))


@attrs.define
class Drawn:
    """One metric in its lane: the runs of its line, dots of isolated values, and its last value.

    `around` are the values that the line does not reach: x, top, bottom.
    """

    color: str
    left: float
    top: float
    right: float
    bottom: float
    pen: float
    runs: list[list[Point]] = attrs.field(factory=list)
    dots: list[Point] = attrs.field(factory=list)
    links: list[list[Point]] = attrs.field(factory=list)  # dashed
    around: list[tuple[float, float, float]] = attrs.field(factory=list)
    last: Point = (0, 0)
    open: list[tuple[Point, str]] = attrs.field(factory=list)  # with the side beyond the scale

    @property
    def points(self) -> list[Point]:
        """The points that the line shows."""
        return [point for run in (*self.runs, self.dots) for point in run]

    @property
    def covered(self) -> list[tuple[float, float, float]]:
        """The values as drawn: x, top, bottom."""
        return self.around or [(x, y, y) for x, y in self.points]


@attrs.define
class Read:
    """A chart: `grid` are the ends of its straight lines, `ticks` the places of its dates."""

    elements: list[Element]
    width: int
    height: int
    title: str
    description: str
    texts: list[Element]
    words: list[str]
    lines: list[Drawn] = attrs.field(factory=list)
    grid: list[tuple[Point, Point]] = attrs.field(factory=list)
    ticks: list[float] = attrs.field(factory=list)

    @property
    def levels(self) -> list[float]:
        """The heights of the level lines, in order."""
        return sorted({start[1] - 0.5 for start, end in self.grid if start[1] == end[1]})

    @property
    def left(self) -> float:
        return min(start[0] for start, end in self.grid if start[1] == end[1])

    @property
    def right(self) -> float:
        return max(end[0] for start, end in self.grid if start[0] == self.left)


def read_chart(svg: bytes) -> Read:
    """Read a chart; raises ExpatError for malformed XML, ValueError for an unknown path."""
    elements = read_xml(svg)
    root, title, description = elements[:3]
    chart = Read(
        elements,
        int(root.attributes["width"]),
        int(root.attributes["height"]),
        title.text,
        description.text,
        [element for element in elements if element.name == "text"],
        [element.text for element in elements if element.name in {"text", "tspan"}],
    )
    straight = [
        [(run[0], run[-1]) for run in path(element.attributes["d"])]
        for element in elements
        if element.name == "path" and set(element.attributes["d"]) & {"H", "V"}
    ]
    # The first path of level lines has the line above each lane, the second that below.
    level = [lines for lines in straight if lines[0][0][1] == lines[0][1][1]]
    bottoms = sorted(end[1] - 0.5 for lines in level[1:2] for _, end in lines)
    for start, end in chain(*straight):
        if start[1] > bottoms[-1] + 0.5:
            chart.ticks.append(start[0] - 0.5)
        else:
            chart.grid.append((start, end))
    place = (0.0, 0.0)
    for element in elements:
        if "transform" in element.attributes:
            place = _place(element)
        elif element.name == "g" and "stroke-width" in element.attributes:
            bottom = next(bottom for bottom in bottoms if bottom > place[1])
            color, pen = element.attributes["stroke"], element.attributes["stroke-width"]
            lane = Drawn(color, *place, chart.right, bottom, float(pen) / 10)
            chart.lines.append(lane)
        elif element.name == "circle" or _is_line(element):
            _take(chart.lines[-1], element)
    return chart


def _is_line(element: Element) -> bool:
    """Return whether a path is a part of a line, and neither a rule nor a mark of a cut value."""
    look = element.attributes
    return element.name == "path" and "stroke" not in look


def _place(plot: Element) -> Point:
    found = re.fullmatch(r"translate\((\d+) (\d+)\)scale\(0\.1\)", plot.attributes["transform"])
    if found is None:
        raise ValueError("the transform of the plot is unknown")
    return float(found[1]), float(found[2])


def _take(line: Drawn, element: Element) -> None:
    look = element.attributes
    if element.name == "circle":
        line.last = _point(line, float(look["cx"]), float(look["cy"]))
        return
    if "fill" in look and "opacity" not in look:  # open values: circles, and triangles beyond
        for (x, y), *rest in path(look["d"]):
            side = ("below" if rest[0][1] < y else "above") if len(rest) > 1 else ""
            height = 0 if side else rest[0][1] - y
            line.open.append((_point(line, x, y + height), side))
        line.last = line.last if line.last != (0, 0) else line.open[-1][0]
        return
    runs = [[_point(line, *point) for point in run] for run in path(look["d"])]
    if "stroke-dasharray" in look:
        line.links = [list(link) for run in runs for link in pairwise(run)]
        return
    if {"opacity", "fill"} <= {*look}:  # a band: its upper line, and back along the lower one
        for run in runs:
            ends = zip(run[: len(run) // 2], reversed(run[len(run) // 2 :]), strict=True)
            line.around += [(x, top, bottom) for (x, top), (_, bottom) in ends]
        return
    if line.dots:  # the first of several paths are the values
        line.around = [(x, y, y) for x, y in line.dots]
        line.dots = []
    if "stroke-linecap" in look:
        line.dots = [run[0] for run in runs]
    else:
        line.runs = runs


def _point(line: Drawn, x: float, y: float) -> Point:
    return line.left + x / 10, line.top + y / 10


def path(data: str) -> list[list[Point]]:
    """Return the points of each part of path data."""
    if "".join(match[0] for match in COMMAND.finditer(data)) != data:
        raise ValueError("path data has an unknown command")
    return list(_parts(data))


def _parts(data: str) -> Iterator[list[Point]]:
    run: list[Point] = []
    for command, rest in COMMAND.findall(data):
        numbers = [float(number) for number in NUMBER.findall(rest)]
        x, y = run[-1] if run else (0.0, 0.0)
        if command == "M":
            if run:
                yield run
            run = [(numbers[0], numbers[1])]
        elif command in "HV":
            run.append((numbers[0], y) if command == "H" else (x, numbers[0]))
        elif command in "lh":
            dx, dy = numbers if command == "l" else [*numbers, 0]
            run.append((x + dx, y + dy))
        elif command == "a":  # a circle that starts at its top: its middle
            run.append((x, y + numbers[1]))
    yield run
