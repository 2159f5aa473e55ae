"""The network: messages are lost, delayed, doubled and overtaken, requests and answers alike."""

from collections.abc import Callable
from random import Random
from typing import Final, TypeVar

from simulation.clock import Calendar
from simulation.weather import Weather

__all__ = ["Network"]

T = TypeVar("T")

_USUAL_MS: Final = (20, 400)


class Network:
    """Carries messages as well as the weather lets it."""

    def __init__(self, calendar: Calendar, random: Random) -> None:
        self.weather = Weather()
        self._calendar = calendar
        self._random = random

    def carry(self, message: T, arrive: Callable[[T], object]) -> None:
        """Let a message arrive: once, twice or never, and at some time."""
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
