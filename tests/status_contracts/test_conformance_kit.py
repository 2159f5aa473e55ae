"""Runs of a small kit: what is compared, when an answer is right, and how differences are told.

The service keeps one number.  A write sets it, and a read shows it with the time of the read.
"""

import json
from collections.abc import Callable, Generator
from typing import Any

import attrs
import pytest

from status_contracts.conditional import http_date
from status_contracts.conformance import read_rows
from status_contracts.conformance.answers import compare, is_free
from status_contracts.conformance.http import AUTHORIZED, InProcess, Reply, Send, TimedOut
from status_contracts.conformance.report import curl_line, summary
from status_contracts.conformance.runner import UNKNOWN, Kit, NotTestable, Run, Section, Step, Steps
from status_contracts.instants import format_instant, parse_utc
from status_contracts.json_text import encode
from status_contracts.messages import Response

TOKEN = "0123456789abcdef0123456789abcdef"
NOW = 1_790_000_000_000
SHARED = read_rows("sitedata")["tolerances"][:2]


def right(number: object, send: Send, at: int) -> tuple[Response | None, object]:
    """Return the right answer of the service, and the number after it."""
    headers = (("Content-Type", "application/json"), ("Allow", "GET, POST"))
    if send.path == "/late":
        phase = {"phase": "after" if at >= NOW + 10_000 else "before"}
        return Response(200, headers, encode(phase)), number
    if send.method == "POST":
        is_valid = (send.body or b"").isdigit()
        after = int(send.body or 0) if is_valid else number
        body: dict[str, object] = {"at": format_instant(at)} if is_valid else {"error": "invalid"}
        return Response(200 if is_valid else 400, headers, encode(body)), after
    if number is UNKNOWN:
        return None, number
    shows = {"number": number, "at": format_instant(at), "played": format_instant(at - 420_000)}
    return Response(200, headers, encode(shows)), number


class Model:
    def answer(self, state: Any, send: Send, at: int) -> tuple[Response | None, Any]:
        return right(state, send, at)


@attrs.define
class Server:
    """A client of a service in memory, whose clock is some ms ahead and known by its answers."""

    is_exact: bool = True
    clock: int = NOW
    ahead: int = 0
    round_trip: int = 0
    lag_ms: int = 0
    change: Callable[[Send, Reply], Reply] = lambda _, reply: reply
    history: list[tuple[int, object]] = attrs.field(factory=lambda: [(0, None)])
    sent: list[Send] = attrs.field(factory=list)
    url: str = "https://a.example"

    def now(self) -> int:
        return self.clock

    def wait(self, milliseconds: int) -> None:
        self.clock += milliseconds

    def send(self, request: Send) -> Reply:
        self.sent.append(request)
        sent_at, at = self.clock, self.clock + self.ahead + self.round_trip // 3
        seen = [number for since, number in self.history if since <= at - self.lag_ms] or [None]
        response, after = right(seen[-1], request, at)
        assert response is not None
        if request.method == "POST" and response.status == 200:
            self.history.append((at, after))
        self.clock += self.round_trip
        reply = Reply(response.status, response.headers, response.body, sent_at, self.clock)
        return self.change(request, reply)


def learn(_: Run) -> Generator[Send, Reply, tuple[Model, Any]]:
    yield Send("GET", "/")
    return Model(), UNKNOWN


def write(number: str) -> Step:
    return Step("R-WRITE", Send("POST", "/", (AUTHORIZED,), number.encode()))


READ = Step("R-READ", Send("GET", "/"), "a read")
LATE = Step("R", Send("GET", "/late"))


WRITE = write("1")


def run_of(server: Any, *steps: Step | int, is_slow: bool = False, **options: Any) -> Run:
    """Run a kit of one section on a server, and return the run."""

    def generate(_: Run) -> Steps:
        for step in steps:
            assert isinstance((yield step), Reply)

    stated = {"GET": "at", "POST": "at"}
    rules = {"content-type": "R-TYPE"}
    rows = {"tolerances": SHARED, "delays": [0], "stated": stated, "rules": rules}
    section = Section("all", generate, slow=is_slow)
    kit = Kit("example", {**rows, "played_at": "/played"}, learn, [section])
    run = Run(kit, server, write=True, **options)
    list(run.perform())
    return run


