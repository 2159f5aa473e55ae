"""A history slides, folds events and stays within its limits."""

import pytest

from devicestatus import limits
from devicestatus.agent.history import History
from devicestatus.models import Window, WindowChanges, present_members
from status_contracts import json_text as codec
from status_contracts.structuring.converter import unstructure
from support.checks.costs import assert_linear
from support.devicestatus.examples import NOON, SESSION, event, gap, snapshot

pytestmark = pytest.mark.uncounted

SPAN = 900_000
FULL = limits.BATCH_BODY_BYTES


def new_history() -> History:
    return History.begin(NOON, WindowChanges(**present_members(snapshot())))


def window_of(history: History) -> Window:
    return history.window(SESSION, 1, history.end)


def filled(count: int, *, step: int = 1, length: int = 0) -> History:
    """Return a history of `count` events, `step` ms apart, with names of `length` more letters."""
    history = new_history()
    for seq in range(1, count + 1):
        history.advance(NOON + seq * step)
        name = f"App {seq}" + "x" * length
        history.append(event(seq, history.end, active_app=name))
    return history


class TestMove:
    """DS-AGENT-05."""

    def test_a_span_of_900_seconds_keeps_its_start(self) -> None:
        history = new_history()
        history.advance(NOON + SPAN)
        assert history.start == NOON
        history.advance(NOON + SPAN + 1)
        assert history.start == NOON + 1

    def test_an_event_at_the_end_less_900_seconds_folds_and_a_later_one_stays(self) -> None:
        history = new_history()
        for seq, at in enumerate((NOON + 5, NOON + 6), start=1):
            history.advance(at)
            history.append(event(seq, at))
        history.advance(NOON + 5 + SPAN)
        data = window_of(history)
        assert data.window_start == NOON + 5
        assert data.baseline == snapshot(collected_at=NOON + 5, active_app="App 1")
        assert [each.seq for each in data.events] == [2]

    def test_gaps_slide_out_and_are_clipped(self) -> None:
        history = new_history()
        history.advance(NOON + 100)
        history.add_gap(NOON, NOON + 10, "sleep")
        history.add_gap(NOON + 20, NOON + 100, "clock")
        history.advance(NOON + SPAN + 30)
        assert window_of(history).gaps == (gap(NOON + 30, NOON + 100, "clock"),)


class TestFit:
    """Invariants *bounded* and *simultaneous events may be split*."""

    def test_2048_events_stay_and_of_2049_the_oldest_folds(self) -> None:
        assert filled(2048).dropped == 0
        history = filled(2049)
        data = window_of(history)
        assert (len(data.events), data.dropped_events) == (2048, 1)
        assert (data.window_start, data.baseline.active_app) == (NOON + 1, "App 1")

    def test_the_byte_limit_folds_the_oldest(self) -> None:
        history = filled(2048, length=190)
        data = window_of(history)
        assert 0 < data.dropped_events == 2048 - len(data.events)
        assert data.window_start == NOON + data.dropped_events
        assert len(codec.encode(unstructure(data))) <= FULL

    def test_the_size_is_that_of_the_text_with_the_longest_numbers(self) -> None:
        for count in (0, 1, 50):
            history = filled(count)
            history.add_gap(NOON, NOON + 1, "collection")
            text = codec.encode(unstructure(window_of(history)))
            assert len(text) <= history.size < len(text) + 150

    def test_a_smaller_limit_folds_more_and_what_is_folded_stays_folded(self) -> None:
        history = filled(1000, length=190)
        history.shrink_to(limits.BATCH_BODY_BYTES_LEAST)
        assert history.size <= limits.BATCH_BODY_BYTES_LEAST
        dropped = history.dropped
        history.shrink_to(FULL)
        assert len(window_of(history).events) == 1000 - dropped < 1000

    def test_where_nothing_more_can_be_folded_no_event_is_left(self) -> None:
        history = filled(10)
        history.shrink_to(1)
        data = window_of(history)
        assert (data.events, data.dropped_events) == ((), 10)
        assert data.baseline.active_app == "App 10"

    def test_gaps_count_as_well(self) -> None:
        history = filled(2048, length=190)
        before = history.dropped
        history.advance(history.end + SPAN // 2)
        for n in range(128):
            history.add_gap(NOON + 3000 + 2 * n, NOON + 3001 + 2 * n, "sleep")
        assert history.dropped > before
        assert len(codec.encode(unstructure(window_of(history)))) <= FULL

    def test_the_smallest_limit_holds_any_state_and_any_gaps(self) -> None:
        wide = "\N{LINEAR B SYLLABLE B008 A}"
        url = "https://a.mzstatic.com/".ljust(limits.URL_LENGTH, wide)
        state = WindowChanges(
            wide * limits.NAME_LENGTH,
            tuple(wide * (limits.NAME_LENGTH - 2) + f"{n:02}" for n in range(limits.RUNNING_APPS)),
            snapshot().battery,
            snapshot().system,
            type(snapshot().music)(
                "playing", wide * limits.TITLE_LENGTH, wide * limits.TITLE_LENGTH, url, url
            ),
        )
        history = History.begin(NOON, state)
        history.advance(NOON + 1000)
        for n in range(limits.WINDOW_GAPS):
            history.add_gap(NOON + 2 * n, NOON + 2 * n + 1, "collection")
        assert history.size <= limits.BATCH_BODY_BYTES_LEAST


@pytest.mark.rule("DS-AGENT-07")
@pytest.mark.check
class TestCost:
    """DS-AGENT-07."""

    def test_a_burst_costs_in_proportion_to_its_events(self) -> None:
        assert_linear(lambda count: filled(count, length=190), lambda size: size, 2500)


class TestMark:
    def test_a_gap_ahead_waits_for_the_window(self) -> None:
        history = new_history()
        history.add_gap(NOON + 5, NOON + 50, "collection")
        history.advance(NOON + 20)
        assert window_of(history).gaps == (gap(NOON + 5, NOON + 20, "collection"),)
        assert history.gaps_ahead() == (gap(NOON + 20, NOON + 50, "collection"),)
        history.advance(NOON + 100)
        assert window_of(history).gaps == (gap(NOON + 5, NOON + 50, "collection"),)
        assert history.gaps_ahead() == ()

    def test_a_gap_that_slid_out_takes_no_place_among_the_128(self) -> None:
        history = new_history()
        for number in range(limits.WINDOW_GAPS):
            history.add_gap(NOON + 10 * number, NOON + 10 * number + 5, "sleep")
        history.advance(NOON + SPAN + 7)
        history.add_gap(NOON + SPAN, NOON + SPAN + 5, "sleep")
        gaps = window_of(history).gaps
        assert len(gaps) == limits.WINDOW_GAPS
        assert gaps[0] == gap(NOON + 10, NOON + 15)

    def test_nor_does_one_before_what_was_folded(self) -> None:
        history = new_history()
        for number in range(limits.WINDOW_GAPS):
            history.add_gap(NOON + 10 * number, NOON + 10 * number + 5, "sleep")
        history.advance(NOON + 7)
        history.append(event(1, NOON + 7))
        history.shrink_to(0)
        history.add_gap(NOON + SPAN, NOON + SPAN + 5, "sleep")
        history.advance(NOON + SPAN + 7)
        gaps = window_of(history).gaps
        assert len(gaps) == limits.WINDOW_GAPS
        assert gaps[0] == gap(NOON + 10, NOON + 15)
