"""The network: requests and responses are lost, delayed, duplicated and reordered."""

from collections.abc import Callable
from random import Random
from typing import Final, TypeVar

from simulation.clock import Calendar
from simulation.weather import Weather

__all__ = ["Network"]

T = TypeVar("T")

_USUAL_MS: Final = (20, 400)


class Network:
    """Carries messages with the faults of the current conditions."""

    def __init__(self, calendar: Calendar, random: Random) -> None:
        self.weather = Weather()
        self._calendar = calendar
        self._random = random

    def carry(self, message: T, arrive: Callable[[T], object]) -> None:
        """Deliver a message once, twice or never, after a delay."""
        weather = self.weather
        copies = 1 + self._is(weather.duplicate)
        for copy in range(copies):
            if weather.outage or self._is(weather.loss):
                continue
            delay = self._delay(weather) + (self._delay(weather) if copy else 0)
            self._calendar.after(delay, lambda: arrive(message))

    def _delay(self, weather: Weather) -> int:
        if self._is(weather.slow):
            return self._random.randrange(_USUAL_MS[1], weather.slowest_ms)
        return self._random.randrange(*_USUAL_MS)

    def _is(self, chance: float) -> bool:
        return self._random.random() < chance
