"""The properties that are fuzzed hold for their seeds, damaged seeds, heavy texts and any bytes."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.faults.fuzz_properties import PROPERTIES
from support.faults.fuzz_seeds import ALWAYS, SEEDS
from support.faults.heavy_bodies import heavy_texts

FRAGMENTS = st.sampled_from(
    [
        *(bytes([code]) for code in b"{}[]:,\"'\\ \n\r\t0019.-+eE=#&?%/;*\x00\x7f\xff"),
        *(b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\\ud800", b"\\u0000", b"1e999", b"9" * 500),
        *(b"null", b"true", b"NaN", b'"":', b"\r\n", b"..", b"%2e", b"__class__", b"{0}"),
    ]
) | st.binary(max_size=4)


@cache
def seeds_of(name: str) -> tuple[bytes, ...]:
    return (*SEEDS[name](), *ALWAYS)


@st.composite
def damaged(draw: st.DrawFn, name: str) -> bytes:
    """Draw a seed with a few bytes replaced, left out, put in, or taken from another."""
    data = draw(st.sampled_from(seeds_of(name)))
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 8)))
        data = data[:start] + draw(FRAGMENTS) + data[end:]
    return data


@pytest.mark.parametrize("name", PROPERTIES)
class TestAnyBytes:
    def test_seeds(self, name: str) -> None:
        for data in seeds_of(name):
            PROPERTIES[name](data)

    @settings(max_examples=25)
    @given(st.data())
    def test_damaged_seeds(self, name: str, data: st.DataObject) -> None:
        PROPERTIES[name](data.draw(damaged(name)))

    @settings(max_examples=15)
    @given(st.binary(max_size=60) | st.lists(FRAGMENTS, max_size=10).map(b"".join))
    def test_arbitrary_bytes(self, name: str, data: bytes) -> None:
        PROPERTIES[name](data)

    def test_heavy_texts(self, name: str) -> None:
        for data in heavy_texts(8192).values():
            PROPERTIES[name](data)


def test_every_property_has_seeds() -> None:
    assert PROPERTIES.keys() == SEEDS.keys()
    assert all(len(seeds_of(name)) > len(ALWAYS) for name in PROPERTIES)
