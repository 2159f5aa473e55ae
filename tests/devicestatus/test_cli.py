"""The `devicestatus` command, over real sockets; real processes for signals and encodings."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from devicestatus import badge
from devicestatus.card import card
from devicestatus.record import encode_record
from devicestatus.service import Service
from devicestatus.settings import Settings
from devicestatus.timeline import WIDTHS, lanes
from status_contracts.exchange import Stored, drive
from status_contracts.instants import MINUTE_MS, SECOND_MS, format_instant
from status_contracts.messages import Request
from support.devicestatus.examples import (
    ACCEPTED,
    COVERED_SONG,
    DELAY,
    NOON,
    RECEIVED_AT,
    WINDOW_END,
    body,
    event,
    gap,
    plain,
    snapshot,
    snapshot_record,
    window,
    window_record,
)
from support.devicestatus.scripted_service import service
from support.servers.commands import CANARY, environment, run, run_process, run_until, started
from support.servers.redis_server import redis_server
from support.servers.servers import Answer, ask


def file_of(folder: Path, content: bytes) -> Path:
    path = folder / "file.json"
    path.write_bytes(content)
    return path


class TestHelp:
    def test_a_token_as_an_argument_is_refused_without_quoting_it(self) -> None:
        for arguments in (["agent", f"--token={CANARY}"], ["--token", CANARY, "agent"]):
            ended = run(*arguments)
            assert ended.code == 2
            assert "unknown option --token" in ended.err


class TestValidate:
    def test_every_finding_is_reported(self) -> None:
        broken = plain(snapshot()) | {"active_app": "", "battery": {}, "extra": 1}
        ended = run("validate", "-", stdin=body(broken))
        assert ended.code == 1
        lines = ended.out.splitlines()
        paths = [line.split(":")[1].removeprefix("1 ") for line in lines[:-1]]
        assert sorted(paths) == [
            *("/active_app", "/battery/charging", "/battery/percent"),
            *("/battery/power_source", "/extra"),
        ]
        assert lines[-1] == "standard input: not a valid snapshot: 5 problems"

    def test_the_version_is_that_of_the_kind(self) -> None:
        for made, kind, version in ((snapshot(), "snapshot", 1), (window(), "window", 2)):
            ended = run("validate", "-", stdin=body(plain(made) | {"schema_version": 3 - version}))
            assert ended.out.splitlines() == [
                f"standard input:1 /schema_version: {3 - version}: must be {version} [constant]",
                f"standard input: not a valid {kind}: 1 problem",
            ]

    def test_another_kind_of_file_is_described_and_an_unknown_name_is_corrected(self) -> None:
        ended = run("validate", "-", stdin=b'{"repository": {}, "problems": []}')
        words = "expected a snapshot (schema_version 1) or a window (schema_version 2)"
        kind = "a JSON object with repository, problems"
        assert (ended.code, ended.out) == (1, f"standard input: {kind}: {words}\n")
        ended = run("validate", "-", stdin=body(plain(snapshot()) | {"batery": {}}))
        assert "/batery: unknown member: remove it, or correct its name; did you mean" in ended.out

    def test_the_clock_is_checked_by_the_receive_time(self) -> None:
        for at, code in ((NOON + 120_000, 0), (NOON + 120_001, 1), ("2026-01-01T12:02:00Z", 0)):
            ended = run("validate", "-", "--received-at", at, stdin=body(snapshot()))
            assert ended.code == code

    def test_the_catalog_is_that_of_the_environment(self) -> None:
        covered = body(snapshot(music=COVERED_SONG))
        assert run("validate", "-", stdin=covered).code == 0
        catalog = {"CATALOG_ARTWORK_DOMAIN": "art.example"}
        assert run("validate", "-", stdin=covered, env=catalog).code == 1

    def test_no_file_is_3(self, tmp_path: Path) -> None:
        ended = run("validate", tmp_path / "none")
        assert ended.code == 3
        assert "none: it does not exist" in ended.err
        ended = run("validate", tmp_path)
        message = f"devicestatus: cannot read {tmp_path}: it is a folder; give a file\n"
        assert (ended.code, ended.err) == (3, message)
        assert "null" in run("validate", "a\0b").err

    def test_a_file_longer_than_any_record_is_refused(self) -> None:
        ended = run("validate", "-", stdin=b" " * 1_048_577)
        assert ended.code == 1
        assert "standard input has more than the 1048576 bytes" in ended.err


class TestProject:
    WINDOW = window(
        events=(event(1, NOON + MINUTE_MS, active_app="Player", music=COVERED_SONG),),
        gaps=(gap(NOON + 5 * MINUTE_MS, NOON + 6 * MINUTE_MS),),
    )

    @pytest.mark.parametrize("minutes", [0, 1, 5, 15])
    def test_json_is_what_the_service_answers(self, minutes: int, tmp_path: Path) -> None:
        now = NOON + DELAY + minutes * MINUTE_MS
        record = encode_record(window_record(self.WINDOW, WINDOW_END))
        service = Service(Settings(CANARY), has_store=True, has_assets=False)
        answer = drive(service(Request("GET", b"/api/now")), lambda _: Stored(record, now))
        file = file_of(tmp_path, body(self.WINDOW))
        ended = run("project", file, "--at", format_instant(now), "--json")
        assert ended.code == 0
        assert ended.out.encode() == answer.body + b"\n"

    def test_text_output(self) -> None:
        at = WINDOW_END + SECOND_MS
        ended = run("project", "-", "--at", at, stdin=body(self.WINDOW))
        rule = "(7 min after the end of the window)"
        assert ended.out.splitlines() == [
            f"online until 2026-01-01T12:22:00.000Z, in 6 min 59 s {rule}",
            "played back at 2026-01-01T12:08:01.000Z, 6 min 59 s before the end",
            "collected: 2026-01-01T12:01:00.000Z, 14 min 1 s ago",
            *("foreground app: Player", "running: not reported"),
            *(
                "battery: 82 %, not charging, on battery",
                "load: 1.5 (1 min), 1.25 (5 min), 1 (15 min)",
            ),
            *("music: playing: Song — Band", f"track page: {COVERED_SONG.track_url}"),
            f"artwork: {COVERED_SONG.artwork_url}",
        ]

    @pytest.mark.parametrize(
        "content", [b"", b"{}", b'{"data":{}}', b'{"schema_version":2}', b'{"schema_version":null}']
    )
    def test_what_is_neither_body_nor_record_is_refused(self, content: bytes) -> None:
        ended = run("project", "-", "--at", NOON, stdin=content)
        assert (ended.code, ended.out) == (1, "")
        is_described = "expected a snapshot, a window or a stored record" in ended.err
        assert is_described == (b"schema_version" not in content != b"")


class TestExplain:
    @pytest.mark.parametrize(
        ("at", "message", "distance"),
        [
            (RECEIVED_AT - 1, "offline: the record is received only later", "in 6 min 59 s"),
            (RECEIVED_AT, "online", "in 6 min 59 s"),
            (WINDOW_END + DELAY, "offline: playback has passed the end of the window", "now"),
            (
                WINDOW_END + DELAY + 90_000,
                "offline: playback has passed the end of the window",
                "1 min 30 s ago",
            ),
        ],
    )
    def test_a_window(self, at: int, message: str, distance: str, tmp_path: Path) -> None:
        ended = run("explain", file_of(tmp_path, encode_record(window_record())), "--at", at)
        assert ended.code == 0
        lines = ended.out.replace("\n    ", " ").splitlines()
        assert lines[0] == message
        assert lines[1] == (
            f"deadline: 2026-01-01T12:22:00.000Z, {distance} (7 min after the end of the window)"
        )
        assert lines[2].startswith("next change: ")

    def test_what_is_neither_body_nor_record_is_refused_as_by_the_others(self) -> None:
        ended = run("explain", "-", "--at", NOON, stdin=b"\x00")
        assert ended == run("project", "-", "--at", NOON, stdin=b"\x00")
        assert ended.err.endswith("standard input:1:1: not JSON: expected a value [json.text]\n")

    def test_json_has_all_of_it(self) -> None:
        gaps = (gap(NOON, NOON + MINUTE_MS, "clock"),)
        made = window(window_end=NOON + 5 * MINUTE_MS, gaps=gaps)
        ended = run("explain", "-", "--json", "--at", NOON + DELAY, stdin=body(made))
        assert json.loads(ended.out) == {
            "online": False,
            "reason": "gap",
            "gap": {
                "start_at": "2026-01-01T12:00:00.000Z",
                "end_at": "2026-01-01T12:01:00.000Z",
                "reason": "clock",
            },
            "deadline": {"at": "2026-01-01T12:12:00.000Z", "rule": "projection"},
            "next_change_at": "2026-01-01T12:08:00.000Z",
        }
        ended = run("explain", "-", "--json", "--at", NOON, stdin=b"")
        unknown = dict.fromkeys(("gap", "deadline", "next_change_at"))
        assert json.loads(ended.out) == {"online": False, "reason": "corrupt", **unknown}
        assert ended.code == 1


class TestBadge:
    def test_a_record_gives_the_badge_of_the_service(self) -> None:
        record = encode_record(snapshot_record())
        ended = run("badge", "-", "--at", NOON, stdin=record)
        assert ended.code == 0
        message = badge.status_text(snapshot())
        assert ended.out.encode() == badge.render("device-status", message, online=True) + b"\n"

    def test_it_is_written_to_a_file(self, tmp_path: Path) -> None:
        path, record = tmp_path / "out.svg", encode_record(snapshot_record())
        ended = run("badge", "-", "--at", NOON + MINUTE_MS, "-o", path, stdin=record)
        assert (ended.code, ended.out) == (0, "")
        assert path.read_bytes() == badge.render("device-status", "offline", online=False)
        nowhere = tmp_path / "none" / "out.svg"
        assert run("badge", "-", "--at", NOON, "-o", nowhere, stdin=record).code == 3


class TestTimeline:
    def test_the_status_at_a_time_is_marked(self, tmp_path: Path) -> None:
        path = tmp_path / "out.svg"
        options = ("--theme", "dark", "-o", path)
        ended = run("timeline", "-", "--at", NOON + DELAY, *options, stdin=body(window()))
        assert (ended.code, ended.out) == (0, "")
        assert path.read_bytes() == lanes(window(), at=NOON, theme="dark")

    def test_it_is_as_wide_as_wanted(self) -> None:
        for width in (WIDTHS[0], WIDTHS[-1]):
            ended = run("timeline", "-", "--width", width, stdin=body(window()))
            assert ended.out.encode() == lanes(window(), width=width) + b"\n"
        assert run("timeline", "-", "--width", WIDTHS[0] - 1, stdin=body(window())).code == 2

    def test_a_snapshot_has_none(self) -> None:
        ended = run("timeline", "-", stdin=body(snapshot()))
        assert ended.code == 1
        assert "only a window has a timeline" in ended.err


class TestCard:
    def test_it_is_that_of_the_record(self) -> None:
        options = ("--at", WINDOW_END, "--theme", "dark", "--name", "Bo")
        ended = run("card", "-", *options, stdin=body(window()))
        drawn = card(window(), at=WINDOW_END, name="Bo", theme="dark")
        assert ended.out.encode() == drawn + b"\n"


class TestOutput:
    HOSTILE = "\x9b31m\u202eevil\ue000"

    def test_nothing_reaches_the_terminal_raw(self) -> None:
        sent = body(snapshot(active_app=self.HOSTILE))
        ended = run("project", "-", "--at", NOON, stdin=sent)
        assert "foreground app: \ufffd31m\ufffdevil\ufffd\n" in ended.out

    def test_json_is_utf_8_whatever_the_terminal_is(self) -> None:
        sent = body(snapshot(active_app="日本語 🎵"))
        env = {"PYTHONIOENCODING": "ascii"}
        ended = run_process("project", "-", "--at", NOON, "--json", stdin=sent, env=env)
        assert json.loads(ended.out)["active_app"] == "日本語 🎵"
        ended = run_process("project", "-", "--at", NOON, stdin=sent, env=env)
        assert "foreground app: \\u65e5\\u672c\\u8a9e \\U0001f3b5\n" in ended.out


def get(url: str, path: str) -> Any:
    answer = ask(url, "GET", path)
    assert answer.status == 200, answer
    return json.loads(answer.body)


SERVE = ("serve", "--port", "0")
URL = r"http://[^ ]+(?=/\n)"


@pytest.mark.check
class TestServe:
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_an_upload_is_served_until_a_signal(
        self, number: signal.Signals, tmp_path: Path
    ) -> None:
        store = f"sqlite:{tmp_path}/status.db"
        with started(*SERVE, "--store", store, env={"STATUS_TTL_SECONDS": "eco"}) as server:
            url = server.wait_for(URL)
            server.wait_for(r"store: SQLite, .*; a snapshot expires after 180 s\n")
            assert get(url, "/api/now") == {"status": "offline"}
            sent = run("agent", "--url", url, "--once")
            assert (sent.code, sent.err) == (0, "")
            assert sent.out.endswith(" accepted\n")
            assert get(url, "/api/now")["status"] == "online"
            for path in ("/", "/api", "/api/badge.svg", "/api/icons", "/app-icons/index.json"):
                assert ask(url, "GET", path).status == 200
            ended = server.stop(number)
        assert (ended.code, ended.err) == (0, "")
        answers: list[Answer] = []
        ended = run_until(
            *(URL, *SERVE, "--store", store),
            then=lambda url: answers.append(ask(url, "GET", "/api/now")),
            env={"STATUS_TTL_SECONDS": "eco", "INGEST_TOKEN": ""},
        )
        assert ended.err.startswith("warning: no ingest token")
        assert [answer.json["status"] for answer in answers] == ["online"]

    def test_a_store_in_redis(self, tmp_path: Path) -> None:
        with redis_server(tmp_path) as redis:
            # The server has no password, and then takes any.
            url = redis.url.replace("redis://", f"redis://:{CANARY}@")
            named = {"STATUS_STORE": f"{url}?socket_timeout=3"}
            with started(*SERVE, env=named) as server:
                server.wait_for(rf"store: Redis, 127.0.0.1:{redis.port}/0; ")
                base = server.wait_for(URL)
                assert run("agent", "--url", base, "--once").code == 0
                assert get(base, "/api/now")["status"] == "online"
                redis.stop()
                assert ask(base, "GET", "/api/now").status == 503
                ended = server.stop(signal.SIGINT)
        assert (ended.code, ended.err) == (0, "ReadStore failed: ConnectionError\n")
        with started(*SERVE, env=named) as server:
            server.wait_for(URL)
            ended = server.stop(signal.SIGINT)
        assert ended.code == 0
        assert ended.err == (
            f"warning: the store in Redis, 127.0.0.1:{redis.port}/0, cannot be read"
            " (ConnectionError): check --store, and that its server runs; until then requests get"
            " 503\n"
        )

    @pytest.mark.parametrize(
        ("code", "arguments", "message"),
        [
            (3, ["--store", "sqlite:/no/such/folder/x.db"], "cannot open the store"),
            (3, ["--store", f"sqlite:{__file__}"], "is damaged, or not a database"),
            (3, ["--host", "192.0.2.1"], "cannot listen on port"),
            (3, ["--host", "no..name"], "'no..name' is not a host name"),
            (3, ["--token-file", "/no/such/file"], "cannot read"),
            *(
                (2, ["--store", store], "--store: .*redis://HOST:PORT/DB")
                for store in ("x", "sqlite:", "http://x", "redis://x:port")
            ),
            (2, ["--store", "redis://x?socket_timeout=soon"], "--store: .*redis://HOST:PORT/DB"),
        ],
    )
    def test_an_unavailable_resource_is_3_and_an_invalid_store_is_2(
        self, code: int, arguments: list[str], message: str
    ) -> None:
        ended = run(*SERVE, "--store", "memory:", *arguments)
        assert (ended.code, ended.out) == (code, "")
        assert re.search(message, ended.err, re.DOTALL)

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("INGEST_TOKEN", "short-canary"),
            ("INGEST_TOKEN", "a " * 32),
            ("STATUS_TTL_SECONDS", "5"),
        ],
    )
    def test_invalid_settings_are_wrong_usage(self, name: str, value: str) -> None:
        ended = run(*SERVE, "--store", "memory:", env={name: value})
        assert ended.code == 2
        assert value not in ended.err


@pytest.mark.check
class TestAgent:
    def test_it_goes_on_until_a_signal_ends_it(self) -> None:
        accepted = ACCEPTED.replace(b"00:01:00", b"00:03:00")  # under eco
        with service((200, accepted)) as (url, requests):
            with started("agent", "--url", url, "--mode", "eco") as agent:
                agent.wait_for("accepted; next in 120 s")
                ended = agent.stop(signal.SIGINT)
            assert len(requests) == 1
        assert (ended.code, ended.err) == (0, "")
        lines = ended.out.splitlines()
        assert lines[0] == f"every 120 s to {url}/api/update"
        members = [line.partition(":")[0] for line in lines[1:6]]
        assert members == ["apps", "running_apps", "music", "battery", "system"]

    def test_a_lifetime_shorter_than_the_interval_is_reported(self) -> None:
        with service((200, ACCEPTED)) as (url, _):
            ended = run_until(
                "a snapshot expires after 60 s, and the next one follows after 120 s",
                *("agent", "--url", url, "--mode", "eco"),
            )
        assert ended.code == 0
        assert "STATUS_TTL_SECONDS=eco" in ended.err

    @pytest.mark.parametrize(
        ("status", "answer", "code"),
        [(400, b'{"error":"invalid_payload"}', 1), (503, b'{"error":"service_unavailable"}', 3)],
    )
    def test_once_returns_the_result_as_exit_code(
        self, status: int, answer: bytes, code: int
    ) -> None:
        with service((status, answer)) as (url, requests):
            ended = run("agent", "--url", url, "--once")
        assert ended.code == code
        assert len(ended.err.splitlines()) == 1
        assert len(requests) == 1

    @pytest.mark.parametrize("token", ["", "short", "a b" * 20, "\x01" * 64, "\udcff" * 64])
    def test_without_a_usable_token_it_is_2(self, token: str) -> None:
        ended = run("agent", "--url", "https://status.example", env={"INGEST_TOKEN": token})
        assert ended.code == 2
        assert "ingest token" in ended.err


class TestExtras:
    @pytest.mark.parametrize(
        ("package", "arguments", "extra"),
        [
            ("uvicorn", ["serve"], "serve"),
            ("redis", ["serve", "--port", "0", "--store", "redis://x"], "redis"),
        ],
    )
    def test_a_missing_package_is_reported_with_its_extra(
        self, package: str, arguments: list[str], extra: str
    ) -> None:
        program = (
            f"import sys; sys.modules[{package!r}] = None\n"
            "from devicestatus.cli.main import main\n"
            f"sys.exit(main({arguments!r}))"
        )
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 3
        needs = f"    pip install 'status-contracts[{extra}]'\n"
        assert done.stderr == f"devicestatus: {package} is not installed:\n{needs}"
