"""The card of a status: what it says of each state, and what it draws."""

from typing import Any

import attrs
import pytest

from devicestatus.card import card
from devicestatus.models import Battery, Music, Snapshot, System, Window
from devicestatus.projection import prepare
from status_contracts.instants import MINUTE_MS
from support.checks.drawn_text import least_contrasts
from support.checks.golden import assert_recorded
from support.checks.xml_reading import Element, read_xml
from support.devicestatus.examples import (
    DELAY,
    NOON,
    event,
    gap,
    snapshot,
    window,
)

EDITOR_TO_MAIL = window(
    events=(event(1, NOON + 3 * MINUTE_MS, active_app="Mail"),),
    gaps=(gap(NOON + 5 * MINUTE_MS, NOON + 6 * MINUTE_MS),),
)
EMPTY = snapshot(
    active_app=None,
    battery=Battery(None, None, "unknown"),
    system=System(None, None, None),
    music=Music("unavailable", None, None),
)
OFFLINE = "The computer may be off, asleep or without a network"
HOSTILE = "]]></title><script>&\"'\x00\ud800\ufffe"


def drawn(shown: Window | Snapshot | None, at: int, **options: Any) -> list[Element]:
    return read_xml(card(shown, at=at, name="Ada", **options))


def texts(shown: Window | Snapshot | None, at: int) -> list[str]:
    return [each.text for each in drawn(shown, at) if each.name == "text"]


def said(shown: Window | Snapshot | None, at: int) -> list[str]:
    """Return the status, the line of the app or the reason, and what follows it."""
    found = texts(shown, at)
    return found[found.index("Ada") + 1 :]


@pytest.mark.parametrize(
    ("minute", "expected"),
    [
        (4, ["online, 1 Jan, 12:11 UTC", "Mail, since 12:03 UTC", "♫ Song — Band"]),
        (5, ["no record, 1 Jan, 12:12 UTC", "Asleep", "From 12:05 UTC to 12:06 UTC"]),
    ],
)
def test_a_window_says_the_app_and_since_when_or_why_it_is_not_online(
    minute: int, expected: list[str]
) -> None:
    at = NOON + minute * MINUTE_MS + DELAY
    assert said(EDITOR_TO_MAIL, at)[: len(expected)] == expected
    is_online = isinstance(prepare(EDITOR_TO_MAIL).project(at), Snapshot)
    assert expected[0].startswith("online") == is_online


@pytest.mark.parametrize("minute", [1, 7, 8, 14])
def test_a_bar_around_the_shown_instant_is_outlined_after_it_and_named_once(minute: int) -> None:
    elements = drawn(window(baseline=snapshot()), NOON + minute * MINUTE_MS + DELAY)
    shapes = {
        each.attributes["height"]: n for n, each in enumerate(elements) if "rx" in each.attributes
    }
    filled, outlined = shapes["30"], shapes["29"]
    (name,) = (n for n, each in enumerate(elements) if each.text == "Editor")
    assert filled < outlined
    assert (name > outlined) == (minute < 7.5)


@pytest.mark.parametrize(
    ("minute", "place"), [(1, 8.5), (5, 8.5), (6, 9.0), (12, 8.5), (10, 7.5), (99, 8.5)]
)
def test_a_gap_is_named_in_its_middle_or_beside_the_mark(minute: int, place: float) -> None:
    of = window(gaps=(gap(NOON + 5 * MINUTE_MS, NOON + 12 * MINUTE_MS),))
    elements = drawn(of, NOON + minute * MINUTE_MS + DELAY)
    (name,) = (each for each in elements if each.text == "asleep")
    assert float(name.attributes["x"]) == pytest.approx(20 + 440 * place / 15, abs=1)


def test_the_name_of_a_gap_has_a_box_where_there_is_a_background() -> None:
    of = window(gaps=(gap(NOON + 5 * MINUTE_MS, NOON + 12 * MINUTE_MS),))
    boxes = {
        theme: sum(each.name == "rect" for each in drawn(of, NOON + DELAY, theme=theme))
        for theme in ("light", "transparent")
    }
    assert boxes["light"] == boxes["transparent"] + 1


