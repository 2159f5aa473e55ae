"""Draw the pictures of README and documentation into `docs/images/`.

    PYTHONPATH=tests python tools/readme_pictures.py
    PYTHONPATH=tests python tools/readme_pictures.py status-page http://127.0.0.1:8100/ 830 900

The SVG images come from the library's public functions and from the example data of this
repository, so that they change only with those; `tests/test_pictures.py` compares them.  With the
name, URL, width and height of a page that is served, such as one of `make demo` or of a tutorial,
it takes a screenshot by headless Chromium, which no two machines draw alike.
"""

import json
import sys
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image

import healthapi
import sitedata
from devicestatus import Window, limits, parse_window
from devicestatus.badge import render
from devicestatus.card import card
from devicestatus.timeline import lanes
from healthapi.adapters.folder import FolderSource
from status_contracts.instants import parse_utc
from status_contracts.svg.palette import Theme
from support.servers.webdriver import open_session

ROOT: Final = Path(__file__).parent.parent
IMAGES: Final = ROOT / "docs" / "images"
WIDTH: Final = 830
"""Of a chart in a README, px."""
NARROW: Final = 380
"""Of a picture for phones, px."""
THEMES: Final[dict[str, Theme]] = {"": "light", "-dark": "dark"}
"""End of the names of pictures to their theme."""
PLAYED_MS: Final = 600_000
"""Of the example window, where the card marks it."""


def main(arguments: list[str]) -> None:
    """Write all pictures, or the screenshots of a page."""
    if arguments:
        _take(*arguments)
        return
    for name, image in pictures().items():
        (IMAGES / name).write_bytes(image)


def pictures() -> dict[str, bytes]:
    """Return the pictures that are the same on every machine, by file name."""
    window, tutorial = _window("fourteen-minutes.json"), _window("tutorial-agent.json")
    at = window.window_start + PLAYED_MS + limits.PLAYBACK_DELAY_MS
    text = "♫ So What — Miles Davis"
    texts = {"status": "beta, not on PyPI yet", "Python": "3.11 or later", "licence": "MIT"}
    found = {f"badge-{of.lower()}.svg": render(of, texts[of], online=False) for of in texts}
    found["badge.svg"] = render("status", text, online=True)
    for end, theme in THEMES.items():
        for name, width in {"": 560, "-narrow": NARROW}.items():
            drawn = lanes(tutorial, theme=theme, width=width)
            found[f"tutorial-agent{name}{end}.svg"] = drawn
        found[f"card{end}.svg"] = card(window, at=at, name="Alex Example", theme=theme)
        for name, width in {"": WIDTH, "-narrow": NARROW}.items():
            found[f"timeline{name}{end}.svg"] = lanes(window, theme=theme, width=width)
            found[f"health-chart{name}{end}.svg"] = _health_chart(theme, width)
        found[f"heat-map{end}.svg"] = _heat_map(theme)
    return found


def _window(name: str) -> Window:
    """Read a window as an agent uploaded it, of made-up samples."""
    body = (ROOT / "examples" / "windows" / name).read_bytes()
    return parse_window(body, received_at=parse_utc(json.loads(body)["generated_at"]))


def _health_chart(theme: Theme, width: int) -> bytes:
    """Draw 90 days of a person of the LifeSnaps data."""
    profile = FolderSource(ROOT / "examples" / "lifesnaps").profile("person-1")
    series = profile.series("daily", ["steps", "rhr", "sleep_hours"], 90)
    return healthapi.draw(series, title="Metrics by day", width=width, theme=theme)


def _heat_map(theme: Theme) -> bytes:
    """Draw the made-up year of practice."""
    body = (ROOT / "examples" / "practice" / "site-data.json").read_bytes()
    calendar = sitedata.calendar_of(sitedata.parse(body))
    return sitedata.heatmap(calendar, title="Contributions", theme=theme)


# Pages


def _take(name: str, url: str, width: str, height: str) -> None:
    """Take screenshots of a page in both schemes, px; the dark one ends with `-dark`."""
    with open_session("--lang=en-GB") as session:
        size = {"width": int(width), "height": int(height)}
        session.report(
            "Emulation.setDeviceMetricsOverride", **size, deviceScaleFactor=2, mobile=False
        )
        session.report("Emulation.setScrollbarsHidden", hidden=True)
        for ending, theme in THEMES.items():
            session.set_media(**{"prefers-color-scheme": theme})
            session.open(url)
            session.until("[...document.images].every((image) => image.complete)")
            png = b64decode(session.report("Page.captureScreenshot")["data"])
            shown = Image.open(BytesIO(png)).convert("RGB").quantize(256)
            shown.save(IMAGES / f"{name}{ending}.png", optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
