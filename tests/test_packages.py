"""The public names of the packages, the modules that importing them loads, and the archives."""

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Final

import pytest

import devicestatus
import healthapi
import sitedata

PROJECT: Final = Path(__file__).parents[1]
PACKAGES = (devicestatus, healthapi, sitedata)
SUBMODULES = [
    found.name
    for package in PACKAGES
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if ".adapters" not in found.name and ".testing" not in found.name
]
LATE = {
    *("attrs", "msgspec", "cattrs", "can_ada", "importlib.metadata", "json"),
    *("devicestatus.service", "devicestatus.player", "devicestatus.agent.recorder"),
    *("devicestatus.timeline", "devicestatus.responses", "devicestatus.models"),
}
"""Modules that are slow to import, and are imported on first use."""


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
class TestPackage:
    def test_dir_shows_the_public_names_only(self, package: ModuleType) -> None:
        assert dir(package) == sorted(package.__all__)

    def test_every_public_name_is_bound(self, package: ModuleType) -> None:
        assert package.__all__
        assert [name for name in package.__all__ if not hasattr(package, name)] == []

    def test_the_version_is_that_of_the_metadata(self, package: ModuleType) -> None:
        assert package.__version__ == version("status-contracts")
        assert "__version__" not in dir(package)

    def test_other_names_are_no_attributes(self, package: ModuleType) -> None:
        with pytest.raises(AttributeError, match=f"{package.__name__}.*'no_such_name'"):
            _ = package.no_such_name


@pytest.mark.parametrize("package", [devicestatus, healthapi, sitedata])
def test_late_names_are_those_that_type_checkers_see(package: ModuleType) -> None:
    """They are imported late, from the first of some modules that has such a name."""
    source = Path(str(package.__file__)).read_text("utf-8")
    block = next(node for node in ast.parse(source).body if isinstance(node, ast.If))
    pairs = [
        (node.module or "", alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    assert len(pairs) > 2
    for module, name in pairs:
        assert getattr(package, name) is getattr(importlib.import_module(module), name)


def test_a_star_import_binds_public_names_only() -> None:
    listed = [name for name in SUBMODULES if hasattr(importlib.import_module(name), "__all__")]
    assert [fault for name in listed for fault in star_import_faults(name)] == []


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


def test_importing_devicestatus_imports_no_model_no_parser_no_service_and_no_timeline() -> None:
    code = (
        "import sys, devicestatus; from status_contracts.svg import text;"
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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", folder],
        cwd=PROJECT,
        capture_output=True,
        check=True,
    )
    return folder


@pytest.mark.check
class TestArchives:
    """The wheel and the source archive, built as for a release."""

    @pytest.fixture
    def wheel(self, folder: Path) -> Iterator[zipfile.ZipFile]:
        (path,) = folder.glob("*.whl")
        with zipfile.ZipFile(path) as archive:
            yield archive

    @pytest.fixture
    def metadata(self, wheel: zipfile.ZipFile) -> Message:
        (name,) = (each for each in wheel.namelist() if each.endswith(".dist-info/METADATA"))
        return message_from_bytes(wheel.read(name))

    def test_every_package_of_the_wheel_is_typed(self, wheel: zipfile.ZipFile) -> None:
        names = {PurePosixPath(name) for name in wheel.namelist()}
        packages = {name.parts[0] for name in names if name.name == "__init__.py"}
        beside = {"status_contracts", "status_agent", "health_import"}
        assert packages == {package.__name__ for package in PACKAGES} | beside
        assert {name.parts[0] for name in names if name.name == "py.typed"} == packages

    def test_each_archive_has_the_licences_of_its_files(
        self, wheel: zipfile.ZipFile, metadata: Message, folder: Path
    ) -> None:
        """Data of others are in the source archive only, and their licences with them."""
        expected = {"LICENSE", "src/devicestatus/app_icons/CREDITS.md"}
        assert metadata["License-Expression"] == "MIT AND CC0-1.0"
        assert {*(metadata.get_all("License-File") or ())} == expected
        licences = {name.partition("/licenses/")[2] for name in wheel.namelist()}
        assert licences - {""} == expected
        assert [name for name in wheel.namelist() if "corpora" in name or "lifesnaps" in name] == []
        corpora = PROJECT.glob("tests/data/corpora/LICENSES/*")
        beside = {"examples/lifesnaps/README.md"}
        beside |= {each.relative_to(PROJECT).as_posix() for each in corpora}
        (path,) = folder.glob("*.tar.gz")
        with tarfile.open(path) as source:
            assert expected | beside <= {name.partition("/")[2] for name in source.getnames()}

    def test_metadata_name_the_tested_versions(self, metadata: Message) -> None:
        classifiers = metadata.get_all("Classifier") or ()
        versions = re.findall(r"Python :: (3\.\d+)", "\n".join(classifiers))
        matrix = (PROJECT / ".github/workflows/ci.yml").read_text("utf-8")
        assert versions == re.findall(r'"(3\.\d+)"', matrix)
        assert any(each.startswith("Topic ::") for each in classifiers)
        assert any(each.startswith("Framework ::") for each in classifiers)


def test_the_build_backend_is_one_that_keeps_licences() -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
    assert "hatchling>=1.27" in settings["build-system"]["requires"]


@pytest.mark.parametrize("path", sorted(PROJECT.glob(".github/workflows/*.yml")), ids=str)
def test_actions_are_pinned_by_hash_with_their_version(path: Path) -> None:
    text = path.read_text("utf-8")
    pinned = re.findall(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", text, re.MULTILINE)
    assert len(pinned) == text.count("uses:") > 0


def test_a_release_is_tested_installed_and_tagged_with_its_version() -> None:
    text = (PROJECT / ".github/workflows/release.yml").read_text("utf-8")
    steps = ["run: make test", "run: make lowest", "run: make dist", "dist/status_contracts-${TAG"]
    places = [text.index(step) for step in [*steps, "gh-action-pypi-publish", "trivy", "--push"]]
    assert places == sorted(places)


def test_a_folder_without_both_archives_cannot_be_tried(tmp_path: Path) -> None:
    (tmp_path / "one.whl").touch()
    command = [sys.executable, str(PROJECT / "tools/try_archives.py"), str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "needs a wheel and a source archive; `make dist` builds them" in ended.stderr
