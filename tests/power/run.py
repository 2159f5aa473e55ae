"""Plant faults in copies of the source, one at a time, and check that the tests notice each.

    python tests/power/run.py                      # all
    python tests/power/run.py D05 H01              # some
    python tests/power/run.py --product healthapi  # those of a product

`faults.toml` has the faults.  A fault is noticed if a test of its product fails: one that `make
test` or the property tests run.  A module that cannot be collected is left out and reported, for it
notices nothing.  The tests that are the likeliest to notice a fault run first.
"""

import argparse
import itertools
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Final

import attrs

ROOT: Final = Path(__file__).resolve().parents[2]
FAULTS: Final = Path(__file__).with_name("faults.toml")
FOLDERS: Final = {
    "devicestatus": ("devicestatus",),
    "healthapi": ("healthapi",),
    "sitedata": ("sitedata",),
    "status_contracts": ("status_contracts", "devicestatus", "healthapi", "sitedata"),
}
"""Product to the folders of its tests; of `tests/property` and `tests` itself those concern it that
import a package of the name of one of these folders."""
PYTEST: Final = (
    *("-m", "pytest", "-q", "-p", "no:cacheprovider", "--hypothesis-profile=quick"),
    *("-m", "not check", "--tb=no", "--no-header"),
)
_FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (\S+\.py::.*?)(?: - .*)?$", re.MULTILINE)
_PASSED: Final = re.compile(r"^PASSED (\S+\.py)::", re.MULTILINE)
_UNCOLLECTED: Final = re.compile(r"^ERROR (\S+\.py)(?: - .*)?$", re.MULTILINE)
_MOST_SECONDS: Final = 900
"""How long one run of pytest may last."""


@attrs.frozen
class Fault:
    """A text of the source, and what is put in its place.

    Attributes:
        product: key of `FOLDERS`.
        file: name of the file that has the text, where more than one has it.

    """

    id: str
    kind: str
    product: str
    before: str
    after: str
    file: str | None = None

    def place(self, root: Path) -> Path:
        """Return the file that has the text; raise LookupError unless it is there exactly once."""
        files = [
            path
            for path in sorted(root.joinpath("src").rglob(self.file or "*.py"))
            for _ in range(path.read_text("utf-8").count(self.before))
        ]
        if len(files) != 1:
            names = ", ".join(str(path.relative_to(root)) for path in files)
            raise LookupError(f"its text is at {len(files)} places, not at one: {names or 'src'}")
        return files[0]


def read_faults() -> list[Fault]:
    """Read the table of faults."""
    return [Fault(**each) for each in tomllib.loads(FAULTS.read_text("utf-8"))["fault"]]


class Copy:
    """A copy of the checkout, whose packages its tests import."""

    def __init__(self, root: Path) -> None:
        self.root: Final = root
        listed = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        for name in filter(None, names.split("\0")):
            if (ROOT / name).is_file():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, root / name)
        # The path comes before that of the editable installation.
        self._environment = {**os.environ, "PYTHONPATH": str(root / "src")}
        self._seconds = itertools.count(1)
        packages = [path.parent.name for path in root.glob("src/*/__init__.py")]
        code = f"import importlib.util as u; print(*(u.find_spec(n).origin for n in {packages}))"
        found = self._python("-c", code).stdout.split()
        if not packages or not all(Path(each).is_relative_to(root / "src") for each in found):
            raise RuntimeError(f"the tests would import files that are not of the copy: {found}")

    def write(self, path: Path, text: str) -> None:
        """Write a source file under a time of its own: no older bytecode is taken for it."""
        path.write_text(text, "utf-8")
        written = path.stat().st_mtime + 10 * next(self._seconds)
        os.utime(path, (written, written))

    def test(self, files: Sequence[str], *options: str) -> tuple[int, str]:
        """Run the tests of files; return the exit code of pytest and what it prints."""
        done = self._python(*PYTEST, *options, *files)
        return done.returncode, done.stdout + done.stderr

    def _python(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            (sys.executable, *arguments),
            cwd=self.root,
            env=self._environment,
            check=False,
            capture_output=True,
            text=True,
            timeout=_MOST_SECONDS,
        )


def concerned_by(product: str) -> list[str]:
    """Return the folders and files of the tests of a product."""
    folders = FOLDERS[product]
    imports = re.compile(rf"^\s*(?:from|import) (?:{'|'.join(folders)})\b", re.MULTILINE)
    shared = (*ROOT.glob("tests/test_*.py"), *ROOT.glob("tests/property/test_*.py"))
    files = [path for path in sorted(shared) if imports.search(path.read_text("utf-8"))]
    return [f"tests/{name}" for name in folders] + [str(path.relative_to(ROOT)) for path in files]


