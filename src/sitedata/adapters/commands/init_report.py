"""Report the proposal of `sitedata init` in lines for a terminal.

Contract: SD-INIT-01.
"""

import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final, Literal

from sitedata.building.detecting.proposal import REASONS, Proposal, RuleCount, Unmatched

__all__ = ["Line", "Style", "folder_counts", "report_lines"]

Style = Literal["bold", "faint", "green"] | None
Line = list[tuple[str, Style]]
"""Pieces of text with their styles."""

_COUNT_WIDTH: Final = 6
_INDENT: Final = " " * (_COUNT_WIDTH + 2)
_MAX_FOLDERS: Final = 5
"""Folders that are named for a reason; the others are counted."""
_PUBLISHED: Final = "name.uncertain"


def report_lines(proposal: Proposal, *, branch: str, width: int) -> Iterator[Line]:
    """Yield the lines of a report.

    Args:
        proposal: the proposal.
        branch: short name of the branch.
        width: columns of the terminal; only URLs may be wider.

    """
    linked = sum(rule.files for rule in proposal.rules if rule.example.url)
    yield from _wrapped(
        f"{_files(proposal.tracked)} in {branch}: {proposal.listed} published,"
        f" {linked} of them with the URL of a problem.",
        width,
    )
    yield []
    for rule in proposal.rules:
        yield from _rule(rule, width)
        yield []
    for reason, group in groupby(proposal.unmatched, lambda each: each.reason):
        yield from _reason(reason, list(group), width)
    if proposal.unmatched:
        yield []
    for note in _notes(proposal):
        yield from _wrapped(note, width)
        yield []


def _rule(rule: RuleCount, width: int) -> Iterator[Line]:
    form = "built-in layouts" if rule.form is None else rule.form
    name = form if rule.identifies is None else f"{rule.identifies}: {form}"
    yield [(f"{rule.files:>6}  ", "bold"), (_shortened(name, width - len(_INDENT)), "bold")]
    example = rule.example
    yield [(_INDENT + _shortened(example.path, width - len(_INDENT)), None)]
    facts = [f"platform {example.platform}"]
    facts += [] if example.problem is None else [f"problem {example.problem}"]
    facts += [example.language, f"title {example.title}"]
    yield from _wrapped(", ".join(facts), width, _INDENT)
    url = example.url
    yield [(_INDENT, None), (url, "green") if url else ("the link is that of the file", "faint")]


def _reason(reason: str, group: list[Unmatched], width: int) -> Iterator[Line]:
    total = sum(each.files for each in group)
    heading = "no rule" if reason == _PUBLISHED else "not published"
    yield [(f"{total:>6}  ", "bold"), (f"{heading} [{reason}]", "bold")]
    yield from _wrapped(f"each {REASONS[reason]}", width, _INDENT)
    yield from _wrapped(folder_counts((each.folder, each.files) for each in group), width, _INDENT)


def folder_counts(counts: Iterable[tuple[str, int]]) -> str:
    """Return the folders of the root and their numbers of files, of which the first are named."""
    given = list(counts)
    named = [f"{folder or 'the root'} {files}" for folder, files in given[:_MAX_FOLDERS]]
    if len(given) > _MAX_FOLDERS:
        more = sum(files for _, files in given[_MAX_FOLDERS:])
        named.append(f"{len(given) - _MAX_FOLDERS} other folders {more}")
    return ", ".join(named)


def _notes(proposal: Proposal) -> Iterator[str]:
    if proposal.settings.dates == "first-added":
        yield (
            "Edits moved the dates of many files to one day, so files are dated by the commit that"
            " added them: see dates in the settings."
        )
    if proposal.loose:
        yield (
            f"{_files(proposal.loose)} in the root would be published in a folder: the platform of"
            " a problem is its first folder."
        )
    if proposal.notebooks:
        yield (
            f"{_files(proposal.notebooks)} with the extension ipynb would be published with a"
            " language: see [languages] in the settings."
        )


def _files(count: int) -> str:
    return f"{count} file{'' if count == 1 else 's'}"


def _wrapped(text: str, width: int, indent: str = "") -> Iterator[Line]:
    plain = textwrap.shorten(text, _MAX_TEXT, placeholder=" ...")
    lines = textwrap.wrap(plain, width, initial_indent=indent, subsequent_indent=indent)
    for line in lines:
        yield [(line, None)]


_MAX_TEXT: Final = 1000  # characters; names of a hostile repository may be longer


def _shortened(text: str, width: int) -> str:
    """Return text with its middle left out if it is wider than `width` characters."""
    if len(text) <= width:
        return text
    half = (width - 3) // 2
    return f"{text[: width - 3 - half]}...{text[-half:]}"
