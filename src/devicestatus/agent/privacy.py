"""Privacy rules: replace private app names by `System`, and disabled metrics by their null value.

Invariant *public part only*: in a snapshot that `PrivacyRules.public` returns, no app is one that
the rules hide, no music is that of a player whose names they hide, and every disabled member has
its null value.
Invariant *hide, then only, then replace*: an app that is hidden is never shown under a replacement;
where `only` has names, an app that neither it nor `replace` lists is hidden.
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
DS-PRIVACY-07, DS-PRIVACY-09.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from typing import Any, Final, Literal, Self

import attrs

from devicestatus.agent.cleaning import clean_app_name
from devicestatus.limits import NAME_LENGTH
from devicestatus.models import SENSITIVE_APP, Battery, Music, Snapshot, System
from purewire.primitives import ABSENT, DEFAULT_IGNORABLE, WHITE_SPACE, glob_matches, split_glob

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
    apps_when_locked: bool = False  # while the screen is locked, apps are collected too


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
        kind: `name` or `pattern`, which hide; `only` and `replace`; or why any rules hide a name:
            `unlisted`, because `only` does not list it, `marks`, because it has more than 100
            combining marks in a row and cannot be compared, `unconfirmed`, because it is not
            confirmed.
        text: the name or pattern, in the form for comparison; else empty.

    """

    kind: Literal["name", "pattern", "only", "replace", "unlisted", "marks", "unconfirmed"]
    text: str = attrs.field(repr=False)


_TOO_MANY_MARKS: Final = Rule("marks", "")
_UNCONFIRMED: Final = Rule("unconfirmed", "")
_UNLISTED: Final = Rule("unlisted", "")


@attrs.frozen
class Hidden:
    """The number of different names in a member that one rule hides or replaces.

    For music these are names of its player.
    """

    member: _Member
    rule: Rule
    count: int


@attrs.frozen
class Review:
    """Result of the rules on one snapshot (a dry run); its text has no hidden name and no rule.

    Attributes:
        is_locked: whether no apps were read because the screen is locked.

    """

    public: Snapshot
    hidden: tuple[Hidden, ...]
    disabled: tuple[str, ...]
    is_locked: bool = False


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
        character
        for character in set(name)
        if unicodedata.combining(unicodedata.normalize("NFKD", character)[0])
    }
    run = 0
    for character in name if marks else ():
        run = run + 1 if character in marks else 0
        if run > _MAX_MARKS:
            return False
    return True


def _names(names: Iterable[str]) -> frozenset[str]:
    return _normalized("names", names)


def _patterns(patterns: Iterable[str]) -> frozenset[str]:
    return _shortened(_normalized("patterns", patterns))


def _only(names: Iterable[str]) -> frozenset[str]:
    return _shortened(_normalized("only", names))


def _shortened(patterns: Iterable[str]) -> frozenset[str]:
    return frozenset(_STARS.sub("*", pattern) for pattern in patterns)


def _replacements_of(replace: object) -> Mapping[str, str]:
    if not isinstance(replace, Mapping):
        raise TypeError(f"replace: must be a mapping, not {type(replace).__name__}")
    forms = [_shortened(_normalized("replace", [name])) for name in replace]
    texts = tuple(replace.values())
    _normalized("replace", texts)
    if any(clean_app_name(text) != text for text in texts):
        raise ValueError(
            f"replace: a replacement must have 1 to {NAME_LENGTH} characters, no control characters"
            " and no white space around it"
        )
    return {
        form: text
        for names_of_form, text in zip(forms, texts, strict=True)
        for form in names_of_form
    }


def _normalized(option: str, names: object) -> frozenset[str]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        kind = type(names).__name__
        raise TypeError(f"{option}: must be a collection of str, not {kind}: pass [value]")
    listed = tuple(names)
    for name in listed:
        if not isinstance(name, str):
            raise TypeError(f"{option}: must contain str only, not {type(name).__name__}")
    return frozenset(filter(None, map(_normalize, listed)))


def _check_switches(_rules: object, _field: object, switches: object) -> None:
    if not isinstance(switches, Switches):
        remedy = ": pass Switches(**value)" if isinstance(switches, dict) else ""
        kind = type(switches).__name__
        raise TypeError(f"switches: must be Switches, not {kind}{remedy}")


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


@attrs.frozen
class _Known:
    """Keys of the names of an app, and their texts for patterns."""

    keys: frozenset[_Key]
    texts: frozenset[str]
    is_whole: bool  # False where a name cannot be compared

    @classmethod
    def of(cls, app: AppName) -> Self:
        """Return what is compared of all names of an app."""
        names = (app, *app.others)
        forms = [_normalize(form) for form in names if _is_comparable(form)]
        keys: set[_Key] = set()
        texts: set[str] = set()
        for form in forms:
            whole, parts = _whole_and_parts(form)
            texts.update((form, whole, *parts))
            keys.update(
                (("last", parts[-1]), ("part", whole), *(("whole", part) for part in parts))
            )
        return cls(frozenset(keys), frozenset(texts), len(forms) == len(names))


