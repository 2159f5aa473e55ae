"""Contract models and a pure engine for publishing what somebody practises in a code repository.

Bytes come in, values go out, time is an argument.  The doors:

- `parse`: bytes to a valid `Snapshot`, or `SiteDataError` with every fault found;
- `check`: every fault and every broken publishing rule of a value, without raising;
- `encode`: a snapshot to its bytes; what was read and is written loses nothing.
"""

from sitedata.errors import SiteDataError
from sitedata.reading.checking import Report, check
from sitedata.reading.models import Problem, Repository, Snapshot
from sitedata.reading.structuring import encode, parse, read

__all__ = [
    "Problem",
    "Report",
    "Repository",
    "SiteDataError",
    "Snapshot",
    "check",
    "encode",
    "parse",
    "read",
]
