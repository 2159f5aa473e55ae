"""Draw the pictures of README and documentation into `docs/images/`.

    PYTHONPATH=tests python tools/readme_pictures.py
    PYTHONPATH=tests python tools/readme_pictures.py status-page http://127.0.0.1:8000/ 830 900

The SVG images come from the library's public functions and from the example data of this
repository, so that they change only with those; `tests/test_pictures.py` compares them.  With the
name, URL, width and height of a page that is served, such as one of `make demo` or of a tutorial,
it takes a screenshot by headless Chromium, which no two machines draw alike.
"""

import sys
from base64 import b64decode
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Final

import attrs
from PIL import Image

import healthapi
import sitedata
from devicestatus import Battery, Music, Snapshot, System, limits, parse_window
from devicestatus.agent.privacy import PrivacyRules
from devicestatus.agent.recorder import Batch, Recorder
from devicestatus.badge import render, status_text
from devicestatus.card import card
from devicestatus.models import Window
from devicestatus.settings import DEFAULT_SERVICE_NAME
from devicestatus.timeline import lanes
from healthapi.adapters.folder import FolderSource
from sitedata.views.heatmap import YEAR_WEEKS
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
START: Final = 1_769_860_800_000
"""2026-01-31T12:00:00Z, the start of the example window, ms since the epoch."""
SECOND: Final = 1_000
SESSION: Final = "0f8fad5b-d9cb-469f-a165-70867728950e"
ASLEEP: Final = range(300, 390)
"""Seconds of the window in which the machine sleeps."""
MUSIC_START: Final = 60
KONSOLE_END: Final = 500
PLAYED: Final = 600 * SECOND
"""Of the example window, where it is marked."""
APPS: Final = (
    "Editor",
    "Konsole",
    "Editor",
    "Firefox",
    "Editor",
    "Firefox",
    "Thunderbird",
    "Editor",
)
TRACKS: Final = ("So What", "Freddie Freeloader", "Blue in Green")


def main(arguments: list[str]) -> int:
    """Write all pictures, or the screenshots of a page."""
    if arguments:
        _take(*arguments)
    else:
        for name, image in pictures().items():
            (IMAGES / name).write_bytes(image)
    return 0


def pictures() -> dict[str, bytes]:
    """Return the pictures that are the same on every machine, by file name."""
    found = {
        "badge.svg": render(DEFAULT_SERVICE_NAME, status_text(_sample(120, START)), online=True),
    }
    window, at = _example_window(), START + PLAYED + limits.PLAYBACK_DELAY_MS
    title = "Fourteen minutes of example data"
    for end, theme in THEMES.items():
        for name, width in {"": 560, "-narrow": NARROW}.items():
            drawn = lanes(_agent_window(), theme=theme, width=width)
            found[f"tutorial-agent{name}{end}.svg"] = drawn
        found[f"card{end}.svg"] = card(window, at=at, name="Alex Example", theme=theme)
        found[f"timeline{end}.svg"] = lanes(window, title=title, theme=theme, width=WIDTH)
        found[f"timeline-narrow{end}.svg"] = lanes(window, title=title, theme=theme, width=NARROW)
        found[f"health-chart{end}.svg"] = _health_chart(theme, WIDTH)
        found[f"health-chart-narrow{end}.svg"] = _health_chart(theme, NARROW)
        found[f"heat-map{end}.svg"] = _heat_map(theme, "A year of practice", YEAR_WEEKS)
        found[f"heat-map-narrow{end}.svg"] = _heat_map(theme, "Five months of practice", 22)
    return found


def _example_window() -> Window:
    """Return a window of 14 minutes, made-up samples with one gap, as the recorder uploads it."""
    steps = (step for step in range(0, 14 * 60, 15) if step not in ASLEEP)
    samples = (_sample(step, START + step * SECOND) for step in steps)
    return _recorded(samples, PrivacyRules())


def _agent_window() -> Window:
    """Return the window that the agent of the tutorial sends."""
    nothing = Snapshot(
        collected_at=START,
        active_app=None,
        battery=Battery(None, None, "unknown"),
        system=System(2.7, 2.5, 2.4),
        music=Music("stopped", None, None),
    )
    apps = {0: "Editor", 4: "Diary", 12: "Mail", 14: "Mail"}
    samples = (
        attrs.evolve(nothing, collected_at=START + second * SECOND, active_app=app)
        for second, app in apps.items()
    )
    return _recorded(samples, PrivacyRules(names={"Diary"}))


def _recorded(samples: Iterable[Snapshot], rules: PrivacyRules) -> Window:
    recorder = Recorder(SESSION, rules)
    now = START
    for sample in samples:
        now = sample.collected_at
        recorder.observe(sample, wall_ms=now, monotonic_ms=now)
    batch = recorder.batch(now_ms=now)
    if not isinstance(batch, Batch):
        raise TypeError(f"the recorder has no batch to draw: {batch}")
    return parse_window(batch.body, received_at=now)


def _sample(step: int, now: int) -> Snapshot:
    app = APPS[step // 105 % len(APPS)]
    playing = step > MUSIC_START
    return Snapshot(
        collected_at=now,
        active_app=app,
        running_apps=("Editor", "Firefox", "Konsole")[: 3 if step < KONSOLE_END else 2],
        battery=Battery(percent=82 - step // 80, charging=False, power_source="battery"),
        system=System(load_1m=round(0.4 + (step % 240) / 150, 2), load_5m=0.7, load_15m=0.6),
        music=Music(
            state="playing" if playing else "paused",
            track=TRACKS[step // 290 % len(TRACKS)],
            artist="Miles Davis",
        ),
    )


def _health_chart(theme: Theme, width: int) -> bytes:
    """Draw 90 days of a person of the LifeSnaps data."""
    profile = FolderSource(ROOT / "examples" / "lifesnaps").profile("person-1")
    series = profile.series("daily", ["steps", "rhr", "sleep_hours"], 90)
    title = "Steps, heart rate and sleep"
    return healthapi.draw(series, title=title, width=width, theme=theme)


def _heat_map(theme: Theme, title: str, weeks: int) -> bytes:
    """Draw the last weeks of the made-up year of practice."""
    body = (ROOT / "examples" / "practice" / "site-data.json").read_bytes()
    calendar = sitedata.calendar_of(sitedata.parse(body))
    return sitedata.heatmap(calendar, title=title, weeks=weeks, theme=theme)


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
    sys.exit(main(sys.argv[1:]))