@attrs.frozen
class _Matcher:
    """Names and patterns to compare apps with."""

    by_key: Mapping[_Key, set[str]]
    globs: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, names: Iterable[str], patterns: Iterable[str]) -> Self:
        """Return a matcher of names and patterns in the form for comparison."""
        by_key: dict[_Key, set[str]] = {}
        for name in names:
            whole, parts = _whole_and_parts(name)
            for key in (("whole", whole), ("last", parts[-1]), *(("part", part) for part in parts)):
                by_key.setdefault(key, set()).add(name)
        return cls(by_key, tuple(map(split_glob, sorted(patterns))))

    @classmethod
    def of_both(cls, listed: Iterable[str]) -> Self:
        """Return a matcher of texts of which those with `*` are patterns."""
        patterns = {name for name in listed if "*" in name}
        return cls.of(set(listed) - patterns, patterns)

    def matching(self, known: _Known) -> tuple[list[str], list[str]]:
        """Return the names and the patterns that match an app, each in order."""
        names = {name for key in known.keys for name in self.by_key.get(key, ())}
        matching = (g for g in self.globs if any(glob_matches(text, g) for text in known.texts))
        return sorted(names), ["*".join(glob) for glob in matching]


@attrs.frozen(kw_only=True)
class PrivacyRules:
    """Rules that select the private apps and the collected metrics; they compare by value.

    Attributes:
        names: apps that are private, in the form for comparison; a blank one has no effect.
        patterns: as `names`, where `*` matches any run of characters, also an empty one, and no
            other character is special.
        only: where it is not empty, all apps are private but those that it or `replace` lists; a
            text with `*` is a pattern.
        replace: name or pattern to the name that is shown in its place; names come before patterns,
            longer patterns before shorter ones.
        switches: which metrics are collected.

    Raises:
        TypeError: a value has another type; one string is not a collection of names.
        ValueError: a replacement is no name that can be shown, or one that the rules hide.

    """

    names: frozenset[str] = attrs.field(default=frozenset(), converter=_names, repr=False)
    patterns: frozenset[str] = attrs.field(default=frozenset(), converter=_patterns, repr=False)
    only: frozenset[str] = attrs.field(default=frozenset(), converter=_only, repr=False)
    replace: Mapping[str, str] = attrs.field(
        factory=dict, converter=_replacements_of, repr=False, hash=False
    )
    switches: Switches = attrs.field(default=_ALL_ON, validator=_check_switches)
    _hidden: _Matcher = attrs.field(init=False, eq=False, repr=False)
    _listed: _Matcher = attrs.field(init=False, eq=False, repr=False)
    _replaced: _Matcher = attrs.field(init=False, eq=False, repr=False)

    @_hidden.default
    def _default_hidden(self) -> _Matcher:
        return _Matcher.of(self.names, self.patterns)

    @_listed.default
    def _default_listed(self) -> _Matcher:
        return _Matcher.of_both(self.only)

    @_replaced.default
    def _default_replaced(self) -> _Matcher:
        return _Matcher.of_both(self.replace)

    def __attrs_post_init__(self) -> None:
        if any(map(self.hides, self.replace.values())):
            raise ValueError("replace: the rules hide a replacement")

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the rules, 64 hex digits: equal for equal rules, however they were written.

        A guess at the names can be verified with it, so it must not leave the device.
        """
        rules = {
            "names": sorted(self.names),
            "patterns": sorted(self.patterns),
            "switches": attrs.asdict(self.switches, filter=_is_on_unless_added),
            "comparison": _COMPARISON_VERSION,
        }
        # Left out where they are unset: rules from before they were added keep their fingerprint.
        added = {"only": sorted(self.only), "replace": sorted(self.replace.items())}
        rules.update((name, value) for name, value in added.items() if value)
        return sha256(json.dumps(rules, sort_keys=True).encode("ascii")).hexdigest()

    @property
    def has_names(self) -> bool:
        """Check whether a rule names apps; without one all are shown as they are."""
        return bool(self.names or self.patterns or self.only or self.replace)

    def hides(self, name: str) -> bool:
        """Check in linear time whether an app with a name, or an `AppName`, is private."""
        return self.rule_for(name) is not None

    def shown(self, name: str) -> str:
        """Return what is shown for an app: `System`, its replacement, or the name itself."""
        if self.hides(name):
            return SENSITIVE_APP
        rule = self._replacing(name)
        return name if rule is None else self.replace[rule.text]

    def rule_for(self, name: str) -> Rule | None:
        """Return the rule that hides an app of this name, or None; names come before patterns."""
        rule = next(self._hiding(name), None)
        return _UNLISTED if rule is None and not self._is_listed(name) else rule

    def unmatched(self, names: Iterable[str]) -> tuple[Rule, ...]:
        """Return the rules that match none of these apps, each kind in order.

        The kinds are `name`, `pattern`, `only` and `replace`.
        """
        matched = {rule for name in names for rule in self._matching(name)}
        rules = (
            *(Rule("name", text) for text in sorted(self.names)),
            *(Rule("pattern", text) for text in sorted(self.patterns)),
            *(Rule("only", text) for text in sorted(self.only)),
            *(Rule("replace", text) for text in sorted(self.replace)),
        )
        return tuple(rule for rule in rules if rule not in matched)

    def _matching(self, name: str) -> Iterator[Rule]:
        """Yield the rules that match an app of this name, whatever others do with it."""
        yield from self._hiding(name)
        known = _Known.of(_app(name))
        for kind, matcher in (("only", self._listed), ("replace", self._replaced)):
            names, patterns = matcher.matching(known)
            for text in (*names, *patterns):
                yield Rule("only" if kind == "only" else "replace", text)

    def _hiding(self, name: str) -> Iterator[Rule]:
        """Yield the rules that hide an app of this name, except that it is not listed."""
        if not self.has_names:
            return
        app = _app(name)
        known = _Known.of(app)
        if not known.is_whole:
            yield _TOO_MANY_MARKS
        names, patterns = self._hidden.matching(known)
        yield from (Rule("name", text) for text in names)
        yield from (Rule("pattern", text) for text in patterns)
        if not app.is_confirmed:
            yield _UNCONFIRMED

    def _is_listed(self, name: str) -> bool:
        """Check whether `only` allows an app of this name, or has no names."""
        if not self.only or name in self.replace.values() or self._replacing(name) is not None:
            return True
        return any(self._listed.matching(_Known.of(_app(name))))

    def _replacing(self, name: str) -> Rule | None:
        """Return the rule that replaces a name; a replacement stays as it is."""
        if not self.replace or name in self.replace.values():
            return None
        names, patterns = self._replaced.matching(_Known.of(_app(name)))
        best = next(iter(names), None) or max(patterns, key=len, default=None)
        return None if best is None else Rule("replace", best)

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
        front = snapshot.active_app
        in_front = self._rules_of([] if front is None else [front])
        in_list = self._rules_of(running)
        of_music = {} if snapshot.music == _NO_MUSIC else self._rules_of_players(tuple(players))
        shown = None if front is None else self._public_name(front)
        checks: list[tuple[_Member, Any, Mapping[str, Rule]]] = [
            ("active_app", shown, in_front),
            ("running_apps", _sorted(map(self._public_name, running)), in_list),
            ("music", _NO_MUSIC, of_music),
        ]
        hidden: list[Hidden] = []
        for member, replacement, rules in checks:
            if rules and member not in disabled:
                values[member] = replacement
                counts = Counter(rules.values())
                hidden += (Hidden(member, rule, count) for rule, count in counts.items())
        changed = {name: new for name, new in values.items() if getattr(snapshot, name) != new}
        public = attrs.evolve(snapshot, **changed) if changed else snapshot
        return Review(_without_others(public), tuple(hidden), disabled)

    def _public_name(self, name: str) -> str:
        return name if name == SENSITIVE_APP else self.shown(name)

    def _rules_of(self, names: Iterable[str]) -> dict[str, Rule]:
        """Return the hidden and replaced names in their order, each with the rule for it."""
        rules: dict[str, Rule] = {}
        for name in names:
            rule = None if name == SENSITIVE_APP else self.rule_for(name) or self._replacing(name)
            if rule is not None:
                rules[name] = rule
        return rules

    def _rules_of_players(self, names: tuple[str, ...]) -> dict[str, Rule]:
        """Return the names of one player that hide its music; one listed name lists the player."""
        hiding = {name: next(self._hiding(name), None) for name in names}
        rules = {name: rule for name, rule in hiding.items() if rule is not None}
        if rules or not names or any(map(self._is_listed, names)):
            return rules
        return {names[0]: _UNLISTED}


def _is_on_unless_added(switch: "attrs.Attribute[bool]", value: object) -> bool:
    return value is True or switch.default is True


def _app(name: str) -> AppName:
    return name if isinstance(name, AppName) else AppName(name)


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


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(names), key=lambda name: (name.casefold(), name)))
