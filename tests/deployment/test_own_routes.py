"""The guide to routes of one's own, run as written: the service, and the engine by hand."""

import asyncio
import re
import sys
from collections.abc import Callable, Iterator, MutableMapping
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import django.conf
import pytest
from asgiref.wsgi import WsgiToAsgi
from django.core.wsgi import get_wsgi_application
from django.test import override_settings
from openapi_spec_validator import OpenAPIV31SpecValidator
from stores import sql_store
from werkzeug.test import Client

from devicestatus import encode
from devicestatus.adapters.memory import MemoryStore
from devicestatus.conformance import KIT
from status_contracts.conformance.http import InProcess
from status_contracts.conformance.runner import Run
from status_contracts.exchange import Clock
from support.devicestatus.examples import snapshot, window
from support.servers.servers import ask, serve_asgi
from support.status_contracts.gateways import Pieces, Script, call_wsgi, exchange_asgi, scope_of
from support.status_contracts.kit_runs import HANDED_ON, only

pytestmark = pytest.mark.check

ADAPTER: Final[Any] = WsgiToAsgi  # it has no types
GUIDE: Final = Path(__file__).parents[2] / "docs/how-to/own-routes.md"
BLOCK: Final = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TOKEN: Final = "0123456789abcdef0123456789abcdef"
APPLICATIONS: Final = {"Flask": "site", "Django": "django", "WSGI": "status_application"}


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """Run the code of the guide in an empty folder; return what it defines."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "sql_store", sql_store)
    monkeypatch.setitem(sys.modules, "routes", routes := ModuleType("routes"))
    names = vars(routes)
    for block in BLOCK.findall(GUIDE.read_text("utf-8")):
        exec(block, names)  # noqa: S102 - the guide, as its reader runs it
    if not django.conf.settings.configured:
        django.conf.settings.configure(ROOT_URLCONF=(), ALLOWED_HOSTS=["*"])
    with override_settings(ROOT_URLCONF=type("Urls", (), {"urlpatterns": names["urlpatterns"]})):
        names["django"] = get_wsgi_application()
        yield names


def below_mount(app: Callable[..., Any]) -> Callable[..., Any]:
    """Return an ASGI application at the root that sends requests below `/status`.

    The application gets the path as it was sent, and the end of the body, as under gunicorn.
    """

    async def serve(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        raw_path, query = b"/status" + scope["raw_path"], scope["query_string"]
        below = {**scope, "path": f"/status{scope['path']}", "raw_path": raw_path}
        target = (raw_path + b"?" + query if query else raw_path).decode("latin-1")
        more = {"RAW_URI": target, "wsgi.input_terminated": True}
        wsgi = ADAPTER(lambda environ, start: app({**environ, **more}, start))
        await wsgi(below, receive, send)

    return serve


@pytest.mark.parametrize("framework", APPLICATIONS)
def test_the_kit_finds_no_difference(framework: str, names: dict[str, Any]) -> None:
    def make_app(clock: Clock) -> Callable[..., Any]:
        names.update(system_clock=clock, table=MemoryStore())
        return below_mount(names[APPLICATIONS[framework]])

    run = Run(only(KIT, HANDED_ON), InProcess(make_app, TOKEN), write=True)
    list(run.perform())
    assert run.causes == {}
    assert run.left_out == {}


def test_the_test_of_the_guide_passes(names: dict[str, Any]) -> None:
    names["TestRoutes"]().test_every_answer_is_right()


@pytest.mark.parametrize("framework", ["FastAPI", "Flask", "Django", "WSGI"])
@pytest.mark.usefixtures("names")
def test_a_reader_needs_no_section_of_another_framework(framework: str) -> None:
    own: dict[str, Any] = {"__name__": "routes"}
    for section in re.split(r"(?m)^##+ (?=.*\n)", GUIDE.read_text("utf-8").split("## Test it")[0]):
        named = re.findall("FastAPI|Flask|Django|WSGI", section.partition("\n")[0])
        if not named or framework in named:
            for block in BLOCK.findall(section):
                exec(block, own)  # noqa: S102 - as in the fixture


class TestByHand:
    """Each framework answers by its own routes what the service answers from the same table."""

    HEADERS: Final = {"Authorization": f"Bearer {TOKEN}"}

    @pytest.fixture(params=["site", "django", "application"])
    def client(self, request: pytest.FixtureRequest, names: dict[str, Any]) -> Client:
        return Client(names[request.param])

    @pytest.mark.parametrize(("token", "status", "most"), [("no", 401, 0), (TOKEN, 413, 600_000)])
    @pytest.mark.parametrize("name", ["api", "site", "django", "application"])
    def test_a_long_body_is_not_read_whole(
        self, name: str, token: str, status: int, most: int, names: dict[str, Any]
    ) -> None:
        """Nothing of it is read before the token is right."""
        headers = (b"Authorization", f"Bearer {token}".encode()), (b"Content-Length", b"3000000")
        script = Script.of_body([b" " * 10_000] * 300)
        pieces = Pieces([b" " * 3_000_000])
        if name == "api":
            scope = scope_of("POST", b"/me", headers)
            answer = asyncio.run(exchange_asgi(names[name], scope, script))
        else:
            answer = call_wsgi(names[name], "POST", b"/me", headers, **{"wsgi.input": pieces})
        assert answer is not None
        assert answer.status == status
        assert script.taken * 10_000 + pieces.taken <= most

    @pytest.mark.parametrize(("method", "path"), [("DELETE", "/me"), ("GET", "/other")])
    def test_nothing_else_is_answered(self, method: str, path: str, client: Client) -> None:
        assert client.open(path, method=method).status_code in {404, 405}

    def test_an_upload_is_shown(self, client: Client, names: dict[str, Any]) -> None:
        sample = snapshot(collected_at=names["system_clock"](), active_app="Maps")
        assert names["status"]() == names["Offline"]("no-record")
        assert client.post("/me", data=encode(sample), headers=self.HEADERS).status_code == 200
        service = Client(names["status_application"])
        assert client.get("/me").data == service.get("/status/api/now").data
        assert b"Maps" in client.get("/me").data
        assert client.get("/me").headers["Cache-Control"] == "no-store"

    def test_a_refusal_has_its_status_and_code(self, client: Client, names: dict[str, Any]) -> None:
        sql_store.metadata.drop_all(names["table"]._engine)
        sample = encode(snapshot(collected_at=names["system_clock"]()))
        for body, status, code in (b"{", 400, "invalid_json"), (sample, 503, "service_unavailable"):
            refused = client.post("/me", data=body, headers=self.HEADERS)
            assert (refused.status_code, refused.json) == (status, {"error": code})
        assert client.get("/me").status_code == 503
        assert {Client(names[it]).get("/me.svg").status_code for it in ("site", "django")} == {503}

    def test_fastapi_answers_and_describes_the_body(self, names: dict[str, Any]) -> None:
        now = names["system_clock"]()
        names["system_clock"] = lambda: now
        body = encode(window(window_start=now - 900_000, window_end=now))
        with serve_asgi(names["api"]) as url:
            assert ask(url, "POST", "/me", self.HEADERS, body).json["ok"]
            assert ask(url, "GET", "/me").body == ask(url, "GET", "/status/api/now").body
            assert ask(url, "GET", "/me").header("cache-control") == "no-store"
            assert ask(url, "GET", "/me.svg").body == names["badge"]()
            document = ask(url, "GET", "/openapi.json").json
            sql_store.metadata.drop_all(names["table"]._engine)
            assert {ask(url, "GET", path).status for path in ("/me", "/me.svg")} == {503}
        OpenAPIV31SpecValidator(document).validate()
        asked = document["paths"]["/me"]["post"]["requestBody"]["content"]["application/json"]
        names_of = {one["$ref"].rpartition("/")[2] for one in asked["schema"]["anyOf"]}
        assert names_of == {"Snapshot", "Window"}
        assert names_of <= {*document["components"]["schemas"]}
