"""Draft the platforms of a settings file: their folders, and layouts that may match.

Contract: SD-INIT-02, SD-INIT-03.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

import attrs

from sitedata.building.detecting.platform_names import ADVENT, EXERCISM, NamedPlatform
from sitedata.building.detecting.proposed_layouts import (
    Proposed,
    advent_layouts,
    exercism_layouts,
    layouts_anywhere,
    more_layouts,
)
from sitedata.building.detecting.survey import Survey
from sitedata.building.platforms import ROOT, folder_key

Tables = Mapping[str, Mapping[str, str | list[str]]]
"""Name of a table of the settings to its values."""

OTHER: Final = "other"
"""Name of the platform in the settings that has all folders that no platform is known for."""
_MAX_FOLDERS: Final = 300
"""Folders of a proposal, those with the most files; so the file stays below its size limit."""
_MAX_LENGTH: Final = 200  # characters of a folder in the settings


@attrs.frozen
class Draft:
    """A platform of the settings: its own folders, and layouts that are tried first."""

    name: str
    folders: tuple[str, ...]
    proposed: tuple[Proposed, ...]
    is_built_in: bool = attrs.field(default=False, kw_only=True)
    _by_path: dict[str, Proposed] = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_by_path", {each.layout.path: each for each in self.proposed})

    def proposed_at(self, path: str) -> Proposed | None:
        """Return the layout with a pattern; None if it is not one of `proposed`."""
        return self._by_path.get(path)

    def with_used(self, used: Collection[tuple[str, str]]) -> "Draft":
        """Return the draft with only those layouts whose name and path are in `used`."""
        kept = (each for each in self.proposed if (self.name, each.layout.path) in used)
        return attrs.evolve(self, proposed=tuple(kept))

    @property
    def is_useful(self) -> bool:
        """Check whether the settings may hold it: others than built-in platforms need layouts."""
        return self.is_built_in or bool(self.proposed)

    def table(self) -> dict[str, object]:
        """Return its table in the settings; empty if there is nothing to say."""
        found: dict[str, object] = {}
        if self.folders:
            found["folders"] = list(self.folders)
        if self.proposed:
            found["layouts"] = [
                {"path": layout.path, "title": layout.title, "url": layout.url or ""}
                for layout in (each.layout for each in self.proposed)
            ]
        return found


def drafts_of(found: Survey, repository: NamedPlatform | None) -> tuple[Draft, ...]:
    """Return the drafts for what was found; `repository` is what its name says."""
    folders: dict[NamedPlatform, list[str]] = {
        NamedPlatform(name): [] for name in sorted(found.known)
    }
    if repository is not None:
        folders.setdefault(repository, []).append(ROOT)
    keys: set[str] = set()
    ranked = sorted(found.sites.items(), key=lambda site: (-site[1][1], site[0]))
    for folder, (platform, _) in ranked:
        key = folder_key(folder)
        is_writable = len(folder) <= _MAX_LENGTH and folder.isprintable()
        if is_writable and key not in keys and len(keys) < _MAX_FOLDERS:
            keys.add(key)
            folders.setdefault(platform, []).append(folder)
    drafts = (
        _draft(platform, sorted(given), found.exercised) for platform, given in folders.items()
    )
    return useful_drafts(sorted(drafts, key=lambda draft: draft.name), found)


def useful_drafts(drafts: Iterable[Draft], found: Survey) -> tuple[Draft, ...]:
    """Return the drafts that the settings may hold; `OTHER` has the root if none of them has it."""
    kept = tuple(draft for draft in drafts if draft.is_useful and draft.name != OTHER)
    if any(ROOT in draft.folders for draft in kept):
        return kept
    layouts = layouts_anywhere(found.tracks, has_leetcode=found.has_leetcode)
    return (*kept, Draft(OTHER, (ROOT,), layouts))


def _draft(platform: NamedPlatform, folders: Iterable[str], tracks: frozenset[str]) -> Draft:
    name = "-".join(filter(None, (platform.name, platform.year, platform.track)))
    if platform.name == ADVENT:
        return Draft(name, tuple(folders), advent_layouts(platform.year))
    if platform.name == EXERCISM:
        return Draft(name, tuple(folders), exercism_layouts(platform.track or tracks))
    return Draft(name, tuple(folders), more_layouts(platform.name), is_built_in=True)


def tables_of(
    base: Tables, drafts: Iterable[Draft], ratings: Iterable[str] | None
) -> dict[str, object]:
    """Return the plain tables of a settings file; without `ratings` those of built-in platforms."""
    tables: dict[str, object] = {} if ratings is None else {"ratings": list(ratings)}
    tables |= {name: dict(table) for name, table in base.items()}
    named = ((draft.name, draft.table()) for draft in drafts)
    platforms = {name: table for name, table in named if table}
    return tables | ({"platforms": platforms} if platforms else {})
