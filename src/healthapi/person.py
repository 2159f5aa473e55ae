"""Read the public data of the person from a snapshot: profile object, body, devices, alarms.

Weight is in kg, fat and oxygen saturation in percent, breathing in breaths a minute, skin
temperature in degrees Celsius relative to the usual.

Invariant *private by default*: members that name or locate a person are None unless the privacy
settings publish them.  The profile object always has the same members.
Invariant *missing is not zero*: a list is None if the account did not respond, and empty if it has
no entries; counts are None then too, or if the snapshot names no granted scopes.
Invariant *always three*: there is a reading for each vital sign, with or without a value.
The data of the vital signs are used even if the endpoint's `ok` is false.
Invariant *no hardware address*: a device id that looks like one is not published.
"""

import re
from typing import Annotated, Any, Final, Literal

import attrs

from healthapi.keys import Tone
from healthapi.redaction import PRIVATE, PrivacySettings
from healthapi.snapshot import (
    REQUESTED_SCOPES,
    Snapshot,
    any_number,
    data_of,
    day,
    first_number,
    integer,
    listed,
    member,
    number,
    objects,
    text,
)
from status_contracts.structuring.constraints import Items

BodyLog = Literal["weight", "fat"]
_HARDWARE_ADDRESS: Final = re.compile(r"[0-9A-Fa-f]{2}(?:[ .:_-]?[0-9A-Fa-f]{2}){5,7}")
"""Six to eight bytes in hex."""


@attrs.frozen
class Vital:
    """A vital sign; `<key>_recent` has its records (`name`), and these their value (`value`)."""

    key: str
    label: str
    unit: str
    tone: Tone
    hint: str
    name: str
    value: str


VITALS: Final = (
    Vital("spo2", "SpO2", "%", "blue", "Oxygen saturation, mean of the night.", "spo2", "avg"),
    Vital(
        *("breathing_rate", "Breathing rate", "breaths/min", "teal"),
        *("Breaths a minute, mean of the night.", "br", "breathingRate"),
    ),
    Vital(
        *("skin_temperature", "Skin temperature", "°C", "amber"),
        *("Distance from the person's usual temperature at night.", "tempSkin", "nightlyRelative"),
    ),
)


@attrs.frozen
class VitalReading:
    """The last record of a vital sign; its detail is the range of the day: `94 to 98`."""

    vital: Vital
    date: str | None = None
    value: float | None = None
    detail: str | None = None


def body_logs(snapshot: Snapshot | None, kind: BodyLog) -> list[dict[str, Any]]:
    """Return the logs of weight or body fat, oldest first; logs without a day come first."""
    logs = objects(listed(data_of(snapshot, f"{kind}_log_recent"), kind))
    return sorted(logs, key=lambda log: (_day_of(log) or "", text(log.get("time")) or ""))


def vital_readings(snapshot: Snapshot | None) -> tuple[VitalReading, ...]:
    """Return one reading for each vital sign, even without a snapshot."""
    return tuple(_reading(snapshot, vital) for vital in VITALS)


def _reading(snapshot: Snapshot | None, vital: Vital) -> VitalReading:
    records = objects(listed(data_of(snapshot, f"{vital.key}_recent", needs_ok=False), vital.name))
    if not records:
        return VitalReading(vital)
    latest = max(reversed(records), key=lambda record: _day_of(record) or "")
    value = first_number(latest, ("value", vital.value), (vital.value,))
    value = any_number(latest) if value is None else value
    least, most = (number(member(latest, "value", name)) for name in ("min", "max"))
    detail = None if least is None or most is None else f"{least} to {most}"
    return VitalReading(vital, _day_of(latest), value, detail)


def _day_of(record: dict[str, Any]) -> str | None:
    return day(record.get("dateTime")) or day(record.get("date"))


def devices(snapshot: Snapshot | None) -> list[object] | None:
    """Return the paired devices in the order of the account."""
    return listed(data_of(snapshot, "devices"), "devices")


def badges(snapshot: Snapshot | None) -> list[object] | None:
    """Return the person's badges, or if there are none the top badges of their profile."""
    own = listed(data_of(snapshot, "badges"), "badges")
    shown = listed(member(data_of(snapshot, "profile"), "user", "topBadges"), "badges")
    return own or shown or own


def alarms(snapshot: Snapshot | None) -> list[tuple[str | None, dict[str, Any]]] | None:
    """Return the alarms of all devices, each with the name of its device."""
    device_list = listed(data_of(snapshot, "device_alarms"), "devices")
    if device_list is None:
        return None
    return [
        (device_name(device.get("device_name"), device.get("device_id")), alarm)
        for device in objects(device_list)
        for alarm in objects(listed(device.get("alarms"), "trackerAlarms"))
    ]


