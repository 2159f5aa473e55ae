"""The four sections: a few cards each on body, vitals, lifestyle and account.

Source: health facts, section 12; rulings on missing values.

Invariant *always all cards*: a section has the same cards whatever the snapshot has; a card
without a value says None.
Invariant *one name*: the key of a card is its label in lower case with underscores.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final

import attrs

from healthapi.account.inventory import alarms, badges, devices
from healthapi.account.json_access import (
    day,
    first_number,
    integer,
    listed,
    member,
    number,
    objects,
)
from healthapi.account.measurements import VITALS, body_logs, vital_readings
from healthapi.account.person import Person, Scopes
from healthapi.account.snapshot import Snapshot, data_of
from healthapi.catalog_keys import SECTIONS, Tone
from healthapi.derived.means import rounded
from purewire.absent import ABSENT, Absent
from purewire.structuring.constraints import Items
from purewire.structuring.to_builtins import to_plain

__all__ = ["Section", "SectionCard", "Summary", "sections"]

_CENTIMETRES: Final = 100

_Valued = tuple[float | None, str | None]
"""The value of a card and its detail."""


@attrs.frozen
class SectionCard:
    """One value of a section.

    Attributes:
        key: key of the card.
        label: the value in words.
        value: the value; None where there is none.
        unit: what it counts.
        detail: what qualifies this value: its day, or what it is a part of.
        tone: colour family for dashboards.
        hint: where the value comes from, in a sentence.

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
    """What a section says; all but the cards only for the account.

    Attributes:
        metrics: the cards.
        requested_scopes: what the owner was asked for.
        missing_scopes: what of that the owner did not grant.
        granted_scopes: what the owner granted.
        alarms_count: alarms of all devices; None where the account did not answer.

    """

    metrics: Annotated[tuple[SectionCard, ...], Items()]
    requested_scopes: Scopes | Absent = ABSENT
    missing_scopes: Scopes | Absent = ABSENT
    granted_scopes: Scopes | Absent = ABSENT
    alarms_count: int | Absent | None = ABSENT


@attrs.frozen
class Section:
    """A section: its key, its name in words, and what it says."""

    section: str
    label: str
    summary: Summary

    def plain(self) -> dict[str, Any]:
        """Give the section as it is published."""
        return to_plain(self)


def sections(snapshot: Snapshot | None, person: Person) -> tuple[Section, ...]:
    """Give the four sections in their order, without a snapshot too."""
    summaries = {
        "body": Summary(_cards("body", _body(snapshot))),
        "vitals": Summary(_cards("vitals", _vitals(snapshot))),
        "lifestyle": Summary(_cards("lifestyle", _lifestyle(snapshot))),
        "account": _account(snapshot, person),
    }
    return tuple(Section(key, label, summaries[key]) for key, label in SECTIONS.items())


@attrs.frozen
class _Face:
    """What a card is, whatever its value."""

    label: str
    unit: str
    tone: Tone
    hint: str | None = None

    @property
    def key(self) -> str:
        return self.label.lower().replace(" ", "_")


_FACES: Final[Mapping[str, tuple[_Face, ...]]] = {
    "body": (
        _Face("Weight", "kg", "blue", "The last weight log, or else the weight of the profile."),
        _Face("BMI", "kg/m²", "teal", "Of the last weight log, or else weight by squared height."),
        _Face("Weight goal", "kg", "amber"),
        _Face("Body fat", "%", "red", "The last body fat log."),
    ),
    "vitals": tuple(_Face(vital.label, vital.unit, vital.tone, vital.hint) for vital in VITALS),
    "lifestyle": (
        _Face("Calorie goal", "kcal", "amber"),
        _Face("Calories today", "kcal", "red", "Eaten, as logged."),
        _Face("Water goal", "ml", "blue"),
        _Face("Water today", "ml", "teal", "Drunk, as logged."),
        _Face("Frequent foods", "foods", "green"),
        _Face("Favorite foods", "foods", "green"),
        _Face("Meals", "meals", "green"),
    ),
    "account": (
        _Face("Devices", "devices", "blue"),
        _Face("Badges", "badges", "amber"),
        _Face("Snapshot completion", "%", "green", "Endpoints of the account that answered."),
        _Face("Missing scopes", "scopes", "red", "What the owner was asked for and did not grant."),
    ),
}
"""Section to its cards, in order."""


