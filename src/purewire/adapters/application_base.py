"""What the front ends do alike around an exchange: report failures and check what they send.

Invariant *failures are named, not quoted*: a failing store or source is logged once, on the logger
`purewire`, by effect and exception type; never by text, value or traceback.
Invariant *headers stay lines*: a response with a header that could end its own line is not sent
but raises, for it is the handler that is wrong.
Invariant *no body where none belongs*: an answer to HEAD, and any 1xx, 204 or 304, has none.
"""

import logging
import re
from collections.abc import Callable
from typing import Final

import attrs

from purewire.adapters.clocks import system_clock
from purewire.exchange.effects import (
    AssetSource,
    AsyncAssetSource,
    AsyncSource,
    AsyncStore,
    Clock,
    Effect,
    Handler,
    ReadSource,
    Source,
    Store,
)
from purewire.http.headers import is_sendable
from purewire.http.messages import Response

__all__ = [
    "INCOMPLETE",
    "Bound",
    "NotBound",
    "body_to_send",
    "checked_headers",
    "reader_of",
    "report_failure",
]

_LOG: Final = logging.getLogger("purewire")
_NAME: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")  # RFC 9110 section 5.6.2: token
_FIRST_FINAL: Final = 200
_WITHOUT_BODY: Final = frozenset({204, 304})

INCOMPLETE: Final = Response(400, (("Content-Length", "0"),))
"""The answer to a body that breaks off, where the application has none of its own."""


@attrs.frozen(eq=False, repr=False)
class Bound:
    """A handler and what its effects go to; the applications are made of these.

    Attributes:
        handler: makes the exchange of a request.
        store: where `ReadStore` and `WriteStore` go.
        assets: where `ReadAsset` goes.
        source: where `ReadSource` goes.
        clock: gives the time, ms since the epoch.
        incomplete: the answer to a request whose body breaks off or cannot be read; it reaches a
            client that only stopped sending.
        store_patience: how many seconds a store call may wait for its turn, and how long calls
            may run until the store counts as slow (see `purewire.adapters.store_gate`).

    """

    handler: Handler
    store: Store | AsyncStore | None = attrs.field(default=None, kw_only=True)
    assets: AssetSource | AsyncAssetSource | None = attrs.field(default=None, kw_only=True)
    source: Source | AsyncSource | None = attrs.field(default=None, kw_only=True)
    clock: Clock = attrs.field(default=system_clock, kw_only=True)
    incomplete: Response = attrs.field(default=INCOMPLETE, kw_only=True)
    store_patience: float = attrs.field(default=1.0, kw_only=True)


class NotBound(Exception):
    """The effect needs a store or a source, and the application was given none."""


def reader_of(source: Source | AsyncSource, effect: ReadSource) -> Callable[..., object]:
    """Return the method of a source that performs an effect: `latest` where it has one, or `read`.

    Both take the name and the time.
    """
    latest: Callable[..., object] | None = getattr(source, "latest", None)
    return latest if effect.at_once and latest is not None else source.read


def report_failure(effect: Effect, fault: Exception) -> None:
    """Log that performing an effect raised."""
    _LOG.error("%s failed: %s", type(effect).__name__, type(fault).__qualname__)


def checked_headers(response: Response) -> tuple[tuple[str, str], ...]:
    """Give the headers of a response; raises ValueError where one may not be sent."""
    for name, value in response.headers:
        if not _NAME.fullmatch(name) or not is_sendable(value):
            raise ValueError("a header of the response may not be sent")
    return response.headers


def body_to_send(method: str, response: Response) -> bytes:
    """Give the body that goes on the wire."""
    status = response.status
    if method == "HEAD" or status < _FIRST_FINAL or status in _WITHOUT_BODY:
        return b""
    return response.body
