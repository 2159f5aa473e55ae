"""Settings that every test shares; the documentation's examples are run as they stand."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

pytest_plugins = ["watching"]

settings.register_profile(
    "default",
    deadline=None,  # the machines are shared: a slow example is no failure
    derandomize=True,
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "campaign", settings.get_profile("default"), derandomize=False, max_examples=1000
)
settings.load_profile("default")


@pytest.fixture(scope="module")
def folder_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Run the examples of a page in an empty folder, for they may write files."""
    folder: Path = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield folder


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), SkipParser()],
    pattern="*.md",
    fixtures=["folder_of_its_own"],
).pytest()
