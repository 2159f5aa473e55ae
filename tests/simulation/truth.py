"""The true states of the device: the sampled public states, and the unknown times."""

from bisect import bisect_left, bisect_right
from typing import Final

import attrs

from devicestatus import limits
from devicestatus.models import Battery, GapReason, Music, Snapshot, System
from status_contracts.primitives import ABSENT, Absent

_STEP_MS: Final = 5_000
_SILENCE_MS: Final = 30_000

State = tuple[str | None, Battery, System, Music, tuple[str, ...] | Absent]
"""The members of a snapshot without its instant."""


def state_of(snapshot: Snapshot) -> State:
    """Return the public state in a snapshot."""
    return (
        snapshot.active_app,
        snapshot.battery,
        snapshot.system,
        snapshot.music,
        snapshot.running_apps,
    )


@attrs.frozen
class Sampled:
    """When a sample was taken.

    Attributes:
        wall: by the clock that the agent used, ms.
        true: in truth, ms.

    """

    wall: int
    true: int


@attrs.define
class SessionTruth:
    """One session; the sampled instants ascend.

    Attributes:
        walls: when it was sampled, by the clock of the agent.
        states: what was so from then on, as far as it may be shown.
        missed: why nothing is known of the time from the sample before to this one; None: it is.
        last: the last sample.
        failing: whether a reading failed since.
        resumed: whether the agent was killed since.

    """

    walls: list[int] = attrs.field(factory=list)
    states: list[State] = attrs.field(factory=list)
    missed: list[GapReason | None] = attrs.field(factory=list)
    last: Sampled | None = None
    failing: bool = False
    resumed: bool = False

    def sampled(self, wall: int, true: int, state: State) -> None:
        """Note that a sample was taken and kept."""
        if state[4] is ABSENT and self.states and self.states[-1][4] is not ABSENT:
            state = (*state[:4], ())  # an event cannot take a member away
        self.missed.append(self._missed(Sampled(wall, true)))
        self.walls.append(wall)
        self.states.append(state)
        self.last, self.failing, self.resumed = Sampled(wall, true), False, False

    def failed(self, wall: int) -> None:
        """Note that a reading failed, or broke the contract."""
        if self.last is not None and wall >= self.last.wall:
            self.failing = True

    def go_back(self, samples: int) -> None:
        """Note that the agent was killed, and how many samples its checkpoint had seen."""
        del self.walls[samples:], self.states[samples:], self.missed[samples:]
        self.resumed = True

    def _missed(self, now: Sampled) -> GapReason | None:
        last = self.last
        if last is None or not self.walls:
            return None
        if self.resumed:
            return "restart"
        passed = now.true - last.true
        if abs(now.wall - last.wall - passed) > _STEP_MS:
            return "clock"
        if passed > _SILENCE_MS:
            return "collection" if self.failing else "sleep"
        return None

    def place(self, at: int) -> int | None:
        """Return the sample that holds at an instant; None before all and from the last on."""
        if not self.walls or not self.walls[0] <= at < self.walls[-1]:
            return None
        return bisect_right(self.walls, at) - 1

    def missed_after(self, place: int) -> GapReason | None:
        """Return why the time after a sample is unknown; None where it is known."""
        return self.missed[place + 1]

    def may_be_gap(self, at: int) -> bool:
        """Check whether a window may have a gap at an instant."""
        place = self.place(at)
        return place is not None and (self.missed[place + 1] is not None or self._is_crowded(at))

    def may_be_reason(self, reason: GapReason, start: int, end: int) -> bool:
        """Check whether a gap may have a reason; gaps that touch are one, also beyond its start."""
        first, last = bisect_right(self.walls, start), bisect_left(self.walls, end)
        while first > 0 and self.missed[first - 1] is not None:
            first -= 1
        reasons = {each for each in self.missed[first : last + 1] if each is not None}
        if len(reasons) > 1 or self._is_crowded(start):
            reasons.add("collection")
        return reason in reasons

    def _is_crowded(self, at: int) -> bool:
        """Check whether there are so many gaps that the oldest become one, with what is between."""
        first = bisect_left(self.walls, at - limits.WINDOW_SPAN_MS)
        last = bisect_right(self.walls, at + limits.WINDOW_SPAN_MS)
        return sum(map(bool, self.missed[first:last])) > limits.WINDOW_GAPS


@attrs.define
class Truth:
    """All sessions, by their ids, in the order in which they began."""

    sessions: dict[str, SessionTruth] = attrs.field(factory=dict)

    def of(self, session_id: str) -> SessionTruth:
        """Return a session; the first request creates it."""
        return self.sessions.setdefault(session_id, SessionTruth())
