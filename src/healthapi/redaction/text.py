"""Replace the secrets and identities in a text by a mark.

A text is searched as given and in its normal form, and so is the text that its base64 encodes.

Invariant *only the secret part*: what is not redacted stays as it is, character by character.
Invariant *idempotent*: redacting a redacted text changes nothing.
"""

import re
from collections.abc import Iterator
from typing import Final

from healthapi.redaction.named_values import RuleFilter, find_named_values
from healthapi.redaction.names import may_contain_name
from healthapi.redaction.normalize import (
    Normal,
    Span,
    expanded_length,
    needs_normalizing,
    normalize,
)
from healthapi.redaction.shapes import encoded_texts, find_shapes

REMOVED: Final = "[removed]"
"""What replaces a removed part."""

_MAX_SEARCHED: Final = 400_000
"""Characters of suspect texts that are searched for names in one value; the others are removed.

They are counted in every form in which they are searched: as given, normal, decoded.
"""
_SPAN_COST: Final = 4
"""Characters that a removed part counts in addition."""
_MAX_TEXTS: Final = 30_000
"""Suspect texts that are searched in one value; the others are removed."""
_INSTANT: Final = re.compile(
    r"[0-9]{1,20}|(?:[0-9]{4}-[0-9]{2}-[0-9]{2})?T?(?:[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)?"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2})?"
)
"""A number, a day, a time or both, as most texts of health data are."""
_IDENTIFIER: Final = re.compile(
    r"[A-Za-z]?[a-z]{1,10}[0-9]{0,4}(?:_(?:[a-z]{1,11}|[0-9]{1,9})){0,3}"
)
_SUSPECT: Final = (
    re.compile(r"@|=|//|--|eyJ|ya29\.|SG\.|kty|/user|/User|/USER| -[Uup]| --|^-[uU]"),
    re.compile(r"[A-Za-z0-9_+/-]{11}"),
    re.compile(r"[:._ -](?:[0-9A-Fa-f]{2}[:._ -]){4}|\.[0-9A-Fa-f]{4}\."),
)
"""Of these, or of the names, every text has one in which a shape could be found."""
_QUERY: Final = re.compile(r"[?#]")
_MIN_LENGTH: Final = 4
"""Characters: `k=v` is too short for a secret, and so is all that is shorter."""
_NORMALIZATIONS: Final = 2
"""How often the escapes of a text are undone."""
_DECODINGS: Final = 2
"""How often base64 may be decoded; what is encoded more often is removed unread."""
_PASSES: Final = 4
"""How often a text is searched until nothing more is found; two do for all but hostile ones."""


def without_parameters(url: str) -> str:
    """Return a URL without credentials, query and fragment; other text as it is."""
    if "/" not in url:
        return url
    scheme, slashes, rest = _QUERY.split(url, maxsplit=1)[0].partition("//")
    host, slash, path = rest.partition("/")
    return f"{scheme}{slashes}{host.rpartition('@')[2]}{slash}{path}"


def is_plain(text: str) -> bool:
    """Check fast whether a text is a time, an identifier, or too short for a secret."""
    if len(text) < _MIN_LENGTH:
        return True
    return (_IDENTIFIER.fullmatch(text) or _INSTANT.fullmatch(text)) is not None


def _is_harmless(text: str) -> bool:
    """Check fast whether nothing can be redacted in a text."""
    is_suspect = any(pattern.search(text) for pattern in _SUSPECT) or needs_normalizing(text)
    return not (is_suspect or may_contain_name(text))


class Redactor:
    """Replaces what the rules redact in the texts of one value."""

    def __init__(self, applies: RuleFilter) -> None:
        self._applies = applies
        self._left = _MAX_SEARCHED
        self._texts_left = _MAX_TEXTS

    def redacted(self, text: str) -> str:
        """Return a text with a mark in place of each part that a rule removes."""
        if is_plain(text) or _is_harmless(text):
            return text
        self._texts_left -= 1
        if self._texts_left < 0:
            return REMOVED
        for _ in range(_PASSES):
            cleaned = self._replaced(text)
            if cleaned == text:
                return text
            text = cleaned
        return REMOVED

    def may_search(self, length: int) -> bool:
        """Count characters that are to be searched; return whether as many may be."""
        self._left -= length
        return self._left >= 0

    def _replaced(self, text: str) -> str:
        spans: list[Span] = []
        for span in self._found(text, _DECODINGS):
            if not self.may_search(_SPAN_COST):
                return REMOVED
            spans.append(span)
        pieces: list[str] = []
        done = 0
        for start, end in sorted(spans):
            if start > done or not pieces:  # parts that touch get one mark
                pieces += (text[done:start], REMOVED)
            done = max(done, end)
        return "".join((*pieces, text[done:]))

    def _found(self, text: str, decodings: int) -> Iterator[Span]:
        """Yield what is redacted in a text as given, in its normal form, and in its base64."""
        normals = self._normals(text)
        readings = [text, *(normal.text for normal in normals or ())]
        named = needs_normalizing(readings[-1]) or any(map(may_contain_name, readings))
        if normals is None or (named and not self.may_search(sum(map(len, readings)))):
            yield 0, len(text)
        else:
            for depth, reading in enumerate(readings):
                for inner in self._found_in_reading(reading, decodings, named=named):
                    span = inner
                    for normal in reversed(normals[:depth]):
                        span = normal.origin(span)
                    yield span

    def _normals(self, text: str) -> list[Normal] | None:
        """Return the normal forms of a text, each of the one before; None beyond the limit."""
        normals: list[Normal] = []
        while needs_normalizing(text) and len(normals) < _NORMALIZATIONS:
            if not self.may_search(expanded_length(text)):
                return None
            normal = normalize(text)
            if normal is None:
                break
            normals.append(normal)
            text = normal.text
        return normals

    def _found_in_reading(self, text: str, decodings: int, *, named: bool) -> Iterator[Span]:
        if named:
            yield from find_named_values(text, self._applies)
        if not (named or any(pattern.search(text) for pattern in _SUSPECT)):
            return
        yield from find_shapes(text, self._applies)
        for span, plain in encoded_texts(text):
            may_decode = decodings > 0 and self.may_search(len(plain))
            if not may_decode or any(self._found(plain, decodings - 1)):
                yield span
