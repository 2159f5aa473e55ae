"""Removal of secrets and identities from plain JSON."""

import base64
import json
import re
import struct
import time
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any, ClassVar

import attrs
import pytest

from healthapi import limits
from healthapi.redaction import text
from healthapi.redaction.name_rules import NAME_RULES
from healthapi.redaction.names import classify
from healthapi.redaction.text import Redactor
from healthapi.redaction.walk import PRIVATE, REMOVED, PrivacySettings, clean, clean_text
from support.checks.costs import assert_linear
from support.healthapi.health_snapshots import snapshot_value

PAGE = Path(__file__).parents[2] / "docs/reference/redaction.md"
CANARY = "cAnArY7Zq81hRt20Kp9x"
JWT = "eyJhbGciOiJIUzI1NiJ9.e30.c2ln"

KEPT: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 3.5, 10**25, "", "Morning run", [], {}, [[], {}, None]),
    {"steps": 9120, "note": "5 km", "logs": [{"value": 1}, {"value": None}]},
    {"name": "Morning", "value": 30, "type": "run", "text": "easy"},
    {"dateTime": "2026-01-31", "value": "10000"},
    ["activity", "sleep", "profile"],
    ["Secret Garden", "Morning run", 5],
    [["Accept", "application/json"], ["steps", 5]],
    {"columns": ["date", "steps"], "rows": [["2026-01-31", 5]]},
    {"fields": ["date", "session", "steps"], "values": [1, 2, 3]},
    {"state": "done", "region": "upper arm"},
    {"token_scope": ["activity", "sleep"], "key": "steps", "code": 200},
    '{"steps": 100, "note": "fine"}',
    "[1, 2,3 ]",
    '"just text"',
    "{no JSON}",
    '{"torn": ',
    "[1, 2)",
    '{"huge": 1e999}',
    '{"digits": ' + "9" * 500 + "}",
    '{"not": NaN}',
    "{",
)
"""Values in which nothing is redacted."""


def nested(depth: int, inner: Any) -> Any:
    """Nest a value in alternating objects and lists."""
    for level in range(depth):
        inner = [inner] if level % 2 else {"a": inner}
    return inner


def innermost(value: Any) -> Any:
    """Return the innermost object."""
    while True:
        inner = value[0] if isinstance(value, list) else value.get("a", value)
        if inner is value:
            return value
        value = inner


class TestMembers:
    @pytest.mark.parametrize(
        "content", ["abc", 1234, 0.5, True, None, [CANARY], {"a": [CANARY]}, [], ""]
    )
    def test_of_redacted_names_go_whatever_they_hold(self, content: Any) -> None:
        assert clean({"a": 1, "access_token": content, "b": 2}) == {"a": 1, "b": 2}

    @pytest.mark.parametrize("depth", [0, 1, 2, 9, 500, 20_000])
    def test_go_at_any_depth(self, depth: int) -> None:
        """Invariant *any depth*; no stack is needed for it."""
        cleaned = clean(nested(depth, {"steps": 1, "token": CANARY}))
        assert innermost(cleaned) == {"steps": 1}

    @pytest.mark.parametrize("value", KEPT)
    def test_of_other_names_stay(self, value: Any) -> None:
        """Invariant *structure stays*: a value without redacted parts is equal to the given one."""
        assert clean(value) == value
        assert json.dumps(clean({"a": [value]})) == json.dumps({"a": [value]})

    def test_keep_their_order(self) -> None:
        assert list(clean({"b": 1, "pin": 2, "a": 3, JWT: 4, "c": 5})) == ["b", "a", REMOVED, "c"]

    def test_a_value_that_is_given_is_not_changed(self) -> None:
        value = {"a": [{"token": CANARY}, f"token={CANARY}"], "name": "pin", "value": 1}
        before = deepcopy(value)
        clean(value)
        assert value == before

    def test_a_region_stays_where_the_rest_of_the_address_is_disclosed(self) -> None:
        value = {"city": "Tromsø", "state": "Troms"}
        assert clean(value) == {}
        assert clean(value, PrivacySettings(address=True)) == value
        assert clean({"state": "Troms", "country": "NO"}, PrivacySettings(address=True)) == {
            "state": "Troms"
        }


