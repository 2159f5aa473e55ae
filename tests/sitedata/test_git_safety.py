"""No program, file or setting that a repository or the environment names changes a reading."""

import os
import shutil
import socket
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import attrs
import pytest

from sitedata.adapters import git_repository
from sitedata.adapters.git import read_history
from sitedata.adapters.git_process import Git
from support.servers.services import need
from support.sitedata.git_repositories import (
    BOTH,
    ENVIRONMENT,
    LINEAR,
    STORE,
    A,
    B,
    C,
    ImportedScript,
    error_code,
    executable,
    git,
    git_bytes,
    make,
    numbers,
    script,
)
from support.sitedata.repositories import Rename, Submodule, Write

pytestmark = pytest.mark.check


@pytest.fixture
def linear(tmp_path: Path) -> ImportedScript:
    return make(tmp_path / "linear", LINEAR)


@attrs.frozen
class CanaryRepository:
    """A repository that names a program, which writes a file, in every setting."""

    made: ImportedScript
    program: Path
    mark: Path

    @property
    def program_has_run(self) -> bool:
        return self.mark.exists()

    def add_setting(self, name: str, value: str) -> None:
        git(self.made.path, "config", "--add", name, value)


@pytest.fixture
def canary(tmp_path: Path) -> CanaryRepository:
    mark = tmp_path / "mark"
    program = executable(tmp_path / "program", f"echo >> '{mark}'")
    return CanaryRepository(make(tmp_path / "canary", LINEAR, bare=False), program, mark)


def configure_hooks(canary: CanaryRepository) -> None:
    for folder in (canary.made.path / ".git" / "hooks", canary.made.path / "hooks"):
        folder.mkdir(exist_ok=True)
        for name in ("post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc"):
            shutil.copy(canary.program, folder / name)
    canary.add_setting("core.hooksPath", str(canary.made.path / "hooks"))


def configure_monitor(canary: CanaryRepository) -> None:
    git(canary.made.path, "reset", "--quiet", "--hard")
    canary.add_setting("core.fsmonitor", str(canary.program))


def configure_signature(canary: CanaryRepository) -> None:
    """Set a program that checks the signature of every shown commit."""
    canary.add_setting("log.showSignature", "true")
    canary.add_setting("gpg.program", str(canary.program))
    raw = git_bytes(canary.made.path, "cat-file", "commit", "main")
    signed = raw.replace(b"\n\n", b"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n \n\n", 1)
    commit = git(canary.made.path, *STORE, "commit", given=signed)
    git(canary.made.path, "update-ref", "refs/heads/main", commit)


def configure_contents(canary: CanaryRepository) -> None:
    """Set programs that show, compare and store contents."""
    for name in ("diff.external", "diff.x.command", "diff.x.textconv", "filter.x.clean",
                 "filter.x.smudge", "filter.x.process", "merge.x.driver"):  # fmt: skip
        canary.add_setting(name, str(canary.program))
    attributes = canary.made.path / ".git" / "info" / "attributes"
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_text("* diff=x filter=x merge=x\n")


def configure_commands(canary: CanaryRepository) -> None:
    """Set programs that git starts for a command or for its output."""
    for name in (
        *("core.pager", "core.editor", "core.askPass", "sequence.editor"),
        *("interactive.diffFilter", "credential.helper", "core.alternateRefsCommand"),
    ):
        canary.add_setting(name, str(canary.program))
    for command in ("log", "ls-tree", "rev-list", "rev-parse", "diff-tree", "cat-file", "mark"):
        canary.add_setting(f"alias.{command}", f"!{canary.program}")
        canary.add_setting(f"pager.{command}", str(canary.program))


def configure_included(canary: CanaryRepository) -> None:
    included = canary.made.path / "included"
    included.write_text(f"[core]\nfsmonitor = {canary.program}\npager = {canary.program}\n")
    canary.add_setting("include.path", str(included))
    git(canary.made.path, "reset", "--quiet", "--hard")


