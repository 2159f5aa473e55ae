"""The agent: a loop around the pure engines, as a program on the device would run it.

It samples, keeps a checkpoint on disk (every three minutes, and before each window that it sends),
and sends a window when its schedule says so.  It can be killed at any moment; then only the disk is
left.
"""

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Final

import attrs

from devicestatus.agent import delivery
from devicestatus.agent.checkpoint import NotResumed
from devicestatus.agent.recorder import Batch, Invalid, NotReady, OutOfOrder, Recorder
from devicestatus.agent.uploads import UploadSchedule
from devicestatus.errors import STATUS_OF
from devicestatus.models import Snapshot
from simulation import invariants
from simulation.context import Context
from simulation.machine import Machine
from simulation.server import SentResponse
from status_contracts.instants import MINUTE_MS, SECOND_MS
from status_contracts.messages import Request
from support.devicestatus.examples import JSON_HEADERS

_TIMEOUT_MS: Final = 30 * SECOND_MS
_CHECKPOINT_MS: Final = 3 * MINUTE_MS
_PATIENCE_MS: Final = 120 * SECOND_MS
"""A clock that was set back by more than this begins a new session; by less, it catches up."""
_UPLOAD: Final = Request("POST", b"/api/batch", JSON_HEADERS)

Send = Callable[[Request, bytes, Callable[[SentResponse], object]], None]
"""Sends a request with its body; what comes back is handed over, if anything does."""


@attrs.define
class Disk:
    """The state that outlives the agent."""

    checkpoint: bytes = b""
    session_id: str = ""
    samples: int = 0
    correction_ms: int = 0


@attrs.define
class Odds:
    """Chances of failures of one sample."""

    failed: float = 0.0
    invalid: float = 0.0


