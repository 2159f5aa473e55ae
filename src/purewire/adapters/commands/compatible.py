"""The subcommand `compatible` of all products: what a new version of the contract changes.

A version is a folder: a checkout of this repository, or a folder with the files that
`schemas/PRODUCT` has, and `rules.toml`.
"""

import json
from argparse import Namespace
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import Any

import attrs

from purewire.adapters import toml_text
from purewire.adapters.commands.exit_codes import CANNOT, OK, REFUSED, USAGE, Failed
from purewire.adapters.commands.terminal import echo, write_json
from purewire.compatibility.versions import Comparison, Finding, Version, compare
from purewire.contract_rules import parse_contract
from purewire.primitives import ABSENT
from purewire.structuring.schema_set import NOT_IN_SCHEMA, OPENAPI

_LINES = 8
"""Lines of a section that are printed; `--json` has all."""
_SHOWN = 60
"""Characters of an example that are printed."""


def run(arguments: Namespace) -> int:
    """Compare two versions, and print the order of deployment and what breaks in another one."""
    product = arguments.product
    documents = import_module(f"{product}.schemas")
    old, new = (
        _read(Path(name), product, documents.PRODUCT) for name in (arguments.old, arguments.new)
    )
    comparison = compare(old, new, documents.ROLES)
    if arguments.json:
        write_json(_plain(comparison))
    else:
        for line in _lines(comparison):
            echo(line)
    return OK if comparison.order == () and comparison.is_decided else REFUSED


def _read(folder: Path, product: str, schemas: str) -> Version:
    """Return the version in a folder."""
    is_checkout = (folder / "schemas" / schemas).is_dir()
    documents = _documents(folder / "schemas" / schemas if is_checkout else folder)
    if not documents:
        expected = f"the files of schemas/{schemas}, or a checkout of the repository"
        raise Failed(USAGE, f"{folder} contains no schemas; expected {expected}")
    rules = folder / (f"src/{product}/contract/rules.toml" if is_checkout else "rules.toml")
    openapi: Any = documents.pop(OPENAPI, {})
    unstated: Any = documents.pop(NOT_IN_SCHEMA, [])
    try:
        contract = parse_contract(toml_text.decode(rules.read_bytes())) if rules.exists() else None
    except (TOMLDecodeError, ValueError) as error:
        raise Failed(USAGE, f"{rules}: {str(error).splitlines()[0]}") from None
    return Version(documents, openapi, contract, frozenset(each["rule"] for each in unstated))


def _documents(folder: Path) -> dict[str, Any]:
    """Return the JSON files of a folder by name."""
    try:
        texts = {path: path.read_bytes() for path in sorted(folder.glob("*.json"))}
    except OSError as error:
        raise Failed(CANNOT, f"cannot read {folder}: {error.strerror}") from None
    found = {}
    for path, text in texts.items():
        try:
            found[path.stem] = json.loads(text)
        except ValueError as error:
            raise Failed(USAGE, f"{path}: {error}") from None
    return found


def _plain(comparison: Comparison) -> dict[str, Any]:
    return {
        "order": comparison.order,
        "decided": comparison.is_decided,
        "findings": [
            {name: it for name, it in attrs.asdict(each).items() if it not in (ABSENT, "", ())}
            for each in comparison.findings
        ],
        "rules": [{"rule": name, "change": text} for name, text in comparison.rules],
    }


def _lines(comparison: Comparison) -> Iterator[str]:
    breaks, undecided, tolerated = (
        [each for each in comparison.findings if each.verdict == verdict]
        for verdict in ("breaks", "undecided", "tolerated")
    )
    order = comparison.order
    if order is None:
        yield "cannot be deployed without a break: no order of the components fits all changes"
    elif order:
        yield f"deploy in this order: {', '.join(order)}"
    else:
        yield "deploy in any order: nothing that was compared breaks"
    for title, findings in (
        ("breaks in another order:" if order else "breaks:", breaks),
        ("not decided, read them:", undecided),
        ("accepted, because pages ignore members that they do not know:", tolerated),
    ):
        yield from _section(title, list(_grouped(findings)))
    rules = [f"{name} {text}" for name, text in comparison.rules]
    yield from _section("rules that changed, read them:", rules)


def _section(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield title
        yield from (f"  {line}" for line in lines[:_LINES])
    if len(lines) > _LINES:
        yield f"  and {len(lines) - _LINES} more: --json"


def _grouped(findings: Sequence[Finding]) -> Iterator[str]:
    """Generate a line for each change, with the documents that contain it, and an example."""
    for key in dict.fromkeys(each.key for each in findings):
        same = [each for each in findings if each.key == key]
        place, change, writer, reader = key
        names = ", ".join(dict.fromkeys(each.document for each in same))
        if same[0].verdict == "tolerated":
            yield f"{place}: {change} ({names})"
            continue
        if place.startswith(names):  # an endpoint or a document
            yield f"{place}: {change}"
            continue
        yield f"{place}: {change}; {reader} refuses what {writer} may write ({names})"
        shown = next((each for each in same if each.example is not ABSENT), None)
        if shown is not None and shown.verdict == "breaks":
            yield f"  for example {shown.pointer or 'the document'}: {_example(shown)}"


def _example(finding: Finding) -> str:
    """Return the part of the example at the pointer as short JSON."""
    value = finding.example
    for step in finding.pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            value = value[0]
        else:
            value = value[key] if key in value else next(iter(value.values()))
    text = json.dumps(value, ensure_ascii=False)
    size = f" ({len(value)} characters)" if isinstance(value, str) else ""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...{size}"
