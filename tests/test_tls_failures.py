"""A failure of TLS is named, with its remedy, by every command that connects to a service."""

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import sleep

import pytest

from devicestatus.adapters.upload_client import Destination, send_upload
from status_contracts.adapters.http_clients import tls_failure
from support.checks import canary
from support.servers.certificates import self_signed
from support.servers.commands import Ended, run, run_until
from support.servers.raw_server import serve_raw

pytestmark = pytest.mark.check

DEVICE, SITE = "devicestatus.cli.main", "sitedata.cli.main"
FAULTS = {
    "self-signed": "not accepted, self-signed certificate: renew it on the server, check this"
    " machine's clock and the host in the URL, or name a file to trust in SSL_CERT_FILE",
    "expired": "not accepted, certificate has expired: renew it on the server",
    "other host": "not accepted, IP address mismatch: renew it on the server",
    "plain": "check that the port is one for https, and that the server offers TLS 1.2 or later",
    "closed": "check that the port is one for https, and that the server offers TLS 1.2 or later",
}


@pytest.fixture(params=FAULTS)
def fault(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def service(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield the https URL of a server whose TLS has the fault."""
    if fault in {"plain", "closed"}:
        with without_tls(b"HTTP/1.1 400 Bad Request\r\n\r\n" if fault == "plain" else b"") as url:
            yield url
        return
    address = "127.0.0.2" if fault == "other host" else "127.0.0.1"
    context, file = self_signed(tmp_path, address=address, days=-1 if fault == "expired" else 1)
    if fault != "self-signed":
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
    with serve_raw(lambda *_: None, tls=context) as served:
        yield served.url


@contextmanager
def without_tls(answer: bytes) -> Iterator[str]:
    """Run a server that answers whatever is sent, and closes."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            with listener.accept()[0] as connection:
                if not connection.recv(65_536):
                    return
                connection.sendall(answer)

    thread = Thread(target=serve)
    thread.start()
    yield f"https://127.0.0.1:{listener.getsockname()[1]}"
    socket.create_connection(listener.getsockname()).close()
    thread.join()
    listener.close()


def said(ended: Ended, fault: str) -> bool:
    return "TLS failed: " in ended.err + ended.out and FAULTS[fault] in ended.err + ended.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("agent", "--once", "--url"),
        ("push", "body.json", "--url"),
        ("fetch", "-o", "copy.json"),
        ("conformance",),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_names_it(
    arguments: tuple[str, ...], service: str, fault: str, tmp_path: Path
) -> None:
    shown = json.loads(run("agent", "--dry-run", "--json").out)
    (tmp_path / "body.json").write_text(json.dumps(shown["snapshot"]))
    module = SITE if arguments[0] == "fetch" else DEVICE
    ended = run(*arguments, service, module=module, cwd=tmp_path)
    assert (ended.code, said(ended, fault)) == (3, True)


@pytest.mark.parametrize("fault", ["expired"], indirect=True)
def test_a_buffered_agent_names_it_and_goes_on(service: str, fault: str, tmp_path: Path) -> None:
    arguments = ("agent", "--mode", "buffered", "--url", service)
    ended = run_until("TLS failed", *arguments, "--checkpoint", tmp_path / "agent.json")
    assert (ended.code, said(ended, fault)) == (0, True)
    assert "; next in 1" in ended.err


class TestReasons:
    def test_another_error_is_none_of_tls(self) -> None:
        assert tls_failure(OSError("refused")) is None

    def test_without_a_file_of_certificates_an_agent_tries_again(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/bundle.pem")
        sent = asyncio.run(send_upload(Destination.from_url("https://a.b", canary.TOKEN), b"{}"))
        assert sent.decision.action == "retry"
        assert sent.error is not None
        assert "check SSL_CERT_FILE" in sent.error

    def test_a_slow_response_over_tls_is_no_failure_of_tls(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        context, file = self_signed(tmp_path)
        monkeypatch.setenv("SSL_CERT_FILE", str(file))

        with serve_raw(lambda *_: sleep(3), tls=context) as served:
            target = Destination.from_url(served.url, canary.TOKEN)
            sent = asyncio.run(send_upload(target, b"{}", timeout_seconds=2))
            assert served.heads
        assert sent.error == "it took too long"
