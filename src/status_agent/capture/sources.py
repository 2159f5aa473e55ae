"""Sources of apps, music, load and presence: protocols, time limit and fallback.

Invariant *not readable is not an error*: a query may return, raise or hang; `Desktop` returns None
or ABSENT for what it raises and for a time-out.
Invariant *time limit*: `TimedReader.run` returns within its timeout, whatever the reading does.
While a reading hangs no second one is started, so a dead desktop costs one thread and one wait.
Invariant *logged once*: a reason is logged when it is new, and again only after a reading worked.
Invariant *no private text in the log*: the log has the subject and the type of the exception; its
message may hold names of apps or songs and stays out.
Invariant *cleaned after the rules*: `clean_app_name` shortens, so it comes after the privacy rules;
before them `name_or_none` only drops names of which nothing is visible.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from threading import Thread
from typing import Final, Protocol, TypeVar

import attrs

from devicestatus.agent.privacy import NO_MUSIC, AppName
from devicestatus.limits import RUNNING_APPS
from devicestatus.models import Battery, Music, System
from status_contracts.primitives import ABSENT, Absent, is_visible

DEFAULT_TIMEOUT_SECONDS: Final = 2.0
"""Time limit of one reading: the sample interval, so a slow source costs one sample."""

_LOG: Final = logging.getLogger(__name__)

Value = TypeVar("Value")
Fallback = TypeVar("Fallback")


class NoListError(Exception):
    """A desktop does not list its windows; the text says so to a user."""


@attrs.frozen
class PlayerMusic:
    """Music before the privacy rules are applied.

    Attributes:
        players: names of the player; the first is the one that is shown.
        withheld: what of the players is not sent, and why; it quotes no name and no title.

    """

    music: Music
    players: tuple[str, ...] = attrs.field(default=(), repr=False)
    withheld: tuple[str, ...] = ()


MUSIC_STOPPED: Final = PlayerMusic(Music("stopped", None, None))
MUSIC_UNAVAILABLE: Final = PlayerMusic(NO_MUSIC)


@attrs.frozen
class Presence:
    """State of the screen and of the input; None for what is not known.

    A screen that a screen saver covers counts as locked.
    """

    is_locked: bool | None = None
    is_idle: bool | None = None


class Source(Protocol):
    """A reading of a desktop, of its players or of its screen.

    A call of a source of this package may raise any exception or hang; `Desktop`, `MusicPlayers`
    and `Presences`, and the sources of a `Capture`, never do.
    """

    def close(self) -> None:
        """Close the connections that the source holds open; a later reading opens them again."""
        return


class AppSource(Source, Protocol):
    """A source of app names; one that knows other names of an app returns an `AppName`."""

    def active_app(self) -> str | None:
        """Return the whole name of the foreground app, or None where none is in front."""

    def running_apps(self) -> Iterable[str | None] | Absent:
        """Return the whole names of the apps with windows, or ABSENT where they are not listed."""


class MusicSource(Source, Protocol):
    """A source of music."""

    def music(self) -> PlayerMusic:
        """Return what plays and in which app, `unavailable` where that is not known."""


class MachineSource(Protocol):
    """A source of battery and load, within the contract's limits; no call raises."""

    def battery(self) -> Battery:
        """Return battery and power, None for what is not known."""

    def system(self) -> System:
        """Return the load averages, None for what is not known."""


class PresenceSource(Source, Protocol):
    """A source of presence."""

    def presence(self, idle_ms: int, /) -> Presence:
        """Return whether the screen is locked, and whether there was no input for this time."""