def lines(run: Run) -> list[str]:
    return [cause.line for cause in run.causes.values()]


def member(name: str, value: object) -> Callable[[Send, Reply], Reply]:
    """Return the change of a member of what reads show."""

    def change(send: Send, reply: Reply) -> Reply:
        body = json.loads(reply.body)
        if send.method != "GET" or name not in body:
            return reply
        body[name] = value(body[name]) if callable(value) else value
        return attrs.evolve(reply, body=json.dumps(body).encode())

    return change


class TestInstants:
    def test_an_exact_clock_decides_to_the_millisecond(self) -> None:
        assert lines(run_of(Server(), 9_999, LATE, 1, LATE)) == []
        assert len(run_of(Server(ahead=1), 9_999, LATE, 1, LATE).causes) == 1

    @pytest.mark.parametrize("ahead", [-3_600_000, -1, 0, 5, 86_400_000])
    @pytest.mark.parametrize("round_trip", [0, 1, 40, 900])
    def test_over_http_any_instant_between_sending_and_receiving_is_right(
        self, ahead: int, round_trip: int
    ) -> None:
        pauses: list[Step | int] = [333, READ]
        server = Server(is_exact=False, ahead=ahead, round_trip=round_trip)
        assert lines(run_of(server, WRITE, READ, *pauses * 20, LATE, READ)) == []

    @pytest.mark.parametrize("wait", range(9_990, 10_010))
    def test_over_http_a_boundary_within_a_round_trip_does_not_decide(self, wait: int) -> None:
        server = Server(is_exact=False, ahead=3, round_trip=6)
        server.clock -= 6
        assert lines(run_of(server, WRITE, wait - 6, LATE)) == []

    def test_over_http_the_wrong_side_of_a_boundary_is_noticed(self) -> None:
        change = member("phase", "before")
        server = Server(is_exact=False, ahead=7_000, round_trip=20, change=change)
        assert lines(run_of(server, WRITE, 3_500, LATE)) == ["/phase: before; expected after"]

    @pytest.mark.parametrize(("more", "is_near"), [((), True), ((("Age", "9"),), False)])
    def test_over_http_a_date_tells_the_clock_of_answers_without_a_time(
        self, more: tuple[tuple[str, str], ...], *, is_near: bool
    ) -> None:
        """But the Date that a cache passes on is that of an earlier answer."""
        server = Server(is_exact=False, ahead=-600_000, round_trip=40)

        def change(_: Send, reply: Reply) -> Reply:
            date = http_date(reply.received_at + server.ahead)
            return attrs.evolve(reply, headers=(("Date", date), *more), body=b"{}")

        server.change = change
        error = run_of(server, READ).now() - server.clock - server.ahead
        assert (abs(error) <= 2_000) == is_near


class TestStore:
    @pytest.mark.parametrize("is_exact", [True, False])
    def test_a_read_waits_for_a_store_that_lags(self, *, is_exact: bool) -> None:
        server = Server(is_exact=is_exact, lag_ms=30_000, round_trip=0 if is_exact else 10)
        steps = (WRITE, READ, write("2"), READ, READ, write("3"), READ)
        assert lines(run_of(server, *steps)) == []

    def test_a_store_that_never_shows_a_write_is_a_difference(self) -> None:
        run = run_of(Server(lag_ms=10**9), WRITE, READ)
        assert lines(run) == ["/number: null; expected 1"]

    def test_waits_of_a_run_over_http_are_bounded(self) -> None:
        server = Server(is_exact=False, lag_ms=30_000)
        run = run_of(server, *(step for n in range(30) for step in (write(f"{n}"), READ)))
        assert run.causes == {}
        assert "not decided" in "\n".join(summary(run))

    def test_after_a_write_with_a_wrong_status_reads_are_not_judged(self) -> None:
        def change(send: Send, reply: Reply) -> Reply:
            return attrs.evolve(reply, status=200) if send.body == b"x" else reply

        steps = (WRITE, READ, write("x"), READ, READ, write("2"), READ)
        run = run_of(Server(change=change), *steps)
        assert lines(run) == ["POST /: status 200 invalid; expected 400 invalid"]
        assert run.tested == {"R-WRITE": 3, "R-READ": 2}


