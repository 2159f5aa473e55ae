"""Pictures that are recorded in `tests/data`, one tag a line, so that a change can be read.

`RECORD_PICTURES=1 pytest FILE` records those of a file anew; read the difference before committing.
"""

import os
from pathlib import Path
from typing import Final

DATA: Final = Path(__file__).parents[2] / "data"


def assert_recorded(folder: str, name: str, svg: bytes) -> None:
    """Compare an image with the recorded one, tag by tag."""
    path = DATA / folder / f"{name}.svg"
    lines = svg.decode().replace(">", ">\n")  # texts have no `>` and no line feed
    if "RECORD_PICTURES" in os.environ:
        path.parent.mkdir(exist_ok=True)
        path.write_text(lines, "utf-8")
    assert lines.splitlines() == path.read_text("utf-8").splitlines()
