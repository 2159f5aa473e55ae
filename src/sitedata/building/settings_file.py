"""Parse the plain tables of a settings file to `BuildSettings`.

Invariant *a file adds*: settings that it does not name keep their defaults; removing is explicit.
Invariant *all problems are reported*: settings with any problem are not used, and each problem, up
to `FINDINGS_CAP`, is a finding with its path.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal

import attrs

from sitedata.building.history import Dates
from sitedata.building.hosts import HostKind
from sitedata.building.known_platforms import known_platforms
from sitedata.building.names import folder_key
from sitedata.building.platforms import Platform
from sitedata.building.settings import (
    FILE,
    HOST,
    IGNORED_FILES,
    IGNORED_FOLDERS,
    IGNORED_ROOTS,
    LANGUAGES,
    NAME,
    PATH,
    ZONE,
    BuildSettings,
    casefolded,
)
from sitedata.limits import FINDINGS_CAP
from status_contracts.findings import Finding, Step, pointer
from status_contracts.primitives import ABSENT, Absent
from status_contracts.structuring.constraints import Items, MapOf, Predicate, Text
from status_contracts.structuring.decoder import SettingsError, parse_settings

RULES: Final = {
    "ignore.file": "must be the name of a file: 1 to 200 characters, no slash",
    "platform.folder": "must not be a folder of another platform too",
    "platform.unknown": "must be the name of a built-in platform",
    "settings.extension": "must have no dot, slash, white space or control character",
    "settings.name": "must be printable and have no segment of dots, because it stands in URLs",
}
"""Rule id to what must be, in addition to those of `status_contracts.structuring.constraints`."""

_Name = Annotated[str, Text(1, 200)]
_Names = Annotated[tuple[_Name, ...], Items(1000)]
_EXTENSIONS: Final = Predicate.of(
    re.compile(r"[^\s./\\\x00-\x1f\x7f]++").fullmatch,
    "settings.extension",
    "named by extensions without their dot",
)


@attrs.frozen
class _RepositoryTable:
    owner: Annotated[str, PATH] | Absent = ABSENT
    name: Annotated[str, NAME] | Absent = ABSENT
    branch: Annotated[str, PATH] | Absent = ABSENT
    host: Annotated[str, HOST] | Absent = ABSENT
    kind: HostKind | Absent = ABSENT


@attrs.frozen
class _IgnoreTable:
    roots: _Names | Absent = ABSENT
    folders: _Names | Absent = ABSENT
    files: Annotated[tuple[Annotated[str, FILE], ...], Items(1000)] | Absent = ABSENT
    keep: _Names | Absent = ABSENT


@attrs.frozen
class _PlatformTable:
    enabled: bool | Absent = ABSENT
    folders: _Names | Absent = ABSENT


_Languages = Annotated[Mapping[str, Annotated[str, Text(0, 200)]], MapOf(_EXTENSIONS)]
_Platforms = Annotated[Mapping[str, _PlatformTable], MapOf()]


@attrs.frozen
class _File:
    dates: Dates | Absent = ABSENT
    links: Literal["files", "paths"] | Absent = ABSENT
    zone: Annotated[str, ZONE] | Absent = ABSENT
    ratings: _Names | Absent = ABSENT
    root: Annotated[str, NAME] | Absent = ABSENT
    repository: _RepositoryTable | Absent = ABSENT
    ignore: _IgnoreTable | Absent = ABSENT
    languages: _Languages | Absent = ABSENT
    platforms: _Platforms | Absent = ABSENT


def read_settings(value: object) -> BuildSettings:
    """Parse the tables of a file; raise SettingsError with all problems, up to `FINDINGS_CAP`."""
    file = parse_settings(value, _File)
    repository = file.repository or _RepositoryTable()
    ignore = file.ignore or _IgnoreTable()
    kept = casefolded(ignore.keep or ())
    languages = {**LANGUAGES, **(file.languages or {})}
    members = attrs.asdict(repository)
    members |= {name: getattr(file, name) for name in ("dates", "ratings", "root", "zone")}
    return BuildSettings(
        ignored_roots=IGNORED_ROOTS.union(casefolded(ignore.roots or ())) - kept,
        ignored_folders=IGNORED_FOLDERS.union(casefolded(ignore.folders or ())) - kept,
        ignored_files=IGNORED_FILES.union(casefolded(ignore.files or ())) - kept,
        languages={name: language for name, language in languages.items() if language},
        platforms=tuple(_platforms(file.platforms or {})),
        reads_files=file.links == "files",
        **{name: value for name, value in members.items() if value is not ABSENT},
    )


def _platforms(tables: Mapping[str, _PlatformTable]) -> Iterator[Platform]:
    """Yield the platforms of the file, then the built-in ones that it does not name."""
    known = {platform.name: platform for platform in known_platforms()}
    owners: dict[str, str] = {}
    conflicts: list[Finding] = []
    for name, table in tables.items():
        for index, folder in enumerate(table.folders or ()):
            if owners.setdefault(folder_key(folder), name) != name:
                conflicts.append(_conflict("platform.folder", name, "folders", index))
    conflicts += [_conflict("platform.unknown", name) for name in tables if name not in known]
    if conflicts:
        raise SettingsError(tuple(conflicts[:FINDINGS_CAP]))
    for name, table in tables.items():
        if table.enabled is not False:
            own = {key for key in known[name].folders if owners.get(key, name) == name}
            yield Platform(name, own.union(table.folders or ()), known[name].layouts)
    yield from (platform for name, platform in known.items() if name not in tables)


def _conflict(rule: str, *steps: Step) -> Finding:
    return Finding(pointer(("platforms", *steps)), rule, RULES[rule])
