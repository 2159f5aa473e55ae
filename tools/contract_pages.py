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

_EXAMPLES_TEXT: Final = (
    "The examples are what this package sends at fixed times. Where no status and headers are"
    " shown, they are those of the first response. `…` stands for further items and members, and"
    " for those of an object that was shown before. An entity tag is any text that changes with"
    " the body."
)
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


def read_contract(product: str) -> Contract:
    """Return the rules of a product: `devicestatus`, for example."""
    tables = tomllib.loads((files(product) / "rules.toml").read_text("utf-8"))
    rules = {rule_id: Rule(rule_id, **table) for rule_id, table in tables["rules"].items()}
    return Contract(tables["prefix"], tables["title"], tables["groups"], rules)


def text(product: str) -> str:
    """Return the resources, rules and examples of a product as Markdown."""
    examples = ("## Examples", "", _EXAMPLES_TEXT, "", *contract_examples.lines(product))
    parts = (_resources(product), _groups(product, read_contract(product)), examples)
    return "\n".join(line for part in parts for line in part) + "\n"


def checks(product: str) -> dict[str, list[str]]:
    """Return what checks each rule: topics of cases, the conformance command, tests."""
    found: dict[str, list[str]] = defaultdict(list)
    for topic in sorted((_ROOT / "vectors" / product).glob("*.json")):
        cases = json.loads(topic.read_text("utf-8"))["cases"]
        cited = Counter(rule for case in cases for rule in case["rules"])
        for rule, number in cited.items():
            found[rule].append(f"[`{topic.stem}`](../../vectors/{product}/{topic.name}) {number}")
    source = _ROOT / "src" / product
    kit = [*source.glob("conformance.*"), *source.glob("conformance/**/*.*")]
    texts = [path.read_text("utf-8") for path in kit if path.suffix in {".py", ".toml"}]
    for rule in {rule for text in texts for rule in _ID.findall(text)}:
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
    yield from ("## Resources", "")
    for endpoint in endpoints:
        methods = "" if endpoint.methods == usual else f" ({', '.join(endpoint.methods)})"
        accepted = f"; accepts {text}" if (text := _accepted(endpoint)) else ""
        errors = f"; errors: {_quoted(endpoint.error_codes) or 'none'}"
        own = "" if endpoint.error_codes == codes else errors
        title = f"{endpoint.title[0].lower()}{endpoint.title[1:]}"
        yield f"- {_quoted(endpoint.paths)}{methods}: {title}{accepted}{own}"
    token = " `POST` needs the token." if any(each.body for each in endpoints) else ""
    methods = f"Every path supports OPTIONS and, where no methods stand, {' and '.join(usual)}."
    errors = f" Where no errors stand, the only ones of a path are {_quoted(codes)}."
    yield from ("", f"{methods}{errors}{token}", "")


def _accepted(endpoint: Endpoint) -> str:
    """Return the parameters of the query with their ranges, or the size of the body."""
    if endpoint.body is not None:
        return f"at most {endpoint.body.max_bytes:,} bytes"
    texts = []
    for parameter in endpoint.parameters:
        schema = parameter.schema
        default = f": {schema['default']}" if "default" in schema else ""
        bounds = f" ({schema['minimum']} to {schema['maximum']})" if "minimum" in schema else ""
        texts.append(f"`{parameter.name}`{default}{bounds}")
    return ", ".join(texts)


def _groups(product: str, contract: Contract) -> Iterator[str]:
    checked = checks(product)
    yield "## Rules"
    for group, title in contract.groups.items():
        yield f"\n### {title}\n"
        for rule in contract.rules.values():
            if rule.group == group:
                level = "" if rule.level == "must" else f" *{rule.level}*"
                findings = f" ({_quoted(rule.findings)})" if rule.findings else ""
                by = checked.get(rule.id) or ([rule.reason] if rule.reason else [])
                shown = f" ({', '.join(by)})" if by else ""
                yield f"**{rule.id}**{level}{findings}: {rule.text}{shown}\n"


def _quoted(references: Iterable[str]) -> str:
    return ", ".join(f"`{reference}`" for reference in references)
