"""Read devices, badges and alarms from a snapshot.

A list is None if the account did not respond, and empty if it has no entries.

Invariant *no hardware address*: a device id that looks like one is not published.

Contract: HA-PERSON-12, HA-TABLE-14, HA-TABLE-16, HA-PRIVACY-11.
"""

from collections.abc import Iterator
from typing import Any

from healthapi.account.json_access import is_hardware_address, items, listed, member, objects, text
from healthapi.account.snapshot import Snapshot, data_of


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
    return next((name for name in found if not is_hardware_address(name)), None)


def _alarms(found: list[object]) -> Iterator[tuple[str | None, dict[str, Any]]]:
    for device in objects(found):
        name = device_name(device.get("device_name"), device.get("device_id"))
        for alarm in objects(items(listed(device.get("alarms"), "trackerAlarms"))):
            yield name, alarm
