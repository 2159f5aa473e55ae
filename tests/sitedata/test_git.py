"""Reading real git repositories: the tree, the date of each path, limits."""

import os
import pickle
import resource
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import get_args

import attrs
import pytest

from sitedata.adapters.git import RepositoryCode, RepositoryError, read_history
from sitedata.adapters.git_commits import read_commits
from sitedata.adapters.git_process import Git
from sitedata.building.history import Dates
from sitedata.building.settings import BuildSettings
from sitedata.building.tree import list_problems
from support.sitedata.git_repositories import (
    BOTH,
    LINEAR,
    NOON,
    STORE,
    A,
    B,
    C,
    ImportedScript,
    error_code,
    executable,
    git,
    make,
    numbers,
    script,
    shallow_clone,
    text,
)
from support.sitedata.repositories import (
    HOSTILE_NAMES,
    Change,
    Commit,
    Delete,
    Link,
    ObjectFormat,
    Rename,
    Script,
    Submodule,
    Write,
)

pytestmark = pytest.mark.check


@pytest.fixture
def linear(tmp_path: Path) -> ImportedScript:
    return make(tmp_path / "linear", LINEAR)


NEW = Write(A.path, text("new"))
EDITED = A.content + b"edited\n"


class TestTree:
    def test_every_kind_of_entry_is_listed(self, tmp_path: Path) -> None:
        entries = (
            Write(b"b", is_executable=True),
            Link(b"c", b"/etc"),
            Submodule(b"d"),
            Write(b"a/z"),
        )
        made = make(tmp_path / "r", script(entries))
        found = read_history(made.path).files
        assert [(file.name, file.kind) for file in found] == [
            (b"a/z", "file"), (b"b", "file"), (b"c", "symlink"), (b"d", "submodule"),
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("dates", "object_format"), [("last-touched", "sha256"), ("first-added", "sha1")]
    )
    def test_hostile_names_are_unchanged_bytes(
        self, tmp_path: Path, object_format: ObjectFormat, dates: Dates
    ) -> None:
        written = [Write(b"x/" + name, text(repr(name))) for name in HOSTILE_NAMES]
        rest = [Rename(b"x/" + HOSTILE_NAMES[0], b"x/" + b"m" * 250)]
        scripted = script(written, rest, [Write(HOSTILE_NAMES[0] + b"/" + b"l" * 250)])
        made = make(tmp_path / "r", scripted, object_format=object_format)
        history = read_history(made.path, dates=dates)
        assert {file.name for file in history.files} == scripted.trees()[-1].keys()
        assert history.commit_dates.keys() == scripted.trees()[-1].keys()

    def test_a_file_with_the_name_of_a_commit_is_a_file(self, tmp_path: Path) -> None:
        scripted = script([A], [B])
        parent = make(tmp_path / "before", scripted).hashes[-1].encode()
        named = Script((*scripted.commits, Commit(NOON + 900, (Write(parent), Write(b"A"), C))))
        made = make(tmp_path / "r", named)
        assert made.hashes[1].encode() == parent
        assert numbers(made, read_history(made.path)) == {
            A.path: 0, B.path: 1, C.path: 2, parent: 2, b"A": 2,
        }  # fmt: skip

    def test_a_tree_that_git_would_not_create_is_read_unchanged(
        self, linear: ImportedScript
    ) -> None:
        blob = bytes.fromhex(git(linear.path, "rev-parse", "main:x/a.py"))
        names = (b".", b"..", b".git", b"a", b"a")
        tree = b"".join(b"100644 " + name + b"\0" + blob for name in names)
        written = git(linear.path, *STORE, "tree", given=tree)
        commit = git(linear.path, "commit-tree", written, "-m", "odd")
        history = read_history(linear.path, commit)
        assert [file.name for file in history.files] == [b".", b"..", b".git", b"a"]


