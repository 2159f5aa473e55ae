"""The pages of health data: handler, documents, static sites, the command that writes them."""

import json
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

from healthapi.adapters.application import asgi_app
from healthapi.adapters.folder import FolderSource
from healthapi.cli.main import main
from healthapi.errors import DataError
from healthapi.page import build_site, with_site
from healthapi.profile import Profile, ProfileSummary
from healthapi.service import Service
from status_contracts.exchange import Effect, ReadSource, drive
from status_contracts.messages import Request, Response
from status_contracts.pages.settings import Link, PageSettings
from support.healthapi.health_client import anna, empty, make_profile
from support.healthapi.page_profiles import write_almost_empty, write_full

ROOT: Final = "/api/public/v1"
SETTINGS: Final = PageSettings("Ada", "One line", pages=(Link("Health", "/health/"),))
PLAIN: Final = PageSettings()
MARKUP: Final = "<img src=x onerror=alert(1)>"

Profiles = dict[str, Profile | DataError]


def named(name: str) -> Profile:
    """Return a profile with a display name."""
    profile = make_profile("bob")
    named, person = attrs.evolve(profile), attrs.evolve(profile.person, display_name=name)
    object.__setattr__(named, "person", person)  # no account has such a name
    return named


class Site:
    """The pages and the service of some profiles, called in process."""

    def __init__(self, *profiles: Profile, settings: PageSettings = PLAIN) -> None:
        self.profiles: Profiles = {profile.id: profile for profile in profiles}
        self._service = Service()
        self._handler = with_site(self._service, settings)

    def _perform(self, effect: Effect) -> object:
        assert isinstance(effect, ReadSource)
        if effect.name is None:
            return tuple(sorted(self.profiles))
        found = self.profiles.get(effect.name)
        if isinstance(found, DataError):
            raise found
        return found

    def get(self, path: str, method: str = "GET", **headers: str) -> Response:
        lines = tuple((name.encode(), value.encode()) for name, value in headers.items())
        return drive(self._handler(Request(method, path.encode(), lines)), self._perform)

    def ask(self, request: Request) -> Response:
        """Return the response of the service alone."""
        return drive(self._service(request), self._perform)

    def text(self, path: str) -> str:
        return self.get(path).body.decode()


def header(response: Response, name: str) -> str | None:
    return dict(response.headers).get(name)


