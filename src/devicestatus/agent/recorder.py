"""The recorder of a device: samples in, batches out, without a clock, I/O or randomness.

Invariant *public before kept*: the privacy rules are applied to a sample before anything else is
done with it, so that a name they hide is in nothing the recorder holds, gives or says.
Invariant *changes only*: a sample equal to the last adds no event; the first becomes the baseline.
Invariant *not told is not changed*: changes cannot say that the running apps are told no longer, so
where a sample has none the last ones stand.
Invariant *refused is untouched*: a sample that steps back in time or breaks a rule of the contract
changes nothing of what is recorded.
Invariant *always a batch*: whatever was told, what `batch` gives is valid by the contract and
within the body's limit; `dropped_events` counts, over the session, the events that were folded into
the baseline for their number or size, not those that grew too old.
Invariant *no time is made up*: where two clocks, a silence or a restart say that something was
missed, there is a gap from the last observation to this one.
Numbers: a session cannot run out of them (`devicestatus.agent.checkpoint`, *room for numbers*).
Instants
outside the years 0001 to 9999 are refused where they are observed, left out of gaps, and make a
batch `ahead` or `stale`.
Source: device-status specification, "Window (v2 record, WindowInput)", "POST /api/batch"; rulings
under "Agent window".
"""

from collections.abc import Iterable
from typing import Final, Literal, Self, get_args

import attrs

from devicestatus import limits
from devicestatus.agent.checkpoint import Checkpoint, NotResumed, read_checkpoint, write_checkpoint
from devicestatus.agent.gaps import GapList
from devicestatus.agent.history import History, given_in
from devicestatus.agent.privacy import PrivacyRules
from devicestatus.models.snapshot import Snapshot
from devicestatus.models.window import (
    GapReason,
    SessionId,
    Window,
    WindowChanges,
    WindowEvent,
    WindowGap,
)
from devicestatus.validation.cross_field import snapshot_findings
from devicestatus.validation.music_urls import ITUNES, CatalogHosts
from devicestatus.validation.rule_ids import RULES
from purewire.findings import Finding
from purewire.instants import FIRST_INSTANT, LAST_INSTANT
from purewire.structuring.decoder import ModelDecoder
from purewire.structuring.to_builtins import to_plain

__all__ = [
    "CLOCK_DISAGREEMENT_MS",
    "SILENCE_MS",
    "Backwards",
    "Batch",
    "Invalid",
    "Kept",
    "NotReady",
    "NotReadyReason",
    "Recorder",
    "Unchanged",
    "resume",
]

CLOCK_DISAGREEMENT_MS: Final = 5_000
"""Wall clock and monotonic clock may move apart by this between two observations, included."""
SILENCE_MS: Final = 30_000
"""Time between two observations, included, after which the state is no longer known throughout."""

NotReadyReason = Literal["no-observation", "stale", "ahead"]

_OPEN: Final = PrivacyRules()

_ALWAYS_TOLD: Final = frozenset({"active_app", "battery", "system", "music"})
"""The members that every snapshot has."""
_CHANGES: Final = ModelDecoder(WindowChanges, cap=limits.FINDINGS_CAP)


@attrs.frozen
class Kept:
    """A sample that was recorded; the event is None for the first, which is the baseline."""

    event: WindowEvent | None


@attrs.frozen
class Unchanged:
    """A sample equal to the last: the window reaches to it, and has no event for it."""


@attrs.frozen
class Backwards:
    """A refused sample: the wall clock is so many milliseconds before the last observation."""

    by_ms: int


@attrs.frozen
class Invalid:
    """A refused sample: its public part breaks rules of the contract; findings quote nothing."""

    findings: tuple[Finding, ...]


@attrs.frozen
class Batch:
    """A window, and its text: the body of `POST /api/batch`."""

    window: Window
    body: bytes = attrs.field(repr=False)


@attrs.frozen
class NotReady:
    """No batch can be made now, and why.

    `no-observation`: there was none yet; `stale`: the last one is more than 30 s ago; `ahead`: it
    is later than now.
    """

    reason: NotReadyReason


def _check_session(_: object, __: object, session_id: str) -> None:
    if get_args(SessionId)[1].expression.fullmatch(session_id) is None:
        raise ValueError("a session id is a lowercase UUID")


