"""The card of a snapshot: totals, the heat map of a year, text for people who do not see it."""

from typing import Any

import pytest

from purewire.svg.palette import FILLS
from sitedata.views.heatmap import card
from support.checks.golden import assert_recorded
from support.checks.xml_reading import read_xml
from support.sitedata.site_examples import problem, snapshot

PNG = "data:image/png;base64,iVBORw0KGgo="


def texts(**members: Any) -> list[str]:
    return [each.text for each in read_xml(card(snapshot(**members))) if each.name == "text"]


def test_it_says_totals_languages_and_streak() -> None:
    assert texts() == [
        "S",
        "someone/practice",
        "31 Jan 2026",
        "1 problem solved in Python",
        "3 contributions in twelve months, longest streak 2 days",
    ]


def test_many_languages_are_three_and_a_number() -> None:
    names = ("C", "C", "Go", "D", "Ada")
    problems = tuple(problem(f"a/{n}", language=name) for n, name in enumerate(names))
    found = texts(problems=problems, contributions={"2026-01-31": 1})
    assert found[3:] == [
        "5 problems solved in C, Ada, D and 1 more",
        "1 contribution in twelve months, longest streak 1 day",
    ]


def test_without_contributions_problems_are_counted() -> None:
    assert texts(contributions={})[4] == "1 problem in twelve months, longest streak 1 day"


def test_without_anything_it_says_so() -> None:
    found = texts(contributions={}, problems=())
    assert found[3:] == ["0 problems solved", *["There are no problems to show."] * 2]


@pytest.mark.parametrize("theme", ["light", "dark", "transparent"])
def test_the_picture_is_recorded(theme: Any) -> None:
    svg = card(snapshot(), name="Ada", theme=theme)
    assert all(color in svg.decode() for color, _ in (FILLS[theme][0], FILLS[theme][4]))
    assert_recorded("cards", f"practice-{theme}", svg)


def test_name_and_avatar_are_those_of_the_owner() -> None:
    svg = card(snapshot(), name="<b>", avatar=PNG).decode()
    assert "&lt;b&gt;" in svg
    assert f'href="{PNG}"' in svg
    with pytest.raises(ValueError, match="data URL"):
        card(snapshot(), avatar="https://x.example/a.png")
