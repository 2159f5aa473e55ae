"""Requests and responses as values: what a request states, how responses are built and sent.

Invariant *credentials are not shown*: the repr of a request contains the names of its headers and
no value, because a value may be a token.
Invariant *the text is not kept*: a `Secret` contains a digest of the expected header value, so a
repr, a log, a traceback with locals or a pickle cannot leak the text.
Invariant *constant time*: the time of a comparison does not depend on where two values differ.
Invariant *no header raises*: any bytes have a result, in time linear in their number.
Invariant *one set of headers*: every response allows any origin, forbids sniffing and sends no
referrer; a response that must not be stored has headers for caches and for content networks.
Invariant *no body where HTTP has none*: no body is sent with a response to HEAD, nor with any 1xx,
204 or 304.
Invariant *legal headers*: a validator that is not a legal header value is omitted; a response with
another header that contains a line break, or another illegal character, is not sent: ValueError.
Invariant *undecoded*: if the gateway passes the raw target, `/api/%6eow` is not `/api/now`,
and `//api/now` is not either.
"""

import re
from functools import lru_cache
from typing import Final, final
from urllib.parse import quote, unquote_to_bytes

import attrs

from status_contracts.conditional import is_unmodified, is_valid_etag, parse_http_date
from status_contracts.primitives import check_type

__all__ = [
    "COMMON", "IMAGE_POLICY", "JSON", "NO_STORE", "OUTER_SPACE", "PNG", "SVG", "Asset",
    "Headers", "Request", "Response", "Secret", "body_to_send", "build_response",
    "conditional_response", "encoded_headers", "etag_of", "is_identity", "is_length_allowed",
    "media_type", "parse_bounded_number", "redirect_response", "wire_path",
]  # fmt: skip

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
IMAGE_POLICY: Final = ("Content-Security-Policy", "default-src 'none'; style-src 'none'; sandbox")
"""The header of SVG images: no script, no style, no outside reference."""

_NAME: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")  # RFC 9110 section 5.6.2: token
_VISIBLE: Final = r"[\x21-\x7e\x80-\xff]"
_VALUE: Final = re.compile(rf"(?:{_VISIBLE}(?:[\x20-\x7e\x80-\xff]*{_VISIBLE})?)?")
"""Latin-1 without ASCII control characters and without outer white space (RFC 9110 section 5.5)."""
_FIRST_FINAL: Final = 200
_WITHOUT_BODY: Final = frozenset({204, 304})
_AUTHORITY: Final = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")
_OCTET: Final = re.compile(rb"%[0-9A-Fa-f]{2}|.", re.DOTALL)
_PATH_CHARACTERS: Final = "/:@!$&'()*+,;=~"  # RFC 3986: unencoded in a path


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
    headers: tuple[tuple[bytes, bytes], ...] = attrs.field(
        default=(), repr=lambda lines: repr(tuple(name for name, _ in lines))
    )
    query: bytes = b""

    def lines(self, name: bytes) -> tuple[bytes, ...]:
        """Return the values of all lines of a header; `name` is in lower case."""
        return tuple(value for key, value in self.headers if key == name)

    def joined(self, name: bytes) -> str | None:
        """Return the value of a header, repeated lines joined by commas; None if it is absent."""
        lines = self.lines(name)
        return b", ".join(lines).decode("latin-1") if lines else None


@attrs.frozen
class Response:
    """A complete response; `headers` contains all headers, Content-Length included."""

    status: int
    headers: Headers
    body: bytes = b""


@attrs.frozen
class Asset:
    """A static file with the validators that its source provides."""

    body: bytes
    etag: str | None = None
    last_modified: str | None = None


def media_type(lines: tuple[bytes, ...]) -> bytes | None:
    """Return the media type of one Content-Type line in lower case; None for no line or several."""
    if len(lines) != 1:
        return None
    return lines[0].partition(b";")[0].strip(OUTER_SPACE).lower()


def is_identity(lines: tuple[bytes, ...]) -> bool:
    """Check whether Content-Encoding lines have no coding but `identity`, in any case."""
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


@final
@attrs.frozen(init=False, repr=False)
class Secret:
    """A secret text, reduced to a digest.

    Any text is accepted; the caller validates its length and white space.

    Attributes:
        text_length: the length of the text in code points.
        has_whitespace: whether the text contains white space, as Python or ECMAScript defines it.

    """

    text_length: int
    has_whitespace: bool
    _expected: bytes

    def __init__(self, text: str) -> None:
        # An unpaired surrogate (undecodable environment) has no UTF-8, and the error of a strict
        # encoder would contain the text.
        octets = text.encode("utf-8", "surrogatepass")
        # U+FEFF is white space in ECMAScript, not in Python.
        has_whitespace = "\ufeff" in text or any(map(str.isspace, text))
        self.__attrs_init__(len(text), has_whitespace, _digest(b"Bearer " + octets))

    def authorizes(self, lines: tuple[bytes, ...]) -> bool:
        """Check whether there is one Authorization line: `Bearer`, a space, the text in UTF-8.

        The comparison is byte for byte, in constant time.  The empty secret authorizes nothing.

        Raises:
            TypeError: the lines are no tuple, but text or bytes, for example.

        """
        from hmac import compare_digest  # noqa: PLC0415 - loads OpenSSL, which takes long

        if type(lines) is not tuple:
            check_type("lines", lines, tuple, 'pass (b"Bearer ...",)')
        if len(lines) != 1 or self.text_length == 0:
            return False
        return compare_digest(_digest(lines[0]), self._expected)

    def __repr__(self) -> str:
        return "Secret(***)"


