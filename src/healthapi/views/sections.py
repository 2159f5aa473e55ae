"""Build the four sections: a few cards each on body, vitals, lifestyle and account.

Invariant *always all cards*: the cards of a section do not depend on the snapshot; a card without a
value has None.
Invariant *one name*: the key of a card is its label in lower case with underscores.
"""

from typing import Annotated, Final

import attrs

from healthapi.derived.statistics import rounded
from healthapi.keys import SECTIONS, Tone
from healthapi.person import (
    VITALS,
    Person,
    Scopes,
    alarms,
    badges,
    body_logs,
    devices,
    vital_readings,
)
from healthapi.snapshot import (
    Snapshot,
    data_of,
    day,
    first_number,
    integer,
    listed,
    member,
    number,
    objects,
)
from status_contracts.primitives import ABSENT, Absent
from status_contracts.structuring.constraints import Items


@attrs.frozen
class SectionCard:
    """One value of a section.

    Attributes:
        detail: The day of the value, or the whole of which it is a part.
        hint: A sentence about the source of the value.

    """

    key: str
    label: str
    value: float | None
    unit: str
    detail: str | None
    tone: Tone
    hint: str | None


@attrs.frozen
class Summary:
    """The content of a section; only the section `account` has more than cards.

    Attributes:
        missing_scopes: The requested scopes that are not granted.
        alarms_count: Alarms of all devices; None if the account did not respond.

    """

    metrics: Annotated[tuple[SectionCard, ...], Items()]
    requested_scopes: Scopes | Absent = ABSENT
    missing_scopes: Scopes | Absent = ABSENT
    granted_scopes: Scopes | Absent = ABSENT
    alarms_count: int | Absent | None = ABSENT


@attrs.frozen
class Section:
    """A section: its key, label and content."""

    section: str
    label: str
    summary: Summary


def build_sections(snapshot: Snapshot | None, person: Person) -> tuple[Section, ...]:
    """Return the four sections in their order; the snapshot may be None."""
    summaries = {
        "body": Summary(_body(snapshot)),
        "vitals": Summary(
            tuple(
                _card(last.vital.label, last.vital.unit, last.vital.tone, last.value, last.date)
                for last in vital_readings(snapshot)
            )
        ),
        "lifestyle": Summary(_lifestyle(snapshot)),
        "account": _account(snapshot, person),
    }
    return tuple(Section(key, label, summaries[key]) for key, label in SECTIONS.items())


_HINTS: Final = {
    "Weight": "The last weight log, or else the weight of the profile.",
    "BMI": "Of the last weight log, or else weight by squared height.",
    "Body fat": "The last body fat log.",
    **{vital.label: vital.hint for vital in VITALS},
    "Calories today": "Eaten, as logged.",
    "Water today": "Drunk, as logged.",
    "Snapshot completion": "Endpoints of the account that responded.",
    "Missing scopes": "Requested scopes that are not granted.",
}
"""Label of a card to its hint."""


def _card(
    label: str, unit: str, tone: Tone, value: float | None, detail: str | None = None
) -> SectionCard:
    key = label.lower().replace(" ", "_")
    return SectionCard(key, label, value, unit, detail, tone, _HINTS.get(label))


def _body(snapshot: Snapshot | None) -> tuple[SectionCard, ...]:
    log = (body_logs(snapshot, "weight") or [{}])[-1]
    fat = (body_logs(snapshot, "fat") or [{}])[-1]
    logged = number(log.get("weight"))
    user = member(data_of(snapshot, "profile"), "user")
    weight = number(member(user, "weight")) if logged is None else logged
    bmi = number(log.get("bmi"))
    if bmi is None:
        height = number(member(user, "height"))
        square = (height / 100) ** 2 if height else 0
        bmi = number(weight / square) if weight is not None and square else None
    goal = rounded(_goal(snapshot, "weight_goal", "weight"))
    date = None if logged is None else day(log.get("date"))
    percent = rounded(number(fat.get("fat")))
    return (
        _card("Weight", "kg", "blue", rounded(weight), date),
        _card("BMI", "kg/m²", "teal", rounded(bmi)),
        _card("Weight goal", "kg", "amber", goal),
        _card("Body fat", "%", "red", percent, day(fat.get("date"))),
    )


def _goal(snapshot: Snapshot | None, endpoint: str, name: str) -> float | None:
    return first_number(data_of(snapshot, endpoint), ("goal", name), (name,))


def _lifestyle(snapshot: Snapshot | None) -> tuple[SectionCard, ...]:
    goal = first_number(
        data_of(snapshot, "food_goal"), ("goals", "calories"), ("goal", "calories"), ("calories",)
    )
    eaten = member(data_of(snapshot, "food_log_today"), "summary", "calories")
    water_goal = _goal(snapshot, "water_goal", "goal")
    drunk = member(data_of(snapshot, "water_log_today"), "summary", "water")
    lists = (
        ("Frequent foods", "foods", "frequent_foods"),
        ("Favorite foods", "foods", "favorite_foods"),
        ("Meals", "meals", "meals"),
    )
    return (
        _card("Calorie goal", "kcal", "amber", integer(goal)),
        _card("Calories today", "kcal", "red", integer(eaten)),
        _card("Water goal", "ml", "blue", integer(water_goal)),
        _card("Water today", "ml", "teal", integer(drunk)),
        *(
            _card(label, unit, "green", _count_objects(listed(data_of(snapshot, key), unit)))
            for label, unit, key in lists
        ),
    )


def _count_objects(entries: list[object] | None) -> int | None:
    return None if entries is None else len(objects(entries))


def _account(snapshot: Snapshot | None, person: Person) -> Summary:
    missing = None if snapshot is None else snapshot.missing_scopes
    count = None if missing is None else len(missing)
    owned = None if person.device_count is None else _count_objects(devices(snapshot))
    earned = None if person.badge_count is None else _count_objects(badges(snapshot))
    percent = detail = None
    if snapshot is not None and snapshot.total_count:
        percent = rounded(snapshot.ok_count / snapshot.total_count * 100)
        detail = f"{snapshot.ok_count} of {snapshot.total_count} endpoints"
    alarm_list = alarms(snapshot)
    return Summary(
        metrics=(
            _card("Devices", "devices", "blue", owned),
            _card("Badges", "badges", "amber", earned),
            _card("Snapshot completion", "%", "green", percent, detail),
            _card("Missing scopes", "scopes", "red", count, ", ".join(missing or ()) or None),
        ),
        requested_scopes=person.requested_scopes,
        missing_scopes=missing or (),
        granted_scopes=person.scopes,
        alarms_count=None if alarm_list is None else len(alarm_list),
    )
