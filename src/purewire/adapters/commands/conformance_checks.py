"""The subcommand `conformance` of all products: test a deployment over HTTP."""

import os
from argparse import Namespace
from pathlib import Path
from typing import Any

from purewire.adapters.commands.exit_codes import CANNOT, USAGE, Failed
from purewire.adapters.commands.files import write_files
from purewire.adapters.commands.reports import check_report_names, write_reports
from purewire.adapters.commands.terminal import echo, echo_error, show_progress, write
from purewire.adapters.conformance import OverHttp, load_suite
from purewire.conformance.checks import FULL, Arguments, NotTestable, Suite
from purewire.conformance.formats import FORMATS, folder_report, json_report
from purewire.conformance.run import ExitCode, Result, SuiteReport, run_suite, select
from purewire.conformance.text_report import listing, summary, verdict


def run(arguments: Namespace, **options: object) -> int:
    """Test the deployment at a URL, print and write the report, and return the exit code.

    `options` are those of the suite of the product.
    """
    suite = load_suite(arguments.product, **options)
    if arguments.list:
        if arguments.profile != FULL:
            raise Failed(USAGE, "--list lists the checks of every profile: leave out --profile")
        for line in listing(suite):
            echo(line)
        return ExitCode.CONFORMS
    folders = [Path(name) for name in arguments.report if not Path(name).suffix]
    files = [name for name in arguments.report if Path(name).suffix]
    check_report_names(files, FORMATS)
    report = _test(arguments, suite)
    for folder in folders:
        write_files(folder, dict(folder_report(report)))
    write_reports(files, FORMATS, report)
    if arguments.json:
        write(json_report(report) + b"\n")
    else:
        for line in (*summary(report), ""):
            echo(line)
        details = f"{folders[0] / 'report.txt'}" if folders else "give --report DIR"
        is_conforming = report.exit_code(strict=arguments.strict) == ExitCode.CONFORMS
        end = "" if is_conforming else f"; details: {details}"
        echo(f"{verdict(report, strict=arguments.strict)}{end}")
    return report.exit_code(strict=arguments.strict)


def _test(arguments: Namespace, suite: Suite[Any]) -> SuiteReport:
    name, only_reads = arguments.token_env, arguments.write is None
    if only_reads and name is not None:
        echo_error("--token-env is ignored: the checks of this product only read")
    token = None if only_reads else os.environ.get(name) or None
    if arguments.write and token is None:
        raise Failed(
            USAGE,
            f"--write needs the ingest token: the environment variable {name} is not set;"
            " --token-env names another",
        )
    if arguments.url is None:
        raise Failed(USAGE, "URL is missing: the base URL of the deployment; or give --list")
    if arguments.profile not in suite.profiles:
        names = ", ".join(suite.profiles)
        raise Failed(USAGE, f"--profile {arguments.profile}: the profiles are {names}")
    try:
        checks = select(suite.checks, arguments.only, arguments.skip)
        perform = OverHttp(arguments.url, token=token, timeout_seconds=arguments.timeout)
    except ValueError as error:
        raise Failed(USAGE, str(error)) from error
    suite_arguments = Arguments(
        has_token=token is not None,
        write=bool(arguments.write),
        slow=arguments.slow,
        profile=arguments.profile,
    )
    if suite_arguments.write:
        echo_error(f"--write replaces the present record of {arguments.url}; it is not restored")
    with show_progress("pieces", "checking") as bar:
        done = 0

        def progress(result: Result) -> None:
            nonlocal done
            done += 1
            if bar is not None:
                bar(result.check.id, done, len(checks))

        try:
            return run_suite(
                suite, checks, perform, suite_arguments, url=arguments.url, progress=progress
            )
        except NotTestable as error:
            raise Failed(CANNOT, f"{arguments.url} cannot be tested: {error}") from error
