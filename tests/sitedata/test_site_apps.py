"""The ASGI and the WSGI application: their arguments, and real files."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from sitedata.adapters.application import asgi_app, wsgi_app
from sitedata.service import PATH
from status_contracts.pages.settings import PageSettings
from support.servers.servers import ask, serve_asgi, serve_wsgi
from support.sitedata.site_versions import body_of, snapshot_of

pytestmark = pytest.mark.check

Create = Callable[..., Any]
Application = Callable[..., AbstractContextManager[str]]


@pytest.fixture(params=[(serve_asgi, asgi_app), (serve_wsgi, wsgi_app)], ids=["asgi", "wsgi"])
def application(request: pytest.FixtureRequest) -> Application:
    """Return what creates an application and serves it."""
    serve, create = request.param
    return lambda *arguments, **options: serve(create(*arguments, **options))


class TestArguments:
    def test_the_page_is_that_of_the_settings(self, application: Application) -> None:
        with application(snapshot_of(1), page=PageSettings("Ada")) as base_url:
            page = ask(base_url, "GET", "/")
            assert (page.status, page.header("cache-control")) == (200, "no-cache")
            assert b" \xc2\xb7 Ada \xc2\xb7 Practice</title>" in page.body
            assert ask(base_url, "GET", PATH).body == body_of(1)
            assert ask(base_url, "HEAD", "/").body == b""

    @pytest.mark.parametrize("create", [asgi_app, wsgi_app])
    def test_a_snapshot_that_cannot_be_encoded_is_refused_at_once(self, create: Create) -> None:
        with pytest.raises(ValueError, match="year"):
            create(snapshot_of(1, generated_at=10**18))