def _cards(section: str, values: Iterable[_Valued]) -> tuple[SectionCard, ...]:
    return tuple(
        SectionCard(face.key, face.label, value, face.unit, detail, face.tone, face.hint)
        for face, (value, detail) in zip(_FACES[section], values, strict=True)
    )


def _body(snapshot: Snapshot | None) -> list[_Valued]:
    log = (body_logs(snapshot, "weight") or [{}])[-1]
    fat = (body_logs(snapshot, "fat") or [{}])[-1]
    logged = number(log.get("weight"))
    user = member(data_of(snapshot, "profile"), "user")
    weight = number(member(user, "weight")) if logged is None else logged
    given = number(log.get("bmi"))
    bmi = _body_mass_index(weight, number(member(user, "height"))) if given is None else given
    return [
        (rounded(weight), None if logged is None else day(log.get("date"))),
        (rounded(bmi), None),
        (rounded(_goal(snapshot, "weight_goal", "weight")), None),
        (rounded(number(fat.get("fat"))), day(fat.get("date"))),
    ]


def _body_mass_index(weight: float | None, height: float | None) -> float | None:
    """Give kg by square metres; None where that is no number one can reckon with."""
    square = (height / _CENTIMETRES) ** 2 if height else 0
    return number(weight / square) if weight is not None and square else None


def _goal(snapshot: Snapshot | None, endpoint: str, name: str) -> float | None:
    return first_number(data_of(snapshot, endpoint), ("goal", name), (name,))


def _vitals(snapshot: Snapshot | None) -> list[_Valued]:
    return [(reading.value, reading.date) for reading in vital_readings(snapshot)]


def _lifestyle(snapshot: Snapshot | None) -> list[_Valued]:
    calories = first_number(
        data_of(snapshot, "food_goal"), ("goals", "calories"), ("goal", "calories"), ("calories",)
    )
    values = (
        integer(calories),
        integer(member(data_of(snapshot, "food_log_today"), "summary", "calories")),
        integer(_goal(snapshot, "water_goal", "goal")),
        integer(member(data_of(snapshot, "water_log_today"), "summary", "water")),
        _objects_in(listed(data_of(snapshot, "frequent_foods"), "foods")),
        _objects_in(listed(data_of(snapshot, "favorite_foods"), "foods")),
        _objects_in(listed(data_of(snapshot, "meals"), "meals")),
    )
    return [(value, None) for value in values]


def _objects_in(found: list[object] | None) -> int | None:
    return None if found is None else len(objects(found))


def _account(snapshot: Snapshot | None, person: Person) -> Summary:
    missing = None if snapshot is None else snapshot.missing_scopes
    values = (
        (_objects_in(devices(snapshot)) if person.device_count is not None else None, None),
        (_objects_in(badges(snapshot)) if person.badge_count is not None else None, None),
        _completion(snapshot),
        (None if missing is None else len(missing), ", ".join(missing or ()) or None),
    )
    found = alarms(snapshot)
    return Summary(
        metrics=_cards("account", values),
        requested_scopes=person.requested_scopes,
        missing_scopes=missing or (),
        granted_scopes=person.scopes,
        alarms_count=None if found is None else len(found),
    )


def _completion(snapshot: Snapshot | None) -> _Valued:
    ok, total = (snapshot.ok_count, snapshot.total_count) if snapshot else (0, 0)
    if not total:
        return None, None
    return rounded(ok / total * 100), f"{ok} of {total} endpoints"
