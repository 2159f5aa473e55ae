"""Validators in three languages agree with the contracts, over strategies and public corpora.

Every valid value is accepted; every invalid value is refused, except where its rule is one of those
that JSON Schema cannot state, and each of these has a value that the schemas accept.
"""

import json
from typing import Any

import pytest

from devicestatus.engine import record
from devicestatus.icons import check_manifest
from devicestatus.schemas.tables import NOT_IN_SCHEMA as NOT_IN_DEVICE_SCHEMA
from devicestatus.testing.faults import (
    SNAPSHOT_RULES,
    WINDOW_RULES,
    invalid_snapshots,
    invalid_windows,
)
from devicestatus.testing.strategies import snapshot_bodies, stored_values, window_bodies
from devicestatus.validation.music_urls import ITUNES
from devicestatus.validation.parse import check_snapshot, check_window
from purewire.json.codec import MAX_DEPTH
from sitedata import check
from sitedata.schemas import NOT_IN_SCHEMA as NOT_IN_SITE_SCHEMA
from sitedata.testing.strategies import FAULTY_RULES, bodies, faulty_bodies
from support.devicestatus.examples import NOON, RECEIVED_AT
from support.schemas.device_cases import (
    TAKEN,
    corpus_cases,
    manifest_faults,
    record_faults,
    valid_manifests,
)
from support.schemas.drawn import drawn
from support.schemas.mutations import mutations
from support.schemas.responses import health_responses, response_cases, sampled
from support.schemas.site_cases import site_cases
from support.schemas.validators import case, disagreements, schema_set
from support.sitedata.site_examples import plain as plain_site

ACCEPTED = {"valid"}
REFUSED = {"invalid", "unreadable"}
DEVICE_LIST = {each.rule for each in NOT_IN_DEVICE_SCHEMA}
SITE_LIST = {each.rule for each in NOT_IN_SITE_SCHEMA}
COUNT = 48


OPTIONAL = frozenset({"running_apps", "playback", "artwork_url", "track_url", "sha256"})


def none_of(found: list[str]) -> None:
    assert found == [], "\n".join([f"{len(found)}:", *found[:20]])


