"""Contract models and a pure engine for publishing what a wearable measured.

Files come in as bytes, one immutable value comes out, time is an argument.  Entry points:

- `load`: the files of a profile to a `Profile`, or `DataError` naming the file;
- `Profile`: rows of every dataset, series, cards, correlations, sections, tables, catalog;
- `draw`: a series as an SVG chart, and `Picture`, which shows itself in a notebook;
- `clean`: an account snapshot, or any JSON value, without secrets;
- `Service`: all endpoints as an exchange; `healthapi.adapters` binds it to HTTP and folders.
"""

from healthapi.charts.chart import draw
from healthapi.derived.series import Series
from healthapi.errors import DataError
from healthapi.profile import Profile, derive, load
from healthapi.redaction.walk import PrivacySettings, clean
from healthapi.rows.columns import LIFESNAPS, NATIVE, Column, ProfileMap, TableMap
from healthapi.rows.findings import CellFinding, Findings
from healthapi.rows.records import (
    ActivityRow,
    DailyRow,
    HrvRow,
    PeriodRow,
    RhrRow,
    Rows,
    SleepLog,
    SleepRow,
)
from healthapi.service import Service
from purewire.absent import ABSENT, Absent
from purewire.svg.image import Picture

__all__ = [
    "ABSENT",
    "LIFESNAPS",
    "NATIVE",
    "Absent",
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
    "clean",
    "derive",
    "draw",
    "load",
]


def __dir__() -> list[str]:
    return list(__all__)
