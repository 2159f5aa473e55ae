"""The schemas agree with the contracts, over strategies and public corpora.

Every valid value is accepted; every invalid value is refused, except where its rule is one of those
that JSON Schema cannot state: `docs/reference/schemas.md` says why.
"""

import json

import pytest

from devicestatus.engine import record
from devicestatus.icons import check_manifest
from devicestatus.testing.faults import (
    SNAPSHOT_RULES,
    WINDOW_RULES,
    invalid_snapshots,
    invalid_windows,
)
from devicestatus.testing.strategies import snapshot_bodies, stored_values, window_bodies
from devicestatus.validation.music_urls import ITUNES
from sitedata.testing.strategies import FAULTY_RULES, bodies, faulty_bodies
from support.schemas.device_cases import (
    corpus_cases,
    manifest_faults,
    record_faults,
    valid_manifests,
)
from support.schemas.drawn import drawn
from support.schemas.mutations import mutations
from support.schemas.responses import health_responses, response_cases, sampled
from support.schemas.site_cases import site_cases
from support.schemas.validators import case, misjudged, schema_set
from support.vectors.cases import refused_bodies

UNSTATED = {
    *("json.text", "json.depth", "body.size", "text.surrogate", "url.parse", "url.host"),
    *("snapshot.skew", "window.skew", "window.order", "window.span", "window.ahead", "window.lag"),
    *("window.baseline", "events.seq", "events.order", "events.inside"),
    *("gaps.order", "gaps.inside", "gaps.overlap", "icons.image-url", "icons.source-url"),
}
"""Rules that JSON Schema cannot state: bytes, clocks, configuration, the tables of the URL
standard, and what holds between members."""
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
        none_of(misjudged("devicestatus", cases, is_valid=True))

    @pytest.mark.parametrize("document", ["snapshot", "window"])
    def test_drawn_faults_are_refused(self, document: str) -> None:
        rules = SNAPSHOT_RULES if document == "snapshot" else WINDOW_RULES
        strategy = invalid_snapshots if document == "snapshot" else invalid_windows
        stated = [rule for rule in rules if rule not in UNSTATED]
        assert len(stated) >= len(rules) - 1
        cases = [
            case(document, each.value, f"{rule}: {str(each.value)[:300]}")
            for rule in stated
            for each in drawn(strategy(rule), COUNT // 6)
        ]
        none_of(misjudged("devicestatus", cases, is_valid=False))

    @pytest.mark.parametrize(
        ("document", "endpoint"), [("snapshot", "/api/update"), ("window", "/api/batch")]
    )
    def test_vectors_that_break_a_stated_rule_are_refused(
        self, document: str, endpoint: str
    ) -> None:
        bodies = [body for body, rules in refused_bodies(endpoint) if rules - UNSTATED]
        assert len(bodies) > 20
        cases = [case(document, body) for body in bodies]
        none_of(misjudged("devicestatus", cases, is_valid=False))

    def test_corpora_have_the_verdict_of_the_contract(self) -> None:
        cases = list(corpus_cases())
        valid = [each for each, rules in cases if not rules]
        invalid = [each for each, rules in cases if rules - UNSTATED]
        assert len(valid) > 500
        assert len(invalid) > 500
        none_of(misjudged("devicestatus", valid, is_valid=True))
        none_of(misjudged("devicestatus", invalid, is_valid=False))

    def test_faults_of_manifests_and_records_are_refused(self) -> None:
        manifests, records = list(manifest_faults()), list(record_faults())
        assert all(check_manifest(value) for value in manifests)
        assert all(record.decode(json.dumps(value).encode(), ITUNES) is None for value in records)
        cases = [case("icon-manifest", value) for value in manifests]
        cases += [case("record", value) for value in records]
        none_of(misjudged("devicestatus", cases, is_valid=False))

    def test_responses_are_accepted_and_their_mutations_refused(self) -> None:
        responses = list(response_cases())
        assert {document for document, _ in responses} >= {
            *("update-result", "now", "timeline", "music", "active-app", "running-apps"),
            *("device", "health", "error", "icon-manifest"),
        }
        cases = [case(document, value) for document, value in responses]
        none_of(misjudged("devicestatus", cases, is_valid=True))
        broken = [
            case(document, mutated, f"{label}: {value}")
            for document, value in responses
            for label, mutated in mutations(value, OPTIONAL)
        ]
        assert len(broken) > 500
        none_of(misjudged("devicestatus", broken, is_valid=False))


class TestSiteData:
    def test_drawn_files_are_accepted(self) -> None:
        cases = [case("site-data", each) for each in drawn(bodies(), COUNT)]
        cases += [
            case("error", each) for each in schema_set("sitedata").documents["error"]["examples"]
        ]
        none_of(misjudged("sitedata", cases, is_valid=True))

    def test_drawn_faults_are_refused(self) -> None:
        stated = [rule for rule in FAULTY_RULES if rule not in UNSTATED]
        cases = [
            case("site-data", each.body, rule)
            for rule in stated
            for each in drawn(faulty_bodies(rule), COUNT // 4)
        ]
        none_of(misjudged("sitedata", cases, is_valid=False))

    def test_times_and_days_have_the_verdict_of_the_contract(self) -> None:
        cases = list(site_cases())
        valid = [each for each, is_valid in cases if is_valid]
        assert len(valid) > 500
        none_of(misjudged("sitedata", valid, is_valid=True))
        invalid = [each for each, is_valid in cases if not is_valid]
        assert len(invalid) > 500
        none_of(misjudged("sitedata", invalid, is_valid=False))


class TestHealthData:
    def test_responses_are_accepted_and_their_mutations_refused(self) -> None:
        responses = list(health_responses())
        names = schema_set("healthapi").documents.keys()
        assert {document for document, _ in responses} == names
        cases = [case(document, value) for document, value in responses]
        none_of(misjudged("healthapi", cases, is_valid=True))
        broken = [
            case(document, mutated, label)
            for document, value in responses
            for label, mutated in sampled(value)
        ]
        assert len(broken) > 1000
        none_of(misjudged("healthapi", broken, is_valid=False))
