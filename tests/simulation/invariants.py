"""What must hold at every moment, each a function named after it, with the sentence that it holds.

A function looks at what somebody did or saw and raises `Broken` where its sentence does not hold.
They do not use the code under test where the simulation knows the state itself.
"""

from collections.abc import Collection, Iterable
from typing import Any, Final, NoReturn

import attrs

from devicestatus import limits
from devicestatus.agent.recorder import Batch
from devicestatus.errors import ContractError
from devicestatus.models import Snapshot
from devicestatus.parsing import parse_window
from devicestatus.player import View
from simulation.truth import SessionTruth, State, state_of
from status_contracts.instants import MINUTE_MS
from status_contracts.primitives import ABSENT
from status_contracts.structuring.converter import unstructure

OFFLINE_BODY: Final = b'{"status":"offline"}'
SKEW_MS: Final = 1_000
"""The clocks of the services are off by this at most."""
_MEMBERS: Final = ("active_app", "battery", "system", "music", "running_apps")

SETTLED_MS: Final = 20 * MINUTE_MS
"""So long after the faults have stopped, no player waits."""
WAIT_MS: Final = 3 * MINUTE_MS
"""Waits together after that are shorter: 300 s to the next upload and 20 s to its sample, 60 s
until it is read everywhere, 30 s in a cache, 60 s to the next poll and 120 s of a clock that is
behind, less the 420 s of the delay."""
WHOLE_MS: Final = 40 * MINUTE_MS
"""When they have stopped for so long, no window holds anything of them."""


class Broken(AssertionError):
    """An invariant does not hold."""


def _broken(sentence: str, detail: str) -> NoReturn:
    raise Broken(f"{sentence} ({detail})")


@attrs.frozen
class Seen:
    """The view of one player at one instant."""

    at: int
    view: View
    answers: int
    stay: int


def the_playhead_never_goes_back(before: Seen, after: Seen) -> None:
    """Within a session the playhead moves forward only, and server time never goes back."""
    then, now = before.view, after.view
    if _is_less(now.server_time, then.server_time):
        _broken("server time went back", f"{then.server_time} to {now.server_time}")
    if before.stay == after.stay and _is_less(now.at, then.at):
        _broken("the playhead went back", f"{then.at} to {now.at}")


def the_playhead_keeps_its_delay(before: Seen, after: Seen, now: int) -> None:
    """The playhead runs at most in real time, and at least 420 s behind the server."""
    at, then = after.view.at, before.view.at
    if at is None or after.view.mode != "window":
        return
    if at > now + SKEW_MS - limits.PLAYBACK_DELAY_MS:
        _broken("the playhead is ahead of the delay", f"{at} at {now}")
    if before.answers == after.answers and then is not None and at - then > after.at - before.at:
        _broken("the playhead ran", f"{then} to {at} within {after.at - before.at} ms")


def nothing_recoverable_is_skipped(before: Seen, after: Seen, window_start: int | None) -> None:
    """A response moves the playhead to window_start only, and reports the loss."""
    then, now = before.view.at, after.view.at
    if before.at != after.at or before.stay != after.stay or then is None:
        return
    if now is not None and now != then:
        lost = after.view.lost
        missed = 0 if lost is None or lost.end != now or lost.start > then else lost.missed
        if now != window_start or missed < now - then:
            _broken("something was skipped", f"{then} to {now}, window from {window_start}")


def next_change_at_is_exact(before: Seen, now: View, at: int) -> None:
    """Between two responses nothing changes before `next_change_at`."""
    due = before.view.next_change_at
    same = before.view.state == now.state and before.view.snapshot == now.snapshot
    if not same and (due is None or at < due):
        _broken("a change came unannounced", f"at {at}, due {due}")


def no_older_response_is_accepted(taken_at: int | None, updated_at: int | None) -> None:
    """No response older than the last accepted one is accepted."""
    if _is_less(updated_at, taken_at):
        _broken("an older answer was taken", f"{updated_at} after {taken_at}")


def left_sessions_stay_left(session_id: str, left: Collection[str]) -> None:
    """A session that was left for another one is never shown again."""
    if session_id in left:
        _broken("a session came back", session_id[:8])


def only_the_service_sets_offline(view: View, *, reported_offline: bool) -> None:
    """A player is offline exactly when the last accepted response is; never after an error."""
    if (view.state == "offline") != reported_offline:
        _broken("offline is the service's word", f"{view.state}, reported: {reported_offline}")


def views_match_the_true_state(truth: SessionTruth, at: int, snapshot: Snapshot) -> None:
    """What plays is the public state of the device at that instant, as it was sampled."""
    place = truth.place(at)
    if place is None:
        _broken("there was nothing to play", f"at {at}")
    if state_of(snapshot) != truth.states[place]:
        _broken("was not so, plays", f"at {at}: sample {place}")
    if truth.missed_after(place) is not None:
        _broken("nobody knows what was then, plays", f"at {at}: {truth.missed_after(place)}")


