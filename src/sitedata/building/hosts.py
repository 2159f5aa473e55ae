"""Hosts of repositories: where a file is shown and where it lies raw, and what a remote URL says.

Source: site-data specification, "Problem object"; rulings under "Site-data file".

Invariant *credentials never leave*: of a remote URL only host, owner and name are taken, each of
harmless characters; a URL that has anything else there says nothing at all.
Invariant *pure*: a remote is read as text; nothing is looked up, no path is followed.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal

import attrs

from sitedata.building.places import quoted
from sitedata.building.templates import Template, check_url
from sitedata.reading.rules import is_https

__all__ = ["HostKind", "Links", "Remote", "Site", "is_host", "links_of", "remote_of", "site_of"]

HostKind = Literal["bitbucket", "gitea", "gitee", "github", "gitlab", "sourcehut"]
"""What runs on a host; Codeberg and Forgejo are as Gitea is."""

_PATH: Final = "{path}"
_FIELDS: Final = frozenset(["host", "owner", "name", "branch", "commit"])
_LONGEST: Final = 2048  # characters of a remote URL; real ones have a hundred
_LABEL: Final = r"[a-z0-9_](?:[a-z0-9_-]*+(?<![-]))?+"
_HOST: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*+(?::[0-9]{{1,5}}+)?")
_URL: Final = re.compile(
    r"(?P<scheme>https?|ssh|git|git\+ssh|ssh\+git)://(?:[^/@]*+@)?+(?P<host>[^/:@]++)"
    r"(?::(?P<port>[0-9]*+))?/++(?P<path>[^?#]++)",
    re.IGNORECASE,
)
_SCP: Final = re.compile(r"(?:[^/@:]++@)?+(?P<host>[^/:@\\]{2,}+):(?P<path>[^?#]++)")
_SEGMENT: Final = re.compile(r"~?[A-Za-z0-9_.-]++")
_SSH_HOSTS: Final = {
    "altssh.bitbucket.org": "bitbucket.org",
    "altssh.gitlab.com": "gitlab.com",
    "ssh.github.com": "github.com",
}
"""Hosts that only speak ssh, and those that show what lies on them."""


@attrs.frozen
class Remote:
    """What the URL of a remote says.

    Attributes:
        host: host name in lower case, with a port where it is not the usual one.
        owner: everything before the name; a group and its subgroups have slashes between them.
        name: the repository's name, without `.git`.

    """

    host: str
    owner: str
    name: str


@attrs.frozen
class Links:
    """Templates of the URLs of a file.

    Attributes:
        web: of its web view.
        raw: of its bytes.

    Both have the field `path` once, and may have `host`, `owner`, `name`, `branch` and `commit`.
    Raises ValueError for others.

    """

    web: str
    raw: str

    def __attrs_post_init__(self) -> None:
        for text in (self.web, self.raw):
            check_url(text)
            if text.count(_PATH) != 1 or Template(text).fields - _FIELDS != {"path"}:
                raise ValueError("no template of the URL of a file")


@attrs.frozen
class Site:
    """The links of one repository at one reference: what stands around the path of a file."""

    web: tuple[str, str]
    raw: tuple[str, str]

    def urls(self, path: str) -> tuple[str, str]:
        """Give the URLs of web view and raw file for a path that is percent-encoded."""
        return path.join(self.web), path.join(self.raw)


_LINKS: Final[Mapping[HostKind, Links]] = {
    "bitbucket": Links(
        "https://{host}/{owner}/{name}/src/{branch}/{path}",
        "https://{host}/{owner}/{name}/raw/{branch}/{path}",
    ),
    "gitea": Links(
        "https://{host}/{owner}/{name}/src/branch/{branch}/{path}",
        "https://{host}/{owner}/{name}/raw/branch/{branch}/{path}",
    ),
    "gitee": Links(
        "https://{host}/{owner}/{name}/blob/{branch}/{path}",
        "https://{host}/{owner}/{name}/raw/{branch}/{path}",
    ),
    "github": Links(
        "https://{host}/{owner}/{name}/blob/{branch}/{path}",
        "https://{host}/{owner}/{name}/raw/{branch}/{path}",
    ),
    "gitlab": Links(
        "https://{host}/{owner}/{name}/-/blob/{branch}/{path}",
        "https://{host}/{owner}/{name}/-/raw/{branch}/{path}",
    ),
    "sourcehut": Links(
        "https://{host}/{owner}/{name}/tree/{branch}/item/{path}",
        "https://{host}/{owner}/{name}/blob/{branch}/{path}",
    ),
}
_GITHUB: Final = Links(
    _LINKS["github"].web, "https://raw.githubusercontent.com/{owner}/{name}/{branch}/{path}"
)
_KINDS: Final[Mapping[str, HostKind]] = {
    "bitbucket.org": "bitbucket",
    "codeberg.org": "gitea",
    "gitea.com": "gitea",
    "gitee.com": "gitee",
    "github.com": "github",
    "gitlab.com": "gitlab",
    "git.sr.ht": "sourcehut",
}
_LABELS: Final[Mapping[str, HostKind]] = {
    "forgejo": "gitea",
    "gitea": "gitea",
    "github": "github",
    "gitlab": "gitlab",
}
"""What a host is whose name begins so."""


def is_host(text: str) -> bool:
    """Tell whether text is a plain host name in lower case, with at most a port."""
    return _HOST.fullmatch(text) is not None and is_https(f"https://{text}/")


def links_of(host: str, kind: HostKind | None = None) -> Links | None:
    """Give the templates of a host; None where neither its kind is given nor its name tells it."""
    if host == "github.com" and kind in (None, "github"):
        return _GITHUB
    kind = kind or _KINDS.get(host) or _LABELS.get(host.partition(".")[0])
    return None if kind is None else _LINKS[kind]


def site_of(links: Links, remote: Remote, *, branch: str, commit: str) -> Site:
    """Fill in everything but the path."""
    values = {**attrs.asdict(remote), "branch": branch, "commit": commit}

    def around(text: str) -> tuple[str, str]:
        head, _, tail = text.partition(_PATH)
        # the host is no segment: its port keeps its colon
        head, tail = (part.replace("{host}", remote.host) for part in (head, tail))
        return Template(head).url(values) or "", Template(tail).url(values) or ""

    return Site(around(links.web), around(links.raw))


def remote_of(url: str) -> Remote | None:
    """Read the URL of a remote: https, ssh, git, or `git@host:owner/name.git`.

    None where it names no host, such as a folder, or not both owner and name.
    """
    if len(url) > _LONGEST:
        return None
    found = _URL.fullmatch(url)
    if found is not None:
        return _remote(_authority(found), found["path"])
    found = None if "://" in url else _SCP.fullmatch(url)
    return None if found is None else _remote(found["host"].lower(), found["path"])


def _authority(found: re.Match[str]) -> str:
    """Give the host under which the web view is: ssh and git have ports of their own."""
    host, port = found["host"].lower(), found["port"]
    return f"{host}:{port}" if port not in (None, "", "443") and _is_https(found) else host


def _is_https(found: re.Match[str]) -> bool:
    return bool(found["scheme"].lower() == "https")


def _remote(host: str, path: str) -> Remote | None:
    *owners, name = path.strip("/").removesuffix(".git").split("/")
    host = _SSH_HOSTS.get(host, host)
    if not owners or not is_host(host) or not all(map(_is_segment, (*owners, name))):
        return None
    return Remote(host, "/".join(owners), name)


def _is_segment(text: str) -> bool:
    return _SEGMENT.fullmatch(text) is not None and text not in (".", "..")
