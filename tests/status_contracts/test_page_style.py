"""The style that all pages share: colours that can be read, the same as those of pictures."""

import re
from collections.abc import Mapping
from typing import Final

import pytest

from sitedata.page import LEVEL_COLORS
from status_contracts.adapters.page_files import build_sheet
from status_contracts.pages.page import DATA_COLORS
from status_contracts.svg.palette import INITIALS
from support.checks.colour_vision import contrast

SHEET: Final = build_sheet(DATA_COLORS + LEVEL_COLORS)
DARK: Final = re.compile(r"@media screen and \(prefers-color-scheme: dark\) \{(.*?)\n\}", re.DOTALL)


def variables(css: str) -> Mapping[str, str]:
    """Return the variables of the `:root` rules of a text."""
    rules = "".join(re.findall(r"(?<!html):root \{([^}]*)\}", css))
    return dict(re.findall(r"(--[\w-]+): ([^;]+);", rules))


LIGHT: Final = variables(DARK.sub("", SHEET))
SCHEMES: Final = {"light": LIGHT, "dark": {**LIGHT, **variables("".join(DARK.findall(SHEET)))}}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_contrasts_with_its_background(scheme: str) -> None:
    """WCAG 2 AA: 4.5 to 1."""
    colors = SCHEMES[scheme]
    for text in ("text", "muted", "link", "accent", "warning", "error"):
        for background in ("background", "card", "code"):
            found = contrast(colors[f"--{text}"], colors[f"--{background}"])
            assert found >= 4.5, (text, background, found)
    assert contrast(colors["--background"], colors["--accent"]) >= 4.5


def test_every_colour_of_the_light_scheme_has_one_for_dark_pages() -> None:
    same = {name for name, value in LIGHT.items() if SCHEMES["dark"][name] == value}
    assert same == set()


def test_an_initial_has_the_colours_of_a_card() -> None:
    pairs = {name: (each["--accent"], each["--background"]) for name, each in SCHEMES.items()}
    assert pairs == {name: INITIALS[name] for name in ("light", "dark")}
    rule = SHEET.partition("\n.initial {")[2].partition("}")[0]
    assert "background: var(--accent);\n  color: var(--background);" in rule
