"""Which of several players is shown, and what of its music.

Invariant *no title of a page*: a browser gives its state only, unless the user lists it.
Invariant *no title of a document*: a path, a URL or a file's name is no title (`clean_title`).
Invariant *this computer only*: players of other devices and programs that repeat others do not
count, unless the user lists them.
Invariant *stopped is known*: music is `stopped` only where each player that counts was asked and
reports it; else it is `unavailable`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import attrs

from devicestatus.agent.cleaning import clean_title, names_document
from devicestatus.agent.privacy import PrivacyRules
from devicestatus.models import Music, MusicState
from status_agent.capture.sources import (
    MUSIC_STOPPED,
    MUSIC_UNAVAILABLE,
    MusicSource,
    PlayerMusic,
    TimedReader,
)
from status_contracts.primitives import is_visible

_ACTIVE: Final = ("playing", "paused")
_MAX_PLAYERS: Final = 16
"""Players that are asked for their music in one reading."""

_DOCUMENT: Final = "a path, a URL or the name of a file"
_BROWSER_NAMES: Final = """angelfish arc basilisk brave* *browser* *chrome* *chromium* coccoc* comet
cromite dooble edge eolie epiphany* falkon firedragon *firefox* *floorp* helium icecat iceweasel
iridium* konqueror ladybird librewolf* luakit maxthon* microsoft*edge* midori min *mozilla* msedge
naver*whale nightly nyxt opera* orion pale*moon* qtwebengine* qutebrowser* safari seamonkey slimjet
supermium surf thorium vieb vimb vivaldi* waterfox* web webkit* whale yandex zen zen-*"""
_BROWSERS: Final = PrivacyRules(names=_BROWSER_NAMES.split())
"""Browsers by name; another one is known by the category in its desktop file, `WebBrowser`."""
_ELSEWHERE: Final = PrivacyRules(
    names=["mpris-proxy", "playerctld*", "kde*connect*", "gsconnect*", "valent*", "zorin*connect*"]
)
"""Players of other devices, and programs that repeat other players."""


@attrs.frozen
class Wishes:
    """The players that the user wants, by their names; `*` is any text.

    Attributes:
        players: those that are shown before others of the same state, the preferred one first; a
            browser, or a player of another device, that is one of them is shown as any other.
        ignore: those that do not count.

    """

    players: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def place(self, names: Iterable[str]) -> int:
        """Return the place of a player in `players`; their number where it is not listed."""
        of_player = tuple(names)
        wanted = (n for n, name in enumerate(self.players) if _lists([name], of_player))
        return next(wanted, len(self.players))

    def counts(self, names: Sequence[str]) -> bool:
        """Check whether a player is one that may be shown."""
        if _lists(self.ignore, names):
            return False
        return _lists(self.players, names) or not any(map(_ELSEWHERE.hides, names))


def _lists(names: Iterable[str], of_player: Iterable[str]) -> bool:
    return any(map(PrivacyRules(names=names).hides, of_player))


@attrs.frozen
class Played:
    """What a player reports, as it reports it; `key` tells it from all others."""

    key: str
    state: MusicState
    names: tuple[str, ...]
    track: str | None
    artist: str | None


class MusicPlayers(MusicSource):
    """The media players of one session; connects when it is first read.  No call raises.

    Attributes:
        wishes: the players that the user wants.

    """

    timeout_seconds: float

    def __attrs_post_init__(self) -> None:
        self._reader = TimedReader()
        self.wishes = Wishes()
        self._readings = 0
        self._changed: dict[Played, int] = {}  # what each reported last, and since which reading

    def music(self) -> PlayerMusic:
        """Return what plays; `unavailable` where that cannot be read."""
        return self._reader.run(
            "music players", self._music, MUSIC_UNAVAILABLE, self.timeout_seconds
        )

    def _music(self) -> PlayerMusic:
        raise NotImplementedError

    def _leading(
        self,
        states: Mapping[str, MusicState | None],
        names: Callable[[str], Sequence[str]],
        details: Callable[[Mapping[str, MusicState]], Iterable[Played]],
    ) -> PlayerMusic:
        """Return the music of the player that is shown; raise TimeoutError where it has no name.

        Playing comes before paused; then the order of `Wishes.players`, a title before none, an
        artist before none, the last change, and the name.

        Args:
            states: key of a player to its state; None where it does not report one.
            names: returns the names that are known by the key alone.
            details: returns what these players, which play or pause, report.

        """
        here = {key: state for key, state in states.items() if self.wishes.counts(names(key))}
        active = {key: state for key, state in here.items() if state and state in _ACTIVE}
        ordered = sorted(
            active, key=lambda key: (active[key] != "playing", self.wishes.place(names(key)), key)
        )
        asked = {key: active[key] for key in ordered[:_MAX_PLAYERS]}
        heard = [played for played in details(asked) if self.wishes.counts(played.names)]
        self._readings += 1
        self._changed = {played: self._changed.get(played, self._readings) for played in heard}
        number = len(states) - len(here) + len(asked) - len(heard)
        left = (
            (f"players of other devices, repeaters and ignored ones: {number}",) if number else ()
        )
        if not heard:
            is_known = None not in here.values() and len(active) <= _MAX_PLAYERS
            return attrs.evolve(MUSIC_STOPPED if is_known else MUSIC_UNAVAILABLE, withheld=left)
        shown = min(map(self._shown, heard), key=self._order)
        if not shown[0].names:
            raise TimeoutError("the player does not answer the query for its names")
        return attrs.evolve(shown[1], withheld=(*shown[1].withheld, *left))

    def _shown(self, played: Played) -> tuple[Played, PlayerMusic]:
        names, texts = played.names, {"track": played.track, "artist": played.artist}
        is_page = any(map(_BROWSERS.hides, names)) and not _lists(self.wishes.players, names)
        shown = dict.fromkeys(texts) if is_page else {k: clean_title(v) for k, v in texts.items()}
        withheld = [
            f"{name}: {'of a browser that is not in music.players' if is_page else _DOCUMENT}"
            for name, text in texts.items()
            if text is not None and is_visible(text) and (is_page or names_document(text))
        ]
        music = Music(played.state, track=shown["track"], artist=shown["artist"])
        return played, PlayerMusic(music, names, tuple(withheld))

    def _order(self, shown: tuple[Played, PlayerMusic]) -> tuple[object, ...]:
        played, music = shown[0], shown[1].music
        return (
            played.state != "playing",
            self.wishes.place(played.names),
            music.track is None,
            music.artist is None,
            -self._changed[played],
            played.key,
        )