class TestDeviceStatus:
    def test_drawn_values_are_accepted(self) -> None:
        cases = [case("snapshot", each.body) for each in drawn(snapshot_bodies(), COUNT)]
        cases += [case("window", each.body) for each in drawn(window_bodies(), COUNT)]
        cases += [case("record", each) for each in drawn(stored_values(), COUNT)]
        cases += valid_manifests()
        none_of(disagreements("devicestatus", cases, ACCEPTED))

    @pytest.mark.parametrize("document", ["snapshot", "window"])
    def test_drawn_faults_are_refused(self, document: str) -> None:
        rules = SNAPSHOT_RULES if document == "snapshot" else WINDOW_RULES
        strategy = invalid_snapshots if document == "snapshot" else invalid_windows
        stated = [rule for rule in rules if rule not in DEVICE_LIST]
        assert len(stated) > 15
        cases = [
            case(document, each.value, f"{rule}: {str(each.value)[:300]}")
            for rule in stated
            for each in drawn(strategy(rule), COUNT // 6)
        ]
        none_of(disagreements("devicestatus", cases, REFUSED))

    def test_corpora_have_the_verdict_of_the_contract(self) -> None:
        cases = list(corpus_cases())
        valid = [each for each, rules in cases if not rules]
        invalid = [each for each, rules in cases if rules - DEVICE_LIST]
        assert len(valid) > 500
        assert len(invalid) > 1000
        # Decoders read some texts that RFC 8259 leaves open; those are not among the valid ones.
        none_of(disagreements("devicestatus", valid, ACCEPTED))
        none_of(disagreements("devicestatus", invalid, REFUSED))

    def test_faults_of_manifests_and_records_are_refused(self) -> None:
        manifests, records = list(manifest_faults()), list(record_faults())
        assert all(check_manifest(value) for value in manifests)
        assert all(record.decode(json.dumps(value).encode(), ITUNES) is None for value in records)
        cases = [case("icon-manifest", value) for value in manifests]
        cases += [case("record", value) for value in records]
        none_of(disagreements("devicestatus", cases, REFUSED))

    def test_responses_are_accepted_and_their_mutations_refused(self) -> None:
        responses = list(response_cases())
        assert {document for document, _ in responses} >= {
            *("update-result", "now", "timeline", "music", "active-app", "running-apps"),
            *("device", "health", "error", "icon-manifest"),
        }
        cases = [case(document, value) for document, value in responses]
        none_of(disagreements("devicestatus", cases, ACCEPTED))
        broken = [
            case(document, mutated, f"{label}: {value}")
            for document, value in responses
            for label, mutated in mutations(value, OPTIONAL)
        ]
        assert len(broken) > 500
        none_of(disagreements("devicestatus", broken, REFUSED))


class TestNotInDeviceSchemas:
    """The list of rules that JSON Schema cannot state is complete."""

    def test_each_rule_has_a_value_that_schemas_take(self) -> None:
        assert TAKEN.keys() == DEVICE_LIST
        cases = [case(each.document, each.value, rule) for rule, each in TAKEN.items()]
        none_of(disagreements("devicestatus", cases, ACCEPTED, "jsonschema", "ajv"))
        in_rust = [each for each in cases if each.label != "text.surrogate"]
        none_of(disagreements("devicestatus", in_rust, ACCEPTED, "jsonschema-rs"))

    @pytest.mark.parametrize("rule", sorted(TAKEN))
    def test_the_contract_refuses_it_by_this_rule_alone(self, rule: str) -> None:
        taken = TAKEN[rule]
        body = json.dumps(taken.value).encode() if taken.body is None else taken.body
        if taken.document == "record":
            assert record.decode(body, ITUNES) is None
            return
        if taken.document == "icon-manifest":
            assert [finding.rule for finding in check_manifest(taken.value)] == [rule]
            return
        is_snapshot = taken.document == "snapshot"
        validate = check_snapshot if is_snapshot else check_window
        value = taken.value if rule == "text.surrogate" else body
        findings = validate(value, received_at=NOON if is_snapshot else RECEIVED_AT)
        assert {finding.rule for finding in findings} == {rule}


class TestSiteData:
    def test_drawn_files_are_accepted(self) -> None:
        cases = [case("site-data", each) for each in drawn(bodies(), COUNT)]
        cases += [
            case("error", each) for each in schema_set("sitedata").documents["error"]["examples"]
        ]
        none_of(disagreements("sitedata", cases, ACCEPTED))

    def test_drawn_faults_are_refused(self) -> None:
        stated = [rule for rule in FAULTY_RULES if rule not in SITE_LIST]
        cases = [
            case("site-data", each.body, rule)
            for rule in stated
            for each in drawn(faulty_bodies(rule), COUNT // 4)
        ]
        none_of(disagreements("sitedata", cases, REFUSED))

    def test_times_and_days_have_the_verdict_of_the_contract(self) -> None:
        cases = list(site_cases())
        valid = [each for each, is_valid in cases if is_valid]
        assert len(valid) > 500
        none_of(disagreements("sitedata", valid, ACCEPTED))
        invalid = [each for each, is_valid in cases if not is_valid]
        assert len(invalid) > 500
        none_of(disagreements("sitedata", invalid, REFUSED))

    def test_each_rule_of_the_list_has_a_value_that_schemas_take(self) -> None:
        nested: Any = None
        for _ in range(MAX_DEPTH + 1):
            nested = [nested]
        shown = {
            "json.depth": plain_site(more=nested),
            "json.text": plain_site(),
            "text.surrogate": plain_site(sourceRef="\ud800"),
        }
        assert shown.keys() == SITE_LIST
        for rule, value in shown.items():
            text = json.dumps(value).encode("utf-16") if rule == "json.text" else value
            assert {finding.rule for finding in check(text).errors} == {rule}
        # The decoder of Python nests less deep than the file may.
        cases = [case("site-data", value, rule) for rule, value in shown.items()]
        none_of(disagreements("sitedata", cases, ACCEPTED, "ajv"))
        flat = [each for each in cases if each.label != "json.depth"]
        none_of(disagreements("sitedata", flat, ACCEPTED, "jsonschema"))
        none_of(disagreements("sitedata", flat[:1], ACCEPTED, "jsonschema-rs"))


class TestHealthData:
    def test_responses_are_accepted_and_their_mutations_refused(self) -> None:
        responses = list(health_responses())
        names = schema_set("healthapi").documents.keys()
        assert {document for document, _ in responses} == names
        cases = [case(document, value) for document, value in responses]
        none_of(disagreements("healthapi", cases, ACCEPTED))
        broken = [
            case(document, mutated, label)
            for document, value in responses
            for label, mutated in sampled(value)
        ]
        assert len(broken) > 1000
        none_of(disagreements("healthapi", broken, REFUSED))
