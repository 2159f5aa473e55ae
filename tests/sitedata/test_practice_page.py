"""The practice page in process: document, policy, methods, totals, and the static site."""

from pathlib import Path

import pytest

from sitedata import Service, calendar_of, encode, heatmap
from sitedata import page as pages
from sitedata.adapters.application import asgi_app
from sitedata.cli.main import main
from sitedata.page import PracticePage, with_site
from sitedata.service import PATH, Published, publish
from sitedata.views.practice import draw_practice
from status_contracts.adapters.clocks import system_clock
from status_contracts.exchange import Effect, ReadSource, drive
from status_contracts.messages import Request, Response
from status_contracts.pages.settings import Link, PageSettings
from support.checks.answer_rules import header
from support.sitedata.site_examples import snapshot

SETTINGS = PageSettings("Ada", "Solves things", pages=(Link("Now", "/"), Link("Practice", "./")))
PAGE = PracticePage(SETTINGS)
PUBLISHED = publish(snapshot())
"""Of the page as it is sent, with gzip."""
HEATMAPS = ("heat-map.svg", "heat-map-dark.svg")


def send(
    method: str = "GET", path: str = "/", source: Published | Exception | None = PUBLISHED
) -> Response:
    def perform(effect: Effect) -> object:
        assert effect == ReadSource(None)
        if isinstance(source, Exception):
            raise source
        return source

    return drive(with_site(Service(), PAGE)(Request(method, path.encode())), perform)


