"""Scripted repositories: git imports what the script contains."""

from pathlib import Path

import pytest
from hypothesis import Phase, given, settings

from support.sitedata.git_repositories import git_bytes, make
from support.sitedata.repositories import (
    HOSTILE_NAMES,
    Change,
    Commit,
    Entry,
    Link,
    ObjectFormat,
    Rename,
    Script,
    Submodule,
    Write,
    names,
    repositories,
)

NOON = 1_700_000_000


def script(*changes: Change) -> Script:
    return Script(tuple(Commit(NOON + number, (change,)) for number, change in enumerate(changes)))


class TestTrees:
    def test_a_commit_without_parents_begins_with_nothing(self) -> None:
        assert Script((Commit(1, (Write(b"a"),)), Commit(2, parents=()))).trees()[1] == {}

    def test_a_missing_path_cannot_be_renamed(self) -> None:
        with pytest.raises(ValueError, match="does not exist"):
            script(Rename(b"a", b"b")).trees()

    @pytest.mark.parametrize("parents", [(0,), (1,), (-1,)])
    def test_a_parent_is_an_earlier_commit(self, parents: tuple[int, ...]) -> None:
        with pytest.raises(ValueError, match="earlier"):
            Script((Commit(1, parents=parents),))


def listed(path: Path, ref: str) -> dict[bytes, bytes]:
    entries = git_bytes(path, "ls-tree", "-r", "-z", ref).split(b"\0")[:-1]
    return {name: about[:6] for about, name in (entry.split(b"\t", 1) for entry in entries)}


def mode(entry: Entry) -> bytes:
    match entry:
        case Link():
            return b"120000"
        case Submodule():
            return b"160000"
        case Write():
            return b"100755" if entry.is_executable else b"100644"


class TestStream:
    @settings(max_examples=10, phases=[Phase.generate])
    @given(repositories())
    def test_git_imports_the_trees_of_the_script(
        self, tmp_path_factory: pytest.TempPathFactory, script: Script
    ) -> None:
        made = make(tmp_path_factory.mktemp("made") / "repository", script)
        for commit, tree in zip(made.hashes, script.trees(), strict=True):
            expected = {name: mode(entry) for name, entry in tree.items()}
            assert listed(made.path, commit) == expected

    @pytest.mark.parametrize("object_format", ["sha1", "sha256"])
    def test_every_name_is_imported_unchanged(
        self, tmp_path: Path, object_format: ObjectFormat
    ) -> None:
        written = Commit(NOON, tuple(Write(b"x/" + name) for name in HOSTILE_NAMES))
        both = Script((written, Commit(NOON, (Submodule(b"s"), Rename(b"x", b"y/z")))))
        made = make(tmp_path / "repository", both, object_format=object_format)
        assert listed(made.path, "main").keys() == both.trees()[-1].keys()
        assert len(made.hashes[0]) == (40 if object_format == "sha1" else 64)

    def test_times_offsets_messages_branches_and_tags_are_imported(self, tmp_path: Path) -> None:
        commit = Commit(NOON, offset=-210, authored=NOON - 5, message=b"done\n\nfrom :7")
        made = make(
            tmp_path / "repository", Script((commit, Commit(1)), {"a/b": 0, "main": 1}, {"v1": 0})
        )
        raw = git_bytes(made.path, "cat-file", "commit", "a/b").decode()
        assert f"author A <a@example.org> {NOON - 5} -0330" in raw
        assert f"committer C <c@example.org> {NOON} -0330" in raw
        assert raw.endswith("\n\ndone\n\nfrom :7")
        refs = git_bytes(made.path, "for-each-ref", "--format=%(refname)").decode().split()
        assert refs == ["refs/heads/a/b", "refs/heads/main", "refs/tags/v1"]

    def test_an_empty_script_is_an_empty_repository(self, tmp_path: Path) -> None:
        made = make(tmp_path / "repository", Script(()))
        assert git_bytes(made.path, "for-each-ref") == b""


class TestNames:
    @given(names())
    def test_a_name_is_one_valid_segment(self, name: bytes) -> None:
        assert name not in {b"", b".", b"..", b".git"}
        assert not {b"/", b"\0"} & {name[i : i + 1] for i in range(len(name))}
        assert len(name) <= 250
