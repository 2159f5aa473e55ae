"""The ASGI and the WSGI application: bindings, real servers, mounting in frameworks."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from flask import Flask
from starlette.applications import Starlette
from starlette.routing import Mount
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from devicestatus import Settings
from devicestatus.adapters import asgi, wsgi
from devicestatus.adapters.memory import MemoryStore
from purewire.adapters.assets import FolderAssets
from purewire.adapters.clocks import system_clock
from purewire.json.codec import encode
from purewire.structuring.to_builtins import to_builtins
from support.devicestatus.app_icons import FOLDER
from support.devicestatus.examples import TOKEN, snapshot
from support.servers.django_host import django_host
from support.servers.servers import Answer, ask, serve_asgi, serve_wsgi

CREDENTIALS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}

SERVERS: list[Any] = [
    pytest.param(serve_asgi, "asgi", "uvicorn", id="uvicorn"),
    pytest.param(serve_asgi, "asgi", "granian", id="granian"),
    pytest.param(serve_wsgi, "wsgi", "gunicorn", id="gunicorn"),
    pytest.param(serve_wsgi, "wsgi", "waitress", id="waitress"),
]
Serve = Callable[..., AbstractContextManager[str]]


def fresh() -> bytes:
    """Return the body of a snapshot collected now."""
    return encode(to_builtins(snapshot(collected_at=system_clock(), active_app="Firefox")))


def reported(answer: Answer) -> Any:
    """Return the JSON value of an answer."""
    return json.loads(answer.body)


def go_round(base_url: str, prefix: str = "") -> None:
    """Write, read, refuse, over HTTP."""
    assert reported(ask(base_url, "GET", f"{prefix}/api/now")) == {"status": "offline"}
    written = ask(base_url, "POST", f"{prefix}/api/update", CREDENTIALS, fresh())
    assert written.status == 200, written
    now = ask(base_url, "GET", f"{prefix}/api/now?whatever=1")
    assert reported(now)["active_app"] == "Firefox"
    assert now.header("cache-control") == "no-store, max-age=0"
    app = reported(ask(base_url, "GET", f"{prefix}/api/apps/active"))["active_app"]
    icon = ask(base_url, "GET", f"{prefix}{app['icon_api_url']}")
    assert icon.body.startswith(b"\x89PNG")
    tag = icon.header("etag")
    assert tag is not None
    again = ask(base_url, "GET", f"{prefix}{app['icon_url']}", {"If-None-Match": tag})
    assert (again.status, again.body) == (304, b"")
    assert b"<svg" in ask(base_url, "GET", f"{prefix}/api/badge.svg").body
    assert b"<html" in ask(base_url, "GET", f"{prefix}/").body
    assert ask(base_url, "POST", f"{prefix}/api/update", {}, fresh()).status == 401
    head = ask(base_url, "HEAD", f"{prefix}/api/now")
    assert (head.status, head.header("allow"), head.body) == (405, "GET, OPTIONS", b"")
    assert ask(base_url, "OPTIONS", f"{prefix}/api/batch").status == 204


class TestRealServers:
    @pytest.mark.parametrize(("serve", "name", "server"), SERVERS)
    def test_a_whole_round(self, serve: Serve, name: str, server: str, tmp_path: Path) -> None:
        env = {"STATUS_DATABASE": str(tmp_path / "status.sqlite"), "INGEST_TOKEN": TOKEN}
        with serve(f"support.servers.serving:{name}", server=server, env=env) as base_url:
            go_round(base_url)
            for path in ("/api/%6eow", "//api/now", "/api/now/", "/API/now"):
                assert ask(base_url, "GET", path).status == 404, path
            body = fresh()
            padded = body + b" " * (16_385 - len(body))
            too_large = ask(base_url, "POST", "/api/update", CREDENTIALS, [padded])
            assert (too_large.status, reported(too_large)) == (413, {"error": "payload_too_large"})
            pieces = (body[at : at + 7] for at in range(0, len(body), 7))
            assert ask(base_url, "POST", "/api/update", CREDENTIALS, pieces).status == 200
        with serve(f"support.servers.serving:{name}", server=server, env=env) as base_url:
            assert reported(ask(base_url, "GET", "/now"))["active_app"] == "Firefox"


@pytest.mark.rule("DS-HTTP-15")
class TestMounting:
    def test_in_starlette(self) -> None:
        app = asgi.create_app(Settings(TOKEN), store=MemoryStore(), assets=FOLDER)
        with serve_asgi(Starlette(routes=[Mount("/x", app)])) as base_url:
            go_round(base_url, "/x")

    def test_in_fastapi(self) -> None:
        host = FastAPI()
        host.mount("/x", asgi.create_app(Settings(TOKEN), store=MemoryStore(), assets=FOLDER))
        with serve_asgi(host) as base_url:
            go_round(base_url, "/x")

    def test_in_flask(self) -> None:
        host = Flask("host")
        app = wsgi.create_app(Settings(TOKEN), store=MemoryStore(), assets=FOLDER)
        with serve_wsgi(DispatcherMiddleware(host, {"/x": app}), server="werkzeug") as base_url:
            go_round(base_url, "/x")

    def test_in_django(self) -> None:
        app = wsgi.create_app(Settings(TOKEN), store=MemoryStore(), assets=FOLDER)
        with serve_wsgi(django_host(app)) as base_url:
            go_round(base_url, "/x")


class TestBindings:
    @pytest.mark.parametrize("serve", [serve_asgi, serve_wsgi])
    def test_the_icons_of_the_package_are_there_unless_they_are_switched_off(
        self, serve: Any, caplog: pytest.LogCaptureFixture
    ) -> None:
        adapter = asgi if serve is serve_asgi else wsgi
        settings, store = Settings(None), MemoryStore()
        with serve(adapter.create_app(settings, store=store)) as base_url:
            manifest = json.loads(ask(base_url, "GET", "/api/icons").body)
            assert ask(base_url, "GET", manifest["icons"][0]["imageUrl"]).status == 200
            assert ask(base_url, "GET", "/app-icons/index.json").status == 200
        with serve(adapter.create_app(settings, store=store, assets=None)) as base_url:
            for path in ("/api/icons", "/app-icons/index.json", "/app-icons/terminal.png"):
                assert ask(base_url, "GET", path).status == 503
        assert "ReadAsset" not in caplog.text

    def test_assets_may_be_an_object(self) -> None:
        app = wsgi.create_app(Settings(None), store=None, assets=FolderAssets(FOLDER))
        with serve_wsgi(app) as base_url:
            assert ask(base_url, "HEAD", "/api/icons").status == 200
