"""The rules of each contract: ids, limits and findings are those of the code, citations exist."""

import json
import re
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType
from typing import Any, get_args

import attrs
import contract_examples
import contract_pages
import pytest
from contract_pages import Contract, Rule, read_contract
from jsonschema_rs import Draft202012Validator

from devicestatus import limits as device_limits
from devicestatus.cross_field import RULES as DEVICE_FINDINGS
from healthapi import limits as health_limits
from healthapi import snapshot
from healthapi.adapters import profile_files
from healthapi.rows import mapping, reading
from healthapi.rows.findings import RowRule
from sitedata import limits as site_limits
from sitedata import parsing as checking
from sitedata.adapters import files as config
from sitedata.adapters.git import RepositoryCode
from sitedata.building import builder, history, settings_file
from sitedata.building.tree import EXPECTED_RULES
from sitedata.strategies import FAULTY_RULES
from status_contracts.cli.shipped import build_schemas
from status_contracts.messages import Response
from status_contracts.structuring import constraints

ROOT = Path(__file__).parents[1]
CITED = re.compile(r"\b(?:DS|HA|SD)-[A-Z]+-\d\d\b")
RANGE = re.compile(r"\b((?:DS|HA|SD)-[A-Z]+)-(\d\d)\s+to\s+(?:\1-)?(\d\d)\b")
NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
SHOWN = re.compile(r"^\*\*([A-Z]{2}-[A-Z]+-\d\d)\*\* \*(\w+)\*: ", re.MULTILINE)
CITING = ("src", "tests", "docs", "examples", "tools", "benchmarks", "fuzz")

PRODUCTS = ("devicestatus", "healthapi", "sitedata")
CONTRACTS = {product: read_contract(product) for product in PRODUCTS}
LIMITS = {"devicestatus": device_limits, "healthapi": health_limits, "sitedata": site_limits}
SITE_UNUSED = {"items.unique", "text.control", "text.pattern"}
"""Findings of shared constraints that no member of site data has."""
FINDINGS = {
    "devicestatus": frozenset(DEVICE_FINDINGS),
    "healthapi": frozenset(
        {
            *get_args(RowRule),
            *get_args(reading.FileRule),
            *get_args(profile_files.FileRule),
            *snapshot._MESSAGE_OF,
            *mapping.MESSAGE_OF,
            "snapshot.entry",
            "folder.profiles",
        }
    ),
    "sitedata": frozenset(
        {
            *(constraints.RULES.keys() - SITE_UNUSED),
            *FAULTY_RULES,
            *checking.RULES,
            *history.RULES,
            *EXPECTED_RULES,
            *settings_file.RULES,
            *config.RULES,
            *builder._MESSAGE_OF,
            *get_args(RepositoryCode),
            *("body.size", "etag.format", "date.format"),  # of a cache state
        }
    ),
}
RULES = {rule_id for contract in CONTRACTS.values() for rule_id in contract.rules}

every_product = pytest.mark.parametrize("product", CONTRACTS)


def _numbers(limits: ModuleType) -> dict[str, int | float]:
    """Return the constants of a module of limits that are numbers: `NAME`, `NAME.minimum`."""
    names = getattr(limits, "__all__", [name for name in vars(limits) if name.isupper()])
    values: dict[str, Any] = {name: getattr(limits, name) for name in names}
    for name, value in list(values.items()):
        if attrs.has(type(value)):
            values |= {f"{name}.{member}": each for member, each in attrs.asdict(value).items()}
    return {name: value for name, value in values.items() if isinstance(value, int | float)}


_RULE_ID = re.compile(r"([A-Z]{2})-([A-Z]+)-([0-9]{2})")
"""The prefix of the product, the group, and the number within the group, from 01."""


def _malformed(contract: Contract) -> list[str]:
    """Return the ids that have another form, or do not ascend within their group."""
    wrong, last = [], dict.fromkeys(contract.groups, "00")
    for rule_id in contract.rules:
        form = _RULE_ID.fullmatch(rule_id)
        if form is None or form[1] != contract.prefix or form[3] <= last.get(form[2], "99"):
            wrong.append(rule_id)
        else:
            last[form[2]] = form[3]
    return [*wrong, *(group for group, number in last.items() if number == "00")]


def _unequal_limits(rule: Rule, limits: ModuleType) -> list[str]:
    return [
        f"{rule.id}: {name} is {found}, not {value}"
        for name, value in rule.limits.items()
        for found in [resolve_name(name) if ":" in name else _numbers(limits).get(name)]
        if found != value or isinstance(found, bool)
    ]


