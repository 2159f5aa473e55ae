"""Privacy rules: replace private app names by `System`, and disabled metrics by their null value.

Invariant *public part only*: in a snapshot that `PrivacyRules.public` returns, no app is one that
the rules hide, no music is that of a player whose names they hide, and every disabled member has
its null value.
Invariant *hide, then only, then replace*: an app that is hidden is never shown under a replacement;
where `only` has names, an app that neither it nor `replace` lists is hidden.
Invariant *order reveals nothing*: where a running app is hidden, all are sorted again and `System`
is listed once.
Invariant *idempotent*: a snapshot that is public already stays as it is.
Invariant *one form for comparison*: names are compared without default ignorables and control
characters, in NFKC, without case, runs of white space as one space, trimmed; a surrogate counts as
U+FFFD.  Names are compared as the source gave them, whatever their length.
Invariant *all names of an app*: an app is hidden by any of the names that its source knows
(`AppName`).  `.desktop` at the end counts for nothing, the id of a snap `x_x` is `x`, and an id
such as `org.example.Notes` is also each of its parts after the first: it equals a plain name that
is one of them, and another id with the same last part.
Invariant *no hidden name leaks*: no hidden name, no rule and no fingerprint is in the text of
rules, of a match or of an error.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from hashlib import sha256
from itertools import groupby
from typing import Any, Final, Literal, Self

import attrs

from devicestatus.agent.cleaning import COMPARED, clean_app_name
from devicestatus.limits import NAME_LENGTH
from devicestatus.models import SENSITIVE_APP, Battery, Music, Snapshot, System
from status_contracts.primitives import ABSENT, WHITE_SPACE, check_type, glob

__all__ = [
    "NO_BATTERY",
    "NO_MUSIC",
    "NO_SYSTEM",
    "AppName",
    "Match",
    "PrivacyRules",
    "Rule",
    "Switches",
]

_MAX_MARKS: Final = 100
"""Maximum of combining marks in a row; NFKC sorts a run of them in quadratic time."""

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

    """

    __slots__ = ("others",)
    others: frozenset[str]

    def __new__(cls, name: str, others: Iterable[str] = ()) -> Self:
        """Return the name of an app."""
        new = super().__new__(cls, name)
        new.others = frozenset(others)
        return new


@attrs.frozen(kw_only=True)
class Switches:
    """Selection of the collected metrics."""

    apps: bool = True  # the foreground app
    running_apps: bool = True
    music: bool = True
    battery: bool = True
    system: bool = True


NO_MUSIC: Final = Music("unavailable", None, None)
"""Music that is not known or not collected."""
NO_BATTERY: Final = Battery(None, None, "unknown")
"""A battery that is not known or not collected."""
NO_SYSTEM: Final = System(None, None, None)
"""Loads that are not known or not collected."""

_SWITCHED: Final[tuple[tuple[str, str, Any], ...]] = (
    ("apps", "active_app", None),
    ("running_apps", "running_apps", ABSENT),
    ("music", "music", NO_MUSIC),
    ("battery", "battery", NO_BATTERY),
    ("system", "system", NO_SYSTEM),
)
"""Switch, the member of a snapshot that it is for, and the null value of that member."""


@attrs.frozen
class Rule:
    """One rule of `PrivacyRules`.

    Attributes:
        kind: `name`, which hides, `only` or `replace`; or why any rules hide a name: `unlisted`,
            because `only` does not list it, `marks`, because it has more than 100 combining marks
            in a row and cannot be compared.
        text: the name or pattern, in the form for comparison; else empty.

    """

    kind: Literal["name", "only", "replace", "unlisted", "marks"]
    text: str = attrs.field(repr=False)


_TOO_MANY_MARKS: Final = Rule("marks", "")
_UNLISTED: Final = Rule("unlisted", "")


@attrs.frozen
class Match:
    """A name in a snapshot, and the rule that hides or replaces it, if there is one.

    For the member `music` these are the names of its player that hide it.
    """

    member: Literal["active_app", "running_apps", "music"]
    name: str = attrs.field(repr=False)
    rule: Rule | None


def _normalize(text: str) -> str:
    """Return the form for comparison; it is idempotent."""
    text = unicodedata.normalize("NFD", text.translate(COMPARED)).casefold()
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _BLANKS.sub(" ", text).strip(" ")


