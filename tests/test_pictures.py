"""Every text of every picture is readable, in each theme and on each page it may stand on."""

import re
from datetime import date
from pathlib import Path

import pytest
import readme_pictures

import healthapi
import sitedata
from devicestatus.badge import render
from devicestatus.card import card
from devicestatus.models import System
from devicestatus.timeline import lanes
from healthapi.adapters.folder import FolderSource
from status_contracts.svg.palette import APPS, Theme
from support.checks.drawn_text import least_contrasts
from support.checks.xml_reading import read_xml
from support.devicestatus.examples import DELAY, NOON, event, gap, snapshot, window

MINUTE = 60_000
ROOT = Path(__file__).parents[1]
PAGES: list[tuple[Theme, str, float]] = [
    *(("light", "#0d1117", 4.5), ("dark", "#ffffff", 4.5)),
    *(("transparent", page, 4.3) for page in ("#ffffff", "#0d1117", "#000000")),
]


def timeline_and_card(theme: Theme) -> tuple[bytes, bytes]:
    events = [event(n, NOON + n * MINUTE, active_app=f"App {n}") for n in range(1, len(APPS) + 1)]
    of = window(events=tuple(events), gaps=(gap(NOON + 12 * MINUTE, NOON + 14 * MINUTE),))
    at = NOON + 5 * MINUTE
    return lanes(of, at=at, width=1200, theme=theme), card(of, at=at + DELAY, theme=theme)


def charts(theme: Theme) -> list[bytes]:
    profile = FolderSource(ROOT / "examples" / "lifesnaps").profile("person-1")
    several = profile.series("daily", ["steps", "rhr", "sleep_hours"], 90)
    drawn = [several, profile.series("daily", ["steps"], 30), profile.series("daily", [])]
    practice = sitedata.parse((ROOT / "examples/practice/site-data.json").read_bytes())
    heat_map = sitedata.heatmap(sitedata.calendar_of(practice), theme=theme)
    return [*(healthapi.draw(series, title="Trends", theme=theme) for series in drawn), heat_map]


@pytest.mark.parametrize(("theme", "page", "least"), PAGES)
def test_texts_have_a_contrast_of_4_5_or_4_3_to_what_is_behind_them(
    theme: Theme, page: str, least: float
) -> None:
    """*readable text*."""
    for svg in (*timeline_and_card(theme), *charts(theme)):
        texts = least_contrasts(svg, page)
        assert len(texts) > 1
        assert texts[0][0] >= least, texts[0]


@pytest.mark.parametrize("online", [True, False])
def test_a_badge_is_readable(online: bool) -> None:
    texts = least_contrasts(render("status", "online", online=online), "#ffffff")
    assert len(texts) == 2
    assert texts[0][0] >= 4.5


def test_numbers_are_written_with_groups_of_three() -> None:
    loads = event(1, NOON + MINUTE, system=System(31170, 1, 1))
    of = window(events=(loads,))
    steps = FolderSource(ROOT / "examples" / "lifesnaps").profile("person-1")
    pictures = [
        lanes(of),
        card(snapshot(system=System(31170, 1, 1)), at=NOON),
        healthapi.draw(steps.series("daily", ["steps"], 90), title="Steps"),
        sitedata.heatmap(sitedata.Calendar({date(2026, 1, 1): 31170}), title="Many"),
    ]
    for svg in pictures:
        texts = [each.text for each in read_xml(svg) if each.name != "svg"]
        assert [each for each in texts if re.search(r"[0-9],[0-9]{3}", each)]
        long = re.findall(r"(?<![\w.])[0-9]{4,}(?!\w)", " ".join(texts))
        assert {*long} <= {*map(str, range(2020, 2027))}  # years


def test_the_pictures_of_the_documentation_are_the_present_ones() -> None:
    """`make pictures` draws them anew, and leaves a clean clone clean."""
    drawn = readme_pictures.pictures()
    folder = readme_pictures.IMAGES
    assert drawn
    assert [name for name in drawn if (folder / name).read_bytes() != drawn[name]] == []
