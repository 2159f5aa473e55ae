"""The reference agent against servers on real sockets: good, broken, slow and hostile ones."""

import asyncio
import json
import socket
import time
from http.server import BaseHTTPRequestHandler
from typing import Any

import attrs
import pytest

from devicestatus.adapters.agent import Agent, Listener
from devicestatus.adapters.upload_client import Destination, UploadReport
from devicestatus.models import Snapshot
from devicestatus.parsing import check_snapshot
from status_contracts.adapters.clocks import steady_clock, system_clock
from status_contracts.adapters.http_clients import UnusableUrl
from status_contracts.conditional import http_date
from status_contracts.instants import MINUTE_MS
from support.devicestatus.examples import ACCEPTED, body, snapshot
from support.devicestatus.scripted_service import Script, service

TOKEN = "canary-" + "0123456789abcdef" * 3
OK = (200, ACCEPTED)
HOUR_MS = 60 * MINUTE_MS
NOT_HTTP = "the connection ended without a valid HTTP response: check the URL"


def check(handler: BaseHTTPRequestHandler) -> None:
    """Refuse a snapshot as invalid, with the Date of the server's own clock."""
    body = b'{"error":"invalid_payload"}'
    handler.send_response_only(400)
    handler.send_header("Date", http_date(system_clock()))
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def drip(handler: BaseHTTPRequestHandler) -> None:
    """Answer a byte at a time, each in time by itself."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    for _ in range(400):
        handler.wfile.write(b" ")
        time.sleep(0.05)


def pour(handler: BaseHTTPRequestHandler) -> None:
    """Answer without end."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
    for _ in range(10_000):
        handler.wfile.write(b"x" * 65_536)


class Stopped(Exception):
    """The test has seen enough."""


@attrs.define
class Watch(Listener):
    """Returns snapshots, and keeps the agent's reports and its waits, each in sleeps of 5 s."""

    rounds: int
    snapshots: list[Snapshot] = attrs.field(factory=list)
    reports: list[UploadReport] = attrs.field(factory=list)
    waits: list[float] = attrs.field(factory=list)
    lasts: bool = False
    looks: int = 0

    def take(self, collected_at: int, _: Snapshot | None) -> Snapshot:
        self.snapshots.append(snapshot(collected_at=collected_at, active_app="private app"))
        return self.snapshots[-1]

    async def pause(self, seconds: float) -> None:
        assert seconds <= 5, "a suspended machine's timer stands still"
        if self.lasts:
            self.waits[-1] += seconds
        else:
            self.waits.append(seconds)
        self.lasts = seconds == 5
        if len(self.waits) == self.rounds and not self.lasts:
            raise Stopped

    def on_upload(self, report: UploadReport, wait_ms: int | None) -> None:
        super().on_upload(report, wait_ms)
        self.reports.append(report)
        self.lasts = False  # also where the last sleep happened to be one of 5 s

    def now(self) -> int:
        """Return the time of a clock that has waited as long as the agent meant to.

        Each look takes 1 ms, so that the last sleep of a wait is shorter than the others.
        """
        self.looks += 1
        return steady_clock() + self.looks + sum(round(1000 * wait) for wait in self.waits)

    @property
    def actions(self) -> list[str]:
        return [report.decision.action for report in self.reports]


def watched(url: str, rounds: int = 1, **members: Any) -> tuple[Agent, Watch]:
    watch = Watch(rounds)
    destination = Destination.from_url(url, TOKEN)
    agent = Agent(
        watch.take, destination, 30_000, listener=watch, steady_clock=watch.now, sleep=watch.pause
    )
    return attrs.evolve(agent, **members), watch


def run(agent: Agent) -> None:
    with pytest.raises(Stopped):
        asyncio.run(agent.run())


