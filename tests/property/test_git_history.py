"""Properties of a history, each compared with git itself or with the script."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from sitedata.adapters.git import read_history
from sitedata.building.history import History
from support.sitedata.git_repositories import ImportedScript, git, make, shallow_clone
from support.sitedata.repositories import Commit, Delete, Rename, Script, Write, repositories

pytestmark = pytest.mark.check

FEW = settings(max_examples=8, phases=[Phase.generate])
"""Each example is a real repository; shrinking would take minutes."""


@contextmanager
def made(script: Script) -> Iterator[ImportedScript]:
    folder = Path(tempfile.mkdtemp())
    try:
        yield make(folder / "repository", script)
    finally:
        shutil.rmtree(folder)


def dates_of(history: History) -> dict[bytes, str]:
    return {name: touch.commit for name, touch in history.commit_dates.items()}


@st.composite
def moves(draw: st.DrawFn) -> Script:
    """Linear histories of dissimilar files that are moved, edited and removed."""
    there: dict[bytes, bytes] = {}
    commits: list[Commit] = []
    for number in range(draw(st.integers(1, 14))):
        changes: list[Write | Delete | Rename] = []
        fresh = b"%d/name-%d.py" % (number % 3, number)
        kinds = ("add", "again", "rename", "back", "edit", "remove") if there else ("add",)
        kind = draw(st.sampled_from(kinds))
        old = draw(st.sampled_from(sorted(there))) if there else b""
        match kind:
            case "rename":
                there[fresh] = there.pop(old)
                changes.append(Rename(old, fresh))
                if draw(st.booleans()):
                    there[fresh] += b"edited in %d\n" % number
                    changes.append(Write(fresh, there[fresh]))
            case "edit":
                there[old] += b"edited in %d\n" % number
                changes.append(Write(old, there[old]))
            case "remove":
                del there[old]
                changes.append(Delete(old))
            case _:
                used = {
                    change.path
                    for commit in commits
                    for change in commit.changes
                    if isinstance(change, Write)
                } - there.keys()
                name = draw(st.sampled_from(sorted(used))) if kind != "add" and used else fresh
                there[name] = b"".join(b"%d of %d\n" % (line, number) for line in range(30))
                changes.append(Write(name, there[name]))
        commits.append(Commit(1_700_000_000 + number, tuple(changes)))
    return Script(tuple(commits))


def may_rename(script: Script) -> bool:
    """Check whether a commit adds an entry that it removed elsewhere."""
    trees = script.trees()
    for number, tree in enumerate(trees):
        for parent in script.parents(number):
            gone = [entry for path, entry in trees[parent].items() if path not in tree]
            added = [entry for path, entry in tree.items() if path not in trees[parent]]
            removed = [attrs.evolve(entry, path=b"") for entry in gone]
            if any(attrs.evolve(entry, path=b"") in removed for entry in added):
                return True
    return False


def changed_paths(script: Script) -> list[frozenset[bytes]]:
    """Return the paths of each commit that differ from all its parents."""
    trees = script.trees()
    return [
        frozenset(
            path
            for path in {*tree}.union(*parents)
            if all(parent.get(path) != tree.get(path) for parent in parents)
        )
        for number, tree in enumerate(trees)
        for parents in [[trees[parent] for parent in script.parents(number)] or [{}]]
    ]


class TestLastTouched:
    """A path is dated by the first commit of `git log` that changed it against all parents.

    Renames of equal files do not count.
    """

    @FEW
    @given(moves())
    def test_renames_are_dated_like_git_log_follow(self, script: Script) -> None:
        with made(script) as repository:
            for name, commit in dates_of(read_history(repository.path)).items():
                found = git(
                    *(repository.path, "log", "--follow", "--find-renames=100%"),
                    *("--diff-filter=AM", "--format=%H", "main", "--", name.decode()),
                )
                assert found.splitlines()[:1] == [commit]

    @FEW
    @given(repositories(merges=False).filter(lambda script: not may_rename(script)))
    def test_a_linear_history_is_dated_like_git_log(self, script: Script) -> None:
        with made(script) as repository:
            history = read_history(repository.path)
            for file in history.files:
                asked = ("--literal-pathspecs", "log", "-1", "--format=%H %ct", "main", "--")
                line = git(repository.path, *asked, os.fsdecode(file.name))
                touch = history.commit_dates[file.name]
                assert line.split() == [touch.commit, str(touch.seconds)]

    @FEW
    @given(repositories().filter(lambda script: not may_rename(script)))
    def test_merges_date_paths_that_differ_from_every_parent(self, script: Script) -> None:
        with made(script) as repository:
            history = read_history(repository.path)
            changed, order = changed_paths(script), repository.order()
            expected = {
                path: next(repository.hashes[number] for number in order if path in changed[number])
                for path in script.trees()[-1]
            }
            assert dates_of(history) == expected

    @FEW
    @given(repositories())
    def test_tree_times_and_counts_equal_those_of_the_script(self, script: Script) -> None:
        with made(script) as repository:
            history = read_history(repository.path)
            assert [file.name for file in history.files] == sorted(script.trees()[-1])
            assert history.commit_count == len(repository.order())
            assert sum(history.contributions.values()) == history.commit_count
            for touch in history.commit_dates.values():
                commit = script.commits[repository.hashes.index(touch.commit)]
                assert (touch.seconds, touch.offset) == (commit.seconds, commit.offset)


class TestFirstAdded:
    """A path is dated by the commit that added it, under any name."""

    @FEW
    @given(moves())
    def test_a_linear_history_is_dated_like_git_log_follow(self, script: Script) -> None:
        with made(script) as repository:
            history = read_history(repository.path, dates="first-added")
            for name, commit in dates_of(history).items():
                found = git(
                    *(repository.path, "log", "--follow", "--diff-filter=A", "--format=%H"),
                    *("main", "--", name.decode()),
                )
                assert found.splitlines()[:1] == [commit]

    @FEW
    @given(repositories())
    def test_every_path_of_any_history_is_dated(self, script: Script) -> None:
        with made(script) as repository:
            history = read_history(repository.path, dates="first-added")
            assert history.commit_dates.keys() == {file.name for file in history.files}


@pytest.mark.rule("SD-DATE-06")
class TestShallow:
    """A date in a shallow clone equals that of the complete history, or is missing."""

    @FEW
    @given(repositories(merges=False, skewed=False), st.integers(1, 6))
    def test_a_shallow_history_has_no_false_date(self, script: Script, depth: int) -> None:
        with made(script) as repository:
            clone = shallow_clone(repository, repository.path / "clone", f"--depth={depth}")
            for dates in ("last-touched", "first-added"):
                whole = read_history(repository.path, dates=dates).commit_dates
                part = read_history(clone.path, dates=dates)
                assert part.is_shallow == (depth < len(script.commits))
                assert part.commit_dates.keys() == whole.keys()
                assert all(
                    touch.is_boundary or touch == whole[name]
                    for name, touch in part.commit_dates.items()
                )
