"""What the conformance suites of all products have in common, and the command of each."""

from pathlib import Path

import pytest

from purewire.adapters.conformance import load_suite
from purewire.adapters.contract import read_contract
from purewire.conformance.run import ExitCode
from support.servers.commands import run

READING = ("healthapi", "sitedata")
"""Products whose checks only read."""
PRODUCTS = ("devicestatus", *READING)


@pytest.mark.parametrize("product", PRODUCTS)
def test_every_check_cites_rules_that_exist(product: str) -> None:
    checks = load_suite(product).checks
    cited = {rule for check in checks for rule in check.rules}
    assert not cited - read_contract(product).rules.keys()
    assert len(cited) > 40
    assert all(check.rules for check in checks)
    assert any(check.writes for check in checks) is (product not in READING)


@pytest.mark.parametrize("product", READING)
def test_help_names_no_option_of_writing(product: str) -> None:
    ended = run("conformance", "--help", module=f"status_contracts.{product}")
    assert ended.code == 0
    assert "--report" in ended.out
    assert "--write" not in ended.out


@pytest.mark.parametrize("product", PRODUCTS)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--only", "nothing"), "no check, group or rule"),
        (("--skip", "nothing"), "no check, group or rule"),
        (("--report", "report.pdf"), "--report report.pdf: the suffix is none of .txt, .json"),
        (("--profile", "half"), "--profile half: the profiles are full"),
        (("--timeout", "soon"), "--timeout"),
    ],
)
def test_wrong_arguments_are_usage_errors(
    product: str, arguments: tuple[str, ...], message: str
) -> None:
    module = f"status_contracts.{product}"
    ended = run("conformance", "http://127.0.0.1:9", *arguments, module=module)
    assert ended.code == ExitCode.USAGE
    assert message in ended.err


@pytest.mark.parametrize("product", PRODUCTS)
def test_another_scheme_is_a_usage_error(product: str) -> None:
    ended = run("conformance", "ftp://127.0.0.1", module=f"status_contracts.{product}")
    assert ended.code == ExitCode.USAGE
    assert "is not a URL like https://status.example" in ended.err


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_deployment_that_cannot_be_reached_is_not_tested(product: str, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    options = ("--report", report)
    ended = run("conformance", "http://127.0.0.1:9", *options, module=f"status_contracts.{product}")
    assert ended.code == ExitCode.NOT_TESTED
    assert "http://127.0.0.1:9 cannot be tested: ConnectionRefusedError" in ended.err
    assert not report.exists()


@pytest.mark.parametrize("product", READING)
def test_the_name_of_a_token_is_ignored_with_a_note(product: str) -> None:
    options = ("--token-env", "NOT_SET")
    ended = run("conformance", "http://127.0.0.1:9", *options, module=f"status_contracts.{product}")
    assert ended.code == ExitCode.NOT_TESTED
    assert "--token-env is ignored: the checks of this product only read" in ended.err
