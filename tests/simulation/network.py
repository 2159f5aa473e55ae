"""The network: requests and responses are lost, delayed, duplicated and reordered."""

from collections.abc import Callable
from random import Random
from typing import Final, TypeVar

from simulation.clock import Calendar
from simulation.fault_rates import FaultRates

T = TypeVar("T")

_USUAL_MS: Final = (20, 400)


class Network:
    """Carries messages with the faults of the current conditions."""

    def __init__(self, calendar: Calendar, random: Random) -> None:
        self.fault_rates = FaultRates()
        self._calendar = calendar
        self._random = random

    def carry(self, message: T, arrive: Callable[[T], object]) -> None:
        """Deliver a message once, twice or never, after a delay."""
        fault_rates = self.fault_rates
        copies = 1 + self._is(fault_rates.duplicate)
        for copy in range(copies):
            if fault_rates.outage or self._is(fault_rates.loss):
                continue
            delay = self._delay(fault_rates) + (self._delay(fault_rates) if copy else 0)
            self._calendar.after(delay, lambda: arrive(message))

    def _delay(self, fault_rates: FaultRates) -> int:
        if self._is(fault_rates.slow):
            return self._random.randrange(_USUAL_MS[1], fault_rates.slowest_ms)
        return self._random.randrange(*_USUAL_MS)

    def _is(self, chance: float) -> bool:
        return self._random.random() < chance
