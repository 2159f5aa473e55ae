"""Settings that all tests share; the examples of the documentation are run as written.

`make test` leaves out the tests marked `check` and the property tests; `make check` runs them, and
measures coverage by those of `make test` that are not `uncounted`: a line that only a property
reaches has no example yet.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

pytest_plugins = ["support.checks.response_watch", "support.servers.webdriver"]

# A shell that runs `make test &` has its programs ignore Ctrl-C, which tests send.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "default",
    deadline=None,  # the machines are shared: a slow example is no failure
    derandomize=True,
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("quick", settings.get_profile("default"), max_examples=6)
settings.register_profile("more", settings.get_profile("default"), max_examples=60)
settings.register_profile(
    "campaign", settings.get_profile("default"), derandomize=False, max_examples=1000
)
settings.load_profile("default")


CHECK_FOLDERS: Final = {"demonstration", "deployment", "simulation"}
CHECK_MODULES: Final = {
    # browsers, Node, rendered pictures
    "test_badge_render",
    "test_chart_render",
    "test_devices_in_browser",
    "test_health_page_in_browser",
    "test_home_in_browser",
    "test_home_playback_in_browser",
    "test_page_js",
    "test_pages_in_browser",
    "test_player_js",
    "test_practice_in_browser",
    "test_practice_js",
    "test_printed_pages",
    "test_vectors_in_node",
    "test_schemas_validated",
    # real servers, desktops and processes
    "test_buffered_agent",
    "test_buffered_command",
    "test_capture_backends",
    "test_capture_desktop",
    "test_conformance_servers",
    "test_example_types",
    "test_fetch",
    "test_full_disks",
    "test_git",
    "test_git_history",
    "test_git_safety",
    "test_hanging_stores",
    "test_health_apps",
    "test_health_conformance_servers",
    "test_import_processes",
    "test_interpreters",
    "test_killed_builders",
    "test_killed_writers",
    "test_openapi",
    "test_noticed_faults",
    "test_presence",
    "test_private_apps",
    "test_processes_at_once",
    "test_service_under_faults",
    "test_served_products",
    "test_site_apps",
    "test_site_conformance_servers",
    "test_site_end_to_end",
    "test_sockets",
    "test_tls_failures",
    "test_store_faults",
    "test_tutorials",
    # many cases
    "test_corpora",
    "test_damaged_records",
    "test_health_facts",
    "test_large_reads",
    "test_read_only_services",
    "test_slow_stores",
    # cost ratios, memory, load
    "test_growth",
    "test_refusals",
}
"""What only `make check` runs; single tests and classes are marked `check`."""
UNCOUNTED: Final = {
    # they read the sources
    "test_architecture",
    "test_contract_rules",
    "test_documentation",
    "test_pictures",
    # adapters: commands, servers, files, desktops
    "test_agent",
    "test_applications",
    "test_capture",
    "test_capture_macos",
    "test_check_reports",
    "test_cli",
    "test_default_pages",
    "test_folder",
    "test_folder_waiting",
    "test_health_cli",
    "test_import_archives",
    "test_import_lifesnaps",
    "test_push",
    "test_schema_commands",
    "test_site_files",
    "test_stdout",
    "test_toml_text",
    "test_wsgi",
    # many cases, or large ones
    "test_built_repositories",
    "test_damaged_profiles",
    "test_dashboard",
    "test_history",
}
"""Modules that coverage does not count; what they run of the core has examples elsewhere.

Single tests and classes are marked `uncounted`.
"""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import the modules of which `make test` or `make check` would run no test."""
    chosen = config.option.markexpr
    if collection_path.is_dir() or not chosen.startswith(("check", "not check")):
        return None  # leaves the decision to others
    if _is_check(collection_path):
        return None if chosen == "check" else True
    if chosen == "check" and b"pytest.mark.check" not in collection_path.read_bytes():
        return True
    return None


def _is_check(path: Path) -> bool:
    """Check whether only `make check` runs the tests of a file."""
    return path.parent.name in CHECK_FOLDERS or path.stem in CHECK_MODULES


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that only `make check` runs, and those that coverage does not count."""
    for item in items:
        if _is_check(item.path):
            item.add_marker("check")
        if item.path.parent.name == "property" or item.path.stem in UNCOUNTED:
            item.add_marker("uncounted")


@pytest.fixture(scope="session", autouse=True)
def _no_settings_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let the commands find no settings of the user who runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield


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
            servers = import_module("support.servers.servers")
            patch.setenv("STATUS_URL", stack.enter_context(servers.serve_asgi(app)))
            patch.setenv("INGEST_TOKEN", token)

        yield serve


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), SkipParser()],
    pattern="*.md",
    excludes=["docs/tutorials/*.md"],  # tests/documentation/test_tutorials.py follows them
    fixtures=["folder_of_its_own", "serve_with_token"],
).pytest()