class TestPage:
    def test_it_has_what_it_shows_of_the_snapshot(self) -> None:
        response = send()
        assert (response.status, header(response, "Content-Type")) == (
            200,
            "text/html; charset=utf-8",
        )
        text = response.body.decode()
        drawn = draw_practice(snapshot())
        assert drawn["content"] in text
        assert drawn["built"] in text
        assert 'href="data/site-data.json"' in text
        assert 'contract/site-data.html#members-of-a-snapshot">Format of the JSON</a>' in text

    @pytest.mark.parametrize(
        ("source", "title"),
        [(None, "No data are published yet"), (OSError(), "The data cannot be read at the moment")],
    )
    def test_without_a_snapshot_a_sentence_says_why(
        self, source: Exception | None, title: str
    ) -> None:
        response = send(source=source)
        assert response.status == 503
        text = response.body.decode().rpartition("<script>")[0]
        assert f'<p class="notice-title">{title}</p>' in text
        assert '<a href="./">Read it again</a>' in text
        assert "Built" not in text

    def test_other_paths_are_those_of_the_service(self) -> None:
        assert send(path=PATH).body == PUBLISHED.asset.body
        assert send(path="/index.html").status == 404
        assert send(path="//").status == 404

    def test_it_is_drawn_once_for_each_file(self) -> None:
        page = PracticePage(SETTINGS)
        first = page.of(PUBLISHED)
        assert page.of(publish(encode(snapshot()))) is first
        assert page.of(publish(snapshot(commit_count=4))) is not first

    def test_that_of_a_file_is_drawn_before_a_request_asks_for_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Also that of a snapshot: the event loop never waits for the drawing."""
        path = tmp_path / "site-data.json"
        path.write_bytes(encode(snapshot()))
        read, given = (asgi_app(source, page=SETTINGS) for source in (path, snapshot()))
        sources = [app.source for app in (read, given)]
        assert sources[0] is not None
        assert sources[0].read(None, system_clock()) is not None
        expected = send().body
        monkeypatch.setattr(pages, "with_snapshot", None)
        for app, source in zip((read, given), sources, strict=True):
            assert source is not None
            published = source.read(None, system_clock())
            exchange = app.handler(Request("GET", b"/"))
            next(exchange)
            with pytest.raises(StopIteration) as done:
                exchange.send(published)
            assert done.value.value.body == expected


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / "file.json"
    found.write_bytes(encode(snapshot()))
    return found


class TestStaticSite:
    def test_it_is_the_page_and_the_same_bytes(
        self, file: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        site = tmp_path / "new" / "site"
        assert main(["page", str(file), "-o", str(site)]) == 0
        names = sorted(str(each.relative_to(site)) for each in site.rglob("*") if each.is_file())
        assert names == ["data/site-data.json", "heat-map-dark.svg", "heat-map.svg", "index.html"]
        assert (site / "data" / "site-data.json").read_bytes() == file.read_bytes()
        text = (site / "index.html").read_text("utf-8")
        assert '<meta http-equiv="Content-Security-Policy"' in text
        assert '<p class="value">1</p>' in text
        out = capfd.readouterr().out
        assert out.replace("\n    ", " ").startswith(f"{site / 'index.html'}: 1 problem\n")
        assert f"    python3 -m http.server 8004 -b 127.0.0.1 -d {site}" in out

    def test_the_heat_maps_are_light_and_dark(self, file: Path, tmp_path: Path) -> None:
        found = snapshot()
        assert main(["page", str(file), "-o", str(tmp_path)]) == 0
        light, dark = ((tmp_path / name).read_bytes() for name in HEATMAPS)
        assert light == heatmap(calendar_of(found), theme="light")
        assert dark == heatmap(calendar_of(found), theme="dark")
        file.write_bytes(encode(snapshot(contributions={})))
        assert main(["page", str(file), "-o", str(tmp_path)]) == 0
        assert b"1 problem on 1 day" in (tmp_path / "heat-map.svg").read_bytes()

    def test_a_later_call_replaces_both(self, file: Path, tmp_path: Path) -> None:
        site = tmp_path / "site"
        assert main(["page", str(file), "-o", str(site)]) == 0
        file.write_bytes(encode(snapshot(problems=())))
        assert main(["page", str(file), "-o", str(site)]) == 0
        assert (site / "data" / "site-data.json").read_bytes() == file.read_bytes()

    def test_the_file_may_be_that_of_the_site(self, tmp_path: Path) -> None:
        data = tmp_path / "data" / "site-data.json"
        data.parent.mkdir()
        data.write_bytes(encode(snapshot()))
        assert main(["page", str(data), "-o", str(tmp_path)]) == 0
        assert data.read_bytes() == encode(snapshot())

    @pytest.mark.parametrize("name", ["index.html", "data/site-data.json", "heat-map.svg"])
    def test_files_of_others_stay(
        self, file: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str
    ) -> None:
        site = tmp_path / "site"
        other = site / name
        other.parent.mkdir(parents=True)
        mine = b'<meta name="generator" content="status-contracts: healthapi page">'
        other.write_bytes(mine)
        assert main(["page", str(file), "-o", str(site)]) == 1
        assert f"{other} exists and is not a file of this command" in capfd.readouterr().err
        assert other.read_bytes() == mine
        assert [each for each in site.rglob("*") if each.is_file()] == [other]
        assert main(["page", str(file), "-o", str(other)]) == 2
        assert f"-o {other}: it is not a folder" in capfd.readouterr().err

    @pytest.mark.parametrize(
        ("body", "code", "words"), [(b"{}", 1, "an empty JSON object"), (None, 3, "cannot read")]
    )
    def test_what_cannot_be_shown_is_reported(
        self,
        file: Path,
        tmp_path: Path,
        capfd: pytest.CaptureFixture[str],
        body: bytes | None,
        code: int,
        words: str,
    ) -> None:
        file.unlink()
        if body is not None:
            file.write_bytes(body)
        assert main(["page", str(file), "-o", str(tmp_path / "site")]) == code
        assert words in capfd.readouterr().err
        assert not (tmp_path / "site").exists()

    def test_a_url_is_saved_first(self, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
        url = "https://a.example/data/site-data.json"
        assert main(["page", url, "-o", str(tmp_path / "site")]) == 2
        assert "save it with sitedata fetch URL -o FILE" in capfd.readouterr().err
