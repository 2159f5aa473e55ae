"""Battery, power and load averages of this computer, from psutil and Linux's sysfs.

Invariant *null, not a guess*: what is not known is None (or `unknown`); a number outside the
limits, a reading that fails and a battery of a peripheral are not known.
Invariant *mains power is not charging*: mains power is the power source; whether the battery
charges is read from its own status in sysfs, and not known elsewhere.
"""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import attrs
import psutil

from devicestatus import limits
from devicestatus.agent.cleaning import clean_number
from devicestatus.agent.privacy import NO_SYSTEM
from devicestatus.models import Battery, PowerSource, System
from status_agent.capture.sources import (
    DEFAULT_TIMEOUT_SECONDS,
    Fallback,
    TimedReader,
    Value,
)

POWER_SUPPLY: Final = Path("/sys/class/power_supply")
"""Folder in which Linux lists batteries and adapters; other systems do not have it."""

_PERCENT_DIGITS: Final = 1  # more digits are noise, and every change would be an event
_LOAD_DIGITS: Final = 2  # as kernels print them


@attrs.frozen
class _Supply:
    """One power supply in sysfs; a missing attribute is empty."""

    name: str
    type: str
    scope: str
    status: str
    online: str

    @property
    def is_peripheral(self) -> bool:
        """True for the supply of a mouse or keyboard, which is not the computer's."""
        return self.scope == "Device"

    @property
    def is_battery(self) -> bool:
        """True for a battery of the computer."""
        return self.type == "Battery" and not self.is_peripheral


@attrs.define(eq=False)
class Machine:
    """The computer that runs this process."""

    power_supply: Path = POWER_SUPPLY
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    _readers: dict[str, TimedReader] = attrs.field(factory=dict, init=False)

    def battery(self) -> Battery:
        """Return charge and power source, None for what is not known; never raises."""
        supplies = self._supplies()
        percent, plugged = self._read("battery", _charge_and_power, (None, None))
        if _is_battery_of_peripheral(supplies):
            percent, plugged = None, None
        return Battery(
            percent=clean_number(percent, limits.BATTERY_PERCENT_MAX, _PERCENT_DIGITS),
            charging=_charging(supplies),
            power_source=_power_source(supplies, plugged=plugged),
        )

    def has_battery(self) -> bool | None:
        """Check whether the computer has a battery of its own; None if that cannot be read."""
        if sys.platform == "linux" and not self.power_supply.is_dir():
            return False
        supplies = self._supplies()
        if any(supply.is_battery for supply in supplies):
            return True
        has_one = self._read("battery", lambda: psutil.sensors_battery() is not None, None)
        return has_one and not _is_battery_of_peripheral(supplies)

    def system(self) -> System:
        """Return the load averages, None for what is not known; never raises."""
        return self._read("load averages", _system, NO_SYSTEM)

    def _supplies(self) -> Sequence[_Supply]:
        return self._read("power supplies", lambda: _read_supplies(self.power_supply), ())

    def _read(
        self, subject: str, read: Callable[[], Value], fallback: Fallback
    ) -> Value | Fallback:
        reader = self._readers.setdefault(subject, TimedReader(subject, self.timeout_seconds))
        return reader.run(read, fallback)


def program_path(process: int) -> str | None:
    """Return the absolute path of the program of a process, or None where it cannot be read."""
    try:
        return psutil.Process(process).exe() or None
    except (psutil.Error, OSError):
        return None


def _charge_and_power() -> tuple[float | None, bool | None]:
    reading = psutil.sensors_battery()
    return (None, None) if reading is None else (float(reading.percent), reading.power_plugged)


def _system() -> System:
    return _loads(psutil.getloadavg(), emulated=not hasattr(os, "getloadavg"))


def _loads(averages: Sequence[float], *, emulated: bool) -> System:
    # Windows has no load average: psutil emulates one and returns 0.0 until it has samples.
    if emulated and not any(averages):
        return NO_SYSTEM
    return System(*(clean_number(average, limits.LOAD_MAX, _LOAD_DIGITS) for average in averages))


def _read_supplies(folder: Path) -> Sequence[_Supply]:
    entries = sorted(folder.iterdir()) if folder.is_dir() else ()
    names = [field.name for field in attrs.fields(_Supply)[1:]]
    return [_Supply(entry.name, *(_attribute(entry / name) for name in names)) for entry in entries]


def _attribute(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:  # drivers omit attributes, and some fail to read existing ones
        return ""


def _is_battery_of_peripheral(supplies: Sequence[_Supply]) -> bool:
    """Check whether psutil's battery, the first by name, is that of a peripheral."""
    named = [s for s in supplies if s.name.startswith("BAT") or "battery" in s.name.lower()]
    return bool(named) and named[0].is_peripheral


def _charging(supplies: Sequence[_Supply]) -> bool | None:
    states = {supply.status for supply in supplies if supply.is_battery}
    if "Charging" in states:
        return True
    return False if states and states <= {"Discharging", "Not charging", "Full"} else None


def _power_source(supplies: Sequence[_Supply], *, plugged: bool | None) -> PowerSource:
    if plugged is None:
        online = any(s.type in {"Mains", "USB"} and s.online == "1" for s in supplies)
        return "ac" if online else "unknown"
    return "ac" if plugged else "battery"