def test_an_unknown_app_has_no_time() -> None:
    assert said(window(baseline=EMPTY), NOON + DELAY)[1] == "This computer is on"


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        (
            snapshot(running_apps=("Editor", "Mail")),
            [
                *("Editor, reported at 12:00 UTC", "♫ Song — Band"),
                *("Battery", "82 %", "Load", "1.5", "Open apps", "2"),
            ],
        ),
        (
            snapshot(battery=Battery(7.5, True, "ac"), system=System(None, None, None)),
            ["Editor, reported at 12:00 UTC", "♫ Song — Band", "Battery", "7.5 % charging"],
        ),
        (
            snapshot(battery=EMPTY.battery, music=Music("paused", "Song", None)),
            ["Editor, reported at 12:00 UTC", "♫ paused: Song", "Load", "1.5"],
        ),
        (EMPTY, ["This computer is on, reported at 12:00 UTC"]),
        (
            attrs.evolve(EMPTY, running_apps=()),  # as while the screen is locked
            ["This computer is on, reported at 12:00 UTC"],
        ),
    ],
)
def test_a_snapshot_says_what_it_reports(of: Snapshot, expected: list[str]) -> None:
    assert texts(of, NOON)[1:] == ["Ada", "online, 1 Jan, 12:00 UTC", *expected]


def test_nothing_says_so() -> None:
    assert texts(None, NOON) == ["A", "Ada", "offline, 1 Jan, 12:00 UTC", "Not reporting", OFFLINE]


def test_the_window_is_drawn_with_its_gap_and_the_shown_instant() -> None:
    elements = drawn(EDITOR_TO_MAIL, NOON + 4 * MINUTE_MS + DELAY)
    titles = [each.text for each in elements if each.name == "title"]
    assert titles == [
        "Ada",
        "12:00:00 to 12:03:00 (3 min): Editor",
        "12:03:00 to 12:04:00 (1 min): Mail",
        "12:04:00 to 12:05:00 (1 min): Mail",
        "12:06:00 to 12:15:00 (9 min): Mail",
        "12:05:00 to 12:06:00 (1 min): asleep",
    ]
    assert "12:04" in [each.text for each in elements]


def test_the_description_is_complete() -> None:
    about = drawn(EDITOR_TO_MAIL, NOON + 4 * MINUTE_MS + DELAY)[2].text
    assert about.startswith("Online. Mail, since 12:03 UTC. ♫ Song — Band. 1 Jan 2026, 12:00:00 to")
    assert "Gaps: asleep 12:05:00 to 12:06:00 (1 min)" in about


def test_hostile_names_are_text_and_long_ones_are_cut_before_the_time() -> None:
    music = Music("playing", HOSTILE, HOSTILE * 20)
    of = window(baseline=snapshot(active_app=HOSTILE * 8, music=music))
    elements = drawn(of, NOON + DELAY)
    assert {each.name for each in elements} <= {
        *("svg", "title", "desc", "rect", "circle", "text", "tspan", "path", "g")
    }
    app, song = said(of, NOON + DELAY)[1:3]
    assert app.startswith(HOSTILE[:9])
    assert app.endswith("…, since 12:00 UTC or earlier")
    assert song.endswith("…")


@pytest.mark.parametrize(
    ("name", "shown", "options"),
    [
        ("window", EDITOR_TO_MAIL, {}),
        ("window-dark", EDITOR_TO_MAIL, {"theme": "dark"}),
        ("snapshot-transparent", snapshot(), {"theme": "transparent"}),
    ],
)
def test_the_image_is_the_recorded_one(name: str, shown: Any, options: Any) -> None:
    at = NOON + 4 * MINUTE_MS + DELAY
    assert_recorded("cards", name, card(shown, at=at, name="Ada", **options))


@pytest.mark.parametrize("theme", ["light", "dark", "transparent"])
@pytest.mark.parametrize("minute", [4, 5, 99])
def test_texts_are_readable(theme: Any, minute: int) -> None:
    svg = card(EDITOR_TO_MAIL, at=NOON + minute * MINUTE_MS + DELAY, theme=theme)
    for page in ("#fff", "#0d1117"):
        assert least_contrasts(svg, page)[0][0] >= 4.5
