"""The simulation can fail: each mutant of the code under test breaks one sentence, and is caught.

A mutant is one small fault of the kind that a careless repair makes.  It must be caught within a
few seeds, and by the sentence that it breaks.
"""

import json
from collections.abc import Callable, Generator, Iterable
from typing import Any, Final

import attrs
import pytest

from devicestatus import limits
from devicestatus.agent import recorder as recorder_module
from devicestatus.agent.delivery import Decision, decide
from devicestatus.agent.privacy import PrivacyRules, Rule
from devicestatus.agent.recorder import Batch, NotReady, Recorder
from devicestatus.agent.uploads import WriteQuota
from devicestatus.engine import record
from devicestatus.engine.projection import prepare
from devicestatus.http import service
from devicestatus.models import Snapshot, Window
from devicestatus.player import player as player_module
from devicestatus.player.player import (
    Accepted,
    Player,
    PlayerState,
    Refused,
    View,
    parse_timeline,
)
from devicestatus.responses import OfflineStatus
from purewire.exchange import Effect, EffectFailed
from purewire.instants import format_instant, parse_millisecond
from purewire.json import codec
from purewire.structuring.to_builtins import to_builtins
from simulation.fault_rates import SCENARIOS, FaultRates, Scenario
from simulation.simulator import SimulationFailed, simulate

SEEDS: Final = range(8)
STORMS: Final = SCENARIOS["storms"]
LAPTOPS: Final = SCENARIOS["laptops"]
CLOCKS: Final = SCENARIOS["clocks"]
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