class Document(HTMLParser):
    """Links, images and texts of a document; `plain` is what it shows without JavaScript."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.urls: list[str] = []
        self.tags: list[str] = []
        self.plain = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append(tag)
        if tag in {"a", "img"}:
            self.urls.append(found.get("href") or found.get("src") or "")
        self._open = [tag] if tag in {"script", "style"} else []

    def handle_endtag(self, tag: str) -> None:
        del tag
        self._open = []

    def handle_data(self, data: str) -> None:
        if not self._open:
            self.plain = f"{self.plain} {data}".strip()


class TestPaths:
    def test_one_profile_is_the_top(self) -> None:
        text = Site(anna()).text("/")
        assert f'href="{ROOT[1:]}/profiles/anna">JSON</a>' in text
        assert "All people" not in text

    def test_several_profiles_are_listed_with_what_is_known(self) -> None:
        site = Site(anna(), named("Bob"), empty())
        document = Document(site.text("/"))
        assert {"bob/", "anna/", f"{ROOT[1:]}/docs", f"{ROOT[1:]}/profiles"} <= {*document.urls}
        assert re.search(r"Recovery \d+ of 100: \w+\.\nData to 28 Jan 2026\.", document.plain)
        assert "Above the usual range: " in document.plain
        assert "No days with data yet." in document.plain
        assert "script" not in document.tags

    def test_people_of_one_name_are_told_apart_by_their_ids(self) -> None:
        names = {"a": "Ann", "b": "Ann", "c": "Bo", "d": None}
        people = [ProfileSummary(key, display_name=name) for key, name in names.items()]
        page = drive(with_site(Service(), PLAIN)(Request("GET", b"/")), lambda _: people).body
        shown = dict(re.findall(r'href="(.)/">([^<]+)', page.decode()))
        assert shown == {"a": "Ann (a)", "b": "Ann (b)", "c": "Bo", "d": "d"}

    def test_each_of_several_profiles_has_a_page(self) -> None:
        text = Site(anna(), empty()).text("/anna/")
        assert f'href="../{ROOT[1:]}/profiles/anna">JSON</a>' in text
        assert '<a class="on-screen" href="../">All people</a>' in text

    def test_without_the_last_slash_the_page_is_redirected(self) -> None:
        response = Site(anna()).get("/anna")
        assert (response.status, header(response, "Location")) == (308, "anna/")

    def test_an_unknown_profile_is_not_found(self) -> None:
        response = Site(anna()).get("/missing/")
        assert response.status == 404
        assert b"There is no public profile here" in response.body
        assert header(response, "Cache-Control") == "no-store, max-age=0"
        assert not list(embedded(response.body))

    def test_an_unreadable_profile_is_not_available(self) -> None:
        site = Site(anna(), empty())
        site.profiles["anna"] = DataError()
        response = site.get("/anna/")
        assert response.status == 503
        assert b"The data cannot be read at the moment" in response.body
        assert "../" in Document(response.body.decode()).urls
        assert "The data cannot be read at the moment." in site.text("/")
        site.profiles.pop(empty().id)
        assert site.get("/").status == 503

    def test_a_profile_that_is_read_for_the_first_time_is_not_called_unreadable(self) -> None:
        handler = with_site(Service(), PLAIN)
        both = ProfileSummary("a", is_awaited=True), ProfileSummary("b")
        page = drive(handler(Request("GET", b"/")), lambda _: both).body
        assert page.count(b"The data are being read; ") == page.count(b"cannot be read") == 1

    @pytest.mark.parametrize("path", ["/api/public/v1", "/anna/x", "//", "/a.b/", "/%61nna/"])
    def test_all_other_paths_are_the_services(self, path: str) -> None:
        site = Site(anna())
        assert site.get(path) == site.ask(Request("GET", path.encode()))


class TestDocument:
    def test_stages_of_sleep_have_tones_of_their_own(self) -> None:
        """A deep sleep in the colour of another metric of the page would be read as that."""
        tone = r"\.tone-(\w+) *{ *--tone: *var\((--data-\d+)\)"
        tones = dict(re.findall(tone, Site(anna()).text("/")))
        stages = [tones[f"minutes_{each}"] for each in ("deep", "rem", "light", "wake_stages")]
        assert tones["sleep_hours"] == "--data-1"
        assert stages == ["--data-9", "--data-10", "--data-11", "--data-12"]
        assert len(set(tones.values())) == len(tones) == 12

    def test_without_javascript_it_shows_the_latest_values(self) -> None:
        site = Site(anna())
        response = site.ask(Request("GET", f"{ROOT}/profiles/anna/metrics".encode()))
        metrics = json.loads(response.body)
        (rhr,) = (card for card in metrics["data"]["metrics"] if card["key"] == "rhr")
        plain = Document(site.text("/")).plain
        assert f"Resting heart rate {rhr['latest']:g} bpm 52 to 57" in plain
        assert re.search(r"Sleep \d h \d\d min \d h \d\d min to", plain)
        assert " usual. Good from 80, stable from 65, fair from 50, below that: rest." in plain
        assert "Data to 28 Jan 2026." in plain

    def test_without_javascript_what_still_grows_has_no_mark(self) -> None:
        """The mark would be that of the day before, which the sentence names."""
        unfinished = make_profile(generated_at="2026-01-28T12:00:00")
        plain = Document(Site(unfinished).text("/")).plain
        assert "steps on 27 Jan" in plain
        assert re.search(r" Steps 10,713 steps so far [\d,]+ to [\d,]+ ", plain)

    def test_it_is_drawn_once_for_each_state_of_a_profile(self) -> None:
        site = Site(anna(), empty())
        first, top = site.get("/anna/").body, site.get("/").body
        assert site.get("/anna/").body is first
        site.profiles["anna"] = named(MARKUP)
        assert b"&lt;img" in site.get("/anna/").body
        site.profiles.pop(empty().id)
        assert b"All people" not in site.get("/anna/").body
        assert site.get("/").body not in {first, top}

    def test_without_javascript_an_empty_profile_says_so(self) -> None:
        assert "This profile has no days with data yet" in Document(Site(empty()).text("/")).plain

    def test_the_name_of_the_person_stands_where_the_owner_has_none(self) -> None:
        assert ">Bob</h1>" in Site(named("Bob")).text("/")
        assert ">Bob</h1>" not in Site(named("Bob"), settings=SETTINGS).text("/")
        text = Site(named("Bob"), anna(), settings=SETTINGS).text("/bob/")
        assert ">Bob</h1>" in text
        assert "<title>Bob · Health · Ada</title>" in text

    @pytest.mark.parametrize("path", ["/", "/bob/"])
    def test_markup_in_a_name_stays_text(self, path: str) -> None:
        text = Site(named(MARKUP), anna()).text(path)
        assert MARKUP not in text
        assert "&lt;img src=x" in text


def embedded(document: bytes) -> Iterator[Any]:
    """Yield the data in a document."""
    pattern = rb'<script type="application/json" id="\w+">([^<>&]*)</script>'
    return (json.loads(found[1]) for found in re.finditer(pattern, document))


class TestStaticSite:
    def test_one_profile_is_the_top(self) -> None:
        files = build_site([anna()], SETTINGS)
        charts = ("activity-trend", "overview-trend", "sleep-trend", "weekly-trend")
        drawn = {f"{name}{end}.svg" for name in charts for end in ("", "-dark", "-transparent")}
        assert files.keys() - drawn == {
            *("dashboard.json", "index.html", "series-daily.json"),
            *("series.svg", "series-narrow.svg"),
        }
        assert b'srcset="series-narrow.svg"' in files["index.html"]
        assert list(files)[-1] == "index.html"
        assert len({files[f"sleep-trend{end}.svg"] for end in ("", "-dark", "-transparent")}) == 3

    def test_the_files_are_the_responses_of_the_api_and_the_document_has_them(self) -> None:
        site = Site(anna())
        files = build_site([anna()], SETTINGS)
        dashboard = site.ask(Request("GET", f"{ROOT}/profiles/anna/dashboard".encode())).body
        assert files["dashboard.json"] == dashboard
        series = json.loads(files["series-daily.json"])
        assert len(series["data"]["metrics"]) == 9
        assert list(embedded(files["index.html"]))[1:] == [json.loads(dashboard), series]

    def test_every_link_is_a_file_of_the_site(self) -> None:
        files = build_site([anna(), empty()], PLAIN)
        for name, data in files.items():
            if name.endswith(".html"):
                folder = name.rpartition("/")[0]
                for url in Document(data.decode()).urls:
                    found = f"{folder}/{url}".lstrip("/").removeprefix(f"{folder}/../")
                    assert url == "#main" or found in files, (name, url)

    def test_markup_in_a_name_stays_data(self) -> None:
        files = build_site([named(f"</script>{MARKUP}")], PLAIN)
        _, dashboard, _ = embedded(files["index.html"])
        assert dashboard["data"]["profile"]["display_name"] == f"</script>{MARKUP}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of two profiles."""
    write_full(tmp_path / "people" / "ada")
    write_almost_empty(tmp_path / "people" / "bob")
    return tmp_path / "people"


