"""The URL that a repository was cloned from, without what it may hold of secrets.

Invariant *credentials never leave*: user names, passwords, queries and fragments are dropped; a
remote that is no URL of a host, such as a path of this machine, or that holds an `@` elsewhere, is
not told at all.
"""

import re
from typing import Final

from sitedata.adapters.git_reading.commands import Git

__all__ = ["remote_url", "without_credentials"]

_URL: Final = re.compile(
    r"(?P<scheme>https?|ssh|git)://(?:[^/?#]*@)?"
    r"(?P<host>(?:\[[0-9a-f:.]+\]|[^/?#@:\s]+)(?::[0-9]*)?)(?P<path>/[^?#@]*)(?:[?#].*)?",
    re.IGNORECASE,
)
_SHORT: Final = re.compile(r"(?:[^/]*@)?(?P<host>[^/:@?#\s]{2,}):(?!//)(?P<path>[^:?#@\s][^:?#@]*)")
"""As secure shell has it: `git@host:owner/name.git`; a single letter is a drive of Windows."""


def remote_url(git: Git) -> str | None:
    """Give the URL of the remote called `origin`, without credentials; None: there is none."""
    answer = git.ask("config", "--local", "-z", "--get-all", "remote.origin.url")
    first = answer.output.split(b"\0")[0]
    try:
        return without_credentials(first.decode("utf-8"))
    except UnicodeDecodeError:
        return None


def without_credentials(url: str) -> str | None:
    """Give a URL as it is but for credentials; None for text that names no host."""
    if not url.isprintable():
        return None
    found = _URL.fullmatch(url)
    if found is not None:
        return f"{found['scheme']}://{found['host']}{found['path']}"
    found = _SHORT.fullmatch(url)
    return None if found is None else f"{found['host']}:{found['path']}"
