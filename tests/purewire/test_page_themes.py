"""Variables of the shared style: their documentation, and the themes that ship as examples."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from purewire.pages.settings import PageSettings
from purewire.pages.style import DATA, LEVELS, STYLE
from purewire.svg.palette import INITIALS
from support.checks.colour_vision import contrast

ROOT = Path(__file__).parents[2]
THEMES = sorted((ROOT / "examples" / "themes").glob("*.css"))
DARK = re.compile(r"@media (?:screen and )?\(prefers-color-scheme: dark\) \{(.*?)\n\}", re.DOTALL)

Variables = Mapping[str, str]


def variables(css: str) -> Variables:
    """Return the variables of the `:root` rules of a text."""
    rules = "".join(re.findall(r"(?<!html):root \{([^}]*)\}", css))
    return dict(re.findall(r"(--[\w-]+): ([^;]+);", rules))


def schemes(css: str) -> tuple[Variables, Variables]:
    """Return the variables for light and those for dark."""
    light = variables(DARK.sub("", css))
    return light, {
        name: value for part in DARK.findall(css) for name, value in variables(part).items()
    }


def effective(theme: str) -> tuple[Variables, Variables]:
    """Return all variables for light and for dark, as the cascade has them."""
    light, dark = schemes(STYLE + DATA + LEVELS)
    theme_light, theme_dark = schemes(theme)
    return {**light, **theme_light}, {**light, **dark, **theme_light, **theme_dark}


def test_the_documentation_says_what_each_variable_is_for() -> None:
    """The site adds the values."""
    light, _ = schemes(STYLE + DATA + LEVELS)
    text = (ROOT / "docs" / "reference" / "pages.md").read_text("utf-8")
    assert sorted(re.findall(r"^(--[\w-]+): .", text, re.MULTILINE)) == sorted(light)


def test_an_initial_has_the_colours_of_a_card() -> None:
    pairs = [(each["--accent"], each["--background"]) for each in schemes(STYLE)]
    assert pairs == [INITIALS["light"], INITIALS["dark"]]
    rule = STYLE.partition(".avatar {")[2].partition("}")[0]
    assert "background: var(--accent);\n  color: var(--background);" in rule


class TestThemes:
    def test_two_are_there(self) -> None:
        assert [theme.stem for theme in THEMES] == ["paper", "terminal"]

    @pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.stem)
    def test_a_theme_is_accepted_and_sets_known_variables_only(self, theme: Path) -> None:
        css = theme.read_text("utf-8")
        PageSettings(theme=css)
        light, dark = schemes(css)
        assert {*light, *dark} <= variables(STYLE + DATA + LEVELS).keys()

    @pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
    @pytest.mark.parametrize("theme", ["", *THEMES], ids=["none", "paper", "terminal"])
    def test_text_contrasts_with_its_background(self, theme: str | Path, scheme: int) -> None:
        """WCAG 2 AA: 4.5 to 1."""
        css = theme.read_text("utf-8") if isinstance(theme, Path) else theme
        colors = effective(css)[scheme]
        for text in ("text", "muted", "link", "success", "warning", "error"):
            for background in ("background", "card", "code"):
                found = contrast(colors[f"--{text}"], colors[f"--{background}"])
                assert found >= 4.5, (text, background, found)
        assert contrast(colors["--background"], colors["--accent"]) >= 4.5
