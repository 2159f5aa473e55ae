"""What may leave the computer: private apps become `System`, metrics switched off their null.

Invariant *only the public part*: of a snapshot that `PrivacyRules.public` gives, no app is one that
the rules hide, and every member that is switched off has its null value (`running_apps` ABSENT,
music `unavailable`, the others None for what they hold).
Invariant *order tells nothing*: where a running app is hidden, all are sorted anew and `System`
stands once, so that its place does not tell which one it was.
Invariant *settled*: what is public already comes back as the same object.
Invariant *names compare in one form*: NFKC, white space runs to one space, trimmed, without case,
and without what no app name can hold (control characters; a surrogate counts as U+FFFD).
Invariant *rules stay here*: no name, pattern or fingerprint is in the text of rules, of a review or
of an error.
Source: device-status specification, "Snapshot (v1 record)" (`active_app`, `running_apps`), "POST
/api/update", rule 2; rulings under "Agent window".
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, Final

import attrs

from devicestatus import limits
from devicestatus.snapshot import SENSITIVE_APP, Battery, Music, Snapshot, System
from purewire.absent import ABSENT
from purewire.text import WHITE_SPACE

__all__ = ["PrivacyRules", "Review", "Switches"]

_LONGEST_COMPARED: Final = 5 * limits.NAME_LENGTH
"""Code points: no app name has the same form as a longer text, and the form costs their square."""

_BLANKS: Final = re.compile(f"[{WHITE_SPACE}]+")
_STARS: Final = re.compile(r"\*+")
_REPLACEMENTS: Final[dict[int, str | None]] = {
    **dict.fromkeys((*range(0x20), 0x7F)),
    **dict.fromkeys(map(ord, "\t\n\v\f\r"), " "),
    **dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}"),
}


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

_SWITCHED: Final[tuple[tuple[str, str, Any], ...]] = (
    ("apps", "active_app", None),
    ("running_apps", "running_apps", ABSENT),
    ("music", "music", Music("unavailable", None, None)),
    ("battery", "battery", Battery(None, None, "unknown")),
    ("system", "system", System(None, None, None)),
)
"""Switch, the member of a snapshot that it is for, and the null value of that member."""


@attrs.frozen
class Review:
    """What the rules make of one snapshot; quotes nothing that they hide.

    Attributes:
        shown: what may be shown.
        hidden: how many different names of apps were replaced.
        withheld: members of the snapshot that are switched off.

    """

    shown: Snapshot
    hidden: int
    withheld: tuple[str, ...]


def _normal(text: str) -> str:
    """Give the form in which names compare; that of a form is itself."""
    if text.isascii() and text.isprintable():  # most names; the other forms are no others then
        text = text.casefold()
    else:
        text = unicodedata.normalize("NFD", text.translate(_REPLACEMENTS)).casefold()
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _BLANKS.sub(" ", text).strip(" ")


def _names(names: Iterable[str]) -> frozenset[str]:
    if isinstance(names, str):
        raise TypeError("a collection of texts, not one text")
    return frozenset(filter(None, map(_normal, names)))


def _patterns(patterns: Iterable[str]) -> frozenset[str]:
    return frozenset(_STARS.sub("*", pattern) for pattern in _names(patterns))


@attrs.frozen(kw_only=True)
class PrivacyRules:
    """Which apps are private and which metrics are collected; equal rules are equal.

    Attributes:
        names: apps that are private, in the form in which they compare; a blank one says nothing.
        patterns: as `names`, where `*` stands for any run of characters, none included, and nothing
            else is special.
        switches: which metrics are collected.

    Raises:
        TypeError: `names` or `patterns` is one text.

    """

    names: frozenset[str] = attrs.field(default=frozenset(), converter=_names, repr=False)
    patterns: frozenset[str] = attrs.field(default=frozenset(), converter=_patterns, repr=False)
    switches: Switches = _ALL
    _globs: tuple[tuple[str, ...], ...] = attrs.field(init=False, eq=False, repr=False)

    @_globs.default
    def _default_globs(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(pattern.split("*")) for pattern in sorted(self.patterns))

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the rules, 64 hex digits: equal for equal rules, however they were spelt.

        It confirms a good guess at the names, so it belongs on the device as well.
        """
        rules = {
            "names": sorted(self.names),
            "patterns": sorted(self.patterns),
            "switches": attrs.asdict(self.switches),
        }
        return sha256(json.dumps(rules, sort_keys=True).encode("ascii")).hexdigest()

    def hides(self, name: str) -> bool:
        """Tell whether an app of this name is private, in linear time.

        A text far too long for the name of an app cannot be compared, so any name or pattern hides
        it.
        """
        if not self.names and not self.patterns:
            return False
        if len(name) > _LONGEST_COMPARED:
            return True
        name = _normal(name)
        return name in self.names or any(_fits(name, glob) for glob in self._globs)

    def public(self, snapshot: Snapshot) -> Snapshot:
        """Give what may be shown of a snapshot: the same object when that is all of it."""
        values = {
            name: null for switch, name, null in _SWITCHED if not getattr(self.switches, switch)
        }
        hidden = self._hidden(snapshot)
        if snapshot.active_app in hidden:
            values.setdefault("active_app", SENSITIVE_APP)
        if snapshot.running_apps and not hidden.isdisjoint(snapshot.running_apps):
            values.setdefault("running_apps", _without(snapshot.running_apps, hidden))
        changed = {name: new for name, new in values.items() if getattr(snapshot, name) != new}
        return attrs.evolve(snapshot, **changed) if changed else snapshot

    def review(self, snapshot: Snapshot) -> Review:
        """Give what `public` makes of a snapshot, and how much it leaves out (a dry run)."""
        withheld = (name for switch, name, _ in _SWITCHED if not getattr(self.switches, switch))
        return Review(self.public(snapshot), len(self._hidden(snapshot)), tuple(withheld))

    def _hidden(self, snapshot: Snapshot) -> frozenset[str]:
        """Give the private names among the apps whose metric is on."""
        active = (snapshot.active_app,) if self.switches.apps else ()
        running = (snapshot.running_apps or ()) if self.switches.running_apps else ()
        names = {*active, *running} - {None, SENSITIVE_APP}
        return frozenset(name for name in names if name is not None and self.hides(name))


def _without(names: Sequence[str], hidden: frozenset[str]) -> tuple[str, ...]:
    shown = {SENSITIVE_APP if name in hidden else name for name in names}
    return tuple(sorted(shown, key=lambda name: (name.casefold(), name)))


def _fits(name: str, glob: tuple[str, ...]) -> bool:
    """Tell whether the parts between stars stand in a name, in order; each is looked for once."""
    first, *middle = glob
    if not middle:
        return name == first
    last = middle.pop()
    end = len(name) - len(last)
    if end < len(first) or not (name.startswith(first) and name.endswith(last)):
        return False
    place = len(first)
    for part in middle:
        place = name.find(part, place, end)
        if place < 0:
            return False
        place += len(part)
    return True
