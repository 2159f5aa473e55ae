"""A history slides, folds events and stays within its limits."""

import pytest

from devicestatus import limits
from devicestatus.agent.history import History
from devicestatus.models import Window, WindowChanges, present_members
from status_contracts import json_text
from status_contracts.structuring.converter import unstructure
from support.checks.costs import assert_linear
from support.devicestatus.examples import NOON, SESSION, event, gap, snapshot

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


class TestFit:
    """Invariants *bounded* and *simultaneous events may be split*."""

    def test_the_size_is_that_of_the_text_with_the_longest_numbers(self) -> None:
        for count in (0, 1, 50):
            history = filled(count)
            history.add_gap(NOON, NOON + 1, "collection")
            history.dropped = limits.LARGEST_INTEGER
            window = history.window(SESSION, limits.LARGEST_INTEGER, history.end)
            text = json_text.encode(unstructure(window))
            assert len(text) <= history.size < len(text) + 110

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
        assert len(json_text.encode(unstructure(window_of(history)))) <= FULL

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
    @pytest.mark.parametrize("is_folded", [False, True])
    def test_a_gap_that_slid_out_or_precedes_what_was_folded_takes_no_place_among_the_128(
        self, *, is_folded: bool
    ) -> None:
        history = new_history()
        for number in range(limits.WINDOW_GAPS):
            history.add_gap(NOON + 10 * number, NOON + 10 * number + 5, "sleep")
        history.advance(NOON + (7 if is_folded else SPAN + 7))
        if is_folded:
            history.append(event(1, NOON + 7))
            history.shrink_to(0)
        history.add_gap(NOON + SPAN, NOON + SPAN + 5, "sleep")
        history.advance(NOON + SPAN + 7)
        gaps = window_of(history).gaps
        assert len(gaps) == limits.WINDOW_GAPS
        assert gaps[0] == gap(NOON + 10, NOON + 15)