class Agent:
    """One process; `kill` it and make another with the same disk."""

    def __init__(
        self, machine: Machine, disk: Disk, context: Context, random: Random, send: Send
    ) -> None:
        self.odds = Odds()
        self.is_stopped = False
        self._machine = machine
        self._disk = disk
        self._context = context
        self._calendar = context.calendar
        self._truth = context.truth
        self._random = random
        self._send = send
        self._schedule = UploadSchedule(correction_ms=disk.correction_ms)
        self._recorder = self._begun()
        self._refused_bytes: int | None = None
        self._flight = 0
        self._in_flight = False
        self._checkpoint_at = 0

    # Beginning

    def _begun(self) -> Recorder:
        disk, rules = self._disk, self._machine.policy.rules
        self._rules = rules
        found: Recorder | NotResumed = NotResumed("unreadable")
        if disk.checkpoint:
            found = Recorder.resume(disk.checkpoint, rules, now_ms=self._now)
        if isinstance(found, Recorder):
            self._truth.of(disk.session_id).go_back(disk.samples)
            self._note(f"resumes {found.session_id[:8]}/{found.batch_seq}")
            return found
        return self._created(f"begins anew: {found.reason}")

    def _created(self, why: str) -> Recorder:
        self._rules = self._machine.policy.rules
        recorder = Recorder(self._new_session(), self._rules)
        self._note(f"{why}: session {recorder.session_id[:8]}")
        return recorder

    def _new_session(self) -> str:
        digits = f"{self._random.getrandbits(128):032x}"
        return "-".join(digits[start:end] for start, end in pairwise((0, 8, 12, 16, 20, 32)))

    # Sampling

    @property
    def _now(self) -> int:
        return self._machine.clock.wall + self._schedule.correction_ms

    def tick(self) -> None:
        """Take a sample, and do what is due."""
        if self._random.random() < self.odds.failed:
            self._failed()
        elif self._random.random() < self.odds.invalid:
            self._observe(self._machine.spoil())
        else:
            self._observe(self._machine.look())
        self._go_on()

    def rush(self, changes: int) -> None:
        """Observe many changes at once."""
        for _ in range(changes):
            self._observe(self._machine.hurry())

    def _failed(self) -> None:
        wall = self._now
        self._recorder.failed(wall)
        self._truth.of(self._recorder.session_id).failed(wall)

    def _observe(self, sample: Snapshot) -> None:
        wall = self._now
        outcome = self._recorder.observe(
            sample, wall_ms=wall, monotonic_ms=self._machine.clock.monotonic
        )
        truth = self._truth.of(self._recorder.session_id)
        if isinstance(outcome, Invalid):
            truth.failed(wall)
        elif not isinstance(outcome, OutOfOrder):
            truth.sampled(wall, self._calendar.now, self._machine.public(sample))
        elif outcome.by_ms > _PATIENCE_MS:
            self._recorder = self._created(f"clock set back by {outcome.by_ms}")

    def change_rules(self) -> None:
        """Put the machine's policy in force."""
        if self._machine.policy.rules != self._rules:
            self._recorder = self._created("other rules")

    def _go_on(self) -> None:
        now = self._machine.clock.monotonic
        if self._schedule.is_due(now) and not self._in_flight and not self.is_stopped:
            self._upload()
        if now >= self._checkpoint_at:
            self._write_checkpoint()

    def _write_checkpoint(self) -> None:
        recorder, disk = self._recorder, self._disk
        self._checkpoint_at = self._machine.clock.monotonic + _CHECKPOINT_MS
        disk.checkpoint = recorder.checkpoint(now_ms=self._now)
        disk.session_id = recorder.session_id
        disk.samples = len(self._truth.of(recorder.session_id).walls)
        invariants.no_private_names_sent(disk.checkpoint, self._private, "checkpoint")

    @property
    def _private(self) -> tuple[bytes, ...]:
        return tuple(canary.encode() for canary in self._machine.policy.canaries)

    # Sending

    def _upload(self) -> None:
        batch = self._recorder.batch(now_ms=self._now, most_bytes=self._schedule.most_bytes)
        if isinstance(batch, NotReady):
            return
        self._schedule = self._schedule.after_start(self._machine.clock.monotonic)
        self._write_checkpoint()
        invariants.batches_are_accepted(batch)
        invariants.no_private_names_sent(batch.body, self._private, "request")
        self._fly(batch)

    def _fly(self, batch: Batch) -> None:
        invariants.too_large_windows_become_smaller(self._refused_bytes, len(batch.body))
        self._flight += 1
        flight, sent_at, size = self._flight, self._now, len(batch.body)
        self._in_flight = True
        self._note(f"sends {batch.window.session_id[:8]}/{batch.window.batch_seq}, {size} bytes")

        def land(answered: SentResponse | None) -> None:
            if flight == self._flight and self._in_flight:
                self._in_flight = False
                self._land(answered if self._machine.is_awake else None, sent_at, size)

        self._send(_UPLOAD, batch.body, land)
        self._calendar.after(_TIMEOUT_MS, lambda: land(None))

    def _land(self, answered: SentResponse | None, sent_at: int, size: int) -> None:
        answer: delivery.UploadResponse | None = None
        skew = None
        if answered is not None:
            response = answered.response
            answer = delivery.parse_response(response.status, response.body, answered.date)
            skew = delivery.estimate_skew(answer.date_ms, sent_at=sent_at, received_at=self._now)
            if response.status == STATUS_OF["payload_too_large"]:
                self._refused_bytes = size
        decision = delivery.decide(
            answer,
            upload="window",
            attempt=self._schedule.attempt,
            jitter=self._random.uniform(*delivery.JITTER),
            skew=skew,
            sent_bytes=size,
        )
        self._schedule = self._schedule.after_decision(decision, self._machine.clock.monotonic)
        self._disk.correction_ms = self._schedule.correction_ms
        self.is_stopped = decision.action == "stop"
        self._note(f"{decision.action}, waits {decision.wait_ms} ms")

    def kill(self) -> None:
        """End the process: what is under way comes to nothing."""
        self._in_flight = False
        self._flight += 1

    def _note(self, what: str) -> None:
        self._context.note("agent", what)
