"""Every `create_app` has a page by default, and none with `page=None`; all other paths stay."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

import devicestatus.adapters.asgi
import devicestatus.adapters.wsgi
import healthapi.adapters.asgi
import healthapi.adapters.wsgi
import sitedata.adapters.asgi
import sitedata.adapters.wsgi
from devicestatus import Settings
from devicestatus.adapters.memory import MemoryStore
from support.servers.servers import ask, serve_asgi, serve_wsgi
from support.sitedata.site_versions import snapshot_of

EXAMPLES = Path(__file__).parents[1] / "examples" / "lifesnaps"
STATUS, HEALTH, SITE = "/api/health", "/api/public/v1/profiles", "/data/site-data.json"


def status(adapter: Any) -> Callable[..., Any]:
    return lambda **page: adapter.create_app(Settings(None), store=MemoryStore(), **page)


def others(adapter: Any, source: object) -> Callable[..., Any]:
    return lambda **page: adapter.create_app(source, **page)


@pytest.mark.parametrize(
    ("serve", "create", "path", "pages"),
    [
        (serve_asgi, status(devicestatus.adapters.asgi), STATUS, ("/", "/api")),
        (serve_wsgi, status(devicestatus.adapters.wsgi), STATUS, ("/", "/api")),
        (serve_asgi, others(healthapi.adapters.asgi, EXAMPLES), HEALTH, ("/", "/person-1/")),
        (serve_wsgi, others(healthapi.adapters.wsgi, EXAMPLES), HEALTH, ("/", "/person-1/")),
        (serve_asgi, others(sitedata.adapters.asgi, snapshot_of(1)), SITE, ("/",)),
        (serve_wsgi, others(sitedata.adapters.wsgi, snapshot_of(1)), SITE, ("/",)),
    ],
    ids=[f"{name}-{kind}" for name in ("status", "health", "site") for kind in ("asgi", "wsgi")],
)
def test_a_page_is_there_unless_it_is_switched_off(
    serve: Callable[[Any], AbstractContextManager[str]],
    create: Callable[..., Any],
    path: str,
    pages: tuple[str, ...],
) -> None:
    with serve(create()) as url, serve(create(page=None)) as without:
        for page in pages:
            assert b"</html>" in ask(url, "GET", page).body
            refused = ask(without, "GET", page)
            assert (refused.status, b"</html>" in refused.body) == (404, False)
        assert ask(url, "GET", path).status == ask(without, "GET", path).status == 200
