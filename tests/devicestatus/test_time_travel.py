"""The time travel: arguments, the page, and what notebooks get."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from devicestatus.adapters.notebook import MAX_UPLOADS, TimeTravel, explore
from devicestatus.errors import ContractError
from purewire.instants import FIRST_INSTANT, LAST_INSTANT
from support.checks.html_tables import texts
from support.devicestatus.examples import DELAY, NOON, WINDOW_END, event, gap, snapshot, window
from support.devicestatus.sessions import afternoon, data_of, minute

HOSTILE = "</script></title><img src=x onerror=alert(1)>'\"&/*script*/\x00"


class _Elements(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def elements(html: str, name: str) -> list[dict[str, str | None]]:
    return [found for tag, found in _Elements(html).found if tag == name]


def table(travel: TimeTravel) -> list[list[str]]:
    """Return the rows of the table of every status: from, until, status, app or reason."""
    part = travel.html.partition('<details id="changes"')[2].partition("</details>")[0]
    cells = texts(part.partition("<table>")[2])[5:]
    rows = [cells[n : n + 4] for n in range(0, len(cells), 4)]
    return [[row[0], *row[3:], *row[1:3]] for row in rows]


class TestArguments:
    def test_a_window_is_there_all_the_time(self) -> None:
        data = data_of(explore(window()))
        assert data["isHeld"] is True
        assert data["start"] == NOON + DELAY - 60_000
        assert data["end"] == WINDOW_END + 600_000 + 60_000
        assert data["at"] == NOON + DELAY

    def test_uploads_arrive(self) -> None:
        data = data_of(explore(afternoon()))
        assert data["isHeld"] is False
        assert data["start"] == minute(4) + 1000
        assert data["end"] == minute(48) + 660_000
        statuses = [(each["at"], each["body"]["status"]) for each in data["reads"]]
        assert statuses[:2] == [(data["start"], "offline"), (minute(5) + 1000, "online")]
        assert (minute(30), "offline") in statuses  # the deadline before the outage ends
        assert statuses[-1] == (minute(58), "offline")

    @pytest.mark.parametrize(
        ("at", "shown"),
        [(NOON + DELAY + 7, NOON + DELAY + 7), (0, NOON + DELAY - 60_000), (10**15, None)],
    )
    def test_the_start_of_the_slider_is_within_its_range(self, at: int, shown: int | None) -> None:
        data = data_of(explore(window(), at=at))
        assert data["at"] == (data["end"] if shown is None else shown)

    def test_without_any_online_moment_it_starts_at_the_start(self) -> None:
        data = data_of(explore(window(gaps=(gap(NOON, WINDOW_END),))))
        assert data["at"] == data["start"]

    def test_an_invalid_window_is_an_error_with_its_findings(self) -> None:
        broken = window(batch_seq=0)
        with pytest.raises(ContractError) as alone:
            explore(broken)
        assert [each.path for each in alone.value.findings] == ["/batch_seq"]
        with pytest.raises(ContractError) as second:
            explore([(WINDOW_END, window()), (WINDOW_END, broken)])
        assert [each.path for each in second.value.findings] == ["/1/batch_seq"]

    def test_a_window_must_be_valid_when_it_arrives(self) -> None:
        with pytest.raises(ContractError) as caught:
            explore([(WINDOW_END + 120_001, window())])
        assert [each.path for each in caught.value.findings] == ["/0/generated_at"]

    @pytest.mark.parametrize("count", [0, MAX_UPLOADS + 1])
    def test_the_number_of_uploads_is_limited(self, count: int) -> None:
        with pytest.raises(ValueError, match="expected 1 to 100 uploads"):
            explore([(WINDOW_END, window())] * count)

    @pytest.mark.parametrize(
        "upload", [window(), (window(), WINDOW_END), (1.5, window()), (True, window()), (1, 2, 3)]
    )
    def test_an_upload_is_a_pair(self, upload: object) -> None:
        with pytest.raises(TypeError, match="upload 0 is not a pair"):
            explore([upload])  # type: ignore[list-item]

    @pytest.mark.parametrize("at", [FIRST_INSTANT - 1, LAST_INSTANT + 1])
    def test_an_arrival_has_a_text(self, at: int) -> None:
        with pytest.raises(ValueError, match="outside the years"):
            explore([(at, window())])


class TestPage:
    def test_it_loads_nothing(self) -> None:
        html = explore(afternoon()).html
        policy = elements(html, "meta")[2]["content"]
        assert policy is not None
        assert re.sub(r"'sha256-[\w+/=]{44}'", "HASH", policy) == (
            "default-src 'none'; script-src HASH; style-src HASH; base-uri 'none';"
            " form-action 'none'"
        )
        attributes = {key for _, found in _Elements(html).found for key in found}
        assert not attributes & {"src", "href", "srcset", "style", "onclick", "onload"}
        assert re.findall(r"https?://[\w.]+", html.replace("http://www.w3.org/2000/svg", "")) == []

    def test_any_text_is_text(self) -> None:
        running = (HOSTILE.strip("\x00"),)
        events = (event(1, NOON + 1, active_app=HOSTILE[:50], running_apps=running),)
        of = window(baseline=snapshot(active_app=HOSTILE[:40]), events=events)
        travel = explore(of, title=HOSTILE)
        assert elements(travel.html, "img") == []
        assert len(elements(travel.html, "script")) == 2
        assert elements(travel._repr_html_(), "img") == []
        assert json.loads(json.dumps(data_of(travel)))["reads"][0]["body"]["window"]["events"]

    def test_a_long_title_is_cut(self) -> None:
        assert f"<h1>{'t' * 199}…</h1>" in explore(window(), title="t" * 10_000).html

    def test_the_table_has_every_status(self) -> None:
        of = window(events=(event(1, NOON + 60_000),), gaps=(gap(NOON + 120_000, NOON + 180_000),))
        assert table(explore(of)) == [
            ["2026-01-01T12:06:00.000Z", "2026-01-01T12:07:00.000Z", "offline", WARM_UP],
            ["2026-01-01T12:07:00.000Z", "2026-01-01T12:08:00.000Z", "online", "Editor"],
            ["2026-01-01T12:08:00.000Z", "2026-01-01T12:09:00.000Z", "online", "App 1"],
            [
                *("2026-01-01T12:09:00.000Z", "2026-01-01T12:10:00.000Z", "offline"),
                f"playback is in a gap (asleep, {GAP})",
            ],
            ["2026-01-01T12:10:00.000Z", "2026-01-01T12:22:00.000Z", "online", "App 1"],
            ["2026-01-01T12:22:00.000Z", "2026-01-01T12:26:00.000Z", "offline", EXHAUSTED],
        ]

    def test_the_table_starts_before_the_first_upload_and_shows_replaced_windows(self) -> None:
        rows = table(explore(afternoon()))
        assert rows[0][2:] == ["offline", "nothing was ever written"]
        assert rows[1][2:] == ["offline", WARM_UP]
        assert rows[2][2:] == ["online", "App 0"]
        assert [end for _, end, *_ in rows[:-1]] == [start for start, *_ in rows[1:]]
        between = [row for row in rows if row[3] == EXHAUSTED]
        assert [row[:2] for row in between] == [
            ["2026-01-01T12:27:00.000Z", "2026-01-01T12:38:01.000Z"],
            ["2026-01-01T12:55:00.000Z", "2026-01-01T12:59:00.000Z"],
        ]

    def test_the_table_is_limited(self) -> None:
        events = tuple(event(n, NOON + n) for n in range(1, 1001))
        rows = table(explore(window(events=events)))
        assert len(rows) == 201
        assert rows[-1] == ["and 803 more"]

    def test_an_unknown_app_is_named(self) -> None:
        rows = table(explore(window(baseline=snapshot(active_app=None))))
        assert rows[1][3] == "foreground app unknown"

    def test_pictures_say_where_the_lanes_are(self) -> None:
        ((wide, narrow),) = data_of(explore(window()))["pictures"]
        for picture in (wide, narrow):
            assert 0 <= picture["left"] < picture["right"] <= 1
            height, title, bar = (
                int(re.findall(pattern, picture["svg"])[0])
                for pattern in (
                    r'height="(\d+)"',
                    r'<text [^>]*y="(\d+)"',
                    r'<rect [^>]*y="(\d+)"[^>]*height="(?:26|22)"',
                )
            )
            assert title < picture["top"] * height <= bar
            assert picture["top"] < picture["bottom"] < 1
        assert 'width="960"' in wide["svg"]
        assert 'width="360"' in narrow["svg"]


GAP = "2026-01-01T12:02:00.000Z to 2026-01-01T12:03:00.000Z"
WARM_UP = "playback has not reached the window yet"
EXHAUSTED = "playback has passed the end of the window"


class TestNotebooks:
    def test_the_page_is_in_a_frame_that_can_only_run_scripts(self) -> None:
        travel = explore(afternoon())
        (frame,) = elements(travel._repr_html_(), "iframe")
        assert frame["sandbox"] == "allow-scripts"
        assert frame["srcdoc"] == travel.html
        assert frame["title"] == "Time travel: 7 uploads, 1 Jan 2026, 12:00:00 to 12:48:00 UTC"

    def test_without_a_frame_a_sentence_is_left(self) -> None:
        html = explore(window())._repr_html_()
        assert re.sub(r"<iframe.*</iframe>", "", html, flags=re.DOTALL) == (
            "<figure style='margin:0'><figcaption>Time travel: one window, 1 Jan 2026, 12:00:00 to"
            " 12:15:00 UTC. If no slider is above, trust this notebook.</figcaption></figure>"
        )

    def test_the_repr_is_short(self) -> None:
        assert repr(explore(window())) == (
            "<TimeTravel of one window, 1 Jan 2026, 12:00:00 to 12:15:00 UTC>"
        )

    def test_it_is_saved(self, tmp_path: Path) -> None:
        travel = explore(window())
        for path in (tmp_path / "page.html", str(tmp_path / "page.html")):
            travel.save(path)
            assert (tmp_path / "page.html").read_text("utf-8") == travel.html
        with pytest.raises(OSError, match="page"):
            travel.save(tmp_path / "missing" / "page.html")
