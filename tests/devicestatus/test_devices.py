"""Several devices in one application: names, keys, tokens, pages, the overview, the command."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

from devicestatus.adapters.application import asgi_app, wsgi_app
from devicestatus.adapters.memory import MemoryStore
from devicestatus.devices import MOUNTED, OVERVIEW_DEVICES, Devices, is_device_name
from devicestatus.parsing import encode
from devicestatus.record import encode_record
from devicestatus.settings import Settings
from status_contracts.exchange import Effect, ReadStore, Stored, WriteStore, drive
from status_contracts.instants import MINUTE_MS, format_instant
from status_contracts.messages import Request, Response
from status_contracts.pages.settings import Link, PageSettings
from support.devicestatus.examples import event, gap, snapshot, window, window_record
from support.servers.commands import environment, run, run_until
from support.servers.servers import Answer, ask, serve_asgi, serve_wsgi

NOON: Final = 1_773_489_600_000
TOKENS: Final = {"laptop": "l" * 64, "desk-2": "d" * 64}
SETTINGS: Final = {name: Settings(token, service_name=name) for name, token in TOKENS.items()}
OWNER: Final = PageSettings("Ada & Co", line="Builds tools", pages=(Link("Now", "./"),))
SERVE: Final[Mapping[str, tuple[Callable[..., AbstractContextManager[str]], Any]]] = {
    "asgi": (serve_asgi, asgi_app),
    "wsgi": (serve_wsgi, wsgi_app),
}


def send(url: str, name: str, app: str, token: str, at: int = NOON) -> Answer:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    body = encode(attrs.evolve(snapshot(), active_app=app, collected_at=at))
    return ask(url, "POST", f"/{name}/api/update", headers, body)


def clock() -> int:
    return NOON


@pytest.fixture(params=["asgi", "wsgi"])
def served(request: pytest.FixtureRequest) -> Iterator[tuple[str, MemoryStore]]:
    """Return the base URL of an application with two devices, and its store."""
    serve, create = SERVE[request.param]
    store = MemoryStore()
    with serve(create(SETTINGS, store=store, clock=clock, page=OWNER)) as url:
        yield url, store


class Store:
    """A store as `perform`, which may fail for some keys."""

    def __init__(self, *failing: str) -> None:
        self.failing = failing
        self.values: dict[str, bytes] = {}

    def __call__(self, effect: Effect) -> object:
        assert isinstance(effect, ReadStore | WriteStore)
        if effect.key in self.failing:
            raise OSError
        if isinstance(effect, ReadStore):
            return Stored(self.values.get(effect.key), NOON)
        self.values[effect.key] = effect.value
        return None


def devices(*names: str) -> Devices:
    settings = {name: Settings(None) for name in names}
    return Devices(settings, has_store=True, has_assets=False, page=OWNER)


def get(handler: Devices, path: str, store: Store | None = None) -> Response:
    return drive(handler(Request("GET", path.encode())), Store() if store is None else store)


class TestOneEach:
    def test_a_token_writes_its_own_device_only(self, served: tuple[str, MemoryStore]) -> None:
        url, store = served
        assert send(url, "laptop", "Mail", TOKENS["laptop"]).status == 200
        assert send(url, "desk-2", "Mail", TOKENS["laptop"]).status == 401
        assert send(url, "desk-2", "Music", TOKENS["desk-2"]).status == 200
        assert ask(url, "GET", "/laptop/api/now").json["active_app"] == "Mail"
        assert ask(url, "GET", "/desk-2/api/now").json["active_app"] == "Music"
        assert store.get("laptop:now") != store.get("desk-2:now") is not None
        assert store.get("now") is None

    def test_a_device_has_pages_with_its_own_title(self, served: tuple[str, MemoryStore]) -> None:
        url, _ = served
        for path, title in (("/laptop/", "Device status"), ("/laptop/api", "Device status API")):
            text = ask(url, "GET", path).body.decode()
            assert f"<title>{title} · laptop</title>" in text
            assert '<span class="initial" aria-hidden="true">L</span>' in text
            assert '<p class="owner-name">laptop</p><p class="owner-line">Ada &amp; Co</p>' in text
            assert '<a href="../">All devices</a>' in text
            assert not re.search("[\ue000-\uf8ff]", text)
        assert ask(url, "GET", "/laptop/card.svg").status == 200
        assert ask(url, "GET", "/laptop/api/health").json["service"] == "laptop"

    def test_a_device_has_the_pages_of_the_owner_as_well(self) -> None:
        urls = ("./", "practice/", "../people", "/health/", "https://a.example/")
        page = PageSettings(pages=tuple(Link(url, url) for url in urls))
        with serve_asgi(asgi_app(SETTINGS, store=MemoryStore(), page=page)) as url:
            text = ask(url, "GET", "/laptop/").body.decode()
        (found,) = re.findall(r'<nav class="pages".*?</nav>', text)
        assert re.findall(r'href="(.*?)"', found) == [
            *("../", "../practice/", "../../people", "/health/", "https://a.example/")
        ]

    def test_a_name_without_a_slash_leads_to_the_page(
        self, served: tuple[str, MemoryStore]
    ) -> None:
        for method, status in (("GET", 308), ("HEAD", 308), ("OPTIONS", 204), ("POST", 405)):
            answer = ask(served[0], method, "/laptop")
            assert answer.status == status
            assert answer.header("location") == ("laptop/" if status == 308 else None)

    @pytest.mark.parametrize(
        "path",
        [
            *("/api/now", "/other/", "/other/api/now", "/Laptop/", "/laptop//", "//laptop/", ""),
            *("/%6captop/", "/laptop%2Fapi/now", "/now/", "/\xff/"),
        ],
    )
    def test_other_paths_are_unknown(self, path: str) -> None:
        assert get(devices("laptop"), path).status == 404

    def test_without_pages_there_is_the_service_alone(self) -> None:
        settings = {"laptop": Settings(None)}
        handler = Devices(settings, has_store=True, has_assets=False, page=None)
        assert get(handler, "/laptop/api/now").status == 200
        for path in ("/", "/laptop", "/laptop/", "/laptop/api", "/laptop/card.svg"):
            assert get(handler, path).status == 404


class TestOverview:
    def test_it_shows_each_device_as_it_is_now(self, served: tuple[str, MemoryStore]) -> None:
        url, _ = served
        send(url, "laptop", "Mail & <News>", TOKENS["laptop"])
        answer = ask(url, "GET", "/")
        text = answer.body.decode()
        assert "<title>Devices · Ada &amp; Co</title>" in text
        cards = re.findall(r'<li class="card device" data-state="(\w+)">(.*?)</li>', text)
        assert [state for state, _ in cards] == ["online", "offline"]
        assert '<a href="laptop/">laptop</a>' in cards[0][1]
        assert "<bdi>Mail &amp; &lt;News&gt;</bdi>" in cards[0][1]
        assert "♫ <bdi>Song — Band</bdi>" in cards[0][1]
        assert f'<time datetime="{format_instant(NOON)}">12:00 UTC</time>' in cards[0][1]
        assert "The device may be off, asleep or without a network." in cards[1][1]
        assert ">1 of 2 devices online</span>" in text
        assert '<p id="read">Read at 12:00 UTC.</p>' in text
        assert '<a href="./" aria-current="page">Now</a>' in text

    def test_those_online_say_how_late_and_those_offline_come_last(self) -> None:
        ends = {"on": 1, "paused": 8, "on-too": 1}  # minutes ago
        store = Store("broken:now")
        for name, minutes in ends.items():
            end = NOON - minutes * MINUTE_MS
            data = window(window_start=end - 10 * MINUTE_MS, window_end=end)
            store.values[f"{name}:now"] = encode_record(window_record(data, end))
        new = window_record(window(window_start=NOON - MINUTE_MS, window_end=NOON), NOON)
        store.values["starting:now"] = encode_record(new)
        text = get(devices("off", "starting", "broken", "off-too", *ends), "/", store).body.decode()
        assert re.findall(r'<h2><a href="(.*?)/">', text) == [
            *("starting", "broken", "on", "paused", "on-too", "off", "off-too")
        ]
        assert text.count(" or earlier, shown 7 minutes late</p>") == 2
        assert ">2 of 7 devices online, 1 unreachable</span>" in text
        assert text.count("<path opacity") == 3  # of those that have apps still to come

    def test_it_draws_the_apps_of_a_window_faded_after_the_shown_moment(self) -> None:
        store, start = Store(), NOON - 12 * MINUTE_MS
        apps = enumerate(("<b>", None), 1)
        events = tuple(event(n, start + n * 3 * MINUTE_MS, active_app=app) for n, app in apps)
        gaps = (gap(start + MINUTE_MS, start + 2 * MINUTE_MS), gap(NOON - MINUTE_MS, NOON))
        data = window(window_start=start, window_end=NOON, events=events, gaps=gaps)
        store.values["on:now"] = encode_record(window_record(data, NOON))
        text = get(devices("on"), "/", store).body.decode()
        shapes = dict(re.findall(r'<path (\S+) d="(.*?)"/>', text))
        editor = "M0 0H25V1H0zM50 0H75V1H50z"
        colors = {'data-color="11"': editor, 'data-color="2"': "M75 0H150V1H75z"}
        assert shapes == colors | {'opacity=".65"': "M125 0H300V1H125z"}
        boxes = re.findall(r'height="100%" width="(.*?)" x="(.*?)"', text)
        assert boxes == [("8.33333%", "8.33333%"), ("8.33333%", "91.6667%"), ("0%", "41.6667%")]
        assert re.findall(r"</span><bdi>(.*?)</bdi>", text) == ["&lt;b&gt;", "Editor"]
        assert '<svg class="strip" data-empty aria' in text

    def test_the_key_has_the_app_in_front_then_the_longest_and_counts_the_others(
        self, served: tuple[str, MemoryStore]
    ) -> None:
        """An app has one colour in all cards, also one of two whose names have the same one."""
        url, store = served
        start, pair = NOON - 12 * MINUTE_MS, ("Firefox", "Terminal")
        for device, apps in {"laptop": (*pair, pair[0], "Files", "Notes"), "desk-2": ()}.items():
            at = enumerate((*apps, pair[1], *pair[: not apps]), 1)
            events = tuple(event(n, start + n * MINUTE_MS, active_app=app) for n, app in at)
            record = window_record(window(window_start=start, window_end=NOON, events=events), NOON)
            store.put(f"{device}:now", encode_record(record), expires_at_ms=record.expires_at)
        text = ask(url, "GET", "/").body.decode()
        key, _ = re.findall(r'<p class="detail key">(.*?)</p>', text)
        assert re.sub("(<.*?>| )+", " ", key) == " 12\u00a0min Notes Terminal Firefox +2 apps "
        looks = re.findall(r'data-color="(\d+)">[^>]*>?</span><bdi>(.*?)</bdi>', text)
        assert len({*looks}) == len({app for _, app in looks}) == 4
        assert re.findall('src="(.*?)"', key)[0] == "laptop/api/icons/notes.png"
        assert '<img class="tile" src="laptop/api/icons/notes.png" alt="">' in text  # above, too

    def test_of_many_devices_it_lists_the_names_and_reads_none(self) -> None:
        names = [f"d{n}" for n in range(OVERVIEW_DEVICES + 1)]
        text = get(devices(*names), "/", Store(*(f"{name}:now" for name in names))).body.decode()
        assert re.findall(r'href="(d\d+)/"', text) == names
        assert ' data-state="' not in text


class TestNames:
    @pytest.mark.parametrize("name", ["a", "laptop", "desk-2", "0", "a" * 63, "a--b"])
    def test_letters_digits_and_hyphens_are_allowed(self, name: str) -> None:
        assert is_device_name(name)

    @pytest.mark.parametrize(
        "name", ["", "a" * 64, "A", "a b", "-a", "a-", "a/b", "..", "é", "api", "now", "app-icons"]
    )
    def test_all_else_is_refused(self, name: str) -> None:
        assert not is_device_name(name)
        with pytest.raises(ValueError, match="is not the name of a device: 1 to 63 lower-case"):
            devices(name)


class TestBounded:
    def test_only_the_last_devices_stay_mounted_and_all_answer(self) -> None:
        names = [f"d{n}" for n in range(MOUNTED + 4)]
        read: list[str] = []

        class Lookup(dict[str, Settings]):
            def __getitem__(self, name: str) -> Settings:
                read.append(name)
                return super().__getitem__(name)

        settings = Lookup({name: Settings(None) for name in names})
        handler = Devices(settings, has_store=True, has_assets=False, page=None)
        assert read == []
        for name in (*names, *names[-4:], "unknown", names[0]):
            assert get(handler, f"/{name}/api/now").status == (404 if name == "unknown" else 200)
        assert read == [*names, "unknown", names[0]]


class TestCommand:
    @pytest.fixture(autouse=True)
    def _environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in set(os.environ) - set(environment()):
            monkeypatch.delenv(name)

    @staticmethod
    def token_file(folder: Path, name: str, text: str | None = None, mode: int = 0o600) -> str:
        path = folder / f"{name}.token"
        path.write_text(TOKENS.get(name, name * 40) if text is None else text, "utf-8")
        path.chmod(mode)
        return f"{name}={path}"

    def test_each_device_has_a_path_and_the_overview_is_the_first(self, tmp_path: Path) -> None:
        answers: list[Answer] = []

        def visit(url: str) -> None:
            answers.extend(ask(url, "GET", path) for path in ("/", "/laptop/", "/desk-2/api/now"))
            headers = {"Authorization": f"Bearer {TOKENS['laptop']}"}
            answers.append(ask(url, "POST", "/desk-2/api/update", headers, b"{}"))

        options = (f"--device={self.token_file(tmp_path, name)}" for name in TOKENS)
        ended = run_until(
            r"http://[^ ]+(?=/\n)",
            *("serve", "--port", "0", "--store", "memory:", *options),
            then=visit,
        )
        assert (ended.code, ended.err) == (0, "")
        assert [answer.status for answer in answers] == [200, 200, 200, 401]
        assert re.search(r"laptop {7}http://.*/laptop/\ndesk-2 {7}http://.*/desk-2/\n", ended.out)

    @pytest.mark.parametrize(
        ("texts", "message"),
        [
            ({"Laptop": None}, "'Laptop=.*': expected NAME=TOKENFILE, a NAME of"),
            ({"a": "x" * 40, "b": "x" * 40}, "b: another has this token; to make one"),
        ],
    )
    def test_what_is_wrong_is_said_with_the_remedy(
        self, tmp_path: Path, texts: dict[str, str | None], message: str
    ) -> None:
        devices = [self.token_file(tmp_path, name, text) for name, text in texts.items()]
        ended = run("serve", "--port", "0", *(f"--device={device}" for device in devices))
        assert ended.code == 2
        assert re.search(f"--device:? .*{message}", ended.err), ended.err

    def test_a_name_is_given_once(self, tmp_path: Path) -> None:
        device = f"--device={self.token_file(tmp_path, 'laptop')}"
        ended = run("serve", device, device)
        assert (ended.code, "laptop is given twice" in ended.err) == (2, True)

    def test_the_token_file_of_one_device_does_not_go_with_several(self, tmp_path: Path) -> None:
        device = f"--device={self.token_file(tmp_path, 'laptop')}"
        ended = run("serve", device, "--token-file", tmp_path / "laptop.token")
        assert (ended.code, "--token-file is for one device" in ended.err) == (2, True)
