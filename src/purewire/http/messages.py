"""Requests, responses and static files with validators, as values.

A request is the head without the body; a response is complete.  Header names are lower case in a
request, because they are case-insensitive; a response has them as they are sent.

Invariant *credentials are not shown*: the repr of a request contains the names of its headers and
no value, because a value may be a token.
"""

from typing import Final

import attrs


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


@attrs.frozen
class Response:
    """A complete response; `headers` contains all headers, Content-Length included."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""


@attrs.frozen
class Conditions:
    """The conditional headers of a request, repeated ones joined by commas; None if absent."""

    if_none_match: str | None = None
    if_modified_since: str | None = None


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


UNCONDITIONAL: Final = Conditions()
"""The conditions of a request without conditional headers."""
