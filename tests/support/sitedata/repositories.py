"""Repositories as scripts: commits as values, and as the stream that `git fast-import` reads.

This module does not run git.  A script can be imported with every hash format.
"""

import hashlib
from collections.abc import Iterator, Mapping
from itertools import chain, repeat
from typing import Final, Literal

import attrs
from hypothesis import strategies as st

ObjectFormat = Literal["sha1", "sha256"]
_HASH_DIGITS: Final[dict[ObjectFormat, int]] = {"sha1": 40, "sha256": 64}

HOSTILE_NAMES: Final = (
    b"new\nline.py",
    b"\n.py",
    b"quo\"ted'.py",
    b"back\\slash.py",
    b"tab\tand\x01control\x1b[31m.py",
    b"--upload-pack=x.py",
    b"-rf",
    b" space .py",
    b"percent%2e%2e.py",
    b"hash#query?.py",
    b"latin\xe9.py",
    b"\xff\xfe",
    b"surrogate\xed\xa0\x80.py",
    "emoji🎈.py".encode(),
    "bidi\u202egnp.py".encode(),
    "nfd-e\u0301.py".encode(),
    b"n" * 247 + b".py",
    b".gitx",
    b"..gitmodules",
    "\u200c.git".encode(),
    b"git~1.py",
    b"...",
    b"R100",
    b"A",
    b"0123456789abcdef0123456789abcdef01234567",
    b":(top)",
    b"*.py",
    b"CON",
)
"""Names of one segment that git accepts and that parsers of names have failed on."""


@attrs.frozen
class Write:
    """Add or replace a file."""

    path: bytes
    content: bytes = b""
    is_executable: bool = False


@attrs.frozen
class Link:
    """Add a symbolic link."""

    path: bytes
    target: bytes


@attrs.frozen
class Submodule:
    """Add a submodule; the hash of its commit is derived from `seed`."""

    path: bytes
    seed: bytes = b""


@attrs.frozen
class Delete:
    """Remove a file, or a folder with its content."""

    path: bytes


@attrs.frozen
class Rename:
    """Move a file, or a folder with its content."""

    old: bytes
    new: bytes


Entry = Write | Link | Submodule
"""An entry of a tree."""
Change = Entry | Delete | Rename
"""A change of a tree."""


@attrs.frozen
class Commit:
    """One commit.

    Attributes:
        seconds: committer time, seconds since the epoch.
        changes: changes of the tree of its first parent, in order.
        parents: numbers of earlier commits of the script, from 0; None: the previous one.
        offset: offset of the committer's zone from UTC, in minutes.
        authored: author time, seconds since the epoch; None: the committer time.

    """

    seconds: int
    changes: tuple[Change, ...] = ()
    parents: tuple[int, ...] | None = None
    offset: int = 0
    authored: int | None = None
    message: bytes = b""


@attrs.frozen
class Script:
    """A repository.

    Attributes:
        commits: parents before children.
        branches: short name to the number of a commit; None: `main` is the last commit.
        tags: short name to the number of a commit.

    """

    commits: tuple[Commit, ...]
    branches: Mapping[str, int] | None = None
    tags: Mapping[str, int] = attrs.field(factory=dict)

    def parents(self, number: int) -> tuple[int, ...]:
        """Return the numbers of a commit's parents."""
        stated = self.commits[number].parents
        if stated is not None:
            return stated
        return (number - 1,) if number else ()

    def stream(self, object_format: ObjectFormat = "sha1") -> Iterator[bytes]:
        """Yield the input of `git fast-import` in pieces; commit 0 has the mark 1, and so on."""
        for number, commit in enumerate(self.commits):
            yield b"".join(self._commit(number, commit, object_format))
        named = {"main": len(self.commits) - 1} if self.branches is None else self.branches
        for kind, references in (("heads", named), ("tags", self.tags)):
            for name, number in references.items():
                if number >= 0:
                    yield f"reset refs/{kind}/{name}\nfrom :{number + 1}\n\n".encode()
        yield b"done\n"

    def trees(self) -> list[dict[bytes, Entry]]:
        """Return the tree of each commit: path to entry."""
        trees: list[dict[bytes, Entry]] = []
        for number, commit in enumerate(self.commits):
            parents = self.parents(number)
            tree = dict(trees[parents[0]]) if parents else {}
            for change in commit.changes:
                _apply(tree, change)
            trees.append(tree)
        return trees

    def _commit(self, number: int, commit: Commit, object_format: ObjectFormat) -> Iterator[bytes]:
        parents = self.parents(number)
        place = f"refs/heads/{_WORK}".encode()
        if not parents:
            yield b"reset %b\n\n" % place
        authored = commit.seconds if commit.authored is None else commit.authored
        yield b"commit %b\nmark :%d\n" % (place, number + 1)
        yield b"author A <a@example.org> %d %b\n" % (authored, _zone(commit.offset))
        yield b"committer C <c@example.org> %d %b\n" % (commit.seconds, _zone(commit.offset))
        yield _data(commit.message)
        keywords = chain((b"from",), repeat(b"merge"))
        for keyword, parent in zip(keywords, parents, strict=False):
            yield b"%b :%d\n" % (keyword, parent + 1)
        for change in commit.changes:
            yield _command(change, object_format)
        yield b"\n"


_WORK: Final = "scripted"
"""Branch on which all commits are made; importers may delete it."""


def _zone(offset: int) -> bytes:
    hours, minutes = divmod(abs(offset), 60)
    return b"%b%02d%02d" % (b"-" if offset < 0 else b"+", hours, minutes)


def _data(content: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(content), content)