class Mutant:
    """Puts mutants in place of what the simulation uses."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.put = patch.setattr

    def player(self, mutant: type[Player]) -> None:
        self.put("simulation.players.Player", mutant)

    def windows(self, change: Callable[[Window], Window]) -> None:
        """Let recorders give other windows than they hold."""
        made = Recorder.batch

        def batch(recorder: Recorder, **given: int) -> Batch | NotReady:
            batch = made(recorder, **given)
            if isinstance(batch, NotReady):
                return batch
            window = change(batch.window)
            return Batch(window, codec.encode(to_builtins(window)))

        self.put(Recorder, "batch", batch)

    def decisions(self, change: Callable[[Decision], Decision]) -> None:
        """Let agents decide otherwise."""

        def decided(*given: Any, **named: Any) -> Decision:
            return change(decide(*given, **named))

        self.put("simulation.agent.decide", decided)


@pytest.fixture
def mutant(monkeypatch: pytest.MonkeyPatch) -> Mutant:
    return Mutant(monkeypatch)


class TestWithoutMutant:
    def test_is_caught(self) -> None:
        """What the mutants are mutants of passes in the same worlds."""
        for scenario in (STORMS, LAPTOPS, CLOCKS, SECRETS):
            simulate(SEEDS[0], scenario, 4.0)


class TestPlayers:
    def test_one_that_accepts_older_responses(self, mutant: Mutant) -> None:
        class Gullible(Player):
            def accept(self, timeline_body: bytes, monotonic_ms: int) -> Accepted | Refused:
                outcome = super().accept(timeline_body, monotonic_ms)
                if outcome == Refused("older"):
                    self.state = PlayerState()
                    outcome = super().accept(timeline_body, monotonic_ms)
                return outcome

        mutant.player(Gullible)
        caught(STORMS, "an older answer was taken")

    def test_one_that_starts_anew_with_each_response(self, mutant: Mutant) -> None:
        class Impatient(Player):
            def accept(self, timeline_body: bytes, monotonic_ms: int) -> Accepted | Refused:
                outcome = super().accept(timeline_body, monotonic_ms)
                if outcome == Accepted("window"):
                    self.state = PlayerState()
                    super().accept(timeline_body, monotonic_ms)
                return outcome

        mutant.player(Impatient)
        caught(STORMS, "something was skipped", "went back")

    def test_one_that_catches_up_after_an_outage(self, mutant: Mutant) -> None:
        class Hasty(Player):
            def accept(self, timeline_body: bytes, monotonic_ms: int) -> Accepted | Refused:
                had = self.view(monotonic_ms)
                outcome = super().accept(timeline_body, monotonic_ms)
                if had.reason == "exhausted" and outcome == Accepted("window"):
                    self.state = PlayerState()
                    super().accept(timeline_body, monotonic_ms)
                return outcome

        mutant.player(Hasty)
        caught(LAPTOPS, "something was skipped", "went back", hours=8)

    def test_one_that_plays_too_fast(self, mutant: Mutant) -> None:
        class Fast(Player):
            def view(self, monotonic_ms: int) -> View:
                return super().view(monotonic_ms + monotonic_ms % 60_000)

        mutant.player(Fast)
        caught(STORMS, "the playhead ran", "went back", "came unannounced")

    def test_one_that_takes_errors_for_offline(self, mutant: Mutant) -> None:
        def read(body: bytes, *catalog: Any) -> Any:
            answer = parse_timeline(body, *catalog)
            return OfflineStatus() if answer == "error" else answer

        mutant.put(player_module, "parse_timeline", read)
        caught(STORMS, "offline is the service's word")

    def test_one_that_plays_too_early(self, mutant: Mutant) -> None:
        class Early(Player):
            def accept(self, timeline_body: bytes, monotonic_ms: int) -> Accepted | Refused:
                head, name, rest = timeline_body.partition(b'"server_time":"')
                if name:  # the server's time, and ten seconds
                    later = parse_millisecond(rest[:24].decode()) + 10_000
                    timeline_body = head + name + format_instant(later).encode() + rest[24:]
                return super().accept(timeline_body, monotonic_ms)

        mutant.player(Early)
        caught(STORMS, "the playhead is ahead of the delay")


class TestRecorders:
    def test_one_that_skips_privacy(self, mutant: Mutant) -> None:
        mutant.put(PrivacyRules, "public", _as_it_is)
        caught(SECRETS, "a private name got out")

    def test_one_that_compares_names_as_they_are(self, mutant: Mutant) -> None:
        mutant.put(
            PrivacyRules,
            "rule_for",
            lambda rules, name: Rule("name", name) if name in rules.names else None,
        )
        caught(SECRETS, "a private name got out")

    def test_one_that_keeps_its_queue_when_the_rules_change(self, mutant: Mutant) -> None:
        def change(recorder: Recorder, rules: PrivacyRules, session_id: str) -> bool:
            recorder._rules = rules
            return False

        mutant.put(Recorder, "change_rules", change)
        caught(SECRETS, "", hours=12)

    def test_one_that_loses_a_sample(self, mutant: Mutant) -> None:
        observe = Recorder.observe
        seen: list[Snapshot] = []

        def losing(recorder: Recorder, sample: Snapshot, **times: Any) -> Any:
            seen.append(sample)
            return observe(recorder, seen[-2 if len(seen) % 40 == 0 else -1], **times)

        mutant.put(Recorder, "observe", losing)
        caught(STORMS, "was not so")

    def test_one_that_loses_an_event(self, mutant: Mutant) -> None:
        mutant.windows(lambda window: attrs.evolve(window, events=window.events[:-1]))
        caught(STORMS, "was not so")

    def test_one_that_does_not_fold_what_slides_out(self, mutant: Mutant) -> None:
        mutant.windows(lambda window: attrs.evolve(window, events=window.events[1:]))
        caught(STORMS, "was not so")

    def test_one_that_sleeps_without_a_gap(self, mutant: Mutant) -> None:
        mutant.put(recorder_module, "SILENCE_MS", 10**15)
        caught(LAPTOPS, "nobody knows what was then")

    def test_one_that_believes_any_clock(self, mutant: Mutant) -> None:
        mutant.put(recorder_module, "CLOCK_DISAGREEMENT_MS", 10**15)
        caught(CLOCKS, "")

    def test_one_that_resumes_without_a_gap(self, mutant: Mutant) -> None:
        def whole(window: Window) -> Window:
            gaps = (gap for gap in window.gaps if gap.reason != "restart")
            return attrs.evolve(window, gaps=tuple(gaps))

        mutant.windows(whole)
        caught(STORMS, "nobody knows what was then", hours=8)

    def test_one_that_reports_gaps_with_another_reason(self, mutant: Mutant) -> None:
        def renamed(window: Window) -> Window:
            gaps = (attrs.evolve(gap, reason="overflow") for gap in window.gaps)
            return attrs.evolve(window, gaps=tuple(gaps))

        mutant.windows(renamed)
        caught(LAPTOPS, "a gap for another reason")

    def test_one_that_reports_false_gaps(self, mutant: Mutant) -> None:
        mutant.put(recorder_module, "SILENCE_MS", 19_000)
        caught(STORMS, "a gap that was none", "without a gap")

    def test_one_that_forgets_its_numbers_in_a_restart(self, mutant: Mutant) -> None:
        write = Recorder.checkpoint

        def older(recorder: Recorder, *, now_ms: int) -> bytes:
            plain = json.loads(write(recorder, now_ms=now_ms))
            plain["batch_seq"] = max(0, plain["batch_seq"] - 20)
            if plain["window"] is not None:
                plain["window"]["batch_seq"] = plain["batch_seq"] + 1
            return json.dumps(plain).encode()

        mutant.put(Recorder, "checkpoint", older)
        caught(SCENARIOS["quiet"], "does not play again")

    def test_one_whose_windows_are_too_long(self, mutant: Mutant) -> None:
        mutant.windows(lambda window: attrs.evolve(window, window_end=window.generated_at + 1))
        caught(STORMS, "a window breaks the contract")


class TestServices:
    def test_one_that_extends_deadlines(self, mutant: Mutant) -> None:
        def extended(body: bytes, *, received_at: int, expires_at: int) -> bytes:
            later = max(expires_at, received_at + limits.WINDOW_LIFETIME_MS)
            return record.wrap_body(body, received_at=received_at, expires_at=later)

        mutant.put(service, "wrap_body", extended)
        mutant.put(record, "_has_exact_deadline", lambda _: True)
        caught(STORMS, "a deadline was extended")

    def test_one_that_returns_offline_when_its_store_fails(self, mutant: Mutant) -> None:
        read = service.Service.read

        def forgiving(asked: service.Service) -> Generator[Effect, Any, Any]:
            try:
                return (yield from read(asked))
            except EffectFailed:
                return service._StoreRead(None, 10**12, 60)

        mutant.put(service.Service, "read", forgiving)
        caught(STORMS, "a failing store is 503")

    def test_one_that_plays_gaps(self, mutant: Mutant) -> None:
        def blind(window: Window) -> Any:
            return prepare(attrs.evolve(window, gaps=()))

        mutant.put("devicestatus.engine.record.prepare", blind)
        caught(LAPTOPS, "nobody knows what was then, says now", hours=8)


class TestAgents:
    def test_one_that_knows_no_quota(self, mutant: Mutant) -> None:
        """Retries without a back-off would spend a day's writes; the quota alone prevents it."""
        cut_off = attrs.evolve(
            STORMS, normal=FaultRates(outage=True), severe=FaultRates(outage=True)
        )
        cut_off = attrs.evolve(cut_off, players=0)
        mutant.decisions(lambda decision: attrs.evolve(decision, wait_ms=0))
        simulate(SEEDS[0], cut_off, 20.0)
        mutant.put(WriteQuota, "wait_ms", lambda _, __: 0)
        caught(cut_off, "the quota was exceeded", hours=20.0)

    def test_one_that_never_mends_its_clock(self, mutant: Mutant) -> None:
        mutant.decisions(lambda decision: attrs.evolve(decision, correction_ms=None))
        caught(CLOCKS, "does not play again")

    def test_one_that_never_shrinks(self, mutant: Mutant) -> None:
        crowds = SCENARIOS["crowds"]
        always = attrs.evolve(crowds, normal=crowds.severe, sample_ms=20_000)
        simulate(SEEDS[0], always, 0.5)
        mutant.decisions(lambda decision: attrs.evolve(decision, most_bytes=None))
        caught(always, "a window was too large, and came again", hours=2)


def _as_it_is(_: PrivacyRules, snapshot: Snapshot, _players: Iterable[str] = ()) -> Snapshot:
    return snapshot
