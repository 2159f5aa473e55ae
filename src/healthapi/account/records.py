"""Read weight, body fat, vital signs, devices, badges and alarms from a snapshot.

Weight is in kg, fat and oxygen saturation in percent, breathing in breaths a minute, skin
temperature in degrees Celsius relative to the usual.  A list is None if the account did not
respond, and empty if it has no entries.

Invariant *always three*: there is a reading for each vital sign, with or without a value.
The data of the vital signs are used even if the endpoint's `ok` is false.
Invariant *no hardware address*: a device id that looks like one is not published.

Contract: HA-SECTION-04, HA-SECTION-08 to 11, HA-PERSON-12, HA-TABLE-14, HA-TABLE-16,
HA-PRIVACY-11.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, Literal

import attrs

from healthapi.account.json_access import (
    any_number,
    day,
    first_number,
    listed,
    member,
    objects,
    text,
)
from healthapi.account.snapshot import Snapshot, data_of
from healthapi.catalog_keys import Tone

BodyLog = Literal["weight", "fat"]
_HARDWARE_ADDRESS: Final = re.compile(r"[0-9A-Fa-f]{2}(?:[ .:_-]?[0-9A-Fa-f]{2}){5,7}")
"""Six to eight bytes in hex."""


@attrs.frozen
class Vital:
    """A vital sign: its name for people, and where a record has its value.

    The records are in the member `name` if they are not at the top level, the value of a record in
    its member `value`.
    """

    key: str
    label: str
    unit: str
    tone: Tone
    hint: str
    name: str
    value: str

    @property
    def endpoint(self) -> str:
        """Key of the snapshot endpoint with its records."""
        return f"{self.key}_recent"


VITALS: Final = (
    Vital("spo2", "SpO2", "%", "blue", "Oxygen saturation, mean of the night.", "spo2", "avg"),
    Vital(
        "breathing_rate",
        "Breathing rate",
        "breaths/min",
        "teal",
        "Breaths a minute, mean of the night.",
        "br",
        "breathingRate",
    ),
    Vital(
        "skin_temperature",
        "Skin temperature",
        "°C",
        "amber",
        "Distance from the person's usual temperature at night.",
        "tempSkin",
        "nightlyRelative",
    ),
)


@attrs.frozen
class VitalReading:
    """The record of a vital sign with the latest date.

    The value is None if nothing was measured; the detail is the lowest and highest value of the
    day: `94 to 98`.
    """

    vital: Vital
    date: str | None = None
    value: float | None = None
    detail: str | None = None


def vital_readings(snapshot: Snapshot | None) -> tuple[VitalReading, ...]:
    """Return one reading for each vital sign, even without a snapshot."""
    return tuple(_reading(snapshot, vital) for vital in VITALS)


def body_logs(snapshot: Snapshot | None, kind: BodyLog) -> list[dict[str, Any]]:
    """Return the logs of weight or body fat, oldest first; logs without a day come first."""
    found = objects(listed(data_of(snapshot, f"{kind}_log_recent"), kind))
    return sorted(found, key=lambda log: (_day_of(log) or "", text(log.get("time")) or ""))


def _reading(snapshot: Snapshot | None, vital: Vital) -> VitalReading:
    records = objects(listed(data_of(snapshot, vital.endpoint, needs_ok=False), vital.name))
    if not records:
        return VitalReading(vital)
    latest = max(reversed(records), key=lambda record: _day_of(record) or "")
    value = first_number(latest, ("value", vital.value), (vital.value,))
    return VitalReading(
        vital, _day_of(latest), any_number(latest) if value is None else value, _range_text(latest)
    )


def _day_of(record: dict[str, Any]) -> str | None:
    return day(record.get("dateTime")) or day(record.get("date"))


def _range_text(record: dict[str, Any]) -> str | None:
    least, most = (first_number(member(record, "value"), (name,)) for name in ("min", "max"))
    return None if least is None or most is None else f"{least} to {most}"


def devices(snapshot: Snapshot | None) -> list[object] | None:
    """Return the paired devices in the order of the account."""
    return listed(data_of(snapshot, "devices"), "devices")


def badges(snapshot: Snapshot | None) -> list[object] | None:
    """Return the person's badges, or if there are none the top badges of their profile."""
    found = listed(data_of(snapshot, "badges"), "badges")
    shown = listed(member(data_of(snapshot, "profile"), "user", "topBadges"), "badges")
    return found or shown or found


def alarms(snapshot: Snapshot | None) -> list[tuple[str | None, dict[str, Any]]] | None:
    """Return the alarms of all devices, each with the name of its device."""
    found = listed(data_of(snapshot, "device_alarms"), "devices")
    return None if found is None else list(_alarms(found))


def device_name(*names: object) -> str | None:
    """Return the first of some names and ids that is text and not a hardware address."""
    found = filter(None, map(text, names))
    return next((name for name in found if not _HARDWARE_ADDRESS.fullmatch(name)), None)


def _alarms(found: list[object]) -> Iterator[tuple[str | None, dict[str, Any]]]:
    for device in objects(found):
        name = device_name(device.get("device_name"), device.get("device_id"))
        for alarm in objects(listed(device.get("alarms"), "trackerAlarms")):
            yield name, alarm
