"""The site as an exchange: pages, policy, static icon files, and the wrapped handler."""

import json
import re
from collections.abc import Mapping
from html import escape
from itertools import product

import attrs
import pytest

from devicestatus import service
from devicestatus.card import card
from devicestatus.endpoints import ENDPOINTS
from devicestatus.errors import STATUS_OF
from devicestatus.lane_values import MUSIC, OTHER
from devicestatus.music_urls import ITUNES, CatalogHosts
from devicestatus.page import with_site
from devicestatus.record import Record, WindowRecord, encode_record
from devicestatus.schemas import schemas
from devicestatus.settings import Settings
from devicestatus.timeline import lanes
from status_contracts.exchange import Effect, ReadAsset, Stored, drive
from status_contracts.instants import MINUTE_MS
from status_contracts.messages import Asset, Request, Response
from status_contracts.pages.settings import Link, PageSettings
from status_contracts.svg.palette import APPS, Theme, text_on
from support.devicestatus.examples import (
    DELAY,
    NOON,
    RECEIVED_AT,
    TOKEN,
    WINDOW_END,
    snapshot,
    snapshot_record,
    window,
    window_record,
)

PNG = b"\x89PNG\r\n\x1a\n and more"
CHANGED = "Sat, 14 Mar 2026 09:26:50 GMT"
ICONS = pytest.mark.parametrize("path", ["/app-icons/index.json", "/app-icons/text-editor.png"])


class Files:
    """An asset source in memory, as `perform`; records the requested names."""

    def __init__(self, files: Mapping[str, Asset], *, fault: Exception | None = None) -> None:
        self.files = files
        self.fault = fault
        self.effects: list[Effect] = []

    def __call__(self, effect: Effect) -> object:
        self.effects.append(effect)
        if self.fault is not None:
            raise self.fault
        assert isinstance(effect, ReadAsset)
        return self.files.get(effect.name)


FILES = {
    "index.json": Asset(b'{"version":1,"icons":[]}', '"m1"', CHANGED),
    "text-editor.png": Asset(PNG, '"p1"', CHANGED),
}


SERVICE = service.Service(Settings(None), has_store=False, has_assets=True)
SITE = with_site(SERVICE)


def ask(
    path: str, method: str = "GET", files: Files | None = None, **headers: str
) -> tuple[Response, dict[str, str]]:
    """Return the response and its headers; the names of request headers have `_` for `-`."""
    lines = tuple((k.replace("_", "-").encode(), v.encode()) for k, v in headers.items())
    request = Request(method, path.encode(), lines)
    response = drive(SITE(request), Files(FILES) if files is None else files)
    assert len(dict(response.headers)) == len(response.headers)
    return response, dict(response.headers)


class WithStore:
    """The site with a store that has one value; it is read once."""

    PAGE = PageSettings(name="Ada", pages=(Link("Now", "./"), Link("All", "../")))

    def ask(self, path: str, stored: object, *, now: int = NOON, method: str = "GET") -> Response:
        service_of_token = service.Service(Settings(TOKEN), has_store=True, has_assets=False)
        request = Request(method, path.encode(), ())
        effects: list[Effect] = []

        def perform(effect: Effect) -> object:
            effects.append(effect)
            if isinstance(stored, Exception):
                raise stored
            return Stored(stored, now)

        response: Response = drive(with_site(service_of_token, self.PAGE)(request), perform)
        assert len(effects) == 1
        return response


class TestHome(WithStore):
    """Invariant *first answer included*."""

    HOSTILE = "</script><!--<script>&"

    @pytest.mark.parametrize(
        ("stored", "now"),
        [
            (None, NOON),
            (encode_record(snapshot_record(data=snapshot(active_app=HOSTILE))), NOON),
            (
                encode_record(window_record(window(baseline=snapshot(active_app=HOSTILE)))),
                RECEIVED_AT,
            ),
        ],
    )
    def test_it_has_the_answer_of_the_timeline_and_what_it_means(
        self, stored: object, now: int
    ) -> None:
        page, timeline = (self.ask(path, stored, now=now) for path in ("/", "/api/timeline"))
        text = page.body.decode()
        (answer,) = re.findall(r'<script type="application/json" id="answer">(.*?)</script>', text)
        assert json.loads(answer) == json.loads(timeline.body)
        assert "<" not in answer
        label = "Offline" if stored is None else "Online"
        title = "Not reporting" if stored is None else escape(self.HOSTILE)
        assert f'<p class="state" id="state">{label}</p>' in text
        assert f'<h1><bdi id="title">{title}</bdi></h1>' in text
        assert f"<p>Read at 12:{'15' if now == RECEIVED_AT else '00'} UTC. Reload " in text

    def test_the_link_to_itself_is_marked(self) -> None:
        body = self.ask("/", None).body
        assert b'<a href="./" aria-current="page">Now</a><a href="../">All</a>' in body

    def test_a_store_failure_is_said_by_the_page(self) -> None:
        page = self.ask("/", OSError("secret"))
        assert (page.status, b"secret" in page.body) == (200, False)
        assert b'<p class="state" id="state">Unreachable</p>' in page.body
        assert b'id="answer">{"error":"service_unavailable"}</script>' in page.body

    def test_no_cache_keeps_it(self) -> None:
        page = self.ask("/", None, method="HEAD")
        assert (page.body, dict(page.headers)["Cache-Control"]) == (b"", "no-store, max-age=0")
        assert "ETag" not in dict(page.headers)