def _missing_in_text(rule: Rule) -> list[str]:
    """Return the limits whose number is not in the text; milliseconds may be there as seconds."""
    stated = {float(number.replace(",", "")) for number in NUMBER.findall(rule.text)}
    return [
        f"{rule.id}: {name} = {value}"
        for name, value in rule.limits.items()
        if value not in stated and not (name.endswith("_MS") and value / 1000 in stated)
    ]


def _cited(text: str) -> list[str]:
    """Return the rule ids in a text, those of ranges (`DS-GAP-01 to 04`) included."""
    inner = [
        f"{group}-{number:02}"
        for group, first, last in RANGE.findall(text)
        for number in range(int(first) + 1, int(last) + 1)
    ]
    return [*CITED.findall(text), *inner]


def is_json(response: Response) -> bool:
    return dict(response.headers).get("Content-Type", "").startswith("application/json")


@every_product
class TestContract:
    def test_ids_are_well_formed_and_ascend(self, product: str) -> None:
        assert _malformed(CONTRACTS[product]) == []

    def test_every_rule_has_a_level_and_a_source(self, product: str) -> None:
        levels, rules = {"must", "should", "may"}, CONTRACTS[product].rules.values()
        assert [rule.id for rule in rules if rule.level not in levels or not rule.source] == []

    def test_limits_are_the_constants(self, product: str) -> None:
        rules = CONTRACTS[product].rules.values()
        assert [line for rule in rules for line in _unequal_limits(rule, LIMITS[product])] == []

    def test_texts_state_their_limits(self, product: str) -> None:
        rules = CONTRACTS[product].rules.values()
        assert [line for rule in rules for line in _missing_in_text(rule)] == []

    def test_every_constant_limits_a_rule(self, product: str) -> None:
        named = {name for rule in CONTRACTS[product].rules.values() for name in rule.limits}
        assert sorted(_numbers(LIMITS[product]).keys() - named) == []

    def test_findings_and_rules_name_each_other(self, product: str) -> None:
        rules = CONTRACTS[product].rules.values()
        named = {finding for rule in rules for finding in rule.findings}
        assert sorted(named ^ FINDINGS[product]) == []


@every_product
class TestPage:
    """A page is for writers in any language: its examples are valid, and no Python is in it."""

    def test_its_examples_are_valid(self, product: str) -> None:
        """As a whole; the page leaves out what it has shown before."""
        documents = build_schemas(product).documents
        for example in contract_examples.in_order(product):
            bodies = {}
            if example.body:
                assert example.endpoint.body is not None
                bodies[example.endpoint.body.schema] = json.loads(example.body)
            if is_json(example.response):
                answer = json.loads(example.response.body)
                bodies["error" if "error" in answer else example.endpoint.schema] = answer
            for name, body in bodies.items():
                Draft202012Validator(documents[name]).validate(body)

    def test_rules_have_what_checks_them(self, product: str) -> None:
        """Rules of vectors, checks of services and marked tests exist."""
        checked = contract_pages.checks(product)
        own = {rule for rule in checked if rule.startswith(f"{CONTRACTS[product].prefix}-")}
        assert len(own) > 80
        assert own - CONTRACTS[product].rules.keys() == set()
        text = contract_pages.text(product)
        assert dict(SHOWN.findall(text)) == {
            rule.id: rule.level for rule in CONTRACTS[product].rules.values()
        }

    def test_values_and_defaults_of_parameters_are_named(self, product: str) -> None:
        queries = re.findall("Query: (.*?)(?:[.] |$)", contract_pages.text(product), re.MULTILINE)
        assert (len(queries) == 4) is (product == "healthapi")
        if queries:
            assert "`width` (360 to 1,920, default 960)" in queries[-1]
            assert "`theme` (light or transparent, default light)" in queries[-1]

    def test_every_resource_has_an_example(self, product: str) -> None:
        bodies = {
            each.endpoint.name
            for each in contract_examples.in_order(product)
            if is_json(each.response)
        }
        described = {each.name for each in contract_pages.ENDPOINTS[product] if each.schema}
        assert described - bodies == set()


class TestCitations:
    def test_every_cited_rule_exists(self) -> None:
        files = [
            path
            for folder in CITING
            for path in (ROOT / folder).rglob("*")
            if path.suffix in {".py", ".md", ".toml", ".js", ".html", ".txt"} and path.is_file()
        ]
        assert len(files) > 500
        unknown = [
            f"{path.relative_to(ROOT)}: {rule_id}"
            for path in [*files, *ROOT.glob("*.md")]
            for rule_id in _cited(path.read_text("utf-8"))
            if rule_id not in RULES
        ]
        assert unknown == []