@pytest.mark.rule("SD-GIT-09")
class TestLocations:
    """A repository is found by any path to it."""

    def test_a_work_tree_and_its_folders(self, tmp_path: Path) -> None:
        made = make(tmp_path / "r", LINEAR, bare=False)
        git(made.path, "reset", "--quiet", "--hard")
        for path in (made.path, made.path / "x", made.path / ".git", made.path / ".git" / "refs"):
            assert read_history(path).commit == made.hashes[-1]
            assert read_history(str(path)).commit == made.hashes[-1]

    def test_a_path_through_a_link_with_an_unusual_name(
        self, tmp_path: Path, linear: ImportedScript
    ) -> None:
        odd = tmp_path / "-C odd\n=name"
        odd.symlink_to(linear.path)
        assert read_history(odd).commit == linear.hashes[-1]

    @pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives away")
    def test_a_repository_of_another_user(self, tmp_path: Path) -> None:
        """As in containers; git refuses by default, because it could run programs of the owner."""
        made = make(tmp_path / "r", LINEAR, bare=False)
        for path in (made.path, *made.path.rglob("*")):
            os.chown(path, 65_534, 65_534)
        assert read_history(made.path).commit == made.hashes[-1]

    def test_nothing_is_written_and_the_index_is_not_read(self, tmp_path: Path) -> None:
        made = make(tmp_path / "r", LINEAR, bare=False)
        (made.path / ".git" / "index").write_bytes(b"broken")
        before = files_of(made.path)
        for dates in BOTH:
            read_history(made.path, dates=dates)
        assert files_of(made.path) == before


def files_of(path: Path) -> dict[str, int]:
    return {str(file): file.stat().st_mtime_ns for file in path.rglob("*")}


@pytest.mark.rule("SD-GIT-06")
class TestReferences:
    @pytest.fixture
    def named(self, tmp_path: Path) -> ImportedScript:
        made = make(
            tmp_path / "r", attrs.evolve(LINEAR, branches={"main": 3, "a/b": 1}, tags={"v1": 2})
        )
        git(made.path, "tag", "-a", "-m", "annotated", "v2", made.hashes[0])
        git(made.path, "update-ref", "refs/remotes/origin/dev", made.hashes[2])
        return made

    def test_every_name_of_a_commit(self, named: ImportedScript) -> None:
        for ref, branch, number in (
            ("HEAD", "main", 3),
            ("refs/heads/main", "main", 3),
            ("heads/a/b", "a/b", 1),
            ("v1", "v1", 2),
            ("v2", "v2", 0),
            ("origin/dev", "dev", 2),
            ("main~2", "main~2", 1),
        ):
            history = read_history(named.path, ref)
            assert (history.ref, history.branch) == (ref, branch)
            assert history.commit == named.hashes[number]
            assert history.commit_count == number + 1

    def test_the_branch_of_a_hash_is_the_hash(self, named: ImportedScript) -> None:
        for ref in (named.hashes[1], named.hashes[1][:10]):
            assert read_history(named.path, ref).branch == ref

    def test_a_detached_head_has_no_branch(self, named: ImportedScript) -> None:
        git(named.path, "update-ref", "--no-deref", "HEAD", named.hashes[1])
        (named.path / "HEAD").write_text(f"{named.hashes[1]}\n")
        history = read_history(named.path)
        assert (history.branch, history.commit) == ("HEAD", named.hashes[1])

    def test_an_unknown_reference_is_missing_and_a_search_is_refused(
        self, named: ImportedScript
    ) -> None:
        for ref in (
            *("", "nothing", "--upload-pack=touch marker", "-h", "--all", "^main", "main..v1"),
            *("main\0", "main\n", "\ud800", "m" * 200_000, "0" * 40, "main:x/a.py", "main^{tree}"),
            *("@{u}", "*"),
        ):
            assert error_code(named.path, ref) == "ref.missing"
        for ref in (":/first", ":x/a.py", ":"):
            assert error_code(named.path, ref) == "ref.search"


def merged_without(*kept: Change) -> Script:
    """Return a history with a branch that deleted a file, which the other one kept."""
    return Script(
        (
            Commit(NOON, (A, B)),
            Commit(NOON + 10, (Delete(A.path),), (0,)),
            Commit(NOON + 20, (C,), (0,)),
            Commit(NOON + 30, kept),
            Commit(NOON + 40, (), (3, 1)),
        )
    )


