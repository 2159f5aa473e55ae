"""The two answers that gather a profile: its summary, and the whole dashboard.

Source: health facts, sections 6 and 14.  Both are plain values; links are the service's to add.

Invariant *nothing of its own*: each part is what its own resource gives, so that a client who has
the dashboard need not ask for it again.
"""

from typing import Any, Final

from healthapi.account.snapshot import status_of
from healthapi.profile import Profile
from purewire.structuring.to_builtins import to_plain

__all__ = ["dashboard", "summary"]

_DAYS: Final = 90
_WEEKS: Final = 16
_MONTHS: Final = 12
"""The last rows of each granularity that the charts of a dashboard show."""


def summary(profile: Profile) -> dict[str, Any]:
    """Give what a first look at a profile needs."""
    return {
        "profile": profile.person.plain(),
        "overview": to_plain(profile.overview),
        "coverage": _coverage(profile),
        "data_catalog": profile.catalog.plain(),
        "snapshot_status": status_of(profile.snapshot),
    }


def dashboard(profile: Profile) -> dict[str, Any]:
    """Give everything that a dashboard shows."""
    return {
        "generated_at": profile.generated_at,
        "profile": profile.person.plain(),
        "overview": to_plain(profile.overview),
        "coverage": _coverage(profile),
        "stats": [to_plain(card) for card in profile.cards],
        "correlations": [to_plain(each) for each in profile.correlations],
        "data_catalog": profile.catalog.plain(),
        "charts": {
            "daily": profile.daily.plain(-_DAYS),
            "weekly": profile.weekly.plain(-_WEEKS),
            "monthly": profile.monthly.plain(-_MONTHS),
        },
        "sections": [section.plain() for section in profile.sections],
        "tables": [table.plain() for table in profile.tables],
        "snapshot_status": status_of(profile.snapshot),
    }


def _coverage(profile: Profile) -> dict[str, Any]:
    return {dataset: to_plain(each) for dataset, each in profile.coverage.items()}
