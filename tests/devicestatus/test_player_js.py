"""The home page's player under Node, compared with the vectors and the Python player."""

import json
import random
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, get_args

import pytest

from devicestatus.models import GapReason
from devicestatus.player import RefusalReason
from devicestatus.projection import NoDataReason
from support.servers.node import run_node
from support.vectors.cases import Json, cases_of, played_steps, response_texts
from support.vectors.device import played as played_here

pytestmark = pytest.mark.check

RUNNER = Path(__file__).parents[1] / "player_runner.cjs"
PLAYER = files("devicestatus") / "page_files" / "player.js"
CASES = cases_of("devicestatus/playback")
NONSENSE: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1.5, 1e300, 2**53, "x", [], {}, [None], {"x": 1}),
    *("2026-01-01T12:00:00.000Z", "2026-02-30T12:00:00.000Z", "2026-01-01T24:00:00.000Z"),
    *("2026-01-01T12:00:00Z", "2026-01-01t12:00:00.000z", "20260101T120000Z"),
)
RANDOM_COUNT = 300


def played(scenarios: list[list[Json]]) -> list[list[Any]]:
    """Return the result of each step of scenarios in the player of the page."""
    found: list[list[Any]] = json.loads(run_node(RUNNER, PLAYER, stdin=json.dumps(scenarios)))
    return found


def broken(text: str, draw: random.Random) -> str:
    """Return a response with a member that is gone, another or unknown, at any depth."""
    value = place = json.loads(text)
    key: Any = draw.choice(list(place))
    while isinstance(place[key], dict | list) and place[key] and draw.random() < 0.8:
        place = place[key]
        key = draw.choice(list(place) if isinstance(place, dict) else range(len(place)))
    match draw.randrange(3):
        case 0:
            del place[key]
        case 1 if not str(key).endswith("_url"):
            place[key] = draw.choice(NONSENSE)
        case _ if isinstance(place, dict):
            place["of_a_later_version"] = draw.choice(NONSENSE)
    return json.dumps(value)


def drawn(seed: int) -> list[Json]:
    """Return responses of one case in another order, some of them broken, and views."""
    draw, clock = random.Random(seed), 0  # noqa: S311 - the same each time
    responses = draw.choice(CASES)["input"]["responses"]
    texts = [text for text in response_texts(responses).values() if len(text) < 10_000]
    steps: list[Json] = []
    for _ in range(draw.randrange(4, 14)):
        clock += draw.choice((0, 1_000, 60_000, 300_000, 900_000))
        text = draw.choice(texts)
        if text.startswith('{"') and draw.random() < 0.3:
            text = broken(text, draw)
        steps.append({"accept": text, "at": clock - draw.choice((0, 0, 0, 30_000))})
        steps += [{"view": clock + after} for after in draw.sample((-1, 1, 9_999, 420_000), 2)]
    return steps


class TestPort:
    """The player of the page returns what the Python player returns, and changes no state."""

    def test_the_vectors_play_the_same(self) -> None:
        results = played([played_steps(case["input"]) for case in CASES])
        failures = [
            (case["id"], number)
            for case, found in zip(CASES, results, strict=True)
            for number, (one, stated) in enumerate(
                zip(found, case["expected"]["results"], strict=True)
            )
            if without_nulls(one) != stated
        ]
        assert failures == []

    def test_random_stories_play_the_same(self) -> None:
        stories = [drawn(seed) for seed in range(RANDOM_COUNT)]
        failures = [
            (seed, number)
            for seed, (story, results) in enumerate(zip(stories, played(stories), strict=True))
            for number, (one, other) in enumerate(zip(results, played_here(story), strict=True))
            if without_nulls(one) != json.loads(json.dumps(other))
        ]
        assert failures == []


def without_nulls(result: Any) -> Any:
    """Return a view without the members that are null."""
    if isinstance(result, list):
        return result
    return {name: value for name, value in result.items() if value is not None}


class TestScenarios:
    """The scenarios reach every state, so that the comparison is meaningful."""

    def test_every_refusal_and_every_reason_is_met(self) -> None:
        results = [result for case in CASES for result in case["expected"]["results"]]
        refused = {result["refused"] for result in results if "refused" in result}
        reasons = {result.get("reason") for result in results if "state" in result}
        literal, rest = get_args(RefusalReason)
        assert refused == {*get_args(literal), *get_args(rest)}
        assert reasons == {None, *get_args(GapReason), *get_args(NoDataReason)} - {"gap"}


class TestFile:
    def test_it_is_a_script_for_pages_too_and_defines_one_name(self) -> None:
        """In a page there is no `module`, and no other name is defined."""
        program = (
            "const vm = require('vm'); const place = vm.createContext({});"
            "const text = require('fs').readFileSync(0, 'utf8');"
            "vm.runInContext(text + ';globalThis.found = typeof player.accept', place);"
            "process.stdout.write(Object.keys(place).join() + place.found)"
        )
        found = run_node("-e", program, stdin=PLAYER.read_text(encoding="utf-8"))
        assert found == "foundfunction"

    def test_it_uses_no_clock_and_no_page(self) -> None:
        text = PLAYER.read_text(encoding="utf-8")
        foreign = ("document", "globalThis", "Date.now", "performance", "fetch", "setTimeout")
        assert [word for word in foreign if word in text] == []
