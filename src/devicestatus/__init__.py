"""Contract models and a pure engine for publishing what a computer is doing.

Bytes come in, values go out, time is an argument in milliseconds since the epoch.  The doors:

- `parse_snapshot`, `parse_window`: a body to a valid model, or `ContractError`;
- `check_snapshot`, `check_window`: every fault of a body, a plain value or a model;
- `prepare`: a window made ready to be projected at any instant;
- `explain`: why a record is online or offline, and until when;
- `Service`: all endpoints as an exchange; `devicestatus.adapters` binds it to HTTP and stores;
- `devicestatus.playback`, `.sampling`, `.delivery`: both ends of the window.
"""

from purewire.exports import exporting

TYPE_CHECKING = False  # as in `typing`, whose import would cost more than this whole package
if TYPE_CHECKING:
    from devicestatus.catalog import ITUNES, CatalogHosts
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

__getattr__, __dir__ = exporting(
    globals(),
    {
        "devicestatus.catalog": "ITUNES CatalogHosts",
        "devicestatus.errors": "ContractError",
        "devicestatus.explanation": "Explanation explain",
        "devicestatus.ingest": "check_snapshot check_window parse_snapshot parse_window",
        "devicestatus.projection": "PreparedWindow Uncovered prepare",
        "devicestatus.service": "Service",
        "devicestatus.settings": "Settings",
        "devicestatus.snapshot": "Battery Music Snapshot System",
        "devicestatus.window": ("Playback Window WindowChanges WindowEvent WindowGap WindowPolicy"),
        "purewire.absent": "ABSENT Absent",
        "purewire.findings": "Finding",
    },
)
