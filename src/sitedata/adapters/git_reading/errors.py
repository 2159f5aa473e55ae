"""Why a repository cannot be read: one error, told apart by code.

Invariant *errors quote nothing*: the text is made from the code alone; no path, reference, URL or
line of git is in it, so that it can be logged and shown.
"""

from typing import Final, Literal

__all__ = ["RepositoryCode", "RepositoryError"]

RepositoryCode = Literal[
    "git.missing",
    "git.timeout",
    "git.version",
    "repository.missing",
    "repository.empty",
    "repository.corrupt",
    "repository.irregular",
    "repository.partial",
    "repository.treeless",
    "ref.missing",
    "ref.search",
    "bulk.unknown",
    "bulk.ambiguous",
    "zone.unknown",
]

_TEXTS: Final[dict[RepositoryCode, str]] = {
    "git.missing": (
        "no absolute folder of PATH outside of the repository holds git: install git, or add the"
        " folder in which it lies"
    ),
    "git.timeout": (
        "git gave no answer: a setting of the repository may include a FIFO, or its disk is slow"
    ),
    "git.version": "this git is too old: 2.33 or later is needed",
    "repository.missing": "there is no git repository",
    "repository.empty": "the repository has no commits",
    "repository.corrupt": "git cannot read the repository: objects or settings of it are broken",
    "repository.irregular": (
        "where git reads a file, the repository holds a folder, a FIFO or a device: remove it"
    ),
    "repository.partial": (
        "this is a partial clone without objects that are needed, and nothing is fetched:"
        " first-added needs the contents of files, so take last-touched or a clone without --filter"
    ),
    "repository.treeless": (
        "this clone was made without trees (--filter=tree:0), and nothing is fetched: clone again"
        " with --filter=blob:none, or without --filter"
    ),
    "ref.search": (
        "a reference that begins with a colon searches messages or the index: give a branch, a tag"
        " or a commit's hash"
    ),
    "ref.missing": "the reference names no commit of the repository",
    "bulk.unknown": "a bulk change is no commit of the repository",
    "bulk.ambiguous": "a bulk change is short for more than one commit",
    "zone.unknown": "there is no such time zone",
}


class RepositoryError(Exception):
    """A repository that cannot be read as asked; two are equal when their codes are.

    Attributes:
        code: stable id of the reason.

    """

    def __init__(self, code: RepositoryCode) -> None:
        super().__init__(code)
        self.code = code

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.args == other.args

    def __hash__(self) -> int:
        return hash(self.args)

    def __str__(self) -> str:
        return f"{_TEXTS[self.code]} [{self.code}]"
