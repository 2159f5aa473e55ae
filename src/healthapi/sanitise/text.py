"""Secrets and identities inside a text: found, and replaced by one mark.

Source: health facts, section 18.1; rulings on the snapshot and on privacy.

A text is searched as it stands and as an eye would read it, with its escapes undone; so is what it
holds in base64.

Invariant *only the secret part*: what is not condemned stays as it is, character by character.
Invariant *idempotent*: a text that was cleaned is clean.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

import attrs

from healthapi.sanitise import assignments as assigned
from healthapi.sanitise import pairs, shapes
from healthapi.sanitise.assignments import Withheld
from healthapi.sanitise.fold import Folded, Span, fold

__all__ = ["REMOVED", "TEXT_RULES", "TextRule", "redacted", "without_parameters"]

REMOVED: Final = "[removed]"
"""What stands where something was removed."""


@attrs.frozen
class TextRule:
    """One reason to replace a part of a text.

    Attributes:
        id: stable id of the rule.
        about: the rule in words.
        find: gives the parts to replace.
        sign: what has to be in a text for the rule to find anything.

    """

    id: str
    about: str
    find: Callable[[str, Withheld], Iterator[Span]]
    sign: str = ""


def _shape(find: Callable[[str], Iterator[Span]]) -> Callable[[str, Withheld], Iterator[Span]]:
    return lambda text, _: find(text)


TEXT_RULES: Final[tuple[TextRule, ...]] = (
    TextRule("text.pem", "a key or certificate as PEM", _shape(shapes.pem_blocks), "-----BEGIN"),
    TextRule("text.jwt", "a JSON web token", _shape(shapes.jwts), "eyJ"),
    TextRule(
        "text.provider",
        "a token that begins as those of a well-known provider do",
        _shape(shapes.provider_tokens),
    ),
    TextRule(
        "text.scheme",
        "what stands behind Bearer, Basic or another authentication scheme",
        _shape(shapes.scheme_credentials),
    ),
    TextRule(
        "text.random",
        "32 and more characters in a row that are no words, no number, no date and no UUID",
        _shape(shapes.opaque_runs),
    ),
    TextRule(
        "text.assignment",
        'the value of a condemned name: `token=…`, `"password": …`, `Cookie: …`',
        assigned.assignments,
    ),
    TextRule(
        "text.neighbour",
        "what stands behind a condemned name and is no word: `login x password …`",
        assigned.neighbours,
    ),
    TextRule("text.flag", "the value of a condemned option: `--pin …`", pairs.flags, "-"),
    TextRule(
        "text.item",
        'what is listed behind a condemned name, both in quotes: `("token", "…")`',
        pairs.items,
    ),
    TextRule(
        "text.attribute",
        'the value beside a condemned name: `name="token" value="…"`',
        pairs.attributes,
    ),
    TextRule(
        "text.part",
        "the value of a condemned part of a form in several parts",
        pairs.parts,
        'name="',
    ),
    TextRule(
        "text.element",
        "the content of a condemned XML element, or of one beside a condemned name",
        pairs.elements,
        "<",
    ),
    TextRule(
        "text.segment",
        "the segment of a URL behind a condemned one: `/reset-password/…`, `/user/…`",
        pairs.segments,
        "/",
    ),
    TextRule(
        "text.parameter",
        "the value of a URL parameter that signs or opens: `key`, `code`, `sig`, `state`",
        _shape(assigned.parameters),
        "=",
    ),
    TextRule(
        "text.userinfo",
        "the user name and password before the host of a URL",
        _shape(shapes.userinfos),
        "@",
    ),
    TextRule(
        "text.email",
        "an e-mail address, unless disclosed",
        lambda text, withheld: shapes.emails(text) if withheld("identity.email") else iter(()),
        "@",
    ),
    TextRule(
        "text.hardware-address",
        "the address of a network device",
        _shape(shapes.hardware_addresses),
    ),
)
"""The rules by which a part of a text is replaced."""

_INSTANT: Final = re.compile(
    r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2})?T?(?:[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)?"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2})?"
)
"""A day, a time or both, as most texts of health data are."""
_SUSPECT: Final = re.compile(
    r"""[=@%\\{<&\x80-\U0010ffff\x00-\x08\x0e-\x1f\x7f]
      | [A-Za-z0-9_.)*\]"'`]\s*+: | [ ]is[ ] | \s\|\s | -> | (?<!\S)--?[A-Za-z] | -----
      | ["'`]\s*+[,;] | /[\w.~-]++/[^\s/] | \s(?=[^\s0-9]*+[0-9])\S{6}
      | [0-9A-Za-z_+/-]{11}
      | (?:[0-9A-Fa-f]{2}[:._\ -]){5} | [0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.
      | (?i:bearer|basic|digest|negotiate|token|ntlm|dpop|oauth|hmac|.key|ssws)[\s:=]""",
    re.VERBOSE,
)
"""What every text has in which a rule could find anything."""
_QUERY: Final = re.compile(r"[?#]")
_SHORTEST: Final = 4
"""Characters: `k=v` is too short to keep a secret, and so is all that is shorter."""
_FOLDS: Final = 2
"""How often the escapes of a text are undone."""
_DECODINGS: Final = 2
"""How often base64 may be decoded; what is more is condemned unread."""
_PASSES: Final = 4
"""How often a text is gone over, until nothing more is found; two do for all but hostile ones."""


def redacted(text: str, withheld: Withheld) -> str:
    """Give a text with a mark in place of each part that a rule condemns."""
    if _is_harmless(text):
        return text
    for _ in range(_PASSES):
        cleaned = _gone_over(text, withheld)
        if cleaned == text:
            return text
        text = cleaned
    return REMOVED


def _is_harmless(text: str) -> bool:
    """Tell at little cost that no rule finds anything in a text."""
    if len(text) < _SHORTEST:
        return True
    return _INSTANT.fullmatch(text) is not None or _SUSPECT.search(text) is None


def without_parameters(url: str) -> str:
    """Give a URL without credentials, query and fragment; other text as it is."""
    if "/" not in url:
        return url
    scheme, slashes, rest = _QUERY.split(url, maxsplit=1)[0].partition("//")
    host, slash, path = rest.partition("/")
    return f"{scheme}{slashes}{host.rpartition('@')[2]}{slash}{path}"


def _gone_over(text: str, withheld: Withheld) -> str:
    pieces: list[str] = []
    done = 0
    for start, end in _merged(list(_condemned(text, withheld, _DECODINGS))):
        pieces += (text[done:start], REMOVED)
        done = end
    return "".join((*pieces, text[done:]))


def _condemned(text: str, withheld: Withheld, decodings: int) -> Iterator[Span]:
    """Find what is condemned in a text, however it is read."""
    for reading, folds in _readings(text):
        for span in _condemned_as_it_stands(reading, withheld, decodings):
            yield _traced(span, folds)


def _readings(text: str) -> Iterator[tuple[str, tuple[Folded, ...]]]:
    """Give a text as it stands, and with its escapes undone; each with the folds that it took."""
    folds: tuple[Folded, ...] = ()
    yield text, folds
    while len(folds) < _FOLDS and (folded := fold(text)) is not None:
        folds = (*folds, folded)
        text = folded.text
        yield text, folds


def _traced(span: Span, folds: tuple[Folded, ...]) -> Span:
    """Give where what was found stands in the text that was folded so often."""
    for folded in reversed(folds):
        span = folded.span(span)
    return span


def _condemned_as_it_stands(text: str, withheld: Withheld, decodings: int) -> Iterator[Span]:
    for rule in TEXT_RULES:
        if rule.sign in text:
            yield from rule.find(text, withheld)
    for start, end, plain in shapes.decoded(text):
        if not decodings or any(_condemned(plain, withheld, decodings - 1)):
            yield start, end


def _merged(spans: list[Span]) -> Iterator[Span]:
    """Give spans in order, those that touch as one."""
    last: Span | None = None
    for start, end in sorted(spans):
        if last is None:
            last = start, end
        elif start <= last[1]:
            last = last[0], max(last[1], end)
        else:
            yield last
            last = start, end
    if last is not None:
        yield last
