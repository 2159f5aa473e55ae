"""What this process leaves open in a folder; threads of other tests open files elsewhere."""

import time
from pathlib import Path

_SECONDS = 10
"""Time for a thread that reads there to end."""


def left_open(folder: Path) -> list[str]:
    """Return the paths in a folder, and of it, that this process has open and does not close."""
    deadline = time.monotonic() + _SECONDS
    while (paths := _opened(folder)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return paths


def _opened(folder: Path) -> list[str]:
    paths = []
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            paths.append(str(descriptor.readlink()))
        except FileNotFoundError:  # closed since it was listed, as the one for listing is
            continue
    return [path for path in paths if path.startswith(str(folder))]
