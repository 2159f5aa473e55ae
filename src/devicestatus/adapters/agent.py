"""The reference agent of snapshots: one machine to one service, one POST each.

What an answer means is decided in `devicestatus.agent.delivery`, HTTP is in `adapters.sending`;
here are the clock and the waits.

Invariant *nothing refusable is sent*: a snapshot that breaks a rule stays here.
Invariant *no reading ends it*: one that raises is told, and nothing is sent for it.
Invariant *only fresh*: every attempt takes a new snapshot; an old one would be refused by its time.
Invariant *nothing private is told*: a report has decisions, rule ids and the names of exception
types; never the token, a body, or the text of an exception, which may quote both.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from secrets import SystemRandom
from typing import Final

import attrs

from devicestatus.adapters.reading_timeout import Unread, look
from devicestatus.adapters.upload_client import PATIENCE_SECONDS, Destination, Sender
from devicestatus.agent.delivery import JITTER, WITHHELD, Decision, decide
from devicestatus.errors import ContractError
from devicestatus.models.snapshot import Snapshot
from devicestatus.validation.encoding import encode
from devicestatus.validation.music_urls import ITUNES, CatalogHosts
from purewire.adapters.clocks import system_clock
from purewire.exchange.effects import Clock
from purewire.findings import Finding
from purewire.instants import SECOND_MS

__all__ = ["Agent", "Report"]

_RANDOM: Final = SystemRandom()
_UNREAD: Final = Decision("drop", None, "not sent: this machine could not be read")


@attrs.frozen
class Report:
    """One attempt.

    Attributes:
        decision: what follows from it.
        findings: why the snapshot was not sent.
        fault: type of the exception that stands for the missing answer, or snapshot.

    """

    decision: Decision
    findings: tuple[Finding, ...] = ()
    fault: str | None = None


@attrs.define(eq=False)
class Agent:
    """Takes snapshots and sends them.

    Attributes:
        take: gives a snapshot collected at the time it is given; may block, runs in a thread; where
            it raises an exception there is none.
        destination: where snapshots go.
        interval_ms: time from one snapshot to the next.
        tell: is told of every attempt.
        catalog: the music catalog's hosts, as the service has them.
        clock: gives the time, ms since the epoch.
        patience_seconds: how long one attempt may take.
        pause: waits for a number of seconds.

    """

    take: Callable[[int], Snapshot]
    destination: Destination
    interval_ms: int
    tell: Callable[[Report], None]
    catalog: CatalogHosts = ITUNES
    clock: Clock = system_clock
    patience_seconds: float = PATIENCE_SECONDS
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def once(self) -> Report:
        """Send one snapshot."""
        async with self._sender() as sender:
            return await self._attempt(sender, 1)

    async def run(self) -> Report:
        """Send snapshots until only a person can help; give the report that says so."""
        now = asyncio.get_running_loop().time
        failures = 0
        async with self._sender() as sender:
            while True:
                began = now()
                report = await self._attempt(sender, failures + 1)
                decision = report.decision
                if decision.action == "stop":
                    return report
                failures = failures + 1 if decision.action == "retry" else 0
                await self.pause(self._wait_seconds(decision, now() - began))

    def _wait_seconds(self, decision: Decision, spent_seconds: float) -> float:
        if decision.wait_ms is not None:
            return decision.wait_ms / SECOND_MS
        return max(0.0, self.interval_ms / SECOND_MS - spent_seconds)

    def _sender(self) -> AbstractAsyncContextManager[Sender]:
        return Sender.opened(
            self.destination, patience_seconds=self.patience_seconds, clock=self.clock
        )

    async def _attempt(self, sender: Sender, attempt: int) -> Report:
        report = await self._push(sender, attempt)
        self.tell(report)
        return report

    async def _push(self, sender: Sender, attempt: int) -> Report:
        snapshot = await look(partial(self.take, self.clock()))
        if isinstance(snapshot, Unread):
            return Report(_UNREAD, fault=snapshot.fault)
        try:
            body = encode(snapshot, received_at=self.clock(), catalog=self.catalog)
        except ContractError as error:
            return Report(WITHHELD, error.findings)
        sent = await sender.send(body)
        jitter = _RANDOM.uniform(*JITTER)
        decision = decide(sent.answer, attempt=attempt, jitter=jitter, skew=sent.skew)
        return Report(decision, fault=sent.fault)
