"""The calendar as an SVG image: what it shows, and that it is safe to show."""

import re
import subprocess
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from sitedata.views.calendar import Calendar, calendar_of
from sitedata.views.heatmap import LEVELS, build_heat, heatmap
from status_contracts.svg.palette import FILLS, Theme
from support.checks.colour_vision import SIGHTS, channels, seen
from support.checks.golden import assert_recorded
from support.checks.xml_reading import Element, read_xml
from support.servers.services import need

LAST = date(2026, 1, 31)
YEAR = calendar_of({LAST - timedelta(back): back * back % 11 for back in range(400)})
RECORDED: dict[str, tuple[Calendar, dict[str, Any]]] = {
    "year": (YEAR, {}),
    "ten-weeks-dark": (YEAR, {"weeks": 10, "theme": "dark"}),
    "twenty-weeks-transparent": (YEAR, {"weeks": 20, "theme": "transparent"}),
    "empty": (calendar_of({}), {"title": "Nothing yet"}),
}
ELEMENTS = {
    "svg": {
        *("xmlns", "width", "height", "viewBox", "role", "aria-labelledby", "aria-describedby"),
        *("font-family", "font-size", "text-rendering"),
    },
    "title": {"id"},
    "desc": {"id"},
    "rect": {"width", "height", "fill"},
    "text": {"x", "y", "fill", "font-size", "font-weight", "text-anchor"},
    "g": {"fill", "transform"},
    "path": {"d", "fill", "opacity", "stroke", "stroke-linejoin", "stroke-width"},
}
"""The elements and attributes of a heat map: no scripts, styles or references."""


def blended(level: int, page: str) -> str:
    """Return the colour of a level without background on a page."""
    color, opacity = FILLS["transparent"][level]
    part = float(opacity)
    mixed = (
        round(part * above + (1 - part) * below)
        for above, below in zip(channels(color), channels(page), strict=True)
    )
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def colors(theme: Theme, page: str) -> list[str]:
    if theme == "transparent":
        return [blended(level, page) for level in range(LEVELS + 1)]
    return [color for color, _ in FILLS[theme]]


def elements(svg: bytes, name: str) -> list[Element]:
    return [element for element in read_xml(svg) if element.name == name]


@pytest.mark.rule("SD-VIEW-08")
class TestSafety:
    @pytest.mark.parametrize(("calendar", "options"), RECORDED.values(), ids=RECORDED)
    def test_it_has_no_scripts_and_no_references(
        self, calendar: Calendar, options: dict[str, Any]
    ) -> None:
        """Invariant *self-contained*."""
        for element in read_xml(heatmap(calendar, **options)):
            assert element.attributes.keys() <= ELEMENTS[element.name]

    def test_the_same_calendar_gives_the_same_bytes(self) -> None:
        """Invariant *deterministic*."""
        other = calendar_of(dict(reversed(list(YEAR.counts.items()))))
        assert heatmap(other) == heatmap(YEAR)

    @given(st.dictionaries(st.dates(), st.integers(0, 10**40), max_size=9), st.integers(1, 106))
    def test_any_calendar_can_be_drawn(self, counts: dict[date, int], weeks: int) -> None:
        svg = heatmap(calendar_of(counts), weeks=weeks)
        (image,) = elements(svg, "svg")
        assert len(svg) < 60_000
        moved = [
            g.attributes["transform"] for g in elements(svg, "g") if "transform" in g.attributes
        ]
        left, top = map(int, re.findall("[0-9]+", moved[0])) if moved else (0, 0)
        for text in elements(svg, "text"):
            assert -left <= float(text.attributes["x"]) <= float(image.attributes["width"])
            assert -top <= float(text.attributes["y"]) <= float(image.attributes["height"])


class TestTexts:
    """Invariant *complete in text*."""

    def test_each_month_is_a_group_with_a_title(self) -> None:
        heat = build_heat(YEAR, until=None, weeks=53)
        assert heat is not None
        _, *titles = elements(heatmap(YEAR), "title")
        assert [title.text.split(":")[0] for title in titles] == [
            month.name for month in heat.months
        ]


class TestSquares:
    def test_another_theme_raises(self) -> None:
        other: Any = "blue"
        with pytest.raises(ValueError, match=r"."):
            heatmap(YEAR, theme=other)


class TestFills:
    @pytest.mark.parametrize("sight", SIGHTS)
    @pytest.mark.parametrize(
        ("theme", "page"),
        [
            *(("light", "#fff"), ("dark", "#0d1117")),
            *(("transparent", "#fff"), ("transparent", "#000"), ("transparent", "#0d1117")),
        ],
    )
    def test_levels_differ_in_lightness_alone(self, theme: Theme, page: str, sight: str) -> None:
        """Invariant *readable by lightness*: in steps of L*, all in one direction."""
        lightness = [seen(color, sight).convert("lab-d65")["l"] for color in colors(theme, page)]
        steps = [other - one for one, other in pairwise(lightness)]
        assert min(map(abs, steps)) >= 7
        assert len({step > 0 for step in steps}) == 1


class TestDrawn:
    """As librsvg draws it."""

    def test_every_day_has_the_colour_of_its_level(self, tmp_path: Path) -> None:
        svg, target = heatmap(YEAR), tmp_path / "map.png"
        command = [need("rsvg-convert"), f"--output={target}"]
        subprocess.run(command, input=svg, check=True, capture_output=True, timeout=60)
        picture = Image.open(target).convert("RGB")
        (image,) = elements(svg, "svg")
        assert picture.size == (int(image.attributes["width"]), int(image.attributes["height"]))
        heat = build_heat(YEAR, until=None, weeks=53)
        assert heat is not None
        moved = next(g for g in elements(svg, "g") if "transform" in g.attributes)
        left, top = map(int, re.findall("[0-9]+", moved.attributes["transform"]))
        cell, step = 11, 13
        row = top + heat.week_and_weekday(heat.days[0])[1] * step
        corner = picture.getpixel((left, row))
        assert corner != picture.getpixel((left + cell // 2, row + cell // 2))
        for day in heat.days:
            week, row = heat.week_and_weekday(day)
            place = left + week * step + cell // 2, top + row * step + cell // 2
            color = colors("light", "#fff")[heat.levels.get(day, 0)]
            assert picture.getpixel(place) == channels(color)


class TestRecorded:
    @pytest.mark.parametrize("name", RECORDED)
    def test_the_image_is_the_recorded_one(self, name: str) -> None:
        calendar, options = RECORDED[name]
        assert_recorded("heatmaps", name, heatmap(calendar, **options))
