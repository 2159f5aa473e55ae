"""Classify member names: does the value contain a secret, an identity, or neither?

`name_rules` has the table, `classify` is the matching function.  Names are compared by their words:
`fitbitAccessToken2`, `FITBIT-ACCESS-TOKEN` and `fitbit%20access%20token` have the same, and so have
`apiKey`, `apikey` and `a_p_i_key`.

Invariant *whole words*: a word that only contains a secret one (`secretion`, `spinning`,
`footprint`) redacts no name, except for stems that no innocent word contains (`fitbittoken`).
Invariant *fails closed*: an ambiguous word (`session`, `pin`, `cookie`) is a secret, unless a word
of measurement is beside it (`session_minutes`).
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal

import attrs

from healthapi.redaction.name_rules import EARNING, KEY_KINDS, NAME_RULES, NameRule, word_set
from healthapi.redaction.normalize import needs_normalizing, normalize

_HEALTH: Final = word_set(
    "calories distance steps duration minutes hours pace workout exercise sport reps sets run swim"
    " walk yoga amount eaten sleep kcal"
)
"""Words in the member names of workouts and foods."""
PLACES: Final = word_set(
    "beach gym home indoor indoors outdoor outdoors park pool road track trail treadmill"
    " left right wrist"
)
"""Words of a `location` that is no address."""


_EXEMPT: Final = frozenset({"tokenscope", "tokenscopes"})
"""The list of granted scopes is published."""
_NEUTRAL: Final = KEY_KINDS | word_set(
    "a addr address confirm current data enter fitbit hash header http https id is key my name new"
    " number of old one proxy raw refresh scheme set text the time type value web x your"
)
"""Words that may be beside a secret one in a label of several words."""
_INNOCENT: Final = word_set(
    "auth authentication authenticator bearer cookie cookies pass pat pin secret secrets session"
    " sessions signature sso ticket token tokens"
)
"""Words of prose that need not be about a secret."""
_ARTICLES: Final = word_set("a my new old one the your")

_PICTURES: Final = word_set(
    "avatar avatars gravatar photo photos picture pictures portrait profileimage userimage"
)
_REGIONS: Final = word_set("state province region county")
LABELS: Final = word_set(
    "attr attribute column columns field fieldname fields header headername headers id k key keys"
    " kind label labels n name names option param parameter paramname property title type var"
    " variable"
)
CONTENTS: Final = word_set(
    "answer content contents data default input payload raw row rows string text v val value values"
)
_CONTENT_ENDS: Final = ("value", "values")
"""How the names of contents end, as in `stringValue`."""

MAX_LABEL: Final = 256
"""Characters of a text that may be a name."""

_SPLIT: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]++|[0-9]++|[^\W\d_A-Za-z]++")
_TOKENIZER: Final = re.compile(r"tokeni[sz](?!e?secret)[a-z]*+")
_NO_LABEL: Final = re.compile(r"[/=?&{}<>\"\\]|\[removed\]")
"""Parts of a text that is no name.  A mark is one, so that cleaning is idempotent."""
_AROUND: Final = " \t\r\n\"'`:=?*"
"""What may be around a name."""
_MAX_PHRASE: Final = 5
"""Words that are taken together, at most; `P.I.N code` has four."""
_LONG: Final = 8
"""Letters of a stem that does not occur by chance, within a word or where two meet."""
_SHORT: Final = 64
"""Characters of a name whose meaning is cached."""
_ESCAPED: Final = 3
"""How often a name may be escaped: for JSON, for a URL, for a page."""


Role = Literal["picture", "region", "label", "content"]
"""What the value is: a picture of the person, a region (a part of an address), the name of what is
beside it, or the content that the name beside it describes."""


@attrs.frozen
class Meaning:
    """The meaning of a name: the rule by which it redacts its value, and its role."""

    rule: NameRule | None = None
    role: Role | None = None


ORDINARY: Final = Meaning()
"""The meaning of a name without rule and role."""


def classify(name: str) -> Meaning:
    """Return what the name of a member means."""
    if is_ordinary(name):
        return ORDINARY
    return _cached(name) if len(name) <= _SHORT else _classified(name)


def is_ordinary(name: str) -> bool:
    """Check fast whether a plain name means nothing."""
    letters = _letters(name)
    is_known = letters in _ROLES or _IN_NAMES.search(letters) is not None
    return not is_known and not needs_normalizing(name)


def may_contain_name(text: str) -> bool:
    """Check fast whether a normal text may contain a name that redacts its value."""
    if _IN_TEXTS.search(_letters(text)):
        return True
    return not text.isascii() and _FOREIGN.search(text) is not None


def classify_label(label: str) -> NameRule | None:
    """Return the rule for a text that may be a name: `Set-Cookie`, but not `Secret Garden`.

    All of several words have to belong to the name of the secret.
    """
    if len(label) > MAX_LABEL or is_ordinary(label):
        return None
    label = _decoded(label).strip(_AROUND)
    if _NO_LABEL.search(label):
        return None
    rule = classify(label).rule
    if rule is None or len(label.split()) == 1:
        return rule
    words = _words_of(label)
    covered = {place for start, end, _ in _phrases(words) for place in range(start, end)}
    rest = (word for place, word in enumerate(words) if place not in covered)
    return rule if all(word in _NEUTRAL or word.isdecimal() for word in rest) else None


def may_be_innocent(label: str) -> bool:
    """Check whether a redacted name may, in a text, be words of prose: `Session 3`."""
    words = [word for word in label.lower().split() if not word.isdecimal()]
    return words[-1:] != [] and words[-1] in _INNOCENT and _ARTICLES.issuperset(words[:-1])


def has_health_word(name: str) -> bool:
    """Check whether the name of a member is one that workouts and foods have."""
    return len(name) <= _SHORT and not _HEALTH.isdisjoint(_words_of(name))


def _letters(text: str) -> bytes:
    """Return the plain letters of a text in lower case, without anything between them."""
    return text.encode("ascii", "ignore").translate(_LOWER, _NO_LETTERS)


_LOWER: Final = bytes(range(128)).lower().ljust(256)
_NO_LETTERS: Final = bytes(code for code in range(128) if not chr(code).isalpha())


def _classified(name: str) -> Meaning:
    words = _words_of(name)
    joined = _joined(words)
    spaced = f" {' '.join(words)} "
    places = {place for *_, place in _phrases(words)}
    places.update(place for stem, place in _STEMS if stem in spaced)
    places.update(place for stem, place in _RULE_STEMS if len(stem) >= _LONG and stem in joined)
    rules = (NAME_RULES[place] for place in sorted(places))
    rule = next((rule for rule in rules if not _is_allowed(rule, words)), None)
    if joined in _EXEMPT:
        rule = None
    role = _role_of(joined, words)
    return Meaning(rule, role) if rule or role else ORDINARY


def _joined(words: list[str]) -> str:
    return "".join(word for word in words if not word.isdecimal())


def _role_of(joined: str, words: list[str]) -> Role | None:
    if not _PICTURES.isdisjoint((joined, *words)):
        return "picture"
    if joined in _REGIONS:
        return "region"
    if joined in LABELS:
        return "label"
    is_content = joined in CONTENTS or joined.endswith(_CONTENT_ENDS) or words[-1:] == ["val"]
    return "content" if is_content else None


_cached: Final = lru_cache(maxsize=4096)(_classified)


def _is_allowed(rule: NameRule, words: list[str]) -> bool:
    """Check whether words in a name exclude a rule; for a token, all other words have to."""
    if rule.beside is not EARNING:
        return not rule.beside.isdisjoint(words)
    others = set(words) - {"token", "tokens"}
    return bool(others) and rule.beside.issuperset(others)


def _words_of(name: str) -> list[str]:
    words = [word.lower() for word in _SPLIT.findall(_decoded(name))]
    if len(words) > _MAX_PHRASE and all(len(word) == 1 for word in words):
        return ["".join(words)]  # s p a c e d
    return [word for word in words if not _TOKENIZER.fullmatch(word)]


def _decoded(name: str) -> str:
    """Return a name without escapes, in plain letters."""
    for _ in range(_ESCAPED):
        normal = normalize(name)
        if normal is None:
            break
        name = normal.text
    return name


def _phrases(words: list[str]) -> Iterator[tuple[int, int, int]]:
    """Yield where redacting phrases start and end, and the places of their rules."""
    for start in range(len(words)):
        phrase = ""
        for end in range(start, min(start + _MAX_PHRASE, len(words))):
            phrase += words[end]
            if phrase in _PLACE_OF_PHRASE:
                yield start, end + 1, _PLACE_OF_PHRASE[phrase]
    whole = f"={_joined(words)}"
    if whole in _PLACE_OF_PHRASE:
        yield 0, len(words), _PLACE_OF_PHRASE[whole]


_PLACE_OF_PHRASE: Final = {
    phrase.replace(" ", ""): place
    for place, rule in reversed(tuple(enumerate(NAME_RULES)))
    for phrase in rule.phrases
}
_RULE_STEMS: Final = tuple(
    (stem if stem.isascii() else " ".join(_words_of(stem)), place)
    for place, rule in enumerate(NAME_RULES)
    for stem in rule.stems
)
_STEMS: Final = _RULE_STEMS + tuple(
    (phrase, place)
    for phrase, place in _PLACE_OF_PHRASE.items()
    if len(phrase) >= _LONG and "=" not in phrase
    if NAME_RULES[place].is_secret and not NAME_RULES[place].soft
)
"""Stems, and phrases of secrets that some write as a part of one word."""


def _any_of(texts: set[str]) -> re.Pattern[bytes]:
    """Return a pattern that finds any of the texts, as a tree of two levels for speed."""
    letters = {re.sub("[^a-z]", "", text) for text in texts if text.isascii()}
    least = {word for word in letters if not any(o in word for o in letters if o != word)}
    starts = sorted({word[0] for word in least})
    ends = ("|".join(sorted(word[1:] for word in least if word[0] == start)) for start in starts)
    tree = "|".join(f"{start}(?:{end})" for start, end in zip(starts, ends, strict=True))
    return re.compile(tree.encode())


_REDACTING: Final = {*_PLACE_OF_PHRASE, *(stem for stem, _ in _RULE_STEMS)}
_SCHEMES: Final = word_set("basic digest negotiate ntlm hawk ssws sha")
"""Words in the names of authentication schemes, that redact no member."""
_IN_TEXTS: Final = _any_of(_REDACTING | _SCHEMES)
_IN_NAMES: Final = _any_of({*_REDACTING, *_PICTURES, *_CONTENT_ENDS, "val"})
_FOREIGN: Final = re.compile(
    "|".join(name[0] for name in sorted(_REDACTING) if not name.isascii()), re.IGNORECASE
)
_ROLES: Final = frozenset(name.encode() for name in (*_REGIONS, *LABELS, *CONTENTS))