def configure_transports(canary: CanaryRepository) -> None:
    """Set programs that fetch a missing promised object."""
    for number, url in enumerate(("ssh://example.invalid/x", str(canary.made.path), "ext::x", "")):
        name = f"remote.r{number}"
        canary.add_setting(f"{name}.url", url or "https://example.invalid/x")
        canary.add_setting(f"{name}.promisor", "true")
        canary.add_setting(f"{name}.partialclonefilter", "blob:none")
        canary.add_setting(f"{name}.uploadpack", str(canary.program))
    canary.add_setting("remote.r3.vcs", "ext")
    canary.add_setting("core.sshCommand", str(canary.program))
    canary.add_setting("core.gitProxy", str(canary.program))
    canary.add_setting("protocol.allow", "always")
    canary.add_setting("protocol.ext.allow", "always")
    canary.add_setting("core.repositoryFormatVersion", "1")
    canary.add_setting("extensions.partialClone", "r1")
    found = git(canary.made.path, "rev-parse", "main:x")
    (canary.made.path / ".git" / "objects" / found[:2] / found[2:]).unlink()


CANARIES: tuple[Callable[[CanaryRepository], None], ...] = (
    *(configure_hooks, configure_monitor, configure_signature, configure_contents),
    *(configure_commands, configure_included, configure_transports),
)


