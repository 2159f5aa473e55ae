"""What a build can be told: the repository's name and host, rules of paths, rules of dates.

Source: rulings under "Site-data file".  Everything has a default; a file of settings is read by
`sitedata.building.settings_file`.

Invariant *sound or refused*: settings that exist can be built with; what is wrong with them is
told when they are made.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final, Literal

import attrs

from purewire import findings
from sitedata.building.globs import Globs, is_glob
from sitedata.building.history import Dates
from sitedata.building.hosts import HostKind, Links
from sitedata.building.ignored import IGNORED_FILES, IGNORED_FOLDERS, IGNORED_ROOTS
from sitedata.building.known_platforms import known_judges
from sitedata.building.languages import LANGUAGES
from sitedata.building.paths import is_plain_name, is_plain_path
from sitedata.building.platforms import Judge
from sitedata.building.remotes import is_host

__all__ = ["BULK_SUSPECT", "BuildSettings", "SettingsError", "is_commit", "is_zone"]

BULK_SUSPECT: Final = 500
"""Files that one commit changes, from which on it may be a bulk change: nobody solves so many."""

_COMMIT: Final = re.compile(r"[0-9a-f]{7,64}")
_ZONE: Final = re.compile(r"[A-Za-z0-9_+-]++(?:/[A-Za-z0-9_+-]++)*+")


class SettingsError(findings.ContractError):
    """Settings with which nothing can be built.

    Attributes:
        code: `invalid_settings`.
        findings: every fault found, with its path in the settings; never empty.

    """

    code: Literal["invalid_settings"]

    def __init__(self, faults: tuple[findings.Finding, ...]) -> None:
        super().__init__("invalid_settings", faults)

    def __reduce__(self) -> tuple[type["SettingsError"], tuple[object, ...]]:
        return type(self), (self.findings,)


def is_commit(text: str) -> bool:
    """Tell whether text is a commit's hash, or at least seven of its first digits."""
    return _COMMIT.fullmatch(text) is not None


def is_zone(text: str) -> bool:
    """Tell whether text has the form of a zone's name; only its user knows whether there is one."""
    return _ZONE.fullmatch(text) is not None


def _folded(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.casefold() for name in names)


def _globs(names: Iterable[str] | Globs) -> Globs:
    return names if isinstance(names, Globs) else Globs(names)


def _judges(judges: Iterable[Judge]) -> tuple[Judge, ...]:
    return tuple(judges)


@attrs.frozen(kw_only=True)
class BuildSettings:
    """The settings of a build.

    Attributes:
        owner: of the repository; None: as its remote URL says.
        name: of the repository; None: as its remote URL says.
        branch: None: the reference's short name.
        host: host name, with at most a port; None: as the remote URL says, else `github.com`.
        kind: what runs on the host; None: as its name tells.
        links: templates of a file's URLs, instead of those of the kind.
        ignored_roots: first segments that are no platforms, in any case.
        ignored_folders: folders in which nothing is listed, at any depth, in any case.
        ignored_files: names of files that are not listed, at any depth, in any case; `*` is any
            text.
        languages: extension to language.
        judges: the first that has a folder's name counts.
        ratings: keys of the snapshot's ratings; None: the judges' names.
        zone: IANA name of the zone whose days the contributions are of.
        dates: which commit dates a path.
        bulk: hashes of bulk changes, which date nothing; at least seven digits of each.
        bulk_suspect: files that one commit changes, from which on it is reported.

    Raises ValueError for a value that is none.

    """

    owner: str | None = None
    name: str | None = None
    branch: str | None = None
    host: str | None = None
    kind: HostKind | None = None
    links: Links | None = None
    ignored_roots: frozenset[str] = attrs.field(default=IGNORED_ROOTS, converter=_folded)
    ignored_folders: frozenset[str] = attrs.field(default=IGNORED_FOLDERS, converter=_folded)
    ignored_files: Globs = attrs.field(factory=lambda: Globs(IGNORED_FILES), converter=_globs)
    languages: Mapping[str, str] = attrs.field(default=LANGUAGES, hash=False)
    judges: tuple[Judge, ...] = attrs.field(factory=known_judges, converter=_judges)
    ratings: tuple[str, ...] | None = None
    zone: str = "UTC"
    dates: Dates = "last-touched"
    bulk: frozenset[str] = attrs.field(default=frozenset(), converter=_folded)
    bulk_suspect: int = BULK_SUSPECT

    def __attrs_post_init__(self) -> None:
        places = ((self.owner, is_plain_path), (self.name, is_plain_name))
        texts = (*places, (self.branch, is_plain_path), (self.host, is_host), (self.zone, is_zone))
        if not all(text is None or is_sound(text) for text, is_sound in texts):
            raise ValueError("owner, name, branch, host and zone must be plain names")
        if not all(map(is_glob, self.ignored_files.texts)):
            raise ValueError("the name of a file that is ignored has no slash")
        if self.dates not in ("last-touched", "first-added"):
            raise ValueError("dates are last-touched or first-added")
        if not all(map(is_commit, self.bulk)) or self.bulk_suspect < 1:
            raise ValueError("bulk changes are hashes; a bulk change has a file or more")

    @property
    def rating_keys(self) -> tuple[str, ...]:
        """The keys of the snapshot's ratings, sorted."""
        names = (judge.name for judge in self.judges) if self.ratings is None else self.ratings
        return tuple(sorted(set(names)))