RENAMED_AND_EDITED = Script(
    (
        Commit(NOON, (A, B)),
        Commit(NOON + 1, (Rename(A.path, b"y"),)),
        Commit(NOON + 2, (Write(A.path, EDITED),), (0,)),
        Commit(NOON + 3, (Delete(A.path), Write(b"y", EDITED)), (2, 1)),
    )
)
ADDED_ON_BOTH = Script(
    (
        Commit(NOON, (B,)),
        Commit(NOON + 1, (A,)),
        Commit(NOON + 2, (Write(A.path, text("other")),), (0,)),
        Commit(NOON + 3, parents=(2, 1)),
    )
)
AHEAD = Script(
    (
        Commit(NOON + 5000, (A,)),
        Commit(NOON, (Rename(A.path, b"y"),)),
        Commit(NOON + 9000, (B,), (0,)),
        Commit(NOON + 9001, (Delete(A.path), Write(b"y", A.content)), (2, 1)),
    )
)
"""The parent's clock was ahead, so `git log` shows it before the rename on one branch."""


@pytest.mark.rule("SD-DATE-01", "SD-DATE-02", "SD-DATE-03", "SD-DATE-04", "SD-DATE-09")
@pytest.mark.parametrize(
    ("scripted", "touched", "added"),
    [
        (script([A], [Rename(A.path, b"y"), Write(b"y", EDITED)]), {b"y": 1}, {b"y": 0}),
        (script([A], [NEW], [Rename(A.path, b"y")]), {b"y": 1}, {b"y": 0}),
        (script([A], [Rename(A.path, b"y")], [NEW]), {b"y": 0, A.path: 2}, {b"y": 0, A.path: 2}),
        (script([A], [Rename(A.path, b"y"), NEW]), {b"y": 1, A.path: 1}, {b"y": 1, A.path: 0}),
        (
            script([A], [Delete(A.path)], [B], [NEW]),
            *({A.path: 3, B.path: 2}, {A.path: 3, B.path: 2}),
        ),
        (script([A], [Delete(A.path)], [Write(b"y", A.content)]), {b"y": 2}, {b"y": 2}),
        (script([A], [Link(A.path, b"b")], [NEW]), {A.path: 2}, {A.path: 0}),
        (
            script([A, B], [Link(A.path, b"z")], [attrs.evolve(B, is_executable=True)]),
            *({A.path: 1, B.path: 2}, {A.path: 0, B.path: 0}),
        ),
        (RENAMED_AND_EDITED, {B.path: 0, b"y": 2}, {B.path: 0, b"y": 0}),
        (merged_without(), {A.path: 0, B.path: 0, C.path: 2}, {A.path: 0, B.path: 0, C.path: 2}),
        (
            merged_without(Write(A.path, text("again"))),
            *({A.path: 3, B.path: 0, C.path: 2}, {A.path: 0, B.path: 0, C.path: 2}),
        ),
        (
            merged_without(Rename(A.path, b"y")),
            *({b"y": 0, B.path: 0, C.path: 2}, {b"y": 0, B.path: 0, C.path: 2}),
        ),
        (ADDED_ON_BOTH, {A.path: 2, B.path: 0}, {A.path: 1, B.path: 0}),
        (AHEAD, {B.path: 2}, {B.path: 2, b"y": 0}),
    ],
    ids=[
        *("rename-and-edit", "edited-before", "name-used-again", "replaced-at-once"),
        *("used-again", "gone-between", "kind", "kind-and-mode", "rename-meets-edit"),
        *("deleted-aside", "written-again", "moved", "added-on-both", "clock-ahead"),
    ],
)
def test_a_pure_rename_neither_touches_nor_adds_a_file(
    tmp_path: Path, scripted: Script, touched: dict[bytes, int], added: dict[bytes, int]
) -> None:
    made = make(tmp_path / "r", scripted)
    assert numbers(made, read_history(made.path)) == touched
    assert numbers(made, read_history(made.path, dates="first-added")) == added


FILES = tuple(Write(b"x/%d.py" % n, text(str(n), 9)) for n in range(200))
FEW = FILES[:30]
MOVED = tuple(attrs.evolve(each, path=b"y" + each.path) for each in FEW)
LATER = tuple(Write(b"z/%d.py" % n, text(f"new {n}", 9)) for n in range(280))
GONE = tuple(Delete(each.path) for each in FEW)


def one_by_one(files: Iterable[Write]) -> list[list[Change]]:
    return [[each] for each in files]


def edited(files: Iterable[Write]) -> list[Change]:
    return [attrs.evolve(each, content=each.content + b"formatted\n") for each in files]


