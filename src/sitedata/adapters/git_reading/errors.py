"""The exception for repositories that cannot be read.

Invariant *errors quote nothing*: the message depends on the code only; it holds no path, reference,
URL or output of git, so it can be logged and shown.
"""

from typing import Final, Literal

from sitedata.limits import MAX_HISTORY_PATHS, MAX_PATHS, MAX_PATHS_BYTES

RepositoryCode = Literal[
    "git.missing",
    "git.timeout",
    "git.version",
    "repository.missing",
    "repository.empty",
    "repository.corrupt",
    "repository.irregular",
    "repository.partial",
    "repository.too_large",
    "repository.treeless",
    "ref.missing",
    "ref.search",
    "bulk.unknown",
    "bulk.ambiguous",
    "settings.size",
    "zone.unknown",
]
"""Why a repository cannot be read."""

_MESSAGES: Final[dict[RepositoryCode, str]] = {
    "git.missing": (
        "no absolute folder of PATH outside of the repository holds git: install git, or add its"
        " folder to PATH"
    ),
    "git.timeout": (
        "git did not answer in time: a setting of the repository may include a FIFO, or its disk is"
        " slow"
    ),
    "git.version": "git is too old: 2.33 or later is required",
    "repository.missing": "it is not a git repository",
    "repository.empty": "the repository has no commits",
    "repository.corrupt": "git cannot read the repository: objects or settings are broken",
    "repository.irregular": (
        "the repository holds a folder, a FIFO or a device in place of a file: remove it"
    ),
    "repository.partial": (
        "required objects are missing in this partial clone, and nothing is fetched: first-added"
        " and the settings in the repository need the contents of files, so use last-touched and"
        " --no-config, or a clone without --filter"
    ),
    "repository.too_large": (
        f"a tree or a commit has more than {MAX_PATHS:,} paths ({MAX_PATHS_BYTES // 1024**2} MiB),"
        f" or the history more than {MAX_HISTORY_PATHS:,}: build a smaller branch, or remove the"
        " folders that name each other from the history"
    ),
    "repository.treeless": (
        "this clone was made without trees (--filter=tree:0), and nothing is fetched: clone again"
        " with --filter=blob:none, or without --filter"
    ),
    "ref.search": (
        "a reference that begins with a colon searches messages or the index: use a branch, a tag"
        " or a commit hash"
    ),
    "ref.missing": "the reference names no commit of the repository",
    "bulk.unknown": "a bulk change is not a commit of the repository",
    "bulk.ambiguous": "the digits of a bulk change match more than one commit",
    "settings.size": (
        "the settings file in the root of the reference is larger than 1 MiB: shorten it, or build"
        " with --config or --no-config"
    ),
    "zone.unknown": (
        "the time zone is not in the IANA database: use a name such as Europe/Berlin, in the"
        " settings or as --zone"
    ),
}


class RepositoryError(Exception):
    """A repository cannot be read as requested.

    Attributes:
        code: stable id of the reason; errors with the same code are equal.

    """

    def __init__(self, code: RepositoryCode) -> None:
        super().__init__(code)
        self.code = code

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.args == other.args

    def __hash__(self) -> int:
        return hash(self.args)

    def __str__(self) -> str:
        return f"{_MESSAGES[self.code]} [{self.code}]"
