"""Secrets and identities inside a text: found, and replaced by one mark.

Source: health facts, section 18.1; rulings on the snapshot and on privacy.

A text is searched as it stands and as an eye would read it, with its escapes undone.

Invariant *only the secret part*: what is not condemned stays as it is, character by character.
Invariant *idempotent*: a text that was cleaned is clean.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

import attrs

from healthapi.sanitise import assignments as assigned
from healthapi.sanitise import shapes
from healthapi.sanitise.assignments import Withheld
from healthapi.sanitise.fold import Span, fold

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
    TextRule("text.flag", "the value of a condemned option: `--pin …`", assigned.flags, "-"),
    TextRule("text.element", "the text of a condemned XML element", assigned.elements, "<"),
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
    r"""[=@%\\{<&\x80-\U0010ffff]
      | [A-Za-z0-9_\]"'`]\s?: | [ ]is[ ] | (?<!\S)--?[A-Za-z] | -----
      | [0-9A-Za-z_+/-]{16}
      | (?:[0-9A-Fa-f]{2}[:._\ -]){5} | [0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.
      | [0-9A-Fa-f]{12}
      | (?i:bearer|basic|digest|negotiate|token|ntlm|dpop|oauth|hmac|api.?key)[\s:=]""",
    re.VERBOSE,
)
"""What every text has in which a rule could find anything."""
_QUERY: Final = re.compile(r"[?#]")
_SHORTEST: Final = 4
"""Characters: `k=v` is too short to keep a secret, and so is all that is shorter."""
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
    spans = list(_condemned(text, withheld))
    folded = fold(text)
    if folded is not None:
        spans += map(folded.span, _condemned(folded.text, withheld))
    pieces: list[str] = []
    done = 0
    for start, end in _merged(spans):
        pieces += (text[done:start], REMOVED)
        done = end
    return "".join((*pieces, text[done:]))


def _condemned(text: str, withheld: Withheld) -> Iterator[Span]:
    for rule in TEXT_RULES:
        if rule.sign in text:
            yield from rule.find(text, withheld)


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
