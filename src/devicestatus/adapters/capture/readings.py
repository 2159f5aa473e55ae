"""The sources of this machine combined into snapshots.

Invariant *off is never read*: a metric that is switched off, or has no source, is its null value
(`running_apps` absent, music `unavailable`), and no source is asked for it.
Invariant *private names stay here*: an app whose name is sensitive is `System` in the snapshot, in
the foreground and among the running apps, whose order does not tell which one it was.
Invariant *the snapshot fits*: whatever text the sources give, the snapshot has only text that the
contract takes, running apps are unique and sorted, and its JSON fits the body of an update.
Source: device-status specification, "Snapshot (v1 record)" and "POST /api/update", rule 2.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from importlib import import_module
from itertools import accumulate
from typing import Any, Final, Protocol, Self

import attrs

from devicestatus.adapters.capture.cleaning import app_name, title
from devicestatus.limits import RUNNING_APPS, UPDATE_BODY_BYTES
from devicestatus.snapshot import SENSITIVE_APP, Battery, Music, Snapshot, System
from purewire.absent import ABSENT, Absent

__all__ = ["AppSource", "Capture", "MachineSource", "MusicSource", "Switches"]

_RUNNING_LENGTH: Final = UPDATE_BODY_BYTES // 2 // 4
"""Code points of all running apps together: at 4 bytes each, half of the body of an update."""

_NO_BATTERY: Final = Battery(None, None, "unknown")
_NO_SYSTEM: Final = System(None, None, None)
_NO_MUSIC: Final = Music("unavailable", None, None)


class AppSource(Protocol):
    """Where the names of apps come from; no call raises."""

    def active_app(self) -> str | None:
        """Give the foreground app, or None where it is not known."""

    def running_apps(self) -> Iterable[str] | Absent:
        """Give the running GUI apps, or ABSENT where they are not known."""

    def close(self) -> None:
        """Let go of what the source holds open."""


class MusicSource(Protocol):
    """Where the music comes from; no call raises."""

    def music(self) -> Music:
        """Give what plays, `unavailable` where that is not known."""

    def close(self) -> None:
        """Let go of what the source holds open."""


class MachineSource(Protocol):
    """Where battery and load come from, within the contract's limits; no call raises."""

    def battery(self) -> Battery:
        """Give battery and power, None for what is not known."""

    def system(self) -> System:
        """Give the load averages, None for what is not known."""


@attrs.frozen(kw_only=True)
class Switches:
    """Which metrics are collected.

    Attributes:
        apps: the foreground app.
        running_apps: the running apps.
        music: what plays.
        battery: battery and power.
        system: load averages.

    """

    apps: bool = True
    running_apps: bool = True
    music: bool = True
    battery: bool = True
    system: bool = True


_ALL: Final = Switches()

_FOUND_IN: Final = {
    "apps": ("x11", "the X11 desktop"),
    "music": ("mpris", "the session bus of the players"),
    "machine": ("machine", "this machine"),
}
"""Source of `Capture` to the module of this package that has it, and what that is, in words."""

_SOURCE_OF: Final = {
    "apps": "apps",
    "running_apps": "apps",
    "music": "music",
    "battery": "machine",
    "system": "machine",
}
"""Metric of `Switches` to the source of `Capture` that tells it."""


def _keys(names: Iterable[str]) -> frozenset[str]:
    """Give the names in the form in which they are compared: clean, without case and width."""
    cleaned = filter(None, map(app_name, names))
    return frozenset(unicodedata.normalize("NFKC", name).casefold() for name in cleaned)