class TestNames:
    def test_that_are_secrets_are_numbered(self) -> None:
        value = {JWT: 1, f"{JWT}2": 2, f"{JWT}3": 3}
        assert clean(value) == {REMOVED: 1, f"{REMOVED} 2": 2, f"{REMOVED} 3": 3}

    def test_never_take_the_place_of_others(self) -> None:
        value = {REMOVED: 1, JWT: 2, f"{REMOVED} 2": 3, f"{JWT}x": 4}
        assert clean(value) == {
            REMOVED: 1,
            f"{REMOVED} 3": 2,
            f"{REMOVED} 2": 3,
            f"{REMOVED} 4": 4,
        }
        assert clean(clean(value)) == clean(value)

    def test_that_are_texts_with_secrets_are_replaced(self) -> None:
        assert CANARY not in json.dumps(clean({f"x token={CANARY}": 1, f'{{"pin":"{CANARY}"}}': 2}))

    def test_of_any_length_are_searched(self) -> None:
        assert clean({"x" * 5000 + "_access_token": 1, "y" * 5000: 2}) == {"y" * 5000: 2}

    def test_of_many_objects_are_cached_within_limits(self) -> None:
        value = [{f"a{number}": 1, "pin": 2} for number in range(3000)]
        assert clean(value) == [{f"a{number}": 1} for number in range(3000)]


