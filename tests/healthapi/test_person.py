from typing import Any

import attrs
import pytest

from healthapi import snapshot
from healthapi.person import Person, build_person
from healthapi.redaction import PrivacySettings
from healthapi.snapshot import read_snapshot
from status_contracts import json_text
from status_contracts.structuring.converter import unstructure
from support.healthapi.account_data import answered, snapshot_of
from support.healthapi.health_snapshots import REQUESTED_SCOPES, SAVED_AT, SCOPES, snapshot_value

BYTES = json_text.encode(snapshot_value())
AVATAR = "https://static0.fitbit.com/images/profile/defaultProfile_640.png"
EVERYTHING = PrivacySettings(
    full_name=True, country=True, encoded_id=True, height=True, weight=True
)


def private() -> Person:
    return build_person("anna", read_snapshot(BYTES))


def of_user(privacy: PrivacySettings = EVERYTHING, /, **user: Any) -> Person:
    data = {"profile": {"ok": True, "data": {"user": user}}}
    found = read_snapshot(json_text.encode({"endpoints": data}), privacy)
    return build_person("anna", found, privacy)


@pytest.mark.rule("HA-PERSON-09")
class TestPrivacy:
    """Invariant *private by default*: nothing that names or locates a person."""

    def test_only_what_is_shown_anyway_is_published(self) -> None:
        assert unstructure(private()) == {
            "id": "anna",
            "display_name": "Anna N.",
            "full_name": None,
            "avatar": AVATAR,
            "member_since": "2019-03-02",
            "timezone": "Europe/Oslo",
            "locale": "en_GB",
            "country": None,
            "encoded_id": None,
            "height_cm": None,
            "weight_kg": None,
            "sleep_goal_minutes": 465,
            "daily_steps_goal": 9500,
            "daily_calories_goal": 2350,
            "weekly_steps_goal": 66500,
            "device_count": 2,
            "badge_count": 4,
            "scopes": list(SCOPES),
            "requested_scopes": list(REQUESTED_SCOPES),
            "user_id": None,
            "last_snapshot_at": SAVED_AT,
        }

    def test_a_disclosure_publishes_the_rest_under_the_same_members(self) -> None:
        open_person = build_person("anna", read_snapshot(BYTES, EVERYTHING), EVERYTHING)
        assert open_person == attrs.evolve(
            private(),
            full_name="Anna Nordmann",
            country="NO",
            encoded_id="9QZ4XW",
            height_cm=171.5,
            weight_kg=64.3,
        )

    @pytest.mark.parametrize(
        ("disclosed", "member"),
        [
            ("full_name", "full_name"),
            ("country", "country"),
            ("encoded_id", "encoded_id"),
            ("height", "height_cm"),
            ("weight", "weight_kg"),
        ],
    )
    def test_each_member_is_disclosed_by_itself(self, disclosed: str, member: str) -> None:
        privacy = PrivacySettings(**{disclosed: True})
        found = build_person("anna", read_snapshot(BYTES, privacy), privacy)
        before = private()
        assert found == attrs.evolve(before, **{member: getattr(found, member)}) != before

    def test_a_snapshot_that_discloses_more_does_not_make_the_person_do_so(self) -> None:
        assert build_person("anna", read_snapshot(BYTES, EVERYTHING)) == private()


@pytest.mark.rule("HA-PERSON-04", "HA-PERSON-05", "HA-PERSON-06")
class TestNames:
    def test_without_a_shown_name_the_id_is_shown(self) -> None:
        found = of_user(PrivacySettings(), displayName=" ", fullName="Anna Nordmann")
        assert (found.display_name, found.full_name) == ("anna", None)

    def test_a_disclosed_full_name_comes_before_the_id(self) -> None:
        found = of_user(fullName="Anna Nordmann")
        assert found.display_name == found.full_name == "Anna Nordmann"

    def test_without_a_full_name_it_is_the_shown_one(self) -> None:
        assert of_user(displayName="Anna N.").full_name == "Anna N."
        assert of_user().full_name == "anna"

    def test_a_name_that_is_redacted_as_a_whole_is_none(self) -> None:
        assert of_user(PrivacySettings(), displayName="anna@example.org").display_name == "anna"


class TestAvatar:
    def test_the_largest_picture_counts(self) -> None:
        found = of_user(avatar=f"{AVATAR}/small", avatar150=AVATAR, avatar640="no URL")
        assert found.avatar == AVATAR
        assert of_user(avatar=7).avatar is None

    @pytest.mark.parametrize(
        "url",
        [f"{AVATAR}?sig=1", AVATAR.replace("//", "//ann:pw@"), "https://example.org/a.png", "/a"],
    )
    def test_other_urls_are_no_pictures(self, url: str) -> None:
        assert of_user(avatar=url).avatar is None


class TestGoals:
    @pytest.mark.parametrize("goals", [{"goals": {"steps": "9500"}}, {"steps": 9499.6}])
    def test_goals_are_in_a_member_or_at_the_top(self, goals: object) -> None:
        found = answered(activity_goals_daily=goals, activity_goals_weekly=goals)
        person = build_person("anna", found)
        assert (person.daily_steps_goal, person.weekly_steps_goal) == (9500, 9500)


LISTS: dict[str, list[Any]] = {"devices": [{}, None], "badges": []}


class TestCounts:
    """Invariant *missing is not zero*: counts are None where the account did not answer."""

    def test_without_a_snapshot_nothing_is_known(self) -> None:
        assert build_person("anna", None) == Person("anna", "anna")
        assert Person("anna", "anna").device_count is None
        assert Person("anna", "anna").requested_scopes == snapshot.REQUESTED_SCOPES

    def test_every_item_of_a_list_counts(self) -> None:
        endpoints = {key: {"ok": True, "data": data} for key, data in LISTS.items()}
        person = build_person("anna", snapshot_of(endpoints, token_scope="settings profile"))
        assert (person.device_count, person.badge_count) == (2, 0)

    @pytest.mark.parametrize("scopes", [{}, {"token_scope": ""}, {"granted_scopes": []}])
    def test_without_granted_scopes_nothing_is_counted(self, scopes: dict[str, Any]) -> None:
        """Rulings of health data, "Not known is null"."""
        endpoints = {key: {"ok": True, "data": data} for key, data in LISTS.items()}
        person = build_person("anna", snapshot_of(endpoints, **scopes))
        assert (person.device_count, person.badge_count) == (None, None)
