"""Why a repository cannot be read: one error, told apart by code.

Invariant *errors quote nothing*: the text is made from the code alone; no path, reference, URL or
line of git is in it, so that it can be logged and shown.
"""

from typing import Final, Literal

__all__ = ["RepositoryCode", "RepositoryError"]

RepositoryCode = Literal[
    "git.missing",
    "git.version",
    "repository.missing",
    "repository.empty",
    "repository.corrupt",
    "repository.partial",
    "ref.missing",
    "bulk.unknown",
    "bulk.ambiguous",
    "zone.unknown",
]

_TEXTS: Final[dict[RepositoryCode, str]] = {
    "git.missing": "there is no git on this machine",
    "git.version": "this git is too old: 2.33 or later is needed",
    "repository.missing": "there is no git repository",
    "repository.empty": "the repository has no commits",
    "repository.corrupt": "git cannot read the repository: objects or settings of it are broken",
    "repository.partial": "renames need the contents of files, and this clone has not fetched them",
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
