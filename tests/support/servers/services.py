"""Programs and Node packages of some tests: skipped if missing, required where CI says so."""

import os
import shutil
from pathlib import Path

import pytest

REQUIRED = os.environ.get("STATUS_CONTRACTS_REQUIRE_SERVICES") == "1"
NODE_PACKAGES = Path(__file__).parents[3] / "build" / "node" / "node_modules"


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


def node_package(name: str) -> Path:
    """Return the folder of a package for Node; skip the test, or fail where it is required."""
    folder = NODE_PACKAGES / name
    if not folder.is_dir():
        message = f"needs {name}: npm install --prefix build/node --no-save {name}"
        if REQUIRED:
            pytest.fail(message)
        pytest.skip(message)
    return folder
