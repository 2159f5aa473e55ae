"""Draw the pictures of README and documentation into `docs/images/`.

Run `make pictures`.  The SVG images come from the library's public functions and from the example
data of this repository, so that they change only with those; `tests/test_pictures.py` compares
them.  Pages are screenshots of headless Chromium, which no two machines draw alike; `make pictures
ARGS=--pages` takes them.  Those of the tutorials are what following the tutorials makes.
"""

import re
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import Final

import attrs
from PIL import Image

import healthapi
import sitedata
from devicestatus import Battery, Music, Settings, Snapshot, System, limits, parse_window
from devicestatus.adapters import APP_ICONS
from devicestatus.adapters.application import asgi_app
from devicestatus.adapters.memory import MemoryStore
from devicestatus.agent.privacy import PrivacyRules
from devicestatus.agent.recorder import Batch, Recorder
from devicestatus.badge import render
from devicestatus.card import card
from devicestatus.deadlines import window_deadline
from devicestatus.models import Window
from devicestatus.record import SnapshotRecord, WindowRecord, encode_record
from devicestatus.timeline import lanes
from healthapi.adapters.folder import FolderSource
from status_contracts.adapters.clocks import system_clock
from status_contracts.pages.settings import Link, PageSettings
from status_contracts.svg.palette import Theme
from support.servers.servers import serve_asgi
from support.servers.webdriver import Session, open_session

ROOT: Final = Path(__file__).parent.parent
IMAGES: Final = ROOT / "docs" / "images"
PAGE_BYTES_MAX: Final = 200_000
WIDTH: Final = 830
"""Of a picture in a README, px."""
CELL: Final = 12
"""Of a day, px: a year fills the width."""
THEMES: Final[dict[str, Theme]] = {"": "light", "-dark": "dark"}
"""End of the names of pictures to their theme."""
START: Final = 1_769_860_800_000
"""2026-01-31T12:00:00Z, the start of the example window, ms since the epoch."""
SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
SESSION: Final = "0f8fad5b-d9cb-469f-a165-70867728950e"
ASLEEP: Final = range(300, 390)
"""Seconds of the window in which the machine sleeps."""
MUSIC_START: Final = 60
BROWSER_END: Final = 500
PLAYED: Final = 10 * MINUTE
"""Of the example window, where it is marked."""
APPS: Final = (
    *("Editor", "Konsole", "Editor", "Firefox", "Editor", "Firefox", "Thunderbird", "Editor"),
)
ICONS: Final = {"Konsole": "terminal", "Firefox": "web-browser", "Thunderbird": "mail"}
FLAGS: Final = re.MULTILINE | re.DOTALL
TRACKS: Final = ("So What", "Freddie Freeloader", "Blue in Green")
OWNER: Final = PageSettings(
    name="Alex Example",
    line="Example data",
    pages=(Link("Now", "/"), Link("Health", "/health/"), Link("Practice", "/practice/")),
)


def main(arguments: list[str]) -> int:
    """Write all pictures and list them."""
    IMAGES.mkdir(exist_ok=True)
    for name, image in pictures().items():
        (IMAGES / name).write_bytes(image)
    if "--pages" in arguments:
        with open_session("--lang=en-GB") as session:
            _take_pages(session)
    for path in sorted(IMAGES.iterdir()):
        print(f"{path.relative_to(ROOT)}  {path.stat().st_size} bytes")
    return 0


def pictures() -> dict[str, bytes]:
    """Return the pictures that are the same on every machine, by file name."""
    found = {
        "badge.svg": render("status", "listening to So What", online=True),
        "tutorial-agent.svg": lanes(_agent_window()),
    }
    for end, theme in THEMES.items():
        found[f"card{end}.svg"] = _card(theme)
        found[f"timeline{end}.svg"] = _timeline(theme)
        found[f"health-chart{end}.svg"] = _health_chart(theme)
        found[f"heat-map{end}.svg"] = _heat_map(theme)
    return found


