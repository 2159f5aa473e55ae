"""Make the pages of `docs/contract/` from the rules that the products ship.

`docs/conf.py` appends them to the introductions when the documentation is built.

A product states its contract as numbered rules in `rules.toml`:

    prefix = "DS"
    title = "Device status"

    [groups]
    GAP = "Gaps of a window"

    [rules.DS-GAP-01]
    level = "must"
    text = "A gap starts before it ends."
    limits = { WINDOW_GAPS = 128 }
    findings = ["gaps.order"]
    source = ["WindowGap"]

Ids are stable: a rule is added with the next number of its group, never renumbered.  Vectors,
checks of running services and tests (`@pytest.mark.rule("DS-GAP-01")`) cite them.
"""

import json
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal

import attrs
import contract_examples

from devicestatus import endpoints as device_endpoints
from healthapi import endpoints as health_endpoints
from sitedata import service as site_service
from status_contracts.endpoints import Endpoint

PAGES: Final = {
    "devicestatus": "device-status.md",
    "healthapi": "health-api.md",
    "sitedata": "site-data.md",
}
"""Product to the name of its page."""
ENDPOINTS: Final[Mapping[str, Sequence[Endpoint]]] = {
    "devicestatus": device_endpoints.ENDPOINTS,
    "healthapi": health_endpoints.ENDPOINTS,
    "sitedata": (site_service.ENDPOINT,),
}
"""Product to its paths."""

_FINDINGS: Final = {
    "devicestatus": "validation.md#rule-ids",
    "healthapi": "health-folder.md#findings",
    "sitedata": "site-data.md#errors-and-warnings",
}
"""Product to the list of its findings, in `docs/reference/`."""

_LEGEND: Final = """\
## How to read a rule

The id of a rule never changes: cite the rule by it. Its level follows:

- *must*: without exceptions
- *should*: an exception needs a reason
- *may*: a permission

Below a rule stand:

- *Findings*: the ids of the [findings](../reference/{findings}) that report a breach of the rule
- *Checked by*: [topics of test cases](../reference/vectors.md), with the number of the cases that\
 cite the rule; the [conformance command](../reference/conformance.md), if it checks a server for\
 it; the tests of this package that name it
- *Not checked*: why nothing checks it

"""
_EXAMPLES_TEXT: Final = (
    "The examples are what this package sends at fixed times. Where no status and headers are"
    " shown, they are those of the first response. `…` stands for further items and members, and"
    " for those of an object that was shown before. An entity tag is any text that changes with"
    " the body."
)
_LISTED: Final = 5
"""Most values of a parameter that a list has; keys of metrics are in the rules."""
_ROOT: Final = Path(__file__).parents[1]
_MARKED: Final = re.compile(r"mark\.rule\(([^)]+)\)")
_ID: Final = re.compile(r"\b[A-Z]{2}-[A-Z]+-\d\d\b")


@attrs.frozen
class Rule:
    """One rule of a contract.

    Attributes:
        limits: its numbers by the name of the constant: a name of the product's `limits` module,
            or `module:NAME`.
        findings: ids of the findings that report a breach.
        source: sections of the specification, `decisions: SECTION`, or `own`.
        reason: why nothing checks it; None if something does.

    """

    id: str
    level: Literal["must", "should", "may"]
    text: str
    source: Sequence[str]
    limits: Mapping[str, int | float] = attrs.field(factory=dict)
    findings: Sequence[str] = ()
    reason: str | None = None


@attrs.frozen
class Contract:
    """The rules of one product in the order of the file, and the titles of their groups."""

    prefix: str
    title: str
    groups: Mapping[str, str]
    rules: Mapping[str, Rule]


def read_contract(product: str) -> Contract:
    """Return the rules of a product: `devicestatus`, for example."""
    tables = tomllib.loads((files(product) / "rules.toml").read_text("utf-8"))
    rules = {rule_id: Rule(rule_id, **table) for rule_id, table in tables["rules"].items()}
    return Contract(tables["prefix"], tables["title"], tables["groups"], rules)