def in_order(files: Sequence[str], place: Path) -> tuple[list[str], list[str]]:
    """Return the files of tests that are the likeliest to notice a fault, and the others.

    Those are the ones with the name of the module in their own, and those that import the module.
    """
    module = ".".join(place.with_suffix("").parts[1:])
    imports = re.compile(rf"\b{re.escape(module)}\b")
    name = module.rpartition(".")[2]

    def rank(file: str) -> int:
        stem = Path(file).stem
        if name in stem or name.rstrip("s") in stem.split("_"):
            return 0
        if imports.search((ROOT / file).read_text("utf-8")):
            return 1
        return 2 if stem.endswith(("_vectors", "_service")) else 3

    ranked = sorted(files, key=lambda file: (rank(file), file))
    likely = [file for file in ranked if rank(file) < 2]
    return likely, ranked[len(likely) :]


def notice(fault: Fault, copy: Copy, files: Sequence[str]) -> tuple[bool, str]:
    """Plant a fault, and return whether a test notices it, with the test or the reason."""
    try:
        path = fault.place(copy.root)
        sound = path.read_text("utf-8")
        planted = sound.replace(fault.before, fault.after)
        compile(planted, path, "exec")
    except (LookupError, SyntaxError) as error:
        return False, f"cannot be planted: {error}"
    copy.write(path, planted)
    left_out: list[str] = []
    try:
        is_noticed, what = _notice(copy, in_order(files, path.relative_to(copy.root)), left_out)
    except subprocess.TimeoutExpired:
        is_noticed, what = False, f"the tests do not end within {_MOST_SECONDS} s"
    finally:
        copy.write(path, sound)
    return is_noticed, f"{what}; not collected: {', '.join(left_out)}" if left_out else what


def _notice(copy: Copy, batches: Iterable[list[str]], left_out: list[str]) -> tuple[bool, str]:
    for batch in batches:
        files = batch
        while files:
            code, text = copy.test(files, "-x", "-rfE")
            if failed := _FAILED.findall(text):
                return True, failed[0]
            uncollected = [file for file in _UNCOLLECTED.findall(text) if file in files]
            if code and not uncollected:
                return False, f"pytest ends with {code}: {text[-300:].strip()}"
            left_out += uncollected
            files = [file for file in files if file not in uncollected] if uncollected else []
    return False, "no test fails"


def sound_files(copy: Copy, targets: Sequence[str], workers: int) -> list[str]:
    """Return the files whose tests run; raise ValueError if one of them fails without a fault."""
    parallel = ("--numprocesses", str(workers), "--dist", "loadfile")
    code, text = copy.test(targets, "-rpfE", *parallel)
    if code:
        failed = _FAILED.findall(text) or [text[-2000:]]
        raise ValueError("\n".join(("without any fault these tests fail:", *failed)))
    return sorted(set(_PASSED.findall(text)))


def measure(faults: Sequence[Fault], workers: int) -> Iterator[tuple[Fault, bool, str, float]]:
    """Yield of each fault whether it is noticed, by what or why not, and the seconds that took."""
    with TemporaryDirectory() as folder, ThreadPoolExecutor(workers) as pool:
        Path(folder).chmod(0o755)  # some tests run as a user who has no rights
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(workers):
            copies.put(Copy(Path(folder).resolve() / str(number)))
        targets = {each.product: concerned_by(each.product) for each in faults}
        sound = copies.get()
        files = sound_files(sound, sorted(set(itertools.chain(*targets.values()))), workers)
        copies.put(sound)

        def one(fault: Fault) -> tuple[Fault, bool, str, float]:
            start, copy = time.monotonic(), copies.get()
            concerned = [
                file
                for file in files
                if any(Path(file).is_relative_to(each) for each in targets[fault.product])
            ]
            try:
                return fault, *notice(fault, copy, concerned), time.monotonic() - start
            finally:
                copies.put(copy)

        yield from pool.map(one, faults)


def main() -> int:
    """Print a line for each fault; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("faults", nargs="*", metavar="FAULT", help="the id of a fault")
    parser.add_argument("--product", action="append", choices=FOLDERS, help="its faults alone")
    parser.add_argument("--workers", type=int, default=2, help="how many faults at once (2)")
    options = parser.parse_args()
    table = read_faults()
    unknown = sorted(set(options.faults) - {each.id for each in table})
    if unknown:
        parser.error(f"there is no fault {', '.join(unknown)}")
    chosen = [
        each
        for each in table
        if (not options.faults or each.id in options.faults)
        and (not options.product or each.product in options.product)
    ]
    start, missed = time.monotonic(), 0
    for fault, is_noticed, what, seconds in measure(chosen, options.workers):
        missed += not is_noticed
        verdict = "noticed" if is_noticed else "NOT NOTICED"
        sys.stdout.write(f"{fault.id}  {verdict:11}  {seconds:5.1f} s  {fault.kind}: {what}\n")
        sys.stdout.flush()
    whole = time.monotonic() - start
    sys.stdout.write(f"{len(chosen) - missed} of {len(chosen)} noticed, {whole:.0f} s\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
