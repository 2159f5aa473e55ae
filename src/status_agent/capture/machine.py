"""Battery, power, load averages and lockers of this computer.

On Linux the battery is read from sysfs alone, by any name; elsewhere psutil reads it.

Invariant *null, not a guess*: what is not known is None (or `unknown`); a number outside the
limits, a reading that fails and a battery of a peripheral are not known.
Invariant *all batteries are one*: their charge is the sum of what is in them by the sum of what
they hold, never a division by zero; without these it is the mean of what they report.
Invariant *mains power is not charging*: mains power is the power source; whether a battery
charges is read from its own status in sysfs, and not known elsewhere.
Invariant *a locker that runs covers the screen*: programs that lock a screen run only while it is
locked, and most report it to nobody.
"""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs
import psutil

from devicestatus import limits
from devicestatus.agent.cleaning import clean_number
from devicestatus.agent.privacy import NO_BATTERY, NO_SYSTEM
from devicestatus.models import Battery, PowerSource, System
from status_agent.capture.sources import (
    DEFAULT_TIMEOUT_SECONDS,
    Presence,
    PresenceSource,
    TimedReader,
)

_POWER_SUPPLY: Final = Path("/sys/class/power_supply")
"""Folder in which Linux lists batteries and adapters; other systems do not have it."""

_PROCESSES: Final = Path("/proc")
"""Folder in which Linux lists processes."""

_LOCKERS: Final = frozenset(
    b"alock gtklock hyprlock i3lock physlock slock swaylock sxlock waylock xlock xsecurelock"
    b" xtrlock".split()
)
_RUNNING: Final = re.compile(r"^State:\t[^XZ].*^Uid:\t(\d+)", re.MULTILINE | re.DOTALL)
"""A process that has not ended, and its real user."""
_NOBODY: Final = "65534"
_NO_LOGIN: Final = ("", "4294967295")  # where nothing records who logged in
_ATTRIBUTES: Final = (
    *("type", "scope", "present", "status", "online", "capacity"),
    *("energy_now", "energy_full", "charge_now", "charge_full"),
)
_ONLINE: Final = ("1", "2")  # of a fixed and of a programmable voltage
_PORTS: Final = ("USB", "Wireless", "BrickID")
"""How types of ports begin: `USB_PD` is one."""
_DEAD: Final = ("", "0")  # capacity of a battery that holds nothing
_MAX_DIGITS: Final = 18  # of a number in sysfs
_MAX_REPORTED_PERCENT: Final = 110
_PERCENT_DIGITS: Final = 1  # more digits are noise, and every change would be an event
_LOAD_DIGITS: Final = 2  # as kernels print them


_Supply = Mapping[str, str]
"""Attribute of a power supply to its text; a missing one is empty."""


@attrs.define(eq=False)
class Machine:
    """The computer that runs this process."""

    power_supply: Path = _POWER_SUPPLY
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    platform: str = sys.platform
    _reader: TimedReader = attrs.field(factory=TimedReader, init=False)

    def battery(self) -> Battery:
        """Return charge and power source, None for what is not known; never raises."""
        return self._reader.run("battery", self._battery, NO_BATTERY, self.timeout_seconds)

    def has_battery(self) -> bool | None:
        """Check whether the computer has a battery of its own; None if that cannot be read."""
        return self._reader.run("battery", self._has_battery, None, self.timeout_seconds)

    def _battery(self) -> Battery:
        if self.platform == "linux":
            return _battery_of(_supplies(self.power_supply))
        reading = psutil.sensors_battery()
        return NO_BATTERY if reading is None else _reported(reading.percent, reading.power_plugged)

    def _has_battery(self) -> bool:
        if self.platform == "linux":
            return any(map(_is_battery, _supplies(self.power_supply)))
        return psutil.sensors_battery() is not None

    def system(self) -> System:
        """Return the load averages, None for what is not known; never raises."""
        return self._reader.run("load averages", _system, NO_SYSTEM, self.timeout_seconds)


@attrs.define(eq=False)
class Lockers(PresenceSource):
    """The processes of this user that lock a screen; until one was seen, nothing is known."""

    processes: Path = _PROCESSES
    _is_known: bool = attrs.field(default=False, init=False)

    def presence(self, _idle_ms: int, /) -> Presence:
        """Return whether one runs."""
        is_running = any(map(_locks, self.processes.iterdir()))
        self._is_known = self._is_known or is_running
        return Presence(is_locked=is_running if self._is_known else None)


