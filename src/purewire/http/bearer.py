"""The configured secret of HTTP Bearer authentication, kept so that it cannot be shown.

Invariant *the text is not kept*: a `Secret` holds a digest of the header value that it expects,
so there is nothing that a repr, a log, a traceback with locals or a pickle could give away.
Invariant *constant time*: comparing takes the same time wherever two values begin to differ.
"""

import hmac
from hashlib import sha256
from typing import Final, NoReturn, Self, final

__all__ = ["Secret"]

_SCHEME: Final = b"Bearer "
_BYTE_ORDER_MARK: Final = "\ufeff"  # white space to ECMAScript, not to Python


@final
class Secret:
    """A configured secret text, reduced to what is needed to recognise it.

    Any text makes a secret; whether it is fit to be one is for the caller to judge by its length
    and white space.  Copies are the object itself; pickling raises TypeError.

    Attributes:
        text_length: code points of the text.
        has_whitespace: whether the text holds white space, in Python's or ECMAScript's notion.

    """

    __slots__ = ("_expected", "has_whitespace", "text_length")

    text_length: int
    has_whitespace: bool

    def __init__(self, text: str) -> None:
        # An unpaired surrogate (undecodable environment) has no UTF-8, and the error of a strict
        # encoder would carry the text.
        octets = text.encode("utf-8", "surrogatepass")
        self._expected = sha256(_SCHEME + octets).digest()
        self.text_length = len(text)
        self.has_whitespace = _BYTE_ORDER_MARK in text or any(map(str.isspace, text))

    def authorizes(self, lines: tuple[bytes, ...]) -> bool:
        """Tell whether Authorization lines are exactly one, `Bearer ` and the text as UTF-8.

        Compared byte for byte in constant time; no bytes raise.  The empty secret never does.
        """
        if len(lines) != 1 or self.text_length == 0:
            return False
        return hmac.compare_digest(sha256(lines[0]).digest(), self._expected)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(self._expected, other._expected)

    def __hash__(self) -> int:
        return hash(Secret)  # the same for all: nothing made from the text leaves

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
