"""The reference agents: `Agent` sends snapshots of a machine, `BufferedAgent` its sliding window.

`adapters.upload_client` sends and decides what a response means, `devicestatus.agent.uploads` when
the next upload follows, `devicestatus.agent.recorder` what a window contains; this module has the
clocks, the rounds, the waits and the checkpoint.

Invariant *nothing invalid is sent*: a snapshot that breaks a rule of the contract is not sent.
Invariant *readings never end it*: one that raises is reported and has no sample; in a window its
gap is `collection`, as is that of one that takes longer than `SILENCE_MS`.
Invariant *only fresh*: every attempt takes a new snapshot; an old one would be refused by its time.
Invariant *sampling goes on*: a round every two seconds, whatever an upload of a window does
meanwhile; a machine that slept notices it in the first round after, and uploads then if that is
due.
Invariant *battery and load every 30 s*: all other metrics are read every round of a window.
Invariant *checkpoint before upload*: when a service receives a batch, the checkpoint has its
number, so a session that is resumed never goes back.  A failure to write one is reported, and work
goes on.
Invariant *clock correction*: a correction that a response asks for is added to the time of all that
follows.  What a window has since the last accepted one has wrong times, and becomes a `clock` gap;
a step back by more than the generation lag begins a new session.
Invariant *awake in time*: no sleep is longer than `_LONGEST_SLEEP_MS`, because the timer of one
stands still while the machine sleeps.
Invariant *nothing private is reported*: a listener gets decisions, rule ids, and what the types of
exceptions mean; never the token, a body or the name of an app.  An exception of the caller's own
function, whose text may quote names, is passed on as such: only the default log has its traceback.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from functools import cached_property
from inspect import iscoroutine, iscoroutinefunction
from traceback import format_tb
from typing import Any, ClassVar, Final
from uuid import uuid4

import attrs

from devicestatus import limits
from devicestatus.adapters.checkpoint_file import CheckpointFile
from devicestatus.adapters.upload_client import (
    DEFAULT_TIMEOUT_SECONDS,
    Destination,
    UploadReport,
    send_upload,
)
from devicestatus.agent.delivery import Decision
from devicestatus.agent.privacy import PrivacyRules
from devicestatus.agent.recorder import (
    SILENCE_MS,
    Batch,
    Invalid,
    OutOfOrder,
    Recorded,
    Recorder,
    Unchanged,
)
from devicestatus.agent.uploads import UploadSchedule, WriteQuota
from devicestatus.errors import ContractError
from devicestatus.models import Snapshot
from devicestatus.music_urls import ITUNES, CatalogHosts
from devicestatus.parsing import Kind, encode
from status_contracts.adapters.clocks import MILLISECOND_NS, steady_clock, system_clock
from status_contracts.exchange import Clock
from status_contracts.instants import FIRST_INSTANT, SECOND_MS
from status_contracts.primitives import check_type

__all__ = ["Agent", "BufferedAgent", "Listener", "Sample"]

_SAMPLE_MS: Final = limits.SAMPLE_INTERVAL_SECONDS * SECOND_MS
_METRICS_MS: Final = limits.METRICS_INTERVAL_SECONDS * SECOND_MS
_CHECKPOINT_MS: Final = 30 * SECOND_MS
_LONGEST_SLEEP_MS: Final = 5 * SECOND_MS
_LOG: Final = logging.getLogger("devicestatus.agent")
_INVALID: Final = Decision("drop", None, "not sent: the service would refuse this snapshot")
_UNREADABLE: Final = Decision("drop", None, "not sent: this machine could not be read")


class Listener:
    """Receiver of the events of an agent: logs them as `devicestatus.agent`.

    An accepted upload is INFO, all else a warning.  A subclass that overrides `write` writes
    elsewhere; one that overrides another method handles the events itself.
    """

    @cached_property
    def _last(self) -> dict[str, list[str]]:
        """Kind of an event to the last one: its text, and where its exception was raised."""
        return {}

    def write(self, subject: str, text: str, level: int, exception: Exception | None) -> None:
        """Log a text and the traceback of an exception; `subject` is the kind of the event."""
        _LOG.log(level, "%s: %s", subject, text, exc_info=exception)

    def on_event(
        self,
        subject: str,
        text: str,
        *,
        then: str = "",
        level: int = logging.WARNING,
        exception: Exception | None = None,
    ) -> None:
        """Write a text and what follows, unless the text is the last one of its kind.

        The kinds are `upload`, `lifetime`, `sample`, `reading`, `checkpoint` and `clock`; that the
        clock was set back is always written.
        """
        event = [text, *format_tb(exception.__traceback__ if exception else None)]
        if self._last.get(subject) != event or subject == "clock":
            self.write(subject, text + then, level, exception)
        self._last[subject] = event

    def on_upload(self, report: UploadReport, wait_ms: int | None) -> None:
        """Handle the end of an upload; the next follows in `wait_ms`, None where there is none."""
        text, then = report.text, "" if wait_ms is None else f"; next in {wait_ms // SECOND_MS} s"
        if then and report.decision.correction_ms is not None:
            text += "; corrected for later uploads"
        if report.findings:
            text, then = "\n".join([text + then, *map(str, report.findings)]), ""
        level = logging.INFO if report.decision.action == "accepted" else logging.WARNING
        self.on_event("upload", text, then=then, level=level, exception=report.exception)


Sample = Callable[[int, Snapshot | None], Snapshot]
"""Returns a snapshot collected at a time; battery and load of an earlier one, if given, are reused.