class TestCauses:
    def test_a_wrong_delay_is_one_cause(self) -> None:
        pauses: list[Step | int] = [READ, 7_000]
        later = member("played", lambda text: format_instant(parse_utc(text) + 20_000))
        (cause,) = run_of(Server(change=later), WRITE, *pauses * 14).causes.values()
        assert cause.line == "/played: 400 s before server time; expected 420 s before server time"
        assert (cause.count, [*cause.rules]) == (14, ["R-READ"])

    def test_a_missing_header_is_one_cause_with_its_rule(self) -> None:
        def change(_: Send, reply: Reply) -> Reply:
            return attrs.evolve(reply, headers=reply.headers[1:])

        (cause,) = run_of(Server(change=change), WRITE, *[READ] * 40).causes.values()
        assert cause.line == "content-type: none; expected application/json"
        assert (cause.count, [*cause.rules]) == (41, ["R-TYPE"])

    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (2, "2"),
            (True, "true"),
            (1.0, "1.0"),
            ({"a": [1]}, '{"a":[1]}'),
            ("\x1b[2J\u202e", "\ufffd[2J\ufffd"),
            ("x" * 200, f"{'x' * 120}…"),
        ],
    )
    def test_a_wrong_value_is_named_shortly_without_control_characters(
        self, value: object, text: str
    ) -> None:
        run = run_of(Server(change=member("number", value)), WRITE, READ)
        assert lines(run) == [f"/number: {text}; expected 1"]
        assert all(line.isprintable() for line in summary(run))

    def test_values_that_always_differ_are_three_causes_at_most(self) -> None:
        numbers = iter(range(10**9, 10**9 + 100))
        far = member("at", lambda _: format_instant(next(numbers) * 5_000))
        assert len(run_of(Server(change=far), WRITE, *[READ] * 50).causes) <= 3

    @pytest.mark.parametrize("body", [b"<html>", encode("x" * 70_000), encode([[]] * 30_000)])
    def test_a_body_that_is_no_json_or_far_too_long_is_a_difference(self, body: bytes) -> None:
        def change(send: Send, reply: Reply) -> Reply:
            return attrs.evolve(reply, body=body) if send.method == "GET" else reply

        (line,) = lines(run_of(Server(change=change), WRITE, READ))
        assert line.startswith(f"GET /: body: {body[:120].decode()}")


class TestRuns:
    def test_three_time_outs_in_a_row_end_the_run(self) -> None:
        def change(send: Send, reply: Reply) -> Reply:
            if send.method == "GET" and len(server.sent) > 2:
                raise TimedOut("no complete response in 20 s")
            return reply

        server = Server(change=change)
        run = run_of(server, WRITE, READ, READ, write("2"), READ, READ, READ, READ)
        assert len(server.sent) == 8
        assert run.stopped == "3 requests in a row had no complete response in 20 s"
        assert lines(run) == ["GET /: no complete response in 20 s; expected a response"]

    def test_sections_that_wait_are_left_out_over_http_and_not_announced(self) -> None:
        server = Server(is_exact=False)
        for slow, names in ((False, []), (True, ["all"])):
            run = run_of(server, READ, is_slow=True, slow=slow)
            assert [*run.perform()] == names
        assert "give --slow" in run_of(server, READ, is_slow=True).left_out["all"]
        assert run_of(server, READ, is_slow=True, slow=True).left_out == {}

    def test_a_request_is_a_curl_line_without_the_token(self) -> None:
        send = Send("PUT", "/a'b", (("X", "y z"), ("E", ""), AUTHORIZED), b'{"a":1}')
        assert curl_line("https://a.example", send) == (
            "curl --include --path-as-is --request PUT --header 'X: y z' --header 'E;'"
            ' --header "Authorization: Bearer $INGEST_TOKEN" --data-binary \'{"a":1}\''
            " 'https://a.example/a'\"'\"'b'"
        )
        shortened = (("Authorization", "Bearer ${TOKEN%?}"),)
        long = attrs.evolve(send, body=b"\xff", method="HEAD", headers=shortened)
        assert "--data-binary @body-of-1-byte" in curl_line("", long)
        assert '"Authorization: Bearer ${INGEST_TOKEN%?}"' in curl_line("", long)


