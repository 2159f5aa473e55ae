"""Checkpoints of a recorder, so that a restart loses no history.

A checkpoint is the JSON text of a `Checkpoint`.

Invariant *validated*: a checkpoint is validated as strictly as a batch, and is used as a whole or
not at all.
Invariant *fresh and of the same rules*: one older than 900 s (900.000 s is not), one of the future
and one of other privacy rules is not used; the reason quotes nothing of it.
Invariant *numbers do not run out*: one whose numbers are beyond 2**52 is not used, so a session
that numbers from there on cannot reach the contract's largest integer.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal

import attrs

from devicestatus import limits
from devicestatus.cross_field import window_findings
from devicestatus.models import MillisecondInstant, SessionId, Window, WindowGap
from devicestatus.music_urls import CatalogHosts
from status_contracts import json_text
from status_contracts.instants import clamp_instant
from status_contracts.structuring.constraints import Integer, Items, Pattern
from status_contracts.structuring.converter import unstructure
from status_contracts.structuring.decoder import ModelDecoder, ValidationError

MAX_CHECKPOINT_BYTES: Final = limits.BATCH_BODY_BYTES + 65_536
"""The longest checkpoint: the longest window, 128 gaps ahead of it, and the other members."""
_MAX_NUMBER: Final = 2**52

NotResumedReason = Literal["unreadable", "invalid", "old", "ahead", "privacy"]

_Number = Annotated[int, Integer(0, _MAX_NUMBER)]
_Fingerprint = Annotated[str, Pattern(re.compile(r"[0-9a-f]{64}"), "64 lower-case hex digits")]


@attrs.frozen
class Checkpoint:
    """The state of a recorder.

    Attributes:
        saved_at: when it was written, ms since the epoch.
        fingerprint: of the privacy rules that applied to its content.
        batch_seq: number of the last batch, 0 for none.
        seq: number of the last event, 0 for none.
        window: the history, as the batch after the last; None where it is empty.
        ahead: known gaps that begin at the end of the window or later.

    """

    version: Literal[1] = attrs.field(default=1, kw_only=True)
    saved_at: MillisecondInstant
    fingerprint: _Fingerprint = attrs.field(repr=False)
    session_id: SessionId
    batch_seq: _Number
    seq: _Number
    window: Window | None
    ahead: Annotated[tuple[WindowGap, ...], Items(limits.WINDOW_GAPS)]


@attrs.frozen
class NotResumed:
    """The reason why a checkpoint cannot be used; `str` has it in words."""

    reason: NotResumedReason

    def __str__(self) -> str:
        return _WHY[self.reason]


_WHY: Final[Mapping[NotResumedReason, str]] = {
    "unreadable": "it cannot be read",
    "invalid": "it is not a valid checkpoint",
    "old": "it is older than 900 s",
    "ahead": "it was saved later than now",
    "privacy": "the privacy rules have changed",
}
_CHECKPOINTS: Final = ModelDecoder(Checkpoint)


def encode_checkpoint(checkpoint: Checkpoint) -> bytes:
    """Return the JSON text of a checkpoint.

    A `saved_at` that no timestamp can express becomes the nearest that one can: it is parsed as
    `old` or `ahead` then.
    """
    saved_at = clamp_instant(checkpoint.saved_at)
    return json_text.encode(unstructure(attrs.evolve(checkpoint, saved_at=saved_at)))


def parse_checkpoint(
    text: bytes, *, fingerprint: str, now_ms: int, catalog: CatalogHosts
) -> Checkpoint | NotResumed:
    """Return the checkpoint in a text, or why it cannot be used."""
    if len(text) > MAX_CHECKPOINT_BYTES:
        return NotResumed("unreadable")
    try:
        checkpoint = _CHECKPOINTS.decode(text)
    except json_text.JSON_ERRORS:
        return NotResumed("unreadable")
    except ValidationError:
        return NotResumed("invalid")
    window, saved_at = checkpoint.window, checkpoint.saved_at
    reason: NotResumedReason | None = None
    if any(_conflicts(checkpoint, catalog)):
        reason = "invalid"
    elif checkpoint.fingerprint != fingerprint:
        reason = "privacy"
    elif now_ms < max(saved_at, saved_at if window is None else window.window_end):
        reason = "ahead"
    elif now_ms - saved_at > limits.WINDOW_SPAN_MS:
        reason = "old"  # nothing in it could still be in a window
    return checkpoint if reason is None else NotResumed(reason)


def _conflicts(checkpoint: Checkpoint, catalog: CatalogHosts) -> Iterator[object]:
    """Yield true values for the conflicts between members that are valid by themselves."""
    window = checkpoint.window
    if window is None:
        yield checkpoint.batch_seq or checkpoint.seq or checkpoint.ahead
        return
    yield from window_findings(window, None, catalog)
    yield window.session_id != checkpoint.session_id
    yield window.batch_seq != checkpoint.batch_seq + 1
    yield window.dropped_events > checkpoint.seq
    yield bool(window.events) and window.events[-1].seq > checkpoint.seq
    yield any(gap.start_at < window.window_end for gap in checkpoint.ahead)