@attrs.define(eq=False)
class TimedReader:
    """Runs readings with a time limit, those of one subject one after another."""

    _threads: dict[str, Thread] = attrs.field(factory=dict, init=False)
    _logged_reasons: dict[str, str | None] = attrs.field(factory=dict, init=False)

    def run(
        self, subject: str, read: Callable[[], Value], fallback: Fallback, timeout_seconds: float
    ) -> Value | Fallback:
        """Return the result of `read`, or `fallback` when it raises or takes too long."""
        outcomes: list[tuple[Value | Fallback, str | None]] = []  # value, type of exception

        def work() -> None:
            try:
                outcomes.append((read(), None))
            except Exception as error:  # noqa: BLE001 - no library documents all that it may raise
                outcomes.append((fallback, type(error).__name__))

        if subject not in self._threads or not self._threads[subject].is_alive():
            thread = self._threads[subject] = Thread(target=work, daemon=True)
            thread.start()
            thread.join(timeout_seconds)
        value, reason = outcomes[0] if outcomes else (fallback, TimeoutError.__name__)
        if reason != self._logged_reasons.get(subject):
            self._logged_reasons[subject] = reason
            if reason is None:
                _LOG.info("%s: readable again", subject)
            else:
                _LOG.warning("%s: not readable (%s)", subject, reason)
        return value


@attrs.define(eq=False)
class Desktop:
    """The apps of one desktop.  No call raises.

    Names are as the desktop reports them, for the privacy rules; a name of which nothing is visible
    is left out, and each is returned once.  What is not readable is not known.
    """

    subject: str
    query: AppSource
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    _reader: TimedReader = attrs.field(factory=TimedReader, init=False)

    def active_app(self) -> str | None:
        """Return the foreground app, or None where it is not known or none is in front."""
        return self._run(lambda: name_or_none(self.query.active_app()), None)

    def running_apps(self) -> tuple[str, ...] | Absent:
        """Return the apps that have windows, or ABSENT where they are not known."""
        return self._run(partial(_running_apps, self.query), ABSENT)

    def close(self) -> None:
        """Close what the query holds open."""
        self._run(self.query.close, None)

    def _run(self, read: Callable[[], Value], fallback: Fallback) -> Value | Fallback:
        return self._reader.run(self.subject, read, fallback, self.timeout_seconds)


def _running_apps(query: AppSource) -> tuple[str, ...] | Absent:
    listed = query.running_apps()
    if listed is ABSENT:
        return ABSENT
    names = tuple(listed)
    apps: dict[str, str] = {}
    for name in filter(None, map(name_or_none, names)):
        known = apps.get(name)
        apps[name] = name if known is None else AppName(name, others_of(known) | others_of(name))
    # Windows without a name are not known, and are not "no windows".
    return tuple(apps.values())[:RUNNING_APPS] if apps or not names else ABSENT


def name_or_none(text: str | None) -> str | None:
    """Return a name unchanged, or None where nothing of it is visible."""
    return text if text is not None and is_visible(text) else None


def others_of(name: str) -> frozenset[str]:
    """Return the other names of an app; none where its source knows none."""
    return name.others if isinstance(name, AppName) else frozenset()


@attrs.define(eq=False)
class Presences:
    """All sources of presence of a session: one that reports a lock is enough.  No call raises.

    What a source cannot report now stays as it was, so an error does not unlock the screen.

    Attributes:
        sources: subject to source.
        locks: subjects of those that have reported whether the screen is locked.

    """

    sources: Mapping[str, PresenceSource]
    locks: dict[str, None] = attrs.field(factory=dict, init=False)
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    _reader: TimedReader = attrs.field(factory=TimedReader, init=False)
    _last: dict[str, Presence] = attrs.field(factory=dict, init=False)

    def presence(self, idle_ms: int) -> Presence:
        """Return whether the screen is locked and the computer idle, as far as it is known."""
        for subject, source in self.sources.items():
            last, read = self._last.get(subject, Presence()), partial(source.presence, idle_ms)
            now = self._reader.run(subject, read, last, self.timeout_seconds)
            self._last[subject] = now
            if now.is_locked is not None:
                self.locks[subject] = None
        return Presence(
            _any(presence.is_locked for presence in self._last.values()),
            _any(presence.is_idle for presence in self._last.values()),
        )

    def close(self) -> None:
        """Close what the sources hold open."""
        for subject, source in self.sources.items():
            self._reader.run(subject, source.close, None, self.timeout_seconds)


def _any(values: Iterable[bool | None]) -> bool | None:
    known = [value for value in values if value is not None]
    return any(known) if known else None