class TestCards(WithStore):
    """`/card.svg`, `/timeline.svg`, and the same on dark."""

    @pytest.mark.parametrize(
        ("path", "theme"), [("/card.svg", "light"), ("/card-dark.svg", "dark")]
    )
    def test_they_show_the_record_and_the_owner(self, path: str, theme: Theme) -> None:
        response = self.ask(path, encode_record(snapshot_record()))
        assert response.body == card(snapshot(), at=NOON, name="Ada", theme=theme)
        found = dict(response.headers)
        assert found["Content-Type"] == "image/svg+xml; charset=utf-8"
        assert found["Cache-Control"] == "no-store, max-age=0"
        assert found["Content-Security-Policy"].startswith("default-src 'none'; style-src")
        assert found["Access-Control-Allow-Origin"] == "*"

    def test_a_window_is_played_back(self) -> None:
        shown = self.ask("/card.svg", encode_record(window_record()), now=WINDOW_END)
        assert b"Not reporting" in shown.body  # received a second later
        shown = self.ask("/card.svg", encode_record(window_record()), now=RECEIVED_AT)
        assert b"Editor, since 12:00 UTC or earlier" in shown.body

    def test_a_timeline_is_that_of_the_window_for_phones_or_the_card(self) -> None:
        shown = self.ask("/timeline-dark.svg", encode_record(window_record()), now=RECEIVED_AT)
        at = RECEIVED_AT - DELAY
        assert shown.body == lanes(window(), at=at, title="Ada", width=320, theme="dark")
        assert self.ask("/timeline.svg", None).body == self.ask("/card.svg", None).body

    @pytest.mark.parametrize("record", [window_record(), snapshot_record()])
    def test_without_a_script_a_page_has_that_of_a_window(self, record: Record) -> None:
        page = self.ask("/", encode_record(record), now=RECEIVED_AT).body
        assert (b"<p><picture>" in page) == isinstance(record, WindowRecord)

    def test_without_a_record_they_are_offline_and_say_nothing_of_one_that_is_over(self) -> None:
        offline = self.ask("/card.svg", None, now=NOON + MINUTE_MS)
        assert (offline.status, b"Not reporting" in offline.body) == (200, True)
        for stored in (b"damaged", encode_record(snapshot_record())):
            assert self.ask("/card.svg", stored, now=NOON + MINUTE_MS) == offline

    def test_a_store_failure_is_503(self) -> None:
        response = self.ask("/card.svg", OSError("secret"))
        assert (response.status, response.body) == (503, b'{"error":"service_unavailable"}')

    def test_without_a_page_there_are_none(self) -> None:
        response = drive(with_site(SERVICE, None)(Request("GET", b"/card.svg", ())), Files({}))
        assert response.status == 404


@pytest.mark.rule("DS-HTTP-11")
class TestComposition:
    @pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "OPTIONS", "PURGE"])
    @pytest.mark.parametrize(
        "path",
        ["/api/now", "/api/", "//", "", "/now", "/app-icons", "/API", "/%61pi", "/index.html"],
    )
    def test_other_paths_are_the_services(self, path: str, method: str) -> None:
        alone = drive(SERVICE(Request(method, path.encode())), Files(FILES))
        assert ask(path, method)[0] == alone

    def test_the_reference_asks_for_no_effect(self) -> None:
        files = Files(FILES)
        assert ask("/api", files=files)[0].status == 200
        assert files.effects == []


class TestPolicy:
    """Invariant *own origin only*."""

    @pytest.mark.parametrize(
        ("catalog", "artwork", "expected"),
        [
            (ITUNES, True, "'self' data: https://*.mzstatic.com"),
            (CatalogHosts("Art.Example"), True, "'self' data: https://*.art.example"),
            (CatalogHosts("no host; script-src *"), True, "'self' data:"),
            (ITUNES, False, "'self' data:"),
        ],
    )
    def test_the_owner_may_allow_the_artwork_of_the_catalog(
        self, catalog: CatalogHosts, artwork: bool, expected: str
    ) -> None:
        site = with_site(SERVICE, PageSettings(artwork=artwork), catalog=catalog)
        headers = dict(drive(site(Request("GET", b"/")), Files(FILES)).headers)
        rules = headers["Content-Security-Policy"].split("; ")
        assert f"img-src {expected}" in rules
        assert len(rules) == 8