class TestAnswers:
    @pytest.mark.parametrize(
        ("name", "one", "other"),
        [
            ("Allow", "GET, HEAD", "head,GET"),
            ("Content-Type", "application/json; charset=utf-8", "application/json;charset=UTF-8"),
            ("Cache-Control", "no-store, max-age=0", "max-age=0, no-store"),
        ],
    )
    def test_order_and_case_of_lists_are_free(self, name: str, one: str, other: str) -> None:
        found = compare(Response(200, ((name, one),)), Reply(200, ((name.lower(), other),)))
        assert list(found) == []

    @pytest.mark.parametrize(
        ("name", "free"),
        [("date", True), ("server", True), ("vary", True), ("set-cookie", False), ("etag", False)],
    )
    def test_additional_headers_are_free_unless_they_change_what_a_client_does(
        self, name: str, *, free: bool
    ) -> None:
        (found,) = compare(Response(200, ()), Reply(200, ((name, "x"),)))
        send = Send("GET", "/")
        assert any(is_free(row, send, found) for row in SHARED) is free


def drawing(attributes: str = 'width="9" height="5" role="img"', parts: str = "") -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{parts}</svg>'.encode()


DESCRIBED = "<desc>Steps by day</desc>"
PAPER = '<rect width="9" height="5"/>'


@pytest.mark.parametrize(
    ("other", "free"),
    [
        (drawing(parts=f"{PAPER}{DESCRIBED}<g/>"), True),
        (drawing(parts=f'<rect width="100%" height="100%"/>{DESCRIBED}'), True),
        (drawing('width="9" height="5" role="img" aria-label="Steps"', PAPER), True),
        (drawing('width="8" height="5" role="img"', PAPER + DESCRIBED), False),
        (drawing('width="9" role="img"', PAPER + DESCRIBED), False),
        (drawing('width="9" height="5"', PAPER + DESCRIBED), False),
        (drawing(parts=DESCRIBED), False),
        (drawing(parts=PAPER), False),
    ],
)
def test_drawings_of_charts_have_the_right_shape(other: bytes, *, free: bool) -> None:
    right = Response(200, (), drawing(parts=PAPER + DESCRIBED))
    (found,) = compare(right, Reply(200, (), other))
    rows = read_rows("healthapi")["tolerances"]
    assert any(is_free(row, Send("GET", "/x.svg"), found) for row in rows) is free


class TestInProcess:
    def test_the_body_comes_in_two_parts_and_the_last_one_later(self) -> None:
        async def echo(scope: Any, receive: Any, send: Any) -> None:
            parts = [(await receive()), (await receive())]
            assert [part["more_body"] for part in parts] == [True, False]
            assert scope["scheme"] == "http"
            head = dict(scope["headers"])[b"authorization"]
            await send({"type": "http.response.start", "status": 201, "headers": [(b"a", head)]})
            await send({"type": "http.response.body", "body": b"-".join(p["body"] for p in parts)})

        client = InProcess(lambda _: echo, TOKEN)
        reply = client.send(Send("POST", "/x?y", (AUTHORIZED,), b"hello", pause_ms=800))
        assert reply == Reply(201, (("a", f"Bearer {TOKEN}"),), b"hell-o", NOW, NOW + 800)
        assert client.now() == NOW + 801

    @pytest.mark.parametrize(
        ("form", "value"),
        [("${TOKEN~~}", "AB1"), ("${TOKEN%?}", "ab"), ("${TOKEN}x", "ab1x"), ("  $TOKEN", "  ab1")],
    )
    def test_a_variable_stands_for_a_form_of_the_token(self, form: str, value: str) -> None:
        send = Send("POST", "/", (("Authorization", f"Bearer {form}"),))
        assert send.lines("ab1") == [("Authorization", f"Bearer {value}")]
        assert ("A", "1x") in Send("GET", "/", (("A", "${TOKEN~~}"),)).lines("1")

    def test_an_application_that_raises_gives_no_reply_and_cannot_be_tested(self) -> None:
        async def application(scope: Any, receive: Any, send: Any) -> None:
            raise RuntimeError("private")

        with pytest.raises(NotTestable, match="the application raised RuntimeError"):
            run_of(InProcess(lambda _: application), READ)
