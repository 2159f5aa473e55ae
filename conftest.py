"""Settings that all tests share; the examples of the documentation are run as written.

`make test` leaves out the tests marked `check` and the property tests; `make check` runs them, and
measures coverage by the others: a line that only a property reaches has no example yet.
"""

import gc
import re
import signal
from collections.abc import Callable, Generator, Iterator
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


CHECK_MODULE: Final = b"\npytestmark = pytest.mark.check\n"
"""The line of a module of which only `make check` runs the tests."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import the modules of which `make test` or `make check` would run no test."""
    chosen = config.option.markexpr
    if collection_path.suffix != ".py" or not re.match("check$|not check", chosen):
        return None  # leaves the decision to others
    source = collection_path.read_bytes()
    unused = b"pytest.mark.check" not in source if chosen == "check" else CHECK_MODULE in source
    return True if unused else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for garbage only among what tests make: among all modules it takes long, and is none."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the folders whose modules take or wait longest: none runs alone at the end."""
    items.sort(key=lambda item: item.path.parent.name not in {"tests", "status_contracts"})


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
