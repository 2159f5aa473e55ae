"""Sources of apps, music, load and presence: protocols, time limit and fallback.

Invariant *not readable is not an error*: a desktop query may return, raise or hang; `DesktopApps`
returns None or ABSENT for what it raises and for a time-out.
Invariant *time limit*: `TimedReader.run` returns within its timeout, whatever the reading does.
While a reading hangs no second one is started, so a dead desktop costs one thread and one wait.
Invariant *logged once*: a reason is logged when it is new, and again only after a reading worked.
Invariant *no private text in the log*: the log has the subject and the type of the exception; its
message may hold names of apps or songs and stays out.
Invariant *cleaned after the rules*: `clean_app_name` shortens, so it comes after the privacy rules;
before them `name_or_none` only drops names of which cleaning would leave nothing.
Invariant *a change is known*: desktops name apps differently, so `FirstReadableApps` knows whether
the desktop that answered is another than the one that answered first.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from threading import Thread
from typing import Final, Protocol, TypeVar

import attrs

from devicestatus.agent.cleaning import clean_app_name
from devicestatus.agent.privacy import AppName
from devicestatus.limits import RUNNING_APPS
from devicestatus.models import Battery, Music, MusicState, System
from purewire.primitives import ABSENT, Absent

DEFAULT_TIMEOUT_SECONDS: Final = 2.0
"""Time limit of one reading: the sample interval, so a slow source costs one sample."""

_PRECEDENCE: Final[tuple[MusicState, ...]] = ("playing", "paused", "stopped")
_LOG: Final = logging.getLogger(__name__)

Value = TypeVar("Value")
Fallback = TypeVar("Fallback")
Player = TypeVar("Player")


@attrs.frozen
class PlayerMusic:
    """Music before the privacy rules are applied."""

    music: Music
    players: tuple[str, ...] = attrs.field(default=(), repr=False)


MUSIC_STOPPED: Final = PlayerMusic(Music("stopped", None, None))
"""No player plays."""
MUSIC_UNAVAILABLE: Final = PlayerMusic(Music("unavailable", None, None))
"""It is not known what plays."""


class AppSource(Protocol):
    """A source of app names; one that knows other names of an app returns an `AppName`.

    No call raises.
    """

    def active_app(self) -> str | None:
        """Return the whole name of the foreground app, or None if it is not known."""

    def running_apps(self) -> Iterable[str] | Absent:
        """Return the whole names of the running GUI apps, or ABSENT if they are not known."""

    def close(self) -> None:
        """Close the connections that the source holds open; a later reading opens them again."""


class MusicSource(Protocol):
    """A source of music; no call raises."""

    def music(self) -> PlayerMusic:
        """Return what plays and in which app, `unavailable` if that is not known."""

    def close(self) -> None:
        """Close the connections that the source holds open; a later reading opens them again."""


class MachineSource(Protocol):
    """A source of battery and load, within the contract's limits; no call raises."""

    def battery(self) -> Battery:
        """Return battery and power, None for what is not known."""

    def system(self) -> System:
        """Return the load averages, None for what is not known."""


@attrs.frozen
class Presence:
    """State of the screen and of the input; None for what is not known.

    Attributes:
        is_locked: whether the screen is locked or covered by a screen saver.

    """

    is_locked: bool | None = None
    is_idle: bool | None = None


class PresenceSource(Protocol):
    """A source of presence."""

    subject: str

    def presence(self, idle_ms: int, /) -> Presence:
        """Return it, idle after this time without input; may raise any exception or hang."""

    def close(self) -> None:
        """Close the connections that the source holds open; a later reading opens them again."""


class DesktopQuery(Protocol):
    """One way to query a desktop; any call may raise any exception or hang."""

    def active_app(self) -> str | None:
        """Return the foreground app, or None where none is in front."""

    def running_apps(self) -> Iterable[str | None] | Absent:
        """Return the apps that have windows, or ABSENT where the desktop does not list them."""


@attrs.define(eq=False)
class TimedReader:
    """Runs the readings of one subject with a time limit, for one caller at a time."""

    subject: str
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    _thread: Thread | None = attrs.field(default=None, init=False)
    _logged_reason: str | None = attrs.field(default=None, init=False)

    @property
    def is_readable(self) -> bool:
        """Check whether the last reading returned a value; true before the first one."""
        return self._logged_reason is None

    def run(self, read: Callable[[], Value], fallback: Fallback) -> Value | Fallback:
        """Return the result of `read`, or `fallback` when it raises or takes too long."""
        outcomes: list[tuple[Value | Fallback, str | None]] = []  # value, type of exception

        def work() -> None:
            try:
                outcomes.append((read(), None))
            except Exception as error:  # noqa: BLE001 - no library documents all that it may raise
                outcomes.append((fallback, type(error).__name__))

        if self._thread is None or not self._thread.is_alive():
            self._thread = Thread(target=work, daemon=True)
            self._thread.start()
            self._thread.join(self.timeout_seconds)
        value, reason = outcomes[0] if outcomes else (fallback, TimeoutError.__name__)
        if reason != self._logged_reason:
            self._logged_reason = reason
            if reason is None:
                _LOG.info("%s: readable again", self.subject)
            else:
                _LOG.warning("%s: not readable (%s)", self.subject, reason)
        return value


