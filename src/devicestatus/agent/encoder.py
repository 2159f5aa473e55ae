"""The text of a window put together from pieces that were encoded once.

Invariant *the same text*: `window_text` gives, byte for byte, what `jsontext.encode(to_plain(...))`
gives for the window of which the pieces are.
Invariant *no larger*: apart from baseline and events, a text is at most `FRAME_BYTES` and
`GAP_BYTES` for each gap; a piece stands for itself and a comma.
Source: device-status specification, "Window (v2 record, WindowInput)".
"""

from collections.abc import Iterable, Mapping
from typing import Final

from devicestatus import limits
from devicestatus.models.window import Window, WindowChanges
from purewire.instants import FIRST_INSTANT, format_instant
from purewire.json import codec
from purewire.structuring.to_builtins import to_plain

__all__ = ["FRAME_BYTES", "GAP_BYTES", "Pieces", "event_text", "pieces_of", "window_text"]

Pieces = Mapping[str, bytes]
"""Member of a snapshot or of changes to the text of its value."""

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

FRAME_BYTES: Final = len(_FRAME % (_SESSION, _LARGEST, *[_INSTANT] * 4, b"", b"", b"[]", _LARGEST))
"""The longest text of a window without the members of its baseline, events and gaps."""
GAP_BYTES: Final = 1 + len(_GAP % (_INSTANT, _INSTANT))
"""The longest text of a gap, and a comma."""


def pieces_of(changes: WindowChanges) -> Pieces:
    """Encode each member of changes that is given."""
    return {name: codec.encode(value) for name, value in to_plain(changes).items()}


def event_text(seq: int, at: int, pieces: Pieces) -> bytes:
    """Give the text of an event from the pieces of its changes."""
    return _EVENT % (seq, format_instant(at).encode(), _members(pieces, pieces))


def window_text(window: Window, baseline: Pieces, events: Iterable[bytes]) -> bytes:
    """Give the text of a window from the pieces of its baseline and the texts of its events."""
    start = format_instant(window.window_start).encode()
    return _FRAME % (
        codec.encode(window.session_id),
        window.batch_seq,
        format_instant(window.generated_at).encode(),
        start,
        format_instant(window.window_end).encode(),
        start,
        _members(baseline, (name for name in _BASELINE if name in baseline)),
        b",".join(events),
        codec.encode([to_plain(gap) for gap in window.gaps]),
        window.dropped_events,
    )


def _members(pieces: Pieces, names: Iterable[str]) -> bytes:
    return b",".join(b'"%b":%b' % (name.encode(), pieces[name]) for name in names)
