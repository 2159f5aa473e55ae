"""Compare two versions of a contract: what breaks, for whom, and in which order to deploy.

A document is compared twice: what the new version may write with what the old one accepts, and the
reverse.  In the first case its readers are deployed before its writers, in the second one after
them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final, Literal

import attrs

from purewire.compatibility.schemas import (
    WORDS,
    Json,
    NotCompared,
    differences,
)
from purewire.contract_rules import Contract
from purewire.primitives import ABSENT
from purewire.structuring.json_schema import Schema

Verdict = Literal["breaks", "tolerated", "undecided"]

_ROLES: Final = ("service", "page")
"""Who writes and who reads a document that is in no table of roles."""
_TOLERANT: Final = frozenset({"page"})
"""Readers that must ignore members that they do not know."""


@attrs.frozen
class Version:
    """Published files of a version of a contract.

    Attributes:
        documents: name to JSON Schema.
        openapi: OpenAPI document; empty if there is none.
        contract: numbered rules; None if there are none.
        unstated: ids of the rules that the schemas do not state.

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
        example: a document that the writer may write and the reader refuses; ABSENT if none was
            found.

    """

    document: str
    pointer: str
    place: str
    change: str
    verdict: Verdict = "undecided"
    writer: str = ""
    reader: str = ""
    order: tuple[str, ...] = ()
    example: Json = ABSENT

    @property
    def key(self) -> tuple[str, ...]:
        """Members that are equal in findings of one model in several documents."""
        return self.place, self.change, self.writer, self.reader


@attrs.frozen
class Comparison:
    """The differences of two versions.

    Attributes:
        findings: differences of documents and endpoints.
        rules: ids of rules, and what changed in them; a person must read them.

    """

    findings: tuple[Finding, ...]
    rules: tuple[tuple[str, str], ...]

    @property
    def order(self) -> tuple[str, ...] | None:
        """The components in the order of deployment; None if every order breaks something.

        Components that are not in it are deployed at any time.
        """
        between = {(each.place, each.change) for each in self.findings if len(set(each.order)) > 1}
        graph: dict[str, set[str]] = {}
        for each in self.findings:
            # What one component writes for itself changes with what others send to it.
            if each.order and (
                len(set(each.order)) > 1 or (each.place, each.change) not in between
            ):
                first, then = each.order
                graph.setdefault(then, set()).add(first)
        try:
            return tuple(TopologicalSorter(graph).static_order())
        except CycleError:
            return None

    @property
    def is_decided(self) -> bool:
        """Check whether no difference is left to a person."""
        return not self.rules and all(each.verdict != "undecided" for each in self.findings)


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
                findings += compare_schemas(name, *pair, writer=writer, reader=reader)
        else:
            change = "document added" if name in new.documents else "document removed"
            findings.append(Finding(name, "", name, change))
    findings += _endpoints(old, new)
    # A model breaks in all documents that contain it, also where no example was found.
    proved = {each.key: each for each in findings if each.verdict == "breaks"}
    findings = [
        attrs.evolve(each, verdict="breaks", order=proved[each.key].order)
        if each.verdict == "undecided" and each.key in proved
        else each
        for each in findings
    ]
    return Comparison(tuple(findings), tuple(_rules(old, new)))


def compare_schemas(
    name: str, old: Schema, new: Schema, *, writer: str, reader: str
) -> Iterator[Finding]:
    """Generate the differences of two schemas of a document, in both directions."""
    if _bare(old) == _bare(new):
        return
    try:
        for written, read, ages in ((new, old, ("new", "old")), (old, new, ("old", "new"))):
            found = differences(written, _open(read) if reader in _TOLERANT else read)
            decided = {(each.pointer, each.gained) for each in found}
            if reader in _TOLERANT:
                closed = differences(written, read)
                found += [it for it in closed if (it.pointer, it.gained) not in decided]
            for each in found:
                is_tolerated = (each.pointer, each.gained) not in decided
                is_break = each.example is not ABSENT and not is_tolerated
                order = (reader, writer) if written is new else (writer, reader)
                yield Finding(
                    document=name,
                    pointer=each.pointer,
                    place=each.place.removesuffix(" ") or name,
                    change=each.gained if written is new else each.lost,
                    verdict="breaks" if is_break else "tolerated" if is_tolerated else "undecided",
                    writer=f"{ages[0]} {writer}",
                    reader=f"{ages[1]} {reader}",
                    order=order if is_break else (),
                    example=each.example,
                )
    except NotCompared as keyword:
        yield Finding(name, "", name, f"the keyword {keyword} is not compared")


def _bare(schema: Schema) -> Json:
    """Return a schema without what is written for people."""
    return _without(schema, lambda name, _: name in WORDS - {"$defs"})


def _open(schema: Schema) -> Json:
    """Return a schema as readers apply it that ignore members they do not know."""
    return _without(schema, lambda name, it: name == "additionalProperties" and it is False)


def _without(value: Json, is_dropped: Callable[[str, Json], bool]) -> Json:
    """Return a schema without some keywords, at every depth; names of members are none."""
    if isinstance(value, list):
        return [_without(each, is_dropped) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: {key: _without(member, is_dropped) for key, member in each.items()}
        if name in ("properties", "$defs")
        else _without(each, is_dropped)
        for name, each in value.items()
        if not is_dropped(name, each)
    }


def _endpoints(old: Version, new: Version) -> Iterator[Finding]:
    """Generate the differences of paths and methods; their bodies are documents."""
    paths = [
        _without(each.openapi.get("paths", {}), lambda name, _: name in {*WORDS, "content"})
        for each in (old, new)
    ]
    before, after = (
        {f"{method.upper()} {path}": it for path, each in of.items() for method, it in each.items()}
        for of in paths
    )
    for name in dict.fromkeys((*before, *after)):
        caller = "agent" if name.startswith("POST") else "page"
        if name not in before:
            ends = (f"new {caller}", "old service", ("service", caller))
            yield Finding(name, "", name, "endpoint added", "breaks", *ends)
        elif name not in after:
            ends = (f"old {caller}", "new service", (caller, "service"))
            yield Finding(name, "", name, "endpoint removed", "breaks", *ends)
        else:
            for part in before[name].keys() | after[name].keys():
                if before[name].get(part) != after[name].get(part):
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