May block, for it runs in a thread.  A part that cannot be read has its null value; where it raises
an exception, or takes longer than `SILENCE_MS` in a window, there is no sample.
"""


def _check_function(_: object, field: "attrs.Attribute[Any]", value: object) -> None:
    """Raise TypeError, with the remedy, for what is no function, or one that must be awaited."""
    if not callable(value):
        raise TypeError(f"{field.name}: must be a function, not {type(value).__name__}")
    if iscoroutinefunction(value) or iscoroutinefunction(type(value).__call__):
        raise TypeError(
            f"{field.name}: must be a plain function, not async: it runs in a thread, where it may"
            " block; call asyncio.run(...) in it"
        )


def _check_destination(
    agent: "_Uploader", _: "attrs.Attribute[Destination]", value: Destination
) -> None:
    remedy = f'pass Destination.from_url(url, token, upload="{agent.kind}")'
    check_type("destination", value, Destination, remedy)
    if value.upload != agent.kind:
        raise ValueError(f"destination: is one of uploads of a {value.upload}: {remedy}")


@attrs.define(eq=False, repr=False)
class _Uploader:
    """What both agents have."""

    kind: ClassVar[Kind]

    sample: Sample = attrs.field(validator=_check_function)
    destination: Destination = attrs.field(validator=_check_destination)
    listener: Listener = attrs.field(factory=Listener, kw_only=True)
    catalog: CatalogHosts = attrs.field(default=ITUNES, kw_only=True)
    clock: Clock = attrs.field(default=system_clock, kw_only=True)
    steady_clock: Clock = attrs.field(default=steady_clock, kw_only=True)
    timeout_seconds: float = attrs.field(default=DEFAULT_TIMEOUT_SECONDS, kw_only=True)
    sleep: Callable[[float], Awaitable[None]] = attrs.field(default=asyncio.sleep, kw_only=True)
    _schedule: UploadSchedule = attrs.field(factory=UploadSchedule, init=False)

    def now(self) -> int:
        """Return the time by the service's clock, as far as the difference is known."""
        return self.clock() + self._schedule.correction_ms

    def _send(self, body: bytes) -> Awaitable[UploadReport]:
        return send_upload(
            self.destination,
            body,
            attempt=self._schedule.attempt,
            timeout_seconds=self.timeout_seconds,
            clock=self.now,
        )

    async def _read(self, metrics: Snapshot | None = None) -> Snapshot | Exception:
        return await asyncio.to_thread(self._sample, metrics)

    def _sample(self, metrics: Snapshot | None) -> Snapshot | Exception:
        # A future cannot carry StopIteration: its awaiter would wait for ever.
        try:
            sample: object = self.sample(self.now(), metrics)
            if isinstance(sample, Snapshot):
                return sample
            fault = f"sample: must return a Snapshot, not {type(sample).__name__}"
            if iscoroutine(sample):
                sample.close()  # no warning that it was never awaited
                fault += ": make it a plain function, with asyncio.run(...) if needed"
            return TypeError(fault)
        except Exception as error:  # noqa: BLE001 - a reading may raise anything
            return error


