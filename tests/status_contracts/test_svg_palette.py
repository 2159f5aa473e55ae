"""The colours of the themes, and of data."""

from itertools import combinations, product
from typing import Any

import pytest

from status_contracts.svg import palette
from status_contracts.svg.image import paper_of
from support.checks.colour_vision import SIGHTS, contrast, difference, seen


class TestPapers:
    def test_transparent_has_no_background(self) -> None:
        assert paper_of("transparent").background is None
        assert paper_of("light").background == "#fff"

    def test_another_theme_raises(self) -> None:
        theme: Any = "blue"
        with pytest.raises(ValueError, match='\'blue\'; expected "light", "dark" or "transparent"'):
            paper_of(theme)


@pytest.mark.parametrize("color", [*palette.APPS, palette.GREEN, palette.MAGENTA, palette.GREY])
def test_blocks_are_readable_on_any_page_and_below_their_text(color: str) -> None:
    """Invariant *readable data*."""
    assert contrast(color, palette.text_on(color)) >= 4.5
    assert contrast(color, "#fff") >= 3
    assert contrast(color, "#0d1117") >= 3


def test_text_is_black_on_bright_colours() -> None:
    assert [palette.text_on(color) for color in ("#000000", "#00000a", "#ffffff")] == [
        *("#fff", "#fff", "#000")
    ]


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize(
    ("colors", "normal", "other"),
    [
        ((*palette.APPS, palette.GREY), 16, 9.5),
        (palette.TONES, 24, 14),
        (palette.TONES_ON_DARK, 24, 14),
        (palette.TONES_ON_BOTH, 19, 11),
    ],
    ids=["apps", "lines", "on dark", "on both"],
)
def test_colours_are_told_apart(
    colors: tuple[str, ...], normal: float, other: float, sight: str
) -> None:
    """Invariants *distinguishable lines*, *distinguishable apps*."""
    least = normal if sight == "normal" else other
    for one, another in combinations(colors, 2):
        assert difference(seen(one, sight), seen(another, sight)) >= least, (one, another)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize(
    ("stages", "tones", "normal", "other"),
    [
        (palette.STAGES, palette.TONES, 11, 6.5),
        (palette.STAGES_ON_DARK, palette.TONES_ON_DARK, 11, 6.5),
        (palette.STAGES_ON_BOTH, palette.TONES_ON_BOTH, 10.5, 6),
    ],
    ids=["any", "dark", "both"],
)
def test_stages_are_told_apart_and_are_no_other_metric(
    stages: tuple[str, ...], tones: tuple[str, ...], normal: float, other: float, sight: str
) -> None:
    """Invariant *distinguishable stages*."""
    least = normal if sight == "normal" else other
    for one, another in (*combinations(stages, 2), *product(stages, tones)):
        assert difference(seen(one, sight), seen(another, sight)) >= least, (one, another)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_day_with_the_least_count_stands_out_from_one_without(theme: palette.Theme) -> None:
    """Invariant *visible days*."""
    none, least, *_ = (color for color, _ in palette.FILLS[theme])
    assert contrast(none, least) >= 1.6
