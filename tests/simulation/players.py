"""Players: browser pages that show the device, each with its own monotonic clock."""

from collections.abc import Callable
from random import Random
from typing import Final

from devicestatus import limits
from devicestatus.player import Accepted, Player, View
from simulation import invariants
from simulation.context import Context
from simulation.invariants import Seen
from simulation.server import Identity, SentResponse, identity_of, updated_at_of
from status_contracts.instants import SECOND_MS
from status_contracts.messages import Request

_POLL_MS: Final = limits.POLL_INTERVAL_SECONDS * SECOND_MS
_GIVE_UP_MS: Final = 50 * SECOND_MS
_STEPS_MOST: Final = 4
_TIMELINE: Final = Request("GET", b"/api/timeline")

Ask = Callable[[int, Request, Callable[[SentResponse], object]], None]
"""Sends a request to a place; what comes back is handed over, if anything does."""


class Viewer:
    """One page; every view of it is checked."""

    def __init__(self, name: str, context: Context, random: Random, ask: Ask, places: int) -> None:
        self.name = name
        self.shown: dict[str, int] = {}
        self.playback = Player()
        self._context = context
        self._calendar = context.calendar
        self._truth = context.truth
        self._random = random
        self._ask = ask
        self._places = places
        self._place = random.randrange(places)
        self._counts_sleep = random.random() < 0.5
        self._zero = self._calendar.now - random.randrange(1_000_000_000)
        self._closed_at: int | None = None
        self._opened = 0
        self._poll = 0
        self._under_way = False
        self._identity: Identity | None = None
        self._taken_at: int | None = None
        self._reported_offline = False
        self._answers = 0
        self._stay = 0
        self._left: set[str] = set()
        self._last = Seen(self._monotonic, self.playback.view(self._monotonic), 0, 0)
        self._last_head = self._last

    @property
    def _monotonic(self) -> int:
        return self._calendar.now - self._zero

    @property
    def is_open(self) -> bool:
        """Whether somebody looks at it."""
        return self._closed_at is None

    def open(self) -> None:
        """Open the lid: ask at once, in another place perhaps."""
        if self._closed_at is not None and not self._counts_sleep:
            self._zero += self._calendar.now - self._closed_at
        self._closed_at = None
        self._opened += 1
        self._under_way = False
        self._place = self._random.randrange(self._places)
        self._asks(self._opened)

    def close(self) -> None:
        """Close the lid."""
        self.look()
        self._closed_at = self._calendar.now
        self._opened += 1

    def _asks(self, opened: int) -> None:
        """Ask now and every 60 s, until it is closed or opened anew."""
        if opened != self._opened:
            return
        self._calendar.after(_POLL_MS, lambda: self._asks(opened))
        self.look()
        if self._under_way:
            return
        self._poll += 1
        self._under_way = True
        poll = self._poll
        self._ask(self._place, _TIMELINE, lambda answered: self._arrive(poll, opened, answered))
        self._calendar.after(_GIVE_UP_MS, lambda: self._give_up(poll))

    def _give_up(self, poll: int) -> None:
        if poll == self._poll:
            self._under_way = False

    def _arrive(self, poll: int, opened: int, answered: SentResponse) -> None:
        """Accept a response; one after the time-out counts if it contains a time."""
        if opened != self._opened:
            return
        body = answered.response.body
        awaited = poll == self._poll and self._under_way
        if awaited:
            self._under_way = False
        if awaited or body != invariants.OFFLINE_BODY:
            self._take(body)

    def _take(self, body: bytes) -> None:
        before = self.look()
        outcome = self.playback.accept(body, self._monotonic)
        identity = identity_of(body)
        if not isinstance(outcome, Accepted):
            self._note(f"refuses {identity or body.decode()}: {outcome.reason}")
            self.look()
            return
        self._answers += 1
        self._reported_offline = body == invariants.OFFLINE_BODY
        if identity is not None:
            self._came_to(identity, body)
        after = self.look()
        start = None if identity is None else identity.window_start
        invariants.nothing_recoverable_is_skipped(before, after, start)

    def _came_to(self, identity: Identity, body: bytes) -> None:
        received = updated_at_of(body)
        invariants.no_older_response_is_accepted(self._taken_at, received)
        if self._identity is None or identity.session_id != self._identity.session_id:
            self._stay += 1
            self._note(f"comes to {identity}")
            invariants.left_sessions_stay_left(identity.session_id, self._left)
            if self._identity is not None:
                self._left.add(self._identity.session_id)
        self._taken_at, self._identity = received, identity

    # Looking

    def look(self) -> Seen:
        """Check every view change since the last check, and the present; not while closed."""
        if not self.is_open:
            return self._last
        now = self._monotonic
        for _ in range(_STEPS_MOST):
            due = self._last.view.next_change_at
            if due is None or due > now or due <= self._last.at:
                break
            self._see(due - 1)
            self._see(due)
        if now - self._last.at > 1:
            self._see(self._random.randrange(self._last.at, now))
        return self._see(now)

    def _see(self, at: int) -> Seen:
        view = self.playback.view(at)
        seen, before = Seen(at, view, self._answers, self._stay), self._last
        if before.answers == seen.answers:
            invariants.next_change_at_is_exact(before, view, at)
        true_now = self._calendar.now - self._monotonic + at
        invariants.the_playhead_never_goes_back(self._last_head, seen)
        invariants.the_playhead_keeps_its_delay(before, seen, true_now)
        invariants.only_the_service_sets_offline(view, reported_offline=self._reported_offline)
        self._check_content(view)
        self._last = seen
        if view.at is not None:
            self._last_head = seen
        self.shown[view.state] = self.shown.get(view.state, 0) + 1
        return seen

    def _check_content(self, view: View) -> None:
        if self._identity is None or view.at is None:
            return
        truth = self._truth.of(self._identity.session_id)
        if view.snapshot is not None:
            invariants.views_match_the_true_state(truth, view.at, view.snapshot)
            invariants.no_private_names_shown(view.snapshot, ("Zq7",))
        invariants.every_gap_is_reported(truth, view)

    def _note(self, what: str) -> None:
        self._context.note(self.name, what)
