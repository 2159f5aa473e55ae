"""Battery, power and load averages of this computer, as psutil and Linux's sysfs tell them.

Invariant *null over fake*: what is not known is None (or `unknown`); a number outside the limits, a
reading that fails and a battery that is not the computer's own are not known.
Invariant *power is not charging*: mains power says where power comes from; whether the battery
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
from devicestatus.adapters.capture.name_cleaning import number
from devicestatus.adapters.capture.timed_reader import PATIENCE_SECONDS, Attempts
from devicestatus.models.snapshot import Battery, PowerSource, System

__all__ = ["POWER_SUPPLY", "Machine", "find"]

POWER_SUPPLY: Final = Path("/sys/class/power_supply")
"""Where Linux lists batteries and adapters; other systems do not have it."""

_PERCENT_DIGITS: Final = 1  # more is noise of the gauge, and every change would be an event
_LOAD_DIGITS: Final = 2  # as kernels print it
_NO_SYSTEM: Final = System(None, None, None)


@attrs.frozen
class _Supply:
    """One entry of sysfs; an attribute that it does not have is empty."""

    name: str
    kind: str
    scope: str
    status: str
    online: str

    @property
    def is_peripheral(self) -> bool:
        """Whether it belongs to a mouse, a keyboard or the like, and not to the computer."""
        return self.scope == "Device"


@attrs.frozen
class _Gauge:
    """What psutil knows of the battery."""

    percent: float | None = None
    plugged: bool | None = None


@attrs.define(eq=False)
class Machine:
    """The computer that this runs on.

    Attributes:
        power_supply: the folder of sysfs that lists power supplies.
        patience: how long one reading may take, in seconds.

    """

    power_supply: Path = POWER_SUPPLY
    patience: float = PATIENCE_SECONDS
    _of_supplies: Attempts = attrs.field(init=False)
    _of_battery: Attempts = attrs.field(init=False)
    _of_system: Attempts = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._of_supplies = Attempts("power supplies", self.patience)
        self._of_battery = Attempts("battery", self.patience)
        self._of_system = Attempts("load averages", self.patience)

    def battery(self) -> Battery:
        """Give charge and source of power, None for what is not known; never raises."""
        supplies = self._of_supplies.run(lambda: _supplies(self.power_supply), ())
        gauge = self._of_battery.run(_gauge, _Gauge())
        if _measures_peripheral(supplies):
            gauge = _Gauge()
        return Battery(
            percent=number(gauge.percent, limits.BATTERY_PERCENT_MAX, _PERCENT_DIGITS),
            charging=_charging(supplies),
            power_source=_power_source(gauge, supplies),
        )

    def has_battery(self) -> bool | None:
        """Check whether the computer has a battery of its own; None if that cannot be read."""
        if sys.platform == "linux" and not self.power_supply.is_dir():
            return False
        supplies = self._of_supplies.run(lambda: _supplies(self.power_supply), ())
        if any(s.kind == "Battery" and not s.is_peripheral for s in supplies):
            return True
        return self._of_battery.run(
            lambda: psutil.sensors_battery() is not None and not _measures_peripheral(supplies),
            None,
        )

    def system(self) -> System:
        """Give the load averages, None for what is not known; never raises."""
        return self._of_system.run(_system, _NO_SYSTEM)


def find() -> Machine:
    """Give the computer that this runs on."""
    return Machine()


def _gauge() -> _Gauge:
    told = psutil.sensors_battery()
    return _Gauge() if told is None else _Gauge(float(told.percent), told.power_plugged)


def _system() -> System:
    return _loads(psutil.getloadavg(), emulated=not hasattr(os, "getloadavg"))


def _loads(averages: Sequence[float], *, emulated: bool) -> System:
    # Windows has no load average: psutil samples for one, and says 0.0 until it has samples.
    if emulated and not any(averages):
        return _NO_SYSTEM
    return System(*(number(average, limits.LOAD_MAX, _LOAD_DIGITS) for average in averages))


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
    except OSError:  # drivers leave attributes out, and some fail to read those they have
        return ""


def _measures_peripheral(supplies: Sequence[_Supply]) -> bool:
    """Tell whether psutil's battery, the first by name, is that of a mouse or the like."""
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
