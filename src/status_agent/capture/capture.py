"""Combine the sources of this machine into snapshots.

Invariant *disabled is never read*: a metric that is switched off, or has no source, is its null
value (`running_apps` absent, music `unavailable`), and no source is queried for it.
Invariant *rules before cleaning*: the privacy rules are applied to all names as their sources gave
them, then names are cleaned and shortened, then the rules are applied again: they may hide a
shortened name.
Invariant *music of a hidden app*: a player has also the names of each app that was seen in this run
and has a name of the player's; that both are browsers, or started by one program, is no such name.
Invariant *one source of apps*: desktops name apps differently, so no other source is queried where
the one that this machine prefers cannot be read.
Invariant *a locked screen shows no apps*: while a source reports that the screen is locked, apps
are not read, there is no foreground app and running apps are absent; the same holds for a computer
that is idle longer than the user allows.
Invariant *only what answers is named*: a source of locks is named once it has reported one state.
Invariant *valid snapshot*: whatever text the sources return, the snapshot has only text that the
contract accepts, running apps are unique and sorted, and its JSON fits the body of an update.
"""

import sys
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from itertools import accumulate
from typing import Any, Final, Self

import attrs

from devicestatus.agent.cleaning import clean_app_name, clean_title
from devicestatus.agent.privacy import NO_BATTERY, NO_MUSIC, NO_SYSTEM, AppName, PrivacyRules
from devicestatus.limits import RUNNING_APPS, UPDATE_BODY_BYTES
from devicestatus.models import Snapshot
from status_agent.capture.app_names import is_common
from status_agent.capture.music import Wishes
from status_agent.capture.sources import (
    MUSIC_UNAVAILABLE,
    AppSource,
    Desktop,
    MachineSource,
    MusicSource,
    NoListError,
    PlayerMusic,
    Presence,
    Presences,
    name_or_none,
    others_of,
)
from status_agent.review import Review, review
from status_contracts.primitives import ABSENT, Absent

_RUNNING_APPS_LENGTH: Final = UPDATE_BODY_BYTES // 2 // 4
"""Code points of all running apps together: at 4 bytes each, half of the body of an update."""

_MAX_SEEN: Final = 256
"""Apps of a run that are remembered, for the music of a player whose window is closed."""

_DEFAULT_RULES: Final = PrivacyRules()
_DEFAULT_WISHES: Final = Wishes()

_CANDIDATES: Final = {
    "linux": {
        "apps": {"Wayland desktop": "wayland.find", "X11 desktop": "x11.find"},
        "music": {"players on the session bus": "dbus.find_players"},
        "presence": {
            "logind": "dbus.find_logind",
            "screen saver": "dbus.find_screen_savers",
            "X11 screen saver": "x11.find_presence",
            "Wayland idle notifier": "wayland.find_presence",
            "running lockers": "machine.find_lockers",
        },
    },
    "darwin": {
        "apps": {"Launch Services": "macos.find"},
        "music": {"Music app and Spotify": "macos.find_players"},
        "presence": {"I/O Registry": "macos.find_presence"},
    },
    "win32": {
        "apps": {"windows": "windows.find"},
        "music": {},
        "presence": {"input desktop": "windows.find_presence"},
    },
}
"""`sys.platform` to source of `Capture` to candidates, the preferred one first.

A candidate is its subject, and a function of this package that returns a query, or None where there
is none.  Other systems have the candidates of Linux.
"""

_SOURCE_OF: Final = {
    "apps": "apps",
    "running_apps": "apps",
    "music": "music",
    "battery": "machine",
    "system": "machine",
}
"""Metric of `Switches` to the source of `Capture` that reads it."""
_NEVER_MS: Final = 2**31 - 1
"""24 days: the longest time without input that each source takes."""
UNSEEN: Final = "apps are sent while the screen is locked"
"""What a user must know where no source reports a lock."""


