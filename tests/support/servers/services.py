"""Programs that some tests need: skipped where they are missing, required where CI says so."""

import os
import shutil

import pytest

REQUIRED = os.environ.get("STATUS_CONTRACTS_REQUIRE_SERVICES") == "1"


def need(*programs: str) -> str:
    """Return the path of the first program that is there; skip the test, or fail where required."""
    for program in programs:
        path = shutil.which(program)
        if path is not None:
            return path
    message = f"needs {' or '.join(programs)}"
    if REQUIRED:
        pytest.fail(message)
    pytest.skip(message)
