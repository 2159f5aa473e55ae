"""Publish what a Home Assistant knows of an activity, music and a battery.

HASS_URL=http://homeassistant.local:8123 python home_assistant.py https://status.example.org

HASS_TOKEN is a long-lived access token of your profile there, INGEST_TOKEN that of the service.
Name your entities in `Home`; nothing else is read.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Mapping
from typing import Any, Final

import attrs
import httpx2

from devicestatus import Battery, Music, Snapshot, System
from devicestatus.adapters.agent import BufferedAgent
from devicestatus.adapters.upload_client import Destination
from devicestatus.agent.cleaning import clean_app_name, clean_number, clean_title
from devicestatus.models import MusicState

STATES: Final[Mapping[str, MusicState]] = {
    "playing": "playing",
    "paused": "paused",
    **dict.fromkeys(("off", "idle", "standby", "on"), "stopped"),
}
"""State of a media player to that of the music; others, such as `unavailable`, are unknown."""
UNKNOWN: Final = {"unknown", "unavailable"}


@attrs.define
class Home:
    """The entities of one Home Assistant that are published."""

    client: httpx2.Client
    activity: str = "input_select.activity"
    player: str = "media_player.living_room"
    level: str = "sensor.tablet_battery_level"
    charger: str = "binary_sensor.tablet_is_charging"

    def sample(self, collected_at: int, metrics: Snapshot | None) -> Snapshot:
        """Return the state of the home; where Home Assistant does not answer, it is unknown."""
        activity, player = self.entity(self.activity), self.entity(self.player)
        about = player["attributes"]
        return Snapshot(
            collected_at=collected_at,
            active_app=None if activity["state"] in UNKNOWN else clean_app_name(activity["state"]),
            battery=self.battery() if metrics is None else metrics.battery,
            system=System(load_1m=None, load_5m=None, load_15m=None),
            music=Music(
                state=STATES.get(player["state"], "unavailable"),
                track=clean_title(about.get("media_title")),
                artist=clean_title(about.get("media_artist")),
            ),
        )

    def battery(self) -> Battery:
        """Return the battery of the tablet."""
        text = self.entity(self.level)["state"]
        percent = None if text in UNKNOWN else clean_number(float(text), 100, digits=0)
        charging = {"on": True, "off": False}.get(self.entity(self.charger)["state"])
        return Battery(percent=percent, charging=charging, power_source="unknown")

    def entity(self, entity_id: str) -> dict[str, Any]:
        """Return one entity; after an error there is no sample, and its type is logged."""
        answer = self.client.get(f"/api/states/{entity_id}")
        answer.raise_for_status()
        found: dict[str, Any] = answer.json()
        return found


def home(url: str, token: str) -> Home:
    """Return a home of which each answer takes at most two seconds."""
    headers = {"Authorization": f"Bearer {token}"}
    return Home(httpx2.Client(base_url=url, headers=headers, timeout=2))


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    read = home(os.environ["HASS_URL"], os.environ["HASS_TOKEN"]).sample
    to = Destination.from_url(sys.argv[1], os.environ["INGEST_TOKEN"], upload="window")
    sys.exit(asyncio.run(BufferedAgent(read, to).run()).message)
