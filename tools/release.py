"""Cut a release, and try its archives as a user would; docs/maintainers.md has the order.

    python tools/release.py cut 1.0.0 2026-12-01
    python tools/release.py try dist
    python tools/release.py lowest > lowest.txt

`cut` writes the heading of the changelog and the version in CITATION.cff, and before the first
release removes the repository from every `pip install` line.  `try` installs wheel and source
archive with all extras of the commands in empty folders, by each interpreter on this machine, and
runs what they install; the environment of the last stays in build/installed.  `lowest` prints
constraints: the lowest versions that the metadata allow.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

_PROJECT: Final = Path(__file__).parents[1]
_INSTALLED: Final = _PROJECT / "build/installed"
_UNRELEASED: Final = "## Unreleased\n"
_NOTHING_YET: Final = "\nNothing has been released yet.\n"
_SOURCE: Final = re.compile(r" @ git\+https://github\.com/status-contracts/status-contracts(?=')")
_OF_DEVELOPERS: Final = {"docs", "testing"}
_TESTED: Final = re.compile(r"Python :: (3\.\d+)$")
_REQUIREMENT: Final = re.compile(r"([\w-]+)>=([\w.]+)")


def cut(version: str, date: str) -> None:
    """Write a release's version and date where people read them.

    Raises:
        SystemExit: the version or date has another form, is in the changelog already, or there is
            nothing to release.

    """
    if not re.fullmatch(r"\d+\.\d+\.\d+", version) or not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        sys.exit("cut: give the version as 1.0.0 and the date as 2026-12-01")
    changelog = _PROJECT / "CHANGELOG.md"
    text = changelog.read_text("utf-8").replace(_NOTHING_YET, "", 1)
    if f"\n## {version} " in text:
        sys.exit(f"cut: CHANGELOG.md has {version} already")
    before, _, entries = text.partition(_UNRELEASED)
    if not entries.strip() or entries.lstrip().startswith("## "):
        sys.exit("cut: CHANGELOG.md has no entry below Unreleased")
    changelog.write_text(f"{before}{_UNRELEASED}\n## {version} - {date}\n{entries}", "utf-8")
    citation = _PROJECT / "CITATION.cff"
    text = re.sub(r"(?m)^(version|date-released): .*\n", "", citation.read_text("utf-8"))
    head, licence, tail = text.partition("license: ")
    citation.write_text(
        f"{head}version: {version}\ndate-released: {date}\n{licence}{tail}", "utf-8"
    )
    for page in _pages():
        page.write_text(_SOURCE.sub("", page.read_text("utf-8")), "utf-8")
    print(f"Commit as `release: {version}`, tag it `v{version}`, and run `make dist`.")


def _pages() -> Iterator[Path]:
    """Yield what shows `pip install` lines."""
    yield _PROJECT / "README.md"
    for path in sorted(_PROJECT.glob("docs/**/*.md")) + sorted(_PROJECT.glob("examples/**/*")):
        if path.suffix in {".md", ".yml"}:
            yield path


def try_archives(folder: Path) -> None:
    """Install each archive by each interpreter and run what it installs.

    Raises:
        SystemExit: a command failed, or nothing was tried.

    """
    archives = sorted([*folder.resolve().glob("*.tar.gz"), *folder.resolve().glob("*.whl")])
    if {archive.suffix for archive in archives} != {".gz", ".whl"}:
        sys.exit(f"try: {folder} needs a wheel and a source archive; `make dist` builds them")
    tried = 0
    for version in _tested_versions():
        found = subprocess.run(
            [_PROJECT / "tools/find_python.sh", version],
            check=False,
            capture_output=True,
            text=True,
        )
        if found.returncode:
            print(f"python{version} was not found: nothing is tried by it")
            continue
        for archive in archives:
            shutil.rmtree(_INSTALLED, ignore_errors=True)
            _run([found.stdout.strip(), "-m", "venv", _INSTALLED], _PROJECT)
            _try(archive, _INSTALLED / "bin")
            print(f"python{version}: {archive.name} works", flush=True)
            tried += 1
    if not tried:
        sys.exit(f"try: install one of Python {', '.join(_tested_versions())}: none was found")


def lowest() -> Iterator[str]:
    """Yield the lowest version of each package that the metadata name, a constraint each."""
    needed = [*_project()["dependencies"]]
    for extra in _extras():
        needed += _project()["optional-dependencies"][extra]
    for each in needed:
        if match := _REQUIREMENT.match(each):
            yield f"{match[1]}=={match[2]}"


def _project() -> dict[str, Any]:
    text = (_PROJECT / "pyproject.toml").read_text("utf-8")
    project: dict[str, Any] = tomllib.loads(text)["project"]
    return project


def _extras() -> list[str]:
    return [name for name in _project()["optional-dependencies"] if name not in _OF_DEVELOPERS]


def _tested_versions() -> Iterator[str]:
    return (match[1] for each in _project()["classifiers"] if (match := _TESTED.search(each)))


def _try(archive: Path, commands: Path) -> None:
    """Install an archive with its extras, and run its commands on what they bring themselves."""
    extras = ",".join(_extras())
    _run([commands / "pip", "install", "--quiet", f"{archive}[{extras}]"], commands)
    _run([commands / "pip", "check"], commands)
    for name in ("devicestatus", "healthapi", "sitedata"):
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
    match sys.argv[1:]:
        case ["cut", version, date]:
            cut(version, date)
        case ["try", folder]:
            try_archives(Path(folder))
        case ["lowest"]:
            print(*lowest(), sep="\n")
        case _:
            sys.exit(__doc__)