def dated(number: int, files: Iterable[Write]) -> dict[bytes, int]:
    return {each.path: number for each in files}


@pytest.mark.rule("SD-DATE-05")
class TestRecognizedBulk:
    """A commit that changes at least 20, and more than 10 %, of the listed files."""

    @pytest.mark.parametrize(("changed", "is_bulk"), [(20, False), (21, True)])
    def test_the_measure_is_relative_to_the_listed_files(
        self, tmp_path: Path, changed: int, is_bulk: bool
    ) -> None:
        steps = (*one_by_one(FILES), edited(FILES[:changed]))
        made = make(tmp_path / "r", script(*steps))
        history = read_history(made.path)
        assert history.bulk == (((made.hashes[-1], changed),) if is_bulk else ())
        assert numbers(made, history)[b"x/0.py"] == (0 if is_bulk else 200)
        history = read_history(
            made.path, listed=lambda files: list_problems(files[:199], BuildSettings())
        )
        assert history.bulk == ((made.hashes[-1], changed),)

    @pytest.mark.parametrize(
        ("steps", "bulk", "found"),
        [
            ((*one_by_one(FILES[:19]), edited(FILES[:19])), None,
             {b"x/%d.py" % n: 19 for n in range(19)}),
            ((*one_by_one(FILES[:20]), edited(FILES[:20])), (20, 20),
             {b"x/%d.py" % n: n for n in range(20)}),
            # it dates only what it added and what no other commit changed
            (([A], FILES[:50], [FILES[60]], edited((A, *FILES[:100])), [B]), (3, 52),
             dated(1, FILES[:50]) | dated(3, FILES[50:100])
             | {A.path: 0, B.path: 4, b"x/60.py": 2}),
            # a file that was removed before is another one
            ((*one_by_one(FEW), GONE, FEW), None, dated(31, FEW)),
            ((FEW, edited(FEW), GONE[:25], edited(FEW[:25])), (1, 30),
             dated(3, FEW[:25]) | dated(0, FEW[25:])),
            # the files were moved after it, so the tree has none of its names
            ((*one_by_one(FEW), edited(FEW), [Rename(b"x", b"y")]), (30, 30),
             {b"y/%d.py" % n: n for n in range(30)}),
            # renames with edits are followed
            ((*one_by_one(FEW), [Delete(b"x"), *edited(MOVED)]), (30, 30),
             {b"yx/%d.py" % n: n for n in range(30)}),
            # old dates stay when the repository grows
            ((FEW, edited(FEW), LATER), (1, 30), dated(0, FEW) | dated(2, LATER)),
            ((FEW, edited(FEW), LATER, [Rename(b"x", b"moved")]), (1, 30),
             {b"moved/%d.py" % n: 0 for n in range(30)} | dated(2, LATER)),
            ((FEW, edited(FEW), [], []), (1, 30), dated(0, FEW)),
        ],
        ids=[
            *("nineteen", "twenty", "own", "removed-before", "restored-later", "moved-later"),
            *("moved-at-once", "grown", "grown-and-moved", "small"),
        ],
    )  # fmt: skip
    def test_it_dates_no_file_that_another_commit_dates(
        self,
        tmp_path: Path,
        steps: tuple[Iterable[Change], ...],
        bulk: tuple[int, int] | None,
        found: dict[bytes, int],
    ) -> None:
        made = make(tmp_path / "r", script(*steps))
        history = read_history(made.path)
        assert history.bulk == (((made.hashes[bulk[0]], bulk[1]),) if bulk else ())
        assert numbers(made, history) == found

    @pytest.mark.parametrize(("there", "is_bulk"), [(199, True), (200, False), (201, False)])
    def test_the_measure_is_that_of_the_day(
        self, tmp_path: Path, there: int, is_bulk: bool
    ) -> None:
        """Files count that were in the tree, also on a branch, under the names of the time."""
        listed = [Write(b"x/%d.py" % n, text(str(n), 9)) for n in range(there)]
        aside = [Write(b"aside/%d.py" % n, text(f"aside {n}", 9)) for n in range(50)]
        late = [Write(b"late/%d.py" % n, text(f"late {n}", 9)) for n in range(50)]
        scripted = Script(
            (
                Commit(NOON, tuple(listed)),
                Commit(NOON + 1, tuple(aside)),
                Commit(NOON + 2, tuple(edited(listed[:20])), (0,)),
                Commit(NOON + 3, (), (2, 1)),
                Commit(NOON + 4, (*late, Rename(b"x", b"y"))),
            )
        )
        made = make(tmp_path / "r", scripted)
        history = read_history(made.path)
        assert history.bulk == (((made.hashes[2], 20),) if is_bulk else ())
        assert numbers(made, history)[b"y/0.py"] == (0 if is_bulk else 2)

    @pytest.mark.parametrize(
        ("changed", "added", "removed", "is_bulk"),
        [(19, 100, 0, False), (20, 100, 0, True), (19, 100, 100, False), (0, 30, 0, False)],
    )
    def test_what_it_adds_is_not_changed(
        self, tmp_path: Path, changed: int, added: int, removed: int, is_bulk: bool
    ) -> None:
        """Neither is what takes the place of other files that it removed."""
        other = [Write(b"x/old-%d.py" % n, text(f"old {n}", 9)) for n in range(removed)]
        new = [Write(b"x/new-%d.py" % n, text(f"new {n}", 9)) for n in range(added)]
        gone = [Delete(each.path) for each in other]
        some = FILES[:50]
        steps = ([*some, *other], [*edited(some[:changed]), *new, *gone])
        made = make(tmp_path / "r", script(*steps))
        history = read_history(made.path)
        assert history.bulk == (((made.hashes[1], changed),) if is_bulk else ())
        assert numbers(made, history)[some[0].path] == (0 if is_bulk or not changed else 1)
        assert numbers(made, history)[b"x/new-0.py"] == 1

    def test_first_added_knows_no_bulk_commits(self, tmp_path: Path) -> None:
        made = make(tmp_path / "r", script(FILES, edited(FILES)))
        history = read_history(made.path, dates="first-added")
        assert (history.bulk, set(numbers(made, history).values())) == ((), {0})

    def test_a_broken_object_is_an_error(self, tmp_path: Path) -> None:
        """Contents are read only for the renames of a bulk commit."""
        made = make(tmp_path / "r", script(FEW, [Delete(b"x"), *edited(MOVED)]))
        blob = git(made.path, "rev-parse", "main:yx/0.py")
        (made.path / "objects" / blob[:2] / blob[2:]).unlink()
        assert error_code(made.path) == "repository.corrupt"

    def test_boundary_commits_are_not_bulk_commits(self, tmp_path: Path) -> None:
        made = make(tmp_path / "r", script([A], FILES))
        clone = shallow_clone(made, tmp_path / "clone", "--depth=1")
        assert read_history(clone.path).bulk == ()


