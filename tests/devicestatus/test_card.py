"""The card of a status: what it says of each state, and what it draws."""

import re
from typing import Any

import attrs
import pytest

from devicestatus import limits
from devicestatus.card import card
from devicestatus.lane_values import NOT_REPORTED
from devicestatus.models import Battery, GapReason, Music, Snapshot, System, Window
from devicestatus.projection import prepare
from status_contracts.instants import MINUTE_MS
from status_contracts.svg.palette import GREY
from status_contracts.svg.text import BOLD, text_width
from support.checks.golden import assert_recorded
from support.checks.xml_reading import Element, read_xml
from support.devicestatus.examples import (
    DELAY,
    NOON,
    NOTHING,
    SONG,
    SYSTEM,
    event,
    gap,
    snapshot,
    window,
)

EDITOR_TO_MAIL = window(
    events=(event(1, NOON + 3 * MINUTE_MS, active_app="Mail"),),
    gaps=(gap(NOON + 5 * MINUTE_MS, NOON + 6 * MINUTE_MS),),
)
TIMES = ("12:00", "12:05", "12:10", "12:15")
MUSIC_AND_LOAD = window(baseline=attrs.evolve(NOTHING, music=SONG, system=SYSTEM))
WITHOUT_APP = window(
    events=(
        event(1, NOON + 3 * MINUTE_MS, active_app=None),
        event(2, NOON + 4 * MINUTE_MS, running_apps=()),
        event(3, NOON + 5 * MINUTE_MS, active_app="Mail"),
    )
)
HOSTILE = "]]></title><script>&\"'\x00\ud800\ufffe"


def drawn(shown: Window | Snapshot | None, at: int, **options: Any) -> list[Element]:
    return read_xml(card(shown, at=at, name="Ada", **options))


def texts(shown: Window | Snapshot | None, at: int) -> list[str]:
    return [each.text for each in drawn(shown, at) if each.name == "text"]


def said(shown: Window | Snapshot | None, at: int) -> list[str]:
    """Return the status, the line of the app or the reason, and what follows it."""
    found = [text for text in texts(shown, at) if not text.isalpha() or len(text) > 1]
    return found[found.index("Ada") + 1 :]


@pytest.mark.parametrize(
    ("minute", "expected"),
    [
        (2, ["● online", "Editor, since 12:00 UTC or earlier", "♫ Song — Band"]),
        (4, ["● online", "Mail, since 12:03 UTC", "♫ Song — Band"]),
        (5, ["▨ no record", "The device was asleep", "From 12:05 to 12:06 UTC"]),
    ],
)
def test_a_window_says_the_app_which_is_first_in_the_key_or_why_it_is_not_online(
    minute: int, expected: list[str]
) -> None:
    at = NOON + minute * MINUTE_MS + DELAY
    found = said(EDITOR_TO_MAIL, at)
    foot = f"Shown for 12:0{minute} UTC, 7 minutes late"
    apps = ["Editor", "Mail"] if minute == 2 else ["Mail", "Editor"]
    key = [*apps, "asleep", "still to come"]
    assert [found[:8], found[-1]] == [[*expected, foot, *key], f"12:0{minute}"]
    is_online = isinstance(prepare(EDITOR_TO_MAIL).project(at), Snapshot)
    assert expected[0].startswith("● online") == is_online


@pytest.mark.parametrize(
    ("minute", "expected"),
    [
        (-1, ["◕ starting", "The device is reporting", "First status at 12:07 UTC"]),
        (15, ["▮▮ paused", "Waiting for the next report", "Last seen at 12:15 UTC in Mail"]),
    ],
)
def test_outside_its_window_a_status_is_of_the_server_time(
    minute: int, expected: list[str]
) -> None:
    found = said(EDITOR_TO_MAIL, NOON + minute * MINUTE_MS + DELAY)
    assert found[:4] == [*expected, f"Checked 1 Jan, 12:{minute + 7:02} UTC"]


