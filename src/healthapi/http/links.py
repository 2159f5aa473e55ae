"""Where the resources are: URLs below the place at which the client finds the service.

Source: rulings under "Links"; health facts, section 6.

Invariant *links lead somewhere*: what is linked has a path that the service knows; what no path can
address has no link.
"""

from typing import Final
from urllib.parse import quote, urlsplit

import attrs

from healthapi.http.endpoints import ROOT

__all__ = ["Links", "checked_base"]

_STEPS: Final = {
    "self": "",
    "dashboard": "/dashboard",
    "catalog": "/catalog",
    "overview": "/overview",
    "coverage": "/coverage",
    "metrics": "/metrics",
    "correlations": "/correlations",
    "series_daily": "/series/daily",
    "series_weekly": "/series/weekly",
    "datasets": "/datasets",
    "sections": "/sections",
    "tables": "/tables",
    "snapshot": "/snapshot",
    "chart_overview": "/charts/overview-trend.svg",
    "chart_weekly": "/charts/weekly-trend.svg",
}
_DOT_SEGMENTS: Final = frozenset({"", ".", ".."})


@attrs.frozen
class Links:
    """The URLs of one deployment.

    Attributes:
        base: URL of the mount point without a slash at its end; empty for links that begin at the
            root.

    """

    base: str

    def to(self, path: str = "") -> str:
        """Give the URL of a path below the index."""
        return f"{self.base}{ROOT}{path}"

    def below(self, profile_id: str, steps: str = "") -> str:
        """Give the URL of steps below a profile."""
        return self.to(f"/profiles/{profile_id}{steps}")

    def of(self, profile_id: str) -> dict[str, str]:
        """Give the links of a profile by name."""
        return {name: self.below(profile_id, steps) for name, steps in _STEPS.items()}

    def endpoint(self, profile_id: str, key: str) -> str | None:
        """Give the URL of a snapshot endpoint; None for a key that no path can have."""
        if key in _DOT_SEGMENTS or "/" in key or "\0" in key:
            return None
        return self.below(profile_id, f"/snapshot/endpoints/{quote(key, safe='')}")


def checked_base(url: str) -> str:
    """Give a configured base URL without slashes at its end; raises ValueError for any other text.

    It is an absolute http or https URL without query and fragment, of characters that stand in
    URLs as they are.
    """
    parts = urlsplit(url)
    whole = parts.scheme in {"http", "https"} and parts.hostname and parts.username is None
    if not whole or quote(url, safe="/:@!$*+,;=~[]%") != url:
        raise ValueError("the base URL is an absolute http or https URL without query and fragment")
    return url.rstrip("/")