@pytest.mark.rule("SD-BUILD-02", "SD-BUILD-03")
class TestContributions:
    def test_commits_count_on_days_of_the_zone(self, tmp_path: Path) -> None:
        midnight = 1_700_006_400  # 2023-11-15T00:00:00Z
        seconds = (midnight - 1, midnight, midnight + 57_599, midnight + 57_600)
        made = make(tmp_path / "r", Script(tuple(Commit(each) for each in seconds)))
        history = read_history(made.path)
        assert history.contributions == {"2023-11-14": 1, "2023-11-15": 3}
        history = read_history(made.path, zone="Asia/Shanghai")
        assert history.contributions == {"2023-11-15": 3, "2023-11-16": 1}
        assert history.commit_count == 4

    def test_a_time_after_the_calendar_is_on_no_day(self, tmp_path: Path) -> None:
        made = make(tmp_path / "r", Script((Commit(NOON, (A,)), Commit(1 << 40, (B,)))))
        history = read_history(made.path)
        assert (history.commit_count, sum(history.contributions.values())) == (2, 1)
        assert history.commit_dates[B.path].seconds == 1 << 40

    def test_a_time_that_git_cannot_parse_is_not_counted(self, linear: ImportedScript) -> None:
        for time in (b"", b" x +0000", b" 5", b" -5 +0000", b" 99999999999999999999 +0000"):
            history = read_history(linear.path, odd_commit(linear, time))
            assert not 0 <= history.commit_dates[A.path].seconds < 1 << 40
            assert (history.commit_count, history.contributions) == (1, {})

    def test_an_unusual_offset_is_kept(self, linear: ImportedScript) -> None:
        for time, seconds, offset in (
            *((b" 5 -0000", 5, 0), (b" 5 +051800", 5, 31_080), (b" 0 -1400", 0, -840)),
        ):
            touch = read_history(linear.path, odd_commit(linear, time)).commit_dates[A.path]
            assert (touch.seconds, touch.offset) == (seconds, offset)