def _is_comparable(name: str) -> bool:
    """Check whether no run of combining marks is too long to be normalised in linear time."""
    if len(name) <= _MAX_MARKS:
        return True
    name = name.translate(COMPARED)
    marks = {
        character
        for character in set(name)
        if unicodedata.combining(unicodedata.normalize("NFKD", character)[0])
    }
    runs = (len(list(run)) for is_mark, run in groupby(name, marks.__contains__) if is_mark)
    return all(length <= _MAX_MARKS for length in runs)


def _names(names: Iterable[str]) -> frozenset[str]:
    return _normalized("names", names)


def _only(names: Iterable[str]) -> frozenset[str]:
    return _normalized("only", names)


def _replacements_of(replace: Mapping[str, str]) -> Mapping[str, str]:
    check_type("replace", replace, Mapping, 'pass {"name": "shown"}')
    _normalized("replace", [*replace, *replace.values()])
    if any(clean_app_name(text) != text for text in replace.values()):
        raise ValueError(
            f"replace: a replacement must have 1 to {NAME_LENGTH} characters, no control characters"
            " and no white space around it"
        )
    return {form: text for name, text in replace.items() for form in _normalized("replace", [name])}


def _normalized(option: str, names: Iterable[str]) -> frozenset[str]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        kind = type(names).__name__
        raise TypeError(f"{option}: must be a collection of str, not {kind}: pass [value]")
    listed = tuple(names)
    for name in listed:
        check_type(option, name, str, "it must contain text only")
    return frozenset(_STARS.sub("*", form) for form in filter(None, map(_normalize, listed)))


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


_Matches = Callable[[AbstractSet[_Key], AbstractSet[str]], bool]
"""Checks whether a rule matches an app, given its keys and its texts."""


def _matcher(rule: Rule) -> _Matches:
    if "*" in rule.text:
        pattern = glob(rule.text)
        return lambda _, texts: any(map(pattern.fullmatch, texts))
    whole, parts = _whole_and_parts(rule.text)
    own = {("whole", whole), ("last", parts[-1]), *(("part", part) for part in parts)}
    return lambda keys, _: not own.isdisjoint(keys)


