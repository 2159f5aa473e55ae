"""Read what the files of a tree say of their problems, from the objects of a repository.

Invariant *nothing but git reads*: no file of the work tree is opened.
Invariant *bounded*: files that are larger than `MAX_WORDS_BYTES` are not read, and of the others as
many at a time as `_BATCH_BYTES` hold.
"""

from collections.abc import Collection, Iterator
from typing import Final

from sitedata.adapters.git_process import Git
from sitedata.building.history import Words
from sitedata.building.own_words import MAX_WORDS_BYTES, is_readme, words_of

_BATCH_BYTES: Final = 1 << 23


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
