"""Request and response as values.

A request is what a front end knows before it reads the body; a response is complete.  Header
names are lower case in a request, as the standard's comparison is; a response spells them as they
go on the wire.

Invariant *credentials are not shown*: a request's repr has the names of its headers and no value,
for one of them may be a token.
"""

import attrs

__all__ = ["Request", "Response"]


def _names(lines: tuple[tuple[bytes, bytes], ...]) -> str:
    return repr(tuple(name for name, _ in lines))


@attrs.frozen
class Request:
    """The head of a request.

    Attributes:
        method: as sent; methods are case-sensitive.
        path: the path below the mount point as it stood on the wire, percent-encoding untouched,
            without the query.
        headers: header lines in order, names in lower case, values without outer white space.
        query: what follows the `?`, undecoded; empty also where there is no `?`.

    """

    method: str
    path: bytes
    headers: tuple[tuple[bytes, bytes], ...] = attrs.field(default=(), repr=_names)
    query: bytes = b""

    def lines(self, name: bytes) -> tuple[bytes, ...]:
        """Give the values of all lines of a header; `name` in lower case."""
        return tuple(value for key, value in self.headers if key == name)


@attrs.frozen
class Response:
    """A whole answer; `headers` hold everything the client gets, Content-Length included."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""
