"""The watch finds what it is there for: a run in which something is shown or broken fails."""

import base64
import os
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from status_contracts.messages import JSON, NO_STORE, SVG, Request, Response, build_response
from support.checks import answer_rules
from support.checks.answer_rules import DEVICE, HEALTH, Product, check, check_framing
from support.checks.canary import TOKEN, shows

TESTS = Path(__file__).parent
RUN = """
import logging
import sys
import threading

import pytest

from support.checks.canary import TOKEN, shows
from devicestatus import Settings
from devicestatus.adapters.application import asgi_app
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
    app = asgi_app(Settings(TOKEN), store=MemoryStore(), clock=lambda: 10**12)
    with serve_asgi(app) as url:
        assert ask(url, "GET", "/api/health").status == 500


def test_serves_a_process_that_prints_it(tmp_path):
    source = "from support.status_contracts.echo_handler import asgi"
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
        monkeypatch.setattr("status_contracts.messages.COMMON", ())
        monkeypatch.setattr("devicestatus.service.Service.health", wrong)


def wrong(self, request, params):
    yield from ()
    from status_contracts.messages import Response

    return Response(200, (("Content-Length", "0"),))
"""


@pytest.mark.check
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


@pytest.mark.parametrize(
    "form", [TOKEN, TOKEN.encode().hex(), base64.b64encode(f"x{TOKEN}yz".encode()), TOKEN[16:48]]
)
def test_the_token_is_found_in_any_form(form: str | bytes) -> None:
    assert shows("before", f"x{form!r}y")
    assert not shows(TOKEN[:20], "a" * 1000, "")


GET = Request("GET", b"/api/health")
HEALTHY = build_response("GET", 200, JSON, b'{"ok":true,"service":"s"}', NO_STORE)


def without(name: str, response: Response) -> Response:
    kept = tuple(line for line in response.headers if line[0] != name)
    return attrs.evolve(response, headers=kept)


def refusal(status: int, body: bytes) -> Response:
    return build_response("GET", status, JSON, body, NO_STORE)


def badge(body: bytes) -> Response:
    policy = ("Content-Security-Policy", answer_rules.IMAGE_POLICY)
    return build_response("GET", 200, SVG, body, (*NO_STORE, policy))


PICTURE = attrs.evolve(GET, path=b"/api/badge.svg")
BROKEN = {
    "a header": (DEVICE, GET, without("Cache-Control", HEALTHY)),
    "an active picture": (DEVICE, PICTURE, badge(b"<svg><script/></svg>")),
    "the token": (DEVICE, PICTURE, badge(f"<svg>{TOKEN}</svg>".encode())),
    "a documented pair": (DEVICE, GET, refusal(404, b'{"error":"unauthorized"}')),
    "a body of another shape": (DEVICE, GET, build_response("GET", 200, JSON, b"{}", NO_STORE)),
    "that of another product": (HEALTH, GET, refusal(404, b'{"error":"not_found"}')),
}


class TestRules:
    def test_an_answer_that_obeys_is_left_alone(self) -> None:
        check(DEVICE, GET, HEALTHY)
        check(DEVICE, PICTURE, badge(b"<svg><g id='a'/></svg>"))

    @pytest.mark.parametrize(("product", "asked", "response"), BROKEN.values(), ids=BROKEN)
    def test_one_that_breaks_a_rule_is_not(
        self, product: Product, asked: Request, response: Response
    ) -> None:
        with pytest.raises(AssertionError):
            check(product, asked, response)

    @pytest.mark.parametrize("body", [b"x", TOKEN.encode()])
    def test_nor_is_one_that_came_over_the_wire(self, body: bytes) -> None:
        with pytest.raises(AssertionError):
            check_framing("HEAD" if body == b"x" else "GET", Response(200, (), body))