@pytest.mark.rule("DS-HTTP-10")
class TestOnce:
    def test_one_snapshot_is_sent_as_the_contract_reports(self) -> None:
        with service(OK) as (url, received):
            agent, watch = watched(url)
            decision = asyncio.run(agent.run_once())
        assert decision.action == "accepted"
        assert watch.reports == [UploadReport(decision, lifetime_ms=60_000)]
        (request,) = received
        assert request.path == "/api/update"
        assert request.headers["authorization"] == f"Bearer {TOKEN}"
        assert request.headers["content-type"] == "application/json"
        assert "content-encoding" not in request.headers
        assert request.headers["accept-encoding"] == "identity"  # the answer is read as it comes
        assert not check_snapshot(request.body, received_at=system_clock())
        assert request.body == json.loads(body(watch.snapshots[0]))

    def test_a_snapshot_that_would_be_refused_is_not_sent(self) -> None:
        """Invariant *nothing invalid is sent*."""
        with service(OK) as (url, received):
            agent, watch = watched(url, sample=lambda *_: snapshot(active_app=""))
            decision = asyncio.run(agent.run_once())
        assert not received
        assert decision.action == "drop"
        (report,) = watch.reports
        assert [finding.path for finding in report.findings] == ["/active_app"]


class TestChanges:
    """A change is sent at once, however long the interval is."""

    def test_each_look_is_a_reading_and_a_change_is_an_upload(self) -> None:
        shown = iter("AAABBA")
        with service(OK) as (url, received):
            agent, watch = watched(
                url,
                rounds=6,
                sample=lambda at, _: snapshot(collected_at=at, active_app=next(shown)),
                sample_ms=2000,
            )
            run(agent)
        assert [each.body["active_app"] for each in received] == ["A", "B", "A"]
        assert watch.actions == ["accepted"] * 3
        assert all(0 <= wait <= 2 for wait in watch.waits)