@pytest.mark.parametrize("shown", [EDITOR_TO_MAIL, snapshot(), None])
def test_an_ordinary_name_is_whole(shown: Any) -> None:
    name = "Alexandra Konstantinidou"
    elements = read_xml(card(shown, at=NOON + 5 * MINUTE_MS + DELAY, name=name))
    assert name in [each.text for each in elements if each.name == "text"]


@pytest.mark.parametrize(
    ("minute", "middle"), [(1, 8.5), (5, 8.53), (7, 9.53), (11, 7.97), (12, 8.5), (99, 8.5)]
)
def test_a_gap_is_named_on_the_background_in_its_middle_or_in_the_longer_part_beside_the_mark(
    minute: int, middle: float
) -> None:
    of = window(gaps=(gap(NOON + 5 * MINUTE_MS, NOON + 12 * MINUTE_MS),))
    elements = drawn(of, NOON + minute * MINUTE_MS + DELAY)
    (n,) = (n for n, each in enumerate(elements) if each.text == "asleep")
    assert float(elements[n].attributes["x"]) == pytest.approx(20 + 440 * middle / 15, abs=1)
    boxes = re.findall(r"M(\d+) \d+H(\d+)V", elements[n - 3].attributes["d"])
    x = float(elements[n].attributes["x"])
    assert [int(left) < x < int(right) for left, right in boxes] == [True, False, False, True]


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (window(baseline=snapshot()), ["Editor", "still to come", "Apps", *TIMES]),
        (MUSIC_AND_LOAD, ["still to come", "Music", *TIMES]),
        (window(baseline=attrs.evolve(NOTHING, system=SYSTEM)), ["still to come", "Load", *TIMES]),
        (WITHOUT_APP, ["Mail", "Editor", NOT_REPORTED, "+1", "still to come", "Apps", *TIMES]),
        (window(window_end=NOON, baseline=snapshot()), []),
        (window(baseline=NOTHING), []),
        (
            window(baseline=NOTHING, gaps=(gap(NOON, NOON + 15 * MINUTE_MS),)),
            ["Apps", *TIMES, "asleep"],
        ),
        (NOTHING, []),
        (None, []),
    ],
)
def test_apps_or_music_or_load_are_drawn_below_the_name_where_else_the_texts_are(
    shown: Any, expected: list[str]
) -> None:
    elements = drawn(shown, NOON - 1 + DELAY)
    (circle,) = (each for each in elements if each.name == "circle")
    assert float(circle.attributes["cy"]) == 40
    assert (circle.attributes["fill"] == GREY) == ("● online" not in said(shown, NOON - 1 + DELAY))
    below = [each.text for each in elements if float(each.attributes.get("y", 0)) > 70]
    below = [text for text in below if len(text) > 1]
    is_snapshot = isinstance(shown, Snapshot)
    foot = below.index("Reported 1 Jan, 12:00 UTC" if is_snapshot else "Checked 1 Jan, 12:06 UTC")
    assert (below[foot + 1 :], foot > 0) == (expected, not expected)
    key = (each for each in elements if each.text in expected[:4] and each.name == "text")
    assert all(float(e.attributes["x"]) + text_width(e.text, 12) <= 460 for e in key)


@pytest.mark.parametrize(
    ("minute", "reasons", "expected"),
    [
        (0, ("sleep", "restart"), ["asleep", "still to come"]),  # one is named in its gap
        (0, ("clock", "restart", "overflow"), ["clock changed", "+2"]),
        (-1, ("overflow", "restart"), ["too many changes", "still to come"]),
        (15, ("clock", "restart", "overflow"), ["clock changed", "+1"]),
    ],
)
def test_unnamed_gaps_are_in_the_key_after_the_last_line_in_each_state(
    minute: int, reasons: tuple[GapReason, ...], expected: list[str]
) -> None:
    ends = (0, 45_000), (60_000, 505_000), (520_000, 560_000), (600_000, 640_000)
    times = ((NOON + start, NOON + end) for start, end in ends)
    gaps = (gap(*ends, reason) for ends, reason in zip(times, reasons, strict=False))
    elements = drawn(window(gaps=tuple(gaps)), NOON + minute * MINUTE_MS + DELAY)
    row = [each for each in elements if each.attributes.get("y") == "164"]
    assert [each.text for each in row[1:]] == expected
    end = float(row[0].attributes["x"]) + text_width(row[0].text, 12)
    assert end + 12 <= float(row[1].attributes["x"]) - 25  # of the sample


