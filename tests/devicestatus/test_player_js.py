"""The home page's player under Node, compared with the Python player step by step."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

from devicestatus.engine.projection import NoDataReason
from devicestatus.models import GapReason
from devicestatus.player.player import RefusalReason
from support.devicestatus.playback_vectors import as_json, drawn_scenarios, written_scenarios
from support.servers.node import run_node
from support.vectors.device_scenarios import PLAYBACK

RUNNER = Path(__file__).parents[1] / "player_runner.cjs"
PLAYER = files("devicestatus.adapters.site") / "player.js"
RANDOM_COUNT = 300

WRITTEN = {scenario.name: scenario for scenario in written_scenarios()}


def played(scenarios: str) -> list[list[Any]]:
    """Return the result of each step of scenarios (JSON text) in the player of the page."""
    found: list[list[Any]] = json.loads(run_node(RUNNER, PLAYER, stdin=scenarios))
    return found


class TestPort:
    """The player of the page returns what the Python player returns, and changes no state."""

    def test_the_vectors_play_the_same(self) -> None:
        cases = json.loads(PLAYBACK.path.read_text("utf-8"))["cases"]
        results = played(json.dumps([case["input"] for case in cases]))
        expected = [case["expected"]["results"] for case in cases]
        failures = [
            (case["id"], number)
            for case, found, stated in zip(cases, results, expected, strict=True)
            for number, (one, other) in enumerate(zip(found, stated, strict=True))
            if one != other
        ]
        assert failures == []

    def test_random_stories_play_the_same(self) -> None:
        scenarios = list(drawn_scenarios(RANDOM_COUNT))
        failures = [
            (scenario.name, number)
            for scenario, found in zip(scenarios, played(as_json(scenarios)), strict=True)
            for number, (step, gives) in enumerate(zip(scenario.steps, found, strict=True))
            if gives != step["gives"]
        ]
        assert failures == []


class TestScenarios:
    """The scenarios reach every state, so that the comparison is meaningful."""

    def test_the_whole_life_of_a_session_is_in_order(self) -> None:
        assert WRITTEN["warm-up, play, gap, outage and resume"].gives == [
            "buffering:warm-up",
            "playing",
            "gap:sleep",
            "playing",
            "buffering:exhausted",
            "playing",
            "buffering:exhausted",
        ]

    def test_every_refusal_and_every_reason_is_met(self) -> None:
        steps = [step["gives"] for scenario in WRITTEN.values() for step in scenario.steps]
        refused = {step["refused"] for step in steps if "refused" in step}
        reasons = {step.get("reason") for step in steps if "state" in step}
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