@attrs.frozen(kw_only=True)
class PrivacyRules:
    """Rules that select the private apps and the collected metrics; they compare by value.

    Attributes:
        names: apps that are private, in the form for comparison; a blank one has no effect.  One
            with `*`, which matches any run of characters, also an empty one, is a pattern; no other
            character is special.
        only: as `names`; where it is not empty, all apps are private but those that it or `replace`
            lists.
        replace: name or pattern to the name that is shown in its place; names come before patterns,
            longer patterns before shorter ones.
        switches: which metrics are collected.

    Raises:
        TypeError: a value has another type; one string is not a collection of names.
        ValueError: a replacement is no name that can be shown, or one that the rules hide.

    """

    names: frozenset[str] = attrs.field(default=frozenset(), converter=_names, repr=False)
    only: frozenset[str] = attrs.field(default=frozenset(), converter=_only, repr=False)
    replace: Mapping[str, str] = attrs.field(
        factory=dict, converter=_replacements_of, repr=False, hash=False
    )
    switches: Switches = attrs.field(factory=Switches)
    _matchers: Mapping[Rule, _Matches] = attrs.field(init=False, eq=False, repr=False)

    @_matchers.default
    def _default_matchers(self) -> Mapping[Rule, _Matches]:
        names_first = sorted(self.names, key=lambda text: ("*" in text, text))
        longest_first = sorted(self.replace, key=lambda text: ("*" in text, -len(text), text))
        rules = (
            *(Rule("name", text) for text in names_first),
            *(Rule("only", text) for text in sorted(self.only)),
            *(Rule("replace", text) for text in longest_first),
        )
        return {rule: _matcher(rule) for rule in rules}

    def __attrs_post_init__(self) -> None:
        check_type("switches", self.switches, Switches, "pass Switches(music=False)")
        if any(map(self.hides, self.replace.values())):
            raise ValueError("replace: the rules hide a replacement")

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the rules, 64 hex digits: equal for equal rules, however they were written.

        A guess at the names can be verified with it, so it must not leave the device.
        """
        rules = {
            "names": sorted(self.names),
            "only": sorted(self.only),
            "replace": sorted(self.replace.items()),
            "switches": attrs.asdict(self.switches),
        }
        return sha256(json.dumps(rules, sort_keys=True).encode("ascii")).hexdigest()

    def hides(self, name: str) -> bool:
        """Check in linear time whether an app with a name, or an `AppName`, is private."""
        rule = self.rule_for(name)
        return rule is not None and rule.kind != "replace"

    def shown(self, name: str) -> str:
        """Return what is shown for an app: `System`, its replacement, or the name itself."""
        rule = self.rule_for(name)
        if rule is None:
            return name
        return self.replace[rule.text] if rule.kind == "replace" else SENSITIVE_APP

    def rule_for(self, name: str) -> Rule | None:
        """Return the rule that hides or replaces an app of this name, or None."""
        matching = self._matching(name)
        if matching and matching[0].kind in {"marks", "name"}:
            return matching[0]
        if name in self.replace.values():
            return None
        replacing = next((rule for rule in matching if rule.kind == "replace"), None)
        is_listed = bool(matching) or not self.only
        return replacing if is_listed else _UNLISTED

    def unmatched(self, names: Iterable[str]) -> tuple[Rule, ...]:
        """Return the rules of `names`, `only` and `replace` that match none of these apps."""
        matched = {rule for name in names for rule in self._matching(name)}
        return tuple(rule for rule in self._matchers if rule not in matched)

    def _matching(self, name: str) -> list[Rule]:
        """Return the rules that match an app of this name; those that hide it come first."""
        if not self._matchers:
            return []
        app = name if isinstance(name, AppName) else AppName(name)
        names = (app, *app.others)
        forms = [_normalize(form) for form in names if _is_comparable(form)]
        keys: set[_Key] = set()
        texts: set[str] = set()
        for form in forms:
            whole, parts = _whole_and_parts(form)
            texts.update((form, whole, *parts))
            keys.update((("last", parts[-1]), ("part", whole)), (("whole", part) for part in parts))
        matching = [rule for rule, matches in self._matchers.items() if matches(keys, texts)]
        return matching if len(forms) == len(names) else [_TOO_MANY_MARKS, *matching]

    def public(self, snapshot: Snapshot, players: Iterable[str] = ()) -> Snapshot:
        """Return the public part of a snapshot.

        Args:
            snapshot: the snapshot with all names as their sources gave them, not shortened; those
                that are an `AppName` are compared with all names of their app.
            players: names of the app whose music the snapshot has; if the rules hide one of them,
                they hide the music.

        """
        values = dict(self.disabled)
        matches = self.matches(snapshot, players)
        for member in ("active_app", "running_apps"):
            named = [match for match in matches if match.member == member]
            if not any(match.rule or isinstance(match.name, AppName) for match in named):
                continue
            shown = [str(self.shown(match.name) if match.rule else match.name) for match in named]
            if any(match.rule for match in named):
                shown = sorted(set(shown), key=lambda name: (name.casefold(), name))
            values[member] = tuple(shown) if member == "running_apps" else shown[0]
        if any(match.member == "music" for match in matches):
            values["music"] = NO_MUSIC
        return attrs.evolve(snapshot, **values)

    @property
    def disabled(self) -> Mapping[str, Any]:
        """Members of a snapshot that are not collected, and their null values."""
        return {name: null for on, name, null in _SWITCHED if not getattr(self.switches, on)}

    def matches(self, snapshot: Snapshot, players: Iterable[str] = ()) -> tuple[Match, ...]:
        """Return the rule for each name of the members that are collected, in their order.

        Args:
            snapshot: as for `public`.
            players: as for `public`; only names that hide the music are returned.

        """
        matches: list[Match] = []
        if self.switches.apps and snapshot.active_app is not None:
            matches.append(self._match("active_app", snapshot.active_app))
        if self.switches.running_apps:
            matches += (self._match("running_apps", name) for name in snapshot.running_apps or ())
        if self.switches.music and snapshot.music != NO_MUSIC:
            matches += self._hiding([Match("music", name, self.rule_for(name)) for name in players])
        return tuple(matches)

    def _match(self, member: Literal["active_app", "running_apps", "music"], name: str) -> Match:
        return Match(member, name, None if name == SENSITIVE_APP else self.rule_for(name))

    def _hiding(self, of_player: list[Match]) -> list[Match]:
        """Return the matches that hide the music of a player; one listed name lists the player."""
        if all(match.rule == _UNLISTED for match in of_player):
            return of_player[:1]
        return [
            match
            for match in of_player
            if match.rule is not None and match.rule.kind not in {"replace", "unlisted"}
        ]
