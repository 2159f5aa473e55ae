"""What pages say of a record, before or without their scripts."""

import re

import attrs
import pytest

from devicestatus import limits
from devicestatus.headline import Headline, headline
from devicestatus.icons import IconIndex
from devicestatus.models import Battery, Music
from devicestatus.record import Record
from devicestatus.state import shown_value
from status_contracts.instants import MINUTE_MS
from support.devicestatus.examples import (
    DELAY,
    NOON,
    WINDOW_END,
    event,
    gap,
    snapshot,
    snapshot_record,
    window,
    window_record,
)

QUIET = {"music": Music("stopped", "Song", None), "battery": Battery(None, True, "ac")}
WINDOW = window_record(
    window(
        baseline=snapshot(**QUIET),
        events=(event(1, NOON + 3 * MINUTE_MS, active_app="A & <B>"),),
        gaps=(gap(NOON + 5 * MINUTE_MS, NOON + 6 * MINUTE_MS),),
    ),
    received_at=NOON,
)
ASLEEP, WAITING = "The device was asleep", "Waiting for the next report"
LATE = ", shown 7 minutes late"
FIRST = f"First status at 12:07 UTC{LATE}"
LAST = WINDOW_END + limits.WINDOW_LIFETIME_MS - DELAY
LONG = window_record(window(baseline=snapshot(active_app="W" * 61, **QUIET)), received_at=NOON)
HEADLESS = window_record(window(baseline=snapshot(active_app=None, **QUIET)), received_at=NOON)
LOCKED = window_record(window(baseline=snapshot(active_app=None, running_apps=(), **QUIET)), NOON)


def said(record: Record | None, at: int) -> Headline:
    return headline(shown_value(record, now=at, ttl_seconds=60), at)


def texts(shown: Headline) -> list[str]:
    """Return label, title, and the details without the elements of times."""
    return [
        shown.label,
        shown.title,
        *(re.sub(r"</?time.*?>", "", d) for d in shown.details_html() if d),
    ]


@pytest.mark.parametrize(
    ("record", "at", "expected"),
    [
        (WINDOW, NOON - 1, ["Starting", "The device is reporting", FIRST]),
        (WINDOW, NOON, ["Online", "Editor", f"Since 12:00 UTC or earlier{LATE}"]),
        (WINDOW, NOON + 4 * MINUTE_MS, ["Online", "A & <B>", f"Since 12:03 UTC{LATE}"]),
        (WINDOW, NOON + 5 * MINUTE_MS, ["No record", ASLEEP, f"From 12:05 to 12:06 UTC{LATE}"]),
        (WINDOW, NOON + 6 * MINUTE_MS, ["Online", "A & <B>", f"Since 12:06 UTC or earlier{LATE}"]),
        (WINDOW, WINDOW_END, ["Paused", WAITING, "Last seen at 12:15 UTC in A &amp; &lt;B&gt;"]),
        (LONG, WINDOW_END, ["Paused", WAITING, f"Last seen at 12:15 UTC in {'W' * 59}…"]),
        (HEADLESS, LAST - 1, ["Paused", WAITING, "Last seen at 12:15 UTC"]),
        (HEADLESS, NOON, ["Online", "This device is on", "Shown 7 minutes late", "Load 1.5"]),
        (LOCKED, NOON, ["Online", "This device is on", "Shown 7 minutes late", "No apps shown"]),
    ],
)
def test_a_window_says_what_it_was_seven_minutes_ago_or_why_not(
    record: Record, at: int, expected: list[str]
) -> None:
    shown = said(record, at + DELAY)
    assert texts(shown) == expected
    assert shown.state == expected[0].lower().replace("no record", "gap")
    assert (shown.app is None) == (shown.title != shown.app)


@pytest.mark.parametrize(
    ("record", "at"), [(None, NOON), (WINDOW, LAST + DELAY), (snapshot_record(), NOON + MINUTE_MS)]
)
def test_what_is_over_is_offline(record: Record | None, at: int) -> None:
    expected = ["Offline", "Not reporting", "The device may be off, asleep or without a network."]
    assert texts(said(record, at)) == expected


def test_a_snapshot_says_what_it_reports() -> None:
    battery = Battery(20, True, "ac")
    data = snapshot(music=Music("playing", "<Song>", "Band"), battery=battery)
    shown = said(attrs.evolve(snapshot_record(), data=data), NOON)
    assert shown.details_html() == [
        'Reported at <time datetime="2026-01-01T12:00:00.000Z">12:00 UTC</time>',
        "♫ <bdi>&lt;Song&gt; — Band</bdi>",
        "<b data-low>Battery 20\u00a0%, charging</b>",
    ]


@pytest.mark.parametrize(
    ("app", "expected"),
    [
        (None, ""),
        ("<i>", '<span class="tile" aria-hidden="true" data-color="6">I</span>'),
        ("System", '<span class="tile" aria-hidden="true" data-color="other">•</span>'),
        ("Editor", '<img class="tile" src="laptop/api/icons/text-editor.png" alt="">'),
    ],
)
def test_the_mark_of_an_app_is_its_icon_or_its_initial(app: str | None, expected: str) -> None:
    shown = said(attrs.evolve(snapshot_record(), data=snapshot(active_app=app)), NOON)
    icons = IconIndex(frozenset(), {"editor": "text-editor", "a & <b>": "text-editor"})
    assert shown.tile_html(icons, "laptop/") == expected
    assert ">E</span>" in said(WINDOW, NOON + DELAY).tile_html(icons), "two apps have the icon"
