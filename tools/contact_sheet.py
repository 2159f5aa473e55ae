"""Write a contact sheet: every picture in every theme at three sizes, to look at.

The sheet is an HTML page and, where Chromium is installed, a PNG for each theme; a theme without
background stands on white and on the dark background.
"""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import healthapi
import sitedata
from devicestatus import limits
from devicestatus.models import Window
from devicestatus.rendering.badge import render
from devicestatus.rendering.card import card
from devicestatus.rendering.timeline import lanes
from healthapi.catalog_keys import CHARTS, Granularity
from purewire.svg.palette import PAPERS, Theme

__all__ = ["write"]

PAGES: Final[dict[str, tuple[Theme, str]]] = {
    "light": ("light", "#fff"),
    "dark": ("dark", "#0d1117"),
    "transparent-on-white": ("transparent", "#fff"),
    "transparent-on-dark": ("transparent", "#0d1117"),
}
"""Sheet to its theme and the colour around the pictures."""
CHART_SIZES: Final = ((360, 220), (960, 320), (1920, 1080))
SERIES: Final[tuple[tuple[str, Granularity, tuple[str, ...], int], ...]] = (
    ("One metric, 60 days", "daily", ("steps",), 60),
    ("Two metrics, 20 days", "daily", ("sleep_score", "rhr"), 20),
    ("Overview, 90 days", "daily", CHARTS["overview-trend"].metrics, 90),
    ("Eight metrics, a year", "daily", CHARTS["series"].metrics, 365),
    ("Weekly means", "weekly", CHARTS["weekly-trend"].metrics, 60),
)
HEAT_MAPS: Final = ((11, 320), (11, 390), (11, None), (20, None))
TIMELINE_WIDTHS: Final = (390, 720, 1600)
WIDTH: Final = 2500
HEIGHT: Final = 4400
"""Of a PNG, px; wide pictures are shown smaller."""


def write(
    folder: Path,
    window: Window,
    profile: healthapi.Profile,
    calendar: sitedata.Calendar,
    browser: str | None,
) -> Path:
    """Write the sheet of some example data into a folder, and return its page."""
    folder.mkdir(parents=True, exist_ok=True)
    sections = []
    for name, (theme, page) in PAGES.items():
        rows = []
        for number, row in enumerate(_rows(theme, window, profile, calendar)):
            files = [f"{name}-{number}-{place}.svg" for place in range(len(row))]
            for file, svg in zip(files, row, strict=True):
                (folder / file).write_bytes(svg)
            rows.append("".join(f'<img src="{file}" alt="">' for file in files))
        ink = PAPERS[theme].title
        content = "".join(f"<div>{row}</div>" for row in rows)
        section = (
            f'<section style="background:{page};color:{ink}"><h2>{name}</h2>{content}</section>'
        )
        sections.append(section)
        if browser is not None:
            _screenshot(browser, folder, name, section)
    sheet = folder / "index.html"
    sheet.write_text(_page("".join(sections)), "utf-8")
    return sheet


def _rows(
    theme: Theme, window: Window, profile: healthapi.Profile, calendar: sitedata.Calendar
) -> Iterator[list[bytes]]:
    """Yield rows of pictures: each is one picture in several sizes."""
    yield [
        render("status", "listening to So What", online=True),
        render("status", "offline", online=False),
    ]
    marked = (window.window_start + window.window_end) // 2
    yield [lanes(window, at=marked, width=width, theme=theme) for width in TIMELINE_WIDTHS]
    started = window.window_start + limits.PLAYBACK_DELAY_MS
    yield [
        card(shown, at=started + at, name="Alex Example", theme=theme)
        for shown, at in ((window, 60_000), (window, 330_000), (window.baseline, 0), (None, 0))
    ]
    yield [
        sitedata.heatmap(calendar, title="A year", cell=cell, max_width=width, theme=theme)
        for cell, width in HEAT_MAPS
    ]
    for title, granularity, metrics, count in SERIES:
        series = profile.series(granularity, list(metrics), count)
        yield [
            healthapi.draw(series, title=title, width=width, height=height, theme=theme)
            for width, height in CHART_SIZES
        ]


def _page(content: str) -> str:
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Pictures</title><style>'
        f"body{{margin:0;font:16px sans-serif;width:{WIDTH}px}}section{{padding:16px}}"
        "div{display:flex;gap:16px;margin:16px 0;align-items:start}"
        f"img{{max-width:{WIDTH // 5 * 2}px}}"
        f"</style>{content}</html>"
    )


def _screenshot(browser: str, folder: Path, name: str, section: str) -> None:
    page = folder / f"{name}.html"
    page.write_text(_page(section), "utf-8")
    size = f"--window-size={WIDTH},{HEIGHT}"
    picture = f"--screenshot={folder / name}.png"
    command = [browser, "--headless=new", "--no-sandbox", "--hide-scrollbars", size, picture]
    subprocess.run([*command, page.as_uri()], check=True, capture_output=True, timeout=120)
