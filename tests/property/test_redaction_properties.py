"""Properties of sanitising, for JSON of every kind."""

from typing import Any

import attrs
from hypothesis import example, given, settings
from hypothesis import strategies as st

from healthapi.redaction import PRIVATE, REMOVED, PrivacySettings, clean
from support.healthapi.account_data import any_json
from support.healthapi.planted_secrets import secret_names
from support.vectors.cases import cases_of

EVERYTHING = PrivacySettings(**{each.name: True for each in attrs.fields(PrivacySettings)})
disclosures = st.sampled_from((PRIVATE, EVERYTHING, PrivacySettings(email=True)))
inputs = [case["input"]["value"] for case in cases_of("healthapi/redaction")]
fragments = st.sampled_from([value for value in inputs if isinstance(value, str)])
texts = fragments | st.text(max_size=12) | st.lists(fragments, max_size=3).map(" ".join)
names = texts | secret_names() | st.sampled_from(("name", "value", "displayName", "email", "scope"))
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=12,
)
"""JSON rich in names and texts of both kinds."""


def is_sanitised_form(before: Any, after: Any) -> bool:
    """Check whether the places, order, length and types of one value are those of another."""
    pending = [(before, after)]
    while pending:
        given, kept = pending.pop()
        if isinstance(given, dict) and isinstance(kept, dict):
            stayed = [name for name in given if name in kept]
            if len(kept) > len(given) or stayed != [name for name in kept if name in given]:
                return False
            pending += [(given[name], kept[name]) for name in stayed if REMOVED not in name]
        elif isinstance(given, list) and isinstance(kept, list):
            hidden = kept == [REMOVED, REMOVED]  # a pair of a name and a value
            pending += [] if hidden else zip(given, kept, strict=True)
        elif kept != given and not (isinstance(given, str) and kept == REMOVED):
            return False
    return True


class TestAnyValue:
    @settings(max_examples=300)
    @given(values | any_json, disclosures)
    @example({"name": "token", "state": "x", "city": "y"}, PRIVATE)
    @example(["token", ["token", "a"]], PRIVATE)
    def test_keeps_its_structure_and_is_sanitised_once(
        self, value: Any, privacy: PrivacySettings
    ) -> None:
        """Invariant *idempotent*."""
        cleaned = clean(value, privacy)
        assert is_sanitised_form(value, cleaned)
        assert clean(cleaned, privacy) == cleaned
