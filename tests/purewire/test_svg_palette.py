"""The colours of the themes, and of data."""

from typing import Any

import pytest

from purewire.svg.palette import (
    BLUE,
    GREEN,
    GREY,
    MAGENTA,
    OLIVE,
    PAPERS,
    RED,
    Theme,
    paper_of,
)
from support.checks.colour_vision import contrast

PAGES: list[tuple[Theme, str]] = [
    ("light", "#fff"),
    ("dark", "#0d1117"),
    ("transparent", "#fff"),
    ("transparent", "#000"),
]


class TestPapers:
    @pytest.mark.parametrize(("theme", "page"), PAGES)
    def test_text_is_readable(self, theme: Theme, page: str) -> None:
        """Invariant *readable text*."""
        paper = PAPERS[theme]
        assert min(contrast(paper.title, page), contrast(paper.text, page)) >= 4.5

    def test_transparent_has_no_background(self) -> None:
        assert paper_of("transparent").background is None
        assert paper_of("light").background == "#fff"

    def test_another_theme_raises(self) -> None:
        theme: Any = "blue"
        with pytest.raises(ValueError, match='\'blue\'; expected "light", "dark" or "transparent"'):
            paper_of(theme)


@pytest.mark.parametrize("color", [BLUE, GREEN, OLIVE, RED, MAGENTA, GREY])
def test_data_are_readable_on_any_page_and_below_white_text(color: str) -> None:
    """Invariant *readable data*."""
    assert contrast(color, "#fff") >= 4.5
    assert contrast(color, "#0d1117") >= 3
