"""Gaps added in any order: sorted, disjoint, clipped and limited in number."""

from collections.abc import Iterable
from itertools import pairwise
from random import Random

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

    def test_what_no_timestamp_can_name_has_no_effect(self) -> None:
        assert all_of(gaps_of((gap(-(10**20), 10**20),))) == (gap(FIRST_INSTANT, LAST_INSTANT),)
        assert not all_of(gaps_of((gap(LAST_INSTANT, LAST_INSTANT + 9),)))

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
    def test_gaps_that_end_at_the_start_or_before_are_forgotten_and_one_across_it_stays(
        self,
    ) -> None:
        gaps = gaps_of((gap(0, 10), gap(20, 30), gap(40, 50)))
        gaps.discard_before(30)
        assert all_of(gaps) == (gap(40, 50),)
        gaps.discard_before(49)
        assert all_of(gaps) == (gap(40, 50),)
