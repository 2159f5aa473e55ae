"""The subcommand `conformance` of all products: test a deployment over HTTP."""

import os
from argparse import Namespace
from pathlib import Path, PurePath
from typing import Any

from purewire.adapters.commands.exit_codes import CANNOT, USAGE, Failed
from purewire.adapters.commands.reports import check_report_names, write_reports
from purewire.adapters.commands.terminal import echo, echo_error, show_progress, write
from purewire.adapters.conformance import OverHttp, load_suite
from purewire.conformance.checks import FULL, Arguments, NotTestable, Suite
from purewire.conformance.formats import FORMATS, folder_report, json_report
from purewire.conformance.run import ExitCode, Result, SuiteReport, run_suite, select
from purewire.conformance.text_report import listing, summary, verdict


def run(arguments: Namespace) -> int:
    """Test the deployment at a URL; as `run_conformance`."""
    return run_conformance(arguments, load_suite(arguments.product))


def run_conformance(arguments: Namespace, suite: Suite[Any]) -> int:
    """Test a deployment, print and write the report, and return the exit code."""
    if arguments.list:
        if arguments.profile != FULL:
            raise Failed(USAGE, "--list lists the checks of every profile: leave out --profile")
        for line in listing(suite):
            echo(line)
        return ExitCode.CONFORMS
    folders = [name for name in arguments.report if not PurePath(name).suffix]
    files = [name for name in arguments.report if name not in folders]
    check_report_names(files, FORMATS)
    report = _test(arguments, suite)
    for folder in folders:
        _write_folder(Path(folder), report)
    write_reports(files, FORMATS, report)
    if arguments.json:
        write(json_report(report) + b"\n")
    else:
        _print(report, folders, strict=arguments.strict)
    return report.exit_code(strict=arguments.strict)


def _test(arguments: Namespace, suite: Suite[Any]) -> SuiteReport:
    token = _token(arguments)
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
        write=arguments.write,
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


def _print(report: SuiteReport, folders: list[str], *, strict: bool) -> None:
    for line in summary(report):
        echo(line)
    echo("")
    place = f"{PurePath(folders[0]) / 'report.txt'}" if folders else "give --report DIR"
    details = "" if report.exit_code(strict=strict) == ExitCode.CONFORMS else f"; details: {place}"
    echo(f"{verdict(report, strict=strict)}{details}")


def _write_folder(folder: Path, report: SuiteReport) -> None:
    """Write a report with scripts and bodies into a folder, which is made if it is missing."""
    try:
        for name, content in folder_report(report):
            file = folder / name
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(content)
    except OSError as error:
        raise Failed(CANNOT, f"cannot write {error.filename}: {error.strerror}") from None


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
