"""All topics of the vectors, and the list of frozen cases."""

import json
from pathlib import Path
from typing import Final

from support.vectors import (
    device_bodies,
    device_scenarios,
    device_shown,
    device_times,
    health,
    site,
)
from support.vectors.topics import FOLDER, SUITE, Json, Topic, digest, file_of, text_of

__all__ = ["FROZEN", "TOPICS", "failures_of", "frozen_text", "texts"]

TOPICS: Final[tuple[Topic, ...]] = (
    device_bodies.PARSING,
    device_times.LIFETIMES,
    device_times.DEADLINES,
    device_times.PROJECTION,
    device_times.RECORDS,
    device_times.VIEWS,
    device_shown.BADGES,
    device_shown.ICONS,
    device_shown.MANIFESTS,
    device_shown.CONDITIONAL,
    device_scenarios.PLAYBACK,
    device_scenarios.RECORDER,
    device_scenarios.DELIVERY,
    health.ROWS,
    health.NIGHTS,
    health.DAYS,
    health.PERIODS,
    health.CARDS,
    health.QUERIES,
    health.REDACTION,
    site.FILES,
    site.ORDER,
    site.CALENDAR,
    site.CACHE,
)
FROZEN: Final = FOLDER / "frozen"
"""One file for each version of the suite, with the cases that belong to it for good."""


def texts() -> dict[Path, str]:
    """Return the text of every file of vectors, from the case lists and the engine."""
    return {topic.path: text_of(file_of(topic)) for topic in TOPICS}


def failures_of(topic: Topic, rules: str = "") -> list[str]:
    """Return the ids of the cases of a topic's file in which the engine's result is another.

    Args:
        topic: the topic.
        rules: only cases of a rule whose id begins with this; there is at least one.

    """
    content = json.loads(topic.path.read_text("utf-8"))
    chosen = [
        case for case in content["cases"] if any(name.startswith(rules) for name in case["rules"])
    ]
    assert chosen, f"{topic.name} has no case of {rules}"
    return [
        case["id"]
        for case in chosen
        if json.loads(json.dumps(topic.run(case["input"]))) != case["expected"]
    ]


def frozen_text(files: dict[Path, str]) -> str:
    """Return the list of the cases of this version: their ids, each with a digest of its meaning.

    Args:
        files: the result of `texts`.

    """
    cases: Json = {}
    for text in files.values():
        content = json.loads(text)
        for case in content["cases"]:
            cases[f"{content['product']}/{content['topic']}/{case['id']}"] = digest(case)
    return json.dumps({"suite": SUITE, "cases": cases}, indent=1) + "\n"
