"""Who asks for help has it at once, and it is the help that the parser would write."""

import importlib
import subprocess
import sys
from types import ModuleType

import pytest

from purewire.adapters.commands.starting import start

PRODUCTS = ("devicestatus", "healthapi", "sitedata")
NAME = "arguments_made_for_a_test"


class TestStart:
    @pytest.mark.parametrize("asked", ["-h", "--help"])
    def test_help_alone_is_the_text(
        self, asked: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(sys, "argv", ["it", asked])
        assert start("how to\n", "no_such_module") == 0
        assert capsys.readouterr() == ("how to\n", "")

    @pytest.mark.parametrize("given", [[], ["--version"], ["serve", "--help"], ["--help", "serve"]])
    def test_all_else_is_for_the_module(
        self, given: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        module = ModuleType(NAME)
        setattr(module, "main", lambda: 7)  # noqa: B010 - a module has no such attribute by type
        monkeypatch.setitem(sys.modules, NAME, module)
        monkeypatch.setattr(sys, "argv", ["it", *given])
        assert start("how to\n", NAME) == 7


class TestHelp:
    @pytest.mark.parametrize("product", PRODUCTS)
    def test_it_is_what_the_parser_writes(
        self, product: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("COLUMNS", "80")
        module = importlib.import_module(f"{product}.adapters.cli")
        with pytest.raises(SystemExit) as ended:
            module.main(["--help"])
        assert ended.value.code == 0
        written = capsys.readouterr().out
        assert written == importlib.import_module(f"status_contracts.{product}").HELP

    @pytest.mark.parametrize("product", PRODUCTS)
    def test_it_imports_next_to_nothing(self, product: str) -> None:
        """No parser, no expressions, and none of the libraries."""
        code = (
            f"import sys; sys.argv = ['it', '--help']; from status_contracts.{product} import main;"
            " main(); print(*sys.modules, file=sys.stderr)"
        )
        done = subprocess.run(
            [sys.executable, "-S", "-c", code],
            env={"PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == importlib.import_module(f"status_contracts.{product}").HELP
        heavy = {"argparse", "re", "typing", "attrs", "attr", "msgspec", "cattrs"}
        assert heavy.isdisjoint(done.stderr.split())
