"""The ASGI and the WSGI application over real files, and real attacks on paths."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from healthapi.adapters.application import asgi_app, wsgi_app
from status_contracts.pages.settings import PageSettings
from support.healthapi.health_folders import CANARY, write_profile
from support.servers.servers import ask, serve_asgi, serve_wsgi
from support.servers.webdriver import Session

pytestmark = pytest.mark.check

ROOT = "/api/public/v1"
EXAMPLES = Path(__file__).parents[2] / "examples" / "lifesnaps"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with two profiles, next to one that must never be read."""
    write_profile(tmp_path / "outside" / "secret", CANARY)
    write_profile(tmp_path / "root" / "ada", 1)
    write_profile(tmp_path / "root" / "bob", 2)
    return tmp_path / "root"


def test_mounted_pages_link_and_redirect_below_their_prefix() -> None:
    routes = [Mount("/x", asgi_app(EXAMPLES, page=PageSettings("Ada Example")))]
    with serve_asgi(Starlette(routes=routes)) as base_url:
        assert b'href="person-1/"' in ask(base_url, "GET", "/x/").body
        assert b"Ada Example" in ask(base_url, "GET", "/x/person-1/").body
        redirect = ask(base_url, "GET", "/x/person-1")
        assert (redirect.status, redirect.header("location")) == (308, "person-1/")


STEPS = [
    *("..", ".", "...", "../outside/secret", "..\\outside\\secret", "/etc/passwd", "secret"),
    *("ada/../bob", "ada\x00", "ada\n", "\x00", "~", "C:\\secret", "file:///etc/passwd", "CON"),
    *(".hidden", "link", "away", "ada%00", "..%2foutside", "..;/secret", "a" * 5000, "é", "ａda"),
    *("__class__", "{0.__class__}", "%s", "ada'", "ada;", "ada?", "ada#", "ada ", " ada", "ADA"),
]


class TestAttacksOnPaths:
    """The id in a path is one of the list, and never a file."""

    @pytest.mark.parametrize(("serve", "create"), [(serve_asgi, asgi_app), (serve_wsgi, wsgi_app)])
    def test_no_spelling_leads_out_of_the_root(self, root: Path, serve: Any, create: Any) -> None:
        (root / "link").symlink_to(root.parent / "outside" / "secret")
        (root / "away").symlink_to("/etc")
        write_profile(root / ".hidden", CANARY)
        with serve(create(root)) as base_url:
            for step in STEPS:
                once = quote(step, safe="")
                spelled = {once, quote(once, safe=""), once.replace("/", "%2F")}
                if step.isascii() and step.isprintable() and not set(step) & set(" ?#"):
                    spelled.add(step)
                for text in spelled:
                    for rest in ("", "/datasets/activity", "/snapshot", "/charts/series.svg"):
                        answer = ask(base_url, "GET", f"{ROOT}/profiles/{text}{rest}")
                        assert answer.status in {404, 400}, (text, rest, answer)
                        assert str(CANARY).encode() not in answer.body
                        assert b"root:" not in answer.body


EMBEDDING = """<body><img src="{chart}"><object data="{chart}"
  onload="this.shown = true" onerror="this.refused = true"></object>"""


def test_pages_of_others_show_a_chart_as_an_image_and_as_an_object(
    browser: Session, tmp_path: Path
) -> None:
    """HA-CACHE-07, HA-CHART-10, in a real browser."""
    page = tmp_path / "page.html"
    with serve_asgi(asgi_app(EXAMPLES)) as base_url, browser.tab():
        chart = f"{base_url}{ROOT}/profiles/person-1/charts/series.svg?width=400&height=300"
        page.write_text(EMBEDDING.format(chart=chart))
        browser.open(page.as_uri())
        browser.until("document.images[0].complete && document.images[0].naturalWidth === 400")
        browser.until("document.querySelector('object').shown")
        assert not browser.ask("document.querySelector('object').refused")
        assert browser.ask("document.querySelector('object').offsetWidth") == 400
        assert browser.console() == []
