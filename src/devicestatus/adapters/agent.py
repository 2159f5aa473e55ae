"""The reference agent of snapshots: sends one machine to one service, one POST each.

`devicestatus.agent.delivery` decides what a response means, and `adapters.upload_client` has HTTP;
this module has the clock and the waits.

Invariant *nothing invalid is sent*: a snapshot that breaks a rule of the contract is not sent.
Invariant *readings never end it*: one that raises is reported, and nothing is sent for it.
Invariant *only fresh*: every attempt takes a new snapshot; an old one would be refused by its time.
Invariant *nothing private is reported*: a report has decisions, rule ids, and what the types of
exceptions mean; never the token, a body, or the text of an exception, which may quote both.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from secrets import SystemRandom
from typing import Final

import attrs

from devicestatus.adapters.upload_client import (
    DEFAULT_TIMEOUT_SECONDS,
    Destination,
    UploadClient,
)
from devicestatus.agent.delivery import JITTER, NOT_SENT, Decision, decide
from devicestatus.agent.uploads import SnapshotSchedule, WriteQuota
from devicestatus.errors import ContractError
from devicestatus.models import Snapshot
from devicestatus.validation.music_urls import ITUNES, CatalogHosts
from devicestatus.validation.parse import encode
from purewire.adapters.clocks import steady_clock, system_clock
from purewire.exchange import Clock
from purewire.findings import Finding
from purewire.instants import SECOND_MS

__all__ = ["Agent", "ReadFailure", "UploadReport", "read_in_thread"]

_RANDOM: Final = SystemRandom()
_UNREADABLE: Final = Decision("drop", None, "not sent: this machine could not be read")


@attrs.frozen
class ReadFailure:
    """A reading that failed with this type of exception; its text may quote what is private."""

    error: str


async def read_in_thread(read: Callable[[], Snapshot]) -> Snapshot | ReadFailure:
    """Run a reading, which may block, in a thread; an `Exception` becomes a `ReadFailure`."""
    return await asyncio.to_thread(_read, read)


def _read(read: Callable[[], Snapshot]) -> Snapshot | ReadFailure:
    # Caught in the thread: a future cannot carry StopIteration, so its awaiter would wait for ever.
    try:
        return read()
    except Exception as error:  # noqa: BLE001 - a reading may raise anything
        return ReadFailure(type(error).__name__)


@attrs.frozen
class UploadReport:
    """The result of one attempt.

    Attributes:
        findings: why the snapshot was not sent.
        error: why there was no response, or type of the exception in place of a snapshot.
        lifetime_ms: how long the service shows an accepted snapshot; else None.

    """

    decision: Decision
    findings: tuple[Finding, ...] = ()
    error: str | None = None
    lifetime_ms: int | None = None


@attrs.define(eq=False)
class Agent:
    """Takes snapshots and sends them.

    Attributes:
        take: returns a snapshot collected at the time passed to it; may block, runs in a thread.
        interval_ms: time from one upload to the next without a change.
        sample_ms: time between two looks for a change, which is sent at once; None looks for none.
        clock: returns the time, ms since the epoch.
        steady_clock: returns ms since some instant.

    """

    take: Callable[[int], Snapshot]
    destination: Destination
    interval_ms: int
    on_report: Callable[[UploadReport], None]
    catalog: CatalogHosts = ITUNES
    sample_ms: int | None = None
    clock: Clock = system_clock
    steady_clock: Clock = steady_clock
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def run_once(self) -> UploadReport:
        """Send one snapshot."""
        async with self._client() as client:
            return await self._attempt(client, await self._read(), 1)

    async def run(self) -> UploadReport:
        """Send snapshots until the decision is `stop`; return the report of that attempt."""
        changes = None if self.sample_ms is None else WriteQuota()
        schedule = SnapshotSchedule(self.interval_ms, changes)
        async with self._client() as client:
            while True:
                began = self.steady_clock()
                sample = await self._read()
                snapshot = None if isinstance(sample, ReadFailure) else sample
                if schedule.is_due(snapshot, began):
                    schedule = schedule.after_start(snapshot, began)
                    report = await self._attempt(client, sample, schedule.attempt)
                    if report.decision.action == "stop":
                        return report
                    schedule = schedule.after_decision(report.decision, self.steady_clock())
                await self.sleep(self._wait_ms(schedule, began) / SECOND_MS)

    def _wait_ms(self, schedule: SnapshotSchedule, began: int) -> int:
        now = self.steady_clock()
        wait_ms = schedule.wait_ms(now)
        if self.sample_ms is None:
            return wait_ms
        return min(wait_ms, max(0, self.sample_ms - (now - began)))

    def _read(self) -> Awaitable[Snapshot | ReadFailure]:
        return read_in_thread(partial(self.take, self.clock()))

    def _client(self) -> AbstractAsyncContextManager[UploadClient]:
        return UploadClient.open(
            self.destination, timeout_seconds=self.timeout_seconds, clock=self.clock
        )

    async def _attempt(
        self, client: UploadClient, snapshot: Snapshot | ReadFailure, attempt: int
    ) -> UploadReport:
        report = await self._push(client, snapshot, attempt)
        self.on_report(report)
        return report

    async def _push(
        self, client: UploadClient, snapshot: Snapshot | ReadFailure, attempt: int
    ) -> UploadReport:
        if isinstance(snapshot, ReadFailure):
            return UploadReport(_UNREADABLE, error=snapshot.error)
        try:
            body = encode(snapshot, received_at=self.clock(), catalog=self.catalog)
        except ContractError as error:
            return UploadReport(NOT_SENT, error.findings)
        sent = await client.send(body)
        jitter = _RANDOM.uniform(*JITTER)
        decision = decide(sent.response, attempt=attempt, jitter=jitter, skew=sent.skew)
        lifetime_ms = None if sent.response is None else sent.response.lifetime_ms
        return UploadReport(decision, error=sent.error, lifetime_ms=lifetime_ms)