@pytest.mark.rule("SD-GIT-03")
class TestProgram:
    """Git is an absolute path outside of the repository."""

    @pytest.fixture
    def with_own_git(self, canary: CanaryRepository) -> CanaryRepository:
        """Put a program called git into the work tree and the git folder; return its folders."""
        for folder in (canary.made.path, canary.made.path / "tools", canary.made.path / ".git"):
            folder.mkdir(exist_ok=True)
            shutil.copy(canary.program, folder / "git")
        return canary

    def read(
        self, canary: CanaryRepository, monkeypatch: pytest.MonkeyPatch, *entries: str | Path
    ) -> None:
        """Read the history with these entries before the others."""
        real = os.environ["PATH"]
        monkeypatch.setenv("PATH", os.pathsep.join([*map(str, entries), real]))
        monkeypatch.chdir(canary.made.path)
        for place in (".", canary.made.path, canary.made.path / "tools", canary.made.path / ".git"):
            assert len(read_history(place).commit_dates) == 3
        monkeypatch.setenv("PATH", os.pathsep.join(map(str, entries)))
        assert error_code(canary.made.path) == "git.missing"
        assert not canary.program_has_run

    def test_relative_and_empty_entries_are_skipped(
        self, with_own_git: CanaryRepository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.read(with_own_git, monkeypatch, ".", "", "tools", "./tools", "../canary")

    def test_entries_inside_the_repository_are_skipped(
        self, with_own_git: CanaryRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = with_own_git.made.path
        (tmp_path / "link").symlink_to(path / "tools")
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "git").symlink_to(path / "git")
        (path / "linked").mkdir()
        (path / "linked" / "git").symlink_to(need("git"))
        entries = (path, path / "tools", path / ".git", tmp_path / "link", outside, path / "linked")
        self.read(with_own_git, monkeypatch, *entries)

    def test_entries_inside_another_work_tree_are_skipped(
        self, with_own_git: CanaryRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        added = ("worktree", "add", "--quiet", "--detach", str(tmp_path / "other"))
        git(with_own_git.made.path, *added)
        shutil.copy(with_own_git.program, tmp_path / "other" / "git")
        with_own_git.mark.unlink(missing_ok=True)
        entries = (
            with_own_git.made.path / "tools",
            with_own_git.made.path / ".git",
            tmp_path / "other",
        )
        monkeypatch.setenv("PATH", os.pathsep.join(map(str, entries)))
        assert error_code(tmp_path / "other") == "git.missing"
        assert not with_own_git.program_has_run


READ_BY_GIT = (
    *("HEAD", "config", "config.worktree", "packed-refs", "shallow", "commondir"),
    *("info/attributes", "objects/info/alternates", "refs/heads/main", "objects/pack/x.idx"),
    *("objects/info/commit-graph", "objects/ab/cd"),
)


@pytest.mark.rule("SD-GIT-04")
class TestIrregular:
    """Only regular files are opened by git or this library."""

    @pytest.mark.parametrize(
        ("name", "configure"),
        [
            *((name, os.mkfifo) for name in READ_BY_GIT),
            ("shallow", lambda path: path.symlink_to("/dev/zero")),
            ("packed-refs", Path.mkdir),
        ],
    )
    def test_only_regular_files_are_opened(
        self, linear: ImportedScript, name: str, configure: Callable[[Path], None]
    ) -> None:
        place = linear.path / name
        place.unlink(missing_ok=True)
        place.parent.mkdir(exist_ok=True, parents=True)
        configure(place)
        assert error_code(linear.path) == "repository.irregular"

    def test_a_work_tree_file_that_names_an_irregular_file(
        self, tmp_path: Path, linear: ImportedScript
    ) -> None:
        work = tmp_path / "work"
        work.mkdir()
        (work / ".git").write_text(f"gitdir: {linear.path}\n")
        assert len(read_history(work).commit_dates) == 3
        os.mkfifo(linear.path / "shallow")
        assert error_code(work) == "repository.irregular"

    def test_a_file_that_is_too_large(self, linear: ImportedScript) -> None:
        (linear.path / "objects" / "info").mkdir(exist_ok=True)
        with (linear.path / "objects" / "info" / "alternates").open("wb") as file:
            file.truncate((1 << 20) + 1)
        assert error_code(linear.path) == "repository.irregular"

    def test_objects_of_another_repository(self, linear: ImportedScript, tmp_path: Path) -> None:
        git(tmp_path, "clone", "--quiet", "--bare", "--shared", str(linear.path), "shared")
        shared, own = read_history(tmp_path / "shared"), read_history(linear.path)
        assert shared.commit_dates == own.commit_dates
        (linear.path / "objects" / "pack").mkdir(exist_ok=True)
        os.mkfifo(linear.path / "objects" / "pack" / "a.idx")
        assert error_code(tmp_path / "shared") == "repository.irregular"

    def test_sockets_and_links_of_the_repository_are_ignored(self, linear: ImportedScript) -> None:
        """The monitor of a work tree has a socket there, which cannot be opened as a file."""
        (linear.path / "all").symlink_to("/")
        (linear.path / "nowhere").symlink_to("/no/such")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(os.path.relpath(linear.path / "monitor.ipc"))
            assert len(read_history(linear.path).commit_dates) == 3

    def test_settings_that_include_an_irregular_file_time_out(
        self, linear: ImportedScript, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        os.mkfifo(linear.path.parent / "fifo")
        git(linear.path, "config", "include.path", str(linear.path.parent / "fifo"))
        monkeypatch.setattr(git_repository, "Git", partial(Git, timeout_seconds=0.5))
        assert error_code(linear.path) == "git.timeout"

    def test_no_file_of_the_work_tree_is_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        scripted = script([A], [Rename(A.path, b"x/b.py"), Write(b"x/b.py", A.content + b"more\n")])
        made = make(tmp_path / "r", scripted, bare=False)
        git(made.path, "config", "core.attributesFile", str(made.path / ".mailmap"))
        git(made.path, "config", "mailmap.file", str(made.path / ".mailmap"))
        for name in (".gitattributes", ".mailmap", ".gitignore", ".gitmodules"):
            os.mkfifo(made.path / name)
        monkeypatch.chdir(made.path)
        for worktree in (None, str(made.path)):
            if worktree is not None:
                git(made.path, "config", "core.worktree", worktree)
            assert numbers(made, read_history(made.path, dates="first-added")) == {b"x/b.py": 0}

    def test_an_unreadable_folder_is_an_error(self, linear: ImportedScript) -> None:
        if os.geteuid() == 0:
            (linear.path / "shallow").symlink_to("shallow")
        else:
            (linear.path / "objects" / "pack").chmod(0)
        assert error_code(linear.path) == "repository.corrupt"


@pytest.mark.rule("SD-GIT-02")
class TestHostile:
    """No program that a repository or the environment names is started."""

    @pytest.mark.parametrize("configure", CANARIES)
    def test_no_program_that_a_repository_names_is_run(
        self, canary: CanaryRepository, configure: Callable[[CanaryRepository], None]
    ) -> None:
        configure(canary)
        canary.mark.unlink(missing_ok=True)
        for dates in BOTH:
            if configure is configure_transports:
                assert error_code(canary.made.path, dates=dates) == "repository.partial"
            else:
                assert len(read_history(canary.made.path, dates=dates).commit_dates) == 3
        assert not canary.program_has_run

    @pytest.mark.parametrize(
        ("configure", "command"),
        [
            (configure_contents, ("log", "-p", "--ext-diff")),
            (configure_hooks, ("update-ref", "refs/heads/other", "main")),
        ],
    )
    def test_the_canaries_detect_a_start(
        self,
        canary: CanaryRepository,
        configure: Callable[[CanaryRepository], None],
        command: tuple[str, ...],
    ) -> None:
        configure(canary)
        canary.mark.unlink(missing_ok=True)
        subprocess.run(
            [need("git"), "-C", str(canary.made.path), *command],
            env=ENVIRONMENT,
            capture_output=True,
            check=False,
        )
        assert canary.program_has_run

    def test_git_variables_of_the_environment_are_ignored(
        self, canary: CanaryRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        expected = read_history(canary.made.path)
        settings = tmp_path / "settings"
        settings.write_text("[broken")
        for name in ("TRACE", "TRACE2", "TRACE2_EVENT", "TRACE_SETUP", "TRACE_PACKET"):
            monkeypatch.setenv(f"GIT_{name}", str(canary.mark))
        for name in ("PAGER", "EDITOR", "ASKPASS", "SSH", "SSH_COMMAND", "EXTERNAL_DIFF",
                     "PROXY_COMMAND"):  # fmt: skip
            monkeypatch.setenv(f"GIT_{name}", str(canary.program))
        for name in ("DIR", "WORK_TREE", "INDEX_FILE", "OBJECT_DIRECTORY", "COMMON_DIR",
                     "CEILING_DIRECTORIES", "SHALLOW_FILE", "EXEC_PATH", "NAMESPACE"):  # fmt: skip
            monkeypatch.setenv(f"GIT_{name}", str(tmp_path / "elsewhere"))
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
        monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
        monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
        monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(canary.program))
        monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'alias.log=!false'")
        monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "1")
        assert read_history(canary.made.path) == expected
        assert not canary.program_has_run

    def test_settings_of_the_repository_change_no_result(self, tmp_path: Path) -> None:
        scripted = script([A, B], [C], [Rename(b"x", b"y"), Submodule(b"s")])
        made = make(tmp_path / "r", scripted)
        expected = [read_history(made.path, dates=dates) for dates in BOTH]
        order = tmp_path / "order"
        order.write_text("y/c.py\n")
        for name, value in {
            "diff.renames": "copies", "diff.renameLimit": "1", "diff.orderFile": str(order),
            "diff.relative": "true", "diff.ignoreSubmodules": "all", "diff.noprefix": "true",
            "log.date": "relative", "log.follow": "true", "log.diffMerges": "off",
            "log.decorate": "full", "format.pretty": "oneline", "core.quotePath": "true",
            "core.abbrev": "4", "color.ui": "always", "i18n.logOutputEncoding": "UTF-16",
            "submodule.s.ignore": "all", "core.useReplaceRefs": "true", "core.bare": "true",
            "log.showRoot": "false",
        }.items():  # fmt: skip
            git(made.path, "config", name, value)
        assert [read_history(made.path, dates=dates) for dates in BOTH] == expected
