"""How many modules a reader of the source opens to follow one fact to where it is read."""

import pytest
from walks import walks

LIMITS = {
    "POST /api/update": 14,
    "GET /api/now": 12,
    "a CSV cell to a point of a chart": 24,
    "a commit to a problem in the file": 26,
}
"""Way to how many modules it may enter."""


@pytest.fixture(scope="module")
def entered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return walks(tmp_path_factory.mktemp("walks"))


@pytest.mark.parametrize("way", LIMITS)
def test_a_way_enters_no_more_modules_than_the_table_says(
    way: str, entered: dict[str, list[str]]
) -> None:
    assert len(entered[way]) <= LIMITS[way], entered[way]


def test_a_module_counts_once_and_only_if_a_function_of_it_runs(
    entered: dict[str, list[str]],
) -> None:
    modules = entered["GET /api/now"]
    assert len(set(modules)) == len(modules)
    assert {"devicestatus/service.py", "devicestatus/state.py"} <= set(modules)
    assert not {"devicestatus/models.py", "devicestatus/projection.py"} & set(modules)