def _quoted(path: bytes) -> bytes:
    """Quote a path, with every byte as an octal escape."""
    return b'"%b"' % b"".join(b"\\%03o" % byte for byte in path)


def _command(change: Change, object_format: ObjectFormat) -> bytes:
    match change:
        case Write(path, content, is_executable):
            mode = b"100755" if is_executable else b"100644"
            return b"M %b inline %b\n%b" % (mode, _quoted(path), _data(content))
        case Link(path, target):
            return b"M 120000 inline %b\n%b" % (_quoted(path), _data(target))
        case Submodule(path, seed):
            digits = hashlib.sha256(seed).hexdigest()[: _HASH_DIGITS[object_format]]
            return b"M 160000 %b %b\n" % (digits.encode(), _quoted(path))
        case Delete(path):
            return b"D %b\n" % _quoted(path)
        case _:
            return b"R %b %b\n" % (_quoted(change.old), _quoted(change.new))


def _apply(tree: dict[bytes, Entry], change: Change) -> None:
    """Change a tree as git does: a file can replace a folder, and a folder can replace a file."""
    match change:
        case Delete(path):
            _take(tree, path)
        case Rename(old, new):
            moved = _take(tree, old)
            _take(tree, new)
            for rest, entry in moved.items():
                _put(tree, attrs.evolve(entry, path=new + rest))
        case _:
            _put(tree, change)


def _put(tree: dict[bytes, Entry], entry: Entry) -> None:
    _take(tree, entry.path)
    parts = entry.path.split(b"/")
    for length in range(1, len(parts)):
        tree.pop(b"/".join(parts[:length]), None)
    tree[entry.path] = entry


def _take(tree: dict[bytes, Entry], path: bytes) -> dict[bytes, Entry]:
    """Remove the entries at a path and below it; return them by the rest of their paths."""
    paths = [name for name in tree if name == path or name.startswith(path + b"/")]
    return {name[len(path) :]: tree.pop(name) for name in paths}


def names() -> st.SearchStrategy[bytes]:
    """Segments of paths, plain and hostile ones, without `/` and NUL."""
    plain = st.sampled_from((b"a.py", b"b.py", b"c.cpp", b"d", b"e"))
    return plain | st.sampled_from(HOSTILE_NAMES)


def _paths() -> st.SearchStrategy[bytes]:
    segments = st.lists(names(), min_size=1, max_size=3)
    return segments.map(b"/".join)


_OFFSETS: Final = (0, 60, 480, -210, 345, 840, -720)
_STEPS: Final = (0, 1, 60, 3600, 86_400, -7200)
"""Seconds from one commit to the next; negative for a clock that is wrong."""


@st.composite
def repositories(
    draw: st.DrawFn, *, most: int = 12, merges: bool = True, skewed: bool = True
) -> Script:
    """Repositories with hostile names, renames, links and submodules, of at most `most` commits.

    Without `merges` each commit follows the previous one; `skewed` clocks may go backwards.
    """
    pool = draw(st.lists(_paths(), min_size=1, max_size=8, unique=True))
    steps = _STEPS if skewed else tuple(step for step in _STEPS if step > 0)
    seconds = draw(st.integers(1_000_000_000, 1_800_000_000))
    commits: list[Commit] = []
    trees: list[dict[bytes, Entry]] = []
    for number in range(draw(st.integers(1, most))):
        seconds += draw(st.sampled_from(steps))
        parents = draw(_parents(number)) if merges else None
        first, *others = parents or ((number - 1,) if number else (None,))
        tree = {} if first is None else dict(trees[first])
        theirs = [entry for parent in others for entry in trees[parent].values()]
        changes: list[Change] = [entry for entry in theirs if draw(st.booleans())]
        for change in changes:
            _apply(tree, change)
        for _ in range(draw(st.integers(0, 3))):
            changes.append(draw(_edits(tree, pool)))
            _apply(tree, changes[-1])
        trees.append(tree)
        offset = draw(st.sampled_from(_OFFSETS))
        commits.append(Commit(seconds, tuple(changes), parents, offset, seconds - 86_400))
    return Script(tuple(commits))


def _parents(number: int) -> st.SearchStrategy[tuple[int, ...] | None]:
    """Mostly the previous commit; sometimes an older one, two or three, or none."""
    if number < 2:
        return st.none()
    older = st.integers(0, number - 2)
    return st.one_of(
        st.none(),
        st.none(),
        older.map(lambda other: (other,)),
        older.map(lambda other: (number - 1, other)),
        older.map(lambda other: (other, number - 1)),
        st.sets(st.integers(0, number - 1), min_size=1, max_size=3).map(
            lambda numbers: tuple(sorted(numbers, reverse=True))
        ),
    )


def _edits(tree: dict[bytes, Entry], pool: list[bytes]) -> st.SearchStrategy[Change]:
    paths = st.sampled_from(pool)
    contents = st.integers(0, 99).map(lambda number: b"line\n" * 20 + b"%d\n" % number)
    made: st.SearchStrategy[Change] = st.one_of(
        st.builds(Write, paths, contents, st.sampled_from((False, False, True))),
        st.builds(Link, paths, st.sampled_from((b"a.py", b"../../outside", b"/"))),
        st.builds(Submodule, paths, st.sampled_from((b"1", b"2"))),
    )
    if not tree:
        return made
    there = st.sampled_from(sorted(tree))
    return st.one_of(made, st.builds(Delete, there), st.builds(_moved, there, paths))


def _moved(old: bytes, new: bytes) -> Change:
    """Rename a path; delete it if one path contains the other."""
    one, other = old + b"/", new + b"/"
    is_nested = one.startswith(other) or other.startswith(one)
    return Delete(old) if is_nested else Rename(old, new)
