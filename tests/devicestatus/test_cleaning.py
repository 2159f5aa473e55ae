"""What an agent removes from names, titles and numbers before it sends them."""

from typing import Any

import attrs
import pytest

from devicestatus.agent.cleaning import clean_app_name, clean_number, clean_title, drop_invisible
from support.devicestatus.examples import COVERED_SONG, snapshot

FULL = snapshot(music=COVERED_SONG, running_apps=("Editor",))
BLANK = "\u2800"
"""A character of which nothing is visible."""


@pytest.mark.parametrize(
    ("value", "cleaned"),
    [(None, None), (float("nan"), None), (-1, None), (101, None), (81.26, 81.3), (50.0, 50)],
)
def test_a_number_outside_its_limits_is_unknown(value: float | None, cleaned: float | None) -> None:
    assert clean_number(value, 100, 1) == cleaned


def test_a_title_of_more_than_4096_characters_is_none() -> None:
    assert clean_title("a" * 4096) is not None
    assert clean_title("a" * 4097) is None


def test_names_of_which_nothing_is_visible_are_left_out() -> None:
    blank = attrs.evolve(FULL, active_app=BLANK, running_apps=(BLANK, "Editor"))
    shown = drop_invisible(blank)
    assert (shown.active_app, shown.running_apps) == (None, ("Editor",))
    assert drop_invisible(FULL) is FULL
    assert drop_invisible(snapshot(music=COVERED_SONG)) == snapshot(music=COVERED_SONG)


def test_what_is_unknown_stays_unknown() -> None:
    assert (clean_app_name(None), clean_title(None)) == (None, None)


@pytest.mark.parametrize("hidden", ["track", "artist"])
def test_music_without_a_visible_title_or_artist_has_no_urls(hidden: str) -> None:
    blank: dict[str, Any] = {hidden: BLANK}
    nothing: dict[str, Any] = {hidden: None, "artwork_url": None, "track_url": None}
    music = attrs.evolve(COVERED_SONG, **blank)
    shown = attrs.evolve(music, **nothing)
    assert drop_invisible(snapshot(music=music)) == snapshot(music=shown)
