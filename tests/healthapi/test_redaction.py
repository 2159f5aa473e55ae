"""Sanitising by two rules: names of one table, and texts only if they are ordinary."""

import importlib.resources
from collections.abc import Callable
from copy import deepcopy
from typing import Any, ClassVar

import attrs
import pytest

from healthapi import limits
from healthapi.redaction import (
    PRIVATE,
    REMOVED,
    PrivacySettings,
    clean,
    clean_text,
    is_ordinary,
    sanitise,
)
from healthapi.redaction_names import IDENTITIES, SECRET, UNDISCLOSED, kind_of, words_of
from support.checks.costs import assert_linear
from support.healthapi.health_snapshots import snapshot_value

TOKEN = "q7Zr1Kd93mWxT0vL"
EVERYTHING = PrivacySettings(**{each.name: True for each in attrs.fields(PrivacySettings)})


def nested(depth: int, value: Any) -> Any:
    for level in range(depth):
        value = [value] if level % 2 else {"a": value}
    return value


NO_ZONES = (
    "No/Where Europe/ Europe//Oslo Europe/a/b/c x/Oslo Europe/dGhpc0lz Europe/Oslo1 US/ABCdefGHI"
    " Asia/eyJhbGci/OiJ America/Secret Etc/GMT+123 Pacific/aaaaaaaaaaaaaaa Arctic/München \ud800"
)


class TestTexts:
    """Most are in the vectors."""

    @pytest.mark.parametrize("text", NO_ZONES.split())
    def test_with_a_slash_that_are_no_zones_are_removed(self, text: str) -> None:
        assert clean_text(text) == REMOVED

    def test_may_be_any_zone_of_the_installed_database(self) -> None:
        zones = importlib.resources.files("tzdata").joinpath("zones").read_text("ascii").split()
        assert len(zones) > 590
        assert [zone for zone in zones if not is_ordinary(zone)] == []


NAMES = {
    SECRET: (
        "access_token accessToken ACCESS-TOKEN accesstoken x_fitbit_access_token_v2 tokenType "
        "tok token_user_id fitbittoken idJwt csrf bearer password passWord PASSWORD1 user_pw "
        "seed_phrase clientSecret secret credentials api_key apikey x-rapidapi-key privateKey "
        "Authorization oauth2 auth basicAuth otp code_verifier unlockPattern pin pinCode Cookie "
        "Set-Cookie sessionId JSESSIONID sid signature hmac expires_in refresh "
        "ｔｏｋｅｎ 密码 пароль"
    ),
    UNDISCLOSED: "mac macAddress serial_number imei bssid clientIp passport iban card_number",
    "full_name": "fullName first_name LASTNAME username aboutMe",
    "birth_date": "dateOfBirth birthday dob birth",
    "email": "email userEmail e-mail emailAddress mail",
    "phone": "phone mobilePhone telephone tel emergencyContact",
    "encoded_id": "encodedId ownerId user_id",
    "country": "country countryCode homeCountry",
    "address": "address city homeCity latitude lat location state zip_code street",
}
INNOCENT = (
    "steps displayName name key value id type code session sessions cookies session_minutes"
    " footprint keyword compass secretion spinning metric_key logId token_count tokens_earned"
    " email_count address_count cookie_calories signature_dish capacity addressed ship zipper"
    " deviceVersion battery_expires_in_days author counter stated infoCode summary"
)


class TestNames:
    @pytest.mark.parametrize("kind", NAMES)
    def test_of_the_table_say_what_they_are(self, kind: str) -> None:
        names = NAMES[kind].split()
        assert [name for name in names if kind_of(words_of(name)) != kind] == []

    @pytest.mark.parametrize("name", INNOCENT.split())
    def test_of_other_things_say_nothing(self, name: str) -> None:
        assert kind_of(words_of(name)) is None
        assert clean({name: 5}) == {name: 5}

    def test_of_the_table_are_those_of_the_settings(self) -> None:
        published = {each.name for each in attrs.fields(PrivacySettings)} - {"height", "weight"}
        assert IDENTITIES.keys() == {UNDISCLOSED, *published}


class TestValues:
    def test_are_not_changed_themselves(self) -> None:
        value = {"access_token": "abc", "a": [{"b": "x=1"}]}
        given = deepcopy(value)
        assert clean(value) == {"a": [{"b": REMOVED}]}
        assert value == given

    @pytest.mark.parametrize(
        "value", [(1, 2), {1: 2}, {None: 1}, b"a", {1, 2}, object(), [b"a"], {"a": (1,)}]
    )
    def test_that_are_no_json_raise_type_error(self, value: Any) -> None:
        with pytest.raises(TypeError, match="not plain JSON"):
            clean(value)

    def test_of_any_depth_are_sanitised(self) -> None:
        found = clean(nested(10_001, {"token": 1, "a": "x=1"}))
        for level in reversed(range(10_001)):
            found = found[0] if level % 2 else found["a"]
        assert found == {"a": REMOVED}