def _digest(octets: bytes) -> bytes:
    from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL as well

    return sha256(octets).digest()


def build_response(
    method: str, status: int, media_type: str, body: bytes, headers: Headers = ()
) -> Response:
    """Return a response with a body; for HEAD, the same headers without the body."""
    content = (("Content-Type", media_type), ("Content-Length", str(len(body))))
    return Response(status, (*COMMON, *headers, *content), b"" if method == "HEAD" else body)


def redirect_response(location: str) -> Response:
    """Return a permanent redirect to a URL, which may be relative to that of the request."""
    return Response(308, (*COMMON, ("Location", location), ("Content-Length", "0")))


def conditional_response(
    request: Request, representation: bytes | Asset, media_type: str, headers: Headers = ()
) -> Response:
    """Return the response to GET or HEAD of a resource that exists (RFC 9110 section 13).

    It is 200 with the bytes, or 304 without them if the copy of the client is current.  The ETag of
    bytes is `etag_of` them; an asset has its own validators.
    """
    asset = representation
    if isinstance(asset, bytes):
        asset = Asset(asset, etag_of(asset))
    lines = [*headers]
    if asset.etag is not None and is_valid_etag(asset.etag):
        lines.append(("ETag", asset.etag))
    if asset.last_modified is not None and parse_http_date(asset.last_modified) is not None:
        lines.append(("Last-Modified", asset.last_modified))
    tags, since = request.joined(b"if-none-match"), request.joined(b"if-modified-since")
    if is_unmodified(tags, since, asset.etag, asset.last_modified):
        return Response(304, (*COMMON, *lines))
    return build_response(request.method, 200, media_type, asset.body, tuple(lines))


def etag_of(body: bytes) -> str:
    """Return the strong entity tag of a body: a digest of its bytes, in quotes."""
    from hashlib import blake2b  # noqa: PLC0415 - loads OpenSSL, which takes long

    return f'"{blake2b(body, digest_size=16).hexdigest()}"'


def encoded_headers(response: Response) -> list[tuple[bytes, bytes]]:
    """Return the headers of a response as ASGI sends them; raise ValueError if one is not legal."""
    return [_encoded(name, value) for name, value in response.headers]


@lru_cache(maxsize=512)  # a service sends few lines that differ
def _encoded(name: str, value: str) -> tuple[bytes, bytes]:
    if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
        raise ValueError("a header name or value of the response has an illegal character")
    return name.lower().encode("ascii"), value.encode("latin-1")


def body_to_send(method: str, response: Response) -> bytes:
    """Return the body to send: empty where the method or the status allows none."""
    status = response.status
    if method == "HEAD" or status < _FIRST_FINAL or status in _WITHOUT_BODY:
        return b""
    return response.body


def wire_path(target: bytes | None, decoded: bytes, mount: bytes = b"") -> bytes:
    """Return the path below the mount point as it was sent, without the query.

    A gateway passes the decoded path below the mount point, and most also the raw request target.
    The decoded path is authoritative (a proxy may have rewritten only one of them); the raw target
    restores the percent-encoding, of its end: before that it may have the mount point, or what a
    proxy has left of it.  A target with a fragment, or bytes that are not UTF-8, which gateways cut
    and replace, is no path of a service.

    Args:
        target: the raw request target, None if it is unknown.
        decoded: the decoded path below the mount point.
        mount: the decoded mount point.

    """
    decoded = _without_authority(decoded)
    if target is not None:
        raw = _without_authority(target).partition(b"?")[0]
        if raw == decoded and b"%" not in raw:  # nearly every request
            return raw
        whole = unquote_to_bytes(raw)
        if b"#" in raw or whole.decode(errors="ignore").encode() != whole:
            return raw.removeprefix(mount)
        octets = _OCTET.findall(raw)
        start = max(0, len(octets) - len(decoded))
        before, path = unquote_to_bytes(b"".join(octets[:start])), b"".join(octets[start:])
        if unquote_to_bytes(path) == decoded:
            if mount.endswith(before):
                return path
            if not before.strip(b"/"):  # leading slashes that the gateway collapsed
                return before + path
    return quote(decoded, safe=_PATH_CHARACTERS).encode("ascii")


def _without_authority(target: bytes) -> bytes:
    """Reduce an absolute-form target (RFC 9112 section 3.2.2) to its path and query."""
    authority = _AUTHORITY.match(target)
    if authority is None:
        return target
    rest = target[authority.end() :]
    return rest if rest.startswith(b"/") else b"/" + rest
