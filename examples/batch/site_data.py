"""The site-data files of many repositories, on all cores of this machine.

    python site_data.py repositories public --workers 2

`repositories` is a folder of clones; of each one `public/NAME.json` is written, with the settings
of its own `site-data.toml`.  Each process holds one repository at a time and returns only a digest.
A repository that cannot be built is named on stderr, its old file stays, and the others are built;
the exit status is then 1.
"""

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import attrs

from sitedata import BuildSettings, SettingsError, build, encode
from sitedata.adapters.files import read_config
from sitedata.adapters.git import RepositoryError, history_of, opened, read_settings_text


@attrs.frozen
class Result:
    """A repository: the digest of its file, or why there is none."""

    name: str
    problems: int = 0
    digest: str = ""
    error: str = ""


def build_file(target: Path, now: int, repository: Path) -> Result:
    """Build the file of one repository."""
    try:
        with opened(repository) as at:
            text = read_settings_text(at)
            settings = BuildSettings() if text is None else read_config(text)
            history = history_of(at, settings)
        built = build(history, settings, generated_at=now)
    except (RepositoryError, SettingsError) as error:
        return Result(repository.name, error=str(error))
    body = encode(built.snapshot)
    new = target / f"{repository.name}.json.new"
    new.write_bytes(body)
    new.replace(target / f"{repository.name}.json")
    digest = hashlib.sha256(body).hexdigest()
    return Result(repository.name, len(built.snapshot.problems), digest)


def build_all(repositories: Iterable[Path], target: Path, now: int, workers: int) -> list[Result]:
    """Build the files of repositories in processes; with 0 workers in this one."""
    task = partial(build_file, target, now)
    if workers == 0:
        return list(map(task, repositories))
    with ProcessPoolExecutor(workers) as pool:
        return list(pool.map(task, repositories))


def main() -> int:
    """Build all files, name what failed, and print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", type=Path, help="folder of clones")
    parser.add_argument("target", type=Path, help="folder of the files")
    parser.add_argument("--now", type=int, default=time.time_ns() // 10**6, help="ms since 1970")
    parser.add_argument("--workers", type=int, default=2, help="processes; 0 for this one alone")
    given = parser.parse_args()
    given.target.mkdir(parents=True, exist_ok=True)
    folders = sorted(path for path in given.repositories.iterdir() if path.is_dir())
    start = time.perf_counter()
    results = build_all(folders, given.target, given.now, given.workers)
    seconds = round(time.perf_counter() - start, 2)
    failed = [each for each in results if each.error]
    for each in failed:
        sys.stderr.write(f"{each.name}: {each.error}\n")
    report = {
        "built": len(results) - len(failed),
        "problems": sum(each.problems for each in results),
        "failed": [each.name for each in failed],
        "seconds": seconds,
    }
    sys.stdout.write(json.dumps(report) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