class TestCommand:
    def test_a_folder_for_each_profile(
        self, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        site = tmp_path / "new" / "site"
        assert main(["page", str(folder), "-o", str(site)]) == 0
        out = (
            f"{site / 'index.html'}:\n    ada, bob\n"
            f"to look at it:\n    python3 -m http.server 8003 -b 127.0.0.1 -d {site}\n"
        )
        assert capsys.readouterr() == (out, "")
        documents = {str(path.relative_to(site)) for path in site.rglob("*.html")}
        assert documents == {"index.html", "ada/index.html", "bob/index.html"}
        assert not [path for path in site.rglob("*") if path.name.startswith(".")]
        (folder / "ada/csv/fitbit_rhr.csv").write_text("date,resting_heart_rate\nx,1\n")
        assert main(["page", str(folder), "-o", str(site)]) == 0
        words, command, _ = capsys.readouterr().err.split("\n")
        assert words == "warning: rows or values are left out; to see all problems:"
        assert command == f"    healthapi check {folder}"

    def test_one_profile_with_the_settings_of_a_file(self, folder: Path, tmp_path: Path) -> None:
        settings = tmp_path / "page.toml"
        settings.write_text('name = "Ada Example"\nline = "A line"\n')
        options = ["--page-settings", str(settings)]
        site = tmp_path / "site"
        shutil.rmtree(folder / "bob")
        for _ in range(2):  # it replaces what is there
            assert main(["page", str(folder), "-o", str(site), *options]) == 0
        text = (site / "index.html").read_text()
        assert "<title>Health · Ada Example</title>" in text
        assert "A line" in text
        assert not (site / "ada").exists()

    def test_an_unreadable_profile_writes_nothing(
        self, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (folder / "bob" / "csv" / "fitbit_activity.csv").write_bytes(b"\xff")
        for command in (["page", str(folder)], ["chart", str(folder), "bob"]):
            assert main([*command, "-o", str(tmp_path / "site")]) == 1
            assert "bob/csv/fitbit_activity.csv: " in capsys.readouterr().err
        assert not (tmp_path / "site").exists()

    @pytest.mark.parametrize(
        "name", ["index.html", "bob/index.html", "ada/dashboard.json", "ada/overview-trend.svg"]
    )
    def test_files_of_others_stay(
        self, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
    ) -> None:
        other = tmp_path / "site" / name
        other.parent.mkdir(parents=True)
        mine = b'<meta name="generator" content="status-contracts: sitedata page">'
        other.write_bytes(mine)
        assert main(["page", str(folder), "-o", str(tmp_path / "site")]) == 1
        assert f"{other} exists and is not a file of this command" in capsys.readouterr().err
        assert other.read_bytes() == mine
        assert [path for path in tmp_path.glob("site/**/*") if path.is_file()] == [other]
        assert main(["page", str(folder), "-o", str(other)]) == 2
        assert f"-o {other}: it is not a folder" in capsys.readouterr().err

    @pytest.mark.parametrize("place", [".", "ada", "ada/csv/site", "site", "..", "../link"])
    def test_a_site_is_neither_among_the_tables_nor_around_them(
        self, folder: Path, capsys: pytest.CaptureFixture[str], place: str
    ) -> None:
        (folder.parent / "link").symlink_to(folder)
        before = sorted(folder.parent.rglob("*"))
        assert main(["page", str(folder), "-o", str(folder / place)]) == 1
        assert "its tables would be published" in capsys.readouterr().err
        assert sorted(folder.parent.rglob("*")) == before


def test_the_api_page_has_the_header_of_the_owner() -> None:
    handler = asgi_app(FolderSource("."), page=PageSettings(name="Ada & Co")).handler
    request = Request("GET", b"/api/public/v1/docs")
    page = drive(handler(request), lambda effect: pytest.fail(f"unexpected {effect}"))
    assert b'<p class="owner-name">Ada &amp; Co</p>' in page.body
