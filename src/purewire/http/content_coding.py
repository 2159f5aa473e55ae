"""Content codings, and the choice of one by Accept-Encoding (RFC 9110 section 12.5.3).

Invariant *always a choice*: any header bytes yield a choice, in time linear in their number; if
nothing is acceptable, the body is sent without coding.
Invariant *only on request*: a body is coded only for a client that lists the coding, or `*`, with a
weight above zero; invalid members of the list are ignored.
Invariant *refusal wins*: of several weights for one coding the lowest counts.
Invariant *one tag a representation*: the ETag of coded content is that of the content with the name
of the coding at its end; a coded copy is current for clients that would get this coding now.
Invariant *equal Vary*: a 304 has the Vary of the 200 in its place (RFC 9110 section 15.4.5).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import attrs

from purewire.http.messages import Request, Response

MIN_BYTES: Final = 1024
"""Smallest body that is worth a coding."""
_MEMBER: Final = re.compile(
    r"([!#$%&'*+\-.^_`|~0-9A-Za-z]++)"
    r"(?:[ \t]*+;[ \t]*+[qQ]=(?:0(?:\.([0-9]{0,3}))?|(1(?:\.0{0,3})?)))?"
)
_ALIASES: Final = {"x-gzip": "gzip"}  # RFC 9110 section 8.4.1.3
_ANY: Final = "*"
_IDENTITY: Final = "identity"
_FULL_WEIGHT: Final = 1000
"""Weights are in thousandths."""
_TEXT: Final = re.compile(r"text/|application/json\b|image/svg\+xml\b")
"""Media types whose bodies become smaller."""
_OK: Final = 200


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
        match = _MEMBER.fullmatch(member.strip(" \t"))
        if match is not None:
            name = match[1].lower()
            name = _ALIASES.get(name, name)
            weights[name] = min(_weight(match), weights.get(name, _FULL_WEIGHT))
    return weights


def _weight(match: re.Match[str]) -> int:
    has_weight = ";" in match[0]
    return _FULL_WEIGHT if not has_weight or match[3] else int((match[2] or "").ljust(3, "0"))


def is_codable(response: Response) -> bool:
    """Check whether a response may be sent with a coding; also of HEAD, which has no body.

    It is a text of some size with a validator, without a coding of its own: such a body is sent
    again and again, so that it is coded once.
    """
    headers = dict(response.headers)
    return (
        response.status == _OK
        and "ETag" in headers
        and "Content-Encoding" not in headers
        and "no-transform" not in headers.get("Cache-Control", "")
        and _TEXT.match(headers.get("Content-Type", "")) is not None
        and int(headers.get("Content-Length", 0)) >= MIN_BYTES
    )


def with_plain_tags(request: Request, coding: str) -> Request:
    """Return a request whose If-None-Match also has the tags of the content of coded copies."""
    coded = f'-{coding}"'.encode()
    headers = tuple(
        (name, value + b", " + value.replace(coded, b'"'))
        if name == b"if-none-match" and coded in value
        else (name, value)
        for name, value in request.headers
    )
    return attrs.evolve(request, headers=headers)


def with_coding(response: Response, coding: str, body: bytes) -> Response:
    """Return a response with a coded body."""
    changed = {
        "ETag": _coded_tag(response, coding),
        "Content-Length": str(len(body)),
        "Content-Encoding": coding,
    }
    return attrs.evolve(_with_headers(response, changed), body=body)


def with_tag_of_copy(request: Request, response: Response, coding: str) -> Response:
    """Return a 304 with the tag of the coded copy, if the request as it was sent names that."""
    tag = _coded_tag(response, coding)
    if any(tag.encode() in line for line in request.lines(b"if-none-match")):
        return _with_headers(response, {"ETag": tag})
    return response


def _coded_tag(response: Response, coding: str) -> str:
    return dict(response.headers)["ETag"].removesuffix('"') + f'-{coding}"'


def with_vary(response: Response) -> Response:
    """Return a response that depends on Accept-Encoding, and says so."""
    names = [value for name, value in response.headers if name == "Vary"]
    if any("accept-encoding" in value.lower() for value in names):
        return response
    return _with_headers(response, {"Vary": ", ".join((*names, "Accept-Encoding"))})


def _with_headers(response: Response, changed: Mapping[str, str]) -> Response:
    """Return a response with headers in the place of those of the same names."""
    others = (line for line in response.headers if line[0] not in changed)
    return attrs.evolve(response, headers=(*others, *changed.items()))
