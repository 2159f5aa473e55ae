"""Remembering the last result."""

from purewire.memo import LastResult


class TestLastResult:
    def test_an_equal_argument_is_not_computed_again(self) -> None:
        asked: list[bytes] = []

        def length(argument: bytes) -> int:
            asked.append(argument)
            return len(argument)

        remembered = LastResult(length)
        assert [remembered(bytes([97] * 3)) for _ in range(3)] == [3, 3, 3]
        assert asked == [b"aaa"]

    def test_another_argument_is(self) -> None:
        remembered = LastResult(len)
        assert [remembered(word) for word in (b"a", b"bb", b"a")] == [1, 2, 1]

    def test_a_result_of_none_is_remembered_too(self) -> None:
        asked: list[bytes] = []
        remembered = LastResult(asked.append)
        remembered(b"a")
        remembered(b"a")
        assert asked == [b"a"]