@attrs.frozen(kw_only=True)
class Capture:
    """A combination of sources for one computer.

    Attributes:
        rules: which metrics are collected, and which apps are private.
        origins: name of a source, or of one metric of it, to a description of where it comes from,
            or of why there is none.
        presence: whether the screen is locked and the computer idle.
        idle_ms: time without input after which no apps are read; None is never.

    """

    apps: AppSource | None = None
    music: MusicSource | None = None
    machine: MachineSource | None = None
    rules: PrivacyRules = _DEFAULT_RULES
    origins: Mapping[str, str] = attrs.field(factory=dict)
    presence: Presences = attrs.field(factory=lambda: Presences({}))
    idle_ms: int | None = None
    _seen: dict[str, AppName] = attrs.field(factory=dict, init=False, repr=False)

    @classmethod
    def for_this_machine(
        cls, rules: PrivacyRules = _DEFAULT_RULES, wishes: Wishes = _DEFAULT_WISHES
    ) -> Self:
        """Return a capture with the sources that this machine and its libraries provide."""
        switches = rules.switches
        wanted = {source for metric, source in _SOURCE_OF.items() if getattr(switches, metric)}
        if "apps" in wanted:
            wanted.add("presence")
        sources: dict[str, Any] = {}
        origins: dict[str, str] = {}
        candidates = {
            **_CANDIDATES.get(sys.platform, _CANDIDATES["linux"]),
            "machine": {"this machine": "machine.Machine"},
        }
        for name in wanted:
            queries, origins[name] = _find(candidates[name], several=name == "presence")
            for subject, query in queries.items():
                sources[name] = Desktop(subject, query) if name == "apps" else query
            if name == "presence" and queries:
                sources[name] = Presences(queries)
            if name == "music" and queries:
                sources[name].wishes = wishes
        machine = sources.get("machine")
        if machine is not None and switches.battery and machine.has_battery() is False:
            place = " in /sys/class/power_supply" if sys.platform == "linux" else ""
            origins["battery"] = f"not found: a battery{place}"
        return cls(rules=rules, origins=origins, **sources)

    def take(self, collected_at: int, metrics: Snapshot | None = None) -> Snapshot:
        """Read every enabled metric and return the public part of the snapshot."""
        return self.review(collected_at, metrics).public

    def review(self, collected_at: int, metrics: Snapshot | None = None) -> Review:
        """Return the result of `take` and what each rule hides."""
        present = self._present()
        switches, machine = self.rules.switches, self.machine
        is_locked = present.is_locked
        is_idle = None if self.idle_ms is None else present.is_idle
        front, running = (None, ABSENT) if is_locked or is_idle else self._read_apps()
        played = self._music()
        self._remember(_names(front, running))
        battery, system = NO_BATTERY, NO_SYSTEM
        if metrics is not None:
            battery, system = metrics.battery, metrics.system
        elif machine is not None:
            battery = machine.battery() if switches.battery else battery
            system = machine.system() if switches.system else system
        raw = Snapshot(collected_at, front, battery, system, played.music, running)
        whole = review(self.rules, raw, self._names_of_player(played.players))
        clean = review(self.rules, _cleaned(whole.public))
        hidden = whole.hidden + clean.hidden
        own = Review(_fitted(clean.public), hidden, is_locked, is_idle)
        if own.public.music == NO_MUSIC != played.music:
            return own
        player = clean_app_name(next(iter(played.players), None))
        return attrs.evolve(own, player=player, withheld=played.withheld)

    def listed(self) -> tuple[str, ...]:
        """Return the names of the apps and of the player now, private ones too."""
        apps = self.apps
        listed = () if apps is None else _names(apps.active_app(), apps.running_apps())
        return (*listed, *self._names_of_player(self._music().players))

    def describe(self) -> tuple[str, ...]:
        """Return a line for each metric: its source, or why it is not read; never its value."""
        metrics = (f"{metric}: {self._origin(metric)}" for metric in _SOURCE_OF)
        switches = self.rules.switches
        lock = ", ".join(self.locks())
        if not (switches.apps or switches.running_apps):
            lock = "switched off"
        elif not lock:
            why = self.origins.get("presence", "no source")
            lock = f"{UNSEEN}: {f'no answer of {why}' if self.presence.sources else why}"
        return (*metrics, f"locked: {lock}")

    def locks(self) -> tuple[str, ...]:
        """Read the presence; return the subjects of the sources that report the lock."""
        self._present()
        return tuple(self.presence.locks)

    def _present(self) -> Presence:
        return self.presence.presence(_NEVER_MS if self.idle_ms is None else self.idle_ms)

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

    def _read_apps(self) -> tuple[str | None, tuple[str, ...] | Absent]:
        apps, switches = self.apps, self.rules.switches
        if apps is None:
            return None, ABSENT
        front = name_or_none(apps.active_app()) if switches.apps else None
        names = apps.running_apps() if switches.running_apps else ABSENT
        if names is ABSENT:
            return front, ABSENT
        return front, tuple(filter(None, map(name_or_none, names)))

    def _remember(self, names: Iterable[str]) -> None:
        for name in names:
            self._seen[name] = AppName(name, others_of(name))
            if len(self._seen) > _MAX_SEEN:
                del self._seen[next(iter(self._seen))]

    def _names_of_player(self, names: Sequence[str]) -> Sequence[str]:
        """Return the names of a player, and the apps of this run that have one of them."""
        others = (other for name in names for other in others_of(name) if not is_common(other))
        own = PrivacyRules(names=[*names, *others])
        return (*names, *filter(own.hides, self._seen.values()))

    def _music(self) -> PlayerMusic:
        if self.music is None or not self.rules.switches.music:
            return MUSIC_UNAVAILABLE
        return self.music.music()


def _names(front: str | None, running: Iterable[str | None] | Absent) -> tuple[str, ...]:
    return tuple(filter(None, (front, *(running or ()))))


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


def _find(candidates: Mapping[str, str], *, several: bool) -> tuple[dict[str, Any], str]:
    """Return the first query, or several, by subject, and a description, or why there is none."""
    queries: dict[str, Any] = {}
    missing: dict[str, None] = {}
    unlisted: list[str] = []
    for subject, candidate in candidates.items():
        module, _, function = candidate.partition(".")
        try:
            query = getattr(import_module(f"{__package__}.{module}"), function)()
        except ModuleNotFoundError as error:
            missing[f"{error.name} is not installed"] = None
            continue
        except NoListError as error:
            unlisted.append(f"{error}")
            continue
        if query is not None and (several or not queries):
            queries[subject] = query
    if queries:
        return queries, "; ".join((", ".join(queries), *unlisted))
    if not candidates:
        return {}, "no source on this system"
    reasons = (*missing, *(f"{text}; no apps are sent" for text in unlisted))
    return {}, "; ".join(reasons) or f"not found: {', '.join(candidates)}"