def _locks(process: Path) -> bool:
    """Check whether the folder of a process is that of a locker of this user."""
    try:
        # `i3lock-color` and `.swaylock-wrapped` are lockers too
        program = (process / "comm").read_bytes() if process.name.isdecimal() else b""
        if program.strip().removeprefix(b".").partition(b"-")[0] not in _LOCKERS:
            return False
    except OSError:  # it has ended
        return False
    running = _RUNNING.search(_attribute(process / "status"))
    # One with more rights keeps its real user, and one that drops them the user who logged in.
    user, login = running and running[1], _attribute(process / "loginuid")
    is_own = str(os.getuid()) in {user, login} or (user == _NOBODY and login in _NO_LOGIN)
    return running is not None and is_own


def find_lockers() -> Lockers | None:
    """Return the lockers of this user, or None on a system that does not list its processes."""
    return Lockers() if (_PROCESSES / "self/status").exists() else None


def program_path(process: int) -> str | None:
    """Return the absolute path of the program of a process, or None where it cannot be read."""
    try:
        return psutil.Process(process).exe() or None
    except (psutil.Error, OSError):
        return None


def _system() -> System:
    return _loads(psutil.getloadavg(), emulated=not hasattr(os, "getloadavg"))


def _loads(averages: Sequence[float], *, emulated: bool) -> System:
    # Windows has no load average: psutil emulates one and returns 0.0 until it has samples.
    if emulated and not any(averages):
        return NO_SYSTEM
    return System(*(clean_number(average, limits.LOAD_MAX, _LOAD_DIGITS) for average in averages))


def _reported(percent: float, plugged: bool | None) -> Battery:  # noqa: FBT001 - as psutil has it
    source: PowerSource = "unknown" if plugged is None else "ac" if plugged else "battery"
    shown = clean_number(percent, limits.BATTERY_PERCENT_MAX, _PERCENT_DIGITS)
    return Battery(percent=shown, charging=None, power_source=source)


def _supplies(folder: Path) -> Sequence[_Supply]:
    """Return the supplies of the computer, without those of a mouse or keyboard."""
    entries = sorted(folder.iterdir()) if folder.is_dir() else ()
    supplies = ({name: _attribute(entry / name) for name in _ATTRIBUTES} for entry in entries)
    return [supply for supply in supplies if supply["scope"] != "Device"]


def _is_battery(supply: _Supply) -> bool:
    return supply["type"] == "Battery" and supply["present"] != "0"


def _share(supply: _Supply, unit: str) -> tuple[int, int] | None:
    """Return the present and the full charge in a unit, None if not known, 0 of a dead battery."""
    now, full = (_number(supply[f"{unit}_{name}"]) for name in ("now", "full"))
    if now is None or full is None:
        return None
    if full:
        return now, full
    return (0, 0) if supply["capacity"] in _DEAD else None


def _attribute(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:  # drivers omit attributes, and some fail to read existing ones
        return ""


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) <= _MAX_DIGITS else None


def _battery_of(supplies: Sequence[_Supply]) -> Battery:
    batteries = [*filter(_is_battery, supplies)]
    charging = _charging(batteries)
    percent = clean_number(_percent(batteries), limits.BATTERY_PERCENT_MAX, _PERCENT_DIGITS)
    return Battery(percent, charging, _power_source(supplies, batteries))


def _percent(batteries: Sequence[_Supply]) -> float | None:
    """Return the charge of all batteries together, or None where it is not known."""
    for unit in ("energy", "charge"):
        shares = [_share(battery, unit) for battery in batteries]
        known = [share for share in shares if share is not None]
        if known and len(known) == len(shares):
            now, full = map(sum, zip(*known, strict=True))
            if full:
                return _full_at_most(100 * now / full)
    percents = (_full_at_most(_number(battery["capacity"])) for battery in batteries)
    capacities = [percent for percent in percents if percent is not None]
    return sum(capacities) / len(capacities) if capacities else None


def _full_at_most(percent: float | None) -> float | None:
    """Return a charge; 100 where a worn battery reports a little more, None for much more."""
    if percent is None or percent > _MAX_REPORTED_PERCENT:
        return None
    return min(percent, limits.BATTERY_PERCENT_MAX)


def _charging(batteries: Sequence[_Supply]) -> bool | None:
    states = {battery["status"] for battery in batteries}
    if "Charging" in states:
        return True
    return False if states and states <= {"Discharging", "Not charging", "Full"} else None


def _power_source(supplies: Sequence[_Supply], batteries: Sequence[_Supply]) -> PowerSource:
    states = {battery["status"] for battery in batteries}
    outer = [supply for supply in supplies if supply["type"].startswith(("Mains", *_PORTS))]
    online = {supply["type"] for supply in outer if supply["online"] in _ONLINE}
    # A port that is online may feed something else: a battery that is discharged says so.
    if "Charging" in states or "Mains" in online or (online and "Discharging" not in states):
        return "ac"
    is_off = bool(batteries) and bool(outer) and {supply["online"] for supply in outer} == {"0"}
    return "battery" if "Discharging" in states or is_off else "unknown"
