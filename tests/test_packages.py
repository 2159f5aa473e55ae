"""The public names of the packages, and the modules that importing them loads."""

import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

import devicestatus
import healthapi
import sitedata

PACKAGES = (devicestatus, healthapi, sitedata)
SUBMODULES = [
    found.name
    for package in PACKAGES
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if ".adapters" not in found.name and ".testing" not in found.name
]
LATE = {
    *("msgspec", "cattrs", "ada_url", "json"),
    *("devicestatus.http.service", "devicestatus.player.player", "devicestatus.agent.recorder"),
    *("devicestatus.rendering.timeline", "devicestatus.models.responses"),
}
"""Modules that are slow to import, and are imported on first use."""


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
class TestPackage:
    def test_dir_shows_the_public_names_only(self, package: ModuleType) -> None:
        assert dir(package) == sorted(package.__all__)

    def test_every_public_name_is_bound(self, package: ModuleType) -> None:
        assert package.__all__
        assert [name for name in package.__all__ if not hasattr(package, name)] == []

    def test_other_names_are_no_attributes(self, package: ModuleType) -> None:
        with pytest.raises(AttributeError, match=f"{package.__name__}.*'no_such_name'"):
            _ = package.no_such_name


def test_a_star_import_binds_public_names_only() -> None:
    assert [fault for name in SUBMODULES for fault in star_import_faults(name)] == []


def star_import_faults(name: str) -> Iterator[str]:
    """Yield public names that a star import leaves out, and other names that it binds."""
    bound: dict[str, object] = {}
    star = compile(f"from {name} import *", name, "exec")
    exec(star, bound)  # noqa: S102 - the statement that a user writes
    listed = getattr(importlib.import_module(name), "__all__", ())
    others = {key: value for key, value in bound.items() if key not in listed}
    others.pop("__builtins__")
    yield from (f"{name}.{key} is missing" for key in listed if key not in bound)
    yield from (
        f"{name}.{key} is not public"
        for key, value in others.items()
        if not isinstance(value, ModuleType)
    )


def test_importing_devicestatus_imports_no_parser_no_service_and_no_timeline() -> None:
    code = (
        "import sys, devicestatus; from purewire.svg import text;"
        "print(text._advances.cache_info().currsize, *sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    tables_read, *loaded = done.stdout.split()
    assert tables_read == "0"
    assert LATE & set(loaded) == set()
