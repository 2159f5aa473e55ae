"""The subcommand `compatible`: what a new version breaks, for whom, and in which order to deploy.

A version is a folder: a checkout of this repository, or a folder with the files that
`schemas/PRODUCT` has, and `rules.toml`.  A document is compared twice: what the new version may
write with what the old one accepts, and the reverse.  In the first case its readers are deployed
before its writers, in the second one after them.
"""

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import Any, Final, Literal

import attrs

from purewire.adapters import toml_text
from purewire.adapters.commands.exit_codes import CANNOT, OK, REFUSED, USAGE, Failed
from purewire.adapters.commands.terminal import echo, write_json
from purewire.adapters.contract import Contract, parse_contract
from purewire.compatibility import MEMBER, MEMBERS, WORDS, Json, NotCompared, differences
from purewire.structuring.json_schema import Schema
from purewire.structuring.schema_set import NOT_IN_SCHEMA, OPENAPI

_LINES = 8
"""Lines of a section that are printed; `--json` has all."""

Verdict = Literal["breaks", "tolerated", "undecided"]

_ROLES: Final = ("service", "page")
"""Who writes and who reads a document that is in no table of roles."""
_TOLERANT: Final = frozenset({"page"})
"""Readers that must ignore members that they do not know."""


@attrs.frozen
class Version:
    """Published files of a version: schemas by name, and what else there is.

    `unstated` are the ids of the rules that the schemas do not state.
    """

    documents: Mapping[str, Schema]
    openapi: Mapping[str, Any]
    contract: Contract | None
    unstated: frozenset[str] = frozenset()


@attrs.frozen
class Finding:
    """One difference between two versions of a document or an endpoint.

    Attributes:
        document: name of the document, or the method and path of the endpoint.
        pointer: JSON pointer of the value in the document; `*` stands for any item or member.
        place: the model and the pointer in it: equal in all documents that contain the model.
        change: what changed from the old version to the new one.
        verdict: `breaks`; `tolerated`, because the reader must ignore unknown members; or
            `undecided`, so that a person must read it.
        writer: the component that writes, with its version: `new agent`.
        reader: the component that does not accept it, with its version: `old service`.
        order: of a break, the component to deploy first, and the other one.

    """

    document: str
    pointer: str
    place: str
    change: str
    verdict: Verdict = "undecided"
    writer: str = ""
    reader: str = ""
    order: tuple[str, ...] = ()


@attrs.frozen
class Comparison:
    """The differences of documents and endpoints; ids of rules, and what changed in them."""

    findings: tuple[Finding, ...]
    rules: tuple[tuple[str, str], ...]

    @property
    def order(self) -> tuple[str, ...] | None:
        """The components in the order of deployment; None if every order breaks something.

        Components that are not in it are deployed at any time.
        """
        # What one component writes for itself changes with what others send to it.
        breaks = [finding for finding in self.findings if finding.order]
        between = {(it.place, it.change) for it in breaks if len(set(it.order)) > 1}
        graph: dict[str, set[str]] = {}
        for finding in breaks:
            first, then = finding.order
            if first != then or (finding.place, finding.change) not in between:
                graph.setdefault(then, set()).add(first)
        try:
            return tuple(TopologicalSorter(graph).static_order())
        except CycleError:
            return None

    @property
    def is_decided(self) -> bool:
        """Check whether no difference is left to a person."""
        return not self.rules and all(finding.verdict != "undecided" for finding in self.findings)


def compare(old: Version, new: Version, roles: Mapping[str, Sequence[str]]) -> Comparison:
    """Return the differences of two versions.

    Args:
        old: the version that is deployed.
        new: the version that replaces it.
        roles: name of a document to the component that writes it and those that read it; all others
            are written by the `service` and read by the `page`.

    """
    findings: list[Finding] = []
    for name in dict.fromkeys((*old.documents, *new.documents)):
        if name in old.documents and name in new.documents:
            writer, *readers = roles.get(name, _ROLES)
            for reader in readers:
                pair = (old.documents[name], new.documents[name])
                findings += _compare_schemas(name, *pair, writer=writer, reader=reader)
        else:
            change = "document added" if name in new.documents else "document removed"
            findings.append(Finding(name, "", name, change))
    findings += _endpoints(old, new)
    return Comparison(tuple(findings), tuple(_rules(old, new)))


