"""The sources of this machine combined into snapshots.

Invariant *off is never read*: a metric that is switched off, or has no source, is its null value
(`running_apps` absent, music `unavailable`), and no source is asked for it.
Invariant *rules before cleaning*: the privacy rules are applied to all names as their sources gave
them, then names are cleaned and shortened, then the rules are applied again: a shortened name may
be one that they hide.
Invariant *the snapshot fits*: whatever text the sources give, the snapshot has only text that the
contract takes, running apps are unique and sorted, and its JSON fits the body of an update.
Source: device-status specification, "Snapshot (v1 record)" and "POST /api/update", rule 2.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from itertools import accumulate
from typing import Any, Final, Protocol, Self

import attrs

from devicestatus.adapters.capture.name_cleaning import app_name, named, title
from devicestatus.adapters.capture.player_music import UNAVAILABLE, PlayerMusic
from devicestatus.adapters.capture.selection import FirstOfApps
from devicestatus.agent.privacy import PrivacyRules, Review
from devicestatus.limits import RUNNING_APPS, UPDATE_BODY_BYTES
from devicestatus.models.snapshot import Battery, Snapshot, System
from purewire.absent import ABSENT, Absent

__all__ = ["AppSource", "Capture", "MachineSource", "MusicSource"]

_RUNNING_LENGTH: Final = UPDATE_BODY_BYTES // 2 // 4
"""Code points of all running apps together: at 4 bytes each, half of the body of an update."""

_NO_BATTERY: Final = Battery(None, None, "unknown")
_NO_SYSTEM: Final = System(None, None, None)


class AppSource(Protocol):
    """Where the names of apps come from; no call raises."""

    def active_app(self) -> str | None:
        """Return the whole name of the foreground app, or None if it is not known."""

    def running_apps(self) -> Iterable[str] | Absent:
        """Return the whole names of the running GUI apps, or ABSENT if they are not known."""

    def close(self) -> None:
        """Let go of what the source holds open."""


class MusicSource(Protocol):
    """Where the music comes from; no call raises."""

    def music(self) -> PlayerMusic:
        """Return what plays and in which app, `unavailable` if that is not known."""

    def close(self) -> None:
        """Let go of what the source holds open."""


class MachineSource(Protocol):
    """Where battery and load come from, within the contract's limits; no call raises."""

    def battery(self) -> Battery:
        """Give battery and power, None for what is not known."""

    def system(self) -> System:
        """Give the load averages, None for what is not known."""


_EVERYTHING: Final = PrivacyRules()
_BATTERY_ABSENT: Final = "this machine has no battery"

Places = tuple[tuple[str, str, str], ...]

_LINUX: Final[Mapping[str, Places]] = {
    "apps": (
        ("sway", "find", "sway or i3"),
        ("hyprland", "find", "Hyprland"),
        ("wayland", "find", "the Wayland desktop"),
        ("gnome", "find", "GNOME Shell"),
        ("x11", "find", "the X11 desktop"),
    ),
    "music": (("mpris", "find", "the session bus of the players"),),
    "machine": (("machine", "find", "this machine"),),
}
_FOUND_IN: Final[Mapping[str, Mapping[str, Places]]] = {
    "darwin": {
        **_LINUX,
        "apps": (
            ("macos", "find_services", "the Launch Services"),
            ("macos", "find_workspace", "the workspace"),
        ),
        "music": (("macos_music", "find", "the Music app and Spotify"),),
    },
    "win32": {**_LINUX, "apps": (("windows", "find", "the windows"),), "music": ()},
}
"""System to source of `Capture` to the modules of this package that may have it, the best one
first: module, its function that looks, and what is found there, in words."""

_SOURCE_OF: Final = {
    "apps": "apps",
    "running_apps": "apps",
    "music": "music",
    "battery": "machine",
    "system": "machine",
}
"""Metric of `Switches` to the source of `Capture` that tells it."""


