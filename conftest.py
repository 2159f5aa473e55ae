"""Settings that every test shares; the documentation's examples are run as they stand.

Coverage counts the examples of each module only.  Laws, simulations, floods of cases and rounds
through real parts are not counted: a line that only they reach has no example yet, and counting
makes them three times as slow.
"""

import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

pytest_plugins = ["support.checks.response_watch"]

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
settings.register_profile("few", settings.get_profile("default"), max_examples=5)
settings.load_profile("default")


UNCOUNTED_FOLDERS: Final = {"property", "simulation"}
UNCOUNTED: Final = {
    "test_buffered_agent",
    "test_chart_render",
    "test_corpora",
    "test_damaged_records",
    "test_door",
    "test_failing_calls",
    "test_growth",
    "test_health_facts",
    "test_home_in_browser",
    "test_interpreters",
    "test_killed_writers",
    "test_openapi",
    "test_player_js",
    "test_read_doors",
    "test_refusal_costs",
    "test_refusal_memory",
    "test_service_under_faults",
    "test_site_story",
    "test_slow_stores",
    "test_soak",
    "test_sockets",
}


CORE_FOLDERS: Final = {"purewire", "devicestatus", "healthapi", "sitedata", "property"}
NOT_CORE: Final = {
    *UNCOUNTED - {"test_chart_render", "test_corpora", "test_door", "test_health_facts"},
    "test_app_icon_set",
    "test_badge_render",
    "test_capture_backends",
    "test_capture_desktop",
    "test_checkpoint_file",
    "test_cli",
    "test_demo",
    "test_hanging_stores",
    "test_health_apps",
    "test_health_cli",
    "test_health_demo",
    "test_fetch",
    "test_git",
    "test_git_history",
    "test_timeline",
    "test_leaving",
    "test_probes",
    "test_processes_at_once",
    "test_service_apps",
    "test_site",
    "test_site_apps",
    "test_site_cli",
    "test_site_files",
    "test_starting",
    "test_store_faults",
    "test_store_machine",
    "test_stores",
}
"""Modules that start processes or browsers, or measure costs; the other interpreters leave them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave laws and floods out of coverage; mark the tests of the core."""
    for item in items:
        folder, module = item.path.parent.name, item.path.stem
        if folder in UNCOUNTED_FOLDERS or module in UNCOUNTED:
            item.add_marker("uncounted")
        if folder in CORE_FOLDERS and module not in NOT_CORE:
            item.add_marker("core")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run without a tracer what is not counted; pytest-cov's own marker fails in workers."""
    if item.get_closest_marker("uncounted") is None:
        return (yield)
    here, in_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(here)
        threading.settrace(in_threads)


@pytest.fixture(scope="module")
def folder_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Run the examples of a page in an empty folder, for they may write files."""
    folder: Path = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield folder


@pytest.fixture(scope="module")
def serve_with_token() -> Iterator[Callable[[Any, str], None]]:
    """Serve an application of a page for the examples that follow; they find it by STATUS_URL."""
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())

        def serve(app: Any, token: str) -> None:  # noqa: ANN401 - any ASGI application
            # `tests` is on the path only once pytest has read its configuration.
            servers = import_module("servers")
            patch.setenv("STATUS_URL", stack.enter_context(servers.serve_asgi(app)))
            patch.setenv("INGEST_TOKEN", token)

        yield serve


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), SkipParser()],
    pattern="*.md",
    fixtures=["folder_of_its_own", "serve_with_token"],
).pytest()
