"""Where a file is shown and where it lies raw: templates of its URLs, filled in for a repository.

Source: site-data specification, "Problem object" (`githubUrl`, `rawUrl`).

Invariant *https whatever the names*: scheme and host are written out or are a checked host, and
every other value is percent-encoded.
"""

import re
from typing import Final, Literal

import attrs

from sitedata.building.paths import quoted
from sitedata.building.remotes import Remote
from sitedata.building.templates import Template, check_url

__all__ = ["HostKind", "Links", "Site", "check_link", "site_of"]

HostKind = Literal["bitbucket", "gitea", "gitee", "github", "gitlab", "sourcehut"]
"""What runs on a host; Codeberg and Forgejo are as Gitea is."""

_PATH: Final = "{path}"
_HOST: Final = "https://{host}/"
_FIELDS: Final = frozenset(["host", "owner", "name", "branch", "commit"])
_FILTERED: Final = re.compile(r"\{[^{}:]*+:")


def check_link(text: str) -> None:
    """Raise ValueError unless text is a template of a file's URL, as `Links` has them."""
    check_url(text.replace(_HOST, "https://host/", 1))
    is_changed = _FILTERED.search(text) is not None
    if is_changed or text.count(_PATH) != 1 or Template(text).fields - _FIELDS != {"path"}:
        raise ValueError("no template of the URL of a file")


@attrs.frozen
class Links:
    """Templates of the URLs of a file.

    Attributes:
        web: of its web view.
        raw: of its bytes.

    Both have the field `path` once, and may have `host`, `owner`, `name`, `branch` and `commit`,
    all without filters.  Raises ValueError for others.

    """

    web: str
    raw: str

    def __attrs_post_init__(self) -> None:
        check_link(self.web)
        check_link(self.raw)


@attrs.frozen
class Site:
    """The links of one repository at one reference: what stands around the path of a file."""

    web: tuple[str, str]
    raw: tuple[str, str]

    def urls(self, path: str) -> tuple[str, str]:
        """Give the URLs of web view and raw file for a path that is percent-encoded."""
        return path.join(self.web), path.join(self.raw)


def site_of(links: Links, remote: Remote, *, branch: str, commit: str) -> Site:
    """Fill in everything but the path."""
    names = {"owner": remote.owner, "name": remote.name, "branch": branch, "commit": commit}
    values = {name: quoted(value) for name, value in names.items()}
    values["host"] = remote.host  # no segment: the colon before its port stays

    def around(text: str) -> tuple[str, str]:
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", value)
        head, _, tail = text.partition(_PATH)
        return head, tail

    return Site(around(links.web), around(links.raw))
