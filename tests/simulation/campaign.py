"""Many seeds of many hours, from the command line.

    python tests/simulation/campaign.py --seeds 0:100 --hours 24 [--scenario storms]

Each seed that fails is printed with its last events; the exit status is 1 then.
"""

import argparse
import sys
import time
from pathlib import Path

if __name__ == "__main__":  # a script finds its siblings in the folder above its own
    sys.path[0] = str(Path(__file__).parents[1])

from simulation.fault_rates import SCENARIOS
from simulation.simulator import SimulationFailed, simulate


def _seeds(text: str) -> range:
    first, _, end = text.partition(":")
    return range(int(first), int(end) if end else int(first) + 1)


def main(arguments: list[str] | None = None) -> int:
    """Run the simulations that the arguments select; return 1 if one failed."""
    parser = argparse.ArgumentParser(description="Simulate device, service and players.")
    parser.add_argument("--seeds", type=_seeds, default=range(10), metavar="A:B")
    parser.add_argument("--hours", type=float, default=12.0)
    parser.add_argument("--scenario", action="append", choices=SCENARIOS)
    options = parser.parse_args(arguments)
    failed = 0
    for name in options.scenario or SCENARIOS:
        began, hours = time.process_time(), 0.0
        shown: dict[str, int] = {}
        for seed in options.seeds:
            try:
                outcome = simulate(seed, SCENARIOS[name], options.hours)
            except SimulationFailed as failure:
                failed += 1
                print(failure, file=sys.stderr)  # noqa: T201 - a command
                continue
            hours += outcome.hours
            for state, times in outcome.shown.items():
                shown[state] = shown.get(state, 0) + times
        seconds = time.process_time() - began
        print(f"{name}: {hours:.0f} h in {seconds:.1f} s, {shown}")  # noqa: T201
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
