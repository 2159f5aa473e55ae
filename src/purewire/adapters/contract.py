"""Read what is shipped with a product: its contract, as rules, and its vectors.

A product states its contract as numbered rules in `contract/rules.toml`:

    prefix = "DS"
    title = "Device status"

    [groups]
    GAP = "Gaps of a window"

    [rules.DS-GAP-01]
    level = "must"
    text = "A gap starts before it ends."
    limits = { WINDOW_GAPS = 128 }
    findings = ["gaps.order"]
    implemented_by = ["devicestatus.validation.cross_field:window_findings"]
    tested_by = ["tests/devicestatus/test_cross_field.py::TestGaps"]
    source = ["WindowGap"]

Ids are stable: a rule is added with the next number of its group, never renumbered.

Invariant *no unproved rule*: a rule that nothing implements or no test covers has a reason.
"""

import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import attrs

from purewire.adapters import toml_text
from purewire.primitives import ABSENT, Absent
from purewire.structuring.constraints import Items, MapOf, Number, Pattern, Text
from purewire.structuring.validator import Validator

RULE_ID: Final = re.compile(r"([A-Z]{2})-([A-Z]+)-([0-9]{2})")
"""A rule id: the prefix of the product, the group, and the number within the group, from 01."""

_DISTRIBUTION: Final = "status_contracts"

Level = Literal["must", "should", "may"]

_LARGEST: Final = 2**53
_Line = Annotated[str, Text(1, 400)]
_References = Annotated[tuple[_Line, ...], Items(unique=True)]
_Limits = Annotated[Mapping[str, Annotated[int | float, Number(0, _LARGEST)]], MapOf()]


@attrs.frozen
class Rule:
    """One rule of a contract.

    Attributes:
        limits: its numbers by the name of the constant: a name of the product's `limits` module,
            or `module:NAME`.
        findings: ids of the findings that report a breach.
        implemented_by: `module:name`, or the path of a file that is not Python.
        tested_by: `path::Class` or `path::function` of tests, or the path of a test module.
        source: sections of the specification, `decisions: SECTION`, or `own`.
        reason: why nothing implements it, or no test covers it; None if neither is missing.

    """

    id: str
    level: Level
    text: str
    source: tuple[str, ...]
    limits: Mapping[str, int | float] = attrs.field(factory=dict)
    findings: tuple[str, ...] = ()
    implemented_by: tuple[str, ...] = ()
    tested_by: tuple[str, ...] = ()
    reason: str | None = None

    @property
    def group(self) -> str:
        """The group of the rule, as in its id."""
        return self.id.split("-")[1]


@attrs.frozen
class Contract:
    """The rules of one product in the order of the file, and the titles of their groups."""

    prefix: str
    title: str
    groups: Mapping[str, str]
    rules: Mapping[str, Rule]


@attrs.frozen
class _RuleTable:
    level: Level
    text: _Line
    source: Annotated[tuple[_Line, ...], Items(min_length=1, unique=True)]
    implemented_by: _References | Absent = ABSENT
    tested_by: _References | Absent = ABSENT
    limits: _Limits | Absent = ABSENT
    findings: _References | Absent = ABSENT
    reason: _Line | Absent = ABSENT


@attrs.frozen
class _File:
    prefix: Annotated[str, Pattern(re.compile(r"[A-Z]{2}"), "two capital letters")]
    title: _Line
    groups: Annotated[Mapping[str, _Line], MapOf()]
    rules: Annotated[Mapping[str, _RuleTable], MapOf()]


_VALIDATOR: Final = Validator(_File, cap=100)


def parse_contract(tables: Mapping[str, object]) -> Contract:
    """Parse the tables of a rules file; raise ValueError with one problem a line."""
    file, findings = _VALIDATOR.validate(tables)
    if findings or not isinstance(file, _File):
        raise ValueError("\n".join(map(str, findings)))
    rules = {rule_id: _rule(rule_id, table) for rule_id, table in file.rules.items()}
    contract = Contract(file.prefix, file.title, file.groups, rules)
    problems = list(_problems(contract))
    if problems:
        raise ValueError("\n".join(problems))
    return contract


def _rule(rule_id: str, table: _RuleTable) -> Rule:
    members = attrs.asdict(table, recurse=False, filter=lambda _, value: value is not ABSENT)
    return Rule(rule_id, **members)


def _problems(contract: Contract) -> Iterator[str]:
    """Generate the problems between rules; the validator has found those within a table."""
    last = dict.fromkeys(contract.groups, "00")
    texts: dict[str, str] = {}
    for rule in contract.rules.values():
        form = RULE_ID.fullmatch(rule.id)
        if form is None or form[1] != contract.prefix or form[2] not in last:
            yield f"{rule.id}: expected {contract.prefix}-GROUP-NN with a group of [groups]"
            continue
        if form[3] <= last[rule.group]:
            yield f"{rule.id}: expected a number above {last[rule.group]}"
        last[rule.group] = form[3]
        if texts.setdefault(rule.text, rule.id) != rule.id:
            yield f"{rule.id}: the same text as {texts[rule.text]}"
        if rule.reason is None and not (rule.implemented_by and rule.tested_by):
            yield f"{rule.id}: expected implemented_by and tested_by, or a reason"
    yield from (
        f"{group}: a group without rules" for group, number in last.items() if number == "00"
    )


def read_contract(product: str) -> Contract:
    """Return the rules of a product: `devicestatus`, for example."""
    file = files(product) / "contract" / "rules.toml"
    return parse_contract(toml_text.decode(file.read_bytes()))


def vectors_folder() -> Traversable:
    """Return the folder of all vectors: that of the installed package, or that of a checkout."""
    shipped = files(_DISTRIBUTION) / "vectors"
    if shipped.is_dir():
        return shipped
    return Path(str(files(_DISTRIBUTION))).parents[1] / "vectors"


def read_vectors(product: str, topic: str) -> list[dict[str, Any]]:
    """Return the cases of a topic."""
    content = json.loads((vectors_folder() / product / f"{topic}.json").read_bytes())
    cases: list[dict[str, Any]] = content["cases"]
    return cases
