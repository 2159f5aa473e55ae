"""Find git, open the repository of a path, resolve a reference and read the tree of its commit.

The folders of the repository are found before git runs; nothing in it is opened or run.

Invariant *git is outside of the repository*: the program is taken from an absolute folder of
`PATH`; neither the folder nor the program, links followed, is in the repository.
Invariant *nothing blocks*: only regular files of a bounded size are opened, never a FIFO or device.
Invariant *rather too many*: folders that git would not treat as the repository may be included.
Invariant *a reference is never an option*: it is resolved first, after the end of the options, and
only the hash of its commit is passed on.
Invariant *bounded*: files larger than `MAX_WORDS_BYTES` are not read for their words, and of the
others as many at a time as `_BATCH_BYTES` hold.
Invariant *no credentials*: of a remote URL only host, owner and name are reported, and nothing of a
remote that is not a URL of a host, such as a local path.
"""

import os
import re
import stat
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

import attrs

from sitedata.adapters.git_process import Git, RepositoryError
from sitedata.building.history import FileKind, TreeFile, Words
from sitedata.building.hosts import parse_remote
from sitedata.building.own_words import MAX_WORDS_BYTES, is_readme, words_of
from sitedata.limits import MAX_PATHS, MAX_PATHS_BYTES
from status_contracts.adapters.files import READ_FLAGS

_VERSION: Final = re.compile(rb"git version ([0-9]+)\.([0-9]+)")
_OLDEST: Final = (2, 33)
"""First version with `rev-list --no-commit-header`."""
_NAME: Final = "git.exe" if os.name == "nt" else "git"
_MAX_BYTES: Final = 1 << 20
"""Size of a file that is read; real ones have a few lines."""
_GITDIR: Final = b"gitdir: "
_FILES: Final = (
    *("HEAD", "commondir", "config", "config.worktree", "packed-refs", "shallow"),
    *("info/attributes", "objects/info/alternates"),
)
"""Files that git reads in the git folder of a repository."""
_OBJECT_FOLDERS: Final = re.compile("[0-9a-f]{2}|info|pack")
_DEVICES: Final = (stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK)
"""Kinds of files whose opening may block or have effects; a socket cannot be opened."""


def open_repository(path: str | os.PathLike[str], scratch: Path) -> Git:
    """Return a `Git` object that reads the repository of a path."""
    if not os.path.isdir(path):  # noqa: PTH112 - `Path.is_dir` raises for a path with a NUL
        raise RepositoryError("repository.missing")
    place = Path(os.path.realpath(path))
    stores, trees = find_folders(place)
    git = Git(_program(stores | trees), scratch)
    match = _VERSION.match(git.run("version").stdout)
    if match is None or tuple(map(int, match.groups())) < _OLDEST:
        raise RepositoryError("git.version")
    check_files(stores)
    done = git.run("-C", str(place), "rev-parse", "--absolute-git-dir")
    if done.returncode:
        is_none = b"not a git repository" in done.stderr
        raise RepositoryError("repository.missing" if is_none else "repository.corrupt")
    return attrs.evolve(git, folder=Path(os.fsdecode(done.stdout.removesuffix(b"\n"))))


def _program(own: Collection[Path]) -> str:
    """Return the first git in an absolute folder of `PATH`, and not in the repository's own."""
    for text in os.environ.get("PATH", os.defpath).split(os.pathsep):
        folder = Path(text.strip('"') if os.name == "nt" else text)
        program = folder / _NAME
        target = Path(os.path.realpath(program))
        places = target, Path(os.path.realpath(folder))
        is_own = any(place.is_relative_to(other) for place in places for other in own)
        if folder.is_absolute() and not is_own and target.is_file() and os.access(target, os.X_OK):
            return str(program)
    raise RepositoryError("git.missing")


def find_folders(place: Path) -> tuple[frozenset[Path], frozenset[Path]]:
    """Return the git folders of the repository of a resolved folder, and its known work trees.

    Links are resolved.  The folder itself is among the work trees.
    """
    stores, trees = frozenset[Path](), {place}
    for folder in (place, *place.parents):
        own = folder / ".git"
        if _mode(own) is not None:
            stores = frozenset(_stores(own))
            trees.add(folder)
            break
        if (folder / "HEAD").exists() and (folder / "objects").is_dir():
            stores = frozenset(_with_common(folder))
            break
    # the git folder that linked work trees share is in the first work tree
    return stores, frozenset(trees) | {store.parent for store in stores if store.name == ".git"}


