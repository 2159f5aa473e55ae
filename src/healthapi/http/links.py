"""Build links to resources: relative to the URL of the response, or below a base URL.

A relative link is a relative-path reference (RFC 3986 section 4.2).  It needs neither the host nor
the mount point, so that it is correct behind a proxy that removes a prefix from the path.

Invariant *independent of the request*: links depend on the endpoint and the configuration alone, so
that a shared cache may serve one response to every client.
Invariant *links resolve*: every link has a path that the service knows; a key that no path can
address has no link.

Contract: HA-LINK-01 to 05.
"""

from typing import Final
from urllib.parse import quote, urlsplit

import attrs

from healthapi.http.endpoints import ROOT

_PATHS: Final = {
    "self": "",
    **{
        name: f"/{name}"
        for name in ("dashboard", "catalog", "overview", "coverage", "metrics", "correlations")
    },
    "series_daily": "/series/daily",
    "series_weekly": "/series/weekly",
    **{name: f"/{name}" for name in ("datasets", "sections", "tables", "snapshot")},
    "chart_overview": "/charts/overview-trend.svg",
    "chart_weekly": "/charts/weekly-trend.svg",
}
_DOT_SEGMENTS: Final = frozenset({"", ".", ".."})


@attrs.frozen
class Links:
    """The links of one response; `start` precedes a path below the index."""

    start: str

    @classmethod
    def from_base(cls, base_url: str) -> "Links":
        """Return absolute links below a base URL without a trailing slash."""
        return cls(f"{base_url}{ROOT}/")

    @classmethod
    def relative_to(cls, path: str) -> "Links":
        """Return links relative to the URL of an endpoint, given by its path below the index."""
        depth = path.count("/")
        return cls("../" * (depth - 1) if depth else f"{ROOT.rpartition('/')[2]}/")

    def to(self, path: str) -> str:
        """Return the link to a path below the index, which begins with a slash."""
        return f"{self.start}{path[1:]}"

    def below(self, profile_id: str, subpath: str = "") -> str:
        """Return the link to a path below a profile."""
        return self.to(f"/profiles/{profile_id}{subpath}")

    def of(self, profile_id: str) -> dict[str, str]:
        """Return the links of a profile by name."""
        return {name: self.below(profile_id, subpath) for name, subpath in _PATHS.items()}

    def endpoint(self, profile_id: str, key: str) -> str | None:
        """Return the link to a snapshot endpoint; None if no path can address its key."""
        if key in _DOT_SEGMENTS or "/" in key or "\0" in key:
            return None
        return self.below(profile_id, f"/snapshot/endpoints/{quote(key, safe='')}")


def parse_base_url(url: str) -> str:
    """Return a configured base URL without trailing slashes.

    Raises:
        ValueError: It is not an absolute http or https URL, has a query, fragment or credentials,
            or contains characters that must be percent-encoded.

    """
    parts = urlsplit(url)
    is_valid = parts.scheme in {"http", "https"} and parts.hostname and parts.username is None
    if not is_valid or quote(url, safe="/:@!$*+,;=~[]%") != url:
        raise ValueError(
            "the base URL must be an absolute http or https URL without query and fragment"
        )
    return url.rstrip("/")
