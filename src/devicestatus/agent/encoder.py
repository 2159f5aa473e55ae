"""Encode windows from parts that were encoded once.

Invariant *identical*: `encode_window` returns, byte for byte, what `codec.encode(to_builtins(...))`
returns for the same window.
Invariant *size limits*: apart from baseline and events, a text is at most `MAX_FRAME_BYTES` and
`MAX_GAP_BYTES` for each gap; the latter includes a comma.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from devicestatus import limits
from devicestatus.models.window import Window, WindowChanges
from purewire.instants import FIRST_INSTANT, format_instant
from purewire.json import codec
from purewire.structuring.to_builtins import to_builtins

EncodedMembers = Mapping[str, bytes]
"""Member of a snapshot or of changes to its value as JSON text."""

_BASELINE: Final = ("active_app", "battery", "system", "music", "running_apps")
"""The members of a baseline after its version and instant, in their order."""

_FRAME: Final = (
    b'{"schema_version":2,"session_id":%b,"batch_seq":%d,"generated_at":"%b","window_start":"%b",'
    b'"window_end":"%b","baseline":{"schema_version":1,"collected_at":"%b",%b},"events":[%b],'
    b'"gaps":%b,"dropped_events":%d}'
)
_EVENT: Final = b'{"seq":%d,"at":"%b","changes":{%b}}'

_INSTANT: Final = format_instant(FIRST_INSTANT).encode()
_LARGEST: Final = limits.LARGEST_INTEGER
_SESSION: Final = b'"00000000-0000-0000-0000-000000000000"'
_GAP: Final = b'{"start_at":"%b","end_at":"%b","reason":"collection"}'

MAX_FRAME_BYTES: Final = len(
    _FRAME % (_SESSION, _LARGEST, *[_INSTANT] * 4, b"", b"", b"[]", _LARGEST)
)
"""The longest text of a window without the members of its baseline, events and gaps."""
MAX_GAP_BYTES: Final = 1 + len(_GAP % (_INSTANT, _INSTANT))
"""The longest text of a gap, and a comma."""


def encode_members(changes: WindowChanges) -> EncodedMembers:
    """Encode each member of changes that is given."""
    return {name: codec.encode(value) for name, value in to_builtins(changes).items()}


def encode_event(seq: int, at: int, members: EncodedMembers) -> bytes:
    """Return the text of an event from the encoded members of its changes."""
    return _EVENT % (seq, format_instant(at).encode(), _join(members, members))


def encode_window(window: Window, baseline: EncodedMembers, events: Iterable[bytes]) -> bytes:
    """Return the text of a window from the encoded baseline and the texts of its events."""
    start = format_instant(window.window_start).encode()
    return _FRAME % (
        codec.encode(window.session_id),
        window.batch_seq,
        format_instant(window.generated_at).encode(),
        start,
        format_instant(window.window_end).encode(),
        start,
        _join(baseline, (name for name in _BASELINE if name in baseline)),
        b",".join(events),
        codec.encode([to_builtins(gap) for gap in window.gaps]),
        window.dropped_events,
    )


def _join(members: EncodedMembers, names: Iterable[str]) -> bytes:
    return b",".join(b'"%b":%b' % (name.encode(), members[name]) for name in names)