def check_files(stores: Collection[Path]) -> None:
    """Raise RepositoryError, `repository.irregular`, if reading may block or cannot work.

    The only files opened are lists of alternate object folders, which are checked as well.
    """
    for store in stores:
        for name in _FILES:
            _check_regular(store / name)
    waiting = list(stores)
    while waiting:
        waiting += _folders_in(waiting.pop())
    _check_objects([_joined(store, "objects") for store in stores])


def _check_objects(waiting: list[Path]) -> None:
    """Check object folders and their alternates; of each only the folders that git reads."""
    seen: set[Path] = set()
    while waiting:
        objects = waiting.pop()
        if objects in seen or not objects.is_dir():
            continue
        seen.add(objects)
        for folder in _folders_in(objects):
            if _OBJECT_FOLDERS.fullmatch(folder.name):
                list(_folders_in(folder))
        lines = small_file(objects / "info" / "alternates").splitlines()
        others = (line.strip(b'"') for line in lines if line and not line.startswith(b"#"))
        waiting += (_joined(objects, os.fsdecode(other)) for other in others)


def small_file(path: Path) -> bytes:
    """Return the bytes of a regular file of at most 1 MiB; empty if there is none.

    Raise RepositoryError for any other file, and for one that cannot be read.
    """
    _check_regular(path)
    try:
        # links are resolved first, because O_NOFOLLOW refuses to open a link
        with os.fdopen(os.open(os.path.realpath(path), READ_FLAGS), "rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        return b""
    except OSError:
        raise RepositoryError("repository.corrupt") from None
    if len(data) > _MAX_BYTES:
        raise RepositoryError("repository.irregular")
    return data


def _stores(own: Path) -> Iterator[Path]:
    """Yield the git folders of a work tree's `.git`: itself, or the folder that the file names."""
    if own.is_dir():
        yield from _with_common(own)
        return
    line = small_file(own)
    if line.startswith(_GITDIR):
        target = os.fsdecode(line.removeprefix(_GITDIR).rstrip(b"\r\n"))
        yield from _with_common(_joined(own.parent, target))


def _with_common(store: Path) -> Iterator[Path]:
    yield Path(os.path.realpath(store))
    line = small_file(store / "commondir")
    if line:
        yield _joined(store, os.fsdecode(line.rstrip(b"\r\n")))


def _check_regular(path: Path) -> None:
    if _mode(path) not in (None, stat.S_IFREG):
        raise RepositoryError("repository.irregular")


def _joined(folder: Path, name: str) -> Path:
    if "\0" in name:
        raise RepositoryError("repository.corrupt")
    return Path(os.path.realpath(folder / name))


def _folders_in(folder: Path) -> Iterator[Path]:
    """Yield the folders in a folder; raise if it holds a file that must not be opened.

    Links to folders are skipped, because they may lead anywhere on the disk.
    """
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    yield Path(entry.path)
                    continue
                is_plain = entry.is_file(follow_symlinks=False)
                if not is_plain and _mode(Path(entry.path)) in _DEVICES:
                    raise RepositoryError("repository.irregular")
    except OSError:
        raise RepositoryError("repository.corrupt") from None


def _mode(path: Path) -> int | None:
    """Return the file type of a path, links followed; None if nothing is there."""
    try:
        return stat.S_IFMT(path.stat().st_mode)
    except OSError:
        return None


_VERIFY: Final = ("rev-parse", "--verify", "--quiet")
_HASH: Final = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_BRANCH: Final = re.compile(r"refs/(?:heads|tags|remotes/[^/]+)/(.+)", re.DOTALL)
_MAX_REF_BYTES: Final = 4096  # of a reference; paths of the system are not longer
_BATCH_BYTES: Final = 1 << 23
_FILE_KINDS: Final[dict[bytes, FileKind]] = {b"120000": "symlink", b"160000": "submodule"}


def resolve(git: Git, ref: str) -> tuple[str, str]:
    """Return the commit and the short name of a reference that has one; raise RepositoryError."""
    try:
        is_argument = 0 < len(os.fsencode(ref)) <= _MAX_REF_BYTES and "\0" not in ref
    except UnicodeEncodeError:
        is_argument = False
    if not is_argument:
        raise RepositoryError("ref.missing")
    if ref.startswith(":"):
        raise RepositoryError("ref.search")
    commit = _hash_of(git, f"{ref}^{{commit}}")
    if commit is None:
        raise _missing_error(git, ref)
    name = git.run(*_VERIFY, "--symbolic-full-name", "--end-of-options", ref).stdout
    match = _BRANCH.fullmatch(name.removesuffix(b"\n").decode("utf-8", "replace"))
    return commit, ref if match is None else match[1]


def _hash_of(git: Git, name: str) -> str | None:
    """Return the hash of the object that a name means; None if it is missing or ambiguous."""
    done = git.run(*_VERIFY, "--end-of-options", name)
    line = done.stdout.removesuffix(b"\n")
    return line.decode() if not done.returncode and _HASH.fullmatch(line) else None


def _missing_error(git: Git, ref: str) -> RepositoryError:
    target = _hash_of(git, ref)
    if target is not None and target != ref.lower():
        # it names an object or a tag of one, which is broken or not a commit
        kind = git.run("cat-file", "-t", _hash_of(git, f"{ref}^{{}}") or target)
        is_other = kind.stdout in {b"blob\n", b"tree\n"}
        return RepositoryError("ref.missing") if is_other else git.failure()
    listed = git.run("for-each-ref", "--count=1")
    if listed.returncode or b"broken" in listed.stderr:
        return git.failure()
    is_empty = not listed.stdout and _hash_of(git, "HEAD^{commit}") is None
    return RepositoryError("repository.empty" if is_empty else "ref.missing")


def read_tree(git: Git, commit: str) -> tuple[TreeFile, ...]:
    """Return the files of a commit's tree, sorted by name."""
    files: dict[bytes, TreeFile] = {}
    size = 0
    with git.stream("ls-tree", "-r", "-z", "--full-tree", commit) as entries:
        for entry in entries:
            about, _, name = entry.partition(b"\t")
            files[name] = TreeFile(name, _FILE_KINDS.get(about[:6], "file"))
            size += len(name)
            if len(files) > MAX_PATHS or size > MAX_PATHS_BYTES:
                raise RepositoryError("repository.too_large")
    return tuple(files[name] for name in sorted(files))


def read_root_file(git: Git, commit: str, name: str, max_bytes: int) -> bytes | None:
    """Return a file in the root of a commit's tree; None if there is no regular file."""
    entry = git.output("ls-tree", "-z", "--full-tree", commit, "--", name).partition(b"\t")[0]
    if not entry.startswith(b"100"):
        return None
    blob = entry.split()[2].decode()
    if int(git.output("cat-file", "-s", blob)) > max_bytes:
        raise RepositoryError("settings.size")
    return git.output("cat-file", "blob", blob)


def remote_url(git: Git) -> str | None:
    """Return the web address of the remote `origin`; None if there is none that has one."""
    urls = git.run("config", "--local", "-z", "--get-all", "remote.origin.url").stdout
    first = urls.split(b"\0")[0]
    remote = parse_remote(first.decode("utf-8", "replace"))
    return None if remote is None else f"https://{remote.host}/{remote.owner}/{remote.name}"


def read_words(git: Git, commit: str, names: Collection[bytes]) -> dict[bytes, Words]:
    """Return the words of the named files of a commit, and of the READMEs beside them.

    Raise RepositoryError where an object is missing.
    """
    words: dict[bytes, Words] = {}
    for batch in _batches(git, commit, frozenset(names)):
        objects = git.objects(blob for _, blob in batch)
        for (name, _), blob in zip(batch, objects, strict=True):
            if blob is None:
                raise git.failure()
            words[name] = words_of(name, blob[2])
    return {name: said for name, said in words.items() if said.urls}


def _batches(
    git: Git, commit: str, names: Collection[bytes]
) -> Iterator[list[tuple[bytes, bytes]]]:
    """Yield pairs of name and hash, as many as are read at a time."""
    folders = {name.rpartition(b"/")[0] for name in names}
    batch: list[tuple[bytes, bytes]] = []
    total = 0
    with git.stream("ls-tree", "-r", "-l", "-z", "--full-tree", commit) as entries:
        for entry in entries:
            about, _, name = entry.partition(b"\t")
            mode, _, blob, size = about.split()
            is_beside = is_readme(name) and name.rpartition(b"/")[0] in folders
            is_read = mode.startswith(b"100") and (name in names or is_beside)
            if not is_read or int(size) > MAX_WORDS_BYTES:
                continue
            if total + int(size) > _BATCH_BYTES:
                yield batch
                batch, total = [], 0
            batch.append((name, blob))
            total += int(size)
    if batch:
        yield batch
