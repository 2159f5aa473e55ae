"""Checks without a response, and checks that cannot read one."""

from purewire.conformance.checks import Check, CheckFailed, NoReply, ReadClock, Reply, Send, Steps
from purewire.conformance.run import Outcome, run_check


def no_response(effect: object) -> object:
    if isinstance(effect, Send):
        raise NoReply("closed")
    assert isinstance(effect, ReadClock)
    return 0


def response(effect: object) -> object:
    return Reply(200, (), b"{}") if isinstance(effect, Send) else 0


def test_a_check_may_catch_that_no_response_came() -> None:
    def steps(_: None) -> Steps:
        try:
            yield Send("GET", "/a")
        except NoReply as missing:
            raise CheckFailed("a response", str(missing)) from missing

    result = run_check(Check("a.b", "t", (), steps), None, no_response)
    assert (result.outcome, result.actual) == (Outcome.FAILED, "closed")
    assert result.round_trips[0].error == "closed"


def test_a_check_may_go_on_without_a_response() -> None:
    def steps(_: None) -> Steps:
        try:
            yield Send("GET", "/a")
        except NoReply:
            yield ReadClock()

    assert run_check(Check("a.b", "t", (), steps), None, no_response).outcome is Outcome.PASSED


def test_a_check_that_cannot_read_a_response_ends_alone() -> None:
    def steps(_: None) -> Steps:
        answer: Reply = yield Send("GET", "/a")
        raise KeyError(answer.status)

    result = run_check(Check("a.b", "t", (), steps), None, response)
    assert (result.outcome, result.reason) == (
        Outcome.INCONCLUSIVE,
        "the check could not read the response: KeyError: 200",
    )
