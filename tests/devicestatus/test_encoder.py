"""The text of a window from encoded parts: identical bytes, within the stated size."""

from hypothesis import given

from devicestatus import limits
from devicestatus.agent.encoder import (
    MAX_FRAME_BYTES,
    MAX_GAP_BYTES,
    encode_event,
    encode_members,
    encode_window,
)
from devicestatus.models.window import Window, WindowChanges, present_members
from devicestatus.testing.strategies import changes, crowded_windows, windows
from purewire.json import codec
from purewire.structuring.to_builtins import to_builtins
from support.devicestatus.examples import NOON, event, gap, snapshot, window

MOST = limits.LARGEST_INTEGER


def text_of(data: Window) -> bytes:
    """Encode a window from its encoded parts."""
    events = [encode_event(each.seq, each.at, encode_members(each.changes)) for each in data.events]
    return encode_window(
        data, encode_members(WindowChanges(**present_members(data.baseline))), events
    )


class TestWindowText:
    """Invariants *identical* and *size limits*."""

    @given(windows())
    def test_it_is_the_text_that_the_window_has_otherwise(self, data: Window) -> None:
        assert text_of(data) == codec.encode(to_builtins(data))

    @given(crowded_windows())
    def test_it_is_of_full_windows_too(self, data: Window) -> None:
        assert text_of(data) == codec.encode(to_builtins(data))

    @given(windows())
    def test_what_is_not_baseline_or_events_is_no_longer_than_stated(self, data: Window) -> None:
        parts = [
            encode_event(each.seq, each.at, encode_members(each.changes)) for each in data.events
        ]
        members = encode_members(WindowChanges(**present_members(data.baseline))).items()
        stated = MAX_FRAME_BYTES + MAX_GAP_BYTES * len(data.gaps)
        pieces = [*parts, *(f'"{name}":'.encode() + piece for name, piece in members)]
        assert len(text_of(data)) <= stated + sum(len(piece) + 1 for piece in pieces)

    def test_the_frame_is_no_longer_than_it_must_be(self) -> None:
        data = window(
            batch_seq=MOST, dropped_events=MOST, gaps=(gap(NOON, NOON + 1, "collection"),)
        )
        members = encode_members(WindowChanges(**present_members(data.baseline))).items()
        baseline = sum(len(name) + len(piece) + len(b'"":,') for name, piece in members)
        assert len(text_of(data)) == MAX_FRAME_BYTES + MAX_GAP_BYTES + baseline - len(b",,")


class TestEventText:
    @given(changes())
    def test_it_is_the_text_that_the_event_has_otherwise(self, drawn: WindowChanges) -> None:
        whole = event(7, NOON, **present_members(drawn))
        assert encode_event(7, NOON, encode_members(drawn)) == codec.encode(to_builtins(whole))


class TestPiecesOf:
    def test_members_that_are_not_given_have_no_piece(self) -> None:
        assert encode_members(WindowChanges(active_app=None)) == {"active_app": b"null"}
        assert "running_apps" not in encode_members(WindowChanges(**present_members(snapshot())))