def odd_commit(made: ImportedScript, time: bytes) -> str:
    """Create a commit as other programs did; `time` is the text after the committer."""
    tree = git(made.path, "rev-parse", "main^{tree}").encode()
    written = b"tree %b\nauthor A <a@b> 1 +0000\ncommitter C <c@d>%b\n\nodd\n" % (tree, time)
    return git(made.path, *STORE, "commit", given=written)


class TestShallow:
    MERGED = Script((
        Commit(NOON, (A,)),
        Commit(NOON + 10, (B,)),
        Commit(NOON + 20, (C,), (0,)),
        Commit(NOON + 30, (B, Write(b"own")), (2, 1)),
        Commit(NOON + 40, (Write(b"new"),)),
    ))  # fmt: skip

    @pytest.mark.parametrize("dates", BOTH)
    def test_a_shallow_merge_history_has_no_false_date(self, tmp_path: Path, dates: Dates) -> None:
        made = make(tmp_path / "r", self.MERGED)
        whole = numbers(made, read_history(made.path, dates=dates))
        for depth in (1, 2, 3, 4):
            clone = shallow_clone(made, tmp_path / f"clone-{depth}", f"--depth={depth}")
            part = read_history(clone.path, dates=dates)
            assert part.is_shallow == (depth < 4)
            for name, number in numbers(made, part).items():
                assert number in {None, whole[name]}

    def test_a_boundary_outside_of_the_history_is_ignored(self, tmp_path: Path) -> None:
        scripted = Script((Commit(NOON, (A,)), Commit(NOON, (B,)), Commit(NOON, (C,), ())),
                       branches={"main": 1, "other": 2})  # fmt: skip
        made = make(tmp_path / "r", scripted)
        clone = shallow_clone(made, tmp_path / "clone", "--depth=1", "--no-single-branch")
        assert read_history(clone.path, "main").is_shallow
        assert not read_history(clone.path, "other").is_shallow

    def test_an_invalid_list_of_boundaries_is_an_error(self, linear: ImportedScript) -> None:
        (linear.path / "shallow").write_text("neither\n")
        assert error_code(linear.path) == "repository.corrupt"


@pytest.mark.rule("SD-GIT-08")
class TestObjects:
    """The history is read from the objects; replacements and grafts are ignored."""

    def test_replacements_are_ignored(self, linear: ImportedScript) -> None:
        expected = read_history(linear.path)
        git(linear.path, "replace", linear.hashes[3], linear.hashes[0])
        assert git(linear.path, "rev-list", "--count", "main") == "1"
        assert read_history(linear.path) == expected

    def test_grafts_are_ignored(self, linear: ImportedScript) -> None:
        expected = read_history(linear.path)
        (linear.path / "info" / "grafts").write_text(f"{linear.hashes[3]} {linear.hashes[0]}\n")
        assert git(linear.path, "rev-list", "--count", "main") == "2"
        assert read_history(linear.path) == expected

    def test_missing_alternates_are_ignored(self, linear: ImportedScript) -> None:
        expected = read_history(linear.path)
        path = linear.path / "objects" / "info" / "alternates"
        path.write_text("/nowhere\n../../..\n/dev/zero\n")
        assert read_history(linear.path) == expected

    @pytest.mark.parametrize(
        ("name", "is_gone"),
        [
            *(("main", False), ("main:x", False), ("main", True), ("main~2", True)),
            *(("main^{tree}", True), ("main:x", True), ("main~1^{tree}", True), ("main~1:x", True)),
        ],
    )
    def test_an_unreadable_object_is_an_error(
        self, linear: ImportedScript, name: str, is_gone: bool
    ) -> None:
        found = git(linear.path, "rev-parse", name)
        path = linear.path / "objects" / found[:2] / found[2:]
        path.chmod(0o644)
        path.write_bytes(b"broken")
        if is_gone:
            path.unlink()
        for dates in BOTH:
            assert error_code(linear.path, dates=dates) == "repository.corrupt"