@attrs.define(eq=False)
class DesktopApps:
    """The apps of one desktop; names are as the desktop reports them, for the privacy rules.

    A name of which nothing is left after cleaning is left out, and each name is returned once.
    No call raises.
    """

    subject: str
    query: DesktopQuery
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    close_query: Callable[[], None] = lambda: None
    reader: TimedReader = attrs.field(init=False)

    @reader.default
    def _default_reader(self) -> TimedReader:
        return TimedReader(self.subject, self.timeout_seconds)

    @property
    def is_readable(self) -> bool:
        """Check whether the last reading succeeded."""
        return self.reader.is_readable

    def active_app(self) -> str | None:
        """Return the name of the foreground app, or None where it is not known."""
        return self.reader.run(lambda: name_or_none(self.query.active_app()), None)

    def running_apps(self) -> tuple[str, ...] | Absent:
        """Return the apps that have windows, or ABSENT where they are not known."""
        return self.reader.run(self._running_apps, ABSENT)

    def close(self) -> None:
        """Close what the query holds open."""
        self.reader.run(self.close_query, None)

    def _running_apps(self) -> tuple[str, ...] | Absent:
        names = self.query.running_apps()
        if names is ABSENT:
            return ABSENT
        apps: dict[str, str] = {}
        for name in filter(None, map(name_or_none, names)):
            known = apps.get(name)
            apps[name] = (
                name if known is None else AppName(name, others_of(known) | others_of(name))
            )
        return tuple(apps.values())[:RUNNING_APPS]


def name_or_none(text: str | None) -> str | None:
    """Return a name unchanged, or None where `clean_app_name` leaves nothing of it."""
    return None if clean_app_name(text) is None else text


def others_of(name: str) -> frozenset[str]:
    """Return the other names of an app; none where its source knows none."""
    return name.others if isinstance(name, AppName) else frozenset()


@attrs.define(eq=False)
class FirstReadableApps:
    """Several desktops: each call returns the result of the first one that is readable.

    "No app is in front" is a result too; later desktops are not queried then.  No call raises.

    Attributes:
        desktops: the preferred one first.
        first: subject of the desktop that the names of the rules are from; the first that answers
            where it is None.
        on_first: called once with the subject of the first that answers.
        has_changed: whether the last call was answered by another desktop, or by none after one.

    """

    desktops: tuple[DesktopApps, ...]
    first: str | None = None
    on_first: Callable[[str], object] = lambda _: None
    has_changed: bool = attrs.field(default=False, init=False)

    def active_app(self) -> str | None:
        """Return the foreground app, or None where no desktop is readable."""
        return self._first(DesktopApps.active_app, None)

    def running_apps(self) -> tuple[str, ...] | Absent:
        """Return the running apps, or ABSENT where no desktop is readable."""
        return self._first(DesktopApps.running_apps, ABSENT)

    def close(self) -> None:
        """Close what the queries hold open."""
        for desktop in self.desktops:
            desktop.close()

    def _first(self, read: Callable[[DesktopApps], Value], fallback: Fallback) -> Value | Fallback:
        for desktop in self.desktops:
            value = read(desktop)
            if desktop.is_readable:
                self._note(desktop.subject)
                return value
        self.has_changed = self.first is not None
        return fallback

    def _note(self, subject: str) -> None:
        if self.first is None:
            self.first = subject
            self.on_first(subject)
        before, self.has_changed = self.has_changed, subject != self.first
        if self.has_changed and not before:
            _LOG.warning(
                "%s: read in place of %s; where privacy options are given, they hide all apps but"
                " those confirmed with `devicestatus agent --dry-run --confirm`",
                subject,
                self.first,
            )


@attrs.define(eq=False)
class Presences:
    """All sources of presence of a session: one that reports a lock is enough.  No call raises.

    What a source cannot report now stays as it was, so an error does not unlock the screen.
    """

    sources: tuple[PresenceSource, ...]
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    _known: list[tuple[TimedReader, PresenceSource, Presence]] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._known = [
            (TimedReader(source.subject, self.timeout_seconds), source, Presence())
            for source in self.sources
        ]

    def presence(self, idle_ms: int) -> Presence:
        """Return whether the screen is locked and the computer idle, as far as it is known."""
        self._known = [
            (reader, source, reader.run(partial(source.presence, idle_ms), last))
            for reader, source, last in self._known
        ]
        return Presence(
            _any(presence.is_locked for *_, presence in self._known),
            _any(presence.is_idle for *_, presence in self._known),
        )

    def close(self) -> None:
        """Close what the sources hold open."""
        for reader, source, _ in self._known:
            reader.run(source.close, None)


def _any(values: Iterable[bool | None]) -> bool | None:
    known = [value for value in values if value is not None]
    return any(known) if known else None


def leading_music(
    states: Mapping[Player, MusicState | None],
    details: Callable[[Player, MusicState], PlayerMusic],
) -> PlayerMusic:
    """Return the music of the first playing player, else of the first paused one.

    Where none plays or pauses the music is `stopped`; where players run and none reports its state
    it is `unavailable`.
    """
    known = {player: state for player, state in states.items() if state is not None}
    if not known:
        return MUSIC_UNAVAILABLE if states else MUSIC_STOPPED
    leader = min(known, key=lambda player: _PRECEDENCE.index(known[player]))
    return MUSIC_STOPPED if known[leader] == "stopped" else details(leader, known[leader])
