"""Publish the solved problems of a git repository: contract models and a pure engine.

The package takes bytes and returns values; time is an argument.  Entry points:

- `parse`, `structure`: bytes, or a plain value, to a valid `Snapshot`, or `SiteDataError`;
- `check`: all problems and broken publishing rules of a value, without raising;
- `encode`: a snapshot to its bytes, without losing members;
- `ordered`, `select`, `group`, `counts`: order, filter and count problems;
- `calendar_of`, `heatmap`: the contribution calendar, and its image;
- `from_datetime`, `to_datetime`: an aware `datetime` to milliseconds since the epoch, and back;
- `build`: the history of a git repository to a snapshot; `sitedata.adapters.git` reads it;
- `Service`: the HTTP service of the file; `CacheState`: the state of a client.
"""

from typing import TYPE_CHECKING

from sitedata.building.builder import BuildResult, build
from sitedata.building.history import History
from sitedata.building.settings import BuildSettings
from sitedata.errors import SiteDataError
from sitedata.models import Problem, Repository, Snapshot
from sitedata.parsing import Report, check, encode, parse, structure
from status_contracts import late_names
from status_contracts.findings import Finding
from status_contracts.instants import from_datetime, to_datetime
from status_contracts.structuring.converter import unstructure
from status_contracts.structuring.decoder import SettingsError

if TYPE_CHECKING:
    from sitedata.client import CacheState, Outcome
    from sitedata.service import Published, Service, publish
    from sitedata.views.calendar import Calendar, Streak, calendar_of
    from sitedata.views.heatmap import heatmap
    from sitedata.views.selecting import Counts, counts, group, ordered, select
    from status_contracts.svg.image import Picture

    __version__: str

__all__ = [
    "BuildResult",
    "BuildSettings",
    "CacheState",
    "Calendar",
    "Counts",
    "Finding",
    "History",
    "Outcome",
    "Picture",
    "Problem",
    "Published",
    "Report",
    "Repository",
    "Service",
    "SettingsError",
    "SiteDataError",
    "Snapshot",
    "Streak",
    "build",
    "calendar_of",
    "check",
    "counts",
    "encode",
    "from_datetime",
    "group",
    "heatmap",
    "ordered",
    "parse",
    "publish",
    "select",
    "structure",
    "to_datetime",
    "unstructure",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = late_names(
        __name__,
        "sitedata.views.selecting",
        "sitedata.views.calendar",
        "sitedata.views.heatmap",
        "sitedata.service",
        "sitedata.client",
        "status_contracts.svg.image",
    )
