"""What an agent does with each answer: the table, the back-off, and what counts as an answer."""

import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devicestatus.delivery import (
    PUSH_INTERVAL_MS,
    WITHHELD,
    Action,
    Answer,
    Decision,
    decide,
    read_answer,
)
from devicestatus.errors import STATUS_OF, ErrorCode

COURSES: dict[ErrorCode, Action] = {
    "invalid_json": "drop",
    "invalid_payload": "drop",
    "unauthorized": "stop",
    "not_found": "stop",
    "method_not_allowed": "stop",
    "payload_too_large": "drop",
    "unsupported_media_type": "drop",
    "service_unavailable": "retry",
}
ACCEPTED = (
    b'{"ok":true,"updated_at":"2026-01-01T00:00:00.000Z","expires_at":"2026-01-01T00:01:00.000Z"}'
)


def first(answer: Answer | None) -> Decision:
    """Decide on the first failure, with the longest wait."""
    return decide(answer, attempt=1, jitter=1)


def refusal(code: str) -> bytes:
    return json.dumps({"error": code}).encode()


class TestReadAnswer:
    def test_an_accepted_write_is_recognised(self) -> None:
        assert read_answer(200, ACCEPTED) == Answer(200, accepted=True)

    def test_a_member_of_a_later_version_is_no_fault(self) -> None:
        assert read_answer(200, b'{"ok":true,"later":1}').accepted

    @pytest.mark.parametrize("code", COURSES)
    def test_every_code_is_recognised_under_its_status(self, code: ErrorCode) -> None:
        assert read_answer(STATUS_OF[code], refusal(code)) == Answer(STATUS_OF[code], code)

    @pytest.mark.parametrize("status", [200, 400, 404, 503])
    def test_a_code_counts_only_under_its_own_status(self, status: int) -> None:
        assert read_answer(status, refusal("unauthorized")) == Answer(status)

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"<html>Please log in</html>",
            b"\xff\xfe",
            b"[true]",
            b'"ok"',
            b"null",
            b'{"ok":1}',
            b'{"ok":"true"}',
            b'{"error":["unauthorized"]}',
            b'{"error":{}}',
            b"[" * 100_000,
            b"[" * 100_000 + b"]" * 100_000,
        ],
    )
    def test_whatever_else_comes_is_neither_accepted_nor_a_code(self, body: bytes) -> None:
        for status in (200, 401):
            assert read_answer(status, body) == Answer(status)

    def test_only_200_accepts(self) -> None:
        assert not read_answer(202, ACCEPTED).accepted

    @given(st.integers(100, 999), st.binary(max_size=200))
    def test_no_bytes_raise(self, status: int, body: bytes) -> None:
        assert read_answer(status, body).status == status


class TestDecide:
    def test_the_table_has_every_code(self) -> None:
        assert set(COURSES) == set(STATUS_OF) == set(get_args(ErrorCode))

    @pytest.mark.parametrize(("code", "action"), COURSES.items())
    def test_every_code_has_a_course(self, code: ErrorCode, action: Action) -> None:
        """Invariant *every code has a course*."""
        decision = first(Answer(STATUS_OF[code], code))
        assert decision.action == action
        assert decision.words
        assert decision.wait_ms == (15_000 if action == "retry" else None)

    @pytest.mark.parametrize(("code", "action"), COURSES.items())
    def test_a_status_without_its_code_has_the_same_course(
        self, code: ErrorCode, action: Action
    ) -> None:
        assert first(Answer(STATUS_OF[code])).action == action

    def test_an_acceptance_goes_on(self) -> None:
        assert first(Answer(200, accepted=True)) == Decision("accepted", None, "accepted")

    def test_silence_is_tried_again(self) -> None:
        assert first(None) == Decision("retry", 15_000, "no answer")

    @pytest.mark.parametrize("status", [500, 502, 504, 599, 429, 403, 408, 200, 204, 101, 999])
    def test_what_may_pass_by_itself_is_tried_again(self, status: int) -> None:
        """Invariant *only the service's word counts*: a log-in page with 200 is no acceptance."""
        assert first(Answer(status)).action == "retry"

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    def test_a_redirect_stops_because_a_token_is_not_sent_on(self, status: int) -> None:
        assert first(Answer(status)).action == "stop"

    def test_what_would_be_refused_is_dropped(self) -> None:
        assert (WITHHELD.action, WITHHELD.wait_ms) == ("drop", None)

    def test_snapshots_are_sent_as_often_as_the_policy_says(self) -> None:
        assert PUSH_INTERVAL_MS == {"eco": 120_000, "realtime": 30_000}


class TestBackOff:
    def test_the_wait_doubles_from_15_to_300_seconds(self) -> None:
        waits = [decide(None, attempt=attempt, jitter=1).wait_ms for attempt in range(1, 9)]
        assert waits == [15_000, 30_000, 60_000, 120_000, 240_000, 300_000, 300_000, 300_000]

    def test_jitter_shortens_it_by_a_fifth_at_most(self) -> None:
        assert decide(None, attempt=3, jitter=0.8).wait_ms == 48_000

    @given(st.integers(1, 10**30), st.floats(0.8, 1))
    def test_it_stays_within_its_bounds(self, attempt: int, jitter: float) -> None:
        wait = decide(None, attempt=attempt, jitter=jitter).wait_ms
        assert wait is not None
        assert 12_000 <= wait <= 300_000

    @pytest.mark.parametrize(
        ("attempt", "jitter"), [(0, 1.0), (-1, 1.0), (1, 0.79), (1, 1.01), (1, float("nan"))]
    )
    def test_arguments_out_of_range_are_refused(self, attempt: int, jitter: float) -> None:
        with pytest.raises(ValueError, match="attempt"):
            decide(None, attempt=attempt, jitter=jitter)