class TestReport:
    def test_names_what_is_removed_and_counts_it(self) -> None:
        value = [
            {"mac": TOKEN, "link": "https://a.b", "links": ["a=b", "c=d"]},
            {"mac": 5, TOKEN: "x=1", f"token {TOKEN}": 1},
            TOKEN,
        ]
        cleaned, members, texts = sanitise(value)
        assert members == {"mac": 2, REMOVED: 1}
        assert texts == {"": 1, REMOVED: 1, "link": 1, "links": 2}
        assert sanitise(cleaned) == (cleaned, {}, {})


class TestPrivacySettings:
    VALUE: ClassVar[dict[str, Any]] = {
        "fullName": "Anna O\u2019Hara-Nordmann 2nd",
        "country": "NO",
        "encodedId": "9QZ4XW",
        "dateOfBirth": "1986-05-17",
        "emails": ["anna@example.org"],
        "phone": "+49 (171) 123-45-67",
        "city": "Tromsø",
    }
    SETTINGS: ClassVar = (
        "full_name",
        "country",
        "encoded_id",
        "birth_date",
        "email",
        "phone",
        "address",
    )

    def test_are_private_by_default(self) -> None:
        assert clean(self.VALUE) == {}
        assert PrivacySettings() == PRIVATE

    @pytest.mark.parametrize(("name", "member"), list(zip(SETTINGS, VALUE, strict=True)))
    def test_publish_what_they_name_in_any_form(self, name: str, member: str) -> None:
        cleaned = clean(self.VALUE, PrivacySettings(**{name: True}))
        assert cleaned == {member: self.VALUE[member]}

    def test_publish_no_secret_and_no_device(self) -> None:
        assert clean(self.VALUE, EVERYTHING) == self.VALUE
        value = {"mac": "a", "passport": 1, "token": 2, "a": "x=1", "email": "Bearer abc"}
        assert clean(value, EVERYTHING) == {"a": REMOVED, "email": REMOVED}
        assert clean({"email": "a" * 101, "phone": "\x00"}, EVERYTHING) == {
            "email": REMOVED,
            "phone": REMOVED,
        }
        assert clean({"access_token": 1, "user_id": "a1"}, EVERYTHING) == {}


class TestKinds:
    """Each is one of a kind that was removed, or published, by mistake."""

    @pytest.mark.parametrize(
        ("value", "cleaned"),
        [
            ({"scopes": ["location", "sleep"]}, {"scopes": ["location", "sleep"]}),
            ({"categories": ["Mobile", "Indoor"]}, {"categories": ["Mobile", "Indoor"]}),
            ({"accessTokenTotal": "Hunter", "password_count": "hunter"}, {}),
            ({"steps_7d_30d": 1, "hrv_2025_2026": {}}, {"steps_7d_30d": 1, "hrv_2025_2026": {}}),
        ],
    )
    def test_pairs_counts_and_names(self, value: Any, cleaned: Any) -> None:
        assert clean(value) == cleaned


class TestSnapshots:
    def test_lose_what_the_rules_say_and_nothing_else(self) -> None:
        _, members, texts = sanitise(snapshot_value())
        assert set(members) == {
            *("token_scope", "token_scope_raw", "token_user_id", "token_type", "expires_in", "mac"),
            *("aboutMe", "city", "country", "state", "dateOfBirth", "firstName", "lastName"),
            *("fullName", "encodedId"),
        }
        links = dict.fromkeys(("caloriesLink", "heartRateLink", "tcxLink", "url"), 20)
        pictures = {"avatar": 1, "avatar150": 1}
        prose = {"description": 5, "shareText": 5}
        assert texts == links | pictures | prose | {"logType": 42, "error": 1, "next": 1}


SHAPES: dict[str, Callable[[int], Any]] = {
    "a long text": lambda size: "ab " * (size // 3),
    "a long name": lambda size: {"tok_" * (size // 4): 1},
    "wide letters": lambda size: [f"{WIDE * 20}a {number}" for number in range(size // 70)],
    "names": lambda size: {f"name {number}": {} for number in range(size // 17)},
    "names that are values": lambda size: {f"a@{number}": 1 for number in range(size // 10)},
    "pairs": lambda size: [["key", number] for number in range(size // 14)],
    "texts": lambda size: [f"a{number}" for number in range(size // 8)],
    "depth": lambda size: nested(size // 6, 1),
    "numbers": lambda size: ["1" * size, "1:11" * (size // 4), "1," * (size // 2)],
    "signs": lambda size: ["." * size, "A_" * (size // 2), "a-" * (size // 2), "、" * size],
    "images": lambda size: "https://static0.fitbit.com/" + "a/" * (size // 2),
    "reasons": lambda size: "missing_scope:" + " " * size,
}
"""Shape to a function that makes a snapshot of about a number of bytes."""
WIDE = "\ufdfa"
"""A letter that is 18 in normal form."""


@pytest.mark.check
class TestCost:
    """Invariant *linear*."""

    @pytest.mark.parametrize("shape", SHAPES)
    def test_grows_with_the_size(self, shape: str) -> None:
        assert_linear(clean, SHAPES[shape], limits.SNAPSHOT_FILE_BYTES // 128)
