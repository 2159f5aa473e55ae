"""Parse the URL of a remote to host, owner and name of the repository.

Source: design decisions under "Site-data file".

Invariant *no credentials*: only host, owner and name are taken from a URL, each of harmless
characters; otherwise the result is None.
Invariant *pure*: a URL is only text; nothing is looked up.

Contract: SD-LINK-09.
"""

import re
from typing import Final

import attrs

from sitedata.reading.publishing_rules import is_https

__all__ = ["Remote", "is_host", "parse_remote"]

_MAX_LENGTH: Final = 2048  # characters; real URLs have about a hundred
_LABEL: Final = r"[a-z0-9_](?:[a-z0-9_-]*+(?<!-))?+"
_HOST: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*+(?::[0-9]{{1,5}}+)?")
_URL: Final = re.compile(
    r"(?P<scheme>https?|ssh|git|git\+ssh|ssh\+git)://(?:[^/@]*+@)?+(?P<host>[^/:@]++)"
    r"(?::(?P<port>[0-9]*+))?/++(?P<path>[^?#]++)",
    re.IGNORECASE,
)
_SCP: Final = re.compile(r"(?:[^/@:]++@)?+(?P<host>[^/:@\\]{2,}+):(?P<path>[^?#]++)")
_SEGMENT: Final = re.compile(r"~?[A-Za-z0-9_.-]++")
_HTTPS_PORTS: Final = (None, "", "443")
_SSH_HOSTS: Final = {
    "altssh.bitbucket.org": "bitbucket.org",
    "altssh.gitlab.com": "gitlab.com",
    "ssh.github.com": "github.com",
}
"""SSH-only host to the host of its web view."""


@attrs.frozen
class Remote:
    """A repository on a host.

    Attributes:
        host: host name in lower case, with a port unless it is the default one.
        owner: all segments before the name, joined by slashes (a group and its subgroups).
        name: the repository's name, without `.git`.

    """

    host: str
    owner: str
    name: str


def is_host(text: str) -> bool:
    """Check whether text is a plain host name in lower case, with an optional port."""
    return _HOST.fullmatch(text) is not None and is_https(f"https://{text}/")


def parse_remote(url: str) -> Remote | None:
    """Parse the URL of a remote: https, http, ssh, git, or `git@host:owner/name.git`.

    Return None if it has no host, as a local path, or lacks owner or name.
    """
    if len(url) > _MAX_LENGTH:
        return None
    found = _URL.fullmatch(url)
    if found is not None:
        return _remote(_authority(found), found["path"])
    found = None if "://" in url else _SCP.fullmatch(url)
    return None if found is None else _remote(found["host"].lower(), found["path"])


def _authority(found: re.Match[str]) -> str:
    """Return the host of the web view; the port is kept for https only."""
    host, port = found["host"].lower(), found["port"]
    is_web = found["scheme"].lower() == "https"
    return f"{host}:{port}" if is_web and port not in _HTTPS_PORTS else host


def _remote(host: str, path: str) -> Remote | None:
    *owners, name = path.strip("/").removesuffix(".git").split("/")
    host = _SSH_HOSTS.get(host, host)
    if not owners or not is_host(host) or not all(map(_is_segment, (*owners, name))):
        return None
    return Remote(host, "/".join(owners), name)


def _is_segment(text: str) -> bool:
    return _SEGMENT.fullmatch(text) is not None and text not in (".", "..")