@pytest.mark.rule("SD-GIT-01")
class TestErrors:
    @pytest.mark.parametrize("name", ["nothing", "file", "empty", "nul\0", "n" * 5000])
    def test_a_missing_repository_is_an_error(self, tmp_path: Path, name: str) -> None:
        (tmp_path / "file").write_text("")
        (tmp_path / "empty").mkdir()
        assert error_code(f"{tmp_path}/{name}") == "repository.missing"

    def test_a_repository_without_commits(self, tmp_path: Path) -> None:
        made = make(tmp_path / "r", Script(()))
        assert error_code(made.path) == "repository.empty"
        assert error_code(made.path, "main") == "repository.empty"

    @pytest.mark.parametrize(
        ("file", "content", "code"),
        [
            ("HEAD", "broken", "repository.missing"),
            ("config", "[broken", "repository.corrupt"),
            ("config", "[core]\nrepositoryformatversion = 9\n", "repository.corrupt"),
            ("refs/heads/main", "broken", "repository.corrupt"),
            ("refs/heads/main", "1" * 40, "repository.corrupt"),
        ],
    )
    def test_broken_files(self, linear: ImportedScript, file: str, content: str, code: str) -> None:
        (linear.path / file).write_text(content)
        assert error_code(linear.path) == code

    @pytest.mark.parametrize("version", ["git version 2.32.9", "git version 1.99", "nonsense"])
    def test_git_must_be_new_enough(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
    ) -> None:
        for name in ("bin", "repository"):
            (tmp_path / name).mkdir()
        executable(tmp_path / "bin" / "git", f"echo '{version}'")
        monkeypatch.setenv("PATH", str(tmp_path / "bin"))
        assert error_code(tmp_path / "repository") == "git.version"

    def test_a_zone_must_be_known(self, linear: ImportedScript) -> None:
        assert error_code(linear.path, zone="Mars/Olympus") == "zone.unknown"

    def test_an_error_has_its_code_and_quotes_nothing(self, linear: ImportedScript) -> None:
        git(linear.path, "config", "remote.origin.url", "https://me:s3cret@example.org/a/b")
        with pytest.raises(RepositoryError) as caught:
            read_history(linear.path, "s3cret")
        error = caught.value
        assert str(error) == "--ref names no commit of the repository [ref.missing]"
        assert pickle.loads(pickle.dumps(error)).code == error.code  # noqa: S301 - pickled here

    def test_every_code_has_a_message(self) -> None:
        for code in get_args(RepositoryCode):
            assert str(RepositoryError(code)).endswith(f" [{code}]")


@pytest.mark.rule("SD-GIT-05")
class TestPartialClones:
    """Missing objects are not fetched."""

    @pytest.fixture
    def origin(self, tmp_path: Path) -> ImportedScript:
        moved: list[Change] = [Rename(A.path, b"y"), Write(b"y", EDITED)]
        made = make(tmp_path / "origin", script([A], [B], moved))
        git(made.path, "config", "uploadpack.allowFilter", "true")
        return made

    def clone(self, origin: ImportedScript, without: str) -> Path:
        clone = shallow_clone(origin, origin.path.parent / "partial", f"--filter={without}")
        return clone.path

    @pytest.mark.parametrize("edited", [b"", b"edited\n"], ids=["equal", "similar"])
    def test_its_dates_are_those_of_a_whole_clone_or_none(
        self, tmp_path: Path, edited: bytes
    ) -> None:
        """Only the renames of similar files in a bulk commit need contents."""
        files = [Write(b"x/%d.py" % n, text(str(n), 9)) for n in range(30)]
        moved = [Write(b"y" + each.path, each.content + edited) for each in files]
        made = make(tmp_path / "r", script(files, [B], [Delete(b"x"), *moved, A], [C]))
        git(made.path, "config", "uploadpack.allowFilter", "true")
        clone = self.clone(made, "blob:none")
        whole = read_history(made.path)
        assert numbers(made, whole)[b"yx/0.py"] == 0
        if edited:
            assert error_code(clone) == "repository.partial"
        else:
            assert read_history(clone).commit_dates == whole.commit_dates

    @pytest.mark.parametrize(
        ("without", "code"),
        [
            ("blob:none", "repository.partial"),
            ("tree:0", "repository.treeless"),
            ("combine:blob:none+tree:0", "repository.treeless"),
        ],
    )
    def test_first_added_is_refused_and_nothing_is_fetched(
        self, origin: ImportedScript, without: str, code: str
    ) -> None:
        path = self.clone(origin, without)
        before = files_of(path)
        assert error_code(path, dates="first-added") == code
        assert files_of(path) == before


