"""Parse the URL of a remote, and build the URLs of files as the software of its host has them.

Invariant *no credentials*: only host, owner and name are taken from the URL of a remote, each of
harmless characters; otherwise the result is None.
Invariant *always https*: scheme and host are literal text or a validated host, and every other
value is percent-encoded.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final, Literal

import attrs

from sitedata.building.templates import percent_encode
from sitedata.parsing import is_https

_MAX_LENGTH: Final = 2048  # characters; real URLs have about a hundred
_LABEL: Final = r"[a-z0-9_](?:[a-z0-9_-]*+(?<!-))?+"
_HOST_FORM: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*+(?::[0-9]{{1,5}}+)?")
_URL: Final = re.compile(
    r"(?P<scheme>https?|ssh|git|git\+ssh|ssh\+git)://(?:[^/@]*+@)?+(?P<host>[^/:@]++)"
    r"(?::(?P<port>[0-9]*+))?/++(?P<path>[^?#]++)",
    re.IGNORECASE,
)
_SCP: Final = re.compile(r"(?:[^/@:]++@)?+(?P<host>[^/:@\\]{2,}+):(?P<path>[^?#]++)")
_SEGMENT: Final = re.compile(r"(?!\.\.?+\Z)~?[A-Za-z0-9_.-]++")
_SSH_HOSTS: Final = {
    "altssh.bitbucket.org": "bitbucket.org",
    "altssh.gitlab.com": "gitlab.com",
    "ssh.github.com": "github.com",
}
"""SSH-only host to the host of its web view."""
HostKind = Literal["bitbucket", "gitea", "gitee", "github", "gitlab", "sourcehut"]
"""Software of a host; Codeberg and Forgejo count as Gitea."""
FileUrls = Callable[[str], tuple[str, str]]
"""Returns the URLs of web view and raw file for a path."""
_FOLDERS: Final[Mapping[HostKind, tuple[str, str]]] = {
    "bitbucket": ("src/%s", "raw/%s"),
    "gitea": ("src/branch/%s", "raw/branch/%s"),
    "gitee": ("blob/%s", "raw/%s"),
    "github": ("blob/%s", "raw/%s"),
    "gitlab": ("-/blob/%s", "-/raw/%s"),
    "sourcehut": ("tree/%s/item", "blob/%s"),
}
"""Web view and raw files of a branch, below the URL of a repository."""
_HOSTS: Final[Mapping[str, HostKind]] = {
    "bitbucket.org": "bitbucket",
    "codeberg.org": "gitea",
    "git.sr.ht": "sourcehut",
    "gitee.com": "gitee",
}
_LABELS: Final[Mapping[str, HostKind]] = {
    "forgejo": "gitea",
    "gitea": "gitea",
    "github": "github",
    "gitlab": "gitlab",
}
"""First label of a host name to the software of the host."""


@attrs.frozen
class Remote:
    """A repository on a host; the owner may have several segments (a group and its subgroups)."""

    host: str
    owner: str
    name: str


def is_host(text: str) -> bool:
    """Check whether text is a plain host name in lower case, with an optional port."""
    return _HOST_FORM.fullmatch(text) is not None and is_https(f"https://{text}/")


def parse_remote(url: str) -> Remote | None:
    """Parse the URL of a remote: https, http, ssh, git, or `git@host:owner/name.git`.

    Return None if it has no host, as a local path, or lacks owner or name.
    """
    if len(url) > _MAX_LENGTH:
        return None
    match = _URL.fullmatch(url)
    if match is not None:
        host, port = match["host"].lower(), match["port"]
        is_kept = match["scheme"].lower() == "https" and port not in (None, "", "443")
        return _remote(f"{host}:{port}" if is_kept else host, match["path"])
    match = None if "://" in url else _SCP.fullmatch(url)
    return None if match is None else _remote(match["host"].lower(), match["path"])


def _remote(host: str, path: str) -> Remote | None:
    *owners, name = path.strip("/").removesuffix(".git").split("/")
    host = _SSH_HOSTS.get(host, host)
    if not owners or not is_host(host) or not all(map(_SEGMENT.fullmatch, (*owners, name))):
        return None
    return Remote(host, "/".join(owners), name)


def kind_of(host: str) -> HostKind | None:
    """Return the software of a host; None if it is unknown from its name."""
    return _HOSTS.get(host) or _LABELS.get(host.partition(".")[0])


def file_urls_of(remote: Remote, kind: HostKind, branch: str) -> FileUrls:
    """Return the URLs of the files of a branch."""
    owner, name, branch = map(percent_encode, (remote.owner, remote.name, branch))
    base = f"https://{remote.host}/{owner}/{name}"
    web, raw = (f"{base}/{folder % branch}" for folder in _FOLDERS[kind])
    if (remote.host, kind) == ("github.com", "github"):
        raw = f"https://raw.githubusercontent.com/{owner}/{name}/{branch}"

    def urls_of(path: str) -> tuple[str, str]:
        encoded = percent_encode(path)
        return f"{web}/{encoded}", f"{raw}/{encoded}"

    return urls_of
