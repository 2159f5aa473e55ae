"""Privacy rules: replace private app names by `System`, and disabled metrics by their null value.

Invariant *public part only*: in a snapshot that `PrivacyRules.public` returns, no app is one that
the rules hide, no music is that of a player whose names they hide, and every disabled member has
its null value.
Invariant *order reveals nothing*: where a running app is hidden, all are sorted again and `System`
is listed once.
Invariant *idempotent*: a snapshot that is public already is returned as the same object.
Invariant *one form for comparison*: names are compared without default ignorables and control
characters, in NFKC, without case, runs of white space as one space, trimmed; a surrogate counts as
U+FFFD.  Names are compared as the source gave them, whatever their length.
Invariant *no hidden name leaks*: no hidden name, no rule and no fingerprint is in the text of
rules, of a review or of an error.
Source: device-status specification, "Snapshot (v1 record)", "POST /api/update" rule 2; design
decisions under "Agent window".

Contract: DS-SNAPSHOT-04, DS-APP-03, DS-APP-07, DS-PRIVACY-01 to 03, DS-PRIVACY-06.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from functools import cache
from typing import Any, Final, Literal

import attrs

from devicestatus.models.snapshot import SENSITIVE_APP, Battery, Music, Snapshot, System
from purewire.absent import ABSENT
from purewire.globs import glob_matches, split_glob
from purewire.text import DEFAULT_IGNORABLE, WHITE_SPACE

__all__ = ["Hidden", "PrivacyRules", "Review", "Rule", "Switches"]

_MAX_MARKS: Final = 100
"""Maximum of combining marks in a row; NFKC sorts a run of them in quadratic time."""
_COMPARISON_VERSION: Final = 2
"""Version of the form in which names are compared; part of the fingerprint."""

_BLANKS: Final = re.compile(f"[{WHITE_SPACE}]+")
_STARS: Final = re.compile(r"\*+")


@attrs.frozen(kw_only=True)
class Switches:
    """Selection of the collected metrics.

    Attributes:
        apps: the foreground app.
        running_apps: the running apps.
        music: the playing music.
        battery: battery and power.
        system: load averages.

    """

    apps: bool = True
    running_apps: bool = True
    music: bool = True
    battery: bool = True
    system: bool = True


_ALL_ON: Final = Switches()

_NO_MUSIC: Final = Music("unavailable", None, None)

_SWITCHED: Final[tuple[tuple[str, str, Any], ...]] = (
    ("apps", "active_app", None),
    ("running_apps", "running_apps", ABSENT),
    ("music", "music", _NO_MUSIC),
    ("battery", "battery", Battery(None, None, "unknown")),
    ("system", "system", System(None, None, None)),
)
"""Switch, the member of a snapshot that it is for, and the null value of that member."""


_Member = Literal["active_app", "running_apps", "music"]


@attrs.frozen
class Rule:
    """One rule of `PrivacyRules`.

    Attributes:
        kind: `name`, `pattern`, or `marks`: any rules hide a name that cannot be compared, because
            it has more than 100 combining marks in a row.
        text: the name or pattern, in the form for comparison; empty for `marks`.

    """

    kind: Literal["name", "pattern", "marks"]
    text: str = attrs.field(repr=False)


_TOO_MANY_MARKS: Final = Rule("marks", "")


@attrs.frozen
class Hidden:
    """The number of names in one member of a snapshot that one rule hides.

    Attributes:
        member: `active_app`, `running_apps` or `music`.
        rule: the rule.
        count: number of different names of the member that it hides; for music those of the player.

    """

    member: _Member
    rule: Rule
    count: int


@attrs.frozen
class Review:
    """Result of the rules on one snapshot (a dry run); its text has no hidden name and no rule.

    Attributes:
        public: the public snapshot.
        hidden: what was hidden, by member and rule.
        disabled: members of the snapshot that are disabled.

    """

    public: Snapshot
    hidden: tuple[Hidden, ...]
    disabled: tuple[str, ...]


def _normalize(text: str) -> str:
    """Return the form for comparison; it is idempotent."""
    if text.isascii() and text.isprintable():  # fast path for most names, with the same result
        text = text.casefold()
    else:
        text = unicodedata.normalize("NFD", text.translate(_replacements())).casefold()
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _BLANKS.sub(" ", text).strip(" ")


@cache
def _replacements() -> Mapping[int, str | None]:
    """Return the table for `str.translate`; its 6,000 entries are made with the first such name."""
    return {
        **dict.fromkeys((*range(0x20), 0x7F)),
        **dict.fromkeys(map(ord, "\t\n\v\f\r\u0085"), " "),
        **dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}"),
        **{code: None for codes in DEFAULT_IGNORABLE for code in codes},
    }


def _is_comparable(name: str) -> bool:
    """Check whether no run of combining marks is too long to be normalised in linear time."""
    if len(name) <= _MAX_MARKS:
        return True
    name = name.translate(_replacements())
    marks = {
        each for each in set(name) if unicodedata.combining(unicodedata.normalize("NFKD", each)[0])
    }
    run = 0
    for each in name if marks else ():
        run = run + 1 if each in marks else 0
        if run > _MAX_MARKS:
            return False
    return True


def _names(names: Iterable[str]) -> frozenset[str]:
    if isinstance(names, str):
        raise TypeError("names and patterns must be collections of strings, not one string")
    return frozenset(filter(None, map(_normalize, names)))


def _patterns(patterns: Iterable[str]) -> frozenset[str]:
    return frozenset(_STARS.sub("*", pattern) for pattern in _names(patterns))


@attrs.frozen(kw_only=True)
class PrivacyRules:
    """Rules that select the private apps and the collected metrics; they compare by value.

    Attributes:
        names: apps that are private, in the form for comparison; a blank one has no effect.
        patterns: as `names`, where `*` matches any run of characters, also an empty one, and no
            other character is special.
        switches: which metrics are collected.

    Raises:
        TypeError: `names` or `patterns` is one string.

    """

    names: frozenset[str] = attrs.field(default=frozenset(), converter=_names, repr=False)
    patterns: frozenset[str] = attrs.field(default=frozenset(), converter=_patterns, repr=False)
    switches: Switches = _ALL_ON
    _globs: tuple[tuple[str, ...], ...] = attrs.field(init=False, eq=False, repr=False)

    @_globs.default
    def _default_globs(self) -> tuple[tuple[str, ...], ...]:
        return tuple(map(split_glob, sorted(self.patterns)))

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the rules, 64 hex digits: equal for equal rules, however they were written.

        A guess at the names can be verified with it, so it must not leave the device.
        """
        rules = {
            "names": sorted(self.names),
            "patterns": sorted(self.patterns),
            "switches": attrs.asdict(self.switches),
            "comparison": _COMPARISON_VERSION,
        }
        # Both take long to import.
        import json  # noqa: PLC0415
        from hashlib import sha256  # noqa: PLC0415

        return sha256(json.dumps(rules, sort_keys=True).encode("ascii")).hexdigest()

    def hides(self, name: str) -> bool:
        """Check whether an app of this name is private, in linear time.

        Args:
            name: the name as its source gave it, of any length.

        """
        return self.rule_for(name) is not None

    def rule_for(self, name: str) -> Rule | None:
        """Return the rule that hides an app of this name, or None; names come before patterns."""
        if not self.names and not self.patterns:
            return None
        if not _is_comparable(name):
            return _TOO_MANY_MARKS
        name = _normalize(name)
        if name in self.names:
            return Rule("name", name)
        matching = (glob for glob in self._globs if glob_matches(name, glob))
        return next((Rule("pattern", "*".join(glob)) for glob in matching), None)

    def public(self, snapshot: Snapshot, players: Iterable[str] = ()) -> Snapshot:
        """Return the public part of a snapshot: the same object when that is all of it.

        Args:
            snapshot: the snapshot with all names as their sources gave them, not shortened.
            players: names of the app whose music the snapshot has; if the rules hide one of them,
                they hide the music.

        """
        return self.review(snapshot, players).public

    def review(self, snapshot: Snapshot, players: Iterable[str] = ()) -> Review:
        """Return the result of `public`, and what each rule hides (a dry run)."""
        values = {
            name: null for switch, name, null in _SWITCHED if not getattr(self.switches, switch)
        }
        disabled = tuple(values)
        running = snapshot.running_apps or ()
        in_front = self._rules_of([snapshot.active_app], but=(SENSITIVE_APP,))
        in_list = self._rules_of(running, but=(SENSITIVE_APP,))
        of_music = self._rules_of(() if snapshot.music == _NO_MUSIC else players)
        found: list[tuple[_Member, Any, Mapping[str, Rule]]] = [
            ("active_app", SENSITIVE_APP, in_front),
            ("running_apps", _without(running, in_list), in_list),
            ("music", _NO_MUSIC, of_music),
        ]
        hidden: list[Hidden] = []
        for member, replacement, rules in found:
            if rules and member not in disabled:
                values[member] = replacement
                counts = Counter(rules.values())
                hidden += (Hidden(member, rule, count) for rule, count in counts.items())
        changed = {name: new for name, new in values.items() if getattr(snapshot, name) != new}
        shown = attrs.evolve(snapshot, **changed) if changed else snapshot
        return Review(shown, tuple(hidden), disabled)

    def _rules_of(self, names: Iterable[str | None], but: Container[str] = ()) -> dict[str, Rule]:
        """Return the hidden names in their order, each with the rule that hides it."""
        found: dict[str, Rule] = {}
        for name in names:
            if name is not None and name not in but:
                rule = self.rule_for(name)
                if rule is not None:
                    found[name] = rule
        return found


def _without(names: Iterable[str], hidden: Container[str]) -> tuple[str, ...]:
    shown = {SENSITIVE_APP if name in hidden else name for name in names}
    return tuple(sorted(shown, key=lambda name: (name.casefold(), name)))
