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
Invariant *all names of an app*: an app is hidden by any of the names that its source knows
(`AppName`).  `.desktop` at the end counts for nothing, the id of a snap `x_x` is `x`, and an id
such as `org.example.Notes` is also each of its parts after the first: it equals a plain name that
is one of them, and another id with the same last part.
Invariant *unconfirmed is hidden*: where there are rules, an app whose name is not confirmed is
hidden, because they may know it by another name.
Invariant *no hidden name leaks*: no hidden name, no rule and no fingerprint is in the text of
rules, of a review or of an error.
Contract: DS-SNAPSHOT-04, DS-APP-03, DS-APP-07, DS-PRIVACY-01 to 03, DS-PRIVACY-06,
DS-PRIVACY-07.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final, Literal, Self

import attrs

from devicestatus.models.snapshot import SENSITIVE_APP, Battery, Music, Snapshot, System
from purewire.absent import ABSENT
from purewire.globs import glob_matches, split_glob
from purewire.text import DEFAULT_IGNORABLE, WHITE_SPACE

__all__ = ["AppName", "Hidden", "PrivacyRules", "Review", "Rule", "Switches"]

_MAX_MARKS: Final = 100
"""Maximum of combining marks in a row; NFKC sorts a run of them in quadratic time."""
_COMPARISON_VERSION: Final = 3
"""Version of the form in which names are compared; part of the fingerprint."""

_BLANKS: Final = re.compile(f"[{WHITE_SPACE}]+")
_STARS: Final = re.compile(r"\*+")
_DESKTOP_SUFFIX: Final = ".desktop"
_REVERSE_DNS: Final = re.compile(r"[^\W\d][\w-]*(?:\.[^\W\d][\w-]*){2,}")
"""An id with three parts or more, such as `org.example.Notes`."""


class AppName(str):
    """The name of an app that is shown, with all others that its source knows of the app.

    It equals the `str` that it is; the rules also compare the other names, which are never
    published.

    Attributes:
        others: ids, classes, titles, desktop file, bus name and process of the app.
        is_confirmed: False where the rules may know the app by another name.

    """

    __slots__ = ("is_confirmed", "others")
    others: frozenset[str]
    is_confirmed: bool

    def __new__(cls, name: str, others: Iterable[str] = (), *, is_confirmed: bool = True) -> Self:
        """Return the name of an app."""
        new = super().__new__(cls, name)
        new.others = frozenset(others)
        new.is_confirmed = is_confirmed
        return new


