"""The recorder of a device: samples in, batches out, without a clock, I/O or randomness.

Invariant *rules first*: the privacy rules are applied to a sample before anything else, so a hidden
name is in no attribute, result or message of the recorder.
Invariant *a refused sample changes nothing*.
Invariant *always a valid batch*: the result of `batch` is valid by the contract and within the
body's limit; `dropped_events` counts, over the session, the events folded into the baseline for
their number or size, not for their age.
Instants outside the years 0001 to 9999, and numbers that look like seconds
(`status_contracts.instants.SECONDS`), are refused where they are observed; the former are left out
of gaps, and make a batch `ahead` or `stale`.  A clock that is not set, which begins at the epoch,
is not refused for 11 days: the service's answers say how far it is off.
"""

from typing import Final, Literal, Self, get_args

import attrs

from devicestatus import limits
from devicestatus.agent.checkpoint import (
    Checkpoint,
    NotResumed,
    encode_checkpoint,
    parse_checkpoint,
)
from devicestatus.agent.cleaning import drop_invisible
from devicestatus.agent.history import History
from devicestatus.agent.privacy import PrivacyRules
from devicestatus.cross_field import RULES, snapshot_findings
from devicestatus.models import (
    GapReason,
    SessionId,
    Snapshot,
    Window,
    WindowChanges,
    WindowEvent,
    WindowGap,
    changed_members,
    present_members,
)
from devicestatus.music_urls import ITUNES, CatalogHosts
from devicestatus.parsing import check_snapshot
from status_contracts import json_text
from status_contracts.findings import Finding
from status_contracts.instants import (
    FIRST_INSTANT,
    LAST_INSTANT,
    SECONDS,
    check_duration,
    check_instant,
    check_milliseconds,
)
from status_contracts.structuring.converter import to_checkable, unstructure
from status_contracts.structuring.decoder import ModelDecoder

__all__ = [
    "CLOCK_DISAGREEMENT_MS",
    "SILENCE_MS",
    "Batch",
    "Invalid",
    "NotReady",
    "OutOfOrder",
    "Recorded",
    "Recorder",
    "Unchanged",
]

CLOCK_DISAGREEMENT_MS: Final = 5_000
"""Tolerated difference of wall clock and monotonic clock between two observations, included."""
SILENCE_MS: Final = 30_000
"""Time between two observations, included, after which the state is no longer known throughout."""

_WALL_FINDING: Final = Finding(
    "/wall_ms",
    "time.format",
    "must be an int of milliseconds since the epoch, and no seconds: "
    "pass int(time.time() * 1000), or set the clock",
)
_DEFAULT_RULES: Final = PrivacyRules()
_SNAPSHOTS: Final = ModelDecoder(Snapshot)


@attrs.frozen
class Recorded:
    """A sample that was recorded; the event is None for the first, which is the baseline."""

    event: WindowEvent | None


@attrs.frozen
class Unchanged:
    """A sample equal to the last: the window extends to it without an event."""


@attrs.frozen
class OutOfOrder:
    """A refused sample: the wall clock is `by_ms` before the last observation."""

    by_ms: int


@attrs.frozen
class Invalid:
    """A refused sample: its public part breaks rules of the contract; findings quote nothing."""

    findings: tuple[Finding, ...]


@attrs.frozen
class Batch:
    """A window, and its JSON text: the body of `POST /api/batch`."""

    window: Window
    body: bytes = attrs.field(repr=False)


@attrs.frozen
class NotReady:
    """No batch: there is no observation, or the last is over 30 s ago, or later than now."""

    reason: Literal["no-observation", "stale", "ahead"]


def _check_session(_: object, __: object, session_id: str) -> None:
    is_text = type(session_id) is str
    if not is_text or get_args(SessionId)[1].expression.fullmatch(session_id) is None:
        raise ValueError("the session id must be a lowercase UUID as text: pass str(uuid4())")


