"""Public names that are imported when they are first used."""

import subprocess
import sys
from types import ModuleType

import pytest

import devicestatus
from purewire.exports import exporting

HOMES = {"string": "digits punctuation", "purewire.absent": "ABSENT"}


def package() -> ModuleType:
    found = ModuleType("package")
    vars(found)["__getattr__"], vars(found)["__dir__"] = exporting(vars(found), HOMES)
    return found


class TestExporting:
    def test_a_name_is_that_of_its_home(self) -> None:
        assert package().digits == "0123456789"

    def test_it_is_kept(self) -> None:
        found = package()
        assert "digits" not in vars(found)
        assert found.digits is vars(found)["digits"]

    def test_an_unknown_name_is_no_attribute(self) -> None:
        with pytest.raises(AttributeError, match="module 'package' has no attribute 'letters'"):
            _ = package().letters

    def test_all_names_are_listed(self) -> None:
        assert {"digits", "punctuation", "ABSENT", "__name__"} <= set(dir(package()))


class TestDeviceStatus:
    def test_every_public_name_is_there(self) -> None:
        for name in devicestatus.__all__:
            assert getattr(devicestatus, name) is not None
        assert set(devicestatus.__all__) <= set(dir(devicestatus))

    def test_importing_it_imports_no_door(self) -> None:
        """Invariant *importing a package costs nothing*."""
        look = "import sys, devicestatus; print(*sorted(sys.modules))"
        shown = subprocess.run(
            [sys.executable, "-c", look], capture_output=True, text=True, check=True
        ).stdout.split()
        ours = [name for name in shown if name.startswith(("devicestatus.", "purewire."))]
        assert ours == ["purewire.exports"]
        assert not {"attrs", "msgspec", "cattrs", "ada_url"} & set(shown)
