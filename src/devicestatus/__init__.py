"""Contract models and a pure engine for publishing what a computer is doing.

Bytes come in, values go out, time is an argument in milliseconds since the epoch.  Entry points:

- `parse_snapshot`, `parse_window`: a body to a valid model, or `ContractError`;
- `check_snapshot`, `check_window`: every fault of a body, a plain value or a model;
- `encode`: a model to the bytes to send, or `ContractError`;
- `from_datetime`, `to_datetime`: an aware `datetime` to milliseconds since the epoch, and back;
- `prepare`: a window made ready to be projected at any instant;
- `explain`: why a record is online or offline, and until when;
- `Service`: all endpoints as an exchange; `devicestatus.adapters` binds it to HTTP and stores;
- `devicestatus.player.player`, `.sampling`, `.delivery`: both ends of the window.
"""

from devicestatus.engine.explanation import Explanation, explain
from devicestatus.engine.projection import NoData, PreparedWindow, prepare
from devicestatus.errors import ContractError
from devicestatus.http.service import Service
from devicestatus.models.snapshot import Battery, Music, Snapshot, System
from devicestatus.models.window import (
    PlaybackInfo,
    Window,
    WindowChanges,
    WindowEvent,
    WindowGap,
    WindowPolicy,
)
from devicestatus.settings import Settings
from devicestatus.validation.encoding import encode
from devicestatus.validation.music_urls import ITUNES, CatalogHosts
from devicestatus.validation.parse import check_snapshot, check_window, parse_snapshot, parse_window
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
    "NoData",
    "PlaybackInfo",
    "PreparedWindow",
    "Service",
    "Settings",
    "Snapshot",
    "System",
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
