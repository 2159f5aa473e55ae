"""The buffered reference agent: samples one machine, uploads its sliding window.

What a window holds is decided in `devicestatus.agent.recorder`, what an answer means in
`devicestatus.agent.delivery`, when the next upload follows in `devicestatus.agent.uploads`; here
are the clocks, the rounds, HTTP and the checkpoint.
Source: device-status specification, "What the service does", "WindowPolicy", "POST /api/batch";
rulings under "Agent window".

Invariant *sampling goes on*: a round every two seconds, whatever an upload does meanwhile; a
machine that slept notices it in the first round after, and uploads then if that is due.
Invariant *no reading ends it*: one that raises, or takes longer than a silence may, is told and has
no sample; what could not be seen while the machine was awake is `collection`, not `sleep`.
Invariant *metrics in their own time*: battery and load are read every 30 s, all else every round.
Invariant *written down before it is sent*: when a service sees a batch, the checkpoint holds its
number, so a session that is resumed never goes back.  One that cannot be written is told, and work
goes on.
Invariant *a wrong clock is put right here*: a correction that an answer asks for is added to the
time of all that follows.  A step back by more than a batch may wait begins a new session.
Invariant *nothing private is told*: what is told has decisions, rule ids, and the names of
exception types; never a token, a body or the name of an app.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from secrets import SystemRandom
from typing import Final, Protocol
from uuid import uuid4

import attrs

from devicestatus import limits
from devicestatus.adapters.checkpoint_file import CheckpointFile
from devicestatus.adapters.reading_timeout import Unread, look
from devicestatus.adapters.upload_client import PATIENCE_SECONDS, Destination, Sender
from devicestatus.agent.delivery import JITTER, Decision, decide
from devicestatus.agent.privacy import PrivacyRules
from devicestatus.agent.recorder import (
    SILENCE_MS,
    Backwards,
    Batch,
    Invalid,
    Kept,
    Recorder,
    Unchanged,
)
from devicestatus.agent.uploads import Uploads
from devicestatus.models.snapshot import Snapshot
from devicestatus.validation.music_urls import ITUNES, CatalogHosts
from purewire.adapters.clocks import steady_clock, system_clock
from purewire.exchange.effects import Clock
from purewire.findings import Finding
from purewire.instants import SECOND_MS

__all__ = ["BufferedAgent", "Listener", "Sample", "new_recorder"]

_SAMPLE_MS: Final = limits.SAMPLE_INTERVAL_SECONDS * SECOND_MS
_METRICS_MS: Final = limits.METRICS_INTERVAL_SECONDS * SECOND_MS
_CHECKPOINT_MS: Final = 30 * SECOND_MS
_NANOSECONDS: Final = 1_000_000  # in a millisecond
_RANDOM: Final = SystemRandom()

Sample = Callable[[int, Snapshot | None], Snapshot]
"""Gives a snapshot collected at a time; of an earlier one, if given, battery and load still hold.

May block, for it runs in a thread.  A part that cannot be read has its null value; where it raises
an exception, or takes longer than `SILENCE_MS`, there is no sample.
"""


def _awake_clock() -> int:
    """Give ms since some instant; stands still while the machine sleeps, but on Windows."""
    return time.monotonic_ns() // _NANOSECONDS


class Listener(Protocol):
    """Who is told what becomes of an agent's work."""

    def uploaded(self, decision: Decision, fault: str | None) -> None:
        """Hear of an upload; `fault` is the type of exception in place of an answer."""

    def refused(self, findings: tuple[Finding, ...]) -> None:
        """Hear of a sample that the contract does not take."""

    def unread(self, fault: str) -> None:
        """Hear of a reading that failed; `fault` is the type of what it raised."""

    def restarted(self) -> None:
        """Hear that the clock went back, so that a new session begins."""

    def unwritten(self, fault: OSError) -> None:
        """Hear of a checkpoint that could not be written; work goes on without."""


def new_recorder(rules: PrivacyRules, catalog: CatalogHosts = ITUNES) -> Recorder:
    """Give the recorder of a new session."""
    return Recorder.create(str(uuid4()), rules, catalog=catalog)