@attrs.frozen(kw_only=True)
class Capture:
    """What one computer is doing, from any sources.

    Attributes:
        apps: source of the names of apps, or None.
        music: source of the music, or None.
        machine: source of battery and load, or None.
        switches: which metrics are collected.
        sensitive_apps: apps whose names are private, compared without case and width.
        origins: name of a source to where it comes from, in words, or why there is none.

    """

    apps: AppSource | None = None
    music: MusicSource | None = None
    machine: MachineSource | None = None
    switches: Switches = _ALL
    sensitive_apps: frozenset[str] = attrs.field(default=frozenset(), repr=False)
    origins: Mapping[str, str] = attrs.field(factory=dict)
    _private: frozenset[str] = attrs.field(init=False, repr=False, eq=False)

    @_private.default
    def _default_private(self) -> frozenset[str]:
        return _keys(self.sensitive_apps)

    @classmethod
    def for_this_machine(
        cls, *, switches: Switches = _ALL, sensitive_apps: Iterable[str] = ()
    ) -> Self:
        """Give a capture with the sources that this machine and its installed libraries have."""
        wanted = {source for metric, source in _SOURCE_OF.items() if getattr(switches, metric)}
        found = {name: _find(*_FOUND_IN[name]) for name in _FOUND_IN if name in wanted}
        sources: dict[str, Any] = {name: source for name, (source, _) in found.items()}
        return cls(
            switches=switches,
            sensitive_apps=frozenset(sensitive_apps),
            origins={name: words for name, (_, words) in found.items()},
            **sources,
        )

    def take(self, collected_at: int) -> Snapshot:
        """Read every metric that is on; `collected_at` is the present, ms since the epoch."""
        return Snapshot(
            collected_at=collected_at,
            active_app=self._active_app(),
            running_apps=self._running_apps(),
            battery=self._battery(),
            system=self._system(),
            music=self._music(),
        )

    def describe(self) -> tuple[str, ...]:
        """Say of every metric where it comes from or why it is not told; never what it is."""
        return tuple(f"{metric}: {self._origin(metric)}" for metric in _SOURCE_OF)

    def close(self) -> None:
        """Let go of the desktop and the session bus; a later `take` connects again."""
        for source in (self.apps, self.music):
            if source is not None:
                source.close()

    def _origin(self, metric: str) -> str:
        if not getattr(self.switches, metric):
            return "switched off"
        source = _SOURCE_OF[metric]
        given = "no source" if getattr(self, source) is None else "a source of the caller's"
        return self.origins.get(source, given)

    def _active_app(self) -> str | None:
        if self.apps is None or not self.switches.apps:
            return None
        name = self.apps.active_app()
        return None if name is None else self._public(name)

    def _running_apps(self) -> tuple[str, ...] | Absent:
        if self.apps is None or not self.switches.running_apps:
            return ABSENT
        names = self.apps.running_apps()
        return ABSENT if names is ABSENT else _fitting(filter(None, map(self._public, names)))

    def _battery(self) -> Battery:
        if self.machine is None or not self.switches.battery:
            return _NO_BATTERY
        return self.machine.battery()

    def _system(self) -> System:
        if self.machine is None or not self.switches.system:
            return _NO_SYSTEM
        return self.machine.system()

    def _music(self) -> Music:
        if self.music is None or not self.switches.music:
            return _NO_MUSIC
        told = self.music.music()
        track, artist = (
            None if text is None else title(text) for text in (told.track, told.artist)
        )
        return attrs.evolve(told, track=track, artist=artist)

    def _public(self, name: str) -> str | None:
        if _keys([name]) & self._private:
            return SENSITIVE_APP
        return app_name(name)


def _fitting(names: Iterable[str]) -> tuple[str, ...]:
    """Give the names once each, in an order of their own, as many as a snapshot can carry."""
    unique = sorted(set(names), key=lambda name: (name.casefold(), name))[:RUNNING_APPS]
    lengths = accumulate(map(len, unique))
    return tuple(
        name for name, sum_ in zip(unique, lengths, strict=True) if sum_ <= _RUNNING_LENGTH
    )


def _find(module: str, words: str) -> tuple[Any, str]:
    """Give a source of this package and where it reads, or None and why there is none."""
    try:
        source = import_module(f"{__package__}.{module}").find()
    except ModuleNotFoundError as missing:
        return None, f"{missing.name} is not installed"
    return source, words if source is not None else f"{words} was not found"
