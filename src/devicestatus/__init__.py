"""Models, validation and a pure engine for publishing the activity of a computer.

Functions take bytes and return values; time is an argument, in ms since the epoch.

- `parse_snapshot`, `parse_window`: parse a body into a valid model, or raise `ContractError`.
- `check_snapshot`, `check_window`: return every fault of a body, a plain value or a model.
- `encode`: encode a model as bytes, or raise `ContractError`.
- `from_datetime`, `to_datetime`: convert an aware `datetime` to ms since the epoch, and back.
- `prepare`: prepare a window for projection to any instant.
- `join_windows`: join the uploads of a session into one window.
- `intervals`, `total_durations`: when each value held, and for how long in total.
- `explain`: explain why a record is online or offline, and until when.
- `Recorder`, `PrivacyRules`: record samples of the computer as windows.
- `Player`: play windows back in a consumer.
- `Service`: all endpoints; `devicestatus.adapters` binds it to HTTP servers and stores.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from devicestatus.models import (
    Battery,
    Music,
    PlaybackInfo,
    Snapshot,
    System,
    Window,
    WindowChanges,
    WindowEvent,
    WindowGap,
    WindowPolicy,
)
from status_contracts import lazy_names
from status_contracts.instants import from_datetime, to_datetime
from status_contracts.primitives import ABSENT, Absent

if TYPE_CHECKING:
    from devicestatus.agent.privacy import PrivacyRules
    from devicestatus.agent.recorder import Recorder
    from devicestatus.durations import Interval, intervals, total_durations
    from devicestatus.errors import ContractError
    from devicestatus.explanation import Explanation, explain
    from devicestatus.joining import join_windows
    from devicestatus.music_urls import ITUNES, CatalogHosts
    from devicestatus.parsing import (
        check_snapshot,
        check_window,
        encode,
        parse_snapshot,
        parse_window,
    )
    from devicestatus.player import Player
    from devicestatus.projection import NoData, PreparedWindow, prepare
    from devicestatus.service import Service
    from devicestatus.settings import Settings
    from status_contracts.findings import Finding

    __version__: str
else:
    __getattr__, __dir__ = lazy_names(
        globals(),
        {
            "devicestatus.agent.privacy": "PrivacyRules",
            "devicestatus.agent.recorder": "Recorder",
            "devicestatus.explanation": "Explanation explain",
            "devicestatus.durations": "Interval intervals total_durations",
            "devicestatus.joining": "join_windows",
            "devicestatus.projection": "NoData PreparedWindow prepare",
            "devicestatus.errors": "ContractError",
            "devicestatus.service": "Service",
            "devicestatus.player": "Player",
            "devicestatus.settings": "Settings",
            "devicestatus.music_urls": "ITUNES CatalogHosts",
            "devicestatus.parsing": (
                "check_snapshot check_window encode parse_snapshot parse_window"
            ),
            "status_contracts.findings": "Finding",
        },
    )

__all__ = [
    "ABSENT",
    "ITUNES",
    "Absent",
    "Battery",
    "CatalogHosts",
    "ContractError",
    "Explanation",
    "Finding",
    "Interval",
    "Music",
    "NoData",
    "PlaybackInfo",
    "Player",
    "PreparedWindow",
    "PrivacyRules",
    "Recorder",
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
    "intervals",
    "join_windows",
    "parse_snapshot",
    "parse_window",
    "prepare",
    "to_datetime",
    "total_durations",
]


def _notebook() -> ModuleType:
    """Import the drawing code when a notebook shows a value."""
    return import_module("devicestatus.timeline")


Window._repr_svg_ = lambda window: _notebook().window_svg(window)
Window._repr_html_ = lambda window: _notebook().window_html(window)
Snapshot._repr_html_ = lambda snapshot: _notebook().snapshot_html(snapshot)
