"""The settings file of an agent: its content, its problems with their lines, its place."""

import re
import stat
from pathlib import Path
from typing import Any

import pytest

from devicestatus.agent.privacy import PrivacyRules, Switches
from status_agent.capture.music import Wishes
from status_agent.settings import AgentSettings, default_path, load_agent_settings, write_template
from status_contracts.instants import MINUTE_MS
from status_contracts.structuring.decoder import SettingsError
from support.servers.commands import run

WHOLE = """\
url = "https://status.example.org"
token_file = "token"
device = "laptop"
mode = "eco"
insecure = true
checkpoint = "/var/agent.json"

[privacy]
hide = ["Signal", "*bank*"]
show_only = ["Mail"]
replace = { "*Firefox*" = "Browser" }
music = false
hide_after_idle_minutes = 2

[music]
players = ["Spotify", "*mpd*"]
ignore = ["firefox"]
"""


def load(folder: Path, text: str | bytes) -> AgentSettings:
    path = folder / "agent.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_agent_settings(path)


class TestLoad:
    def test_all_settings_are_read(self, tmp_path: Path) -> None:
        assert load(tmp_path, WHOLE) == AgentSettings(
            url="https://status.example.org",
            token_file=tmp_path / "token",
            device="laptop",
            mode="eco",
            insecure=True,
            checkpoint=Path("/var/agent.json"),
            idle_ms=2 * MINUTE_MS,
            rules=PrivacyRules(
                names=["Signal", "*bank*"],
                only=["Mail"],
                replace={"*Firefox*": "Browser"},
                switches=Switches(music=False),
            ),
            wishes=Wishes(("Spotify", "*mpd*"), ("firefox",)),
        )

    @pytest.mark.parametrize(
        ("url", "device", "whole"),
        [
            ("https://a.example/", "b", "https://a.example/b"),
            ("https://a.example", None, "https://a.example"),
            (None, "b", None),
        ],
    )
    def test_the_device_is_a_part_of_the_url(
        self, url: str | None, device: str | None, whole: str | None
    ) -> None:
        assert AgentSettings(url=url, device=device).service_url == whole


class TestProblems:
    def test_all_are_reported_with_key_and_line(self, tmp_path: Path) -> None:
        text = """\
urll = "x"
token = "canary"
mode = "often"
device = "a/b"

[privacy]
hide = [
  "ok",
  "",
  " ",
]
replace = { "Fire Fox" = "", " " = "a" }
foo = 1
hide_after_idle_minutes = "3"

[music]
ignore = [" "]
"""
        with pytest.raises(SettingsError) as raised:
            load(tmp_path, text)
        assert {
            (each.path, each.rule, each.message.partition(":")[0]) for each in raised.value.findings
        } == {
            ("/urll", "unknown", "line 1"),
            ("/token", "unknown", "line 2"),
            ("/mode", "constant", "line 3"),
            ("/device", "agent.device", "line 4"),
            ("/privacy/hide/1", "agent.app", "line 7"),
            ("/privacy/hide/2", "agent.app", "line 7"),
            ("/privacy/replace/Fire Fox", "text.length", "line 12"),
            ("/privacy/replace/ ", "agent.app", "line 12"),
            ("/privacy/foo", "unknown", "line 13"),
            ("/privacy/hide_after_idle_minutes", "type", "line 14"),
            ("/music/ignore/0", "agent.app", "line 17"),
        }
        messages = [finding.message for finding in raised.value.findings]
        assert "canary" not in repr(raised.value)
        assert messages[0] == "line 1: is not a setting; did you mean url?"
        assert messages[2] == "line 3: must be one of: realtime, eco, buffered"

    @pytest.mark.parametrize(
        ("text", "path", "rule"),
        [
            (b"\xff", "", "config.toml"),
            ("privacy = 1", "/privacy", "type"),
            ("[privacy]\nhide = ['A']\nreplace = { B = 'a' }", "/privacy/replace", "agent.rules"),
            ("#\n" * 300 + "foo = 1", "/foo", "unknown"),
        ],
    )
    def test_each_names_its_key(
        self, text: str | bytes, path: str, rule: str, tmp_path: Path
    ) -> None:
        with pytest.raises(SettingsError) as raised:
            load(tmp_path, text)
        assert [(each.path, each.rule) for each in raised.value.findings] == [(path, rule)]

    def test_a_file_that_is_too_long_cannot_be_read(self, tmp_path: Path) -> None:
        with pytest.raises(OSError, match="more than 65536 bytes"):
            load(tmp_path, "#" * 65_537)


class TestInit:
    def test_the_template_is_private_and_has_the_defaults(self, tmp_path: Path) -> None:
        path = tmp_path / "new" / "agent.toml"
        write_template(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert load_agent_settings(path) == AgentSettings()

    def test_each_commented_setting_is_one(self, tmp_path: Path) -> None:
        path = tmp_path / "agent.toml"
        write_template(path)
        settings = load(tmp_path, re.sub(r"(?m)^#(?=[a-z].*=)", "", path.read_text()))
        assert settings.service_url == "https://status.example.org/laptop"
        assert settings.rules != PrivacyRules()

    def test_the_command_writes_it_once(self, tmp_path: Path) -> None:
        path = tmp_path / "agent.toml"
        written = run("agent", "--init", "--config", path)
        assert written.code == 0
        assert f"agent --config {path} --dry-run" in written.out
        again = run("agent", "--init", "--config", path)
        assert (again.code, "is there already" in again.err) == (1, True)
        (tmp_path / "file").touch()
        refused = run("agent", "--init", "--config", tmp_path / "file" / "agent.toml")
        assert (refused.code, "cannot write" in refused.err) == (3, True)

    def test_the_usual_place_is_that_of_the_user(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_CONFIG_HOME", "/home/ada/.config")
        assert default_path() == Path("/home/ada/.config/status-contracts/agent.toml")


class TestCommand:
    @pytest.fixture
    def config(self, tmp_path: Path) -> Any:
        def write(text: str) -> tuple[str, ...]:
            path = tmp_path / "agent.toml"
            path.write_text(text)
            return ("--config", str(path))

        return write

    def test_problems_are_wrong_usage(self, config: Any, tmp_path: Path) -> None:
        ended = run("agent", "--once", *config("mode = 1\nurl = 2"))
        assert ended.code == 2
        for place in ("1 /mode", "2 /url"):
            assert f"{tmp_path / 'agent.toml'}:{place}: must be " in ended.err

    def test_options_come_first(self, config: Any, tmp_path: Path) -> None:
        options = config('url = "https://status.example"\ntoken_file = "none"\ndevice = "a"')
        ended = run("agent", "--once", *options)
        assert (ended.code, f"cannot read {tmp_path / 'none'}" in ended.err) == (3, True)
        ended = run("agent", "--once", *options, "--token-file", tmp_path / "other")
        assert f"cannot read {tmp_path / 'other'}" in ended.err
        ended = run("agent", "--once", *options, "--device", "../a")
        assert (ended.code, "--device: '../a' must have 1 to 63 " in ended.err) == (2, True)