def nested(path: Path, levels: int, *, in_head: bool) -> Path:
    """Create a repository in which each folder names the next one twice: `2 ** levels` paths."""
    made = make(path, script([A]))
    tree = git(path, "rev-parse", "main^{tree}")
    for _ in range(levels):
        entry = f"040000 tree {tree}\t"
        tree = git(path, "mktree", given=f"{entry}a\n{entry}b\n".encode())
    commit = git(path, "commit-tree", tree, "-p", made.hashes[0], "-m", "nested")
    if not in_head:
        commit = git(path, "commit-tree", f"{made.hashes[0]}^{{tree}}", "-p", commit, "-m", "plain")
    git(path, "update-ref", "refs/heads/main", commit)
    git(path, "repack", "-adq")
    return path


@pytest.mark.rule("SD-GIT-10")
class TestLimits:
    """Trees of 300 bytes may have more paths than fit in any memory."""

    @pytest.mark.parametrize("dates", BOTH)
    def test_an_old_commit_with_too_many_paths_is_an_error(
        self, tmp_path: Path, dates: Dates
    ) -> None:
        path = nested(tmp_path / "r", 40, in_head=False)
        assert error_code(path, dates=dates) == "repository.too_large"

    def test_folders_that_name_each_other_are_one_error_in_500_mb(self, tmp_path: Path) -> None:
        command = Path(sys.executable).with_name("sitedata")
        repository = nested(tmp_path / "r", 40, in_head=True)
        done = subprocess.run(
            [command, "build", str(repository), "-o", str(tmp_path / "output")],
            capture_output=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (500_000_000,) * 2),
            timeout=60,
        )
        assert done.returncode == 3
        (line,) = done.stderr.decode().splitlines()
        assert "more than 1,000,000 paths" in line
        assert "[repository.too_large]" in line

    def test_a_path_that_no_system_has_is_an_error(self, tmp_path: Path) -> None:
        path = make(tmp_path / "r", script([A])).path
        blob = git(path, "rev-parse", f"main:{A.path.decode()}")
        line = f"100644 blob {blob}\t{'n' * 300_000}\n"
        tree = git(path, "mktree", given=line.encode())
        git(path, "update-ref", "refs/heads/main", git(path, "commit-tree", tree, "-m", "long"))
        assert error_code(path) == "repository.too_large"

    def test_a_commit_with_too_many_changes_is_an_error(self, tmp_path: Path) -> None:
        changes = "yes M | head -n 2000004 | tr '\\n' '\\0'"
        program = executable(tmp_path / "many", f"printf '{'1' * 40} 5 5 +0000\\0'; {changes}")
        reading = read_commits(Git(str(program), tmp_path), "main", frozenset(), is_first=False)
        with pytest.raises(RepositoryError) as caught, reading as found:
            list(found)
        assert caught.value.code == "repository.too_large"


class TestRemote:
    def test_the_first_url_of_origin_is_reported(self, linear: ImportedScript) -> None:
        assert read_history(linear.path).remote is None
        for url in ("https://t0ken@example.org/a/b.git", "https://example.org/second"):
            git(linear.path, "config", "--add", "remote.origin.url", url)
        git(linear.path, "config", "url.https://evil.example/.insteadOf", "https://example.org/")
        assert read_history(linear.path).remote == "https://example.org/a/b"

    @pytest.mark.parametrize("url", ["/home/me/practice", "ext::sh -c s3cret", "https://s3c:r@x/"])
    def test_what_has_no_web_address_is_none(self, linear: ImportedScript, url: str) -> None:
        git(linear.path, "config", "remote.origin.url", url)
        assert read_history(linear.path).remote is None

    def test_bytes_that_are_not_utf_8_are_none(self, linear: ImportedScript) -> None:
        config = linear.path / "config"
        config.write_bytes(config.read_bytes() + b'[remote "origin"]\n\turl = https://\xff.org/a\n')
        assert read_history(linear.path).remote is None
