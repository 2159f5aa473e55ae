"""Mutate modules by cosmic-ray, one fault at a time, and print the faults that no test detects.

    python tools/mutate.py devicestatus.cross_field devicestatus.deadlines
    python tools/mutate.py --sample 5 healthapi.rows.cells

It works in a copy of the project and runs the tests of the module (`tests_of`).  The score leaves
out equivalent faults: `equivalent_faults.toml` lists them, each with its reason.
"""

import argparse
import os
import random
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from cosmic_ray.commands import execute, init
from cosmic_ray.config import ConfigDict
from cosmic_ray.work_db import use_db
from cosmic_ray.work_item import WorkerOutcome, WorkResult

ROOT: Final = Path(__file__).resolve().parents[1]
EQUIVALENT: Final = Path(__file__).with_name("equivalent_faults.toml")
PROPERTIES: Final = {
    "devicestatus.deadlines": "projection",
    "devicestatus.projection": "projection",
    "devicestatus.record": "record",
    "devicestatus.state": "projection",
    "devicestatus.player": "player",
    "devicestatus.cross_field": "parse",
}
"""Property tests of modules, in addition to their own tests."""
NOT_USED: Final = (
    "core/ReplaceBinaryOperator_BitOr_",  # joins types
    "core/ReplaceComparisonOperator_Is_Eq",  # the linter checks these four
    "core/ReplaceComparisonOperator_IsNot_NotEq",
    "core/ReplaceComparisonOperator_Eq_Is",
    "core/ReplaceComparisonOperator_NotEq_IsNot",
)
TIMES_SLOWER: Final = 5
GRACE_SECONDS: Final = 10


def tests_of(module: str) -> list[str]:
    """Return the test files of a module."""
    package, *_, name = module.split(".")
    own = [str(path) for path in Path("tests", package).glob(f"test_{name}.py")]
    if module in PROPERTIES:
        own.append(f"tests/property/test_{PROPERTIES[module]}_properties.py")
    return own


def measure(module: str, tests: list[str], sample: int | None) -> bool:
    """Test the mutants of a module; print score and survivors; return whether none survived."""
    path = Path("src", *module.split(".")).with_suffix(".py")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    began = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    limit = round((time.monotonic() - began) * TIMES_SLOWER) + GRACE_SECONDS
    settings = {"test-command": shlex.join(command), "timeout": limit}
    config = ConfigDict({**settings, "distributor": {"name": "local"}})
    known: dict[str, Any] = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get(module, {})
    with use_db("mutants.sqlite") as mutants:
        init([path], mutants, {})
        items = [*mutants.work_items]
        used = [item for item in items if not item.mutations[0].operator_name.startswith(NOT_USED)]
        if sample is not None:
            used = random.Random(module).sample(used, min(sample, len(used)))  # noqa: S311
        chosen = {item.job_id for item in used}
        skipped = [item.job_id for item in items if item.job_id not in chosen]
        mutants.set_multiple_results(skipped, WorkResult(WorkerOutcome.SKIPPED))
        execute(mutants, config)
        survivors = [
            result.diff
            for job, result in mutants.results
            if job in chosen and not result.is_killed and change(result.diff) not in known
        ]
    print(f"{module}: {len(chosen) - len(survivors)} of {len(chosen)} faults detected", flush=True)
    print("\n".join(survivors))
    return not survivors


def change(diff: str) -> str:
    """Return a change as `before -> after`; the lines of each are trimmed and joined."""
    lines = diff.splitlines()[3:]  # after a title and the names of the files
    before, after = (
        " ".join(line[1:].strip() for line in lines if line.startswith(sign)) for sign in "-+"
    )
    return f"{before} -> {after}"


def main() -> int:
    """Measure the modules of the command line."""
    parser = argparse.ArgumentParser(description="Plant faults in modules, count those detected.")
    parser.add_argument("modules", nargs="+", metavar="MODULE")
    parser.add_argument("--sample", type=int, help="plant only so many faults in a module")
    parser.add_argument("--tests", nargs="+", help="the tests to run (those of the module)")
    arguments = parser.parse_args()
    files = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(files, cwd=ROOT, capture_output=True, text=True, check=True)
    with TemporaryDirectory() as folder:
        for name in filter(None, listed.stdout.split("\0")):
            copy = Path(folder, name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy)
        os.chdir(folder)
        os.environ["PYTHONPATH"] = str(Path(folder, "src"))
        results = [
            measure(module, arguments.tests or tests_of(module), arguments.sample)
            for module in arguments.modules
        ]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
