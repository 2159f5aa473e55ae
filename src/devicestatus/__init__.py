"""Models, validation and a pure engine for publishing the activity of a computer.

Functions take bytes and return values; time is an argument, in ms since the epoch.

- `parse_snapshot`, `parse_window`: parse a body into a valid model, or raise `ContractError`.
- `check_snapshot`, `check_window`: return every fault of a body, a plain value or a model.
- `encode`: encode a model as bytes, or raise `ContractError`.
- `unstructure`: convert a model to plain JSON values; `devicestatus.converters`: hooks for cattrs.
- `from_datetime`, `to_datetime`: convert an aware `datetime` to ms since the epoch, and back.
- `prepare`: prepare a window for projection to any instant.
- `join_windows`: join the uploads of a session into one window.
- `intervals`, `total_durations`: when each value held, and for how long in total.
- `explain`: explain why a record is online or offline, and until when.
- `Recorder`, `PrivacyRules`: record samples of the computer as windows.
- `Player`: play windows back in a consumer.
- `Service`: all endpoints; `devicestatus.adapters` binds it to HTTP servers and stores.
"""

from typing import TYPE_CHECKING

from status_contracts import late_names

if TYPE_CHECKING:
    from devicestatus.agent.privacy import PrivacyRules
    from devicestatus.agent.recorder import Recorder
    from devicestatus.durations import Interval, intervals, total_durations
    from devicestatus.errors import ContractError
    from devicestatus.explanation import Explanation, explain
    from devicestatus.joining import join_windows
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
    from status_contracts.instants import from_datetime, to_datetime
    from status_contracts.primitives import ABSENT, Absent
    from status_contracts.structuring.converter import unstructure

    __version__: str

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
    "unstructure",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = late_names(
        __name__,
        "devicestatus.models",
        "status_contracts.instants",
        "devicestatus.errors",
        "status_contracts.findings",
        "devicestatus.parsing",
        "devicestatus.projection",
        "devicestatus.durations",
        "devicestatus.joining",
        "devicestatus.music_urls",
        "devicestatus.settings",
        "devicestatus.agent.privacy",
        "devicestatus.agent.recorder",
        "devicestatus.player",
        "devicestatus.explanation",
        "devicestatus.service",
        "status_contracts.structuring.converter",
    )
