"""Send what Python can read here: `python own_agent.py https://status.example.org`."""

import asyncio
import logging
import os
import sys
from pathlib import Path

from devicestatus import Battery, Music, PrivacyRules, Snapshot, System
from devicestatus.adapters.agent import BufferedAgent
from devicestatus.adapters.checkpoint_file import CheckpointFile
from devicestatus.adapters.upload_client import Destination
from devicestatus.agent.cleaning import clean_app_name


def sample(collected_at: int, metrics: Snapshot | None) -> Snapshot:
    """Return the present state; battery and load of `metrics` are recent, if it is given."""
    return Snapshot(
        collected_at=collected_at,
        active_app=clean_app_name(Path("now.txt").read_text("utf-8")),
        battery=Battery(percent=None, charging=None, power_source="unknown"),
        system=System(*os.getloadavg()) if metrics is None else metrics.system,
        music=Music(state="stopped", track=None, artist=None),
    )


def agent(url: str) -> BufferedAgent:
    """Return an agent that goes on where the last one ended."""
    destination = Destination.from_url(url, os.environ["INGEST_TOKEN"], upload="window")
    rules = PrivacyRules(names=["Diary"])
    return BufferedAgent(sample, destination, rules, checkpoints=CheckpointFile(Path("agent.json")))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    sys.exit(asyncio.run(agent(sys.argv[1]).run()).message)
