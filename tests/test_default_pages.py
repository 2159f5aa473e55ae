"""Every application has pages by default, and none with `page=None`; what all pages keep."""

import gzip
import hashlib
import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from devicestatus import Settings
from devicestatus.adapters import application as devices
from devicestatus.adapters.memory import MemoryStore
from healthapi.adapters import application as health
from sitedata.adapters import application as site
from support.checks.answer_rules import NO_STORE_VALUE
from support.devicestatus.home_page import wait_until
from support.servers.servers import Answer, ask, serve_asgi, serve_wsgi
from support.sitedata.site_versions import snapshot_of

EXAMPLES = Path(__file__).parents[1] / "examples" / "lifesnaps"
STATUS, HEALTH, SITE = "/api/health", "/api/public/v1/profiles", "/data/site-data.json"


def status(create: Any) -> Callable[..., Any]:
    return partial(create, Settings(None), store=MemoryStore())


@pytest.mark.parametrize(
    ("serve", "create", "path", "pages"),
    [
        (serve_asgi, status(devices.asgi_app), STATUS, ("/", "/api")),
        (serve_wsgi, status(devices.wsgi_app), STATUS, ("/", "/api")),
        (serve_asgi, partial(health.asgi_app, EXAMPLES), HEALTH, ("/", "/person-1/")),
        (serve_wsgi, partial(health.wsgi_app, EXAMPLES), HEALTH, ("/", "/person-1/")),
        (serve_asgi, partial(site.asgi_app, snapshot_of(1)), SITE, ("/",)),
        (serve_wsgi, partial(site.wsgi_app, snapshot_of(1)), SITE, ("/",)),
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


class Document(HTMLParser):
    """The elements of a page, and the texts of its styles and scripts."""

    def __init__(self, body: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"style": [], "script": [], "h1": [], "title": []}
        self._open = ""
        self.feed(body.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if (tag, dict(attrs).get("type")) != ("script", "application/json"):
            self._open = tag
            self.texts.get(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open in self.texts:
            self.texts[self._open][-1] += data


def is_read(url: str, person: str) -> bool:
    """Check whether a profile has been read."""
    return ask(url, "GET", f"{HEALTH}/{person}/overview").status == 200


@pytest.fixture(
    scope="module",
    params=[
        *(("status", "/"), ("status", "/api"), ("devices", "/"), ("health", "/")),
        *(("health", "/person-1/"), ("health", "/missing/"), ("site", "/")),
    ],
    ids="".join,
)
def page(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """Serve the pages of an application; return its URL and the path of a page."""
    name, path = request.param
    several = {"laptop": Settings(None), "desk": Settings(None)}
    apps: dict[str, Callable[[], Any]] = {
        "status": status(devices.asgi_app),
        "devices": lambda: devices.asgi_app(several, store=MemoryStore()),
        "health": partial(health.asgi_app, EXAMPLES),
        "site": partial(site.asgi_app, snapshot_of(1)),
    }
    with serve_asgi(apps[name]()) as url:
        for person in ("person-1", "person-2", "person-3") if name == "health" else ():
            wait_until(partial(is_read, url, person))
        yield url, path


@pytest.fixture(scope="module")
def answer(page: tuple[str, str]) -> Answer:
    return ask(page[0], "GET", page[1])


@pytest.fixture(scope="module")
def document(answer: Answer) -> Document:
    return Document(answer.body)


class TestEveryPage:
    """Invariant *own origin only*: what was built in runs and styles, and all else is closed."""

    def test_the_policy_allows_exactly_its_style_and_its_scripts(
        self, answer: Answer, document: Document
    ) -> None:
        policy = str(answer.header("content-security-policy")).split("; ")
        rules = {name: value for name, _, value in (rule.partition(" ") for rule in policy)}
        for kind in ("style", "script"):
            digests = [hashlib.sha256(text.encode()).digest() for text in document.texts[kind]]
            allowed = [f"'sha256-{b64encode(digest).decode()}'" for digest in digests]
            assert rules.pop(f"{kind}-src").split() == (allowed or ["'none'"])
        assert rules == {
            "default-src": "'none'",
            "connect-src": "'self'",
            "img-src": "'self' data:",
            "base-uri": "'none'",
            "form-action": "'none'",
            "frame-ancestors": "'none'",
        }
        assert len(policy) == 8

    def test_no_attribute_styles_or_runs_and_nothing_is_from_elsewhere(
        self, document: Document
    ) -> None:
        found = [each for _, attributes in document.tags for each in attributes.items()]
        assert [name for name, _ in found if name == "style" or name.startswith("on")] == []
        assert not {"iframe", "object", "embed", "base"} & {tag for tag, _ in document.tags}
        loaded = [str(value) for name, value in found if name in {"src", "action"}]
        loaded += [str(each["href"]) for tag, each in document.tags if tag == "link"]
        assert [url for url in loaded if re.match(r"(?!data:)[a-z]+:|/", url)] == []
        code = "".join(document.texts["style"] + document.texts["script"])
        assert not re.search(r"url\(|@import|\bimport\b|/\*(?:style|script)\*/", code)
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\(", code)

    def test_it_has_landmarks_one_heading_and_a_language(self, document: Document) -> None:
        tags = [tag for tag, _ in document.tags]
        assert {"header", "footer"} <= {*tags}
        assert tags.count("main") == tags.count("h1") == 1
        assert ("html", {"lang": "en"}) in document.tags
        assert all(text.strip() for text in document.texts["title"])

    def test_it_is_small_as_it_is_sent(self, answer: Answer) -> None:
        """What it shows first is in it, and is not counted."""
        page = re.sub(rb'<script type="application/json"[^<]*', b"", answer.body)
        assert len(gzip.compress(page, 6)) < 22_000

    def test_methods_and_conditions(
        self, page: tuple[str, str], answer: Answer, request: pytest.FixtureRequest
    ) -> None:
        is_of_the_moment = request.node.callspec.id in {"status/", "devices/"}
        assert answer.header("content-type") == "text/html; charset=utf-8"
        head = ask(page[0], "HEAD", page[1])
        assert (head.status, head.body) == (answer.status, b"")
        assert head.header("content-length") == str(len(answer.body))
        assert ask(page[0], "OPTIONS", page[1]).status == 204
        refused = ask(page[0], "POST", page[1], {}, b"")
        assert (refused.status, refused.header("allow")) == (405, "GET, HEAD, OPTIONS")
        if is_of_the_moment:
            assert (answer.header("cache-control"), answer.header("etag")) == (NO_STORE_VALUE, None)
        elif answer.status == 200:
            assert answer.header("cache-control") == "no-cache"
            etag = answer.header("etag")
            again = ask(page[0], "GET", page[1], {"If-None-Match": f'"x", W/{etag}'})
            assert (again.status, again.body, again.header("etag")) == (304, b"", etag)
            for name in ("cache-control", "content-security-policy"):
                assert again.header(name) == answer.header(name)
            assert ask(page[0], "GET", page[1], {"If-None-Match": '"x"'}).status == 200
