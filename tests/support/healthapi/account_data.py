"""Snapshots with given endpoints only, and strategies for any JSON."""

from functools import cache
from typing import Any, Final

from hypothesis import strategies as st

from healthapi.redaction import PrivacySettings
from healthapi.snapshot import Snapshot, read_snapshot
from status_contracts import json_text
from support.healthapi.health_snapshots import snapshot_value

NAMES: Final = (
    *("user", "goal", "goals", "badges", "devices", "alarms", "trackerAlarms", "weight", "fat"),
    *("foods", "meals", "summary", "calories", "water", "br", "value", "avg", "tempSkin", "min"),
    *("breathingRate", "nightlyRelative", "dateTime", "date", "time", "bmi", "height", "steps"),
    *("minDuration", "caloriesOut", "displayName", "avatar", "topBadges", "name", "unit", "max"),
    *("amount", "plural", "id", "deviceVersion", "type", "enabled", "recurring", "weekDays"),
    *("timezone", "locale", "memberSince", "scope", "data", "ok", "status", "reason", "group"),
)
"""Names of members that are read; generated JSON has them at unexpected places."""


def answered(**data: Any) -> Snapshot:
    """Read a snapshot whose endpoints have all responded, with data by key."""
    return snapshot_of({key: {"ok": True, "data": each} for key, each in data.items()})


@cache
def whole_snapshot() -> Snapshot:
    """Read the complete snapshot, once for all tests; do not change it."""
    return read_snapshot(json_text.encode(snapshot_value()))


def snapshot_of(endpoints: dict[str, Any], **members: Any) -> Snapshot:
    """Read a snapshot of these entries and other members; its owner publishes weight and height."""
    published = PrivacySettings(weight=True, height=True)
    return read_snapshot(json_text.encode({"endpoints": endpoints, **members}), published)


numbers = (
    st.integers(-(10**6), 10**6)
    | st.sampled_from((0, -0.0, 1e-320, 1e308, 2**53, 2**53 + 1, 10**25, 10**399))
    | st.floats(allow_nan=False, allow_infinity=False)
)
texts = st.text(max_size=8) | st.sampled_from(
    ("2026-01-31", "2026-02-30", "70.5", "1e999", "nan", "7C:E9:D3:0A:4B:F1", "missing_scope:x")
)
any_json: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=10,
)
"""JSON values of every shape, with many of the names that are read."""
