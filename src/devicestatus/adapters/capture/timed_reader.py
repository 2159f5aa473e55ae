"""Readings that may fail or hang: the failure becomes a value, and the log says why, once.

Invariant *a reading ends*: `Attempts.run` returns within its patience, whatever the reading does.
While a reading hangs no second one is started, so a dead desktop costs one thread and one wait.
Invariant *told once*: a reason is logged when it is new, and again only after a reading worked.
Invariant *nothing is quoted*: the log has the subject and the type of the exception; its message
may hold names of apps or songs and stays out.
"""

import logging
from collections.abc import Callable
from threading import Thread
from typing import Final, TypeVar

import attrs

__all__ = ["PATIENCE_SECONDS", "Attempts"]

PATIENCE_SECONDS: Final = 2.0
"""How long one reading may take: the sample interval, so a slow source costs one sample."""

_LOG: Final = logging.getLogger(__name__)

Value = TypeVar("Value")
Otherwise = TypeVar("Otherwise")


@attrs.frozen
class _Failure:
    """Why there is no value; holds no traceback, which would keep sockets alive."""

    reason: str


@attrs.define(eq=False)
class Attempts:
    """The readings of one subject, for one caller at a time.

    Attributes:
        subject: what is read, as the log calls it.
        patience: how long one reading may take, in seconds.

    """

    subject: str
    patience: float = PATIENCE_SECONDS
    _reader: Thread | None = attrs.field(default=None, init=False)
    _told: str | None = attrs.field(default=None, init=False)

    @property
    def works(self) -> bool:
        """Whether the last reading gave a value; true before the first one."""
        return self._told is None

    def run(self, read: Callable[[], Value], otherwise: Otherwise) -> Value | Otherwise:
        """Give what `read` returns, or `otherwise` when it raises or takes too long."""
        outcome = self._outcome(read)
        reason = outcome.reason if isinstance(outcome, _Failure) else None
        if reason != self._told:
            self._tell(reason)
        return otherwise if isinstance(outcome, _Failure) else outcome

    def _outcome(self, read: Callable[[], Value]) -> Value | _Failure:
        if self._reader is not None and self._reader.is_alive():
            return _Failure(TimeoutError.__name__)
        outcomes: list[Value | _Failure] = []
        self._reader = Thread(target=_attempt, args=(read, outcomes), daemon=True)
        self._reader.start()
        self._reader.join(self.patience)
        return outcomes[0] if outcomes else _Failure(TimeoutError.__name__)

    def _tell(self, reason: str | None) -> None:
        self._told = reason
        if reason is None:
            _LOG.info("%s: readable again", self.subject)
        else:
            _LOG.warning("%s: not readable (%s)", self.subject, reason)


def _attempt(read: Callable[[], Value], outcomes: list[Value | _Failure]) -> None:
    try:
        outcomes.append(read())
    except Exception as fault:  # noqa: BLE001 - no library of a desktop lists what it may raise
        outcomes.append(_Failure(type(fault).__name__))
