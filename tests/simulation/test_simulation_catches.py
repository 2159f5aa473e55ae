"""The simulation can fail: a mutant of each part of the code under test is caught.

A mutant is one small fault of the kind that a careless repair makes.  It must be caught within a
few seeds, and by the sentence that it breaks.
"""

from collections.abc import Generator
from typing import Any, Final

import attrs
import pytest

from devicestatus import service
from devicestatus.agent import recorder as recorder_module
from devicestatus.agent.delivery import Decision
from devicestatus.agent.privacy import PrivacyRules
from devicestatus.agent.uploads import UploadSchedule
from devicestatus.player import Accepted, Player, PlayerState, Refused
from simulation.fault_rates import SCENARIOS, Scenario
from simulation.simulator import SimulationFailed, simulate
from status_contracts.exchange import Effect, EffectFailed

pytestmark = pytest.mark.check

SEEDS: Final = range(8)
STORMS: Final = SCENARIOS["storms"]
LAPTOPS: Final = SCENARIOS["laptops"]
SECRETS: Final = SCENARIOS["secrets"]


def caught(scenario: Scenario, *sentences: str, hours: float = 4.0) -> None:
    """Run seeds until one fails; it must be for breaking one of the sentences."""
    for seed in SEEDS:
        try:
            simulate(seed, scenario, hours)
        except SimulationFailed as failure:
            message = str(failure).splitlines()[0]
            assert any(sentence in message for sentence in sentences), message
            return
    pytest.fail(f"not caught by {len(SEEDS)} seeds")


class TestPlayers:
    def test_one_that_starts_anew_with_each_response(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Impatient(Player):
            def accept(self, timeline_body: bytes, monotonic_ms: int) -> Accepted | Refused:
                outcome = super().accept(timeline_body, monotonic_ms)
                if outcome == Accepted("window"):
                    self.state = PlayerState()
                    super().accept(timeline_body, monotonic_ms)
                return outcome

        monkeypatch.setattr("simulation.players.Player", Impatient)
        caught(STORMS, "something was skipped", "went back")


class TestRecorders:
    def test_one_that_skips_privacy(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(PrivacyRules, "public", lambda _, snapshot, *__: snapshot)
        caught(SECRETS, "a private name got out")

    def test_one_that_sleeps_without_a_gap(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(recorder_module, "SILENCE_MS", 10**15)
        caught(LAPTOPS, "nobody knows what was then")


class TestServices:
    def test_one_that_returns_offline_when_its_store_fails(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        read = service.Service.read

        def forgiving(asked: service.Service) -> Generator[Effect, Any, Any]:
            try:
                return (yield from read(asked))
            except EffectFailed:
                return service._StoreRead(None, 10**12, 60, is_empty=True)

        monkeypatch.setattr(service.Service, "read", forgiving)
        caught(STORMS, "a failing store is 503")


class TestAgents:
    def test_one_that_forgets_what_was_too_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        follow = UploadSchedule.after_decision

        def forgetful(schedule: UploadSchedule, decision: Decision, at: int) -> UploadSchedule:
            return follow(schedule, attrs.evolve(decision, most_bytes=None), at)

        monkeypatch.setattr(UploadSchedule, "after_decision", forgetful)
        caught(SCENARIOS["crowds"], "a window was too large, and came again", hours=1.0)
