"""The reference agent: snapshots of one machine to one service, one POST each.

What an answer means is decided in `devicestatus.delivery`; here are the clock, the waits and HTTP.

Invariant *nothing refusable is sent*: a snapshot that breaks a rule stays here.
Invariant *only fresh*: every attempt takes a new snapshot; an old one would be refused by its time.
Invariant *the token goes to one place*: no redirect is followed, plain HTTP goes to this machine
only (unless the person insists) and never through a proxy.
Invariant *nothing private is told*: a report has decisions, rule ids and the names of exception
types; never the token, a body, or the text of an exception, which may quote both.
Invariant *an attempt ends*: after `patience_seconds`, whatever the other side does, and no more
than the start of an answer is read.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from ipaddress import ip_address
from secrets import SystemRandom
from typing import Final, Self, cast

import attrs
import httpx

from devicestatus.catalog import ITUNES, CatalogHosts
from devicestatus.delivery import JITTER, WITHHELD, Answer, Decision, decide, read_answer
from devicestatus.ingest import check_snapshot
from devicestatus.snapshot import Snapshot
from purewire import jsontext
from purewire.adapters.clocks import system_clock
from purewire.effects import Clock
from purewire.findings import Finding
from purewire.instants import SECOND_MS
from purewire.plain import to_plain

__all__ = ["Agent", "Destination", "Report", "UnusableUrl"]

_PATH: Final = "/api/update"
_PATIENCE_SECONDS: Final = 20.0  # for connecting, sending and the answer together
_ANSWER_BYTES: Final = 65_536  # an answer of the service has 100
_LAST_PORT: Final = 65_535
_RANDOM: Final = SystemRandom()


class UnusableUrl(ValueError):
    """The URL cannot be an agent's destination; the text says why and does not quote it."""


@attrs.frozen
class Destination:
    """Where snapshots go.

    Attributes:
        url: the URL of `POST /api/update`.
        authorization: the value of the header, which is never shown.

    """

    url: httpx.URL
    authorization: bytes = attrs.field(repr=False)

    @classmethod
    def of(cls, base_url: str, token: str, *, insecure: bool = False) -> Self:
        """Make the destination of a service.

        Args:
            base_url: where the service is, without `/api`.
            token: its ingest token.
            insecure: allow plain HTTP to other machines.

        Raises:
            UnusableUrl: the URL is no place to send a token to.

        """
        fault = _fault(base_url, insecure=insecure)
        if fault is not None:
            raise UnusableUrl(fault)
        return cls(httpx.URL(base_url.rstrip("/") + _PATH), b"Bearer " + token.encode())


def _fault(base_url: str, *, insecure: bool) -> str | None:
    try:
        url = httpx.URL(base_url)
        url.host.encode("idna")  # as looking it up would
    except (httpx.InvalidURL, UnicodeError):
        return "the URL cannot be read"
    if not (url.port is None or 0 < url.port <= _LAST_PORT):
        return "the URL has no such port"
    if url.scheme not in {"http", "https"} or not url.host:
        return "the URL must begin with https:// or http:// and have a host"
    if url.userinfo or "?" in base_url or "#" in base_url:
        return "the URL must have no user, no query and no fragment"
    if url.scheme == "http" and not insecure and not _is_loopback(url.host):
        return "the token would travel in the clear: use https, or insist with --insecure"
    return None


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@attrs.frozen
class Report:
    """One attempt.

    Attributes:
        decision: what follows from it.
        findings: why the snapshot was not sent.
        fault: type of the exception that stands for the missing answer.

    """

    decision: Decision
    findings: tuple[Finding, ...] = ()
    fault: str | None = None


@attrs.define(eq=False)
class Agent:
    """Takes snapshots and sends them.

    Attributes:
        take: gives a snapshot collected at the time it is given; may block, runs in a thread.
        destination: where snapshots go.
        interval_ms: time from one snapshot to the next.
        tell: is told of every attempt.
        catalog: the music catalog's hosts, as the service has them.
        clock: gives the time, ms since the epoch.
        patience_seconds: how long one attempt may take.
        pause: waits for a number of seconds.

    """

    take: Callable[[int], Snapshot]
    destination: Destination
    interval_ms: int
    tell: Callable[[Report], None]
    catalog: CatalogHosts = ITUNES
    clock: Clock = system_clock
    patience_seconds: float = _PATIENCE_SECONDS
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def once(self) -> Report:
        """Send one snapshot."""
        async with self._client() as client:
            return await self._attempt(client, 1)

    async def run(self) -> Report:
        """Send snapshots until only a person can help; give the report that says so."""
        now = asyncio.get_running_loop().time
        failures = 0
        async with self._client() as client:
            while True:
                began = now()
                report = await self._attempt(client, failures + 1)
                decision = report.decision
                if decision.action == "stop":
                    return report
                failures = failures + 1 if decision.action == "retry" else 0
                await self.pause(self._wait_seconds(decision, now() - began))

    def _wait_seconds(self, decision: Decision, spent_seconds: float) -> float:
        if decision.wait_ms is not None:
            return decision.wait_ms / SECOND_MS
        return max(0.0, self.interval_ms / SECOND_MS - spent_seconds)

    def _client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            follow_redirects=False,
            # A proxy that the environment names sees only what TLS shows it.
            trust_env=self.destination.url.scheme == "https",
            timeout=self.patience_seconds,
            limits=httpx.Limits(max_keepalive_connections=0),  # the next one is a minute away
        )

    async def _attempt(self, client: httpx.AsyncClient, attempt: int) -> Report:
        report = await self._push(client, attempt)
        self.tell(report)
        return report

    async def _push(self, client: httpx.AsyncClient, attempt: int) -> Report:
        snapshot = await asyncio.to_thread(self.take, self.clock())
        findings = check_snapshot(snapshot, received_at=self.clock(), catalog=self.catalog)
        if findings:
            return Report(WITHHELD, findings)
        answer, fault = await self._send(client, jsontext.encode(to_plain(snapshot)))
        decision = decide(answer, attempt=attempt, jitter=_RANDOM.uniform(*JITTER))
        return Report(decision, fault=fault)

    async def _send(
        self, client: httpx.AsyncClient, body: bytes
    ) -> tuple[Answer | None, str | None]:
        headers = {
            b"Authorization": self.destination.authorization,
            b"Content-Type": b"application/json",
            b"Accept-Encoding": b"identity",
            b"User-Agent": b"devicestatus-agent",
        }
        sending = client.stream("POST", self.destination.url, content=body, headers=headers)
        try:
            async with asyncio.timeout(self.patience_seconds), sending as response:
                return read_answer(response.status_code, await _start_of(response)), None
        except (httpx.HTTPError, TimeoutError) as fault:
            return None, type(fault).__name__


async def _start_of(response: httpx.Response) -> bytes:
    body = bytearray()
    async with aclosing(cast("AsyncGenerator[bytes]", response.aiter_raw())) as pieces:
        async for piece in pieces:
            body += piece
            if len(body) > _ANSWER_BYTES:
                break
    return bytes(body[:_ANSWER_BYTES])