def _compare_schemas(
    name: str, old: Schema, new: Schema, *, writer: str, reader: str
) -> Iterator[Finding]:
    """Generate the differences of two schemas of a document, in both directions."""
    if old == new:
        return
    try:
        directions = (
            ("new", "old", (reader, writer), differences(new, old)),
            ("old", "new", (writer, reader), differences(old, new)),
        )
    except NotCompared as keyword:
        yield Finding(name, "", name, f"the keyword {keyword} is not compared")
        return
    for written, read, order, changes in directions:
        for change in changes:
            verdict: Verdict = "breaks" if change.is_decided else "undecided"
            if reader in _TOLERANT and change.keyword in (MEMBER, MEMBERS):
                verdict = "tolerated"
            yield Finding(
                document=name,
                pointer=change.pointer,
                place=change.place.removesuffix(" ") or name,
                change=change.change(is_written_new=written == "new"),
                verdict=verdict,
                writer=f"{written} {writer}",
                reader=f"{read} {reader}",
                order=order if verdict == "breaks" else (),
            )


def _without_words(value: Json) -> Json:
    """Return the description of endpoints without words for people, and without bodies."""
    if isinstance(value, list):
        return [_without_words(element) for element in value]
    if not isinstance(value, dict):
        return value
    dropped = {*WORDS, "content"}
    return {name: _without_words(part) for name, part in value.items() if name not in dropped}


def _endpoints(old: Version, new: Version) -> Iterator[Finding]:
    """Generate the differences of paths and methods; their bodies are documents."""
    before, after = (
        {
            f"{method.upper()} {path}": _without_words(it)
            for path, operations in version.openapi.get("paths", {}).items()
            for method, it in operations.items()
        }
        for version in (old, new)
    )
    for name in dict.fromkeys((*before, *after)):
        caller = "agent" if name.startswith("POST") else "page"
        one, other = before.get(name), after.get(name)
        if one is None:
            ends = (f"new {caller}", "old service", ("service", caller))
            yield Finding(name, "", name, "endpoint added", "breaks", *ends)
        elif other is None:
            ends = (f"old {caller}", "new service", (caller, "service"))
            yield Finding(name, "", name, "endpoint removed", "breaks", *ends)
        else:
            for part in (part for part in one | other if one.get(part) != other.get(part)):
                yield Finding(name, "", f"{name}, {part}", "differs")


def _rules(old: Version, new: Version) -> Iterator[tuple[str, str]]:
    """Generate id and change of the rules that differ."""
    if old.contract is None or new.contract is None:
        yield "rules.toml", "not compared: it is missing in a version"
    else:
        before, after = old.contract.rules, new.contract.rules
        yield from ((name, f"removed: {before[name].text}") for name in before if name not in after)
        for name, rule in after.items():
            if name not in before:
                yield name, f"added: {rule.text}"
                continue
            was = before[name]
            if was.level != rule.level:
                yield name, f"{was.level} -> {rule.level}"
            if was.limits != rule.limits:
                yield name, f"limits {dict(was.limits)} -> {dict(rule.limits)}"
            if was.text != rule.text:
                yield name, f"reworded, now: {rule.text}"
    for name in sorted(old.unstated ^ new.unstated):
        is_new = name in new.unstated
        yield name, "no schema states it any more" if is_new else "no longer without a schema"


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
    return Version(documents, openapi, contract, frozenset(rule["rule"] for rule in unstated))


def _documents(folder: Path) -> dict[str, Any]:
    """Return the JSON files of a folder by name."""
    try:
        texts = {path: path.read_bytes() for path in sorted(folder.glob("*.json"))}
    except OSError as error:
        raise Failed(CANNOT, f"cannot read {folder}: {error.strerror}") from None
    documents = {}
    for path, text in texts.items():
        try:
            documents[path.stem] = json.loads(text)
        except ValueError as error:
            raise Failed(USAGE, f"{path}: {error}") from None
    return documents


def _plain(comparison: Comparison) -> dict[str, Any]:
    return {
        "order": comparison.order,
        "decided": comparison.is_decided,
        "findings": [
            {name: it for name, it in attrs.asdict(finding).items() if it not in ("", ())}
            for finding in comparison.findings
        ],
        "rules": [{"rule": name, "change": text} for name, text in comparison.rules],
    }


def _lines(comparison: Comparison) -> Iterator[str]:
    breaks, undecided, tolerated = (
        [finding for finding in comparison.findings if finding.verdict == verdict]
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
    """Generate a line for each change, with the documents that contain it."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        key = (finding.place, finding.change, finding.writer, finding.reader)
        groups.setdefault(key, []).append(finding)
    for (place, change, writer, reader), (first, *others) in groups.items():
        names = ", ".join(dict.fromkeys(finding.document for finding in (first, *others)))
        if first.verdict == "tolerated":
            yield f"{place}: {change} ({names})"
        elif place.startswith(names):  # an endpoint or a document
            yield f"{place}: {change}"
        else:
            refuses = "refuses" if first.verdict == "breaks" else "perhaps refuses"
            yield f"{place}: {change}; {reader} {refuses} what {writer} may write ({names})"
