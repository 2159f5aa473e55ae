"""The agents of the examples: real HTTP on both sides, and a Home Assistant that a test scripts."""

import asyncio
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, ClassVar

import attrs
import pytest
from agents import home_assistant, own_agent

from devicestatus.adapters.agent import BufferedAgent, Listener
from devicestatus.adapters.application import asgi_app
from devicestatus.adapters.memory import MemoryStore
from devicestatus.adapters.upload_client import Destination, UploadReport
from devicestatus.agent.delivery import Decision
from devicestatus.settings import Settings
from support.servers.commands import CANARY
from support.servers.servers import ask, serve_asgi, serve_handler

HASS_TOKEN = "a long-lived access token"


@attrs.define
class Once(Listener):
    """Listener that ends the agent with its first upload."""

    decisions: list[Decision] = attrs.field(factory=list)

    def on_upload(self, report: UploadReport, wait_ms: int | None) -> None:
        """Note the upload."""
        super().on_upload(report, wait_ms)
        self.decisions.append(report.decision)


def first_window(agent: BufferedAgent) -> list[Decision]:
    """Run an agent until its first upload ended."""
    listener = Once()
    agent.listener = listener

    async def pause(_: float) -> None:
        await asyncio.sleep(0.01)
        if listener.decisions:
            raise asyncio.CancelledError

    agent.sleep = pause
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(agent.run())
    return listener.decisions


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("INGEST_TOKEN", CANARY)
    with serve_asgi(asgi_app(Settings(CANARY), store=MemoryStore())) as url:
        yield url


class TestOwnAgent:
    def test_it_sends_what_the_file_says_and_goes_on_after_a_restart(
        self, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("now.txt").write_text(" Editor\n")
        (decision,) = first_window(own_agent.agent(url))
        assert decision.action == "accepted"
        first = ask(url, "GET", "/api/timeline").json["window"]
        assert first["baseline"]["active_app"] == "Editor"
        Path("now.txt").write_text("Diary")
        first_window(own_agent.agent(url))
        second = ask(url, "GET", "/api/timeline").json["window"]
        assert second["session_id"] == first["session_id"]
        assert second["events"][-1]["changes"]["active_app"] == "System"
        assert [gap["reason"] for gap in second["gaps"]] == ["restart"]


class HomeAssistant(BaseHTTPRequestHandler):
    """The part of the REST API that returns the state of one entity."""

    entities: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {}

    def do_GET(self) -> None:
        """Answer as Home Assistant does."""
        entity_id = self.path.removeprefix("/api/states/")
        if self.headers["Authorization"] != f"Bearer {HASS_TOKEN}":
            self.answer(401, {"message": "401: Unauthorized"})
        elif entity_id not in self.entities:
            self.answer(404, {"message": "Entity not found."})
        else:
            state, about = self.entities[entity_id]
            self.answer(200, {"entity_id": entity_id, "state": state, "attributes": about})

    def answer(self, status: int, value: object) -> None:
        """Write a JSON response."""
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def hass() -> Iterator[str]:
    song = {"media_title": "Song\n", "media_artist": "Band"}
    HomeAssistant.entities.update(
        {
            "input_select.activity": ("Cooking", {}),
            "media_player.living_room": ("playing", song),
            "sensor.tablet_battery_level": ("81.6", {}),
            "binary_sensor.tablet_is_charging": ("on", {}),
        }
    )
    with serve_handler(HomeAssistant) as url:
        yield url


class TestHomeAssistant:
    def test_its_entities_are_the_state_of_the_home(self, url: str, hass: str) -> None:
        destination = Destination.from_url(url, CANARY, upload="window")
        home = home_assistant.home(hass, HASS_TOKEN)
        (decision,) = first_window(BufferedAgent(home.sample, destination))
        home.client.close()
        assert decision.action == "accepted"
        sent = ask(url, "GET", "/api/timeline").json["window"]["baseline"]
        assert sent["active_app"] == "Cooking"
        assert sent["battery"] == {"percent": 82, "charging": True, "power_source": "unknown"}
        assert sent["music"] == {"state": "playing", "track": "Song", "artist": "Band"}

    def test_what_it_does_not_know_is_not_known(self, hass: str) -> None:
        for name in HomeAssistant.entities:
            HomeAssistant.entities[name] = ("unavailable", {})
        home = home_assistant.home(hass, HASS_TOKEN)
        found = home.sample(0, None)
        again = home.sample(1, found)
        home.client.close()
        assert (found.active_app, found.battery.percent, found.battery.charging) == (None,) * 3
        assert found.music.state == "unavailable"
        assert again.battery is found.battery

    def test_a_wrong_token_is_an_error(self, hass: str) -> None:
        home = home_assistant.home(hass, "wrong")
        with pytest.raises(Exception, match="401"):
            home.sample(0, None)
        home.client.close()
