"""Parse the URL of a remote, and build the URLs of files from the URL templates of its host.

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
_HTTPS_PORTS: Final = (None, "", "443")
_SSH_HOSTS: Final = {
    "altssh.bitbucket.org": "bitbucket.org",
    "altssh.gitlab.com": "gitlab.com",
    "ssh.github.com": "github.com",
}
"""SSH-only host to the host of its web view."""
HostKind = Literal["bitbucket", "gitea", "gitee", "github", "gitlab", "sourcehut"]
"""Software of a host; Codeberg and Forgejo count as Gitea."""
_PATH: Final = "{path}"
_HOST: Final = "https://{host}/"
_FIELDS: Final = frozenset(["host", "owner", "name", "branch", "commit", "path"])
_FIELD: Final = re.compile(r"\{([a-z]++)\}")
_TEMPLATE: Final = re.compile(
    r"""(https://[a-z0-9.-]++(?::[0-9]++)?/)"""
    r"""(?:\{[a-z]++\}|[^"'<>\\^`{|}\[\]\x00-\x20\x7f-\U0010ffff])*+"""
)
FileUrls = Callable[[str], tuple[str, str]]
"""Returns the URLs of web view and raw file for a path."""
_FILE_PATHS: Final[Mapping[HostKind, tuple[str, str]]] = {
    "bitbucket": ("src/{branch}/{path}", "raw/{branch}/{path}"),
    "gitea": ("src/branch/{branch}/{path}", "raw/branch/{branch}/{path}"),
    "gitee": ("blob/{branch}/{path}", "raw/{branch}/{path}"),
    "github": ("blob/{branch}/{path}", "raw/{branch}/{path}"),
    "gitlab": ("-/blob/{branch}/{path}", "-/raw/{branch}/{path}"),
    "sourcehut": ("tree/{branch}/item/{path}", "blob/{branch}/{path}"),
}
"""Web view and raw file below the URL of a repository."""
_GITHUB_HOST: Final = "github.com"
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
        return _remote(_authority(match), match["path"])
    match = None if "://" in url else _SCP.fullmatch(url)
    return None if match is None else _remote(match["host"].lower(), match["path"])


def _authority(match: re.Match[str]) -> str:
    """Return the host of the web view; the port is kept for https only."""
    host, port = match["host"].lower(), match["port"]
    is_web = match["scheme"].lower() == "https"
    return f"{host}:{port}" if is_web and port not in _HTTPS_PORTS else host


def _remote(host: str, path: str) -> Remote | None:
    *owners, name = path.strip("/").removesuffix(".git").split("/")
    host = _SSH_HOSTS.get(host, host)
    if not owners or not is_host(host) or not all(map(_SEGMENT.fullmatch, (*owners, name))):
        return None
    return Remote(host, "/".join(owners), name)


def check_link(text: str) -> None:
    """Raise ValueError unless text is a URL template that `Links` accepts."""
    match = _TEMPLATE.fullmatch(text.replace(_HOST, "https://host/", 1))
    fields = _FIELD.findall(text)
    if match is None or not is_https(match[1]):
        raise ValueError("not a template of an https URL with a literal host")
    if fields.count("path") != 1 or not _FIELDS.issuperset(fields):
        raise ValueError("not a template of the URL of a file")


@attrs.frozen
class Links:
    """URL templates of the web view and of the bytes of a file.

    Both have the field `path` once, and may have `host`, `owner`, `name`, `branch` and `commit`;
    otherwise ValueError is raised.
    """

    web: str
    raw: str

    def __attrs_post_init__(self) -> None:
        check_link(self.web)
        check_link(self.raw)


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


_LINKS: Final = {
    kind: Links(*(f"{_HOST}{{owner}}/{{name}}/{path}" for path in paths))
    for kind, paths in _FILE_PATHS.items()
}


_GITHUB: Final = Links(
    _LINKS["github"].web, "https://raw.githubusercontent.com/{owner}/{name}/{branch}/{path}"
)


def links_of(host: str, kind: HostKind | None = None) -> Links | None:
    """Return the templates of a host; None if `kind` is None and unknown from the host name."""
    kind = kind or _HOSTS.get(host) or _LABELS.get(host.partition(".")[0])
    if kind is None:
        return None
    return _GITHUB if (host, kind) == (_GITHUB_HOST, "github") else _LINKS[kind]
