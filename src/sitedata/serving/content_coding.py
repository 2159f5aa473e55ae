"""Content codings, and the choice of one by Accept-Encoding (RFC 9110 section 12.5.3).

Invariant *always a choice*: any header bytes yield a choice, in time linear in their number; if
nothing is acceptable, the body is sent without coding.
Invariant *only on request*: a body is coded only for a client that lists the coding, or `*`, with a
weight above zero; invalid members of the list are ignored.
Invariant *refusal wins*: of several weights for one coding the lowest counts.

Contract: SD-CODING-02 to 04, SD-CLIENT-15.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final

import attrs

_MEMBER: Final = re.compile(
    r"([!#$%&'*+\-.^_`|~0-9A-Za-z]++)"
    r"(?:[ \t]*+;[ \t]*+[qQ]=(?:0(?:\.([0-9]{0,3}))?|(1(?:\.0{0,3})?)))?"
)
_ALIASES: Final = {"x-gzip": "gzip"}  # RFC 9110 section 8.4.1.3
_ANY: Final = "*"
_IDENTITY: Final = "identity"
_FULL_WEIGHT: Final = 1000
"""Weights are in thousandths."""


class ContentCodingError(ValueError):
    """Bytes that cannot be decoded: truncated, too demanding, or of another format."""


@attrs.frozen
class ContentCoding:
    """A content coding (RFC 9110 section 8.4.1).

    Attributes:
        name: its name in Content-Encoding, in lower case.
        compress: returns the coded bytes; deterministic.
        decompress: returns the decoded bytes, and stops soon after a maximum number of them; raises
            ContentCodingError.

    """

    name: str
    compress: Callable[[bytes], bytes]
    decompress: Callable[[bytes, int], bytes]


def choose_coding(lines: Iterable[bytes], codings: Iterable[str]) -> str | None:
    """Choose a content coding by the Accept-Encoding lines; return None to send the body as it is.

    Of codings with equal weights the first wins; their names are in lower case.
    """
    weights = _weights(b",".join(lines).decode("latin-1"))
    others = weights.get(_ANY, 0)
    minimum = max(1, weights.get(_IDENTITY, others))
    offered = {coding: weights.get(coding, others) for coding in codings}
    best = max(offered, key=offered.__getitem__, default=None)
    return best if best is not None and offered[best] >= minimum else None


def _weights(header: str) -> dict[str, int]:
    weights: dict[str, int] = {}
    for member in header.split(","):
        found = _MEMBER.fullmatch(member.strip(" \t"))
        if found is not None:
            name = found[1].lower()
            name = _ALIASES.get(name, name)
            weights[name] = min(_weight(found), weights.get(name, _FULL_WEIGHT))
    return weights


def _weight(found: re.Match[str]) -> int:
    has_weight = ";" in found[0]
    return _FULL_WEIGHT if not has_weight or found[3] else int((found[2] or "").ljust(3, "0"))