@attrs.define(eq=False)
class Agent(_Uploader):
    """Takes snapshots and sends them.

    Attributes:
        sample: returns a sample; see `Sample`.
        interval_ms: time from one upload to the next without a change.
        sample_ms: time between two looks for a change, which is sent at once; None looks for none.
        listener: receives the events.
        clock: returns the time, ms since the epoch.
        steady_clock: returns ms since some instant; counts the time that the machine sleeps.
        timeout_seconds: time limit of one upload.
        sleep: waits for so many seconds.

    Raises:
        TypeError: an argument is of another type, or `sample` is an `async` function.
        ValueError: the destination is one of windows.

    """

    kind = "snapshot"

    interval_ms: int
    sample_ms: int | None = None

    def __attrs_post_init__(self) -> None:
        changes = None if self.sample_ms is None else WriteQuota()
        self._schedule = UploadSchedule(self.interval_ms, changes)

    async def run_once(self) -> Decision:
        """Send one snapshot."""
        report = await self._send_sample(await self._read())
        self.listener.on_upload(report, None)
        return report.decision

    async def run(self) -> Decision:
        """Send snapshots until the decision is `stop`; return it."""
        while True:
            began = self.steady_clock()
            sample = await self._read()
            snapshot = None if isinstance(sample, Exception) else sample
            if self._schedule.is_due(began, snapshot):
                self._schedule = self._schedule.after_start(began, snapshot)
                report = await self._send_sample(sample)
                self._report(report)
                if report.decision.action == "stop":
                    return report.decision
                self._schedule = self._schedule.after_decision(report.decision, self.steady_clock())
            await self._pause(began)

    async def _pause(self, began: int) -> None:
        """Sleep until an upload or the look after one that began is due."""
        while True:
            now = self.steady_clock()
            wait_ms = self._schedule.wait_ms(now)
            if self.sample_ms is not None:
                wait_ms = min(wait_ms, max(0, self.sample_ms - (now - began)))
            await self.sleep(min(wait_ms, _LONGEST_SLEEP_MS) / SECOND_MS)
            if wait_ms <= _LONGEST_SLEEP_MS:
                return

    def _report(self, report: UploadReport) -> None:
        wait_ms, is_last = report.decision.wait_ms, report.decision.action == "stop"
        regular_ms = None if is_last else self.interval_ms
        self.listener.on_upload(report, regular_ms if wait_ms is None else wait_ms)
        if report.lifetime_ms is not None and report.lifetime_ms < self.interval_ms:
            self.listener.on_event(
                "lifetime",
                f"a snapshot expires after {report.lifetime_ms // SECOND_MS} s, and the next one"
                f" follows after {self.interval_ms // SECOND_MS} s: the status is offline in"
                " between. Set STATUS_TTL_SECONDS=eco on the service, or use --mode realtime",
            )

    async def _send_sample(self, snapshot: Snapshot | Exception) -> UploadReport:
        if isinstance(snapshot, Exception):
            return UploadReport(_UNREADABLE, error=type(snapshot).__name__, exception=snapshot)
        try:
            body = encode(snapshot, received_at=self.now(), catalog=self.catalog)
        except ContractError as error:
            return UploadReport(_INVALID, error.findings)
        return await self._send(body)


def _awake_clock() -> int:
    """Return ms since some instant; stands still while the machine sleeps, except on Windows."""
    return time.monotonic_ns() // MILLISECOND_NS


def _checked_file(value: CheckpointFile | None) -> CheckpointFile | None:
    if value is not None:
        check_type("checkpoints", value, CheckpointFile, "pass CheckpointFile(path)")
    return value


