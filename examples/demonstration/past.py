"""An invented past for the demonstration, so that playback can start at once.

Invariant *announced*: the page and the terminal say that this past is invented.
Invariant *nothing outlives it*: running apps are in it only where this machine tells its own, for
those shown last stand until others are.
"""

from collections.abc import Iterator
from typing import Final

import attrs

from devicestatus.agent.recorder import Recorder
from devicestatus.models import Battery, Music, Snapshot, System
from status_contracts.instants import MINUTE_MS, SECOND_MS
from status_contracts.primitives import ABSENT

__all__ = ["record_past"]

_PAST_MS: Final = 15 * MINUTE_MS
_STEP_MS: Final = 15 * SECOND_MS
_ASLEEP: Final = range(4 * MINUTE_MS, 5 * MINUTE_MS + 30 * SECOND_MS)
"""A span without observations, in ms since the start of the past; it becomes a gap."""
_APP_MS: Final = 75 * SECOND_MS
_TRACK_MS: Final = 3 * MINUTE_MS
_APPS: Final = ("Editor", "Terminal", "Browser", "Mail", "Calendar")
_TRACKS: Final = (("Morning", "Quartet"), ("Harbour", "Trio"), ("Late Train", "Quartet"))
_PAUSED: Final = 2
"""One of this number of tracks in a row is paused."""


def record_past(
    recorder: Recorder, *, has_running_apps: bool, wall_ms: int, monotonic_ms: int
) -> None:
    """Record observations of the last 15 minutes.

    Args:
        recorder: a new recorder of this machine.
        has_running_apps: whether this machine reports running apps.
        wall_ms: now, ms since the epoch.
        monotonic_ms: now, on the clock of later observations, ms.

    """
    running_apps = tuple(sorted(_APPS)) if has_running_apps else ABSENT
    for ago_ms, past in _samples(wall_ms):
        sample = attrs.evolve(past, running_apps=running_apps)
        recorder.observe(sample, wall_ms=wall_ms - ago_ms, monotonic_ms=monotonic_ms - ago_ms)


def _samples(now: int) -> Iterator[tuple[int, Snapshot]]:
    """Yield samples of the past, each with its age in ms."""
    for since_ms in range(0, _PAST_MS, _STEP_MS):
        if since_ms not in _ASLEEP:
            ago_ms = _PAST_MS - since_ms
            yield ago_ms, _sample(now - ago_ms, since_ms)


def _sample(at: int, since_ms: int) -> Snapshot:
    turn = since_ms // _TRACK_MS
    track, artist = _TRACKS[turn % len(_TRACKS)]
    load = 0.4 + (since_ms // MINUTE_MS % 5) / 4
    return Snapshot(
        collected_at=at,
        active_app=_APPS[since_ms // _APP_MS % len(_APPS)],
        battery=Battery(90 - since_ms // (2 * MINUTE_MS), charging=False, power_source="battery"),
        system=System(load, 0.75, 0.5),
        music=Music("paused" if turn % _PAUSED else "playing", track, artist),
    )
