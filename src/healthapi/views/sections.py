"""Build the four sections: a few cards each on body, vitals, lifestyle and account.

Invariant *always all cards*: the cards of a section do not depend on the snapshot; a card without a
value has None.
Invariant *one name*: the key of a card is its label in lower case with underscores.

Contract: HA-SECTION-01 to 07, HA-SECTION-12 to 17, HA-SNAPSHOT-20.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Final

import attrs

from healthapi.account.person import (
    VITALS,
    Person,
    Scopes,
    alarms,
    badges,
    body_logs,
    devices,
    vital_readings,
)
from healthapi.account.snapshot import (
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
from healthapi.catalog_keys import SECTIONS, Tone
from healthapi.derived.statistics import rounded
from purewire.primitives import ABSENT, Absent
from purewire.structuring.constraints import Items

_CM_PER_METRE: Final = 100

_ValueAndDetail = tuple[float | None, str | None]
"""The value of a card and its detail."""


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
        "body": Summary(_cards("body", _body(snapshot))),
        "vitals": Summary(_cards("vitals", _vitals(snapshot))),
        "lifestyle": Summary(_cards("lifestyle", _lifestyle(snapshot))),
        "account": _account(snapshot, person),
    }
    return tuple(Section(key, label, summaries[key]) for key, label in SECTIONS.items())


@attrs.frozen
class _CardTemplate:
    """A card without its value."""

    label: str
    unit: str
    tone: Tone
    hint: str | None = None

    @property
    def key(self) -> str:
        return self.label.lower().replace(" ", "_")


_TEMPLATES: Final[Mapping[str, tuple[_CardTemplate, ...]]] = {
    "body": (
        _CardTemplate(
            "Weight", "kg", "blue", "The last weight log, or else the weight of the profile."
        ),
        _CardTemplate(
            "BMI", "kg/m²", "teal", "Of the last weight log, or else weight by squared height."
        ),
        _CardTemplate("Weight goal", "kg", "amber"),
        _CardTemplate("Body fat", "%", "red", "The last body fat log."),
    ),
    "vitals": tuple(
        _CardTemplate(vital.label, vital.unit, vital.tone, vital.hint) for vital in VITALS
    ),
    "lifestyle": (
        _CardTemplate("Calorie goal", "kcal", "amber"),
        _CardTemplate("Calories today", "kcal", "red", "Eaten, as logged."),
        _CardTemplate("Water goal", "ml", "blue"),
        _CardTemplate("Water today", "ml", "teal", "Drunk, as logged."),
        _CardTemplate("Frequent foods", "foods", "green"),
        _CardTemplate("Favorite foods", "foods", "green"),
        _CardTemplate("Meals", "meals", "green"),
    ),
    "account": (
        _CardTemplate("Devices", "devices", "blue"),
        _CardTemplate("Badges", "badges", "amber"),
        _CardTemplate(
            "Snapshot completion", "%", "green", "Endpoints of the account that responded."
        ),
        _CardTemplate("Missing scopes", "scopes", "red", "Requested scopes that are not granted."),
    ),
}
"""Section to its cards, in order."""


def _cards(section: str, values: Iterable[_ValueAndDetail]) -> tuple[SectionCard, ...]:
    return tuple(
        SectionCard(each.key, each.label, value, each.unit, detail, each.tone, each.hint)
        for each, (value, detail) in zip(_TEMPLATES[section], values, strict=True)
    )


def _body(snapshot: Snapshot | None) -> list[_ValueAndDetail]:
    log = (body_logs(snapshot, "weight") or [{}])[-1]
    fat = (body_logs(snapshot, "fat") or [{}])[-1]
    logged = number(log.get("weight"))
    user = member(data_of(snapshot, "profile"), "user")
    weight = number(member(user, "weight")) if logged is None else logged
    bmi = number(log.get("bmi"))
    if bmi is None:
        bmi = _body_mass_index(weight, number(member(user, "height")))
    return [
        (rounded(weight), None if logged is None else day(log.get("date"))),
        (rounded(bmi), None),
        (rounded(_goal(snapshot, "weight_goal", "weight")), None),
        (rounded(number(fat.get("fat"))), day(fat.get("date"))),
    ]


def _body_mass_index(weight: float | None, height: float | None) -> float | None:
    """Return kg per square metre; None if it is not a safe number."""
    square = (height / _CM_PER_METRE) ** 2 if height else 0
    return number(weight / square) if weight is not None and square else None


def _goal(snapshot: Snapshot | None, endpoint: str, name: str) -> float | None:
    return first_number(data_of(snapshot, endpoint), ("goal", name), (name,))


def _vitals(snapshot: Snapshot | None) -> list[_ValueAndDetail]:
    return [(reading.value, reading.date) for reading in vital_readings(snapshot)]


def _lifestyle(snapshot: Snapshot | None) -> list[_ValueAndDetail]:
    calories = first_number(
        data_of(snapshot, "food_goal"), ("goals", "calories"), ("goal", "calories"), ("calories",)
    )
    lists = (("frequent_foods", "foods"), ("favorite_foods", "foods"), ("meals", "meals"))
    values = (
        integer(calories),
        integer(member(data_of(snapshot, "food_log_today"), "summary", "calories")),
        integer(_goal(snapshot, "water_goal", "goal")),
        integer(member(data_of(snapshot, "water_log_today"), "summary", "water")),
        *(_count_objects(listed(data_of(snapshot, endpoint), name)) for endpoint, name in lists),
    )
    return [(value, None) for value in values]


def _count_objects(found: list[object] | None) -> int | None:
    return None if found is None else len(objects(found))


def _account(snapshot: Snapshot | None, person: Person) -> Summary:
    missing = None if snapshot is None else snapshot.missing_scopes
    values = (
        (_count_objects(devices(snapshot)) if person.device_count is not None else None, None),
        (_count_objects(badges(snapshot)) if person.badge_count is not None else None, None),
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


def _completion(snapshot: Snapshot | None) -> _ValueAndDetail:
    if snapshot is None or not snapshot.total_count:
        return None, None
    ok, total = snapshot.ok_count, snapshot.total_count
    return rounded(ok / total * 100), f"{ok} of {total} endpoints"
