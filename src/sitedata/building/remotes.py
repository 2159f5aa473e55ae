"""What the URL of a remote says: host, owner and name of the repository.

Source: rulings under "Site-data file".

Invariant *credentials never leave*: of a URL only host, owner and name are taken, each of harmless
characters; a URL that has anything else there says nothing at all.
Invariant *pure*: a URL is read as text; nothing is looked up, no path is followed.
"""

import re
from typing import Final

import attrs

from sitedata.reading.publishing_rules import is_https

__all__ = ["Remote", "is_host", "remote_of"]

_LONGEST: Final = 2048  # characters; real ones have a hundred
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
"""Hosts that only speak ssh, and those that show what lies on them."""


@attrs.frozen
class Remote:
    """A repository on a host.

    Attributes:
        host: host name in lower case, with a port where it is not the usual one.
        owner: everything before the name; a group and its subgroups have slashes between them.
        name: the repository's name, without `.git`.

    """

    host: str
    owner: str
    name: str


def is_host(text: str) -> bool:
    """Tell whether text is a plain host name in lower case, with at most a port."""
    return _HOST.fullmatch(text) is not None and is_https(f"https://{text}/")


def remote_of(url: str) -> Remote | None:
    """Read the URL of a remote: https, http, ssh, git, or `git@host:owner/name.git`.

    None where it names no host, as a folder does, or not both owner and name.
    """
    if len(url) > _LONGEST:
        return None
    found = _URL.fullmatch(url)
    if found is not None:
        return _remote(_authority(found), found["path"])
    found = None if "://" in url else _SCP.fullmatch(url)
    return None if found is None else _remote(found["host"].lower(), found["path"])


def _authority(found: re.Match[str]) -> str:
    """Give the host of the web view; only that of https is known to have the same port."""
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