def test_apps_that_have_no_space_in_the_key_are_counted() -> None:
    names = "Code", "Calendar", "Chrome", "Comet", "Terminal", "Mail", "Notes"
    changes = (event(n, NOON + n * MINUTE_MS, active_app=name) for n, name in enumerate(names, 1))
    found = texts(window(events=tuple(changes)), NOON + DELAY)
    assert [text for text in found if text.startswith("+")] == ["+4"]


def test_a_low_charge_has_the_colour_that_it_has_on_the_page() -> None:
    for percent, color in ((20, "#855500"), (20.5, "#202124")):
        elements = drawn(snapshot(battery=Battery(percent, False, "battery")), NOON)
        assert [e.attributes["fill"] for e in elements if e.text == f"{percent} %"] == [color]


def test_without_an_app_the_load_is_named_or_that_none_is_shown() -> None:
    for apps, expected in ((("Editor",), "load 1.5"), ((), "no apps shown")):
        of = window(baseline=attrs.evolve(NOTHING, system=SYSTEM, running_apps=apps))
        assert said(of, NOON + DELAY)[1] == f"This device is on, {expected}"


def test_the_mark_has_seconds_where_the_axis_has_them() -> None:
    assert said(window(window_end=NOON + 14_000), NOON + 2_000 + DELAY)[-1] == "12:00:02"


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        (
            snapshot(running_apps=("Editor", "Mail")),
            ["Editor", "♫ Song — Band", "Battery", "82 %", "Load", "1.5", "Open apps", "2"],
        ),
        (
            snapshot(battery=Battery(7.5, True, "ac"), system=System(None, None, None)),
            ["Editor", "♫ Song — Band", "Battery low, charging", "7.5 %"],
        ),
        (
            snapshot(battery=NOTHING.battery, music=Music("paused", "Song", None)),
            ["Editor", "♫ paused: Song", "Load", "1.5"],
        ),
        (NOTHING, ["This device is on"]),
        (attrs.evolve(NOTHING, running_apps=()), ["This device is on"]),  # as while locked
    ],
)
def test_a_snapshot_says_what_it_reports(of: Snapshot, expected: list[str]) -> None:
    found = said(of, NOON)
    found.remove("Reported 1 Jan, 12:00 UTC")
    assert found == ["● online", *expected]


@pytest.mark.parametrize("percent", [20, 85.5, 100])
def test_facts_have_space_between_them_and_each_value_has_the_place_of_its_name(
    percent: float,
) -> None:
    """Invariant *inside the frame*."""
    apps = tuple(map(str, range(limits.RUNNING_APPS)))
    battery, load = Battery(percent, True, "ac"), System(limits.LOAD_MAX, 1, 1)
    elements = drawn(snapshot(battery=battery, system=load, running_apps=apps), NOON)
    facts = [each for each in elements if each.name == "text"][-6:]
    starts = [float(each.attributes["x"]) for each in facts]
    assert starts[::2] == starts[1::2]
    widths = [text_width(each.text, 16 * BOLD if n % 2 else 12) for n, each in enumerate(facts)]
    for start, width, following in zip(starts, widths, [*starts[2:], 460, 460], strict=True):
        assert start + width + 12 <= following


def test_only_a_name_may_run_to_the_left() -> None:
    music = Music("playing", "أنت عمري", None)
    elements = drawn(snapshot(active_app="متصفح الإنترنت السريع", music=music), NOON)
    names = [n for n, element in enumerate(elements) if element.name == "tspan"]
    assert [elements[n].text for n in names] == ["متصفح الإنترنت السريع", "أنت عمري"]
    assert [elements[n - 1].text for n in names] == ["", "♫ "]


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
