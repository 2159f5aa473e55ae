"""Contract models and a pure engine for publishing what a computer is doing.

Bytes come in, values go out, time is an argument in milliseconds since the epoch.  The doors:

- `parse_snapshot`, `parse_window`: a body to a valid model, or `ContractError`;
- `check_snapshot`, `check_window`: every fault of a body, a plain value or a model;
- `prepare`: a window made ready to be projected at any instant;
- `explain`: why a record is online or offline, and until when;
- `Service`: all endpoints as an exchange; `devicestatus.adapters` binds it to HTTP and stores.
"""

from devicestatus.catalog import ITUNES, CatalogHosts
from devicestatus.errors import ContractError
from devicestatus.explain import Explanation, explain
from devicestatus.ingest import check_snapshot, check_window, parse_snapshot, parse_window
from devicestatus.projection import PreparedWindow, Uncovered, prepare
from devicestatus.service import Service
from devicestatus.settings import Settings
from devicestatus.snapshot import Battery, Music, Snapshot, System
from devicestatus.window import (
    Playback,
    Window,
    WindowChanges,
    WindowEvent,
    WindowGap,
    WindowPolicy,
)
from purewire.absent import ABSENT, Absent
from purewire.findings import Finding

__all__ = [
    "ABSENT",
    "ITUNES",
    "Absent",
    "Battery",
    "CatalogHosts",
    "ContractError",
    "Explanation",
    "Finding",
    "Music",
    "Playback",
    "PreparedWindow",
    "Service",
    "Settings",
    "Snapshot",
    "System",
    "Uncovered",
    "Window",
    "WindowChanges",
    "WindowEvent",
    "WindowGap",
    "WindowPolicy",
    "check_snapshot",
    "check_window",
    "explain",
    "parse_snapshot",
    "parse_window",
    "prepare",
]