def device_name(*names: object) -> str | None:
    """Return the first of some names and ids that is text and not a hardware address."""
    texts = filter(None, map(text, names))
    return next((name for name in texts if not _HARDWARE_ADDRESS.fullmatch(name)), None)


Scopes = Annotated[tuple[str, ...], Items()]

_AVATARS: Final = ("avatar640", "avatar150", "avatar")
"""Members with URLs of pictures, the largest first."""


@attrs.frozen
class Person:
    """The profile object.

    Attributes:
        id: Id of the profile.
        display_name: Display name; the id if the account has none.
        full_name: None unless disclosed.
        avatar: URL of a picture of the account's own hosts, without query.
        member_since: Day.
        timezone: IANA name.
        locale: Language and region: `en_GB`.
        country: None unless disclosed.
        encoded_id: Public id of the account; None unless disclosed.
        height_cm: cm; None unless disclosed.
        weight_kg: kg; None unless disclosed.
        sleep_goal_minutes: Minutes asleep a night.
        daily_steps_goal: Steps a day.
        daily_calories_goal: kcal burned a day.
        weekly_steps_goal: Steps a week.
        device_count: Number of paired devices.
        badge_count: Number of badges.
        scopes: The granted scopes.
        requested_scopes: The requested scopes.
        user_id: Always None, because it is metadata of the token.
        last_snapshot_at: The snapshot's `saved_at`.

    """

    id: str
    display_name: str
    full_name: str | None = None
    avatar: str | None = None
    member_since: str | None = None
    timezone: str | None = None
    locale: str | None = None
    country: str | None = None
    encoded_id: str | None = None
    height_cm: float | None = None
    weight_kg: float | None = None
    sleep_goal_minutes: int | None = None
    daily_steps_goal: int | None = None
    daily_calories_goal: int | None = None
    weekly_steps_goal: int | None = None
    device_count: int | None = None
    badge_count: int | None = None
    scopes: Scopes = ()
    requested_scopes: Scopes = REQUESTED_SCOPES
    user_id: None = None
    last_snapshot_at: str | None = None


def build_person(
    profile_id: str, snapshot: Snapshot | None, privacy: PrivacySettings = PRIVATE
) -> Person:
    """Return the profile object; the snapshot may be None."""
    user = member(data_of(snapshot, "profile"), "user")
    full_name = text(member(user, "fullName")) if privacy.full_name else None
    shown = text(member(user, "displayName"))
    urls = (text(member(user, name)) for name in _AVATARS)
    return Person(
        id=profile_id,
        display_name=shown or full_name or profile_id,
        full_name=(full_name or shown or profile_id) if privacy.full_name else None,
        avatar=next((url for url in urls if url and url.startswith("https://")), None),
        member_since=text(member(user, "memberSince")),
        timezone=text(member(user, "timezone")),
        locale=text(member(user, "locale")),
        country=text(member(user, "country")) if privacy.country else None,
        encoded_id=text(member(user, "encodedId")) if privacy.encoded_id else None,
        height_cm=number(member(user, "height")) if privacy.height else None,
        weight_kg=number(member(user, "weight")) if privacy.weight else None,
        sleep_goal_minutes=integer(member(data_of(snapshot, "sleep_goal"), "goal", "minDuration")),
        daily_steps_goal=_goal(snapshot, "activity_goals_daily", "steps"),
        daily_calories_goal=_goal(snapshot, "activity_goals_daily", "caloriesOut"),
        weekly_steps_goal=_goal(snapshot, "activity_goals_weekly", "steps"),
        device_count=_count(snapshot, devices(snapshot)),
        badge_count=_count(snapshot, badges(snapshot)),
        scopes=snapshot.granted_scopes if snapshot else (),
        requested_scopes=(snapshot.requested_scopes if snapshot else ()) or REQUESTED_SCOPES,
        last_snapshot_at=snapshot.saved_at if snapshot else None,
    )


def _goal(snapshot: Snapshot | None, endpoint: str, name: str) -> int | None:
    return integer(first_number(data_of(snapshot, endpoint), ("goals", name), (name,)))


def _count(snapshot: Snapshot | None, entries: list[object] | None) -> int | None:
    """Return the length of a list; None if no granted scopes confirm that it is complete."""
    is_complete = snapshot is not None and snapshot.granted_scopes
    return len(entries) if is_complete and entries is not None else None
