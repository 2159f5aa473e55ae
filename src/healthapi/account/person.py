"""Build the profile object: the public data of the person.

Invariant *private by default*: members that name or locate a person are None unless the privacy
settings publish them.  The object always has the same members.
Invariant *missing is not zero*: counts are None if the account did not respond, or if the snapshot
names no granted scopes.

Contract: HA-ENVELOPE-15, HA-PERSON-01 to 11, HA-PERSON-13, HA-PERSON-14, HA-PERSON-17,
HA-PRIVACY-09, HA-PRIVACY-12.
"""

from typing import Annotated, Any, Final
from urllib.parse import urlsplit, urlunsplit

import attrs

from healthapi.account.json_access import first_number, integer, member, number, text
from healthapi.account.records import badges, devices
from healthapi.account.snapshot import REQUESTED_SCOPES, Snapshot, data_of
from healthapi.redaction.walk import PRIVATE, PrivacySettings
from purewire.structuring.constraints import Items
from purewire.structuring.to_builtins import to_builtins

Scopes = Annotated[tuple[str, ...], Items()]

_AVATARS: Final = ("avatar640", "avatar150", "avatar")
"""Members with URLs of pictures, the largest first."""
_SCHEMES: Final = ("http", "https")


@attrs.frozen
class Person:
    """The profile object.

    Attributes:
        id: Id of the profile.
        display_name: Display name; the id if the account has none.
        full_name: None unless disclosed.
        avatar: URL of a picture, without query, fragment and credentials.
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

    def plain(self) -> dict[str, Any]:
        """Return the published profile object."""
        return to_builtins(self)


def build_person(
    profile_id: str, snapshot: Snapshot | None, disclosure: PrivacySettings = PRIVATE
) -> Person:
    """Return the profile object; the snapshot may be None."""
    user = member(data_of(snapshot, "profile"), "user")
    goals_daily = data_of(snapshot, "activity_goals_daily")
    goals_weekly = data_of(snapshot, "activity_goals_weekly")
    full_name = _text_if(disclosure.full_name, user, "fullName")
    shown = text(member(user, "displayName"))
    return Person(
        id=profile_id,
        display_name=shown or full_name or profile_id,
        full_name=(full_name or shown or profile_id) if disclosure.full_name else None,
        avatar=_avatar(user),
        member_since=text(member(user, "memberSince")),
        timezone=text(member(user, "timezone")),
        locale=text(member(user, "locale")),
        country=_text_if(disclosure.country, user, "country"),
        encoded_id=_text_if(disclosure.encoded_id, user, "encodedId"),
        height_cm=number(member(user, "height")) if disclosure.height else None,
        weight_kg=number(member(user, "weight")) if disclosure.weight else None,
        sleep_goal_minutes=integer(member(data_of(snapshot, "sleep_goal"), "goal", "minDuration")),
        daily_steps_goal=_goal(goals_daily, "steps"),
        daily_calories_goal=_goal(goals_daily, "caloriesOut"),
        weekly_steps_goal=_goal(goals_weekly, "steps"),
        device_count=_count(snapshot, devices(snapshot)),
        badge_count=_count(snapshot, badges(snapshot)),
        scopes=snapshot.granted_scopes if snapshot else (),
        requested_scopes=(snapshot.requested_scopes if snapshot else ()) or REQUESTED_SCOPES,
        last_snapshot_at=snapshot.saved_at if snapshot else None,
    )


def _text_if(disclosed: bool, user: object, name: str) -> str | None:  # noqa: FBT001 # a condition
    return text(member(user, name)) if disclosed else None


def _goal(goals: object, name: str) -> int | None:
    return integer(first_number(goals, ("goals", name), (name,)))


def _count(snapshot: Snapshot | None, found: list[object] | None) -> int | None:
    """Return the length of a list; None if no granted scopes confirm that it is complete."""
    if snapshot is None or not snapshot.granted_scopes or found is None:
        return None
    return len(found)


def _avatar(user: object) -> str | None:
    """Return the URL of the largest picture without credentials, query and fragment."""
    urls = (_strip_url(text(member(user, name)) or "") for name in _AVATARS)
    return next(filter(None, urls), None)


def _strip_url(url: str) -> str | None:
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    host = parts.netloc.rpartition("@")[2]
    if parts.scheme not in _SCHEMES or not host:
        return None
    return urlunsplit((parts.scheme, host, parts.path, "", ""))