@pytest.mark.rule("DS-HOME-03")
class TestContent:
    HOME = ask("/")[0].body.decode()

    def test_the_state_is_spoken_politely(self) -> None:
        spoken = re.findall(r'<\w+[^>]* role="status"[^>]*>', self.HOME)
        assert len(spoken) == 1
        assert ' aria-live="polite"' in spoken[0]

    def test_the_pages_link_each_other_relative_to_the_mount_point(self) -> None:
        assert '>JSON</a>&nbsp;·&nbsp;<a href="api">API</a>' in self.HOME
        assert b' href="./"' in ask("/api")[0].body

    def test_the_timeline_has_the_colours_of_the_picture(self) -> None:
        """Text on them has 4.5 to 1; that is an invariant of the palette."""
        rule = r'\[data-color="(\w+)"\]\{--color:([^;]+);--ink:([^;}]+)\}'
        colors = [*enumerate(APPS), ("other", OTHER)]
        expected = [(str(name), color, text_on(color)) for name, color in colors]
        assert re.findall(rule, self.HOME) == expected
        assert f":root{{--music:{MUSIC}}}" in self.HOME


@pytest.mark.rule("DS-TOKEN-08")
class TestReference:
    """The API reference matches the service."""

    TEXT = ask("/api")[0].body.decode()

    def test_every_path_of_the_service_is_there(self) -> None:
        paths = [path for endpoint in ENDPOINTS for path in endpoint.paths]
        assert len(paths) == 16
        text = re.sub("<wbr/>|</?i>", "", self.TEXT)
        assert [path for path in paths if not re.search(f"[ >]{re.escape(path)}<", text)] == []
        names = "array of up to 64 items (string of 1\u2013200 characters)"
        assert f">{names}, may be absent<" in text
        assert ">number 0\u2013100, or null<" in text
        assert "<td>Version of the form of snapshots.</td>" in text
        assert "<td></td>" not in text  # a constant says what it is
        assert "<code>running_apps[].name</code>" in text
        assert not re.search(r"projection|\bv[12]\b|snapshot timeline", text, re.IGNORECASE)
        assert not re.search(r"<td><code>([^<]*)</code></td><td><code>\1</code>", text)
        assert "<code>icons</code></th><td>array of object</td><td>The icons, one" in text
        assert '<a href="openapi.json">OpenAPI description</a>' in text
        assert json.loads(ask("/openapi.json")[0].body) == schemas().openapi
        assert "<title>Device status API</title>" in text
        assert "<td>A real instant" not in text  # a meaning, not the form
        assert "Members of the response: offline status" not in text  # one constant

    def test_every_error_is_there_with_its_status(self) -> None:
        for code, status in STATUS_OF.items():
            row = f'<th scope="row"><code>{code}</code></th><td>{status}</td>'
            assert row in self.TEXT.replace("<wbr/>", ""), code

    def test_a_token_is_only_ever_a_placeholder(self) -> None:
        tokens = re.findall(r"Bearer ([^\"<\s]+)&quot;", self.TEXT)
        assert tokens == ["$INGEST_TOKEN"] * 2


class TestStaticFiles:
    @pytest.mark.parametrize(
        ("name", "kind"),
        [("index.json", "application/json; charset=utf-8"), ("text-editor.png", "image/png")],
    )
    def test_a_file_is_sent_as_it_is(self, name: str, kind: str) -> None:
        response, headers = ask(f"/app-icons/{name}")
        assert (response.status, response.body) == (200, FILES[name].body)
        assert headers["Content-Type"] == kind

    @ICONS
    def test_a_file_may_be_cached_and_read_from_everywhere(self, path: str) -> None:
        response, headers = ask(path)
        assert headers["Cache-Control"] == "public, max-age=3600"
        assert headers["Access-Control-Expose-Headers"] == "ETag, Last-Modified"
        assert headers["Last-Modified"] == CHANGED
        assert headers["ETag"] in ('"m1"', '"p1"')
        assert headers["Content-Length"] == str(len(response.body))

    @ICONS
    def test_methods_and_conditions_are_those_of_the_icons_of_the_service(self, path: str) -> None:
        found, head = ask(path)[0], ask(path, "HEAD")[0]
        assert head == attrs.evolve(found, body=b"")
        assert ask(path, "OPTIONS")[1]["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
        assert ask(path, "POST")[0].status == 405
        etag = dict(found.headers)["ETag"]
        assert ask(path, if_none_match=etag)[0].status == 304

    NAMES = (
        *("", "index.html", "Index.json", "A.png", "a.PNG", "a", "a--b.png", "-a.png", "a-.png"),
        *("a_b.png", "../index.json", "..%2findex.json", "a/b.png", "a.png/", "a.png\n", "ä.png"),
        "%61.png",
    )

    def test_a_name_of_another_form_is_an_unknown_path(self) -> None:
        """Invariant *valid names only*."""
        failures = []
        for method, name in product(("GET", "HEAD", "OPTIONS", "POST"), self.NAMES):
            files = Files(FILES)
            response, headers = ask(f"/app-icons/{name}", method, files)
            body = b"" if method == "HEAD" else b'{"error":"not_found"}'
            found = (response.status, response.body, "Allow" in headers, files.effects)
            if found != (404, body, False, []):
                failures.append((method, name, found))
        assert not failures, failures
