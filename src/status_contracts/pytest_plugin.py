"""Options of pytest that test a deployment; imports nothing else until one of them is given.

pytest --devicestatus-url https://status.example --devicestatus-write
"""

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Final

import pytest

_PRODUCTS: Final[Mapping[str, str]] = {
    "devicestatus": "a device status service",
    "healthapi": "a health data service",
    "sitedata": "a site-data file or service",
}
_WRITING: Final = "devicestatus"
"""The product with a write endpoint and deadlines."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of all products."""
    group = parser.getgroup("conformance", "conformance of deployments (status-contracts)")
    for product, words in _PRODUCTS.items():
        group.addoption(f"--{product}-url", metavar="URL", help=f"test {words} at this base URL")
    group.addoption(
        f"--{_WRITING}-token-env",
        metavar="NAME",
        default="INGEST_TOKEN",
        help="environment variable with the ingest token (INGEST_TOKEN)",
    )
    group.addoption(
        f"--{_WRITING}-write",
        action="store_true",
        help="also replace the present record, for all checks",
    )
    group.addoption(
        f"--{_WRITING}-slow", action="store_true", help="also wait for deadlines, for some minutes"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register a plug-in for each deployment that an option names.

    Raises:
        pytest.UsageError: the options contradict each other, or a URL is none.

    """
    chosen = [product for product in _PRODUCTS if config.getoption(f"{product}_url")]
    if not chosen:
        return
    config.addinivalue_line("markers", "conformance: a check of a deployment (status-contracts)")
    if config.getoption("numprocesses", default=None) or hasattr(config, "workerinput"):
        raise pytest.UsageError(
            f"--{chosen[0]}-url: run the checks without -n; they share one deployment"
        )
    for product in chosen:
        plugin = _url_plugin(config, product)
        config.pluginmanager.register(plugin, f"{product}-conformance")


def _url_plugin(config: pytest.Config, product: str) -> object:
    # Both are slow to import.
    conformance = import_module("purewire.testing.conformance")
    checks = import_module("purewire.conformance.checks")
    token = None
    write = slow = False
    if product == _WRITING:
        name = config.getoption(f"{product}_token_env")
        token = os.environ.get(name) or None
        write, slow = config.getoption(f"{product}_write"), config.getoption(f"{product}_slow")
        if write and token is None:
            raise pytest.UsageError(
                f"--{product}-write needs the ingest token: the environment variable {name} is not"
                f" set; --{product}-token-env names another"
            )
    arguments = checks.Arguments(has_token=token is not None, write=write, slow=slow)
    url = config.getoption(f"{product}_url")
    try:
        return conformance.UrlPlugin(product, url, token, arguments)
    except ValueError as error:
        raise pytest.UsageError(f"--{product}-url: {error}") from error
