"""Combine the sources of this machine into snapshots.

Invariant *disabled is never read*: a metric that is switched off, or has no source, is its null
value (`running_apps` absent, music `unavailable`), and no source is queried for it.
Invariant *rules before cleaning*: the privacy rules are applied to all names as their sources gave
them, then names are cleaned and shortened, then the rules are applied again: they may hide a
shortened name.
Invariant *music of a hidden app*: a player has also the names of each app that was seen in this run
and has a name of the player's.
Invariant *a change of the source hides*: where the rules hide apps by name, and apps come from
another source than first in this run, only names that the user has confirmed are shown, and music
is not sent unless a name of its player is one of them.
Invariant *a locked screen shows no apps*: while a source reports that the screen is locked, apps
are not read, there is no foreground app and running apps are empty, unless `apps_when_locked` is
on.
Invariant *valid snapshot*: whatever text the sources return, the snapshot has only text that the
contract accepts, running apps are unique and sorted, and its JSON fits the body of an update.
"""

import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from itertools import accumulate
from typing import Any, Final, Self

import attrs

from devicestatus.adapters.capture.sources import (
    MUSIC_UNAVAILABLE,
    AppSource,
    DesktopApps,
    FirstReadableApps,
    MachineSource,
    MusicSource,
    PlayerMusic,
    Presence,
    Presences,
    name_or_none,
    others_of,
)
from devicestatus.agent.cleaning import clean_app_name, clean_title
from devicestatus.agent.privacy import AppName, PrivacyRules, Review, Rule
from devicestatus.limits import RUNNING_APPS, UPDATE_BODY_BYTES
from devicestatus.models import Battery, Snapshot, System
from purewire.instants import MINUTE_MS
from purewire.primitives import ABSENT, Absent

MUSIC: Final = "music"
"""Name of the player in `Capture.listed`."""

_RUNNING_APPS_LENGTH: Final = UPDATE_BODY_BYTES // 2 // 4
"""Code points of all running apps together: at 4 bytes each, half of the body of an update."""

_MAX_SEEN: Final = 256
"""Apps of a run that are remembered, for the music of a player whose window is closed."""

_NO_BATTERY: Final = Battery(None, None, "unknown")
_NO_SYSTEM: Final = System(None, None, None)
_DEFAULT_RULES: Final = PrivacyRules()

_MACHINE: Final = (("machine", "Machine", "this machine"),)
_LINUX: Final = {
    "apps": (
        ("wayland", "find", "the Wayland desktop"),
        ("dbus", "find_gnome", "GNOME Shell"),
        ("x11", "find", "the X11 desktop"),
    ),
    "music": (("dbus", "find_players", "the session bus of the players"),),
    "machine": _MACHINE,
    "presence": (
        ("dbus", "find_logind", "logind"),
        ("dbus", "find_screen_savers", "the screen saver"),
        ("x11", "find_presence", "the X11 screen saver"),
        ("wayland", "find_presence", "the Wayland idle notifier"),
    ),
}
_CANDIDATES: Final[Mapping[str, Mapping[str, Sequence[tuple[str, str, str]]]]] = {
    "darwin": {
        "apps": (
            ("macos", "find_launch_services", "the Launch Services"),
            ("macos", "find_workspace", "the workspace"),
        ),
        "music": (("macos", "find_players", "the Music app and Spotify"),),
        "machine": _MACHINE,
        "presence": (("macos", "find_presence", "the I/O Registry"),),
    },
    "win32": {
        "apps": (("windows", "find", "the windows"),),
        "music": (),
        "machine": _MACHINE,
        "presence": (("windows", "find_presence", "the input desktop"),),
    },
}
"""`sys.platform` to source of `Capture` to candidates, the preferred one first.

A candidate is a module of this package, its function that returns a source or None, and a
description.
"""

_SOURCE_OF: Final = {
    "apps": "apps",
    "running_apps": "apps",
    "music": "music",
    "battery": "machine",
    "system": "machine",
}
"""Metric of `Switches` to the source of `Capture` that reads it."""
IDLE_MS: Final = 5 * MINUTE_MS
"""Time without input after which a computer counts as idle."""