@attrs.define(eq=False)
class Recorder:
    """Records samples of one device; `resume` returns that of a checkpoint.

    Attributes:
        session_id: a new random UUID, lowercase, from the caller; else ValueError.
        rules: the privacy rules; other rules need another recorder, and so another session.
        catalog: the music catalog's hosts.
        batch_seq: number of the last batch in the session; 0 before the first.

    """

    session_id: str = attrs.field(validator=_check_session)
    _rules: PrivacyRules = attrs.field(default=_DEFAULT_RULES, repr=False)
    _catalog: CatalogHosts = attrs.field(default=ITUNES, kw_only=True, repr=False)
    batch_seq: int = attrs.field(default=0, kw_only=True)
    _seq: int = attrs.field(default=0, kw_only=True, repr=False)
    _history: History | None = attrs.field(default=None, kw_only=True, repr=False)
    _measured_at: int | None = attrs.field(default=None, init=False, repr=False)
    _is_failing: bool = attrs.field(default=False, init=False, repr=False)

    @property
    def last_observed_at(self) -> int | None:
        """Instant of the last observation, ms since the epoch; None before the first."""
        return None if self._history is None else self._history.end

    def observe(
        self, sample: Snapshot, *, wall_ms: int, monotonic_ms: int
    ) -> Recorded | Unchanged | OutOfOrder | Invalid:
        """Record a sample; several may have the same time.

        Names and titles of which nothing is visible are recorded as none.  A sample without
        `running_apps` after one with them is recorded as one without any.

        After the wall clock was set back the result is `OutOfOrder` until it passes the last
        observation again, and then there is a `clock` gap.

        Args:
            sample: the raw sample, with names as their sources gave them; the rules are applied
                here.  Its `collected_at` is ignored.
            wall_ms: the present, ms since the epoch, as int; seconds are refused.
            monotonic_ms: a clock that is never set and counts suspended time, in ms; where it
                begins again, as after a reboot, there is a `restart` gap.

        Raises:
            TypeError: `monotonic_ms` is not an int.

        """
        check_duration("monotonic_ms", monotonic_ms)
        history = self._history
        is_int = type(wall_ms) is int
        if is_int and history is not None and wall_ms < history.end:
            return OutOfOrder(history.end - wall_ms)
        if not is_int or wall_ms in SECONDS or not FIRST_INSTANT <= wall_ms <= LAST_INSTANT:
            changes: WindowChanges | Invalid = Invalid((_WALL_FINDING,))
        else:
            changes = self._changes(sample, wall_ms)
        if isinstance(changes, Invalid):
            self._is_failing = True
            return changes
        if history is None:
            self._history = History.begin(wall_ms, changes)
        else:
            last = history.end
            reason = self._gap_reason(wall_ms - last, monotonic_ms)
            history.advance(wall_ms)
            if reason is not None:
                history.add_gap(last, wall_ms, reason)
        self._measured_at, self._is_failing = monotonic_ms, False
        if history is None:
            return Recorded(None)
        if not present_members(changes):
            return Unchanged()
        self._seq += 1
        event = WindowEvent(self._seq, history.end, changes)
        history.append(event)
        return Recorded(event)

    def failed(self, wall_ms: int) -> None:
        """Note that a reading failed, at a time in ms: a silence around it is `collection`.

        One before the last observation, by a wall clock that was set back, is ignored.
        """
        check_instant("wall_ms", wall_ms)
        last = self.last_observed_at
        if last is not None and wall_ms >= last:
            self._is_failing = True

    def add_gap(self, start_ms: int, end_ms: int, reason: GapReason) -> None:
        """Add a gap: nothing was observed in [start_ms, end_ms).

        A part before the window is ignored, and a part ahead counts when the window gets there; an
        empty interval is no gap, and neither is one before all observations.

        Raises:
            TypeError: an end is not an int.
            ValueError: the reason is not one of the contract's, or an end looks like seconds.

        """
        check_milliseconds("start_ms", start_ms)
        check_milliseconds("end_ms", end_ms)
        if reason not in get_args(GapReason):
            raise ValueError(f"the reason of a gap must be one of {', '.join(get_args(GapReason))}")
        if self._history is not None:
            self._history.add_gap(start_ms, end_ms, reason)

    def batch(self, *, now_ms: int, most_bytes: int = limits.BATCH_BODY_BYTES) -> Batch | NotReady:
        """Return the window up to the last observation, as the next batch of the session.

        Args:
            now_ms: the present, ms since the epoch, as int.
            most_bytes: maximum length of the body.  Events folded for it are missing from later
                batches too.  Below `limits.BATCH_BODY_BYTES_LEAST` the body may be longer, and then
                has no events.

        Raises:
            TypeError: `now_ms` is not an int; no batch number is used up.

        """
        check_instant("now_ms", now_ms)
        history = self._history
        if history is None:
            return NotReady("no-observation")
        if now_ms < history.end:
            return NotReady("ahead")
        if now_ms > min(history.end + limits.GENERATION_LAG_MS, LAST_INSTANT):
            return NotReady("stale")
        history.shrink_to(min(most_bytes, limits.BATCH_BODY_BYTES))
        self.batch_seq += 1
        window = history.window(self.session_id, self.batch_seq, now_ms)
        return Batch(window, json_text.encode(unstructure(window)))

    def checkpoint(self, *, now_ms: int) -> bytes:
        """Return the state for `resume`, public parts only, at most `MAX_CHECKPOINT_BYTES`."""
        check_instant("now_ms", now_ms)
        history, ahead = self._history, tuple[WindowGap, ...]()
        window = None
        if history is not None:
            window = history.window(self.session_id, self.batch_seq + 1, history.end)
            ahead = history.gaps_ahead()
        return encode_checkpoint(
            Checkpoint(
                saved_at=now_ms,
                fingerprint=self._rules.fingerprint,
                session_id=self.session_id,
                batch_seq=self.batch_seq,
                seq=self._seq,
                window=window,
                ahead=ahead,
            )
        )

    @classmethod
    def resume(
        cls,
        checkpoint: bytes,
        rules: PrivacyRules = _DEFAULT_RULES,
        *,
        now_ms: int,
        catalog: CatalogHosts = ITUNES,
    ) -> Self | NotResumed:
        """Return the recorder of a checkpoint; its first observation records a `restart` gap.

        Args:
            checkpoint: the result of `checkpoint`, or any bytes.
            rules: the privacy rules in force.
            now_ms: the present, ms since the epoch.
            catalog: the music catalog's hosts.

        """
        check_instant("now_ms", now_ms)
        parsed = parse_checkpoint(
            checkpoint, fingerprint=rules.fingerprint, now_ms=now_ms, catalog=catalog
        )
        if isinstance(parsed, NotResumed):
            return parsed
        window, ahead = parsed.window, parsed.ahead
        history = None if window is None else History.of_window(window, ahead)
        return cls(
            parsed.session_id,
            rules,
            catalog=catalog,
            batch_seq=parsed.batch_seq,
            seq=parsed.seq,
            history=history,
        )

    def _changes(self, sample: Snapshot, wall_ms: int) -> WindowChanges | Invalid:
        """Return the members that the public part of a sample changes; all for the first."""
        try:
            public = drop_invisible(self._rules.public(sample))
            plain = to_checkable(attrs.evolve(public, collected_at=wall_ms))
        except (ArithmeticError, AttributeError, TypeError, ValueError):
            # The sample has values of other types; `check_snapshot` says which.
            is_sample = isinstance(sample, Snapshot)
            raw = attrs.evolve(sample, collected_at=wall_ms) if is_sample else sample
            return Invalid(check_snapshot(raw) or (Finding("", "type", RULES["type"]),))
        state, findings = _SNAPSHOTS.validate(plain)
        if state is not None:
            findings = tuple(snapshot_findings(state, None, self._catalog))
        if state is None or findings:
            return Invalid(findings)
        current = {} if self._history is None else self._history.current
        members = present_members(state)
        if "running_apps" in current:  # an event cannot take a member away
            members = {"running_apps": (), **members}
        return WindowChanges(**changed_members(current, members))

    def _gap_reason(self, passed_ms: int, monotonic_ms: int) -> GapReason | None:
        """Return why the time since the last observation is unknown; None where it is known."""
        if self._measured_at is None or monotonic_ms < self._measured_at:
            return "restart"
        measured_ms = monotonic_ms - self._measured_at
        if abs(passed_ms - measured_ms) > CLOCK_DISAGREEMENT_MS:
            return "clock"
        if measured_ms > SILENCE_MS:
            return "collection" if self._is_failing else "sleep"
        return None
