"""The hosts that are known without being configured, and the links of each kind.

Source: rulings under "Site-data file"; the hosts' own public addresses.
"""

from collections.abc import Mapping
from typing import Final

from sitedata.building.hosts import HostKind, Links

__all__ = ["links_of"]

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
"""What runs on a host whose name begins so."""


def links_of(host: str, kind: HostKind | None = None) -> Links | None:
    """Give the templates of a host; None where neither its kind is given nor its name tells it."""
    kind = kind or _HOSTS.get(host) or _LABELS.get(host.partition(".")[0])
    if kind is None:
        return None
    return _GITHUB if (host, kind) == (_GITHUB_HOST, "github") else _LINKS[kind]
