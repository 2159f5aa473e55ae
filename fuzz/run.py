"""Fuzz the entry points of the three products, guided by coverage, for a total time.

    python fuzz/run.py --seconds 30                      every property, in equal shares of the time
    python fuzz/run.py --seconds 600 --property window   one property
    python fuzz/run.py --property window --again FILE    a finding once more

The properties are in `tests/support/faults/fuzz_properties.py`, the seeds in `fuzz_seeds.py` beside
it.  The exit code is 1 if a property fails, or an input needs too much time or memory; the input is
then in the folder of findings.  It needs the dependency group `fuzz`, and POSIX: instrumented
modules are imported once, and each property runs in a fork.
"""

import argparse
import ctypes
import hashlib
import importlib
import multiprocessing
import os
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Mapping
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any, Final, NamedTuple

PACKAGES: Final = ["status_contracts", "devicestatus", "healthapi", "sitedata"]

atheris: Any = importlib.import_module("atheris")  # has no types

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
with redirect_stderr(StringIO()), atheris.instrument_imports(include=PACKAGES):  # names each module
    from support.faults.damage import changed_json
    from support.faults.fuzz_properties import PROPERTIES, Property
    from support.faults.fuzz_seeds import ALWAYS, SEEDS

JSON: Final = frozenset(
    {"json", "snapshot", "window", "record", "timeline", "checkpoint", "account", "site"}
)
"""The properties whose data are mostly JSON."""
MOST_BYTES: Final = 16_384
INPUT_SECONDS: Final = 30
"""Timeout in seconds; no input of the maximum length takes a second on an idle machine."""
MEMORY_MB: Final = 2048
GRACE_SECONDS: Final = 60
"""Seconds for the seeds before the time starts, and for the last input."""
FORK: Final = multiprocessing.get_context("fork")

_RUNS: Final = re.compile(r"stat::number_of_executed_units: +([0-9]+)")
_COVERED: Final = re.compile(r"cov: ([0-9]+)")
_NOISE: Final = re.compile(r"^(INFO|WARNING|#\d+|stat::|Done |\d+x |artifact_prefix)")


class Outcome(NamedTuple):
    """The result of one property; the finding is empty if there is none."""

    name: str
    runs: int
    covered: int
    finding: str


class Running(NamedTuple):
    """A property in a separate process."""

    name: str
    process: multiprocessing.process.BaseProcess
    log: Path
    deadline: float

    def outcome(self) -> Outcome:
        """Wait for the end; return the result."""
        self.process.join(max(0.0, self.deadline - time.monotonic()))
        late = self.process.is_alive()
        if late:
            self.process.kill()
            self.process.join()
        output = self.log.read_text("utf-8", "replace")
        runs, covered = _RUNS.search(output), _COVERED.findall(output)
        lines = [line for line in output.splitlines() if not _NOISE.match(line)]
        is_broken = late or self.process.exitcode != 0
        return Outcome(
            self.name,
            int(runs[1]) if runs else 0,
            int(covered[-1]) if covered else 0,
            "\n".join([*lines, "it did not end" if late else "", self.log.name]) * is_broken,
        )


def main() -> int:
    """Fuzz as the command line requests; return 1 if there is a finding."""
    options = _options()
    names: list[str] = options.property or list(PROPERTIES)
    if options.again is not None:
        PROPERTIES[names[0]](options.again.read_bytes())
        return 0
    seconds = max(1, round(options.seconds * options.jobs / len(names)))
    with tempfile.TemporaryDirectory() as folder:
        outcomes = [
            outcome
            for start in range(0, len(names), options.jobs)
            for outcome in _fuzzed(
                {name: PROPERTIES[name] for name in names[start : start + options.jobs]},
                options.corpus or Path(folder),
                options.findings,
                seconds,
            )
        ]
    found = [outcome for outcome in outcomes if outcome.finding]
    for outcome in found:
        print(f"\n{outcome.name}:\n{outcome.finding}")
    runs = sum(outcome.runs for outcome in outcomes)
    print(f"{runs} runs of {len(names)} properties, {len(found)} fail")
    return 1 if found else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Fuzz the entry points of the three products.")
    parser.add_argument("--seconds", type=int, default=30, help="time in all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once")
    parser.add_argument(
        "--property", action="append", choices=list(PROPERTIES), help="only this one"
    )
    parser.add_argument("--corpus", type=Path, help="folder to begin with, and to keep")
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"))
    parser.add_argument("--again", type=Path, help="try a finding once more")
    return parser.parse_args()


def _fuzzed(
    checks: Mapping[str, Property], corpora: Path, findings: Path, seconds: int
) -> list[Outcome]:
    """Fuzz some properties in parallel."""
    started = [
        _start(name, check, corpora / name, findings, seconds) for name, check in checks.items()
    ]
    outcomes = []
    for running in started:
        outcome = running.outcome()
        print(f"{outcome.name:12} {outcome.runs:9} runs  {outcome.covered:6} branches", flush=True)
        outcomes.append(outcome)
    return outcomes


def _start(name: str, check: Property, corpus: Path, findings: Path, seconds: int) -> Running:
    corpus.mkdir(parents=True, exist_ok=True)
    findings.mkdir(parents=True, exist_ok=True)
    for seed in {*SEEDS[name](), *ALWAYS}:
        (corpus / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
    log = corpus.with_suffix(".log")
    options = [
        *("fuzz", str(corpus), f"-max_total_time={seconds}", f"-timeout={INPUT_SECONDS}"),
        *(f"-max_len={MOST_BYTES}", f"-rss_limit_mb={MEMORY_MB}", "-print_final_stats=1"),
        f"-artifact_prefix={findings}/{name}-",
    ]
    process = FORK.Process(target=_run, args=(name, check, log, options))
    process.start()
    return Running(name, process, log, time.monotonic() + seconds + GRACE_SECONDS)


def _run(name: str, check: Property, log: Path, options: list[str]) -> None:
    """Run in the child until the time is over or the property fails; output goes to the log."""

    def change(data: bytes, most: int, seed: int) -> bytes:
        found = changed_json(data, seed) if name in JSON and seed % 4 else None
        changed: bytes = atheris.Mutate(data, len(data)) if found is None else found
        return changed[:most]

    with log.open("wb", buffering=0) as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    try:
        atheris.Setup(options, check, custom_mutator=change)
        atheris.Fuzz()
    except Exception:  # of a change: the property's own are reported by the fuzzer
        traceback.print_exc()
        raise
    finally:  # the failing input is written when the process exits as in C
        ctypes.CDLL(None).exit(1)


if __name__ == "__main__":
    sys.exit(main())
