"""Gaps added in any order: sorted, disjoint, clipped and limited in number."""

from collections.abc import Iterable
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devicestatus.agent.history import GapList
from devicestatus.models import GapReason, WindowGap
from status_contracts.instants import FIRST_INSTANT, LAST_INSTANT
from support.devicestatus.examples import gap

REASONS: list[GapReason] = ["sleep", "restart", "collection", "overflow", "clock"]
SPAN = 40
reported = st.lists(
    st.builds(WindowGap, st.integers(0, SPAN), st.integers(0, SPAN), st.sampled_from(REASONS)),
    max_size=12,
)


def gaps_of(reported: Iterable[WindowGap]) -> GapList:
    gaps = GapList()
    for each in reported:
        gaps.add(each)
    return gaps


def all_of(gaps: GapList) -> tuple[WindowGap, ...]:
    return gaps.within(FIRST_INSTANT, LAST_INSTANT)


class TestAdd:
    """DS-AGENT-08."""

    def test_different_reasons_merge_to_collection(self) -> None:
        assert all_of(gaps_of((gap(1, 3), gap(2, 4, "clock")))) == (gap(1, 4, "collection"),)

    @pytest.mark.parametrize("empty", [gap(5, 5), gap(6, 5)])
    def test_an_interval_without_an_instant_has_no_effect(self, empty: WindowGap) -> None:
        assert len(gaps_of((empty,))) == 0

    def test_what_no_timestamp_can_name_has_no_effect(self) -> None:
        assert all_of(gaps_of((gap(-(10**20), 10**20),))) == (gap(FIRST_INSTANT, LAST_INSTANT),)
        assert not all_of(gaps_of((gap(LAST_INSTANT, LAST_INSTANT + 9),)))

    def test_of_more_than_128_the_oldest_two_merge(self) -> None:
        gaps = gaps_of(gap(n * 10, n * 10 + 1) for n in range(129))
        assert len(gaps) == 128
        assert all_of(gaps)[:2] == (gap(0, 11), gap(20, 21))

    @given(reported)
    def test_gaps_hold_exactly_the_instants_that_were_reported(
        self, reported: list[WindowGap]
    ) -> None:
        found = all_of(gaps_of(reported))
        held = [at for each in found for at in range(each.start_at, each.end_at)]
        assert held == sorted({at for each in reported for at in range(each.start_at, each.end_at)})
        assert all(one.end_at < other.start_at for one, other in pairwise(found))

    @given(reported, st.randoms(use_true_random=False))
    def test_the_order_in_which_gaps_are_reported_changes_nothing(
        self, reported: list[WindowGap], chance: Random
    ) -> None:
        shuffled = chance.sample(reported, len(reported))
        assert all_of(gaps_of(shuffled)) == all_of(gaps_of(reported))


class TestWithin:
    def test_gaps_are_clipped(self) -> None:
        gaps = gaps_of((gap(0, 10), gap(20, 30), gap(40, 50)))
        assert gaps.within(5, 45) == (gap(5, 10), gap(20, 30), gap(40, 45))


class TestForget:
    def test_gaps_that_end_at_the_start_or_before_are_forgotten(self) -> None:
        gaps = gaps_of((gap(0, 10), gap(20, 30), gap(40, 50)))
        gaps.discard_before(30)
        assert all_of(gaps) == (gap(40, 50),)

    def test_a_gap_across_the_start_stays_whole(self) -> None:
        gaps = gaps_of((gap(0, 10),))
        gaps.discard_before(9)
        assert all_of(gaps) == (gap(0, 10),)
