"""Battery, power and load averages of this computer, from psutil and Linux's sysfs.

Invariant *null, not a guess*: what is not known is None (or `unknown`); a number outside the
limits, a reading that fails and a battery of a peripheral are not known.
Invariant *mains power is not charging*: mains power is the power source; whether the battery
charges is read from its own status in sysfs, and not known elsewhere.
Source: device-status specification, "Battery", "System" and "POST /api/update", rule 2.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import attrs
import psutil

from devicestatus import limits
from devicestatus.adapters.capture.name_cleaning import clean_number
from devicestatus.adapters.capture.sources import DEFAULT_TIMEOUT_SECONDS, TimedReader
from devicestatus.models.snapshot import Battery, PowerSource, System

__all__ = ["POWER_SUPPLY", "Machine"]

POWER_SUPPLY: Final = Path("/sys/class/power_supply")
"""Folder in which Linux lists batteries and adapters; other systems do not have it."""

_PERCENT_DIGITS: Final = 1  # more digits are noise, and every change would be an event
_LOAD_DIGITS: Final = 2  # as kernels print them
_NO_SYSTEM: Final = System(None, None, None)


@attrs.frozen
class _Supply:
    """One power supply in sysfs; a missing attribute is empty."""

    name: str
    kind: str
    scope: str
    status: str
    online: str

    @property
    def is_peripheral(self) -> bool:
        """True for the supply of a mouse or keyboard, which is not the computer's."""
        return self.scope == "Device"


@attrs.frozen
class _Gauge:
    """Battery charge and power as psutil reports them."""

    percent: float | None = None
    plugged: bool | None = None


@attrs.define(eq=False)
class Machine:
    """The computer that runs this process.

    Attributes:
        power_supply: the folder of sysfs that lists power supplies.
        timeout_seconds: time limit of one reading.

    """

    power_supply: Path = POWER_SUPPLY
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    _supply_reader: TimedReader = attrs.field(init=False)
    _battery_reader: TimedReader = attrs.field(init=False)
    _load_reader: TimedReader = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._supply_reader = TimedReader("power supplies", self.timeout_seconds)
        self._battery_reader = TimedReader("battery", self.timeout_seconds)
        self._load_reader = TimedReader("load averages", self.timeout_seconds)

    def battery(self) -> Battery:
        """Return charge and power source, None for what is not known; never raises."""
        supplies = self._supply_reader.run(lambda: _supplies(self.power_supply), ())
        gauge = self._battery_reader.run(_gauge, _Gauge())
        if _is_battery_of_peripheral(supplies):
            gauge = _Gauge()
        return Battery(
            percent=clean_number(gauge.percent, limits.BATTERY_PERCENT_MAX, _PERCENT_DIGITS),
            charging=_charging(supplies),
            power_source=_power_source(gauge, supplies),
        )

    def has_battery(self) -> bool | None:
        """Check whether the computer has a battery of its own; None if that cannot be read."""
        if sys.platform == "linux" and not self.power_supply.is_dir():
            return False
        supplies = self._supply_reader.run(lambda: _supplies(self.power_supply), ())
        if any(s.kind == "Battery" and not s.is_peripheral for s in supplies):
            return True
        return self._battery_reader.run(
            lambda: (
                psutil.sensors_battery() is not None and not _is_battery_of_peripheral(supplies)
            ),
            None,
        )

    def system(self) -> System:
        """Return the load averages, None for what is not known; never raises."""
        return self._load_reader.run(_system, _NO_SYSTEM)


def _gauge() -> _Gauge:
    reading = psutil.sensors_battery()
    return _Gauge() if reading is None else _Gauge(float(reading.percent), reading.power_plugged)


def _system() -> System:
    return _loads(psutil.getloadavg(), emulated=not hasattr(os, "getloadavg"))


def _loads(averages: Sequence[float], *, emulated: bool) -> System:
    # Windows has no load average: psutil emulates one and returns 0.0 until it has samples.
    if emulated and not any(averages):
        return _NO_SYSTEM
    return System(*(clean_number(average, limits.LOAD_MAX, _LOAD_DIGITS) for average in averages))


def _supplies(folder: Path) -> tuple[_Supply, ...]:
    if not folder.is_dir():
        return ()
    return tuple(
        _Supply(
            name=entry.name,
            kind=_attribute(entry / "type"),
            scope=_attribute(entry / "scope"),
            status=_attribute(entry / "status"),
            online=_attribute(entry / "online"),
        )
        for entry in sorted(folder.iterdir())
    )


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
    states = {s.status for s in supplies if s.kind == "Battery" and not s.is_peripheral}
    if "Charging" in states:
        return True
    return False if states and states <= {"Discharging", "Not charging", "Full"} else None


def _power_source(gauge: _Gauge, supplies: Sequence[_Supply]) -> PowerSource:
    if gauge.plugged is None:
        online = any(s.kind in {"Mains", "USB"} and s.online == "1" for s in supplies)
        return "ac" if online else "unknown"
    return "ac" if gauge.plugged else "battery"
