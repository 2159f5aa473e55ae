"""Properties of redaction, for JSON of every kind."""

import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from healthapi.catalog_keys import METRICS
from healthapi.redaction.named_values import find_named_values
from healthapi.redaction.shapes import find_shapes
from healthapi.redaction.text import Redactor
from healthapi.redaction.walk import PRIVATE, REMOVED, PrivacySettings, clean, clean_text
from healthapi.testing.secrets import canaries, planted, secret_names, secret_texts
from support.healthapi.account_data import any_json

EVERYTHING = PrivacySettings(
    full_name=True,
    country=True,
    encoded_id=True,
    height=True,
    weight=True,
    birth_date=True,
    email=True,
    phone=True,
    address=True,
)

FRAGMENTS = (
    *("token", "access_token", "password", "Session", "cookie", "Set-Cookie", "pin", "secret"),
    *(
        "Authorization",
        "Bearer",
        "Basic",
        "Digest ",
        "name",
        "value",
        "key",
        "type",
        "user",
        "city",
    ),
    *("=", ":", ": ", ", = ", " is ", " | ", "->", "=>", '"', "'", "`", "{", "}", "[", "]", "("),
    *(")", "<", ">", "</", "/", "//", "https://", "@", "user:pw@", "?", "&", ";", ",", "; ", " "),
    *("\n", "\n  ", "\n- ", "\r\n", "\r\n\r\n", "|\n", ">-\n", "\t", "\\", '\\"', "\\u0061", "%3D"),
    *("%22", "%25", "&quot;", "&amp;", "abc", "hunter2", "12345", "2026-01-31", REMOVED, "."),
    *("eyJhbGciOiJIUzI1NiJ9", "eyJwaW4iOiAiY29ycmVjdCJ9", "YWNjZXNzX3Rva2VuPWh1bnRlcjI"),
    *("AA:BB:CC:DD:EE:FF", "a@b.example", "-", "--", "-u", "--token", "\u200b", "ｔ", "б", "\x00"),
    *(
        "\x1b[31m",
        "é",
        "<key>",
        "</key>",
        "<token>",
        "</token>",
        'name="token"',
        "0" * 33,
        "f3" * 20,
    ),
    *("-----BEGIN X-----", "-----END X-----", "s:5:", "b'", '"""', "'''", "/user/", "9QZ4XW"),
    *("q7Zr1Kd93mWxT0vLb5Ys8Hn2Pc6Gf4Ja", "\ud800", "\udc00", "avatar", "--", "realm="),
)
"""Parts of secrets and of the text around them."""

hostile = st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join)
texts = hostile | st.text(max_size=12) | st.text(st.characters(categories=("Cs", "Cf", "Ll")))
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
leaves = st.none() | st.booleans() | numbers | texts
names = texts | secret_names() | st.sampled_from(("name", "value", "avatar", "columns", "state"))
values: st.SearchStrategy[Any] = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=12,
)
"""JSON of every kind, rich in names and signs of secrets, with lone surrogates."""

words = st.sampled_from(
    ("Morning run", "run", "sleep", "5 km", "deep", "easy", "Charge 5", "Zürich", "朝", "🏃", "ok")
)
calm_texts = (
    words
    | st.dates().map(str)
    | st.datetimes().map(lambda moment: moment.isoformat(timespec="milliseconds"))
    | st.times().map(lambda time: time.isoformat(timespec="minutes"))
    | st.integers(0, 10**11).map(str)
    | st.floats(-1e6, 1e6).map(lambda number: f"{number:.2f}")
    | st.lists(words, max_size=5).map(", ".join)
    | st.sampled_from(("https://example.org/a/b.png?size=100&sort=desc", "Europe/Berlin", "en_GB"))
)
calm_names = st.sampled_from(
    (*METRICS, "dateTime", "logs", "summary", "displayName", "key", "value")
)
calm: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | numbers | calm_texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(calm_names, inner, max_size=4),
    max_leaves=12,
)
"""JSON like health data, without anything that is redacted."""


def is_image(before: Any, after: Any) -> bool:
    """Check whether a value may be the result of cleaning another one."""
    pending = [(before, after)]
    while pending:
        given, kept = pending.pop()
        if kept == REMOVED:
            continue
        if type(given) is not type(kept):
            return False
        if isinstance(given, list):
            if len(given) != len(kept):
                return False
            pending += zip(given, kept, strict=True)
        elif isinstance(given, dict):
            stayed = [name for name in given if name in kept]
            if len(kept) > len(given) or stayed != [name for name in kept if name in given]:
                return False
            pending += [(given[name], kept[name]) for name in stayed]
        elif not isinstance(given, str) and given != kept:
            return False
    return True


class TestAnyValue:
    @settings(max_examples=400)
    @given(values | any_json, st.sampled_from((PRIVATE, EVERYTHING, PrivacySettings(email=True))))
    @example({"name": "token", "state": "x", "city": "y"}, PRIVATE)
    @example(["token", ["token", "a"]], PRIVATE)
    def test_that_was_cleaned_is_clean(self, value: Any, disclosure: PrivacySettings) -> None:
        """Invariant *idempotent*."""
        cleaned = clean(value, disclosure)
        assert clean(cleaned, disclosure) == cleaned

    @settings(max_examples=300)
    @given(values)
    def test_keeps_its_structure(self, value: Any) -> None:
        """Invariant *structure stays*."""
        assert is_image(value, clean(value))

    @settings(max_examples=40)
    @given(values, st.integers(0, 4000), st.booleans())
    def test_is_cleaned_at_any_depth(self, value: Any, depth: int, listed: bool) -> None:
        """Invariant *any depth*."""
        nested, expected = value, clean(value)
        for _ in range(depth):
            nested = [nested] if listed else {"a": nested}
        found = clean(nested)
        for _ in range(depth):
            found = found[0] if listed else found["a"]
        assert found == expected


class TestHealthData:
    @settings(max_examples=300)
    @given(calm)
    def test_stay_unchanged(self, value: Any) -> None:
        assert repr(clean(value)) == repr(value)


class TestSecrets:
    @settings(max_examples=60)
    @given(planted(any_json | calm))
    def test_are_removed(self, plant: tuple[Any, tuple[str, ...]]) -> None:
        value, hidden = plant
        for cleaned in (clean(value), clean(value, EVERYTHING), clean_text(json.dumps(value))):
            text = json.dumps(cleaned)
            assert not [canary for canary in hidden if canary in text]

    @settings(max_examples=60)
    @given(st.data(), hostile, hostile)
    def test_are_removed_from_a_text_in_any_context(
        self, data: st.DataObject, before: str, after: str
    ) -> None:
        canary = data.draw(canaries())
        secret = data.draw(secret_texts(canary))
        assert canary not in clean_text(f"{before}\n{secret}\n{after}")


class TestTexts:
    @settings(max_examples=400)
    @given(texts)
    def test_that_are_skipped_contain_nothing_that_a_rule_finds(self, text: str) -> None:
        cleaned = Redactor(lambda _: True).redacted(text)
        if cleaned == text:
            for find in (find_named_values, find_shapes):
                found = [text[start:end] for start, end in find(text, lambda _: True)]
                assert set(found) <= {REMOVED}
