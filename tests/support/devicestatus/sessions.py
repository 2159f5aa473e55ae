"""Sessions of uploads for the tests of the time travel."""

import json
import re
from typing import Any

from hypothesis import strategies as st

from devicestatus.adapters.notebook import TimeTravel
from devicestatus.models import Battery, Music, System, Window
from devicestatus.testing.strategies import crowded_windows, windows
from purewire.instants import MINUTE_MS, SECOND_MS
from support.devicestatus.examples import NOON, event, gap, window

Uploads = list[tuple[int, Window]]


def minute(count: float) -> int:
    """Return the instant so many minutes after noon."""
    return NOON + round(count * MINUTE_MS)


def afternoon() -> Uploads:
    """Return seven uploads: one app a minute, a gap of two minutes, and an outage of 18 minutes."""
    return [
        (minute(end) + SECOND_MS, _batch(number, end))
        for number, end in enumerate((5, 10, 15, 20, 38, 43, 48), 1)
    ]


def _batch(number: int, end: int) -> Window:
    start = max(0, end - 15)
    seen = [at for at in range(49) if start <= at <= end]
    return window(
        batch_seq=number,
        window_start=minute(start),
        window_end=minute(end),
        events=tuple(
            event(
                at + 1,
                minute(at),
                active_app=f"App {at}",
                music=Music("playing", f"Song {at}", None),
                battery=Battery(90 - at, None, "battery"),
                system=System(at / 4, None, 0),
                running_apps=(f"App {at}", "Files"),
            )
            for at in seen
        ),
        gaps=(gap(minute(12), minute(14)),) if start <= 12 and end >= 14 else (),
    )


@st.composite
def sessions(draw: st.DrawFn) -> Window | Uploads:
    """Draw a window, or up to five uploads of any windows within an hour, in any order."""
    if draw(st.integers(0, 3)) == 0:
        return draw(windows() | crowded_windows())
    first = draw(st.integers(NOON, NOON + 10_000_000_000))
    gaps = draw(st.lists(st.integers(0, 20 * MINUTE_MS), min_size=1, max_size=5))
    arrivals = [first + sum(gaps[:count]) for count in range(1, len(gaps) + 1)]
    return [(at, draw(windows(received_at=at))) for at in draw(st.permutations(arrivals))]


def data_of(travel: TimeTravel) -> dict[str, Any]:
    """Return the data in the page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', travel.html)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data
