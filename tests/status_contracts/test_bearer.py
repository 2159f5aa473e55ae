"""Invariants *the text is not kept* and *constant time*."""

import gc
import hmac
import pickle
import pprint
import traceback
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from status_contracts.messages import Secret

CANARY = "canary-0123456789abcdef0123456789abcdef"
HEADER = f"Bearer {CANARY}".encode()


OTHERS = (
    *(b"", b"Bearer ", b"bearer " + CANARY.encode(), b"Bearer  " + CANARY.encode()),
    *(b"Bearer\t" + CANARY.encode(), b"Basic " + CANARY.encode(), HEADER + b" ", b" " + HEADER),
    *(HEADER + b"x", HEADER[:-1], HEADER[:-1] + b"F", HEADER + b", " + HEADER),
)


class TestAuthorizes:
    @pytest.mark.parametrize(
        ("text", "lines"),
        [
            *((CANARY, (line,)) for line in OTHERS),
            (CANARY, ()),
            (CANARY, (HEADER, HEADER)),
            *(("", (line,)) for line in (b"Bearer ", b"Bearer", b"")),
            ("é" * 32, (b"Bearer " + ("é" * 32).encode("latin-1"),)),
        ],
    )
    def test_nothing_but_one_line_with_the_text_does(
        self, text: str, lines: tuple[bytes, ...]
    ) -> None:
        assert not Secret(text).authorizes(lines)

    def test_the_text_is_compared_as_utf_8(self) -> None:
        secret = Secret("ключ" * 8)
        assert secret.authorizes((b"Bearer " + ("ключ" * 8).encode(),))

    @given(st.binary(max_size=80))
    def test_any_bytes_have_a_result(self, line: bytes) -> None:
        assert Secret(CANARY).authorizes((line,)) == (line == HEADER)

    def test_compares_values_of_one_length_in_constant_time(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        compared: list[tuple[bytes, bytes]] = []

        def spy(left: bytes, right: bytes) -> bool:
            compared.append((left, right))
            return left == right

        monkeypatch.setattr(hmac, "compare_digest", spy)
        secret = Secret(CANARY)
        for line in (HEADER, HEADER[:-1], b"", b"x" * 10_000):
            secret.authorizes((line,))
        assert len(compared) == 4
        assert {len(side) for pair in compared for side in pair} == {32}


class TestAttributes:
    @pytest.mark.parametrize("text", ["", "a", "a" * 1024, "😀" * 32])
    def test_the_length_counts_code_points(self, text: str) -> None:
        assert Secret(text).text_length == len(text)

    @pytest.mark.parametrize(
        "space", [" ", "\t", "\n", "\x0b", "\x1c", "\x85", "\xa0", "\u1680", "\u2028", "\ufeff"]
    )
    def test_white_space_of_python_and_of_ecmascript_is_seen(self, space: str) -> None:
        assert Secret(f"a{space}b").has_whitespace

    def test_other_text_has_none(self) -> None:
        assert not Secret(CANARY + "\u200b😀").has_whitespace

    def test_text_that_utf_8_cannot_encode_makes_a_secret_that_no_request_matches(self) -> None:
        secret = Secret("a" * 40 + "\udcff")
        assert secret.text_length == 41
        assert not secret.authorizes((b"Bearer " + b"a" * 40 + b"\xff",))


class TestTextIsHidden:
    @pytest.mark.parametrize(
        "show",
        [
            repr,
            str,
            "%s".__mod__,
            pprint.pformat,
            lambda secret: repr({"k": [secret]}),
            lambda secret: repr([getattr(secret, name) for name in dir(secret)]),
        ],
    )
    def test_no_text_form_does(self, show: Callable[[object], str]) -> None:
        assert CANARY not in show(Secret(CANARY))

    def test_no_object_that_it_refers_to_does(self) -> None:
        secret = Secret("another-" + CANARY)
        assert not any(CANARY in repr(held) for held in gc.get_referents(secret))

    def test_a_traceback_with_locals_does_not(self) -> None:
        def fail(secret: Secret) -> None:
            secret.authorizes((b"Bearer guess",))
            raise RuntimeError(f"about {secret}")

        with pytest.raises(RuntimeError) as raised:
            fail(Secret(CANARY))
        shown = traceback.TracebackException.from_exception(raised.value, capture_locals=True)
        frames = [frame for frame in shown.stack if frame.name == "fail"]
        assert frames
        assert CANARY not in repr([(frame.locals, str(shown)) for frame in frames])

    def test_a_pickle_does_not(self) -> None:
        kept = pickle.dumps(Secret(CANARY))
        assert CANARY.encode() not in kept
        assert pickle.loads(kept) == Secret(CANARY) != Secret(CANARY + "x")  # noqa: S301 - made above
