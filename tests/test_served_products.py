"""The three products on real servers and in other applications, by both interfaces.

That servers and hosts pass requests on as they are is in `tests/status_contracts`; here each
product goes a round on them.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin

import attrs
import httpx2
import pytest
from demo import answers, health_probes
from fastapi import FastAPI
from flask import Flask
from starlette.applications import Starlette
from starlette.routing import Mount
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from devicestatus import Settings
from devicestatus.adapters.application import asgi_app as device_asgi_app
from devicestatus.adapters.application import wsgi_app as device_wsgi_app
from devicestatus.adapters.memory import MemoryStore
from healthapi.adapters.application import asgi_app as health_asgi_app
from healthapi.adapters.application import wsgi_app as health_wsgi_app
from sitedata.adapters.application import asgi_app as site_asgi_app
from sitedata.adapters.application import wsgi_app as site_wsgi_app
from sitedata.service import PATH
from status_contracts.adapters.clocks import system_clock
from status_contracts.json_text import encode
from status_contracts.structuring.converter import unstructure
from support.devicestatus.app_icons import FOLDER
from support.devicestatus.examples import TOKEN, snapshot
from support.servers.django_host import django_host
from support.servers.servers import ask, serve_asgi, serve_wsgi
from support.sitedata.site_versions import body_of, snapshot_of

pytestmark = pytest.mark.check

CREDENTIALS: Final = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
EXAMPLES: Final = Path(__file__).parents[1] / "examples" / "lifesnaps"
HEALTH: Final = "/api/public/v1"


def go_round_device(url: str, prefix: str) -> None:
    """Write, read, refuse."""
    assert ask(url, "GET", f"{prefix}/api/now").json == {"status": "offline"}
    taken = snapshot(collected_at=system_clock(), active_app="Firefox")
    body = encode(unstructure(taken))
    pieces = (body[at : at + 7] for at in range(0, len(body), 7))
    assert ask(url, "POST", f"{prefix}/api/update", CREDENTIALS, pieces).status == 200
    now = ask(url, "GET", f"{prefix}/api/now?whatever=1")
    assert now.json["active_app"] == "Firefox"
    assert now.header("cache-control") == "no-store, max-age=0"
    app = ask(url, "GET", f"{prefix}/api/apps/active").json["active_app"]
    icon = ask(url, "GET", f"{prefix}{app['icon_api_url']}")
    assert icon.body.startswith(b"\x89PNG")
    condition = {"If-None-Match": str(icon.header("etag"))}
    again = ask(url, "GET", f"{prefix}{app['icon_url']}", condition)
    assert (again.status, again.body) == (304, b"")
    assert b"<svg" in ask(url, "GET", f"{prefix}/api/badge.svg").body
    assert b"<html" in ask(url, "GET", f"{prefix}/").body
    assert ask(url, "POST", f"{prefix}/api/update", {}, body).status == 401
    head = ask(url, "HEAD", f"{prefix}/api/now")
    assert (head.status, head.header("allow"), head.body) == (405, "GET, OPTIONS", b"")
    assert ask(url, "OPTIONS", f"{prefix}/api/batch").status == 204


async def faults_of_health(url: str) -> list[str]:
    async with httpx2.AsyncClient(base_url=url) as client:
        return [fault async for fault in answers(client, health_probes())]


def go_round_health(url: str, prefix: str) -> None:
    """Ask for everything, and follow the links from the index to a chart below any prefix."""
    for person in ("person-1", "person-2", "person-3"):
        ask(url, "GET", f"{prefix}{HEALTH}/profiles/{person}")  # lists wait for no profile
    if not prefix:
        assert asyncio.run(faults_of_health(url)) == []
    links = ask(url, "GET", f"{prefix}{HEALTH}").json["data"]["sample_links"]
    itself = urljoin(f"{url}{prefix}{HEALTH}", links["self"])
    assert itself == f"{url}{prefix}{HEALTH}/profiles/person-1"
    links = ask(url, "GET", itself.removeprefix(url)).json["data"]["links"]
    chart = ask(url, "GET", urljoin(itself, links["chart_overview"]).removeprefix(url))
    assert chart.body.startswith(b"<svg")


def go_round_site(url: str, prefix: str) -> None:
    """Ask for the file in every way."""
    with httpx2.Client(base_url=f"{url}{prefix}") as client:
        whole = client.get(PATH, headers={"Accept-Encoding": "gzip, zstd"})
        assert (whole.status_code, whole.content) == (200, body_of(1))
        assert not {"content-encoding", "vary"} & set(whole.headers)
        head = client.head(PATH)
        for field in ("etag", "content-length", "last-modified", "cache-control"):
            assert head.headers[field] == whole.headers[field]
        assert head.content == b""
        again = client.get(PATH, headers={"If-None-Match": whole.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        since = {"If-Modified-Since": whole.headers["last-modified"]}
        assert client.get(PATH, headers=since).status_code == 304
        assert client.get(f"{PATH}?page=2&limit=1").content == body_of(1)
        assert client.options(PATH).status_code == 204
        refused = client.post(PATH, content=b"{}")
        assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
        assert client.get("/data/other.json").status_code == 404


@attrs.frozen
class Product:
    """A product: its applications by interface, the module that servers load, and its round."""

    make: Callable[[str], Any]
    module: str
    go_round: Callable[[str, str], None]


def device(kind: str) -> Any:
    create: Any = {"asgi": device_asgi_app, "wsgi": device_wsgi_app}[kind]
    return create(Settings(TOKEN), store=MemoryStore(), assets=FOLDER)


def health(kind: str) -> Any:
    create: Any = {"asgi": health_asgi_app, "wsgi": health_wsgi_app}[kind]
    return create(EXAMPLES)


def site(kind: str) -> Any:
    create: Any = {"asgi": site_asgi_app, "wsgi": site_wsgi_app}[kind]
    return create(snapshot_of(1))


PRODUCTS: Final = {
    "devicestatus": Product(device, "support.servers.serving", go_round_device),
    "healthapi": Product(health, "support.healthapi.health_serving", go_round_health),
    "sitedata": Product(site, "support.sitedata.site_serving", go_round_site),
}
SERVERS: Final = (
    *(("devicestatus", "uvicorn", "asgi"), ("devicestatus", "waitress", "wsgi")),
    *(("healthapi", "granian", "asgi"), ("healthapi", "gunicorn", "wsgi")),
    *(("sitedata", "granian", "asgi"), ("sitedata", "waitress", "wsgi")),
)
"""Each product by both interfaces, and each server; what a server hands on, it does for all."""


def in_starlette(product: Product) -> AbstractContextManager[str]:
    return serve_asgi(Starlette(routes=[Mount("/x", product.make("asgi"))]))


def in_fastapi(product: Product) -> AbstractContextManager[str]:
    host = FastAPI()
    host.mount("/x", product.make("asgi"))
    return serve_asgi(host)


def in_flask(product: Product) -> AbstractContextManager[str]:
    return serve_wsgi(DispatcherMiddleware(Flask("host"), {"/x": product.make("wsgi")}))


def in_django(product: Product) -> AbstractContextManager[str]:
    return serve_wsgi(django_host(product.make("wsgi")))


@pytest.mark.rule("DS-HTTP-15")
class TestEveryProduct:
    @pytest.mark.parametrize(("name", "server", "kind"), SERVERS)
    def test_goes_a_whole_round_on_a_server(
        self, name: str, server: str, kind: str, tmp_path: Path
    ) -> None:
        product = PRODUCTS[name]
        file = tmp_path / "site-data.json"
        file.write_bytes(body_of(1))
        env = {
            "STATUS_DATABASE": str(tmp_path / "status.sqlite"),
            "INGEST_TOKEN": TOKEN,
            "HEALTH_FOLDER": str(EXAMPLES),
            "SITE_FILE": str(file),
        }
        serve: Any = serve_asgi if kind == "asgi" else serve_wsgi
        with serve(f"{product.module}:{kind}", server=server, env=env) as url:
            product.go_round(url, "")

    @pytest.mark.parametrize("name", PRODUCTS)
    @pytest.mark.parametrize("host", [in_starlette, in_fastapi, in_flask, in_django])
    def test_goes_a_round_where_it_is_mounted(
        self, name: str, host: Callable[[Product], AbstractContextManager[str]]
    ) -> None:
        with host(PRODUCTS[name]) as url:
            PRODUCTS[name].go_round(url, "/x")


class TestIcons:
    @pytest.mark.parametrize("serve", [serve_asgi, serve_wsgi])
    def test_the_icons_of_the_package_are_there_unless_they_are_switched_off(
        self, serve: Any, caplog: pytest.LogCaptureFixture
    ) -> None:
        create: Any = device_asgi_app if serve is serve_asgi else device_wsgi_app
        settings, store = Settings(None), MemoryStore()
        with serve(create(settings, store=store)) as base_url:
            manifest = ask(base_url, "GET", "/api/icons").json
            assert ask(base_url, "GET", manifest["icons"][0]["imageUrl"]).status == 200
            assert ask(base_url, "GET", "/app-icons/index.json").status == 200
        with serve(create(settings, store=store, assets=None)) as base_url:
            for path in ("/api/icons", "/app-icons/index.json", "/app-icons/terminal.png"):
                assert ask(base_url, "GET", path).status == 503
        assert "ReadAsset" not in caplog.text