@attrs.define(eq=False, repr=False)
class BufferedAgent:
    """Samples a machine and uploads its window, until only a person can help.

    Attributes:
        sample: reads the machine.
        recorder: where samples go; new, or resumed from a checkpoint.
        rules: the privacy rules of the recorder.
        destination: where windows go.
        listener: is told what happens.
        checkpoints: where the recorder is written down; None keeps it in memory alone.
        catalog: the music catalog's hosts, as the service has them.
        wall: gives the time, ms since the epoch.
        steady: gives ms since some instant; counts the time that the machine sleeps.
        awake: gives ms since some instant; counts only the time that it does not, as far as the
            system can tell.
        patience_seconds: how long one upload may take.
        pause: waits for a number of seconds.
        uploads: how far the uploads are.

    """

    sample: Sample
    recorder: Recorder
    rules: PrivacyRules
    destination: Destination
    listener: Listener
    checkpoints: CheckpointFile | None = None
    catalog: CatalogHosts = ITUNES
    wall: Clock = system_clock
    steady: Clock = steady_clock
    awake: Clock = _awake_clock
    patience_seconds: float = PATIENCE_SECONDS
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    uploads: Uploads = attrs.field(factory=Uploads)
    _metrics: Snapshot | None = attrs.field(default=None, init=False)
    _metrics_at: int = attrs.field(default=0, init=False)
    _looked_at: int | None = attrs.field(default=None, init=False)
    _written_at: int | None = attrs.field(default=None, init=False)

    async def run(self) -> Decision:
        """Work until only a person can help; give the decision that says so."""
        async with Sender.opened(
            self.destination, patience_seconds=self.patience_seconds, clock=self.now
        ) as sender:
            upload: asyncio.Task[Decision] | None = None
            try:
                while True:
                    began = self.steady()
                    await self._observe()
                    if upload is not None and upload.done():
                        decision, upload = upload.result(), None
                        if decision.action == "stop":
                            return decision
                    if upload is None and (batch := self._batch()) is not None:
                        await self._write_down()
                        upload = asyncio.create_task(self._upload(sender, batch))
                    await self._write_down_in_time()
                    spent_ms = self.steady() - began
                    await self.pause(max(0, _SAMPLE_MS - spent_ms) / SECOND_MS)
            finally:
                if upload is not None:
                    upload.cancel()
                    await asyncio.gather(upload, return_exceptions=True)
                await self._write_down()

    def now(self) -> int:
        """Give the time as the service has it, as far as that is known."""
        return self.wall() + self.uploads.correction_ms

    async def _observe(self) -> None:
        sample = await self._read()
        if self._was_kept_waiting() or isinstance(sample, Unread):
            self.recorder.failed(self.now())
        if isinstance(sample, Unread):
            self.listener.unread(sample.fault)
            return
        observed = self._recorded(sample)
        if isinstance(observed, Backwards) and observed.by_ms > limits.GENERATION_LAG_MS:
            self.recorder = new_recorder(self.rules, self.catalog)
            self.listener.restarted()
            observed = self._recorded(sample)
        if isinstance(observed, Invalid):
            self._metrics = None  # they may be what is wrong with it
            self.listener.refused(observed.findings)

    async def _read(self) -> Snapshot | Unread:
        steady, awake = self.steady(), self.awake()
        metrics = self._metrics if steady - self._metrics_at < _METRICS_MS else None
        found = await look(partial(self.sample, self.now(), metrics))
        if isinstance(found, Unread):
            return found
        if self.awake() - awake > SILENCE_MS:
            return Unread(TimeoutError.__name__)  # what it gives may be as old
        if metrics is None:
            self._metrics, self._metrics_at = found, steady
        return found

    def _was_kept_waiting(self) -> bool:
        """Tell whether the machine was awake for longer than a silence since the last reading."""
        before, self._looked_at = self._looked_at, self.awake()
        return before is not None and self._looked_at - before > SILENCE_MS

    def _recorded(self, sample: Snapshot) -> Kept | Unchanged | Backwards | Invalid:
        return self.recorder.observe(sample, wall_ms=self.now(), monotonic_ms=self.steady())

    def _batch(self) -> Batch | None:
        """Give the batch that is to be sent now, if one is."""
        if not self.uploads.is_due(self.steady()):
            return None
        batch = self.recorder.batch(now_ms=self.now(), most_bytes=self.uploads.most_bytes)
        return batch if isinstance(batch, Batch) else None

    async def _upload(self, sender: Sender, batch: Batch) -> Decision:
        self.uploads = self.uploads.begun(self.steady())
        sent = await sender.send(batch.body)
        decision = decide(
            sent.answer,
            upload="window",
            attempt=self.uploads.attempt,
            jitter=_RANDOM.uniform(*JITTER),
            skew=sent.skew,
            sent_bytes=len(batch.body),
        )
        self.uploads = self.uploads.settled(decision, self.steady())
        self.listener.uploaded(decision, sent.fault)
        return decision

    async def _write_down_in_time(self) -> None:
        if self._written_at is None or self.steady() - self._written_at >= _CHECKPOINT_MS:
            await self._write_down()

    async def _write_down(self) -> None:
        if self.checkpoints is None:
            return
        self._written_at = self.steady()
        try:
            await asyncio.to_thread(
                self.checkpoints.save, self.recorder.checkpoint(now_ms=self.now())
            )
        except OSError as fault:
            self.listener.unwritten(fault)