def text(product: str) -> str:
    """Return the resources, rules and examples of a product as Markdown."""
    examples = ("## Examples", "", _EXAMPLES_TEXT, "", *contract_examples.lines(product))
    legend = _LEGEND.format(findings=_FINDINGS[product]).splitlines()
    parts = (_resources(product), legend, _groups(product, read_contract(product)), examples)
    return "\n".join(line for part in parts for line in part) + "\n"


def checks(product: str) -> dict[str, list[str]]:
    """Return what checks each rule: topics of cases, the conformance command, tests."""
    found: dict[str, list[str]] = defaultdict(list)
    for topic in sorted((_ROOT / "vectors" / product).glob("*.json")):
        cases = json.loads(topic.read_text("utf-8"))["cases"]
        cited = Counter(rule for case in cases for rule in case["rules"])
        for rule, number in cited.items():
            found[rule].append(f"[`{topic.stem}`](../../vectors/{product}/{topic.name}) ({number})")
    kit = [path.read_text("utf-8") for path in (_ROOT / "src" / product).glob("conformance.*")]
    for rule in {rule for text in kit for rule in _ID.findall(text)}:
        found[rule].append("conformance")
    for path in sorted((_ROOT / "tests").rglob("test_*.py")):
        marked = ",".join(_MARKED.findall(path.read_text("utf-8")))
        for rule in dict.fromkeys(_ID.findall(marked)):
            found[rule].append(f"[test](../../{path.relative_to(_ROOT)})")
    return found


def _resources(product: str) -> Iterator[str]:
    """Yield a list of all paths."""
    endpoints = ENDPOINTS[product]
    (usual, _), *_ = Counter(endpoint.methods for endpoint in endpoints).most_common(1)
    (codes, _), *_ = Counter(endpoint.error_codes for endpoint in endpoints).most_common(1)
    methods = f"Unless another method stands behind a path, it supports {' and '.join(usual)}."
    noun = "code is" if len(codes) == 1 else "codes are"
    errors = f"Where no errors are listed, its only error {noun} {_quoted(codes)}."
    token = " `POST` needs the token." if any(each.body for each in endpoints) else ""
    yield from ("## Resources", "", f"{methods} Every path supports OPTIONS. {errors}{token}", "")
    for endpoint in endpoints:
        own = "" if endpoint.methods == usual else f" ({', '.join(endpoint.methods)})"
        title = f"{endpoint.title[0].lower()}{endpoint.title[1:]}"
        listed = f". Errors: {_quoted(endpoint.error_codes) or 'none'}"
        errors = "" if endpoint.error_codes == codes else listed
        yield f"- {_quoted(endpoint.paths)}{own}: {title}{_accepted(endpoint)}{errors}"
    yield ""


def _accepted(endpoint: Endpoint) -> str:
    """Return the parameters of the query with their values, or the size of the body."""
    if endpoint.body is not None:
        return f". Body: at most {endpoint.body.max_bytes:,} bytes"
    texts = []
    for parameter in endpoint.parameters:
        schema = parameter.schema
        values = []
        if "minimum" in schema:
            values.append(f"{schema['minimum']:,} to {schema['maximum']:,}")
        elif len(schema["enum"]) <= _LISTED:
            values.append(" or ".join(schema["enum"]))
        if "default" in schema:
            values.append(f"default {schema['default']}")
        texts.append(f"`{parameter.name}`" + (f" ({', '.join(values)})" if values else ""))
    return f". Query: {', '.join(texts)}" if texts else ""


def _groups(product: str, contract: Contract) -> Iterator[str]:
    checked = checks(product)
    yield "## Rules"
    for group, title in contract.groups.items():
        yield f"\n### {title}\n"
        for rule in contract.rules.values():
            if rule.id.split("-")[1] == group:
                notes = [f"*Findings:* {_quoted(rule.findings)}."] if rule.findings else []
                notes += [f"*Checked by:* {', '.join(by)}."] if (by := checked.get(rule.id)) else []
                notes += [] if by or rule.reason is None else [f"*Not checked:* {rule.reason}"]
                below = f"\\\n{' '.join(notes)}" if notes else ""
                yield f"**{rule.id}** *{rule.level}*: {rule.text}{below}\n"


def _quoted(references: Iterable[str]) -> str:
    return ", ".join(f"`{reference}`" for reference in references)