TRACK = [60 + 30 * (n % 7) + n % 5 for n in range(120)]
HEART_RATES = [60 + (n * 7) % 60 // 6 + n // 3 for n in range(120)]
DEGREES = [59.9 + n / 10_000 for n in range(60)]


class TestHealthDataUnderSuspectNames:
    @pytest.mark.parametrize(
        "value",
        [
            {"sessions": [{"duration": 30, "name": "Run"}, {"calories": 5}]},
            {"session": [{"activityName": "Run", "distance": 5.2, "levels": [1]}]},
            {"cookies": 3},
            {"cookies": "chocolate chip"},
            {"cookies": {"calories": 150, "amount": 2}},
            {"Cookies": [{"calories": 150}]},
            {"foods": ["cookies", "milk"]},
            {"name": "Cookies", "calories": 200},
            {"location": "indoor"},
            {"location": "Left wrist"},
        ],
    )
    def test_stay(self, value: dict[str, Any]) -> None:
        assert clean(value) == value

    @pytest.mark.parametrize(
        "value",
        [
            {"session": CANARY},
            {"sessions": []},
            {"sessions": [CANARY]},
            {"sessions": [{"duration": 30}, {"id": 1}]},
            {"sessions": [{"duration": 30, "token": CANARY}]},
            {"session": {"duration": 30}},
            {"cookies": CANARY},
            {"cookies": "a=b"},
            {"cookies": {"a": "b"}},
            {"cookie": None},
            {"location": "Oslo"},
            {"location": [59.9, 10.7]},
        ],
    )
    def test_do_not_let_others_stay(self, value: dict[str, Any]) -> None:
        assert clean(value) == {}

    def test_are_cleaned_inside(self) -> None:
        value = {"sessions": [{"duration": 30, "note": f"token={CANARY}"}]}
        assert clean(value) == {"sessions": [{"duration": 30, "note": f"token={REMOVED}"}]}

    def test_text_in_utf_16_is_no_track(self) -> None:
        data = base64.b64encode("hunter2-Xk9!qwertz-Zu7-Secret-value".encode("utf-16-le"))
        assert clean({"track": data.decode()}) == {"track": REMOVED}

    @pytest.mark.parametrize(
        "data",
        [
            struct.pack("<120H", *TRACK),
            struct.pack(">120i", *TRACK),
            struct.pack("<120h", *HEART_RATES),
            struct.pack(">120i", *HEART_RATES),
            bytes(n % 31 for n in range(120)),
            struct.pack("<120f", *TRACK),
            struct.pack(">60d", *DEGREES),
            bytes(100 + n % 9 for n in range(120)),
            bytes(180 + n % 9 for n in range(119)),
            ",".join(map(str, TRACK)).encode(),
            json.dumps(TRACK).encode(),
        ],
    )
    def test_tracks_of_numbers_in_base64_stay(self, data: bytes) -> None:
        for code in (base64.b64encode(data), base64.urlsafe_b64encode(data)):
            value = {"track": code.decode()}
            assert clean(value) == value


class TestWebKeys:
    @pytest.mark.parametrize("name", ["k", "d", "p", "q", "dp", "dq", "qi", "oth"])
    def test_lose_their_secret_members(self, name: str) -> None:
        key = {"kty": "oct", "alg": "HS256", name: "q7Zr1Kd93mWxT0vLb5Ys8H"}
        assert clean({"keys of": [key]}) == {"keys of": [{"kty": "oct", "alg": "HS256"}]}

    def test_are_known_by_their_type(self) -> None:
        assert clean({"k": "short", "q": 5}) == {"k": "short", "q": 5}


class TestLargeValues:
    """Values that exceed the search limit are removed: invariant *fails closed*."""

    def test_suspect_texts_beyond_the_limit_are_removed_whole(self) -> None:
        long = "an easy run, token=abc " * 30_000
        assert clean([long, "easy", "token=abc"]) == [REMOVED, "easy", REMOVED]
        assert clean(["token=abc", long]) == ["token=[removed]", REMOVED]

    def test_suspect_names_beyond_the_limit_are_removed(self) -> None:
        value = {f"{'x' * 900}token_count{number}": 1 for number in range(600)} | {"steps": 1}
        assert clean(value) == {"steps": 1}

    def test_letters_count_as_long_as_they_are_in_normal_form(self) -> None:
        assert clean([WIDE * 7_000, "token=abc"]) == [WIDE * 7_000, "token=[removed]"]
        assert clean([WIDE * 25_000, "easy"]) == [REMOVED, "easy"]
        assert clean({WIDE * 25_000: 1, "steps": 1}) == {"steps": 1}

    def test_what_follows_a_text_that_may_be_a_name_beyond_the_limit_is_removed(self) -> None:
        labels = [f"{WIDE}{number}" for number in range(12_000)]
        assert clean([*labels[:100], "a pin", "easy", "runs"])[-3:] == ["a pin", "easy", "runs"]
        assert clean([*labels, "a pin", "easy", "runs"])[-3:] == [REMOVED, REMOVED, "runs"]

    def test_a_text_with_very_many_secrets_is_removed_whole(self) -> None:
        assert clean([" -u a:b" * 90_000, "easy"]) == [REMOVED, "easy"]

    def test_suspect_texts_beyond_their_number_are_removed(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(text, "_MAX_TEXTS", 2)
        value = ["a@b 1", "a@b 1", "easy", "a@b 2", "a@b 3", "run"]
        assert clean(value) == ["a@b 1", "a@b 1", "easy", "a@b 2", REMOVED, "run"]

    def test_texts_that_are_not_suspect_stay_at_any_length(self) -> None:
        long = "an easy run in the rain; " * 100_000
        assert clean([long]) == [long]

    @pytest.mark.check
    @pytest.mark.parametrize(
        "make",
        [
            lambda size: "x" * size,
            lambda size: "q7Zr1Kd93mWxT0vL" * (size // 16),
            lambda size: ["https://example.org/a?offset=1&limit=20"] * (size // 42),
            lambda size: [f"token={number}&a=1" for number in range(size // 20)],
            lambda size: {f"e{number}": {} for number in range(size // 14)},
            lambda size: {f"token {number:070}": 1 for number in range(size // 80)},
            lambda size: [{f"é{number:070}": f"@{number}"} for number in range(size // 90)],
        ],
    )
    def test_cost_time_in_proportion_to_their_size(self, make: Callable[[int], Any]) -> None:
        assert_linear(clean, make, limits.SNAPSHOT_FILE_BYTES // 128)


WIDE = "\ufdfa"
"""A letter that is 18 in normal form."""

HOSTILE: dict[str, Callable[[int], Any]] = {
    "one text of wide letters": lambda size: WIDE * (size // 3),
    "short texts of wide letters": lambda size: [
        f"{WIDE * 19}{number}" for number in range(size // 70)
    ],
    "names of wide letters": lambda size: {
        f"{WIDE * 19}{number}": 1 for number in range(size // 70)
    },
    "wide letters as escapes": lambda size: "%EF%B7%BA" * (size // 9),
    "accents": lambda size: "é" * (size // 2),
    "texts that may be names": lambda size: [f"token {number}" for number in range(size // 16)],
    "names of sessions": lambda size: {
        "sessions": [{f"{number} my duration": 1} for number in range(size // 30)]
    },
    "base64": lambda size: [f"{'cGluPTEyMzQ=' * 5}{number}" for number in range(size // 70)],
    "assignments": lambda size: "token=[(" * (size // 8),
    "options of a command": lambda size: " -u a:b" * (size // 7),
    "tags": lambda size: "<a><b><c name=token>" * (size // 20),
    "JSON in texts": lambda size: [f'{{"pin": {number}}}' for number in range(size // 24)],
}
"""Snapshots that take long; `size` in bytes."""


@pytest.mark.check
class TestHostileSnapshots:
    """Cleaning takes 5 s at most, counted in processor time, with any content."""

    @pytest.mark.parametrize("shape", HOSTILE)
    def test_of_the_largest_size_are_cleaned_in_time(self, shape: str) -> None:
        value = HOSTILE[shape](limits.SNAPSHOT_FILE_BYTES)
        start = time.process_time()
        clean(value)
        assert time.process_time() - start < 5


class TestPairs:
    @pytest.mark.parametrize(
        "value",
        [
            {"name": "access_token", "value": CANARY},
            {"value": CANARY, "name": "access_token"},
            {"key": "password", "val": CANARY},
            {"k": "pin", "v": 1234},
            {"header": "Authorization", "values": [CANARY]},
            {"field": "password", "input": CANARY},
            {"Name": "Password", "Value": {"a": CANARY}},
            {"label": "Your password:", "text": CANARY},
            {"name": "API_TOKEN", "stringValue": CANARY},
            {"name": "passw%6Frd", "value": CANARY},
            {"type": "Bearer", "value": CANARY},
            {"metric": "password", "v": CANARY},
            {"variableName": "password", "variableValue": CANARY},
            {"columns": ["date", "access_token"], "rows": [["x", CANARY]]},
            {"names": ["password"], "values": [CANARY]},
            {"question": "Password?", "answer": CANARY},
            {"name": "email", "value": CANARY},
        ],
    )
    def test_of_names_and_values_lose_the_value(self, value: dict[str, Any]) -> None:
        cleaned = clean({"a": value, "b": 1})
        assert CANARY not in json.dumps(cleaned)
        assert "1234" not in json.dumps(cleaned)
        assert len(cleaned["a"]) == 1
        assert cleaned["b"] == 1

    @pytest.mark.parametrize(
        "value",
        [
            {"name": "Secret Garden", "value": 5},
            {"name": None, "value": 5},
            {"name": {"a": "password"}, "value": 5},
            {"name": [1, None, "steps", "session"], "value": 5},
            {"name": "password", "steps": 5},
            {"mood": "session", "value": 5},
        ],
    )
    def test_of_other_names_stay(self, value: dict[str, Any]) -> None:
        assert clean(value) == value


class TestLists:
    @pytest.mark.parametrize(
        ("given", "cleaned"),
        [
            (["Authorization", "abc"], ["Authorization", REMOVED]),
            (["Authorization", {"a": 1}], ["Authorization", REMOVED]),
            (["pin", 1234], ["pin", REMOVED]),
            (["session", "abc"], ["session", REMOVED]),
            (["a", "b", "password", "abc"], ["a", "b", "password", REMOVED]),
            ([1, "password", "abc", 2], [1, "password", REMOVED, 2]),
            (["curl", "--token", "abc", "x"], ["curl", "--token", REMOVED, "x"]),
            (["x", "token", "=", "abc"], ["x", "token", "=", REMOVED]),
            (["token=", "abc"], ["token=", REMOVED]),
            ([["token", "abc"], ["a", "b"]], [["token", REMOVED], ["a", "b"]]),
            (["Cookie: a=b", "x"], ["Cookie: [removed]", "x"]),
            (["token", REMOVED], ["token", REMOVED]),
        ],
    )
    def test_redact_the_item_after_a_redacted_name(
        self, given: list[Any], cleaned: list[Any]
    ) -> None:
        assert clean(given) == cleaned
        assert clean(cleaned) == cleaned

    @pytest.mark.parametrize(
        "value",
        [
            ["password", None],
            ["password", True],
            ["token"],
            ["a", "password", 5, "x"],
            ["a", "session", "Morning run"],
            ["email", "abc"],
            ["Secret Garden", "abc"],
            ["x", "token", "="],
        ],
    )
    def test_keep_what_need_not_be_a_secret(self, value: list[Any]) -> None:
        assert clean(value) == value


class TestPictures:
    @pytest.mark.parametrize("name", ["avatar", "avatar150", "userPhoto"])
    def test_lose_what_may_identify(self, name: str) -> None:
        value = {name: ["https://x.org/p.png?s=1", {"large": "https://a:b@x.org/p#t"}, 5]}
        assert clean(value) == {name: ["https://x.org/p.png", {"large": "https://x.org/p"}, 5]}

    def test_do_not_share_cached_texts_with_others(self) -> None:
        url = "https://x.org/p.png?size=1"
        assert clean([{"image": url}, {"avatar": url}, {"image": url}]) == [
            {"image": url},
            {"avatar": "https://x.org/p.png"},
            {"image": url},
        ]


class TestJsonInTexts:
    def test_is_cleaned_as_json(self) -> None:
        assert clean_text('{"steps": 5, "token": "a"}') == '{"steps": 5}'
        assert clean_text('[["Cookie", "a"], 5]') == '[["Cookie", "[removed]"], 5]'
        assert clean_text('"token=a"') == '"token=[removed]"'
        assert clean_text(' \n{"token": "a"}\r\n') == "{}"

    def test_stays_as_it_is_where_nothing_is_redacted(self) -> None:
        text = '{ "steps" : 5.0,\n"note":"caf\\u00e9" }'
        assert clean_text(text) == text

    def test_keeps_its_letters(self) -> None:
        assert clean_text('{"a": "é", "pin": 1}') == '{"a": "é"}'
        assert clean_text('{"a": "\\u00e9", "pin": 1}') == '{"a": "\\u00e9"}'
        assert clean_text('{"é": "\\ud800", "pin": 1}') == '{"\\u00e9": "\\ud800"}'

    def test_with_a_repeated_member_keeps_the_cleaned_one(self) -> None:
        """A parser may use the first one, which was never cleaned."""
        assert clean_text('{"a": "token=x", "a": 1}') == '{"a": 1}'

    @pytest.mark.parametrize("text", ["[" * 201 + "]" * 201, '{"a":' * 300 + "1" + "}" * 300])
    def test_that_is_too_deep_is_removed(self, text: str) -> None:
        """Invariant *fails closed*: what cannot be searched is removed."""
        assert clean_text(text) == REMOVED

    def test_of_many_brackets_that_do_not_nest_is_read(self) -> None:
        text = json.dumps([[]] * 300 + ["[" * 300])
        assert clean_text(text) == text

    def test_that_is_encoded_too_often_is_removed(self) -> None:
        text = "pin=1234"
        for _ in range(12):
            text = json.dumps(text)
        assert "1234" not in clean_text(text)
        assert REMOVED in clean_text(text)

    @pytest.mark.parametrize("text", ['{"token": "a"', "{token: abc1}", '{"token": "a", "b": NaN}'])
    def test_that_is_invalid_is_cleaned_as_text(self, text: str) -> None:
        assert clean_text(text) == Redactor(lambda _: True).redacted(text)
        assert REMOVED in clean_text(text)


class TestPrivacySettings:
    VALUE: ClassVar[dict[str, Any]] = {
        "fullName": "Anna",
        "country": "NO",
        "encodedId": "9QZ4XW",
        "dateOfBirth": "1986-05-17",
        "email": "anna@example.org",
        "phone": "1",
        "city": "Tromsø",
    }
    MEMBERS: ClassVar = {
        "full_name": "fullName",
        "country": "country",
        "encoded_id": "encodedId",
        "birth_date": "dateOfBirth",
        "email": "email",
        "phone": "phone",
        "address": "city",
    }

    def test_is_nothing_by_default(self) -> None:
        assert clean(self.VALUE) == {}
        assert PrivacySettings() == PRIVATE

    @pytest.mark.parametrize("name", MEMBERS)
    def test_turns_off_the_rules_that_it_names(self, name: str) -> None:
        member = self.MEMBERS[name]
        cleaned = clean(self.VALUE, PrivacySettings(**{name: True}))
        assert cleaned == {member: self.VALUE[member]}

    def test_of_everything_keeps_the_rules_of_secrets_and_devices(self) -> None:
        everything = PrivacySettings(**{each.name: True for each in attrs.fields(PrivacySettings)})
        assert clean(self.VALUE, everything) == self.VALUE
        value = {"mac": "7C:E9:D3:0A:4B:F1", "passport": 1, "token": 2, "a": "7C:E9:D3:0A:4B:F1"}
        assert clean(value, everything) == {"a": REMOVED}

    def test_of_height_and_weight_turns_off_no_rule(self) -> None:
        assert PrivacySettings(height=True, weight=True).disclosed_rules() == frozenset()
        assert clean({"height": 170, "weight": 60}) == {"height": 170, "weight": 60}


class TestSnapshots:
    def test_lose_what_the_decisions_say_and_nothing_else(self) -> None:
        value = snapshot_value()
        cleaned = clean(value)
        gone: list[str] = []
        changed: list[str] = []
        pending: list[tuple[str, Any, Any]] = [("", value, cleaned)]
        while pending:
            path, before, after = pending.pop()
            assert type(before) is type(after), path
            if isinstance(before, dict):
                gone += [name for name in before if name not in after]
                assert [name for name in before if name in after] == list(after)
                pending += [(f"{path}/{name}", before[name], after[name]) for name in after]
            elif isinstance(before, list):
                assert len(before) == len(after), path
                pending += [(f"{path}/-", *each) for each in zip(before, after, strict=True)]
            elif before != after:
                changed.append(path)
        assert set(gone) == {
            *("token_scope_raw", "token_user_id", "token_type", "expires_in", "mac", "encodedId"),
            *("aboutMe", "city", "country", "state", "dateOfBirth", "firstName", "lastName"),
            "fullName",
        }
        assert set(changed) == {
            "/endpoints/profile/data/user/avatar",
            "/endpoints/profile/data/user/avatar150",
        }


class TestInvalidValues:
    @pytest.mark.parametrize(
        "value", [(1, 2), {1: 2}, {None: 1}, b"a", {1, 2}, object(), [b"a"], {"a": (1,)}]
    )
    def test_raise_type_error(self, value: Any) -> None:
        with pytest.raises(TypeError, match="not plain JSON"):
            clean(value)


class TestRules:
    def test_of_names_have_examples_in_the_documentation_that_hold(self) -> None:
        row = re.compile(
            r"^\| `((?:name|identity)\.[\w-]+)` \| [^|]+ \| ([^|]+) \| `(\w+)` \|$", re.MULTILINE
        )
        rows = row.findall(PAGE.read_text("utf-8"))
        assert [rule for rule, *_ in rows] == [rule.id for rule in NAME_RULES]
        for rule, redacted, innocent in rows:
            for name in re.findall(r"`([^`]+)`", redacted):
                found = classify(name).rule
                assert found is not None, name
                assert found.id == rule, name
            assert classify(innocent).rule is None, innocent


@pytest.mark.check
class TestCost:
    """Invariant *linear*."""

    @pytest.mark.parametrize(
        "motif",
        [
            {"a": 1},
            {"token": 1, "b": "x"},
            {"name": "token", "value": [1]},
            ["token", "a"],
            '{"token": "a"}',
        ],
    )
    def test_grows_with_the_value(self, motif: Any) -> None:
        assert_linear(clean, lambda size: [motif] * size, 800)
        assert_linear(clean, lambda size: json.dumps([motif] * size), 400)

    def test_grows_with_the_depth(self) -> None:
        assert_linear(clean, lambda size: nested(size, {"token": 1}), 2000)
