"""Decisions on responses: the table, the back-off, and which responses count."""

import json
from collections.abc import Iterator
from itertools import product
from typing import get_args

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devicestatus import limits
from devicestatus.agent.delivery import Action, Skew, UploadResponse, decide, parse_response
from devicestatus.errors import STATUS_OF, ErrorCode
from devicestatus.parsing import Kind
from status_contracts.instants import DAY_MS, MINUTE_MS, SECOND_MS
from support.devicestatus.examples import ACCEPTED, NOON

UPLOADS: tuple[Kind, ...] = get_args(Kind)
HOUR_MS = 60 * MINUTE_MS
LATE = Skew(-HOUR_MS, -HOUR_MS + 2 * SECOND_MS)
"""A clock that is certainly about an hour behind."""
READ = UploadResponse(200, accepted=True, lifetime_ms=60_000)
"""`ACCEPTED`, parsed."""
INVALID = UploadResponse(400, "invalid_payload")
TOO_LARGE = UploadResponse(413, "payload_too_large")
WAITING_LONG = 300_000


def refusal(code: str) -> bytes:
    return json.dumps({"error": code}).encode()


def every_response() -> Iterator[tuple[UploadResponse | None, Skew | None]]:
    """Yield None, and the response of each status with each body, all with each kind of skew."""
    skews = (None, Skew(0, 1), LATE)
    foreign = (b"<html>", b'{"error":"Not Found","status":404}', b'{"error":["unauthorized"]}')
    bodies = [b"", ACCEPTED, *foreign, *map(refusal, STATUS_OF)]
    yield from product([None], skews)
    for status, body in product((*range(100, 600), 999), bodies):
        yield from product([parse_response(status, body)], skews)


def expected_action(response: UploadResponse | None, upload: Kind, skew: Skew | None) -> Action:
    """Return the outcome by the contract's text, statuses first."""
    if response is None:
        return "retry"
    if response.accepted:
        assert response.status == 200
        return "accepted"
    if response.code == "invalid_payload" and skew == LATE:
        return "fix-clock"
    if response.status == 413 and upload == "window":
        return "shrink"
    if response.code is None or response.status == 503:
        return "retry"
    return "stop" if response.status in {401, 404, 405} else "drop"


def expected_retry_ms(response: UploadResponse | None) -> int:
    """Return the longest wait of a first retry, by the contract's text."""
    if response is None or response.code or response.status in {408, 429}:
        return 15_000
    return WAITING_LONG if 300 <= response.status < 500 else 15_000


class TestReadResponse:
    def test_the_lifetime_is_the_difference_of_its_times(self) -> None:
        early = ACCEPTED.replace(b"2026-01-01", b"1970-01-01").replace(b"00:00.000Z", b"00:20.000Z")
        assert parse_response(200, early) == attrs.evolve(READ, lifetime_ms=40_000)

    @pytest.mark.parametrize("later", [b"NaN", b"[" * 20_000])
    def test_a_200_without_a_readable_result_is_no_acceptance(self, later: bytes) -> None:
        body = ACCEPTED[:-1] + b',"later":' + later + b"}"
        assert parse_response(200, body) == UploadResponse(200)

    @pytest.mark.parametrize("code", STATUS_OF)
    def test_every_code_is_recognised_under_its_status(self, code: ErrorCode) -> None:
        assert parse_response(STATUS_OF[code], refusal(code)) == UploadResponse(
            STATUS_OF[code], code
        )

    @given(st.integers(100, 999), st.binary(max_size=200))
    def test_no_bytes_raise(self, status: int, body: bytes) -> None:
        assert parse_response(status, body).status == status

    @pytest.mark.parametrize(
        "date",
        [
            "Thu, 01 Jan 2026 12:00:00 GMT",
            " Thu, 01 Jan 2026 12:00:00 GMT\t",
            "Thursday, 01-Jan-26 12:00:00 GMT",
            "Thu Jan  1 12:00:00 2026",
        ],
    )
    def test_the_date_is_read_in_every_form_of_http(self, date: str) -> None:
        assert parse_response(400, refusal("invalid_payload"), date) == attrs.evolve(
            INVALID, date_ms=NOON
        )

    @given(st.none() | st.text(max_size=60))
    def test_no_date_raises(self, date: str | None) -> None:
        assert parse_response(200, ACCEPTED, date).accepted