class TestAnswers:
    @pytest.mark.parametrize(
        ("skew_ms", "message"), [(HOUR_MS, "60 minutes ahead of"), (-5 * HOUR_MS, "5 hours behind")]
    )
    def test_a_clock_that_is_certainly_wrong_is_reported_and_corrected(
        self, skew_ms: int, message: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        """The service checks the time by its own clock, and its Date reports it.

        The next snapshot has a time that the service accepts.
        """
        with service(check, OK) as (url, received):
            agent, watch = watched(url, rounds=2, clock=lambda: system_clock() + skew_ms)
            run(agent)
        assert watch.actions == ["fix-clock", "accepted"]
        decision = watch.reports[0].decision
        text = f"refused: this machine's clock is {message} the service's"
        assert decision.message == text
        assert caplog.messages[0].startswith(f"upload: {text}; corrected for later uploads; next")
        assert decision.correction_ms is not None
        assert abs(decision.correction_ms + skew_ms) < 15_000
        assert 10 < watch.waits[0] <= 30
        sent_at = system_clock() + 30_000  # the time that the watch let pass at most
        assert not check_snapshot(received[1].body, received_at=sent_at)

    @pytest.mark.parametrize(
        ("mode", "rounds"), [({}, 2), ({"sample_ms": 2000}, 3)], ids=["eco", "realtime"]
    )
    def test_after_a_suspension_what_is_due_is_sent_within_five_seconds(
        self, mode: dict[str, int], rounds: int
    ) -> None:
        """The timer of a sleep stands still while the machine sleeps; `steady_clock` does not."""
        sleeps: list[float] = []

        async def pause(seconds: float) -> None:
            sleeps.append(seconds)
            await watch.pause(seconds)

        def now() -> int:
            return watch.now() + (8 * HOUR_MS if len(sleeps) > 1 else 0)

        with service(OK) as (url, _):
            agent, watch = watched(url, rounds, sleep=pause, **mode)
            run(attrs.evolve(agent, steady_clock=now))
        assert watch.actions == ["accepted"] * 2
        assert watch.waits[0] <= 10

    @pytest.mark.parametrize(
        ("misbehaviour", "fault"),
        [
            (lambda handler: handler.connection.shutdown(socket.SHUT_RDWR), NOT_HTTP),
            (lambda it: it.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"), NOT_HTTP),
            ((302, b":http://["), NOT_HTTP),  # httpx2 raises an error of urllib
            ((200, b"<html>welcome to this wireless network</html>"), None),
            (pour, None),
        ],
    )
    def test_an_unexpected_response_is_retried(
        self, misbehaviour: Script, fault: str | None
    ) -> None:
        with service(misbehaviour, OK) as (url, _):
            agent, watch = watched(url, rounds=2)
            run(agent)
        assert watch.actions == ["retry", "accepted"]
        assert watch.reports[0].error == fault

    def test_a_slow_answer_is_given_up(self) -> None:
        """Invariant *an attempt ends*."""
        with service(drip, OK) as (url, _):
            agent, watch = watched(url, rounds=1, timeout_seconds=0.5)
            began = time.monotonic()
            run(agent)
            assert time.monotonic() - began < 10
        assert watch.actions == ["retry"]
        assert watch.reports[0].error == "it took too long"

    def test_an_answer_of_a_proxy_ends_nothing_and_one_of_the_service_does(self) -> None:
        """Also as the first answer of a run."""
        foreign = [(404, b"404 page not found"), (405, b"<html>"), (401, b"<html>"), (302, b"/in")]
        ours = (401, b'{"error":"unauthorized"}')
        with service(*foreign, OK, *foreign, ours) as (url, _):
            agent, watch = watched(url, rounds=99)
            decision = asyncio.run(agent.run())
        tries = ["retry"] * len(foreign)
        assert watch.actions == [*tries, "accepted", *tries, "stop"]
        assert decision == watch.reports[-1].decision
        assert all(235 < wait <= 300 for wait in watch.waits[:4] + watch.waits[5:])

    @pytest.mark.parametrize("status", [307, 308])
    def test_no_redirect_is_followed(self, status: int) -> None:
        """Invariant *the token goes to one host*."""
        with service(OK) as (elsewhere, stolen):
            there = f"{elsewhere}/api/update".encode()
            with service((status, there)) as (url, _):
                decision = asyncio.run(watched(url)[0].run_once())
        assert decision.action == "retry"
        assert not stolen

    def test_plain_http_never_goes_through_a_proxy(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with service(OK) as (proxy, stolen), service(OK) as (url, received):
            for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
                monkeypatch.setenv(name, proxy)
            asyncio.run(watched(url)[0].run_once())
        assert not stolen
        assert len(received) == 1


class TestDestination:
    @pytest.mark.parametrize(
        "url", ["https://status.example:8443/below/", "http://[::1]:8000/", "http://localhost:8000"]
    )
    def test_tls_and_this_machine_are_fine(self, url: str) -> None:
        path = Destination.from_url(url, TOKEN).url.path
        assert path == ("/below/api/update" if "below" in url else "/api/update")

    @pytest.mark.parametrize(
        "url", ["http://status.example", "http://localhost.example", "http://[::ffff:192.0.2.1]"]
    )
    def test_plain_http_to_another_machine_needs_insistence(self, url: str) -> None:
        with pytest.raises(UnusableUrl, match="or --insecure"):
            Destination.from_url(url, TOKEN)
        assert Destination.from_url(url, TOKEN, insecure=True).url.scheme == "http"

    @pytest.mark.parametrize(
        "url",
        [
            "",
            "ftp://status.example",
            "https://",
            "https://user:secret@status.example",
            "https://status.example/?token=secret",
            "https://status.example/#secret",
            "https://status.example:65536",
            "https://" + "a" * 64 + ".example",
        ],
    )
    def test_anything_else_is_refused_without_quoting_it(self, url: str) -> None:
        with pytest.raises(UnusableUrl) as refused:
            Destination.from_url(url, TOKEN, insecure=True)
        assert "secret" not in str(refused.value)
        assert TOKEN not in repr(refused)
