"""The arguments that functions accept as bytes."""

import pytest

from purewire.bytes_like import is_octets, to_bytes


class TestToBytes:
    @pytest.mark.parametrize("value", [b"ab", bytearray(b"ab"), memoryview(b"ab")])
    def test_bytes_of_any_type_are_taken(self, value: bytes) -> None:
        assert to_bytes(value) == b"ab"
        assert type(to_bytes(value)) is bytes

    def test_a_view_gives_what_it_shows(self) -> None:
        assert to_bytes(memoryview(b"abcd")[::2]) == b"ac"

    def test_text_needs_an_encoding(self) -> None:
        with pytest.raises(TypeError, match="bytes are needed, not str: encode the text as UTF-8"):
            to_bytes("ab")

    @pytest.mark.parametrize("value", [5, None, [1, 2], {"a": 1}])
    def test_nothing_else_is_taken(self, value: object) -> None:
        """Python would make five zero bytes of 5."""
        with pytest.raises(TypeError, match=f"bytes are needed, not {type(value).__name__}$"):
            to_bytes(value)


class TestIsOctets:
    def test_other_values_are_not_bytes(self) -> None:
        assert is_octets(b"")
        assert not is_octets({})

    def test_text_is_rejected(self) -> None:
        with pytest.raises(TypeError, match="bytes are needed, not str"):
            is_octets("{}")
