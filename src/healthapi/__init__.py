"""Contract models and a pure engine that publish the data of a wearable.

The input is the bytes of files and a time; the output is one immutable value.  Entry points:

- `load`: read the files of a profile into a `Profile`, or raise `DataError`, which names the file;
- `Profile`: rows of every dataset, series, cards, correlations, sections, tables, catalog;
- `draw`: draw a series as an SVG chart; `Picture` displays itself in a notebook;
- `clean`: redact an account snapshot, or any other JSON value;
- `Service`: all endpoints as an exchange; `healthapi.adapters` binds it to HTTP and folders.
"""

from typing import TYPE_CHECKING

from healthapi.derived.periods import Series
from healthapi.errors import DataError
from healthapi.models import ActivityRow, DailyRow, HrvRow, PeriodRow, RhrRow, SleepLog, SleepRow
from healthapi.profile import Profile, derive, load
from healthapi.redaction import PrivacySettings, clean
from healthapi.rows.findings import CellFinding, Findings
from healthapi.rows.mapping import NATIVE, Column, ProfileMap, TableMap, Term
from healthapi.rows.rows import Rows
from status_contracts import late_names
from status_contracts.structuring.converter import unstructure

if TYPE_CHECKING:
    from healthapi.chart import draw
    from healthapi.service import Service
    from status_contracts.svg.image import Picture

    __version__: str

__all__ = [
    "NATIVE",
    "ActivityRow",
    "CellFinding",
    "Column",
    "DailyRow",
    "DataError",
    "Findings",
    "HrvRow",
    "PeriodRow",
    "Picture",
    "PrivacySettings",
    "Profile",
    "ProfileMap",
    "RhrRow",
    "Rows",
    "Series",
    "Service",
    "SleepLog",
    "SleepRow",
    "TableMap",
    "Term",
    "clean",
    "derive",
    "draw",
    "load",
    "unstructure",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = late_names(
        __name__, "healthapi.chart", "healthapi.service", "status_contracts.svg.image"
    )