@attrs.define(eq=False, repr=False)
class BufferedAgent(_Uploader):
    """Samples a machine and uploads its window until the decision is `stop`.

    Attributes as those of `Agent`, without its times, and:

    Attributes:
        rules: the privacy rules of the recorder.
        checkpoints: file for the recorder's checkpoint; None keeps it in memory alone.
        awake_clock: returns ms since some instant; counts only the time that the machine is awake,
            as far as the system can measure it.
        recorder: that of the checkpoint if it can be used, else a new one.

    Raises:
        TypeError: an argument is of another type, or `sample` is an `async` function.
        ValueError: the destination is one of snapshots.
        UnsafeCheckpoint: other users may have read or written the checkpoint.
        OSError: the checkpoint cannot be read.

    """

    kind = "window"

    rules: PrivacyRules = attrs.field(factory=PrivacyRules)
    checkpoints: CheckpointFile | None = attrs.field(
        default=None, kw_only=True, converter=_checked_file
    )
    awake_clock: Clock = attrs.field(default=_awake_clock, kw_only=True)
    recorder: Recorder = attrs.field(kw_only=True)
    _metrics: Snapshot | None = attrs.field(default=None, init=False)
    _metrics_at: int = attrs.field(default=0, init=False)
    _read_at: int | None = attrs.field(default=None, init=False)
    _saved_at: int | None = attrs.field(default=None, init=False)
    _accepted_until: int = attrs.field(init=False)

    @_accepted_until.default
    def _default_accepted_until(self) -> int:
        return self.recorder.last_observed_at or FIRST_INSTANT

    @recorder.default
    def _default_recorder(self) -> Recorder:
        saved = None if self.checkpoints is None else self.checkpoints.load()
        if saved is not None:
            resumed = Recorder.resume(saved, self.rules, now_ms=self.clock(), catalog=self.catalog)
            if isinstance(resumed, Recorder):
                return resumed
            text = f"a new session: the checkpoint cannot be used, {resumed}"
            self.listener.on_event("checkpoint", text)
        return self._new_recorder()

    def _new_recorder(self) -> Recorder:
        return Recorder(str(uuid4()), self.rules, catalog=self.catalog)

    async def run(self) -> Decision:
        """Work until the decision is `stop`; return it.

        Raises:
            UnsafeCheckpoint: another agent has claimed the checkpoint.

        """
        with nullcontext() if self.checkpoints is None else self.checkpoints.claimed():
            return await self._work()

    async def _work(self) -> Decision:
        upload: asyncio.Task[Decision] | None = None
        try:
            while True:
                began = self.steady_clock()
                await self._observe()
                if upload is not None and upload.done():
                    decision, upload = upload.result(), None
                    if decision.action == "stop":
                        return decision
                if upload is None and self._schedule.is_due(self.steady_clock()):
                    most_bytes = self._schedule.most_bytes
                    batch = self.recorder.batch(now_ms=self.now(), most_bytes=most_bytes)
                    if isinstance(batch, Batch):
                        await self._save_checkpoint()
                        upload = asyncio.create_task(self._upload(batch))
                saved_at, now = self._saved_at, self.steady_clock()
                if saved_at is None or now - saved_at >= _CHECKPOINT_MS:
                    await self._save_checkpoint()
                await self.sleep(max(0, began + _SAMPLE_MS - self.steady_clock()) / SECOND_MS)
        finally:
            if upload is not None:
                upload.cancel()
                await asyncio.gather(upload, return_exceptions=True)
            await self._save_checkpoint()

    async def _observe(self) -> None:
        sample = await self._read_or_reuse()
        before, self._read_at = self._read_at, self.awake_clock()
        awake_ms = 0 if before is None else self._read_at - before
        if awake_ms > SILENCE_MS or isinstance(sample, Exception):
            self.recorder.failed(self.now())
        if isinstance(sample, Exception):
            text = f"this machine could not be read ({type(sample).__name__})"
            self.listener.on_event("reading", text, exception=sample)
            return
        observed = self._record(sample)
        if isinstance(observed, OutOfOrder) and observed.by_ms > limits.GENERATION_LAG_MS:
            self.recorder = self._new_recorder()
            self._accepted_until = FIRST_INSTANT
            self.listener.on_event("clock", "the clock was set back: a new session begins")
            observed = self._record(sample)
        if isinstance(observed, Invalid):
            self._metrics = None  # battery or load may be invalid
            lines = ["a sample was not recorded:", *map(str, observed.findings)]
            self.listener.on_event("sample", "\n".join(lines))

    async def _read_or_reuse(self) -> Snapshot | Exception:
        """Read the machine; battery and load may be those of an earlier reading."""
        steady, awake = self.steady_clock(), self.awake_clock()
        metrics = self._metrics if steady - self._metrics_at < _METRICS_MS else None
        sample = await self._read(metrics)
        if isinstance(sample, Exception):
            return sample
        if self.awake_clock() - awake > SILENCE_MS:
            return TimeoutError()  # its values may be as old
        if metrics is None:
            self._metrics, self._metrics_at = sample, steady
        return sample

    def _record(self, sample: Snapshot) -> Recorded | Unchanged | OutOfOrder | Invalid:
        return self.recorder.observe(sample, wall_ms=self.now(), monotonic_ms=self.steady_clock())

    async def _upload(self, batch: Batch) -> Decision:
        self._schedule = self._schedule.after_start(self.steady_clock())
        report = await self._send(batch.body)
        decision = report.decision
        self._schedule = self._schedule.after_decision(decision, self.steady_clock())
        recorded_until = self.recorder.last_observed_at
        if decision.action == "accepted":
            self._accepted_until = batch.window.window_end
        elif decision.correction_ms is not None and recorded_until is not None:
            self.recorder.add_gap(self._accepted_until, recorded_until, "clock")
        self.listener.on_upload(report, decision.wait_ms)
        return decision

    async def _save_checkpoint(self) -> None:
        if self.checkpoints is None:
            return
        self._saved_at = self.steady_clock()
        try:
            checkpoint = self.recorder.checkpoint(now_ms=self.now())
            await asyncio.to_thread(self.checkpoints.save, checkpoint)
        except OSError as error:
            text = f"the checkpoint cannot be written: {error.strerror}"
            self.listener.on_event("checkpoint", text)
