"""Read what is shipped with a product: its contract, as rules, and its vectors.

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

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, Literal

import attrs

from status_contracts.adapters import toml_text

__all__ = [
    "Contract",
    "Rule",
    "body_bytes",
    "read_contract",
    "read_vectors",
    "vectors_folder",
]

_DISTRIBUTION: Final = "status_contracts"


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
    tables = toml_text.decode((files(product) / "rules.toml").read_bytes())
    rules = {rule_id: Rule(rule_id, **table) for rule_id, table in tables["rules"].items()}
    return Contract(tables["prefix"], tables["title"], tables["groups"], rules)


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


def body_bytes(parts: Iterable[str | dict[str, Any]]) -> bytes:
    """Return the bytes of a body in a vector: text, base64 and repeated text after each other."""
    return b"".join(map(_part_bytes, parts))


def _part_bytes(part: str | dict[str, Any]) -> bytes:
    if isinstance(part, str):
        return part.encode()
    if "base64" in part:
        return base64.b64decode(part["base64"], validate=True)
    copies = (part["repeat"].replace("#", str(number)) for number in range(1, part["times"] + 1))
    return str(part.get("join", "").join(copies)).encode()
