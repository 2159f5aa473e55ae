"""Write a large export archive in the form of Google Takeout, to measure time and memory.

PYTHONPATH=tests python -m support.health_import.large_export large.zip --megabytes 500

Half of the bytes are files that the import never opens (heart rate), the others minutes of steps
and calories, thirty days a file, and the daily files of the same years.  Values are made up by a
small linear congruence, so the file is the same each time.
"""

import argparse
import io
import tarfile
import zipfile
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from support.health_import.exports import Export, sleep_record

FIRST: Final = date(2012, 1, 1)
DAYS: Final = 30
_MINUTES: Final = [f"{minute // 60:02}:{minute % 60:02}:00" for minute in range(1440)]


def files(total: int) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of about so many bytes in all."""
    written, seed, day = 0, 1, FIRST
    while written < total:
        dates = [day + timedelta(days=index) for index in range(DAYS)]
        name = day.isoformat()
        export = Export("Takeout/Fitbit")
        steps, calories, beats = [], [], []
        for each in dates:
            written_date = f"{each:%m/%d/%y}"
            for minute in _MINUTES:
                seed = (seed * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
                time = f"{written_date} {minute}"
                walked = (seed >> 16) % 90 if seed & 0x7000 == 0 else 0
                steps.append(_record(time, f'"{walked}"'))
                calories.append(_record(time, f'"{1.1 + walked / 20:.2f}"'))
                beat = f'{{\n    "bpm" : {60 + walked // 3},\n    "confidence" : 2\n  }}'
                beats.append(_record(time, beat))
        export.add(f"Global Export Data/steps-{name}.json", _listed(steps))
        export.add(f"Global Export Data/calories-{name}.json", _listed(calories))
        export.add(f"Global Export Data/heart_rate-{name}.json", _listed(beats * 2))
        levels = {each.isoformat(): (800, 200, 20, 10) for each in dates}
        export.levels(levels, name)
        export.resting(dict.fromkeys(levels, 60.4), name)
        nights = [sleep_record(each, int(each.replace("-", ""))) for each in levels]
        export.sleeps(*nights, name=name)
        export.hrv(dict.fromkeys(levels, 33.1), f"{name[:7]}-({name[8:]})")
        export.nights([(f"{each}T05:00:00", "+02:00") for each in levels], name)
        for path, data in export.files.items():
            written += len(data)
            yield path, data
        day += timedelta(days=DAYS)


def _record(at: str, value: str) -> str:
    return f'{{\n  "dateTime" : "{at}",\n  "value" : {value}\n}}'


def _listed(records: list[str]) -> str:
    return f"[{','.join(records)}]"


def write(path: Path, total: int) -> int:
    """Write an archive of about so many bytes of content; return the number of bytes."""
    size = 0
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name, data in files(total):
                archive.writestr(name, data)
                size += len(data)
        return size
    with tarfile.open(path, "w:gz", compresslevel=1) as tar:
        for name, data in files(total):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
            size += len(data)
    return size


def main() -> None:
    """Write the archive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--megabytes", type=int, default=500)
    given = parser.parse_args()
    size = write(given.path, given.megabytes * 1_000_000)
    print(f"{given.path}: {size:,} bytes of content in {given.path.stat().st_size:,}")  # noqa: T201


if __name__ == "__main__":
    main()
