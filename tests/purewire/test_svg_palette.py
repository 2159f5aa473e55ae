"""The colours of the two themes."""

from typing import Any

import pytest

from purewire.svg.palette import PAPERS, Theme, paper_of
from support.checks.colour_vision import contrast

PAGES: list[tuple[Theme, str]] = [
    ("light", "#fff"),
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
        theme: Any = "dark"
        with pytest.raises(ValueError, match='\'dark\'; expected "light" or "transparent"'):
            paper_of(theme)
