"""Reading a large git repository and building its snapshot, compared with `git log --name-only`.

    PYTHONPATH=tests python benchmarks/git_history.py --files 100000 --commits 50000 --rounds 3

The repository is created in a temporary folder: problems of fifteen platforms in folders of
ten, files that are edited and renamed, a merge every twentieth commit.
"""

import argparse
import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measuring import compare, show

from sitedata import encode
from sitedata.adapters.git import read_history
from sitedata.building.builder import build
from sitedata.building.history import Dates
from sitedata.building.settings import BuildSettings
from support.sitedata.repositories import Change, Commit, Rename, Script, Write

GOAL = 3.0
"""Goal, as a multiple of the time of `git log --name-only` of the same reference."""
PLATFORMS = (
    *("aoj", "atcoder", "codeforces", "cses", "euler", "hdu", "kattis", "leetcode", "loj"),
    *("luogu", "nowcoder", "qoj", "spoj", "uva", "vjudge"),
)
LETTERS = "ABCDEFGHIJ"
FIRST = 1_300_000_000  # seconds since the epoch
BRANCHED = 5  # commits before a merge at which the other branch starts
SETTINGS = BuildSettings(owner="someone", name="practice")
QUIET = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def path_of(number: int) -> bytes:
    """Return the path of a problem."""
    place, platform = divmod(number, len(PLATFORMS))
    contest, letter = divmod(place, len(LETTERS))
    return f"{PLATFORMS[platform]}/{contest}/{LETTERS[letter]}.cpp".encode()


def history(files: int, commits: int) -> Iterator[Commit]:
    """Yield commits that add a number of files, and edit and rename some of them."""
    source = random.Random(1)  # noqa: S311 - data for measuring
    there: list[bytes] = []
    seconds = FIRST
    for number in range(commits):
        seconds += source.randint(1, 9000)
        changes: list[Change] = []
        for added in range(len(there), files * (number + 1) // commits):
            there.append(path_of(added))
            changes.append(Write(there[-1], source.randbytes(40).hex().encode()))
        if number % 2 and there:
            changed = source.choice(there)
            changes.append(Write(changed, source.randbytes(40).hex().encode()))
        if number % 50 == 0 and there:
            moved = source.randrange(len(there))
            old, there[moved] = there[moved], there[moved] + b".%d.cpp" % number
            changes.append(Rename(old, there[moved]))
        merges = number % 20 == 0 and number > BRANCHED
        parents = (number - 1, number - BRANCHED) if merges else None
        yield Commit(seconds, tuple(changes), parents, offset=480)


def git(folder: Path, *arguments: str) -> list[str]:
    """Return a git command."""
    program = shutil.which("git")
    if program is None:
        raise FileNotFoundError("git")
    return [program, "-C", str(folder), *arguments]


def make(folder: Path, script: Script) -> None:
    """Create a bare repository from a script."""
    environment = os.environ | QUIET
    command = git(folder, "init", "--quiet", "--bare", "-b", "main")
    subprocess.run(command, env=environment, check=True)  # noqa: S603 - a command of git
    command = git(folder, "fast-import", "--quiet", "--force", "--done")
    with subprocess.Popen(  # noqa: S603 - a command of git
        command, env=environment, stdin=subprocess.PIPE
    ) as importing:
        if importing.stdin is not None:
            for piece in script.stream():
                importing.stdin.write(piece)
    if importing.returncode:
        raise RuntimeError("git has not made the repository")


def measure(folder: Path, rounds: int) -> None:
    """Measure alternately, and print whether the goal is met."""

    def log(*options: str) -> None:
        subprocess.run(  # noqa: S603 - a command of git
            git(folder, "--no-pager", "log", *options, "main"),
            env=os.environ | QUIET,
            stdout=subprocess.DEVNULL,
            check=True,
        )

    def whole(dates: Dates) -> bytes:
        read = read_history(folder, "main", dates=dates, zone="Europe/Berlin")
        return encode(build(read, SETTINGS, generated_at=0).snapshot)

    measured = compare(
        {
            "git log --name-only": lambda: log("--name-only"),
            "sitedata: read_history": lambda: read_history(folder, "main", zone="Europe/Berlin"),
            "sitedata: read, build, encode": lambda: whole("last-touched"),
            "sitedata: the same, first-added": lambda: whole("first-added"),
        },
        rounds,
    )
    show("from a repository to its snapshot", measured)
    base, _, built, _ = measured
    ratio = built.median / base.median
    print(f"  goal {GOAL}: {'met' if ratio <= GOAL else 'missed'} ({ratio:.3f})")


def main() -> None:
    """Create the repository and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--commits", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(f"making {asked.files} files in {asked.commits} commits")
        make(Path(folder), Script(tuple(history(asked.files, asked.commits))))
        measure(Path(folder), asked.rounds)


if __name__ == "__main__":
    main()
