"""The watch finds what it is there for: a run in which something is shown or broken fails."""

import base64
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError

import attrs
import pytest

from purewire.http.messages import Request, Response
from purewire.http.responses import COMMON, JSON, NO_STORE, SVG, build_response, preflight_response
from sitedata.errors import SiteDataError
from support.checks import answer_rules
from support.checks.answer_rules import DEVICE, HEALTH, SITE, Product, check, check_wire
from support.checks.canary import TOKEN, shows
from support.checks.response_watch import SOURCES, texts_of

TESTS = Path(__file__).parent
RUN = """
import logging
import sys
import threading

import pytest

from support.checks.canary import TOKEN
from devicestatus import Settings
from devicestatus.adapters.asgi import create_app
from devicestatus.adapters.memory import MemoryStore
from support.servers.servers import ask, serve_asgi, serve_process


def test_prints():
    print(TOKEN)


def test_complains():
    print(f"half of it: {TOKEN[16:48]}", file=sys.stderr)


def test_logs():
    thread = threading.Thread(target=logging.getLogger("any").error, args=("%s", TOKEN.encode()))
    thread.start()
    thread.join()


def test_responses_wrongly_in_a_thread():
    app = create_app(Settings(TOKEN), store=MemoryStore(), clock=lambda: 10**12)
    with serve_asgi(app) as url:
        assert ask(url, "GET", "/api/health").status == 500


def test_serves_a_process_that_prints_it(tmp_path):
    source = "from support.purewire.echo_handler import asgi"
    (tmp_path / "leaking.py").write_text(f"print({TOKEN!r}, flush=True)\\n{source}")
    paths = f"{tmp_path}:{os.environ['PYTHONPATH']}"
    with serve_process("leaking:asgi", server="uvicorn", env={"PYTHONPATH": paths}):
        pass


def test_shows_nothing():
    logging.getLogger("any").error("%s", TOKEN[:8])
    print(TOKEN[:8])


@pytest.fixture(autouse=True)
def _wrong(monkeypatch, request):
    if "wrongly" in request.node.name:
        monkeypatch.setattr("purewire.http.responses.COMMON", ())
        monkeypatch.setattr("devicestatus.http.service.Service.health", wrong)


def wrong(self, request, params):
    yield from ()
    from purewire.http.messages import Response

    return Response(200, (("Content-Length", "0"),))
"""


class TestRuns:
    def test_a_run_fails_where_it_must_and_nowhere_else(self, tmp_path: Path) -> None:
        (tmp_path / "test_run.py").write_text(RUN)
        paths = [str(tmp_path), str(TESTS)]
        options = [
            "-p",
            "support.checks.response_watch",
            "-p",
            "no:cacheprovider",
            "-q",
            "-rA",
            "--rootdir",
            tmp_path,
        ]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *map(str, options), str(tmp_path / "test_run.py")],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        outcomes = dict(
            line.split("test_run.py::test_")[0:2][::-1]
            for line in done.stdout.replace(" - ", "\n").splitlines()
            if "::test_" in line and line.startswith(("PASSED", "FAILED"))
        )
        assert {name: outcome.strip() for name, outcome in outcomes.items()} == {
            "prints": "FAILED",
            "complains": "FAILED",
            "logs": "FAILED",
            "responses_wrongly_in_a_thread": "FAILED",
            "serves_a_process_that_prints_it": "FAILED",
            "shows_nothing": "PASSED",
        }, done.stdout


class TestSearch:
    @pytest.mark.parametrize(
        "text",
        [
            TOKEN,
            TOKEN.upper(),
            f"Bearer {TOKEN}",
            repr(TOKEN.encode()),
            TOKEN.encode().hex(),
            repr(list(TOKEN.encode())),
            "".join(f"%{byte:02X}" for byte in TOKEN.encode()),
            TOKEN[16:48],
        ],
    )
    def test_it_is_found_in_any_form(self, text: str) -> None:
        assert shows("before", f"x{text}y")

    @pytest.mark.parametrize("front", range(3))
    def test_it_is_found_in_base64(self, front: int) -> None:
        code = base64.b64encode(b"x" * front + TOKEN.encode() + b"yz").decode()
        assert shows(code)

    def test_other_text_is_not_it(self) -> None:
        assert not shows(TOKEN[:20], "a" * 1000, "")


def stumble(secret: str) -> None:
    """Fail with the token in a local variable, and without it in any text."""
    raise ZeroDivisionError


