"""Contract models and a pure engine for publishing what a computer is doing.

Bytes come in, values go out, time is an argument in milliseconds since the epoch.  Entry points:

- `parse_snapshot`, `parse_window`: a body to a valid model, or `ContractError`;
- `check_snapshot`, `check_window`: every fault of a body, a plain value or a model;
- `encode`: a model to the bytes to send, or `ContractError`;
- `from_datetime`, `to_datetime`: an aware `datetime` to milliseconds since the epoch, and back;
- `prepare`: a window made ready to be projected at any instant;
- `explain`: why a record is online or offline, and until when;
- `Service`: all endpoints as an exchange; `devicestatus.adapters` binds it to HTTP and stores;
- `devicestatus.playback`, `.sampling`, `.delivery`: both ends of the window.
"""

from devicestatus.catalog import ITUNES, CatalogHosts
from devicestatus.encoding import encode
from devicestatus.errors import ContractError
from devicestatus.explanation import Explanation, explain
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
from purewire.instants import from_datetime, to_datetime

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
    "encode",
    "explain",
    "from_datetime",
    "parse_snapshot",
    "parse_window",
    "prepare",
    "to_datetime",
]


def __dir__() -> list[str]:
    return list(__all__)
