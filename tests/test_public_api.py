"""The public API is recorded, so that a change of it shows in a review."""

import importlib.util
from pathlib import Path
from typing import Any

TOOL = Path(__file__).parents[1] / "tools" / "public_api.py"


def tool() -> Any:
    spec = importlib.util.spec_from_file_location("public_api", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_record_is_that_of_the_code() -> None:
    """After an intended change: `python tools/public_api.py --write`."""
    found = tool()
    assert found.public_api().splitlines() == found.RECORD.read_text("utf-8").splitlines()
