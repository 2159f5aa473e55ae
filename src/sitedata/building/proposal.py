"""Propose the settings of a build from the names of a repository's files, and write them as text.

Invariant *counts are those of the build*: the same `Tree` counts that the builder uses, and what
the settings leave out of the counted drafts matched no file.
Invariant *linear*: the files are passed over a fixed number of times.
Invariant *the text is the tables*: parsing it gives the tables of the proposal.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Self

import attrs

from purewire.primitives import plural
from sitedata.building.drafts import (
    OTHER,
    Draft,
    Proposed,
    Tables,
    drafts_of,
    tables_of,
    useful_drafts,
)
from sitedata.building.history import Dates, TreeFile, Warnings
from sitedata.building.platforms import ROOT, MatchedLayout, Statement, find_match
from sitedata.building.settings import LANGUAGES, BuildSettings, language_of, split_name
from sitedata.building.settings_file import read_settings
from sitedata.building.survey import platform_of, survey
from sitedata.building.tree import Entry, Tree


@attrs.frozen
class Example:
    """A file that a rule matched, and what the build makes of it.

    `problem` is the id as the path has it, or the name; None if there is none.  Without a `url` the
    link is that of the file.
    """

    path: str
    platform: str
    problem: str | None
    title: str
    language: str
    url: str | None


@attrs.frozen
class RuleCount:
    """A rule, and what it matched, at least one file.

    `identifies` is the platform whose problems it identifies, None if it only gives titles; `form`
    is the form of the paths, None for the built-in layouts of the platform.
    """

    platform: str
    identifies: str | None
    form: str | None
    files: int
    example: Example


@attrs.frozen(repr=False)
class Proposal:
    """Proposed settings as plain tables and parsed, and what a build with them lists.

    `rules` begin with the most files, and `skipped` counts those that are not published by the
    rules of the build.  `loose` counts files in the root with a known language, `notebooks` those
    named `*.ipynb`; neither are published.
    """

    tables: Mapping[str, object]
    settings: BuildSettings
    ratings: tuple[str, ...]
    base: Tables
    drafts: tuple[Draft, ...]
    rules: tuple[RuleCount, ...]
    tracked: int
    listed: int
    skipped: Mapping[str, int]
    loose: int
    notebooks: int

    def with_first_added(self) -> Self:
        """Return the proposal with `dates = "first-added"`, for dates that cluster."""
        dates: Dates = "first-added"
        settings = attrs.evolve(self.settings, dates=dates)
        return attrs.evolve(self, tables={"dates": dates, **self.tables}, settings=settings)


class NoSolutionsError(Exception):
    """No file of a repository would be published."""

    code: Final = "init.no_solutions"

    def __init__(self, tracked: int, loose: int) -> None:
        super().__init__(tracked, loose)
        self.tracked = tracked
        self.loose = loose

    def __str__(self) -> str:
        if not self.tracked:
            return f"the tree has no files [{self.code}]"
        if self.loose:
            return (
                f"all {self.loose} solutions are in the root, and the platform of a problem is its"
                f" first folder: move them into folders, such as leetcode/ or python/ [{self.code}]"
            )
        return (
            f"none of its {self.tracked} files is a solution: a regular file in a folder, with the"
            f" extension of a programming language [{self.code}]"
        )


def detect(
    files: Iterable[TreeFile],
    *,
    repository: str | None = None,
    owner: str | None = None,
    name: str | None = None,
) -> Proposal:
    """Propose settings for a repository; raise NoSolutionsError if no file would be published.

    The name of the repository may say that all of it is of one platform.  `owner` and `name` are
    for the settings; None: as in the remote URL.
    """
    tree = tuple(sorted(files, key=lambda file: file.name))
    named = None if repository is None else platform_of(repository)
    surveyed = survey(tree, named)
    address = {"owner": owner, "name": name}
    ignored = {
        "keep": [*surveyed.kept],
        "files": surveyed.test_files,
        "folders": surveyed.test_folders,
    }
    base: Tables = {
        "repository": {key: value for key, value in address.items() if value is not None},
        "ignore": {key: names for key, names in ignored.items() if names},
    }
    drafts = drafts_of(surveyed, named)
    while True:
        count = _Count.of_files(tree, read_settings(tables_of(base, drafts)), drafts)
        used = tuple(draft.with_used(count.rules) for draft in drafts)
        names = {draft.name for draft in useful_drafts(used, surveyed)}
        kept = useful_drafts((draft for draft in drafts if draft.name in names), surveyed)
        if kept == drafts:
            break
        drafts = kept  # the files of the others may match the layouts that are left
    if not count.listed:
        raise NoSolutionsError(len(tree), _loose(tree))
    used = tuple(draft for draft in used if draft.is_useful)
    ratings = count.identified(used)
    tables = tables_of(base, used, ratings)
    return Proposal(
        tables=tables,
        settings=read_settings(tables),
        ratings=tuple(ratings),
        base=base,
        drafts=used,
        rules=count.matched(),
        tracked=len(tree),
        listed=count.listed,
        skipped=dict(sorted(count.tree.skipped.items())),
        loose=_loose(tree),
        notebooks=sum(file.name.lower().endswith(b".ipynb") for file in tree),
    )


def _loose(files: Iterable[TreeFile]) -> int:
    names = (file.name for file in files if file.kind == "file" and b"/" not in file.name)
    extensions = (split_name(name.decode("utf-8", "replace"))[1] for name in names)
    return sum(language_of(extension, LANGUAGES) is not None for extension in extensions)


_Found = tuple[Entry, MatchedLayout, Statement]


@attrs.define(eq=False, repr=False)
class _Count:
    """Counts of the files of a tree that the rules of settings match, each with its first file.

    A rule is the name of a platform, and one of its layouts; None: a built-in one.
    """

    tree: Tree
    rules: dict[tuple[str, Proposed | None], tuple[int, _Found]] = attrs.field(factory=dict)
    known: set[str] = attrs.field(factory=set)
    listed: int = 0

    @classmethod
    def of_files(
        cls, files: Iterable[TreeFile], settings: BuildSettings, drafts: Iterable[Draft]
    ) -> Self:
        """Count the files of a tree."""
        count = cls(Tree(settings, Warnings()))
        proposed = {(draft.name, it.layout.path): it for draft in drafts for it in draft.proposed}
        for entry in count.tree.entries(files):
            count.listed += 1
            platform, match = entry.known or OTHER, find_match(entry.layouts, entry.stem)
            count.known.add(platform)
            if match is None:
                continue
            rule = platform, proposed.get((platform, match[0].layout.path))
            number, first = count.rules.get(rule, (0, (entry, *match)))
            count.rules[rule] = number + 1, first
        return count

    def identified(self, drafts: Iterable[Draft]) -> list[str]:
        """Return the platforms with a file that a rule identifies."""
        others = {draft.name for draft in drafts if not draft.is_built_in}
        proposed = {it.identifies for draft in drafts for it in draft.proposed if it.identifies}
        return sorted(proposed | (self.known - others))

    def matched(self) -> tuple[RuleCount, ...]:
        """Return what each rule matched, the most files first; titles alone come last."""
        counts = []
        for (platform, rule), (files, first) in self.rules.items():
            identifies, form = (platform, None) if rule is None else (rule.identifies, rule.form)
            counts.append(RuleCount(platform, identifies, form, files, _example(*first)))
        return tuple(sorted(counts, key=_rank))


def _rank(rule: RuleCount) -> tuple[bool, int, str, str]:
    return rule.identifies is None, -rule.files, rule.platform, rule.form or ""


def _example(entry: Entry, matched: MatchedLayout, statement: Statement) -> Example:
    match = matched.layout.stem.fullmatch(entry.stem)
    values = matched.values | ({} if match is None else match.groupdict())
    ids = [value for name, value in values.items() if value and name != "title"]
    problem = "/".join(ids) or (values.get("title") if statement.url else None)
    title = entry.full_title(statement.title)
    return Example(entry.path, entry.platform, problem, title, entry.language, statement.url)


_HEAD: Final = """\
# Settings of `sitedata build`, written by `sitedata init`.  Everything may be changed or removed;
# what is not here has its built-in value.  The format:
# https://github.com/status-contracts/status-contracts/blob/main/docs/reference/site-data-rules.md

