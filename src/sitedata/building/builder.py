"""Build the snapshot of a repository from its tree and history.

Each line calls what follows `>`; a module that is new stands in brackets:

    [git] history_of > read_history: the tree, then the commits; meanwhile
      > [tree] list_problems: which files, their titles and URLs > [platforms] FolderMatcher
      > [git] Dating, of the listed paths > [history] History
    [builder] build, with that listing > [hosts] file_urls_of > [history] PathDates
      > [own_words] with_own_links, if files were read > [models] Problem, Snapshot

Invariant *deterministic*: equal history, settings and time give an equal snapshot and equal bytes.
Invariant *publishable*: a built snapshot breaks no publishing rule, except that a path, and with it
a title, may have control characters; files that would break one are skipped and reported.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from sitedata.building.history import History, ListedFile, PathDates, Warnings
from sitedata.building.hosts import FileUrls, HostKind, Remote, file_urls_of, kind_of, parse_remote
from sitedata.building.own_words import with_own_links
from sitedata.building.settings import BuildSettings
from sitedata.building.tree import EXPECTED_RULES, list_problems
from sitedata.models import Problem, Repository, Snapshot
from status_contracts.findings import Finding
from status_contracts.instants import check_milliseconds, format_instant
from status_contracts.primitives import plural
from status_contracts.structuring.decoder import SettingsError

_MESSAGE_OF: Final = {
    "host.unknown": "must be given, because the kind of the host is unknown from its name",
    "repository.unknown": "must be given, because no remote URL names the repository",
}


@attrs.frozen(repr=False)
class BuildResult:
    """Result of a build.

    Attributes:
        snapshot: the snapshot.
        warnings: warnings for the owner (`sitedata.building.history.RULES`); the path is that of a
            file in the repository, or a commit hash, or empty.
        skipped_in: rule and first segment, which is empty for files in the root, to the number of
            files that are not listed because of it, including expected ones
            (`sitedata.building.tree.EXPECTED_RULES`).

    """

    snapshot: Snapshot
    warnings: tuple[Finding, ...]
    skipped_in: Mapping[tuple[str, str], int]

    @property
    def skipped(self) -> dict[str, int]:
        """Rule to the number of files that are not listed because of it."""
        counts = Counter[str]()
        for (rule, _), files in self.skipped_in.items():
            counts[rule] += files
        return dict(counts)

    def __repr__(self) -> str:
        listed = plural(len(self.snapshot.problems), "problem")
        warnings = plural(len(self.warnings), "warning")
        return f"<BuildResult: {listed}, {sum(self.skipped.values())} skipped, {warnings}>"


def build(history: History, settings: BuildSettings, *, generated_at: int) -> BuildResult:
    """Build the snapshot of a repository.

    Args:
        history: its history, read with the zone, dates, problems and bulk changes of the settings.
        settings: rules for paths, and names of the repository.
        generated_at: time of the snapshot, ms since the epoch.

    Raises:
        SettingsError: owner, name or host are neither in the settings nor in the remote URL.
        TypeError, ValueError: the time is not an int, looks like seconds, or is outside the years
            0001 to 9999.

    """
    check_milliseconds("generated_at", generated_at)
    format_instant(generated_at)
    remote, kind = _address(history, settings)
    branch = settings.branch or _encodable(history.branch or history.ref)
    urls = file_urls_of(remote, kind, branch)
    warnings = Warnings()
    files, listing = tuple(sorted(history.files)), history.listing
    if listing is None or listing.source != (files, settings):
        listing = list_problems(files, settings)
    dates = PathDates(history, warnings)
    skipped = Counter[tuple[str, str]]()
    for rule, path in listing.left_out:
        root, slash, _ = path.partition("/")
        skipped[rule, root if slash else ""] += 1
        if rule not in EXPECTED_RULES:
            warnings.add(rule, path.split("/"))
    entries: Iterable[ListedFile] = listing.entries
    if history.words:
        entries = with_own_links(entries, history.words, warnings)
    problems = tuple(
        _problem(entry, urls, dates.submitted_at(entry.name, entry.path)) for entry in entries
    )
    contributions = {day: count for day, count in sorted(history.contributions.items()) if count}
    commit_count = sum(contributions.values())
    dates.add_history_warnings(commit_count, settings.zone)
    snapshot = Snapshot(
        repository=Repository(remote.owner, remote.name, branch),
        generated_at=generated_at,
        source_ref=_encodable(history.ref),
        commit_count=commit_count,
        contributions=contributions,
        problems=problems,
        ratings=dict.fromkeys(settings.rating_keys),
    )
    return BuildResult(snapshot, warnings.findings(), dict(sorted(skipped.items())))


def _problem(entry: ListedFile, urls: FileUrls, submitted_at: str | None) -> Problem:
    web, raw = urls(entry.path)
    url, title = entry.url or web, entry.title
    return Problem(entry.path, entry.platform, entry.language, title, url, web, raw, submitted_at)


def _encodable(name: str) -> str:
    # reference names may hold surrogates for bytes that are not UTF-8
    return name.encode("utf-8", "replace").decode("utf-8")


def _address(history: History, settings: BuildSettings) -> tuple[Remote, HostKind]:
    """Return the repository and the software of its host; settings override the remote URL."""
    remote = None if history.remote is None else parse_remote(history.remote)
    host = settings.host or (remote.host if remote else "github.com")
    owner = settings.owner or (remote.owner if remote else None)
    name = settings.name or (remote.name if remote else None)
    kind = settings.kind or kind_of(host)
    if owner is None or name is None or kind is None:
        raise SettingsError(
            tuple(
                Finding(f"/repository/{member}", rule, _MESSAGE_OF[rule])
                for member, rule, value in (
                    ("owner", "repository.unknown", owner),
                    ("name", "repository.unknown", name),
                    ("kind", "host.unknown", kind),
                )
                if value is None
            )
        )
    return Remote(host, owner, name), kind
