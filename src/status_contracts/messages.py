"""Requests and responses as values: what request headers state, and how responses are built.

Header names are lower case in a request, because they are case-insensitive; a response has them as
they are sent.  Header lines are the values of all lines of one header, in order.

Invariant *credentials are not shown*: the repr of a request contains the names of its headers and
no value, because a value may be a token.
Invariant *no header raises*: any bytes have a result, in time linear in their number.
Invariant *one set of headers*: every response allows any origin, forbids sniffing and sends no
referrer; a response that must not be stored has headers for caches and for content networks.
Invariant *no body where HTTP has none*: responses to HEAD, and 204 and 304, have no body.
Invariant *legal headers*: a validator that is not a legal header value is omitted.
"""

from typing import Final

import attrs

from status_contracts.conditional import (
    Conditions,
    is_unmodified,
    is_valid_etag,
    parse_http_date,
)

__all__ = [
    "COMMON",
    "JSON",
    "NO_STORE",
    "OUTER_SPACE",
    "PNG",
    "SVG",
    "Asset",
    "Headers",
    "Request",
    "Response",
    "Unmodified",
    "build_response",
    "conditional_response",
    "etag_of",
    "is_identity",
    "is_length_allowed",
    "media_type",
    "parse_bounded_number",
    "preflight_response",
    "redirect_response",
]

Headers = tuple[tuple[str, str], ...]

OUTER_SPACE: Final = b" \t"
"""White space around a header value, which is not part of it (RFC 9110 section 5.5)."""
JSON: Final = "application/json; charset=utf-8"
SVG: Final = "image/svg+xml; charset=utf-8"
PNG: Final = "image/png"

COMMON: Final[Headers] = (
    ("Access-Control-Allow-Origin", "*"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
)
"""The headers of every response; the functions of this module put them first."""
NO_STORE: Final[Headers] = (
    ("Cache-Control", "no-store, max-age=0"),
    ("CDN-Cache-Control", "no-store"),
    ("Cloudflare-CDN-Cache-Control", "no-store"),
)
"""The headers of responses that no cache may store."""

_DIGEST_BYTES: Final = 16


def _names(lines: tuple[tuple[bytes, bytes], ...]) -> str:
    return repr(tuple(name for name, _ in lines))


@attrs.frozen
class Request:
    """The head of a request.

    Attributes:
        method: as sent; methods are case-sensitive.
        path: the path below the mount point as it was sent, with its percent-encoding and without
            the query.
        headers: header lines in order, names in lower case, values without outer white space.
        query: the text after the `?`, undecoded; empty if there is no `?`.

    """

    method: str
    path: bytes
    headers: tuple[tuple[bytes, bytes], ...] = attrs.field(default=(), repr=_names)
    query: bytes = b""

    def lines(self, name: bytes) -> tuple[bytes, ...]:
        """Return the values of all lines of a header; `name` is in lower case."""
        return tuple(value for key, value in self.headers if key == name)

    def conditions(self) -> Conditions:
        """Return the conditional headers, repeated lines joined by commas."""
        values = map(self.lines, (b"if-none-match", b"if-modified-since"))
        return Conditions(
            *(b", ".join(lines).decode("latin-1") if lines else None for lines in values)
        )


@attrs.frozen
class Response:
    """A complete response; `headers` contains all headers, Content-Length included."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""


@attrs.frozen
class Asset:
    """A static file with the validators that its source provides."""

    body: bytes
    etag: str | None = None
    last_modified: str | None = None


@attrs.frozen
class Unmodified:
    """The result for a client that has the current file."""

    etag: str | None = None
    last_modified: str | None = None


def media_type(lines: tuple[bytes, ...]) -> bytes | None:
    """Return the media type of Content-Type lines in lower case, without parameters.

    None for no line or more than one (RFC 9110 section 8.3).
    """
    if len(lines) != 1:
        return None
    return lines[0].partition(b";")[0].strip(OUTER_SPACE).lower()


def is_identity(lines: tuple[bytes, ...]) -> bool:
    """Check whether Content-Encoding lines contain no coding but `identity`, in any case.

    An empty member of the list counts as absent.
    """
    codings = (coding for line in lines for coding in line.split(b","))
    return all(coding.strip(OUTER_SPACE).lower() in (b"", b"identity") for coding in codings)


def is_length_allowed(lines: tuple[bytes, ...], limit: int) -> bool:
    """Check whether Content-Length lines are legal and declare at most `limit` bytes.

    No line is allowed; anything but ASCII digits, and lines that differ, are not.
    """
    if not lines:
        return True
    declared = parse_bounded_number(lines[0], limit)
    return declared is not None and declared <= limit and len(set(lines)) == 1


def parse_bounded_number(digits: bytes, limit: int) -> int | None:
    """Parse ASCII digits as a number; return `limit + 1` for any number above `limit`.

    None for anything but digits.  Leading zeros are allowed.  The cost is linear, because no number
    with more digits than the limit is converted.
    """
    if not digits.isdigit():  # of bytes: ASCII digits only, at least one
        return None
    significant = digits.lstrip(b"0")
    if len(significant) > len(str(limit)):
        return limit + 1
    return min(int(significant or b"0"), limit + 1)


def build_response(
    method: str, status: int, media_type: str, body: bytes, headers: Headers = ()
) -> Response:
    """Return a response with a body; for HEAD, the same headers without the body."""
    content = (("Content-Type", media_type), ("Content-Length", str(len(body))))
    return Response(status, (*COMMON, *headers, *content), b"" if method == "HEAD" else body)


def preflight_response(headers: Headers) -> Response:
    """Return the response to OPTIONS: 204, no body."""
    return Response(204, (*COMMON, *headers))


def redirect_response(location: str, headers: Headers = ()) -> Response:
    """Return a permanent redirect to a URL, which may be relative to that of the request."""
    return Response(308, (*COMMON, *headers, ("Location", location), ("Content-Length", "0")))


def conditional_response(
    request: Request,
    representation: bytes | Asset | Unmodified,
    media_type: str,
    headers: Headers = (),
) -> Response:
    """Return the response to GET or HEAD of a resource that exists (RFC 9110 section 13).

    It is 200 with the bytes, or 304 without them if the copy of the client is current.  The ETag of
    bytes is `etag_of` them; an asset has its own validators.
    """
    asset = (
        Asset(representation, etag_of(representation))
        if isinstance(representation, bytes)
        else representation
    )
    lines = (*headers, *_validators(asset))
    conditions = request.conditions()
    if isinstance(asset, Unmodified) or is_unmodified(conditions, asset.etag, asset.last_modified):
        return Response(304, (*COMMON, *lines))
    return build_response(request.method, 200, media_type, asset.body, lines)


def etag_of(body: bytes) -> str:
    """Return the strong entity tag of a body: a digest of its bytes, in quotes."""
    from hashlib import blake2b  # noqa: PLC0415 - loads OpenSSL, which takes long

    return f'"{blake2b(body, digest_size=_DIGEST_BYTES).hexdigest()}"'


def _validators(asset: Asset | Unmodified) -> Headers:
    validators = []
    if asset.etag is not None and is_valid_etag(asset.etag):
        validators.append(("ETag", asset.etag))
    if asset.last_modified is not None and parse_http_date(asset.last_modified) is not None:
        validators.append(("Last-Modified", asset.last_modified))
    return tuple(validators)
