"""An eventually consistent store: what was written is read later, elsewhere, or never.

Every place has two nodes.  A write is read at once where it was made, and within the
staleness (60 s) everywhere else; a node keeps what it read for 30 s, and a reader may meet another
node each time, so that reads go back and forth.  A write that fails may have been written; one that
succeeds may be lost.  A day has 1000 writes, shared with others, and further ones fail.
"""

from random import Random
from typing import Final

import attrs

from devicestatus import limits
from simulation.clock import Calendar
from simulation.fault_rates import FaultRates
from status_contracts.instants import DAY_MS

_NODES: Final = 2
_CACHE_MS: Final = 30_000
_SOONEST_MS: Final = 3_000  # later than the services' clocks may differ
_LATENESS_MS: Final = (2_000, 60_000)  # of the store's own expiry, by no clock of the services
_VERSIONS_KEPT: Final = 64

Node = tuple[int, int]


class StoreFault(Exception):
    """The store does not work now; its text must never be published."""


@attrs.frozen
class _Version:
    value: bytes
    gone_at: int
    visible_at: dict[int, int]


class EventualStore:
    """One key."""

    def __init__(self, calendar: Calendar, random: Random, places: int) -> None:
        self.fault_rates = FaultRates()
        self.writes_of_day: dict[int, int] = {}
        self.has_quota = True
        self._calendar = calendar
        self._random = random
        self._places = places
        self._versions: list[_Version] = []
        self._cached: dict[Node, tuple[int, _Version | None]] = {}

    def read(self, place: int) -> bytes | None:
        """Return what a reader in a place reads; raise StoreFault."""
        if self._is(self.fault_rates.read_fault):
            raise StoreFault("secret detail of the platform")
        now = self._calendar.now
        node = place, self._random.randrange(_NODES)
        since, version = self._cached.get(node, (0, None))
        if now - since >= _CACHE_MS or version is None:
            version = self._newest(place)
            self._cached[node] = now, version
        return None if version is None or now >= version.gone_at else version.value

    def write(self, place: int, value: bytes, expires_at: int) -> None:
        """Accept a write from a place; raise StoreFault."""
        if self.has_quota and self._count(1) > limits.WRITES_PER_DAY:
            self._count(-1)
            raise StoreFault("secret detail of the quota")
        fails = self._is(self.fault_rates.write_fault)
        if not (fails and self._is(0.5)) and not self._is(self.fault_rates.write_lost):
            self._keep(place, value, expires_at)
        if fails:
            raise StoreFault("secret detail of the platform")

    def consume(self) -> None:
        """Consume writes of the quota, as another user of the account would."""
        if self._count(1) > limits.WRITES_PER_DAY:
            self._count(-1)

    def _count(self, more: int) -> int:
        day = self._calendar.now // DAY_MS
        self.writes_of_day[day] = self.writes_of_day.get(day, 0) + more
        return self.writes_of_day[day]

    def _keep(self, place: int, value: bytes, expires_at: int) -> None:
        now, latest = self._calendar.now, self.fault_rates.staleness_ms
        visible_at = {
            each: now if each == place else now + self._random.randrange(_SOONEST_MS, latest)
            for each in range(self._places)
        }
        gone_at = expires_at + self._random.randrange(*_LATENESS_MS)
        self._versions.append(_Version(value, gone_at, visible_at))
        del self._versions[:-_VERSIONS_KEPT]
        for node in range(_NODES):  # who writes reads it in the same place
            self._cached.pop((place, node), None)

    def _newest(self, place: int) -> _Version | None:
        now = self._calendar.now
        seen = (each for each in reversed(self._versions) if each.visible_at[place] <= now)
        return next(seen, None)

    def _is(self, chance: float) -> bool:
        return self._random.random() < chance
