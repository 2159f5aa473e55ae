"""Which content coding a client gets: Accept-Encoding, as RFC 9110 section 12.5.3 has it.

Invariant *always an answer*: any bytes get a choice, in time linear in their number; where
nothing is acceptable the body goes as it is.
Invariant *asked for or not at all*: a body is coded only for a client that lists the coding, or
`*`, with a weight above zero; members of the list that cannot be read say nothing.
Invariant *refusal wins*: of several weights for one coding the lowest counts.
"""

import re
from collections.abc import Iterable
from typing import Final

__all__ = ["choose"]

_MEMBER: Final = re.compile(
    r"([!#$%&'*+\-.^_`|~0-9A-Za-z]++)"
    r"(?:[ \t]*+;[ \t]*+[qQ]=(?:0(?:\.([0-9]{0,3}))?|(1(?:\.0{0,3})?)))?"
)
_ALIASES: Final = {"x-gzip": "gzip"}  # RFC 9110 section 8.4.1.3
_ANY: Final = "*"
_IDENTITY: Final = "identity"
_WHOLE: Final = 1000
"""A weight is a number of thousandths."""


def choose(lines: Iterable[bytes], codings: Iterable[str]) -> str | None:
    """Choose a content coding; None where the body goes as it is.

    Args:
        lines: the values of all Accept-Encoding lines.
        codings: what there is, in lower case; of equal weights the first wins.

    """
    weights = _weights(b",".join(lines).decode("latin-1"))
    others = weights.get(_ANY, 0)
    least = max(1, weights.get(_IDENTITY, others))
    offered = {coding: weights.get(coding, others) for coding in codings}
    best = max(offered, key=offered.__getitem__, default=None)
    return best if best is not None and offered[best] >= least else None


def _weights(field: str) -> dict[str, int]:
    weights: dict[str, int] = {}
    for member in field.split(","):
        found = _MEMBER.fullmatch(member.strip(" \t"))
        if found is not None:
            name = found[1].lower()
            name = _ALIASES.get(name, name)
            weights[name] = min(_weight(found), weights.get(name, _WHOLE))
    return weights


def _weight(found: re.Match[str]) -> int:
    has_weight = ";" in found[0]
    return _WHOLE if not has_weight or found[3] else int((found[2] or "").ljust(3, "0"))
