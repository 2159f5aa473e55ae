"""Fonts that some tests draw or measure with: skipped where missing, required where CI says so."""

import subprocess
from pathlib import Path

import pytest

from support.servers.services import REQUIRED, need

DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")


def need_font(character: str, package: str) -> Path:
    """Return a font that has the character; skip the test, or fail where required."""
    pattern = f":charset={ord(character):x}:scalable=true"
    command = [need("fc-list"), "--format=%{file}\n", pattern]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")
    if listed[0]:
        return Path(DEJAVU if str(DEJAVU) in listed else listed[0])
    message = f"needs a font that has U+{ord(character):04X}, such as {package}"
    if REQUIRED:
        pytest.fail(message)
    pytest.skip(message)