class TestLogRecords:
    @pytest.mark.parametrize("ours", [True, False])
    def test_locals_are_looked_at_in_frames_of_the_packages(
        self, ours: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if ours:
            code = stumble.__code__.replace(co_filename=f"{SOURCES}/any.py")
            monkeypatch.setattr(stumble, "__code__", code)
        with pytest.raises(ZeroDivisionError) as raised:
            stumble(TOKEN)
        exc_info = (raised.type, raised.value, raised.tb)
        record = logging.LogRecord("any", logging.ERROR, "", 1, "no more", (), exc_info)
        assert shows(*texts_of(record)) == ours

    def test_arguments_and_texts_of_exceptions_are(self) -> None:
        fault = ValueError(TOKEN)
        with_fault = logging.LogRecord("any", 1, "", 1, "", (), (ValueError, fault, None))
        with_argument = logging.LogRecord("any", 1, "", 1, "%s", (TOKEN.encode(),), None)
        assert shows(*texts_of(with_fault))
        assert shows(*texts_of(with_argument))


GET = Request("GET", b"/api/health")
HEALTHY = build_response("GET", 200, JSON, b'{"ok":true,"service":"s"}', NO_STORE)


def without(name: str, response: Response) -> Response:
    kept = tuple(line for line in response.headers if line[0] != name)
    return attrs.evolve(response, headers=kept)


def with_line(name: str, value: str, response: Response = HEALTHY) -> Response:
    return attrs.evolve(response, headers=(*response.headers, (name, value)))


def refusal(status: int, body: bytes, *headers: tuple[str, str], method: str = "GET") -> Response:
    return build_response(method, status, JSON, body, (*NO_STORE, *headers))


def badge(body: bytes) -> Response:
    policy = ("Content-Security-Policy", answer_rules.IMAGE_POLICY)
    return build_response("GET", 200, SVG, body, (*NO_STORE, policy))


def broken_ones() -> Iterator[Any]:
    """Return answers that each break one rule."""
    for name, _ in (*COMMON, *NO_STORE):
        yield DEVICE, GET, without(name, HEALTHY)
    for name in ("Set-Cookie", "Access-Control-Allow-Credentials", "Allow", "WWW-Authenticate"):
        yield DEVICE, GET, with_line(name, "true")
    yield DEVICE, GET, with_line("X", TOKEN)
    yield DEVICE, GET, with_line("X", "a\r\nb")
    yield DEVICE, GET, with_line("referrer-policy", "no-referrer")
    yield DEVICE, GET, with_line("ETag", "bare")
    yield DEVICE, GET, attrs.evolve(HEALTHY, body=b"")
    for body in (b'{"ok":true}', b'{"ok":true,"service":NaN}', b'{"ok":true,"ok":true}'):
        yield DEVICE, GET, build_response("GET", 200, JSON, body, NO_STORE)
    yield DEVICE, GET, build_response("GET", 200, "text/plain", b"", NO_STORE)
    yield DEVICE, GET, build_response("GET", 201, JSON, b"{}", NO_STORE)
    yield DEVICE, attrs.evolve(GET, method="HEAD"), HEALTHY
    yield DEVICE, GET, attrs.evolve(preflight_response(NO_STORE), body=b"x")
    now = attrs.evolve(GET, path=b"/api/now")
    yield DEVICE, now, build_response("GET", 200, JSON, b'{"status":"offline","why":1}', NO_STORE)
    yield DEVICE, now, build_response("GET", 200, JSON, b'{"status":"online"}', NO_STORE)
    picture = attrs.evolve(GET, path=b"/api/badge.svg")
    for body in (
        b"<svg",
        b"<svg><script/></svg>",
        b"<svg onload='x'/>",
        b"<svg><g style='x'/></svg>",
        b"<svg xmlns:x='u' x:href='y'/>",
        f"<svg>{TOKEN}</svg>".encode(),
    ):
        yield DEVICE, picture, badge(body)
    yield DEVICE, GET, refusal(404, b'{"error":"unauthorized"}')
    yield DEVICE, GET, refusal(404, b'{"error":"not_found","why":1}')
    yield DEVICE, GET, refusal(500, b'{"error":"not_found"}')
    yield DEVICE, GET, refusal(401, b'{"error":"unauthorized"}')
    yield DEVICE, GET, refusal(405, b'{"error":"method_not_allowed"}')
    yield HEALTH, GET, refusal(404, b'{"error":"not_found"}')
    yield SITE, GET, refusal(404, b'{"error":{"code":"not_found","message":"other"}}')
    yield (
        SITE,
        GET,
        build_response("GET", 200, JSON, b"{}", (("Cache-Control", "public, max-age=1"),)),
    )


class TestRules:
    def test_an_answer_that_obeys_is_left_alone(self) -> None:
        check(DEVICE, GET, HEALTHY)
        check(DEVICE, attrs.evolve(GET, path=b"/api/badge.svg"), badge(b"<svg><g id='a'/></svg>"))
        check(
            DEVICE, GET, refusal(401, b'{"error":"unauthorized"}', ("WWW-Authenticate", "Bearer"))
        )

    @pytest.mark.parametrize(("product", "request_", "response"), list(broken_ones()))
    def test_one_that_breaks_a_rule_is_not(
        self, product: Product, request_: Request, response: Response
    ) -> None:
        with pytest.raises((AssertionError, KeyError, ExpatError, SiteDataError)):
            check(product, request_, response)

    @pytest.mark.parametrize(
        "check",
        [
            lambda: check_wire("HEAD", b"/", Response(200, (), b"x")),
            lambda: check_wire("GET", b"/", Response(204, (), b"x")),
            lambda: check_wire("GET", b"/x/api/now", without("Cache-Control", HEALTHY)),
            lambda: check_wire("GET", b"/?", refusal(404, b'{"error":"unauthorized"}')),
            lambda: check_wire("GET", b"/", refusal(404, b'{"api_version":"v2","error":{}}')),
        ],
    )
    def test_nor_is_one_that_came_over_the_wire(self, check: Callable[[], None]) -> None:
        with pytest.raises((AssertionError, KeyError)):
            check()

    def test_responses_of_others_are_checked_by_their_framing_alone(self) -> None:
        check_wire("GET", b"/api/now", Response(500, (), b"Internal Server Error"))