class TestSkew:
    """The clock is certainly off where the whole interval is."""

    @pytest.mark.parametrize(
        ("skew", "reaches"),
        [
            (Skew(120_001, 120_001), True),
            (Skew(-120_001, -120_001), True),
            (Skew(118_100, 120_001), True),
            (Skew(-120_001, -118_100), True),
            (Skew(1, 120_001), True),
            (Skew(-120_001, -1), True),
            (Skew(1, 119_999), False),
            (Skew(-119_999, -1), False),
            (Skew(0, 120_001), False),
            (Skew(-120_001, 0), False),
            (Skew(118_100, 120_000), False),
            (Skew(-120_000, -118_100), False),
            (Skew(-999_999, 999_999), False),
            (Skew(0, 0), False),
        ],
    )
    def test_it_reaches_beyond_120_s_when_it_may_be_more_and_its_side_is_certain(
        self, skew: Skew, *, reaches: bool
    ) -> None:
        assert skew.exceeds(limits.CLOCK_SKEW_MS) is reaches


class TestBackOff:
    @pytest.mark.parametrize(
        ("attempt", "jitter"), [(0, 1.0), (-1, 1.0), (1, 0.79), (1, 1.01), (1, float("nan"))]
    )
    def test_arguments_out_of_range_are_refused(self, attempt: int, jitter: float) -> None:
        with pytest.raises(
            ValueError, match=r"^attempt .* must be 1 or more, jitter .* from 0.8 to 1$"
        ):
            decide(None, attempt=attempt, jitter=jitter)


class TestShrink:
    """DS-AGENT-20."""

    def test_without_its_size_it_is_not_sent_again_at_once(self) -> None:
        """Without the size, the next one may be no smaller."""
        decision = decide(TOO_LARGE, upload="window", attempt=3, jitter=1)
        assert decision.action == "shrink"
        assert (decision.wait_ms, decision.most_bytes) == (60_000, 262_144)


class TestFixClock:
    """DS-AGENT-19."""

    @pytest.mark.parametrize(
        ("skew", "words"),
        [
            (Skew(120_001, 120_001), "2 minutes ahead of"),
            (Skew(118_100, 120_001), "2 minutes ahead of"),
            (Skew(-120_001, -120_001), "2 minutes behind"),
            (Skew(149_999, 149_999), "2 minutes ahead of"),
            (Skew(150_000, 150_000), "3 minutes ahead of"),
            (Skew(5 * MINUTE_MS, 5 * MINUTE_MS), "5 minutes ahead of"),
            (Skew(2 * HOUR_MS - 1, 2 * HOUR_MS - 1), "120 minutes ahead of"),
            (Skew(2 * HOUR_MS, 2 * HOUR_MS), "2 hours ahead of"),
            (Skew(3 * HOUR_MS - SECOND_MS, 3 * HOUR_MS), "3 hours ahead of"),
            (Skew(-20_000 * DAY_MS, -20_000 * DAY_MS), "20000 days behind"),
        ],
    )
    def test_the_message_states_how_far_and_which_way(self, skew: Skew, words: str) -> None:
        decision = decide(INVALID, attempt=1, jitter=1, skew=skew)
        assert decision.message == f"refused: this machine's clock is {words} the service's"


@pytest.mark.rule("DS-QUOTA-03")
class TestTheWholeTable:
    """Every code under every status, for both kinds of upload, whatever the clock is."""

    @pytest.mark.parametrize(("attempt", "jitter"), [(1, 1), (7, 0.8)])
    @pytest.mark.parametrize("upload", UPLOADS)
    def test_every_response_has_the_action_and_a_retry_or_window_the_wait_of_the_contract(
        self, upload: Kind, attempt: int, jitter: float
    ) -> None:
        longest = WAITING_LONG * jitter
        for response, skew in every_response():
            decision = decide(
                response,
                upload=upload,
                attempt=attempt,
                jitter=jitter,
                skew=skew,
                sent_bytes=400_000,
            )
            expected = expected_action(response, upload, skew)
            assert decision.action == expected, (response, skew)
            assert decision.message
            assert (decision.most_bytes is not None) == (expected == "shrink")
            assert (decision.correction_ms is not None) == (expected == "fix-clock")
            is_ours = response is not None and response.code is not None
            waits = {
                "accepted": 300_000,
                "retry": expected_retry_ms(response) if attempt == 1 else longest,
                "shrink": 0 if is_ours else longest,
                "fix-clock": 15_000 if attempt == 1 else longest,
                "drop": 15_000 if attempt == 1 else longest,
                "stop": None,
            }
            assert set(waits) == set(get_args(Action))
            if upload == "window" or expected == "retry":
                assert decision.wait_ms == waits[expected]
