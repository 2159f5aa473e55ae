"""Device, agent, network, store, service and players in virtual time: the sentences hold.

Each test runs some seeds of a scenario (see `simulation.fault_rates`) for some hours; the sentences
stand in `simulation.invariants` and are looked at all the time.  Samples are taken every 20 to
25 s, for speed, but in `crowds`, which takes them every 2 s as the specification says.  More seeds
and hours: `python tests/simulation/campaign.py --seeds 0:100 --hours 24`.
"""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from devicestatus import limits
from simulation.campaign import main
from simulation.clock import MIDNIGHT
from simulation.fault_rates import SCENARIOS
from simulation.simulator import SimulationFailed, Simulator, simulate
from status_contracts.instants import DAY_MS

pytestmark = pytest.mark.check

WEEK = 168.0
SENT = {"sends", "accepted"}
TROUBLED = {*SENT, "retry", "resumes", "refuses"}


@pytest.mark.rule("DS-CACHE-05", "DS-SERVICE-07")
class TestScenarios:
    """`weeks` is a usual life: sleep, closed lids, now and then many faults or a clock set."""

    @pytest.mark.parametrize(
        ("scenario", "seeds", "hours", "actions"),
        [
            ("weeks", range(2), WEEK, {*TROUBLED, "sleeps", "begins"}),
            ("laptops", range(2), 16.0, {*SENT, "retry", "sleeps"}),
            ("storms", range(2), 8.0, TROUBLED),
            ("clocks", range(2), 8.0, {*TROUBLED, "clock", "fix-clock"}),
            ("secrets", range(2), 8.0, {*TROUBLED, "other"}),
            ("rules", range(2, 4), 6.0, {*SENT, "other"}),
            ("quotas", range(2), 20.0, {*TROUBLED, "stop"}),
            ("everything", range(2), 8.0, TROUBLED),
            ("crowds", range(1), 1.0, {*SENT, "shrink"}),
        ],
    )
    def test_every_sentence_holds_and_all_kinds_of_actions_occur(
        self, scenario: str, seeds: range, hours: float, actions: set[str]
    ) -> None:
        outcomes = [simulate(seed, SCENARIOS[scenario], hours) for seed in seeds]
        assert sum((each.actions for each in outcomes), Counter()).keys() >= actions


class TestQuietDay:
    def test_takes_at_most_a_days_writes_and_plays_all_day(self) -> None:
        """An upload every 300 s is 288 writes a day, of 1000."""
        outcome = simulate(0, SCENARIOS["quiet"], 24.0)
        writes = outcome.writes[MIDNIGHT // DAY_MS]
        regular = DAY_MS // limits.UPLOAD_INTERVAL_MS
        assert regular * 0.9 < writes <= regular
        assert writes <= limits.WRITES_PER_DAY
        assert outcome.shown["playing"] > 50 * outcome.shown["buffering"]


class TestReplays:
    def test_a_seed_gives_one_journal_in_every_process(self) -> None:
        """Sets and dictionaries decide nothing: processes that hash otherwise agree."""
        one, other = (simulate(seed, SCENARIOS["everything"], 3.0) for seed in (7, 8))
        assert {_digest_in_a_process(seed) for seed in ("1", "2")} == {one.digest}
        assert other.digest != one.digest
        assert one.lines > 100


def _digest_in_a_process(hash_seed: str) -> str:
    program = (
        "from simulation.fault_rates import SCENARIOS; from simulation.simulator import simulate;"
        "print(simulate(7, SCENARIOS['everything'], 3.0).digest)"
    )
    paths = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, sys.path)])
    environ = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": paths}
    run = subprocess.run(
        [sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


class TestFailures:
    def test_a_failing_seed_prints_its_last_events_and_a_command(self) -> None:
        world = Simulator(3, SCENARIOS["storms"], 2.0)
        world.calendar.after(3_600_000, lambda: 1 // 0)
        with pytest.raises(SimulationFailed) as failure:
            world.run()
        first, *events, last = str(failure.value).splitlines()
        assert first.startswith(f"seed 3, {MIDNIGHT + 3_600_000}: ZeroDivisionError")
        assert any("agent: sends" in event for event in events)
        assert last.endswith("campaign.py --scenario storms --seeds 3:4 --hours 2.0")

    def test_a_campaign_prints_what_it_ran(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["--seeds", "0:2", "--hours", "1", "--scenario", "laptops"]) == 0
        out, err = capsys.readouterr()
        assert out.startswith("laptops: 4 h in ")
        assert err == ""

    def test_a_campaign_with_a_failing_seed_ends_with_1(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("devicestatus.agent.recorder.SILENCE_MS", 10**15)
        assert main(["--seeds", "0:2", "--hours", "4", "--scenario", "laptops"]) == 1
        out, err = capsys.readouterr()
        assert out.startswith("laptops: ")
        assert "nobody knows what was then" in err