@attrs.define(eq=False, repr=False)
class Recorder:
    """Records samples of one device; make it with `create`, or with `resume` after a restart."""

    _session_id: str = attrs.field(validator=_check_session)
    _rules: PrivacyRules
    _catalog: CatalogHosts
    _batch_seq: int = 0
    _seq: int = 0
    _history: History | None = None
    _measured_at: int | None = attrs.field(default=None, init=False)
    _is_failing: bool = attrs.field(default=False, init=False)

    @classmethod
    def create(
        cls, session_id: str, rules: PrivacyRules = _OPEN, *, catalog: CatalogHosts = ITUNES
    ) -> Self:
        """Give a recorder that has seen nothing.

        Args:
            session_id: a new random UUID, of the caller's making.
            rules: what may be recorded.
            catalog: the music catalog's hosts.

        Raises:
            ValueError: the session id is no lowercase UUID.

        """
        return cls(session_id, rules, catalog)

    def __repr__(self) -> str:
        return f"Recorder(session_id={self._session_id!r}, batch_seq={self._batch_seq})"

    @property
    def session_id(self) -> str:
        """The session; only a change of the privacy rules begins another."""
        return self._session_id

    @property
    def batch_seq(self) -> int:
        """Number of the last batch in the session; 0 before the first."""
        return self._batch_seq

    @property
    def last_observed_at(self) -> int | None:
        """Instant of the last observation, ms since the epoch; None before the first."""
        return None if self._history is None else self._history.end

    @property
    def dropped_events(self) -> int:
        """Events of the session that were folded for their number or size."""
        return 0 if self._history is None else self._history.dropped

    def observe(
        self,
        sample: Snapshot,
        *,
        wall_ms: int,
        monotonic_ms: int,
        players: Iterable[str] = (),
    ) -> Kept | Unchanged | Backwards | Invalid:
        """Record a sample; several may have the same time.

        A wall clock that was set back gives `Backwards` until it passes the last observation again,
        and then a `clock` gap.

        Args:
            sample: the raw sample, with names as their sources gave them; the rules are applied
                here.  Its `collected_at` is ignored.
            wall_ms: the present, ms since the epoch.
            monotonic_ms: a clock that is never set and counts suspended time, in ms; where it
                begins anew, as after a reboot, there is a `restart` gap.
            players: names of the app whose music the sample has, for the rules.

        """
        history = self._history
        if history is not None and wall_ms < history.end:
            return Backwards(history.end - wall_ms)
        changes = self._changes(sample, players, wall_ms)
        if isinstance(changes, Invalid):
            self._is_failing = True
            return changes
        if history is None:
            self._history = History.begin(wall_ms, changes)
        else:
            self._move(history, wall_ms, monotonic_ms)
        self._measured_at, self._is_failing = monotonic_ms, False
        return Kept(None) if history is None else self._append(history, changes)

    def failed(self, wall_ms: int) -> None:
        """Tell that a reading did not succeed: a silence around it is `collection`, not `sleep`.

        One before the last observation, by a wall clock that was set back, says nothing.

        Args:
            wall_ms: the present, ms since the epoch.

        """
        last = self.last_observed_at
        if last is not None and wall_ms >= last:
            self._is_failing = True

    def gap(self, start_ms: int, end_ms: int, reason: GapReason) -> None:
        """Tell that nothing was observed in [start_ms, end_ms).

        What lies before the window says nothing, and what lies ahead counts when the window gets
        there; an interval without an instant is no gap, and neither is one before all observations.

        Raises:
            ValueError: the reason is none of the contract's.

        """
        if reason not in get_args(GapReason):
            raise ValueError("no such reason for a gap")
        if self._history is not None:
            self._history.mark(start_ms, end_ms, reason)

    def batch(self, *, now_ms: int, most_bytes: int = limits.BATCH_BODY_BYTES) -> Batch | NotReady:
        """Give the window up to the last observation, as the next batch of the session.

        Args:
            now_ms: the present, ms since the epoch.
            most_bytes: bytes that the body may have.  Events folded for it are missing from later
                batches too.  Below `limits.BATCH_BODY_BYTES_LEAST` the body may be longer, and then
                has no events.

        """
        history = self._history
        if history is None:
            return NotReady("no-observation")
        if now_ms < history.end:
            return NotReady("ahead")
        if now_ms > min(history.end + limits.GENERATION_LAG_MS, LAST_INSTANT):
            return NotReady("stale")
        history.fit(min(most_bytes, limits.BATCH_BODY_BYTES))
        self._batch_seq += 1
        window = history.window(self._session_id, self._batch_seq, now_ms)
        return Batch(window, history.text(window))

    def change_rules(self, rules: PrivacyRules, session_id: str) -> bool:
        """Put other privacy rules in force; tells whether they are others.

        Equal rules change nothing.  Others forget everything recorded, and begin a new session.

        Args:
            rules: the rules from now on.
            session_id: a new random UUID.

        Raises:
            ValueError: the session id is no lowercase UUID, or that of the session that ends.

        """
        if rules.fingerprint == self._rules.fingerprint:
            return False
        if session_id == self._session_id:
            raise ValueError("other rules need a new session id")
        self._session_id = session_id
        self._rules, self._history = rules, None
        self._batch_seq = self._seq = 0
        self._measured_at, self._is_failing = None, False
        return True

    def checkpoint(self, *, now_ms: int) -> bytes:
        """Give what `resume` needs, at most `checkpoint.CHECKPOINT_BYTES`, public parts only."""
        return write_checkpoint(
            Checkpoint(
                saved_at=now_ms,
                fingerprint=self._rules.fingerprint,
                session_id=self._session_id,
                batch_seq=self._batch_seq,
                seq=self._seq,
                window=self._window_at_rest(),
                ahead=() if self._history is None else self._history.gaps_ahead(),
            )
        )

    @classmethod
    def resume(
        cls,
        checkpoint: bytes,
        rules: PrivacyRules = _OPEN,
        *,
        now_ms: int,
        catalog: CatalogHosts = ITUNES,
    ) -> Self | NotResumed:
        """Give the recorder of a checkpoint; its first observation records a `restart` gap.

        Args:
            checkpoint: what `checkpoint` gave, or any bytes.
            rules: the privacy rules in force.
            now_ms: the present, ms since the epoch.
            catalog: the music catalog's hosts.

        """
        found = read_checkpoint(
            checkpoint, fingerprint=rules.fingerprint, now_ms=now_ms, catalog=catalog
        )
        if isinstance(found, NotResumed):
            return found
        history = None if found.window is None else _history(found.window, found.ahead)
        return cls(found.session_id, rules, catalog, found.batch_seq, found.seq, history)

    def _window_at_rest(self) -> Window | None:
        history = self._history
        if history is None:
            return None
        return history.window(self._session_id, self._batch_seq + 1, history.end)

    def _changes(
        self, sample: Snapshot, players: Iterable[str], wall_ms: int
    ) -> WindowChanges | Invalid:
        """Return what the public part of a sample changes; all of it for the first sample."""
        if not FIRST_INSTANT <= wall_ms <= LAST_INSTANT:
            return _invalid("/collected_at", "time.format")
        current = {} if self._history is None else self._history.current
        try:
            public = self._rules.public(sample, players)
            told = given_in(public)
            if not told.keys() >= _ALWAYS_TOLD:
                return _invalid("", "required")
            changed = {n: v for n, v in told.items() if n not in current or current[n] != v}
            plain = to_plain(WindowChanges(**changed))
        except (ArithmeticError, AttributeError, TypeError, ValueError):
            return _invalid("", "type")
        changes, findings = _CHANGES.validate(plain)
        if not findings and "music" in changed:
            findings = tuple(snapshot_findings(public, None, self._catalog))
        return Invalid(findings) if findings else changes

    def _move(self, history: History, wall_ms: int, monotonic_ms: int) -> None:
        """Move the history on to an observation, over the gap before it if there is one."""
        last = history.end
        reason = self._missed(wall_ms - last, monotonic_ms)
        history.move(wall_ms)
        if reason is not None:
            history.mark(last, wall_ms, reason)

    def _missed(self, passed_ms: int, monotonic_ms: int) -> GapReason | None:
        """Give why nothing is known of the time since the last observation, None where it is."""
        if self._measured_at is None or monotonic_ms < self._measured_at:
            return "restart"
        measured_ms = monotonic_ms - self._measured_at
        if abs(passed_ms - measured_ms) > CLOCK_DISAGREEMENT_MS:
            return "clock"
        if measured_ms > SILENCE_MS:
            return "collection" if self._is_failing else "sleep"
        return None

    def _append(self, history: History, changes: WindowChanges) -> Kept | Unchanged:
        if not given_in(changes):
            return Unchanged()
        self._seq += 1
        event = WindowEvent(self._seq, history.end, changes)
        history.append(event)
        return Kept(event)


resume: Final = Recorder.resume
"""Give the recorder of a checkpoint, or why it is of no use: `Recorder.resume`."""


def _invalid(path: str, rule: str) -> Invalid:
    return Invalid((Finding(path, rule, RULES[rule]),))


def _history(window: Window, ahead: tuple[WindowGap, ...]) -> History:
    """Give the history that a valid window tells, and the gaps ahead of it."""
    baseline = WindowChanges(**given_in(window.baseline))
    history = History.begin(
        window.window_start,
        baseline,
        dropped=window.dropped_events,
        gaps=GapList.of((*window.gaps, *ahead)),
    )
    for event in window.events:
        history.append(event)
    history.move(window.window_end)
    return history
