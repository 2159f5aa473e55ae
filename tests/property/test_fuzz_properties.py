"""The properties that are fuzzed hold for their seeds, damaged seeds, heavy texts and any bytes."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.faults.damage import BYTES, damaged
from support.faults.fuzz_properties import PROPERTIES
from support.faults.fuzz_seeds import ALWAYS, SEEDS
from support.faults.heavy_bodies import heavy_texts


@cache
def seeds_of(name: str) -> tuple[bytes, ...]:
    return (*SEEDS[name](), *ALWAYS)


@pytest.mark.parametrize("name", PROPERTIES)
class TestAnyBytes:
    def test_seeds(self, name: str) -> None:
        for data in seeds_of(name):
            PROPERTIES[name](data)

    def test_damaged_seeds(self, name: str) -> None:
        seeds = st.sampled_from(seeds_of(name))  # drawn here, outside of the test of Hypothesis

        @settings(max_examples=25)
        @given(damaged(seeds))
        def check(data: bytes) -> None:
            PROPERTIES[name](data)

        check()

    @settings(max_examples=15)
    @given(st.binary(max_size=60) | st.lists(BYTES, max_size=10).map(b"".join))
    def test_arbitrary_bytes(self, name: str, data: bytes) -> None:
        PROPERTIES[name](data)

    def test_heavy_texts(self, name: str) -> None:
        for data in heavy_texts(8192).values():
            PROPERTIES[name](data)


def test_every_property_has_seeds() -> None:
    assert PROPERTIES.keys() == SEEDS.keys()
    assert all(len(seeds_of(name)) > len(ALWAYS) for name in PROPERTIES)
