"""Problems of the files of one tree, as a build finds them."""

from collections.abc import Iterable

from sitedata.building.known_platforms import known_platforms
from sitedata.building.platforms import (
    FolderMatcher,
    Platform,
    PlatformIndex,
    SiblingIndex,
    Statement,
)
from sitedata.building.settings import split_name


def statements(*paths: str, platforms: Iterable[Platform] | None = None) -> list[Statement | None]:
    """Return the statement of each path; None if it has no platform or no layout matches."""
    index = PlatformIndex(known_platforms() if platforms is None else platforms)
    siblings, found = SiblingIndex(), list[Statement | None]()
    parts = [(path.rpartition("/")[0], split_name(path.rpartition("/")[2])[0]) for path in paths]
    for parent, stem in parts:
        siblings.add(parent, stem)
    for parent, stem in parts:
        platform, folders = index.find(parent) or (Platform("none", [], ()), [])
        found.append(FolderMatcher(siblings, parent, platform, folders).statement(stem))
    return found
