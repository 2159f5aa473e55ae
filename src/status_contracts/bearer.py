"""The secret of HTTP Bearer authentication, stored as a digest.

Invariant *the text is not kept*: a `Secret` contains a digest of the expected header value, so a
repr, a log, a traceback with locals or a pickle cannot leak the text.
Invariant *constant time*: the time of a comparison does not depend on where two values differ.
"""

from typing import Final, NoReturn, Self, final

from status_contracts.primitives import check_type

__all__ = ["Secret"]

_SCHEME: Final = b"Bearer "
_BYTE_ORDER_MARK: Final = "\ufeff"  # white space in ECMAScript, not in Python


@final
class Secret:
    """A secret text, reduced to a digest.

    Any text is accepted; the caller validates its length and white space.  Copies are the object
    itself; pickling raises TypeError.

    Attributes:
        text_length: the length of the text in code points.
        has_whitespace: whether the text contains white space, as Python or ECMAScript defines it.

    """

    __slots__ = ("_expected", "has_whitespace", "text_length")

    text_length: int
    has_whitespace: bool

    def __init__(self, text: str) -> None:
        # An unpaired surrogate (undecodable environment) has no UTF-8, and the error of a strict
        # encoder would contain the text.
        octets = text.encode("utf-8", "surrogatepass")
        self._expected = _digest(_SCHEME + octets)
        self.text_length = len(text)
        self.has_whitespace = _BYTE_ORDER_MARK in text or any(map(str.isspace, text))

    def authorizes(self, lines: tuple[bytes, ...]) -> bool:
        """Check whether there is one Authorization line: `Bearer ` and the text as UTF-8.

        The comparison is byte for byte, in constant time.  The empty secret authorizes nothing.

        Raises:
            TypeError: the lines are no tuple, but text or bytes, for example.

        """
        check_type("lines", lines, tuple, 'pass (b"Bearer ...",)')
        if len(lines) != 1 or self.text_length == 0:
            return False
        return _are_equal(_digest(lines[0]), self._expected)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return _are_equal(self._expected, other._expected)

    def __hash__(self) -> int:
        return hash(Secret)  # the same for all secrets: a hash of the text could leak it

    def __repr__(self) -> str:
        return "Secret(***)"

    def __format__(self, format_spec: str) -> str:
        return repr(self)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret cannot be pickled")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        self.__reduce__()

    def __getstate__(self) -> NoReturn:
        self.__reduce__()


# Both modules load OpenSSL, which takes long: they are imported with the first secret.


def _digest(octets: bytes) -> bytes:
    from hashlib import sha256  # noqa: PLC0415

    return sha256(octets).digest()


def _are_equal(one: bytes, other: bytes) -> bool:
    """Compare two digests in constant time."""
    from hmac import compare_digest  # noqa: PLC0415

    return compare_digest(one, other)
