"""Draw the pictures of the README into `docs/images/`, and a contact sheet of all pictures.

Run `make pictures`.  The SVG images come from the library's public functions and from the example
data of this repository, so that they change only with those.  The status page is a screenshot of
`examples/demo.py`, which no two runs draw alike; `make pictures ARGS=--pages` takes it, with
headless Chromium.  The contact sheet (`contact_sheet.py`) goes to `build/pictures/`.
"""

import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import contact_sheet
import httpx2

import healthapi
import sitedata
from devicestatus import Battery, Music, Snapshot, System, parse_window
from devicestatus.agent.privacy import PrivacyRules
from devicestatus.agent.recorder import Batch, Recorder
from devicestatus.models.window import Window
from devicestatus.rendering.badge import render
from devicestatus.rendering.timeline import lanes
from healthapi.adapters.folder import FolderSource
from purewire.svg.palette import Theme

ROOT: Final = Path(__file__).parent.parent
IMAGES: Final = ROOT / "docs" / "images"
PAGE_BYTES_MAX: Final = 200_000
WIDTH: Final = 830
"""Of a picture in a README, px."""
HEIGHT: Final = 780
"""Of the status page in it, px."""
CELL: Final = 12
"""Of a day, px: a year fills the width."""
SCHEMES: Final = {"": 1, "-dark": 0}
"""End of the names of pictures to the number by which Chromium knows a colour scheme."""
THEMES: Final[dict[str, Theme]] = {"": "light", "-dark": "dark"}
START: Final = 1_769_860_800_000
"""2026-01-31T12:00:00Z, the start of the example window, ms since the epoch."""
MINUTE: Final = 60_000
SESSION: Final = "0f8fad5b-d9cb-469f-a165-70867728950e"
ASLEEP: Final = range(300, 390)
"""Seconds of the window in which the machine sleeps."""
MUSIC_START: Final = 60
BROWSER_END: Final = 500
APPS: Final = ("Editor", "Konsole", "Editor", "Firefox", "Editor", "Editor", "Mail", "Firefox")
TRACKS: Final = ("So What", "Freddie Freeloader", "Blue in Green")


def main(arguments: list[str]) -> int:
    """Write all pictures and list them."""
    IMAGES.mkdir(exist_ok=True)
    pictures = {
        "badge.svg": render("status", "listening to So What", online=True),
        "badge-offline.svg": render("status", "offline", online=False),
    }
    for end, theme in THEMES.items():
        pictures[f"timeline{end}.svg"] = _timeline(theme)
        pictures[f"health-chart{end}.svg"] = _health_chart(theme)
        pictures[f"heat-map{end}.svg"] = _heat_map(theme)
    for name, image in pictures.items():
        (IMAGES / name).write_bytes(image)
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if "--pages" in arguments:
        if browser is None:
            raise FileNotFoundError("chromium is not installed")
        _pages(browser)
    sheet = contact_sheet.write(
        ROOT / "build" / "pictures",
        _example_window(),
        _example_profile(),
        _example_calendar(),
        browser,
    )
    print(f"{sheet.relative_to(ROOT)}  contact sheet")
    for path in sorted(IMAGES.iterdir()):
        print(f"{path.relative_to(ROOT)}  {path.stat().st_size} bytes")
    return 0


def _timeline(theme: Theme) -> bytes:
    title = "Fourteen minutes of example data"
    return lanes(_example_window(), title=title, width=WIDTH, theme=theme)


def _example_window() -> Window:
    """Return a window of 14 minutes, made-up samples with one gap, as the recorder uploads it."""
    recorder = Recorder.create(SESSION, PrivacyRules())
    now = START
    for step in range(0, 14 * 60, 15):
        if step in ASLEEP:
            continue
        now = START + step * 1000
        recorder.observe(_sample(step, now), wall_ms=now, monotonic_ms=now)
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
        running_apps=("Editor", "Firefox", "Konsole") if step < BROWSER_END else ("Editor", "Mail"),
        battery=Battery(percent=82 - step // 80, charging=False, power_source="battery"),
        system=System(load_1m=round(0.4 + (step % 240) / 150, 2), load_5m=0.7, load_15m=0.6),
        music=Music(
            state="playing" if playing else "paused",
            track=TRACKS[step // 290 % len(TRACKS)],
            artist="Miles Davis",
        ),
    )


def _health_chart(theme: Theme) -> bytes:
    """Draw 90 days of a person of the LifeSnaps data."""
    series = _example_profile().series("daily", ["steps", "rhr", "sleep_hours"], 90)
    title = "Steps, heart rate and sleep"
    return healthapi.draw(series, title=title, width=WIDTH, theme=theme)


def _example_profile() -> healthapi.Profile:
    return FolderSource(ROOT / "examples" / "lifesnaps").profile("person-1")


def _heat_map(theme: Theme) -> bytes:
    """Draw the made-up year of practice."""
    title = "A year of practice"
    return sitedata.heatmap(
        _example_calendar(), title=title, cell=CELL, max_width=WIDTH, theme=theme
    )


def _example_calendar() -> sitedata.Calendar:
    return sitedata.calendar_of(
        sitedata.parse((ROOT / "examples/practice/site-data.json").read_bytes())
    )


def _pages(browser: str) -> None:
    """Take screenshots of the demo's status page."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    url = f"http://127.0.0.1:{port}/"
    demo = subprocess.Popen(
        [sys.executable, str(ROOT / "examples/demo.py"), "--port", str(port)],
        stdout=subprocess.DEVNULL,
    )
    try:
        _wait_for(f"{url}api/timeline")
        for end, scheme in SCHEMES.items():
            _take(browser, url, IMAGES / f"status-page{end}.png", scheme)
    finally:
        demo.terminate()
        demo.wait(30)


def _take(browser: str, url: str, path: Path, scheme: int) -> None:
    subprocess.run(
        [
            browser,
            "--headless=new",
            "--no-sandbox",
            "--hide-scrollbars",
            f"--window-size={WIDTH},{HEIGHT}",
            "--force-device-scale-factor=2",
            f"--blink-settings=preferredColorScheme={scheme}",
            "--virtual-time-budget=8000",
            f"--screenshot={path}",
            url,
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    if path.stat().st_size > PAGE_BYTES_MAX:
        raise ValueError(f"{path} has more than {PAGE_BYTES_MAX} bytes; make the window smaller")


def _wait_for(url: str) -> None:
    """Return when the demo serves a window; raise TimeoutError after 60 s."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            if b'"window"' in httpx2.get(url).content:
                return
        except httpx2.TransportError:
            pass  # the demo has not started to listen
        time.sleep(0.5)
    raise TimeoutError(f"{url} has not served a window within 60 s")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
