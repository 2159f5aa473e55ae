"""What the three commands have in common: help, version, wrong usage, and what help imports."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from support.servers.commands import CANARY, environment, run

SUBCOMMANDS = {
    "devicestatus": ("agent", "validate", "project", "badge", "timeline", "card", "serve", "push"),
    "healthapi": ("serve", "check", "chart", "page"),
    "sitedata": ("init", "build", "check", "show", "serve", "fetch"),
}
WRONG = {
    "devicestatus": (
        *("", "unknown", "validate", "project", "serve --port x"),
        "validate - --received-at=yesterday",
        "validate - --received-at=253402300800000",
        *("badge", "badge - --at yesterday"),
        "timeline - --theme blue",
        *("agent", "agent --url http://status.example", "agent --url status.example"),
        f"agent --url https://u:{CANARY}@status.example",
        "agent --mode daily",
    ),
    "healthapi": ("", "chart x", "page x", "chart x y --metrics z", "check"),
    "sitedata": (
        *("", "show x --limit -1", "show x --theme dark", "fetch https://x", "build", "init"),
        *("build . --config a --no-config", "check http://example.org/a"),
        f"check https://ada:{CANARY}@example.org/a",
    ),
}
HEAVY = ("httpx2", "uvicorn", "redis", "psutil", "jeepney", "asyncio", "msgspec", "attrs")


@pytest.mark.parametrize("product", SUBCOMMANDS)
def test_help_lists_the_subcommands_and_the_exit_codes(product: str) -> None:
    ended = run("--help", module=f"{product}.cli.main")
    assert (ended.code, ended.err) == (0, "")
    assert "exit codes: 0 done; 1 problems found" in ended.out
    assert "130 interrupted before the end" in " ".join(ended.out.split())
    for name in SUBCOMMANDS[product]:
        assert name in ended.out
        of_command = run(name, "--help", module=f"{product}.cli.main")
        assert of_command.out.startswith(f"usage: {product} {name}")


@pytest.mark.parametrize("product", SUBCOMMANDS)
def test_the_installed_script_prints_the_version(product: str) -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name(product), "--version"], capture_output=True, check=True
    )
    assert done.stdout.decode() == f"{product} {version('status-contracts')}\n"


@pytest.mark.parametrize(
    ("product", "command"),
    [(product, command) for product, commands in WRONG.items() for command in commands],
)
def test_wrong_usage_is_2_and_quotes_no_secret(product: str, command: str) -> None:
    ended = run(*command.split(), module=f"{product}.cli.main", stdin=b"{}")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err


@pytest.mark.parametrize("product", SUBCOMMANDS)
def test_help_imports_nothing_but_the_command_line(product: str) -> None:
    """Whatever the package imports when it is imported, the command does not ask for it."""
    program = (
        "import importlib.util, sys, types\n"
        f"found = importlib.util.find_spec({product!r}).submodule_search_locations\n"
        f"sys.modules[{product!r}] = types.ModuleType({product!r})\n"
        f"sys.modules[{product!r}].__path__ = found\n"
        f"from {product}.cli.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    imported = done.stderr.split()
    assert not [name for name in imported if name.startswith(HEAVY)]
    ours = [name for name in imported if name.startswith((f"{product}.", "status_contracts"))]
    assert sorted(ours) == [
        *(f"{product}.cli", f"{product}.cli.main", "status_contracts", "status_contracts.cli"),
        *("status_contracts.cli.arguments", "status_contracts.cli.exit_codes"),
        "status_contracts.cli.main",
    ]
