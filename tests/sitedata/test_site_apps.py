"""The ASGI and the WSGI application: real servers, real files, mounting, real clients."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from flask import Flask
from starlette.applications import Starlette
from starlette.routing import Mount
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from purewire.pages.settings import PageSettings
from sitedata.adapters import asgi, wsgi
from sitedata.serving.service import PATH, Published, publish
from support.servers.django_host import django_host
from support.servers.servers import ask, serve_asgi, serve_wsgi
from support.sitedata.site_versions import body_of, replace, snapshot_of

SERVERS: list[Any] = [
    pytest.param(serve_asgi, "asgi", "uvicorn", id="uvicorn"),
    pytest.param(serve_asgi, "asgi", "granian", id="granian"),
    pytest.param(serve_wsgi, "wsgi", "gunicorn", id="gunicorn"),
    pytest.param(serve_wsgi, "wsgi", "waitress", id="waitress"),
    pytest.param(serve_wsgi, "wsgi", "granian", id="granian-wsgi"),
]
Serve = Callable[..., AbstractContextManager[str]]
Create = Callable[..., Any]
Application = Callable[..., AbstractContextManager[str]]


@pytest.fixture(
    params=[(serve_asgi, asgi.create_app), (serve_wsgi, wsgi.create_app)], ids=["asgi", "wsgi"]
)
def application(request: pytest.FixtureRequest) -> Application:
    """Return what creates an application and serves it."""
    serve, create = request.param
    return lambda *arguments, **options: serve(create(*arguments, **options))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "site-data.json"
    found.write_bytes(body_of(1))
    return found


class TestRealServers:
    @pytest.mark.parametrize(("serve", "name", "server"), SERVERS)
    def test_all_endpoints_respond(self, serve: Serve, name: str, server: str, path: Path) -> None:
        env = {"SITE_FILE": str(path)}
        with (
            serve(f"support.sitedata.site_serving:{name}", server=server, env=env) as base_url,
            httpx2.Client(base_url=base_url) as client,
        ):
            whole = client.get(PATH, headers={"Accept-Encoding": "gzip, zstd"})
            assert whole.status_code == 200
            assert not {"content-encoding", "vary"} & set(whole.headers)
            assert whole.content == body_of(1)
            tag = whole.headers["etag"]
            head = client.head(PATH)
            for field in ("etag", "content-length", "last-modified", "cache-control"):
                assert head.headers[field] == whole.headers[field]
            assert head.content == b""
            again = client.get(PATH, headers={"If-None-Match": tag})
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["etag"] == tag
            since = {"If-Modified-Since": whole.headers["last-modified"]}
            assert client.get(PATH, headers=since).status_code == 304
            assert client.get(f"{PATH}?page=2&limit=1").content == body_of(1)
            assert client.options(PATH).status_code == 204
            refused = client.post(PATH, content=b"{}")
            assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
            missing = client.get("/data/other.json")
            assert missing.status_code == 404
            assert missing.json()["error"]["code"] == "not_found"
            path.unlink()
            gone = client.get(PATH)
            assert (gone.status_code, gone.json()["error"]["code"]) == (503, "service_unavailable")

    def test_a_new_file_is_in_the_next_response(self, application: Application, path: Path) -> None:
        with application(path) as base_url:
            first = ask(base_url, "GET", PATH)
            tag = {"If-None-Match": str(first.header("etag"))}
            assert ask(base_url, "GET", PATH, tag).status == 304
            replace(path, body_of(2))
            second = ask(base_url, "GET", PATH, tag)
            assert (second.status, second.body) == (200, body_of(2))
            replace(path, b"{}")
            assert ask(base_url, "GET", PATH).body == body_of(2)


class TestMounting:
    def test_in_starlette(self) -> None:
        mounted = Starlette(routes=[Mount("/x", asgi.create_app(snapshot_of(1)))])
        with serve_asgi(mounted) as base_url:
            assert ask(base_url, "GET", f"/x{PATH}").body == body_of(1)
            assert ask(base_url, "GET", f"/x/y{PATH}").status == 404

    def test_in_flask(self) -> None:
        app = DispatcherMiddleware(Flask("host"), {"/x": wsgi.create_app(snapshot_of(1))})
        with serve_wsgi(app, server="werkzeug") as base_url:
            assert ask(base_url, "GET", f"/x{PATH}").body == body_of(1)

    def test_in_django(self) -> None:
        with serve_wsgi(django_host(wsgi.create_app(snapshot_of(1)))) as base_url:
            assert ask(base_url, "GET", f"/x{PATH}").body == body_of(1)

    def test_below_a_prefix_of_the_server(self) -> None:
        """A proxy may remove the prefix and report it, or the server removes it."""
        with serve_asgi(asgi.create_app(snapshot_of(1)), prefix="/deep/down") as base_url:
            assert ask(base_url, "GET", PATH).body == body_of(1)
        with serve_wsgi(wsgi.create_app(snapshot_of(1)), prefix="/deep/down") as base_url:
            assert ask(base_url, "GET", f"/deep/down{PATH}").body == body_of(1)


class TestArguments:
    def test_an_awaitable_source(self) -> None:
        class Waiting:
            async def read(self, name: str | None, now: int) -> Published | None:
                await asyncio.sleep(0.001)
                return publish(body_of(1)).as_of(now)

        with serve_asgi(asgi.create_app(Waiting())) as base_url:
            assert ask(base_url, "GET", PATH).body == body_of(1)
        with pytest.raises(TypeError, match=r"Waiting\.read is a coroutine function under WSGI"):
            wsgi.create_app(Waiting())

    def test_the_page_is_that_of_the_settings(self, application: Application) -> None:
        with application(snapshot_of(1), page=PageSettings("Ada")) as base_url:
            page = ask(base_url, "GET", "/")
            assert (page.status, page.header("cache-control")) == (200, "no-cache")
            assert b"<title>Ada \xc2\xb7 Practice</title>" in page.body
            assert ask(base_url, "GET", PATH).body == body_of(1)
            assert ask(base_url, "HEAD", "/").body == b""

    def test_a_source_that_fails_is_503(self, application: Application) -> None:
        class Broken:
            def read(self, name: str | None, now: int) -> None:
                raise OSError("secret")

        with application(Broken()) as base_url:
            answer = ask(base_url, "GET", PATH)
        assert answer.status == 503
        assert b"secret" not in answer.body

    def test_cache_lifetimes(self, application: Application) -> None:
        with application(snapshot_of(1), max_age_seconds=60, stale_seconds=0) as base_url:
            answer = ask(base_url, "GET", PATH)
        assert answer.header("cache-control") == "public, max-age=60, stale-while-revalidate=0"
        with pytest.raises(ValueError, match="seconds"):
            application(snapshot_of(1), stale_seconds=-1)

    @pytest.mark.parametrize("create", [asgi.create_app, wsgi.create_app])
    def test_a_snapshot_that_cannot_be_encoded_is_refused_at_once(self, create: Create) -> None:
        with pytest.raises(ValueError, match="year"):
            create(snapshot_of(1, generated_at=10**18))
