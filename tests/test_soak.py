"""The small form of the soak (see `soak`): two thousand requests, no fault, nothing that grows."""

import pytest
from demonstration.probes import Answer, Probe

from support.servers.soak import CLIENTS, Measured, measured, problem_of

REQUESTS = 2000
MOST_GROWTH = 4 * 2**20
"""Bytes of resident memory: what caches and allocators still take after a short warm-up."""


@pytest.fixture(scope="module")
def soaked() -> list[Measured]:
    return measured(REQUESTS)


class TestSoak:
    def test_all_three_products_are_asked(self, soaked: list[Measured]) -> None:
        assert [one.name for one in soaked] == ["devicestatus", "healthapi", "sitedata"]
        assert all(one.answers == REQUESTS // 3 for one in soaked)

    def test_every_answer_is_right(self, soaked: list[Measured]) -> None:
        assert [fault for one in soaked for fault in one.faults] == []

    def test_no_descriptor_stays_open(self, soaked: list[Measured]) -> None:
        for one in soaked:
            begin, end = one.descriptors
            assert end <= begin, one
            assert begin < 30 + CLIENTS, one

    def test_memory_does_not_grow(self, soaked: list[Measured]) -> None:
        for one in soaked:
            begin, end = one.memory
            assert end - begin < MOST_GROWTH, one


class TestFaults:
    def test_what_is_not_expected_or_breaks_a_rule_is_a_fault(self) -> None:
        probe = Probe("GET", "/api/now", 200, "it")
        assert problem_of(probe, Answer(503, {}, b"")) == "expected 200"
        assert problem_of(probe, Answer(204, {}, b"x")) is not None
        right = Answer(200, {"access-control-allow-origin": "*"}, b"")
        assert problem_of(probe, right) is None
