"""`devicestatus agent --mode buffered`: a real process against a real server, and its messages."""

import json
import signal
import stat
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest

from devicestatus.adapters.application import asgi_app
from devicestatus.adapters.memory import MemoryStore
from devicestatus.cli.main import main
from devicestatus.models import Music
from devicestatus.parsing import check_window
from devicestatus.settings import Settings
from status_agent.capture.capture import Capture
from status_agent.capture.sources import PlayerMusic, Presence, Presences
from status_agent.cli import LoggedCapture
from status_contracts.instants import MINUTE_MS, SECOND_MS, parse_utc
from support.servers.commands import CANARY, run, run_until, started
from support.servers.servers import ask, serve_asgi

pytestmark = pytest.mark.check

SERVE = ("serve", "--port", "0", "--store", "memory:")
URL = r"http://[^ ]+(?=/\n)"
BUFFERED = ("agent", "--mode", "buffered", "--url")


def window_at(url: str) -> Any:
    """Return the window that a service has."""
    return ask(url, "GET", "/api/timeline").json["window"]


def rules_file(folder: Path, *lines: str) -> tuple[str, str]:
    """Return the options for a settings file with privacy rules."""
    path = folder / "agent.toml"
    path.write_text("\n".join(["[privacy]", *lines]))
    return ("--config", str(path))


class TestProcess:
    def test_it_uploads_at_once_and_goes_on_after_a_kill_with_a_gap(self, tmp_path: Path) -> None:
        place = tmp_path / "state" / "agent.json"
        with started(*SERVE) as server:
            url = server.wait_for(URL)
            arguments = (*BUFFERED, url, "--checkpoint", place)
            with started(*arguments) as agent:
                agent.wait_for("accepted; next in 300 s")
                first = window_at(url)
                agent.process.send_signal(signal.SIGKILL)
                assert agent.wait().code == -signal.SIGKILL
            kept = json.loads(place.read_bytes())
            assert (kept["session_id"], kept["batch_seq"]) == (first["session_id"], 1)
            with started(*arguments) as agent:
                agent.wait_for("accepted; next in 300 s")
                second = window_at(url)
                ended = agent.stop(signal.SIGTERM)
        assert (ended.code, ended.err) == (0, "")
        assert first["window_start"] == first["window_end"]
        assert not first["gaps"]
        assert second["session_id"] == first["session_id"]
        assert second["batch_seq"] == 2
        (gap,) = second["gaps"]
        assert gap["reason"] == "restart"
        assert first["window_end"] <= gap["start_at"] < gap["end_at"] <= second["window_end"]
        assert parse_utc(second["window_end"]) - parse_utc(first["window_end"]) < 60 * SECOND_MS
        for window in (first, second):
            assert not check_window(window, received_at=parse_utc(window["generated_at"]))
        assert place.stat().st_mode & 0o777 == 0o600
        kept = json.loads(place.read_bytes())
        assert kept["batch_seq"] == 2
        assert kept["window"]["window_end"] >= second["window_end"]

    def test_a_second_one_with_its_checkpoint_says_so_and_ends(self, tmp_path: Path) -> None:
        """The first goes on; the file is free when it ends, also when it is killed."""
        place = tmp_path / "agent.json"
        with started(*SERVE) as server:
            arguments = (*BUFFERED, server.wait_for(URL), "--checkpoint", place)
            for number in (signal.SIGTERM, signal.SIGKILL):
                with started(*arguments) as agent:
                    agent.wait_for("accepted; next in 300 s")
                    second = run(*arguments)
                    assert (second.code, second.out) == (1, "")
                    assert second.err == (
                        f"devicestatus: {place}: another agent uses this checkpoint: stop it, or"
                        " give each a file\n"
                    )
                    agent.process.send_signal(number)
                    agent.wait()


class TestInProcess:
    """The same command in the process of the test, against a service in another thread."""

    @pytest.fixture
    def url(self) -> Iterator[str]:
        with serve_asgi(asgi_app(Settings(CANARY), store=MemoryStore())) as url:
            yield url

    def test_it_prints_target_and_sources(self, url: str, tmp_path: Path) -> None:
        ended = run_until(
            "accepted; next in 300 s", *BUFFERED, url, "--checkpoint", tmp_path / "agent.json"
        )
        assert (ended.code, ended.err) == (0, "")
        lines = ended.out.splitlines()
        assert lines[0] == f"a sample every 2 s, a window every 300 s to {url}/api/batch"
        assert [line.partition(":")[0] for line in lines[1:8]] == [
            "apps", "running_apps", "music", "battery", "system", "locked", "settings",
        ]  # fmt: skip
        assert len(lines) == 9

    def test_the_default_checkpoint_is_in_the_state_folder_of_the_user(
        self, url: str, tmp_path: Path
    ) -> None:
        run_until("accepted", *BUFFERED, url, env={"XDG_STATE_HOME": str(tmp_path)})
        folder = tmp_path / "status-contracts"
        names = sorted(path.name for path in folder.iterdir())
        assert names == ["agent.json", "agent.json.lock"]
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((folder / "agent.json").stat().st_mode) == 0o600