{dates}# zone = "Europe/Berlin"      # whose days are counted; without this UTC
"""
_DATES: Final[Mapping[Dates, str]] = {
    "last-touched": """\
# dates = "first-added"       # what dates a file; without this the newest commit that touched it
""",
    "first-added": """\
# What dates a file: the commit that added it, because edits moved the dates of many to one day.
dates = "first-added"
""",
}
_RATINGS: Final = "# The platforms that were found here, as keys of the snapshot's ratings."
_ADDRESS: Final = """\
# Owner, name and host come from the remote URL of the repository; these replace it.
[repository]"""
_ADDRESS_EXAMPLES: Final = {"owner": '# owner = "ada"', "name": '# name = "practice"'}
_IGNORED: Final = {
    "keep": "# All solutions are here, so it is not ignored.",
    "files": "# Tests of exercises: file names, in any folder.",
    "folders": "# Folders of tests and notes, at any depth.",
}
_NOTEBOOKS: Final = """\
# [languages]
# ipynb = "Python"            # files with this extension are not published without this line
"""
_IGNORE_EXAMPLE: Final = '# roots = ["drafts"]         # first folders that are not published'


def settings_text(proposal: Proposal) -> str:
    """Return the text of a settings file, in TOML."""
    return "\n".join(_blocks(proposal))


def _blocks(proposal: Proposal) -> Iterator[str]:
    address, ignored = proposal.base["repository"], proposal.base["ignore"]
    yield _HEAD.replace("{dates}", _DATES[proposal.settings.dates])
    yield f"{_RATINGS}\nratings = {_list(proposal.ratings)}\n"
    lines = (_setting(name, address) or line for name, line in _ADDRESS_EXAMPLES.items())
    yield "\n".join((_ADDRESS, *lines, ""))
    lines = (
        f"{line}\n{_setting(name, ignored)}" for name, line in _IGNORED.items() if name in ignored
    )
    yield "\n".join(("[ignore]", _IGNORE_EXAMPLE, *lines, ""))
    if proposal.notebooks:
        yield _NOTEBOOKS
    for draft in proposal.drafts:
        if draft.folders or draft.proposed:
            yield "\n".join((*_draft(draft, proposal.rules), ""))


def _setting(name: str, values: Mapping[str, str | list[str]]) -> str | None:
    value = values.get(name)
    if value is None:
        return None
    return f"{name} = {_string(value) if isinstance(value, str) else _list(value)}"


def _draft(draft: Draft, rules: Iterable[RuleCount]) -> Iterator[str]:
    if draft.folders:
        yield f"[platforms.{draft.name}]"
        if ROOT in draft.folders:
            yield '# "." is the whole repository, except the folders of other platforms.'
        elif draft.is_built_in:
            yield "# In addition to the built-in names of its folder."
        yield f"folders = {_list(draft.folders)}"
        yield from [""] if draft.proposed else []
    counts = {rule.form: rule.files for rule in rules if rule.platform == draft.name}
    for number, proposed in enumerate(draft.proposed):
        yield from [""] if number else []
        yield f"[[platforms.{draft.name}.layouts]]"
        yield f"# {proposed.form}: {plural(counts[proposed.form], 'file')}"
        yield f"path = '{proposed.layout.path}'"
        yield f"title = {_string(proposed.layout.title)}"
        comment = "" if proposed.layout.url else "  # the link is that of the file"
        yield f"url = {_string(proposed.layout.url or '')}{comment}"


def _list(items: Iterable[str]) -> str:
    texts = list(map(_string, items))
    line = f"[{', '.join(texts)}]"
    if len(line) <= 80:  # noqa: PLR2004 - the width of a usual terminal
        return line
    return "[\n" + "".join(f"    {text},\n" for text in texts) + "]"


def _string(text: str) -> str:
    """Return a basic string of TOML: that of JSON, with all that cannot be printed escaped."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(
        character if character.isprintable() else f"\\U{ord(character):08x}" for character in quoted
    )
