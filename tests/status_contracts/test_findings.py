"""Invariant *findings quote no input*, and how contract errors compare, print and travel."""

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devicestatus import errors
from status_contracts.findings import ContractError, Finding, Step, pointer

FINDING = Finding("/music/track", "text.length", "must have 1 to 500 code points")
OTHER = Finding("", "type", "must be an object")


class TestFindingsThatAreLookedForLater:
    """A service that answers with the code alone does not pay for the findings."""

    def test_they_are_looked_for_once_when_they_are_asked_for(self) -> None:
        looked: list[int] = []

        def look() -> tuple[Finding, ...]:
            looked.append(1)
            return FINDING, OTHER

        error = ContractError("invalid_payload", look)
        assert error.code == "invalid_payload"
        assert looked == []
        assert error.findings == error.findings == (FINDING, OTHER)
        assert looked == [1]


class TestPointer:
    """RFC 6901, with long and unencodable names made fit to be shown."""

    @pytest.mark.parametrize(
        ("steps", "expected"),
        [
            ((), ""),
            (("",), "/"),
            (("events", 17, "at"), "/events/17/at"),
            (("a/b",), "/a~1b"),
            (("m~n",), "/m~0n"),
            (("~1",), "/~01"),
            (("/~",), "/~1~0"),
            ((" ", "c%d", "e^f", "g|h", 'k"l', "i\\j"), '/ /c%d/e^f/g|h/k"l/i\\j'),
            (("名前", "🎵"), "/名前/🎵"),
            # a name longer than 64 code points is cut before it is escaped
            (("🎵" * 64,), "/" + "🎵" * 64),
            (("🎵" * 65,), "/" + "🎵" * 64 + "…"),
            (("x" * 500_000,), "/" + "x" * 64 + "…"),
            (("/" * 65,), "/" + "~1" * 64 + "…"),
            # what would break or turn a line of a log is replaced
            *(((f"a{sign}b",), "/a\ufffdb") for sign in "\0\n\r\x1b\x7f\x85\x9b\u2028\u202e\ud800"),
        ],
        ids=range(23),
    )
    def test_steps_are_joined_cut_and_escaped(self, steps: tuple[Step, ...], expected: str) -> None:
        assert pointer(steps) == expected

    @given(st.lists(st.text(st.characters(codec=None), max_size=80) | st.integers(0), max_size=6))
    def test_every_pointer_is_short_printable_and_has_as_many_steps(
        self, steps: list[Step]
    ) -> None:
        shown = pointer(steps)
        assert shown.encode().decode() == shown
        assert shown.count("/") == len(steps)
        assert len(shown) <= len(steps) * (1 + 2 * 64 + 1)
        assert shown.isprintable()


class TestFinding:
    def test_a_fault_of_the_whole_value_says_so(self) -> None:
        assert str(OTHER) == "(whole value): must be an object [type]"


@pytest.mark.parametrize("root", [ContractError, errors.ContractError])
class TestContractError:
    def test_the_text_shows_the_first_finding_and_counts_the_others(
        self, root: type[ContractError]
    ) -> None:
        text = "/music/track: must have 1 to 500 code points [text.length]"
        assert str(root("invalid_payload", (FINDING,))) == f"invalid_payload: {text}"
        three = root("invalid_payload", (FINDING, OTHER, OTHER))
        assert str(three) == f"invalid_payload: {FINDING} (and 2 more)"

    def test_errors_are_equal_by_class_code_and_findings(self, root: type[ContractError]) -> None:
        error = root("invalid_payload", (FINDING,))
        assert error == root("invalid_payload", (FINDING,))
        assert hash(error) == hash(root("invalid_payload", (FINDING,)))
        assert error != root("invalid_json", (FINDING,))
        assert error != root("invalid_payload", (OTHER,))
        assert error != ValueError("invalid_payload", (FINDING,))

    @pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
    def test_a_pickled_error_is_equal(self, root: type[ContractError], protocol: int) -> None:
        error = root("invalid_payload", (FINDING, OTHER))
        again = pickle.loads(pickle.dumps(error, protocol))  # noqa: S301 - its own pickle
        assert again == error
        assert again.findings == error.findings
        assert str(again) == str(error)

    def test_the_repr_shows_no_more_than_the_findings(self, root: type[ContractError]) -> None:
        error = root("invalid_payload", (OTHER,))
        assert repr(error) == f"ContractError('invalid_payload', ({OTHER!r},))"
        later = root("invalid_payload", lambda: (OTHER,))
        assert (repr(later), later, hash(later)) == (repr(error), error, hash(error))


class TestStatus:
    def test_a_code_has_the_status_of_the_specification(self) -> None:
        table = json.loads(
            """{"invalid_json": 400, "invalid_payload": 400, "unauthorized": 401,
                "not_found": 404, "method_not_allowed": 405, "payload_too_large": 413,
                "unsupported_media_type": 415, "service_unavailable": 503}"""
        )
        assert table == errors.STATUS_OF
        for code, status in errors.STATUS_OF.items():
            assert errors.ContractError(code, (FINDING,)).status == status