@attrs.frozen(kw_only=True)
class Switches:
    """Selection of the collected metrics."""

    apps: bool = True  # the foreground app
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
        kind: `name` or `pattern`; or any rules hide the name: `marks`, because it has more than 100
            combining marks in a row and cannot be compared, `unconfirmed`, because it is not
            confirmed.
        text: the name or pattern, in the form for comparison; else empty.

    """

    kind: Literal["name", "pattern", "marks", "unconfirmed"]
    text: str = attrs.field(repr=False)


_TOO_MANY_MARKS: Final = Rule("marks", "")
_UNCONFIRMED: Final = Rule("unconfirmed", "")


@attrs.frozen
class Hidden:
    """The number of different names in a member that one rule hides; for music, of the player."""

    member: _Member
    rule: Rule
    count: int


@attrs.frozen
class Review:
    """Result of the rules on one snapshot (a dry run); its text has no hidden name and no rule."""

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
    return _normalized("names", names)


def _patterns(patterns: Iterable[str]) -> frozenset[str]:
    return frozenset(_STARS.sub("*", pattern) for pattern in _normalized("patterns", patterns))


def _normalized(option: str, names: object) -> frozenset[str]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        found = type(names).__name__
        raise TypeError(f"{option}: must be a collection of str, not {found}: pass [value]")
    listed = tuple(names)
    for name in listed:
        if not isinstance(name, str):
            raise TypeError(f"{option}: must contain str only, not {type(name).__name__}")
    return frozenset(filter(None, map(_normalize, listed)))


def _check_switches(_rules: object, _field: object, switches: object) -> None:
    if not isinstance(switches, Switches):
        remedy = ": pass Switches(**value)" if isinstance(switches, dict) else ""
        found = type(switches).__name__
        raise TypeError(f"switches: must be Switches, not {found}{remedy}")


_Key = tuple[str, str]
"""What is compared, and its text: `whole` name, `last` part of an id, or `part`: any later one."""


def _whole_and_parts(form: str) -> tuple[str, tuple[str, ...]]:
    """Return a name in the form for comparison without its suffix, and its parts or itself."""
    end = len(form)
    while form.endswith(_DESKTOP_SUFFIX, 1, end):
        end -= len(_DESKTOP_SUFFIX)
    half = end // 2
    if form[half : half + 1] == "_" and form[:half] == form[half + 1 : end]:
        end = half or end
    whole = form[:end]
    if "." in whole and _REVERSE_DNS.fullmatch(whole):
        return whole, tuple(whole.split(".")[1:])
    return whole, (whole,)


@attrs.frozen(kw_only=True)
class PrivacyRules:
    """Rules that select the private apps and the collected metrics; they compare by value.

    Attributes:
        names: apps that are private, in the form for comparison; a blank one has no effect.
        patterns: as `names`, where `*` matches any run of characters, also an empty one, and no
            other character is special.
        switches: which metrics are collected.

    Raises:
        TypeError: a value has another type; one string is not a collection of names.

    """

    names: frozenset[str] = attrs.field(default=frozenset(), converter=_names, repr=False)
    patterns: frozenset[str] = attrs.field(default=frozenset(), converter=_patterns, repr=False)
    switches: Switches = attrs.field(default=_ALL_ON, validator=_check_switches)
    _globs: tuple[tuple[str, ...], ...] = attrs.field(init=False, eq=False, repr=False)
    _by_key: Mapping[_Key, set[str]] = attrs.field(init=False, eq=False, repr=False)

    @_globs.default
    def _default_globs(self) -> tuple[tuple[str, ...], ...]:
        return tuple(map(split_glob, sorted(self.patterns)))

    @_by_key.default
    def _default_by_key(self) -> Mapping[_Key, set[str]]:
        found: dict[_Key, set[str]] = {}
        for name in self.names:
            whole, parts = _whole_and_parts(name)
            for key in (("whole", whole), ("last", parts[-1]), *(("part", each) for each in parts)):
                found.setdefault(key, set()).add(name)
        return found

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
        """Check in linear time whether an app with a name, or an `AppName`, is private."""
        return self.rule_for(name) is not None

    def rule_for(self, name: str) -> Rule | None:
        """Return the rule that hides an app of this name, or None; names come before patterns."""
        return next(self._matching(name), None)

    def unmatched(self, names: Iterable[str]) -> tuple[Rule, ...]:
        """Return the rules that hide none of these apps: names, then patterns, each in order."""
        matched = {rule for name in names for rule in self._matching(name)}
        rules = (
            *(Rule("name", name) for name in sorted(self.names)),
            *(Rule("pattern", "*".join(glob)) for glob in self._globs),
        )
        return tuple(rule for rule in rules if rule not in matched)

    def _matching(self, name: str) -> Iterator[Rule]:
        """Yield the rules that hide an app of this name."""
        if not self.names and not self.patterns:
            return
        app = name if isinstance(name, AppName) else AppName(name)
        known = (app, *app.others)
        forms = [_normalize(each) for each in known if _is_comparable(each)]
        if len(forms) < len(known):
            yield _TOO_MANY_MARKS
        matching: set[str] = set()
        compared: set[str] = set()
        for form in forms:
            whole, parts = _whole_and_parts(form)
            compared.update((form, whole, *parts))
            for key in (("last", parts[-1]), ("part", whole), *(("whole", each) for each in parts)):
                matching.update(self._by_key.get(key, ()))
        yield from (Rule("name", text) for text in sorted(matching))
        for glob in self._globs:
            if any(glob_matches(text, glob) for text in compared):
                yield Rule("pattern", "*".join(glob))
        if not app.is_confirmed:
            yield _UNCONFIRMED

    def public(self, snapshot: Snapshot, players: Iterable[str] = ()) -> Snapshot:
        """Return the public part of a snapshot: the same object when that is all of it.

        Args:
            snapshot: the snapshot with all names as their sources gave them, not shortened; those
                that are an `AppName` are compared with all names of their app.
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
        return Review(_without_others(shown), tuple(hidden), disabled)

    def _rules_of(self, names: Iterable[str | None], but: Container[str] = ()) -> dict[str, Rule]:
        """Return the hidden names in their order, each with the rule that hides it."""
        found: dict[str, Rule] = {}
        for name in names:
            if name is not None and name not in but:
                rule = self.rule_for(name)
                if rule is not None:
                    found[name] = rule
        return found


def _without_others(snapshot: Snapshot) -> Snapshot:
    """Return the snapshot with the shown names alone; the same object where it has no others."""
    names = (snapshot.active_app, *(snapshot.running_apps or ()))
    if not any(isinstance(name, AppName) for name in names):
        return snapshot
    front, running = snapshot.active_app, snapshot.running_apps
    return attrs.evolve(
        snapshot,
        active_app=None if front is None else str(front),
        running_apps=ABSENT if running is ABSENT else tuple(map(str, running)),
    )


def _without(names: Iterable[str], hidden: Container[str]) -> tuple[str, ...]:
    shown = {SENSITIVE_APP if name in hidden else name for name in names}
    return tuple(sorted(shown, key=lambda name: (name.casefold(), name)))