def every_gap_is_reported(truth: SessionTruth, view: View) -> None:
    """What plays as a gap was one, for the reason that it gives."""
    gap, at = view.gap, view.at
    if gap is None or at is None:
        return
    if not gap.start_at <= at < gap.end_at:
        _broken("a gap shows elsewhere", f"at {at}")
    if not truth.may_be_gap(at):
        _broken("a gap that was none", f"at {at}: {gap.reason}")
    if not truth.may_be_reason(gap.reason, gap.start_at, gap.end_at):
        _broken("a gap for another reason", f"at {at}: {gap.reason}")


def a_failing_store_is_503(status: int, body: bytes) -> None:
    """A read failure of the store yields 503, never offline."""
    if (status, body) != (503, b'{"error":"service_unavailable"}'):
        _broken("a failing store is 503", f"{status}")


def only_a_missing_record_is_offline(
    value: bytes | None, received: tuple[int, int] | None, body: bytes, now: int
) -> None:
    """The service reports offline exactly without a valid record; a store failure is 503.

    Args:
        value: what the store gave.
        received: when the window in it was received, and its deadline.
        body: the answer.
        now: the service's time.

    """
    holds = value is not None and received is not None and received[0] <= now < received[1]
    if (body == OFFLINE_BODY) == holds:
        _broken("offline means that no record holds", f"holds: {holds}, at {now}")


def now_shows_what_was_true(truth: SessionTruth, at: int, body: dict[str, Any]) -> None:
    """`/api/now` shows what was true 420 s ago, and offline where that is not known."""
    place = truth.place(at)
    if body == {"status": "offline"}:
        if not truth.may_be_gap(at):
            _broken("now is offline without a gap", f"at {at}")
        return
    if place is None or truth.missed_after(place) is not None:
        _broken("nobody knows what was then, says now", f"at {at}")
    shown = {name: body.get(name, ABSENT) for name in _MEMBERS}
    if shown != _plain(truth.states[place]):
        _broken("was not so, says now", f"at {at}")


def deadlines_never_move(deadlines: dict[str, int], window: str, end: int, deadline: int) -> None:
    """A window is valid until its end and 600 s, whenever and how often it was written."""
    if deadline != end + limits.WINDOW_LIFETIME_MS:
        _broken("a deadline was extended", f"by {deadline - end} ms")
    if deadlines.setdefault(window, deadline) != deadline:
        _broken("a deadline moved", f"{deadlines[window]} to {deadline}")


def no_private_names_sent(text: bytes, private: Iterable[bytes], where: str) -> None:
    """No name that the rules hide is in a body, a checkpoint, a stored record or a response."""
    if any(canary in text for canary in private):
        _broken("a private name got out", where)


def no_private_names_shown(snapshot: Snapshot, private: Collection[str]) -> None:
    """No name that the rules hide is in a view."""
    running = () if snapshot.running_apps is ABSENT else snapshot.running_apps
    for name in (snapshot.active_app, *running):
        if name is not None and any(canary in name for canary in private):
            _broken("a private name is shown", "view")


def batches_are_accepted(batch: Batch) -> None:
    """Whatever happened to the device, its window is accepted by the service's own validation."""
    window = batch.window
    try:
        read = parse_window(batch.body, received_at=window.generated_at)
    except ContractError as error:
        _broken("a window breaks the contract", ", ".join(each.rule for each in error.findings))
    if read != window:
        _broken("the text of a window is another window", f"batch {window.batch_seq}")


def too_large_windows_become_smaller(refused: int | None, size: int) -> None:
    """After a window that was too large, no other of that size is sent."""
    if refused is not None and size >= refused:
        _broken("a window was too large, and came again", f"{size} after {refused} bytes")


def players_recover_after_the_faults(who: str, view: View, calm_ms: int, waiting_ms: int) -> None:
    """20 min after the faults no player is offline or waits for long; after 40 min there is no gap.

    A window that is read late now and then still lets playback run dry: it then runs later for
    good, so that all such waits together are no longer than a window may be late.
    """
    if calm_ms < SETTLED_MS or view.state == "playing":
        return
    waits_long = view.state == "buffering" and waiting_ms > WAIT_MS
    if waits_long or view.state == "offline" or (view.state == "gap" and calm_ms >= WHOLE_MS):
        _broken(f"{who} does not play again", f"{view.state}, {view.reason} after {calm_ms} ms")


def _plain(state: State) -> dict[str, Any]:
    """Return a state as it stands in a body; one without running apps has them absent."""
    plain = unstructure(Snapshot(0, *state))
    return {name: plain.get(name, ABSENT) for name in _MEMBERS}


def _is_less(one: int | None, other: int | None) -> bool:
    return one is not None and other is not None and one < other
