"""Charts as librsvg draws them."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from healthapi.chart import draw
from healthapi.keys import CARD_METRICS
from status_contracts.svg.palette import PAPERS
from support.checks.colour_vision import channels
from support.checks.fonts import need_font
from support.healthapi.chart_reading import Point, Values, daily, read_chart
from support.servers.services import need

pytestmark = pytest.mark.check

Pixel = tuple[int, int, int]

NEAR = 60
"""Channels of a pixel on a line differ from its colour by less, for edges are soft."""
SIZES = [(360, 220), (960, 320), (1920, 1080)]


def render(svg: bytes, background: str, folder: Path) -> Image.Image:
    """Draw a chart over a background colour."""
    target = folder / "chart.png"
    command = [need("rsvg-convert"), f"--background-color={background}", f"--output={target}"]
    subprocess.run(command, input=svg, check=True, capture_output=True, timeout=60)
    return Image.open(target).convert("RGB")


def is_near(pixel: Pixel, color: str) -> bool:
    return all(abs(a - b) < NEAR for a, b in zip(pixel, channels(color), strict=True))


def pixels(image: Image.Image, box: tuple[int, int, int, int]) -> Iterator[Pixel]:
    data = iter(image.crop(box).tobytes())
    return zip(data, data, data, strict=True)


def around(image: Image.Image, point: Point) -> list[Pixel]:
    """Return the pixels that touch a point."""
    x, y = round(point[0]), round(point[1])
    return list(pixels(image, (x - 1, y - 1, x + 1, y + 1)))


class TestLines:
    @pytest.mark.parametrize("size", SIZES)
    def test_every_line_is_visible(self, size: tuple[int, int], tmp_path: Path) -> None:
        """Each of eight lines where its last value is, and somewhere else besides."""
        columns = dict[str, Values]()
        for seed, key in enumerate(CARD_METRICS):
            columns[key] = [*(n * 2**seed % 11 for n in range(40)), seed]
        series = daily("2024-01-01", **columns)
        svg = draw(series, title="Series", width=size[0], height=size[1])
        image = render(svg, "white", tmp_path)
        assert image.size == size
        for line in read_chart(svg).lines:
            drawn = [*line.points, line.last]
            near = [any(is_near(pixel, line.color) for pixel in around(image, at)) for at in drawn]
            assert sum(near) > len(drawn) / 2, line.color

    @pytest.mark.parametrize("background", ["white", "black"])
    def test_an_isolated_value_is_visible(self, background: str, tmp_path: Path) -> None:
        series = daily("2024-01-01", hrv=[40, 50, None, 44, None, 41])
        svg = draw(series, title="Gaps", theme="transparent")
        (line,), image = read_chart(svg).lines, render(svg, background, tmp_path)
        assert any(is_near(pixel, line.color) for pixel in around(image, line.dots[0]))


class TestTexts:
    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("count", [1, 8])
    def test_texts_stay_beside_the_lanes(
        self, size: tuple[int, int], count: int, tmp_path: Path
    ) -> None:
        """Between names and lanes, lanes and numbers there are empty strips, and at the edges."""
        need_font("e", "fonts-dejavu-core")
        width, height = size
        columns = {key: [12345, 23456.7] for key in CARD_METRICS[:count]}
        svg = draw(daily("2024-01-01", **columns), title="W" * 200, width=width, height=height)
        read, image = read_chart(svg), render(svg, "white", tmp_path)
        white, rule = {(255, 255, 255)}, channels(PAPERS["light"].rule[-8:-1])
        for line in read.lines:
            top, bottom = round(line.top) + 8, round(line.bottom) - 8
            left, right = round(line.left) - 5, round(line.right) + 5
            if top < bottom:
                assert set(pixels(image, (left, top, left + 1, bottom))) == white
                # Grid lines go on to their numbers.
                assert set(pixels(image, (right, top, right + 1, bottom))) - {rule} == white
        assert set(pixels(image, (width - 4, 0, width, height))) == white
        assert set(pixels(image, (0, 0, 4, height))) == white
