"""The schemas agree with the contracts: on drawn values, the cases of constraints, and vectors.

Every valid value is accepted; every invalid one is refused, except where its rule is one of those
that JSON Schema cannot state: `docs/reference/vectors.md` says why.  Responses are held against
their schemas by the watch over every run (`answer_rules`).
"""

import json
from typing import Any

import pytest

import sitedata
from devicestatus.models import Snapshot, Window
from devicestatus.parsing import check_snapshot, check_window
from devicestatus.record import encode_record
from devicestatus.strategies import CASES, records, snapshot_bodies, window_bodies
from sitedata import Snapshot as SiteSnapshot
from sitedata.strategies import CASES as SITE_CASES
from sitedata.strategies import bodies
from status_contracts.findings import Finding
from support.schemas.drawn import drawn
from support.schemas.validators import Case, case, misjudged, schema_set
from support.sitedata.site_examples import plain as plain_site
from support.vectors.cases import cases_of, example, refused_bodies

pytestmark = pytest.mark.check

UNSTATED = {
    *("json.text", "json.depth", "body.size", "text.surrogate", "url.parse", "url.host"),
    *("url.credentials", "url.port"),
    *("snapshot.skew", "window.skew", "window.order", "window.span", "window.ahead", "window.lag"),
    *("window.baseline", "events.seq", "events.order", "events.inside"),
    *("gaps.order", "gaps.inside", "gaps.overlap", "icons.image-url", "icons.source-url"),
}
"""Rules that JSON Schema cannot state: bytes, clocks, configuration, the tables of the URL
standard, and what holds between members."""
COUNT = 48
SNAPSHOT = json.loads(example("devicestatus/parsing", "a-complete-snapshot"))
WINDOW = json.loads(example("devicestatus/parsing", "a-complete-window"))


def check_site(value: object) -> tuple[Finding, ...]:
    return sitedata.check(value).errors


def none_of(found: list[str]) -> None:
    assert found == [], "\n".join([f"{len(found)}:", *found[:20]])


@pytest.mark.parametrize(
    ("document", "check", "cases", "model", "valid"),
    [
        ("snapshot", check_snapshot, CASES, Snapshot, SNAPSHOT),
        ("window", check_window, CASES, Window, WINDOW),
        ("site-data", check_site, SITE_CASES, SiteSnapshot, plain_site()),
    ],
    ids=["snapshot", "window", "site data"],
)
def test_each_side_of_each_limit_has_the_verdict_of_the_contract(
    document: str, check: Any, cases: Any, model: type, valid: Any
) -> None:
    judged: dict[bool, list[Case]] = {True: [], False: []}
    for each in cases.of(model):
        if each.at and each.has_text:
            value = cases.place(model, valid, each)
            rules = {finding.rule for finding in check(value)}
            if not rules or rules - UNSTATED:
                judged[not rules].append(case(document, value, f"{each.path} {rules}"))
    assert min(map(len, judged.values())) > 40
    product = "sitedata" if document == "site-data" else "devicestatus"
    for is_valid, found in judged.items():
        none_of(misjudged(product, found, is_valid=is_valid))


class TestDrawnValues:
    def test_of_device_status_are_accepted(self) -> None:
        cases = [case("snapshot", each.body) for each in drawn(snapshot_bodies(), COUNT)]
        cases += [case("window", each.body) for each in drawn(window_bodies(), COUNT)]
        cases += [case("record", encode_record(each)) for each in drawn(records(), COUNT)]
        none_of(misjudged("devicestatus", cases, is_valid=True))

    def test_of_site_data_are_accepted(self) -> None:
        cases = [case("site-data", each) for each in drawn(bodies(), COUNT)]
        examples = schema_set("sitedata").documents["error"]["examples"]
        cases += [case("error", each) for each in examples]
        none_of(misjudged("sitedata", cases, is_valid=True))


class TestFaults:
    @pytest.mark.parametrize(
        ("document", "endpoint"), [("snapshot", "/api/update"), ("window", "/api/batch")]
    )
    def test_vectors_that_break_a_stated_rule_are_refused(
        self, document: str, endpoint: str
    ) -> None:
        refused = [body for body, rules in refused_bodies(endpoint) if rules - UNSTATED]
        assert len(refused) > 20
        cases = [case(document, body) for body in refused]
        none_of(misjudged("devicestatus", cases, is_valid=False))

    def test_manifests_have_the_verdicts_of_their_vectors(self) -> None:
        judged: dict[bool, list[Case]] = {True: [], False: []}
        for each in cases_of("devicestatus/manifests"):
            rules = {finding["rule"] for finding in each["expected"]["findings"]}
            if not rules or rules - UNSTATED:
                judged[not rules].append(case("icon-manifest", each["input"]["manifest"]))
        assert min(map(len, judged.values())) > 1
        for is_valid, found in judged.items():
            none_of(misjudged("devicestatus", found, is_valid=is_valid))