@attrs.frozen(kw_only=True)
class Capture:
    """What one computer is doing, from any sources.

    Attributes:
        apps: source of the names of apps, or None.
        music: source of the music, or None.
        machine: source of battery and load, or None.
        rules: which metrics are collected, and which apps are private.
        origins: name of a source, or of one metric of it, to where it comes from, in words, or why
            there is none.

    """

    apps: AppSource | None = None
    music: MusicSource | None = None
    machine: MachineSource | None = None
    rules: PrivacyRules = _EVERYTHING
    origins: Mapping[str, str] = attrs.field(factory=dict)

    @classmethod
    def for_this_machine(cls, rules: PrivacyRules = _EVERYTHING) -> Self:
        """Give a capture with the sources that this machine and its installed libraries have."""
        switches = rules.switches
        wanted = {source for metric, source in _SOURCE_OF.items() if getattr(switches, metric)}
        places = _FOUND_IN.get(sys.platform, _LINUX)
        found = {name: _find(places[name]) for name in places if name in wanted}
        sources: dict[str, Any] = {name: source for name, (source, _) in found.items()}
        origins = {name: words for name, (_, words) in found.items()}
        machine = sources.get("machine")
        if machine is not None and switches.battery and machine.has_battery() is False:
            origins["battery"] = _BATTERY_ABSENT
        return cls(rules=rules, origins=origins, **sources)

    def take(self, collected_at: int, metrics: Snapshot | None = None) -> Snapshot:
        """Read every metric that is on, and give what the rules make public.

        Args:
            collected_at: the present, ms since the epoch.
            metrics: a snapshot whose battery and load still hold, so that they are not read again.

        """
        return self.review(collected_at, metrics).shown

    def review(self, collected_at: int, metrics: Snapshot | None = None) -> Review:
        """Return what `take` returns, and what each rule hides."""
        heard = self._music()
        given = Snapshot(
            collected_at=collected_at,
            active_app=self._active_app(),
            running_apps=self._running_apps(),
            battery=self._battery() if metrics is None else metrics.battery,
            system=self._system() if metrics is None else metrics.system,
            music=heard.music,
        )
        whole = self.rules.review(given, heard.players)
        clean = self.rules.review(_cleaned(whole.shown))
        return Review(_fitted(clean.shown), whole.hidden + clean.hidden, whole.withheld)

    def describe(self) -> tuple[str, ...]:
        """Return a line for each metric: its source, or why it is not reported; never its value."""
        return tuple(f"{metric}: {self._origin(metric)}" for metric in _SOURCE_OF)

    def close(self) -> None:
        """Let go of the desktop and the session bus; a later `take` connects again."""
        for source in (self.apps, self.music):
            if source is not None:
                source.close()

    def _origin(self, metric: str) -> str:
        if not getattr(self.rules.switches, metric):
            return "switched off"
        source = _SOURCE_OF[metric]
        given = "no source" if getattr(self, source) is None else "a source of the caller's"
        return self.origins.get(metric, self.origins.get(source, given))

    def _active_app(self) -> str | None:
        if self.apps is None or not self.rules.switches.apps:
            return None
        return named(self.apps.active_app())

    def _running_apps(self) -> tuple[str, ...] | Absent:
        if self.apps is None or not self.rules.switches.running_apps:
            return ABSENT
        names = self.apps.running_apps()
        return ABSENT if names is ABSENT else tuple(filter(None, map(named, names)))

    def _battery(self) -> Battery:
        if self.machine is None or not self.rules.switches.battery:
            return _NO_BATTERY
        return self.machine.battery()

    def _system(self) -> System:
        if self.machine is None or not self.rules.switches.system:
            return _NO_SYSTEM
        return self.machine.system()

    def _music(self) -> PlayerMusic:
        if self.music is None or not self.rules.switches.music:
            return UNAVAILABLE
        return self.music.music()


def _cleaned(snapshot: Snapshot) -> Snapshot:
    """Clean and shorten all names and titles."""
    apps, music = snapshot.running_apps, snapshot.music
    return attrs.evolve(
        snapshot,
        active_app=_clean(snapshot.active_app, app_name),
        running_apps=apps if apps is ABSENT else tuple(filter(None, map(app_name, apps))),
        music=attrs.evolve(
            music, track=_clean(music.track, title), artist=_clean(music.artist, title)
        ),
    )


def _clean(text: str | None, clean: Callable[[str], str | None]) -> str | None:
    return None if text is None else clean(text)


def _fitted(snapshot: Snapshot) -> Snapshot:
    apps = snapshot.running_apps
    return snapshot if apps is ABSENT else attrs.evolve(snapshot, running_apps=_fitting(apps))


def _fitting(names: Iterable[str]) -> tuple[str, ...]:
    """Give the names once each, in an order of their own, as many as a snapshot can carry."""
    unique = sorted(set(names), key=lambda name: (name.casefold(), name))[:RUNNING_APPS]
    lengths = accumulate(map(len, unique))
    return tuple(
        name for name, sum_ in zip(unique, lengths, strict=True) if sum_ <= _RUNNING_LENGTH
    )


def _find(places: Places) -> tuple[Any, str]:
    """Give the source of several places and what it reads, or None and why there is none."""
    found: list[Any] = []
    read: list[str] = []
    missing: list[str] = []
    for module, look, words in places:
        try:
            source = getattr(import_module(f"{__package__}.{module}"), look)()
        except ModuleNotFoundError as fault:
            missing.append(f"{fault.name} is not installed")
            continue
        if source is not None:
            found.append(source)
            read.append(words)
    if not found:
        return None, _none(places, missing)
    return (found[0] if len(found) == 1 else FirstOfApps(tuple(found))), ", else ".join(read)


def _none(places: Places, missing: Iterable[str]) -> str:
    """Say why there is no source: what is not installed, else what was not found."""
    if not places:
        return "nothing on this system tells it"
    return "; ".join(dict.fromkeys(missing)) or f"not found: {_listed(places)}"


def _listed(places: Places) -> str:
    return ", ".join(words for _, _, words in places)
