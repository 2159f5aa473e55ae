"""Bodies whose numbers the fast decoder parses slowly are found; others are left alone."""

import pytest

from purewire.json.codec import decode, has_slow_numbers


@pytest.mark.parametrize("number", ["1e308", "-1.5E-308", "1e+99", "9" * 20, "0.1" + "0" * 20])
def test_many_are_found(number: str) -> None:
    for blank in ("", " ", "\n"):
        assert has_slow_numbers(f"[{','.join([blank + number] * 65)}]".encode())
        assert not has_slow_numbers(f"[{','.join([blank + number] * 64)}]".encode())


@pytest.mark.parametrize("number", ["1", "0.30000000000000004", "1e9", "87.23404255319149", "true"])
def test_usual_ones_are_not(number: str) -> None:
    assert not has_slow_numbers(f"[{','.join([number] * 1000)}]".encode())


def test_texts_that_look_like_numbers_are_not() -> None:
    text = '"1e308/00000000000000000000/7e12-9E99"'
    assert not has_slow_numbers(f"[{','.join([text] * 1000)}]".encode())


@pytest.mark.parametrize("number", ["1e308", "5e-324", "1.7976931348623157e308", "1e400", "-1e-9"])
def test_they_have_the_same_values(number: str) -> None:
    many = decode(f"[{','.join([number] * 1000)}]".encode())
    assert many == [float(number)] * 1000
