"""The subcommand `conformance` of all products: test a deployment over HTTP."""

import os
from argparse import Namespace
from collections import Counter
from typing import TypeVar

from purewire.adapters.commands.exit_codes import CANNOT, USAGE, Failed
from purewire.adapters.commands.progress import show_progress
from purewire.adapters.commands.reports import check_report_names, write_reports
from purewire.adapters.commands.terminal import echo, echo_error, write
from purewire.adapters.conformance.over_http import OverHttp
from purewire.adapters.conformance.suites import load_suite
from purewire.conformance.checks import Arguments, NotTestable, Suite
from purewire.conformance.reports import FORMATS, json_report, lines_of, summary
from purewire.conformance.run import ExitCode, Outcome, Report, Result, run_suite, select

Context = TypeVar("Context")


def run(arguments: Namespace) -> int:
    """Test the deployment at a URL; as `run_conformance`."""
    return run_conformance(arguments, load_suite(arguments.product))


def run_conformance(arguments: Namespace, suite: Suite[Context]) -> int:
    """Test a deployment, print and write the report, and return the exit code."""
    check_report_names(arguments.report, FORMATS)
    token = _token(arguments)
    try:
        checks = select(suite.checks, arguments.only, arguments.skip)
        perform = OverHttp(arguments.url, token=token, timeout_seconds=arguments.timeout)
    except ValueError as error:
        raise Failed(USAGE, str(error)) from error
    given = Arguments(has_token=token is not None, write=arguments.write, slow=arguments.slow)
    if given.write:
        echo_error(f"--write replaces the present record of {arguments.url}; it is not restored")
    with show_progress("pieces", "checking") as bar:
        done = 0

        def progress(result: Result) -> None:
            nonlocal done
            done += 1
            if bar is not None:
                bar(result.check.id, done, len(checks))

        try:
            report = run_suite(
                suite,
                checks,
                perform,
                given,
                url=arguments.url,
                progress=progress,
            )
        except NotTestable as error:
            raise Failed(CANNOT, f"{arguments.url} cannot be tested: {error}") from error
    _print(report, as_json=arguments.json)
    write_reports(arguments.report, FORMATS, report)
    return report.exit_code(strict=arguments.strict)


def _print(report: Report, *, as_json: bool) -> None:
    if as_json:
        write(json_report(report) + b"\n")
        return
    for result in report.results:
        if result.outcome is not Outcome.SKIPPED:
            for line in lines_of(report, result):
                echo(line)
    reasons = Counter(each.reason for each in report.results if each.outcome is Outcome.SKIPPED)
    for reason, count in reasons.most_common():
        echo(f"skipped {count}: {reason}")
    for line in summary(report):
        echo(line)
    code = report.exit_code()
    if code == ExitCode.CONFORMS:
        verified, total = report.musts()
        left = total - verified
        echo("no check failed" if not left else f"no check failed; {left} rules are unverified")


def _token(arguments: Namespace) -> str | None:
    name = arguments.token_env
    if name is None:
        return None
    if not arguments.writes:
        echo_error("--token-env is ignored: the checks of this product only read")
        return None
    token = os.environ.get(name) or None
    if token is None and arguments.write:
        raise Failed(
            USAGE,
            f"--write needs the ingest token: the environment variable {name} is not set;"
            " --token-env names another",
        )
    return token
