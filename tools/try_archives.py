"""Try the archives of a release as a user would: `python tools/try_archives.py dist`.

Each is installed with all extras of the commands into an empty folder, by each interpreter on this
machine, and what it installs is run; the environment of the last stays in build/installed.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

_PROJECT: Final = Path(__file__).parents[1]
_INSTALLED: Final = _PROJECT / "build/installed"
_OF_DEVELOPERS: Final = {"docs", "testing"}
_TESTED: Final = re.compile(r"Python :: (3\.\d+)$")


def try_archives(folder: Path) -> None:
    """Install each archive by each interpreter and run what it installs.

    Raises:
        SystemExit: a command failed, or nothing was tried.

    """
    archives = sorted([*folder.resolve().glob("*.tar.gz"), *folder.resolve().glob("*.whl")])
    if {archive.suffix for archive in archives} != {".gz", ".whl"}:
        sys.exit(f"{folder} needs a wheel and a source archive; `make dist` builds them")
    project = tomllib.loads((_PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    versions = [match[1] for each in project["classifiers"] if (match := _TESTED.search(each))]
    shutil.rmtree(_INSTALLED, ignore_errors=True)
    for version in versions:
        find = [Path(sys.executable).with_name("uv"), "python", "find", "--system", version]
        found = subprocess.run(find, check=False, capture_output=True, text=True)
        if found.returncode:
            print(f"python{version} was not found: nothing is tried by it")
            continue
        for archive in archives:
            shutil.rmtree(_INSTALLED, ignore_errors=True)
            _run([found.stdout.strip(), "-m", "venv", _INSTALLED], _PROJECT)
            _try(archive, project, _INSTALLED / "bin")
            print(f"python{version}: {archive.name} works", flush=True)
    if not _INSTALLED.exists():
        sys.exit(f"install one of Python {', '.join(versions)}: none was found")


def _try(archive: Path, project: dict[str, Any], commands: Path) -> None:
    """Install an archive with its extras, and run its commands on what they bring themselves."""
    extras = ",".join(project["optional-dependencies"].keys() - _OF_DEVELOPERS)
    _run([commands / "pip", "install", "--quiet", f"{archive}[{extras}]"], commands)
    _run([commands / "pip", "check"], commands)
    for name in project["scripts"]:
        _run([commands / name, "--version"], commands)
        _run([commands / name, "vectors", "-o", f"vectors-{name}"], commands)
        _run([commands / name, "schema", "--list"], commands)
    built = ("--owner", "example", "--name", "practice", "-o", "practice.json")
    _run([commands / "sitedata", "build", _PROJECT, *built], commands)


def _run(command: Sequence[str | Path], folder: Path) -> None:
    done = subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}{' '.join(map(str, command))} failed")


if __name__ == "__main__":
    try_archives(Path(sys.argv[1]))
