"""The settings of a build as they stand in a file: plain tables to `BuildSettings`.

Source: rulings under "Site-data file"; `docs/reference/site-data-rules.md` has the format.

Invariant *a file adds*: what it does not name stays as it is built in; removing is written out.
Invariant *every fault is told*: settings that are faulty anywhere are not used, and each fault, up
to the cap, is a finding with the path to it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Final, TypeVar

import attrs

from purewire.absent import ABSENT, Absent
from purewire.findings import Finding, pointer
from purewire.structuring.constraints import Integer, Items, MapOf, Predicate, Text
from purewire.structuring.validator import Validator
from sitedata.building.globs import is_glob
from sitedata.building.history import Dates
from sitedata.building.hosts import HostKind, Links, check_link
from sitedata.building.ignored import IGNORED_FILES, IGNORED_FOLDERS, IGNORED_ROOTS
from sitedata.building.known_platforms import known_judges
from sitedata.building.languages import LANGUAGES
from sitedata.building.paths import is_plain_name, is_plain_path
from sitedata.building.patterns import segments
from sitedata.building.platforms import Judge, Layout, folder_key
from sitedata.building.remotes import is_host
from sitedata.building.settings import (
    BULK_SUSPECT,
    BuildSettings,
    SettingsError,
    is_commit,
    is_zone,
)
from sitedata.building.templates import check_template, check_url
from sitedata.limits import FINDINGS_CAP

__all__ = ["RULES", "read_settings"]

RULES: Final = {
    "ignore.file": "the name of a file has 1 to 200 characters and no slash",
    "judge.folder": "the name of a folder belongs to one judge of the file",
    "judge.layouts": "a judge that is not built in has layouts",
    "layout.fields": "the fields of its templates are groups of its pattern",
    "layout.path": "the pattern is linear: regular expressions for segments, joined by slashes",
    "links.both": "web and raw are given together",
    "links.url": "the template is of an absolute https URL, with `path` and other fields of links",
    "settings.commit": "a commit is named by 7 to 64 hexadecimal digits",
    "settings.extension": "an extension has no dot, slash, white space or control character",
    "settings.name": "a name that stands in URLs is printable and has no segment of dots",
    "template.form": "the template's braces are around fields, and its filters are known",
    "template.url": "the template is of an absolute https URL whose host is written out",
}
"""Rule id to the rule in words, beside those of `purewire.structuring.constraints`."""

T = TypeVar("T")
_EXTENSION: Final = re.compile(r"[^\s./\\\x00-\x1f\x7f]++")


def _must(is_sound: Callable[[str], bool]) -> Callable[[str], None]:
    """Make a check, as shapes have it, of a question."""

    def check(text: str) -> None:
        if not is_sound(text):
            raise ValueError("not of this form")

    return check


def _is_extension(text: str) -> bool:
    return _EXTENSION.fullmatch(text) is not None


_Name = Annotated[str, Text(1, 200)]
_Names = Annotated[tuple[_Name, ...], Items(1000)]
_OWNER: Final = Predicate(
    _must(is_plain_path), "settings.name", "printable, with no segment of dots"
)
_NAME: Final = Predicate(_must(is_plain_name), "settings.name", "printable, without a slash")
_HOST: Final = Predicate(_must(is_host), "settings.name", "a host name in lower case")
_ZONE: Final = Predicate(_must(is_zone), "settings.name", "the name of a zone, as Europe/Berlin")
_COMMIT: Final = Predicate(
    _must(lambda text: is_commit(text.lower())), "settings.commit", "7 to 64 hexadecimal digits"
)
_EXTENSIONS: Final = Predicate(
    _must(_is_extension), "settings.extension", "named by extensions without their dot"
)
_PATH: Final = Predicate(
    segments, "layout.path", "regular expressions joined by /, with possessive repetitions as ++"
)
_TITLE: Final = Predicate(check_template, "template.form", "text with fields as {name:filter}")
_URL: Final = Predicate(
    check_url, "template.url", "https://, a host written out, a path with fields"
)
_LINK: Final = Predicate(check_link, "links.url", "https://, a host or {host}, {path} once")


_FILE: Final = Predicate(
    _must(is_glob), "ignore.file", "a name without a slash, with * for any text"
)


@attrs.frozen
class _RepositoryTable:
    owner: Annotated[str, _OWNER] | Absent = ABSENT
    name: Annotated[str, _NAME] | Absent = ABSENT
    branch: Annotated[str, _OWNER] | Absent = ABSENT
    host: Annotated[str, _HOST] | Absent = ABSENT
    kind: HostKind | Absent = ABSENT
    web: Annotated[str, _LINK] | Absent = ABSENT
    raw: Annotated[str, _LINK] | Absent = ABSENT


@attrs.frozen
class _BulkTable:
    commits: Annotated[tuple[Annotated[str, _COMMIT], ...], Items()] | Absent = ABSENT
    suspect: Annotated[int, Integer(1)] | Absent = ABSENT


@attrs.frozen
class _IgnoreTable:
    roots: _Names | Absent = ABSENT
    folders: _Names | Absent = ABSENT
    files: Annotated[tuple[Annotated[str, _FILE], ...], Items(1000)] | Absent = ABSENT
    keep: _Names | Absent = ABSENT


@attrs.frozen
class _LayoutTable:
    path: Annotated[str, _PATH]
    title: Annotated[str, _TITLE]
    url: Annotated[str, _URL]


@attrs.frozen
class _JudgeTable:
    enabled: bool | Absent = ABSENT
    replace: bool | Absent = ABSENT
    folders: _Names | Absent = ABSENT
    layouts: Annotated[tuple[_LayoutTable, ...], Items(1000)] | Absent = ABSENT


_Languages = Annotated[Mapping[str, Annotated[str, Text(0, 200)]], MapOf(_EXTENSIONS)]
_Judges = Annotated[Mapping[str, _JudgeTable], MapOf()]


@attrs.frozen
class _File:
    dates: Dates | Absent = ABSENT
    zone: Annotated[str, _ZONE] | Absent = ABSENT
    ratings: _Names | Absent = ABSENT
    repository: _RepositoryTable | Absent = ABSENT
    bulk: _BulkTable | Absent = ABSENT
    ignore: _IgnoreTable | Absent = ABSENT
    languages: _Languages | Absent = ABSENT
    judges: _Judges | Absent = ABSENT


_READER: Final = Validator(_File, cap=FINDINGS_CAP)


def read_settings(value: object) -> BuildSettings:
    """Read the tables of a file; raises SettingsError with every fault, up to the cap."""
    file, faults = _READER.validate(value)
    if faults or not isinstance(file, _File):
        raise SettingsError(faults)
    reading = _Reading()
    settings = reading.settings(file)
    if reading.faults:
        raise SettingsError(tuple(reading.faults[:FINDINGS_CAP]))
    return settings


def _given(value: T | Absent, default: T) -> T:
    return default if isinstance(value, Absent) else value


@attrs.define
class _Reading:
    """What is wrong between sound members, found while they become settings."""

    faults: list[Finding] = attrs.field(factory=list)

    def settings(self, file: _File) -> BuildSettings:
        repository = _given(file.repository, _RepositoryTable())
        bulk = _given(file.bulk, _BulkTable())
        ignore = _given(file.ignore, _IgnoreTable())
        kept = {name.casefold() for name in _given(ignore.keep, ())}
        languages = {**LANGUAGES, **_given(file.languages, {})}
        return BuildSettings(
            owner=_given(repository.owner, None),
            name=_given(repository.name, None),
            branch=_given(repository.branch, None),
            host=_given(repository.host, None),
            kind=_given(repository.kind, None),
            links=self._links(repository),
            ignored_roots=_without(IGNORED_ROOTS, ignore.roots, kept),
            ignored_folders=_without(IGNORED_FOLDERS, ignore.folders, kept),
            ignored_files=_without(IGNORED_FILES, ignore.files, kept),
            languages={name: language for name, language in languages.items() if language},
            judges=self._judges(_given(file.judges, {})),
            ratings=_given(file.ratings, None),
            zone=_given(file.zone, "UTC"),
            dates=_given(file.dates, "last-touched"),
            bulk=_given(bulk.commits, ()),
            bulk_suspect=_given(bulk.suspect, BULK_SUSPECT),
        )

    def _links(self, repository: _RepositoryTable) -> Links | None:
        web, raw = repository.web, repository.raw
        if isinstance(web, Absent) or isinstance(raw, Absent):
            if web is not raw:
                self._fault("links.both", "repository", "web" if web is ABSENT else "raw")
            return None
        return Links(web, raw)

    def _judges(self, tables: Mapping[str, _JudgeTable]) -> Iterator[Judge]:
        """Give the judges of the file, then those that are built in and not named there."""
        known = {judge.name: judge for judge in known_judges()}
        owners = self._owners(tables)
        for name, table in tables.items():
            if table.enabled is not False:
                taken = {key for key, owner in owners.items() if owner != name}
                yield self._judge(
                    name, table, None if table.replace is True else known.get(name), taken
                )
        yield from (judge for judge in known.values() if judge.name not in tables)

    def _owners(self, tables: Mapping[str, _JudgeTable]) -> dict[str, str]:
        """Give the judge of each folder that the file names."""
        owners: dict[str, str] = {}
        for name, table in tables.items():
            for index, folder in enumerate(_given(table.folders, ())):
                if owners.setdefault(folder_key(folder), name) != name:
                    self._fault("judge.folder", "judges", name, "folders", index)
        return owners

    def _judge(self, name: str, table: _JudgeTable, base: Judge | None, taken: set[str]) -> Judge:
        folders = set(_given(table.folders, ())) | (base.folders - taken if base else set())
        layouts = list(self._layouts(name, _given(table.layouts, ())))
        layouts += base.layouts if base else ()
        if not layouts and not table.layouts:
            self._fault("judge.layouts", "judges", name, "layouts")
        return Judge(name, folders or {name}, layouts)

    def _layouts(self, name: str, tables: Iterable[_LayoutTable]) -> Iterator[Layout]:
        for index, table in enumerate(tables):
            try:
                yield Layout(table.path, table.title, table.url)
            except ValueError:
                self._fault("layout.fields", "judges", name, "layouts", index)

    def _fault(self, rule: str, *steps: str | int) -> None:
        self.faults.append(Finding(pointer(steps), rule, f"must keep the rule: {RULES[rule]}"))


def _without(
    built_in: frozenset[str], given: tuple[str, ...] | Absent, kept: set[str]
) -> frozenset[str]:
    return frozenset({*built_in, *(name.casefold() for name in _given(given, ()))} - kept)
