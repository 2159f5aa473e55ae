"""From a repository's tree and history to its snapshot.

Source: site-data specification, "Resources and their fields"; rulings under "Site-data file".

Invariant *a function*: the same history, settings and time give the same snapshot, and its bytes.
Invariant *publishable*: what is built breaks no publishing rule; what would is left out and told.
Invariant *every file is accounted for*: it is listed once, or counted once among those left out.
"""

from collections.abc import Mapping
from typing import Final

import attrs

from purewire.findings import Finding
from purewire.instants import format_instant
from sitedata.building.dates import Dating
from sitedata.building.history import History
from sitedata.building.hosts import Links, Site, site_of
from sitedata.building.known_hosts import links_of
from sitedata.building.paths import quoted
from sitedata.building.platforms import Statement, locate
from sitedata.building.remotes import Remote, remote_of
from sitedata.building.settings import BuildSettings, SettingsError
from sitedata.building.tree import Entry, Tree
from sitedata.building.warnings import Remarks
from sitedata.reading.models import Problem, Repository, Snapshot

__all__ = ["Built", "build"]

_MESSAGE_OF: Final = {
    "host.unknown": "must be given, for the host's name does not tell what runs on it",
    "repository.unknown": "must be given, for no remote URL tells it",
}
_DEFAULT_HOST: Final = "github.com"


@attrs.frozen(repr=False)
class Built:
    """What a build gives.

    Attributes:
        snapshot: to be published.
        warnings: what its owner should know (`sitedata.building.warnings.RULES`); the path is that
            of a file in the repository, or a commit's hash, or empty.
        left_out: how many files of the tree are not listed, by rule; also those that are expected
            (`sitedata.building.tree.SILENT`).

    """

    snapshot: Snapshot
    warnings: tuple[Finding, ...]
    left_out: Mapping[str, int]

    def __repr__(self) -> str:
        listed, left_out = len(self.snapshot.problems), sum(self.left_out.values())
        return f"<Built: {listed} problems, {left_out} left out, {len(self.warnings)} warnings>"


def build(history: History, settings: BuildSettings, *, generated_at: int) -> Built:
    """Make the snapshot of a repository.

    Args:
        history: what was read of it, with the zone, dates and bulk changes of the settings.
        settings: the rules of paths, and what the repository is called.
        generated_at: time of the snapshot, ms since the epoch.

    Raises SettingsError where neither settings nor remote URL tell owner, name and host, and
    ValueError for a time outside the years 1 to 9999.

    """
    format_instant(generated_at)
    remote, links = _address(history, settings)
    branch = settings.branch or _encodable(history.branch or history.ref)
    site = site_of(links, remote, branch=branch, commit=history.commit)
    remarks = Remarks()
    tree, dating = Tree(settings, remarks), Dating(history, remarks)
    problems = tuple(
        _problem(entry, site, dating.submitted_at(entry.name, entry.path))
        for entry in tree.entries(sorted(history.files, key=lambda file: file.name))
    )
    contributions = {day: count for day, count in sorted(history.contributions.items()) if count}
    commit_count = sum(contributions.values())
    dating.conclude(commit_count)
    snapshot = Snapshot(
        repository=Repository(remote.owner, remote.name, branch),
        generated_at=generated_at,
        source_ref=_encodable(history.ref),
        commit_count=commit_count,
        contributions=contributions,
        problems=problems,
        ratings=dict.fromkeys(settings.rating_keys),
    )
    return Built(snapshot, remarks.findings(), dict(sorted(tree.left_out.items())))


def _problem(entry: Entry, site: Site, submitted_at: str | None) -> Problem:
    web, raw = site.urls(quoted(entry.path))
    found = locate(entry.bound, entry.stem) or Statement(entry.stem, None)
    url = found.url or web
    return Problem(
        entry.path, entry.platform, entry.language, found.title, url, web, raw, submitted_at
    )


def _encodable(name: str) -> str:
    # names of references may hold surrogates for bytes that were not UTF-8
    return name.encode("utf-8", "replace").decode("utf-8")


def _address(history: History, settings: BuildSettings) -> tuple[Remote, Links]:
    """Give what the repository is called and the links of its host, settings before the remote."""
    told = None if history.remote is None else remote_of(history.remote)
    host = settings.host or (told.host if told else _DEFAULT_HOST)
    owner = settings.owner or (told.owner if told else None)
    name = settings.name or (told.name if told else None)
    links = settings.links or links_of(host, settings.kind)
    if owner is None or name is None or links is None:
        raise SettingsError(
            tuple(
                Finding(f"/repository/{member}", rule, _MESSAGE_OF[rule])
                for member, rule, value in (
                    ("owner", "repository.unknown", owner),
                    ("name", "repository.unknown", name),
                    ("kind", "host.unknown", links),
                )
                if value is None
            )
        )
    return Remote(host, owner, name), links