def _card(theme: Theme) -> bytes:
    at = START + PLAYED + limits.PLAYBACK_DELAY_MS
    return card(_example_window(), at=at, name="Alex Example", theme=theme)


def _timeline(theme: Theme) -> bytes:
    title = "Fourteen minutes of example data"
    icons = {app: (APP_ICONS / f"{icon}.png").read_bytes() for app, icon in ICONS.items()}
    return lanes(_example_window(), title=title, width=WIDTH, theme=theme, icons=icons)


def _example_window(start: int = START) -> Window:
    """Return a window of 14 minutes, made-up samples with one gap, as the recorder uploads it."""
    steps = (step for step in range(0, 14 * 60, 15) if step not in ASLEEP)
    samples = (_sample(step, start + step * SECOND) for step in steps)
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
        running_apps=("Editor", "Firefox", "Konsole")
        if step < BROWSER_END
        else ("Editor", "Firefox"),
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


# Pages


def _take_pages(session: Session) -> None:
    """Take screenshots of pages with example data, and of those that the tutorials make."""
    now = system_clock()
    window = _example_window(now - PLAYED - limits.PLAYBACK_DELAY_MS)
    end = window.window_end
    record = encode_record(WindowRecord(end, window, window_deadline(end)))
    with _served(record, OWNER) as url:
        for ending, theme in THEMES.items():
            _take(session, url, f"status-page{ending}", (WIDTH, 700), theme=theme, scale=2)
    sample = _sample(480, now)
    stored = encode_record(SnapshotRecord(now, sample, now + 10 * MINUTE))
    with _served(stored, PageSettings()) as url:
        _take(session, url, "tutorial-status", (900, 545))
    made = _follow("practice", "wearable")
    with _hosted(next(made.rglob("public"))) as url:
        _take(session, url, "tutorial-practice", (900, 985))
    _take(session, next(made.rglob("site/index.html")).as_uri(), "tutorial-wearable", (900, 1060))


def _follow(*tutorials: str) -> Path:
    """Follow tutorials as their test does; return the folder of what they make."""
    made = ROOT / "build" / "tutorials"
    made.parent.mkdir(exist_ok=True)
    names = " or ".join(tutorials)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"-k={names}"]
    command.append("-o=tmp_path_retention_policy=all")
    test = ROOT / "tests" / "documentation" / "test_tutorials.py"
    subprocess.run([*command, f"--basetemp={made}", test], check=True, cwd=ROOT, timeout=300)
    return made


@contextmanager
def _hosted(folder: Path) -> Iterator[str]:
    """Serve a folder."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def _served(stored: bytes, page: PageSettings) -> Iterator[str]:
    store = MemoryStore()
    far = system_clock() + 60 * MINUTE
    store.put(limits.STORE_KEY, stored, expires_at_ms=far)
    settings = Settings(None, status_ttl_seconds=3600)
    with serve_asgi(asgi_app(settings, store=store, page=page)) as url:
        yield url


def _take(
    session: Session,
    url: str,
    name: str,
    size: tuple[int, int],
    *,
    theme: Theme = "light",
    scale: int = 1,
) -> None:
    width, height = size
    session.report(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=height,
        deviceScaleFactor=scale,
        mobile=False,
    )
    session.report("Emulation.setScrollbarsHidden", hidden=True)
    session.set_media(**{"prefers-color-scheme": theme})
    session.open(url)
    session.until("!document.querySelector('#tile') || document.querySelector('main img')")  # icons
    session.until("[...document.images].every((image) => image.complete)")
    shown = Image.open(BytesIO(b64decode(session.report("Page.captureScreenshot")["data"])))
    path = IMAGES / f"{name}.png"
    shown.convert("RGB").quantize(256).save(path, optimize=True)
    if path.stat().st_size > PAGE_BYTES_MAX:
        raise ValueError(f"{path} has more than {PAGE_BYTES_MAX} bytes; make it smaller")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
