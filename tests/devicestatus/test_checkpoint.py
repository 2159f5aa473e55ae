"""Checkpoints: written completely, validated as strictly as a batch, and refused with a reason."""

from typing import Any

import pytest

from devicestatus import limits
from devicestatus.agent.checkpoint import (
    MAX_CHECKPOINT_BYTES,
    Checkpoint,
    NotResumed,
    NotResumedReason,
    encode_checkpoint,
    parse_checkpoint,
)
from devicestatus.models import WindowGap
from devicestatus.music_urls import ITUNES, CatalogHosts
from status_contracts import json_text
from status_contracts.instants import FIRST_INSTANT, LAST_INSTANT
from support.devicestatus.examples import NOON, SESSION, WINDOW_END, event, gap, plain, window

PRINT = "ab" * 32
MAX_NUMBER = 2**52
SAVED = WINDOW_END + 5


def checkpoint(**members: Any) -> Checkpoint:
    """Return a checkpoint written shortly after the end of its window."""
    filled: dict[str, Any] = {
        "saved_at": SAVED,
        "fingerprint": PRINT,
        "session_id": SESSION,
        "batch_seq": 6,
        "seq": 2,
        "window": window(batch_seq=7, events=(event(1, NOON + 1), event(2, NOON + 2))),
        "ahead": (),
    }
    return Checkpoint(**(filled | members))


def empty(**members: Any) -> Checkpoint:
    return checkpoint(**{"batch_seq": 0, "seq": 0, "window": None, **members})


def reading(
    text: bytes, *, now_ms: int = SAVED, catalog: CatalogHosts = ITUNES
) -> Checkpoint | NotResumed:
    return parse_checkpoint(text, fingerprint=PRINT, now_ms=now_ms, catalog=catalog)


def reason(value: Checkpoint | bytes, **options: Any) -> NotResumedReason | None:
    """Return why a checkpoint is not used, None where it is."""
    text = value if isinstance(value, bytes) else encode_checkpoint(value)
    found = reading(text, **options)
    return found.reason if isinstance(found, NotResumed) else None


class TestRoundTrip:
    @pytest.mark.parametrize(
        "each", [checkpoint(), empty(), checkpoint(window=window(batch_seq=7))]
    )
    def test_what_was_written_is_read(self, each: Checkpoint) -> None:
        assert reading(encode_checkpoint(each)) == each

    @pytest.mark.parametrize(
        ("saved_at", "nearest"), [(-(10**20), FIRST_INSTANT), (10**20, LAST_INSTANT)]
    )
    def test_an_instant_that_has_no_text_becomes_the_nearest(
        self, saved_at: int, nearest: int
    ) -> None:
        text = encode_checkpoint(empty(saved_at=saved_at))
        assert reading(text, now_ms=nearest) == empty(saved_at=nearest)


class TestUnreadable:
    def test_a_text_too_long_is_unreadable(self) -> None:
        text = encode_checkpoint(checkpoint())
        assert reason(text.ljust(MAX_CHECKPOINT_BYTES)) is None
        assert reason(text.ljust(MAX_CHECKPOINT_BYTES + 1)) == "unreadable"
        assert str(reading(b"{")) == "it cannot be read"

    def test_the_longest_window_and_all_gaps_ahead_fit(self) -> None:
        ahead = tuple(WindowGap(SAVED + 2 * n, SAVED + 2 * n + 1, "collection") for n in range(128))
        rest = len(encode_checkpoint(empty(ahead=ahead)))
        assert limits.BATCH_BODY_BYTES + rest < MAX_CHECKPOINT_BYTES


class TestInvalid:
    """Invariants *validated* and *numbers do not run out*."""

    @pytest.mark.parametrize(
        "change",
        [
            {"version": 2},
            {"extra": 1},
            {"saved_at": "2026-01-01T12:00:00Z"},
            {"fingerprint": "AB" * 32},
            {"session_id": "x"},
            {"batch_seq": -1},
            {"seq": MAX_NUMBER + 1},
            {"window": 5},
            {"ahead": [{}]},
        ],
    )
    def test_a_member_that_breaks_its_rule(self, change: dict[str, Any]) -> None:
        text = json_text.encode(plain(checkpoint()) | change)
        assert reason(text) == "invalid"

    @pytest.mark.parametrize(
        "each",
        [
            checkpoint(session_id=SESSION.replace("0", "1")),
            checkpoint(batch_seq=7),
            checkpoint(batch_seq=5),
            checkpoint(seq=1),
            checkpoint(window=window(batch_seq=7, dropped_events=3)),
            checkpoint(ahead=(gap(WINDOW_END - 1, WINDOW_END + 1),)),
            *(empty(batch_seq=1), empty(seq=1), empty(ahead=(gap(1, 2),))),
        ],
    )
    def test_members_that_do_not_belong_together(self, each: Checkpoint) -> None:
        assert reason(each) == "invalid"

    @pytest.mark.parametrize("name", ["batch_seq", "seq"])
    def test_numbers_without_space_for_more(self, name: str) -> None:
        for number, wanted in ((MAX_NUMBER, None), (MAX_NUMBER + 1, "invalid")):
            members = {name: number}
            data = window(batch_seq=members.get("batch_seq", 6) + 1)
            assert reason(checkpoint(window=data, **members)) == wanted


class TestUnfit:
    """Invariant *fresh and of the same rules*."""

    def test_900_seconds_are_good_and_more_is_old(self) -> None:
        for each in (checkpoint(), empty()):
            assert reason(each, now_ms=SAVED + 900_000) is None
            assert reason(each, now_ms=SAVED + 900_001) == "old"

    def test_one_whose_window_is_of_the_future_is_ahead(self) -> None:
        each = checkpoint(saved_at=WINDOW_END - 60_000)
        assert reason(each, now_ms=WINDOW_END - 1) == "ahead"
        assert reason(each, now_ms=WINDOW_END) is None
