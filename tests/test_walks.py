"""How many modules a reader of the source opens to follow one fact (`tools/walks.py`)."""

from pathlib import Path

import pytest
from walks import LIMITS, entered, walks


@pytest.mark.parametrize("way", LIMITS)
def test_a_way_enters_no_more_modules_than_the_table_says(way: str, tmp_path: Path) -> None:
    modules = entered(walks(tmp_path)[way])
    assert len(modules) <= LIMITS[way], modules


def test_a_module_counts_once_and_only_if_a_function_of_it_runs(tmp_path: Path) -> None:
    modules = entered(walks(tmp_path)["GET /api/now"])
    assert len(set(modules)) == len(modules)
    assert {"devicestatus/service.py", "devicestatus/state.py"} <= set(modules)
    assert not {"devicestatus/models.py", "devicestatus/projection.py"} & set(modules)