@attrs.frozen(kw_only=True)
class Capture:
    """A combination of sources for one computer.

    Attributes:
        rules: which metrics are collected, and which apps are private.
        origins: name of a source, or of one metric of it, to a description of where it comes from,
            or of why there is none.
        confirmed: returns the names that are shown whichever source of apps they come from.
        presence: whether the screen is locked and the computer idle.
        idle_ms: time without input after which the computer counts as idle.
        on_presence: called with the presence of each reading.

    """

    apps: AppSource | None = None
    music: MusicSource | None = None
    machine: MachineSource | None = None
    rules: PrivacyRules = _DEFAULT_RULES
    origins: Mapping[str, str] = attrs.field(factory=dict)
    confirmed: Callable[[], frozenset[str]] = frozenset
    presence: Presences | None = None
    idle_ms: int = IDLE_MS
    on_presence: Callable[[Presence], object] = lambda _: None
    _seen: dict[str, AppName] = attrs.field(factory=dict, init=False, repr=False)
    _players: dict[str, None] = attrs.field(factory=dict, init=False, repr=False)

    @classmethod
    def for_this_machine(cls, rules: PrivacyRules = _DEFAULT_RULES) -> Self:
        """Return a capture with the sources that this machine and its libraries provide."""
        switches = rules.switches
        wanted = {source for metric, source in _SOURCE_OF.items() if getattr(switches, metric)}
        if "apps" in wanted:
            wanted.add("presence")
        sources: dict[str, Any] = {}
        origins: dict[str, str] = {}
        for name, candidates in _CANDIDATES.get(sys.platform, _LINUX).items():
            if name in wanted:
                sources[name], origins[name] = _find(name, candidates)
        machine = sources.get("machine")
        if machine is not None and switches.battery and machine.has_battery() is False:
            origins["battery"] = "this machine has no battery"
        return cls(rules=rules, origins=origins, **sources)

    def take(self, collected_at: int, metrics: Snapshot | None = None) -> Snapshot:
        """Read every enabled metric and return the public part of the snapshot."""
        return self.review(collected_at, metrics).public

    def review(self, collected_at: int, metrics: Snapshot | None = None) -> Review:
        """Return the result of `take` and what each rule hides."""
        present = Presence() if self.presence is None else self.presence.presence(self.idle_ms)
        self.on_presence(present)
        is_locked = present.is_locked is True and not self.rules.switches.apps_when_locked
        front = None if is_locked else self._active_app()
        running = self._no_apps() if is_locked else self._running_apps()
        played = self._music()
        self._remember(_names(front, running))
        if len(self._players) < _MAX_SEEN:
            self._players.update(dict.fromkeys(played.players))
        raw = Snapshot(
            collected_at=collected_at,
            active_app=front,
            running_apps=running,
            battery=self._battery() if metrics is None else metrics.battery,
            system=self._system() if metrics is None else metrics.system,
            music=played.music,
        )
        whole = self.rules.review(raw, self._names_of_player(played.players))
        clean = self.rules.review(_cleaned(whole.public))
        return Review(_fitted(clean.public), whole.hidden + clean.hidden, whole.disabled, is_locked)

    def listed(self) -> dict[str, tuple[str, ...]]:
        """Return the names of the apps that each readable source reports now, private ones too."""
        apps = self.apps
        names_of_source: dict[str, tuple[str, ...]] = {}
        for source in apps.desktops if isinstance(apps, FirstReadableApps) else (apps,):
            if source is None:
                continue
            names = _names(source.active_app(), source.running_apps())
            if not isinstance(source, DesktopApps):
                names_of_source["apps"] = names
            elif source.is_readable:
                names_of_source[source.subject] = names
        return {**names_of_source, MUSIC: tuple(self._names_of_player(self._music().players))}

    def describe(self) -> tuple[str, ...]:
        """Return a line for each metric: its source, or why it is not read; never its value."""
        metrics = (f"{metric}: {self._origin(metric)}" for metric in _SOURCE_OF)
        switches = self.rules.switches
        lock = self.origins.get("presence", "no source")
        if switches.apps_when_locked:
            lock = "apps are sent while the screen is locked"
        elif not (switches.apps or switches.running_apps):
            lock = "switched off"
        return (*metrics, f"locked: {lock}")

    def unmatched(self) -> tuple[Rule, ...]:
        """Return the rules that no app and no player of this run matches."""
        return self.rules.unmatched((*self._seen.values(), *self._players))

    def close(self) -> None:
        """Close the connections to desktop and session bus; a later `take` connects again."""
        for source in (self.apps, self.music, self.presence):
            if source is not None:
                source.close()

    def _origin(self, metric: str) -> str:
        if not getattr(self.rules.switches, metric):
            return "switched off"
        source = _SOURCE_OF[metric]
        default = "no source" if getattr(self, source) is None else "a source passed by the caller"
        return self.origins.get(metric, self.origins.get(source, default))

    def _active_app(self) -> str | None:
        if self.apps is None or not self.rules.switches.apps:
            return None
        name = name_or_none(self.apps.active_app())
        return None if name is None else self._marked([name])[0]

    def _no_apps(self) -> tuple[str, ...] | Absent:
        return ABSENT if self.apps is None or not self.rules.switches.running_apps else ()

    def _running_apps(self) -> tuple[str, ...] | Absent:
        if self.apps is None or not self.rules.switches.running_apps:
            return ABSENT
        names = self.apps.running_apps()
        return ABSENT if names is ABSENT else self._marked(filter(None, map(name_or_none, names)))

    def _marked(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return names; unconfirmed are those of an app that the rules may know by another one."""
        if not self._has_changed():
            return tuple(names)
        confirmed = self.confirmed()
        return tuple(
            AppName(name, others_of(name), is_confirmed=name in confirmed) for name in names
        )

    def _has_changed(self) -> bool:
        return isinstance(self.apps, FirstReadableApps) and self.apps.has_changed

    def _remember(self, names: Iterable[str]) -> None:
        for name in names:
            self._seen[name] = AppName(name, others_of(name))
            if len(self._seen) > _MAX_SEEN:
                del self._seen[next(iter(self._seen))]

    def _names_of_player(self, names: Sequence[str]) -> Sequence[str]:
        """Return the names of a player, and the apps of this run that have one of them."""
        own = PrivacyRules(names=[*names, *(other for name in names for other in others_of(name))])
        apps = filter(own.hides, self._seen.values())
        if not self._has_changed() or not self.confirmed().isdisjoint(names):
            return (*names, *apps)
        return (*names, *apps, AppName("", is_confirmed=False))

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
            return MUSIC_UNAVAILABLE
        return self.music.music()


def _names(front: str | None, running: Iterable[str] | Absent) -> tuple[str, ...]:
    return (*(() if front is None else (front,)), *(running or ()))


def _cleaned(snapshot: Snapshot) -> Snapshot:
    apps, music = snapshot.running_apps, snapshot.music
    return attrs.evolve(
        snapshot,
        active_app=clean_app_name(snapshot.active_app),
        running_apps=apps if apps is ABSENT else tuple(filter(None, map(clean_app_name, apps))),
        music=attrs.evolve(music, track=clean_title(music.track), artist=clean_title(music.artist)),
    )


def _fitted(snapshot: Snapshot) -> Snapshot:
    """Keep unique running apps in sorted order, as many as a snapshot can hold."""
    if snapshot.running_apps is ABSENT:
        return snapshot
    names = set(snapshot.running_apps)
    unique = sorted(names, key=lambda name: (name.casefold(), name))[:RUNNING_APPS]
    totals = list(accumulate(map(len, unique)))
    fitting = unique[: bisect_right(totals, _RUNNING_APPS_LENGTH)]
    return attrs.evolve(snapshot, running_apps=tuple(fitting))


def _find(name: str, candidates: Sequence[tuple[str, str, str]]) -> tuple[Any, str]:
    """Return the source of the candidates and its description, or None and why there is none."""
    readable: dict[str, Any] = {}
    missing: list[str] = []
    for module, function, description in candidates:
        try:
            source = getattr(import_module(f"{__package__}.{module}"), function)()
        except ModuleNotFoundError as error:
            missing.append(f"{error.name} is not installed")
            continue
        if source is not None:
            readable[description] = source
    if readable:
        # Of several candidates a single one is also noted: at the next start it may be another.
        first, *_ = sources = tuple(readable.values())
        if name == "presence":
            return Presences(sources), " and ".join(readable)
        return FirstReadableApps(sources) if len(candidates) > 1 else first, ", else ".join(
            readable
        )
    if not candidates:
        return None, "no source on this system"
    not_found = "not found: " + ", ".join(description for _, _, description in candidates)
    return None, "; ".join(dict.fromkeys(missing)) or not_found
