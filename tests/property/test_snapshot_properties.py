"""Properties of the account snapshot: any JSON is read or refused, and strict JSON is published."""

import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from healthapi.errors import DataError
from healthapi.keys import DOMAINS, SECTIONS, TABLES
from healthapi.person import VITALS
from healthapi.profile import Profile, load
from healthapi.resources import build_dashboard, build_summary
from healthapi.snapshot import SNAPSHOT_FILE, read_snapshot
from status_contracts import json_text
from status_contracts.structuring.converter import unstructure
from support.healthapi.account_data import any_json
from support.healthapi.health_snapshots import ENDPOINT_KEYS, snapshot_value

STAMP = "2026-01-31T12:00:00"

entries = st.fixed_dictionaries({"ok": st.just(True), "data": any_json})
answers = st.dictionaries(st.sampled_from(ENDPOINT_KEYS), entries, min_size=1)
members = ("saved_at", "requested_scopes", "token_scope", "range", "fetch_summary")
snapshots = st.fixed_dictionaries(
    {"endpoints": answers | st.dictionaries(st.text(max_size=6), any_json, max_size=3)},
    optional=dict.fromkeys(members, any_json),
)


def derived(value: Any) -> Profile | None:
    """Derive a profile from a snapshot alone; None where the snapshot is refused."""
    try:
        return load("me", {SNAPSHOT_FILE: json_text.encode(value)}, generated_at=STAMP)
    except DataError:
        return None


def published(profile: Profile) -> list[object]:
    """Return every plain value that is made of a snapshot."""
    assert profile.snapshot is not None
    index = [entry.index() for entry in profile.snapshot.endpoints.values()]
    return [build_dashboard(profile), build_summary(profile), profile.snapshot.public("me"), index]


def cells(value: object) -> list[object]:
    """Return all that stands in a plain value and is neither object nor list."""
    if isinstance(value, dict):
        return [cell for each in value.values() for cell in cells(each)]
    if isinstance(value, list):
        return [cell for each in value for cell in cells(each)]
    return [value]


@given(any_json | snapshots)
@example({"endpoints": {"profile": {"ok": True, "data": []}}})
@example({"endpoints": {"devices": {"ok": True, "data": [None, {"type": []}]}}})
def test_any_json_gives_values_or_a_data_error(value: Any) -> None:
    profile = derived(value)
    if not isinstance(value, dict) or not isinstance(value.get("endpoints", {}), dict):
        assert profile is None
    else:
        assert profile is not None
        assert published(profile)


@given(snapshots)
def test_what_is_published_is_strict_json(value: Any) -> None:
    profile = derived(value)
    assert profile is not None
    for plain in published(profile):
        text = json.dumps(plain, allow_nan=False)
        assert json.loads(text, parse_constant=pytest.fail) == plain
        assert json_text.decode(json_text.encode(plain)) == plain
        for cell in cells(plain):
            assert cell is None or isinstance(cell, str | bool | int | float)
            assert not isinstance(cell, float) or math.isfinite(cell)


@given(snapshots)
def test_what_there_is_does_not_change_the_shape(value: Any) -> None:
    profile = derived(value)
    empty = load("me", {}, generated_at=STAMP)
    assert profile is not None
    assert unstructure(profile.person).keys() == unstructure(empty.person).keys()
    assert [section.section for section in profile.sections] == list(SECTIONS)
    assert [table.key for table in profile.tables] == list(TABLES)
    assert [domain.key for domain in profile.catalog.domains] == list(DOMAINS)
    for one, other in zip(profile.sections, empty.sections, strict=True):
        keys = [card.key for card in other.summary.metrics]
        assert [card.key for card in one.summary.metrics] == keys
    for table in profile.tables:
        assert all(tuple(row) == table.columns for row in table.rows)


@given(snapshots)
def test_only_answers_that_are_ok_are_used_but_for_vital_signs(value: Any) -> None:
    vital_signs = {f"{vital.key}_recent" for vital in VITALS}
    for key, entry in value["endpoints"].items():
        if isinstance(entry, dict) and key not in vital_signs:
            entry["ok"] = False
    silent = derived(value | {"fetch_summary": {}})
    kept = {key: each for key, each in value["endpoints"].items() if key in vital_signs}
    missing = derived(value | {"fetch_summary": {}, "endpoints": kept})
    assert silent is not None
    assert missing is not None
    assert silent.person == missing.person
    known = {table.key: table.rows for table in missing.tables if table.key != "endpoints"}
    assert {table.key: table.rows for table in silent.tables if table.key in known} == known
    body, vitals, lifestyle, _ = zip(silent.sections, missing.sections, strict=True)
    assert all(one == other for one, other in (body, vitals, lifestyle))


@given(snapshots)
@example(snapshot_value())
def test_the_public_form_reads_back_as_itself(value: Any) -> None:
    found = read_snapshot(json_text.encode(value))
    public = found.public("me")
    again = read_snapshot(json_text.encode(public))
    assert again.public("me") == public
    assert (again.removed_members, again.removed_texts) == ({}, {})
    assert again.missing_scopes == found.missing_scopes
