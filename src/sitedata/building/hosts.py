"""Build the web and raw URLs of files from the URL templates of hosts.

Source: site-data specification, "Problem object" (`githubUrl`, `rawUrl`); design decisions under
"Site-data file"; public addresses of the hosts.

Invariant *always https*: scheme and host are literal text or a validated host, and every other
value is percent-encoded.

Contract: SD-PROBLEM-05, SD-LINK-07, SD-LINK-08, SD-SETTINGS-09.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final, Literal

import attrs

from sitedata.building.remotes import Remote
from sitedata.building.templates import Template, check_url, percent_encode

__all__ = ["FileUrls", "HostKind", "Links", "check_link", "file_urls_of", "links_of"]

HostKind = Literal["bitbucket", "gitea", "gitee", "github", "gitlab", "sourcehut"]
"""Software of a host; Codeberg and Forgejo count as Gitea."""

_PATH: Final = "{path}"
_HOST: Final = "https://{host}/"
_FIELDS: Final = frozenset(["host", "owner", "name", "branch", "commit"])
_FILTERED: Final = re.compile(r"\{[^{}:]*+:")


def check_link(text: str) -> None:
    """Raise ValueError unless text is a URL template that `Links` accepts."""
    check_url(text.replace(_HOST, "https://host/", 1))
    is_changed = _FILTERED.search(text) is not None
    if is_changed or text.count(_PATH) != 1 or Template(text).fields - _FIELDS != {"path"}:
        raise ValueError("not a template of the URL of a file")


@attrs.frozen
class Links:
    """URL templates of a file.

    Both have the field `path` once, and may have `host`, `owner`, `name`, `branch` and `commit`,
    all without filters.

    Attributes:
        web: template of its web view.
        raw: template of its bytes.

    Raises:
        ValueError: a template has other fields.

    """

    web: str
    raw: str

    def __attrs_post_init__(self) -> None:
        check_link(self.web)
        check_link(self.raw)


FileUrls = Callable[[str], tuple[str, str]]
"""Returns the URLs of web view and raw file for a path."""


def file_urls_of(links: Links, remote: Remote, *, branch: str, commit: str) -> FileUrls:
    """Return the URLs of the files of one repository at one reference."""
    names = {"owner": remote.owner, "name": remote.name, "branch": branch, "commit": commit}
    values = {name: percent_encode(value) for name, value in names.items()}
    values["host"] = remote.host  # not percent-encoded: the colon before the port is kept

    def around(text: str) -> tuple[str, str]:
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", value)
        head, _, tail = text.partition(_PATH)
        return head, tail

    web, raw = around(links.web), around(links.raw)

    def urls_of(path: str) -> tuple[str, str]:
        encoded = percent_encode(path)
        return encoded.join(web), encoded.join(raw)

    return urls_of


_FILE_PATHS: Final[Mapping[HostKind, tuple[str, str]]] = {
    "bitbucket": ("src/{branch}/{path}", "raw/{branch}/{path}"),
    "gitea": ("src/branch/{branch}/{path}", "raw/branch/{branch}/{path}"),
    "gitee": ("blob/{branch}/{path}", "raw/{branch}/{path}"),
    "github": ("blob/{branch}/{path}", "raw/{branch}/{path}"),
    "gitlab": ("-/blob/{branch}/{path}", "-/raw/{branch}/{path}"),
    "sourcehut": ("tree/{branch}/item/{path}", "blob/{branch}/{path}"),
}
"""Web view and raw file below the URL of a repository."""
_LINKS: Final = {
    kind: Links(*(f"{_HOST}{{owner}}/{{name}}/{path}" for path in paths))
    for kind, paths in _FILE_PATHS.items()
}
_GITHUB_HOST: Final = "github.com"
_GITHUB: Final = Links(
    _LINKS["github"].web, "https://raw.githubusercontent.com/{owner}/{name}/{branch}/{path}"
)
_HOSTS: Final[Mapping[str, HostKind]] = {
    "bitbucket.org": "bitbucket",
    "codeberg.org": "gitea",
    "git.sr.ht": "sourcehut",
    "gitea.com": "gitea",
    "gitee.com": "gitee",
    _GITHUB_HOST: "github",
    "gitlab.com": "gitlab",
}
_LABELS: Final[Mapping[str, HostKind]] = {
    "forgejo": "gitea",
    "gitea": "gitea",
    "github": "github",
    "gitlab": "gitlab",
}
"""First label of a host name to the software of the host."""


def links_of(host: str, kind: HostKind | None = None) -> Links | None:
    """Return the templates of a host; None if `kind` is None and unknown from the host name."""
    kind = kind or _HOSTS.get(host) or _LABELS.get(host.partition(".")[0])
    if kind is None:
        return None
    return _GITHUB if (host, kind) == (_GITHUB_HOST, "github") else _LINKS[kind]