class TestUsage:
    @pytest.fixture(autouse=True)
    def _token(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("INGEST_TOKEN", CANARY)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--mode", "buffered", "--once"], "--once sends one snapshot"),
            (["--mode", "buffered", "--once", "--dry-run"], "--once sends one snapshot"),
            (["--checkpoint", "x"], "--checkpoint is for --mode buffered"),
            (["--mode", "buffered"], "no service: give --url URL"),
            (["--mode", "buffered", "--url", "http://status.example"], "unencrypted"),
        ],
    )
    def test_wrong_usage_is_2(
        self, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["agent", *arguments]) == 2
        assert message in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("name", "code", "message"),
        [
            ("", 1, ""),
            (".", 1, ""),
            ("file/agent.json", 3, "cannot read file/agent.json: Not a directory"),
        ],
    )
    def test_a_path_that_is_no_file_is_no_checkpoint(
        self,
        name: str,
        code: int,
        message: str,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("file").write_bytes(b"")
        arguments = ["agent", "--mode", "buffered", "--url", "https://status.example"]
        assert main([*arguments, "--checkpoint", name]) == code
        assert message in capsys.readouterr().err


@attrs.frozen
class Apps:
    """A desktop with two private apps."""

    def active_app(self) -> str:
        return "Canary Diary"

    def running_apps(self) -> tuple[str, ...]:
        return ("Canary Diary", "canary vault", "Cannery", "Editor")

    def close(self) -> None:
        """Hold nothing."""


class Songs:
    """A player with a name that tests look for."""

    def music(self) -> PlayerMusic:
        return PlayerMusic(Music("playing", "Secret Song", None), ("Cannery",))

    def close(self) -> None:
        """Hold nothing."""


UNSEEN = "locked: apps are sent while the screen is locked"
REMEDY = "open the app and repeat the dry run, or give the name that the dry run prints for it"


class Locked:
    """A screen that is locked."""

    def presence(self, idle_ms: int) -> Presence:
        return Presence(is_locked=True, is_idle=idle_ms == 0)

    def close(self) -> None:
        """Hold nothing."""


def use(patch: pytest.MonkeyPatch, **sources: Any) -> None:
    """Have the command capture from the two apps and other sources."""
    made = partial(Capture, apps=Apps(), **sources)
    patch.setattr(Capture, "for_this_machine", lambda rules, _: made(rules=rules))


class TestDryRun:
    @pytest.mark.parametrize("mode", ["realtime", "buffered"])
    def test_it_reports_which_rule_hides_what_without_names(
        self,
        mode: str,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        use(monkeypatch, music=Songs())
        hiding = rules_file(tmp_path, 'hide = ["*diary", "can*"]', "battery = false")
        assert main(["agent", "--dry-run", "--mode", mode, *hiding]) == 0
        shown = capsys.readouterr()
        lines = shown.out.splitlines()
        assert lines[1:3] == ["foreground app: System", "running: Editor, System"]
        assert "music: unavailable" in lines
        *sources, locked = shown.err.splitlines()[:-4]
        if mode == "buffered":
            assert sources.pop(0).startswith("buffered: such a sample every 2 s, sent in")
        assert sources[:2] == ["", "where it comes from, and what is withheld:"]
        assert "battery: switched off" in sources
        assert "system: no source" in sources
        assert locked.startswith(UNSEEN)
        assert shown.err.splitlines()[-4:] == [
            'foreground app: reported as System, because of hide "*diary"',
            'running: reported as System, because of hide "*diary"',
            'running: 2 names reported as System, because of hide "can*"',
            'music: not reported, because of hide "can*" for its player',
        ]
        assert "secret" not in shown.out.casefold()
        for name in ("canary", "vault", "cannery", "secret"):
            assert name not in (shown.out + shown.err).casefold()

    def test_each_kind_of_rule_is_reported_by_its_setting(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        use(monkeypatch)
        lines = [
            'hide = ["Canary\u200b  DIARY"]',
            'show_only = ["Cannery", "Gone"]',
            'replace = { "*nn*" = "Can" }',
        ]
        options = ["agent", "--dry-run", *rules_file(tmp_path, *lines)]
        assert main(options) == 0
        shown = capsys.readouterr()
        assert "running: Can, System" in shown.out.splitlines()
        assert shown.err.splitlines()[-5:] == [
            'foreground app: reported as System, because of hide "canary diary"',
            'running: reported as System, because of hide "canary diary"',
            "running: 2 names reported as System, because of show_only",
            'running: replaced, because of replace "*nn*"',
            f'show_only "gone" matches nothing: {REMEDY}',
        ]
        use(monkeypatch, presence=Presences({"screen": Locked()}))
        assert main(options) == 0
        shown = capsys.readouterr()
        assert "foreground app: unknown" in shown.out.splitlines()
        assert "private: the screen is locked, so no apps are sent" in shown.err
        assert UNSEEN not in shown.err
        assert main([*options, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["private"], found["locks"]) == (True, ["screen"])


class TestLoggedCapture:
    def test_lock_and_idle_are_reported_when_they_change(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        @attrs.define
        class Screen(Locked):
            now: Presence = attrs.field(factory=Presence)

            def presence(self, _idle_ms: int) -> Presence:
                return self.now

        screen = Screen()
        capture = Capture(presence=Presences({"screen": screen}), idle_ms=5 * MINUTE_MS)
        log = LoggedCapture(capture)
        for is_locked, is_idle in [
            (None, None),
            (False, False),
            (False, True),
            (True, True),
            (None, None),
            (True, True),
            (False, False),
        ]:
            screen.now = Presence(is_locked=is_locked, is_idle=is_idle)
            log.take(0, None)
        lines = [line.partition(" ")[2] for line in capsys.readouterr().out.splitlines()]
        assert lines == [
            "idle: no input for 5 minutes, so no apps are sent",
            "the screen is locked",
            "the screen is unlocked",
            "in use again",
        ]
