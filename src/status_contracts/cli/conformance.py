"""The subcommand `conformance` of all products: test a deployment over HTTP."""

from argparse import Namespace
from importlib import import_module
from xml.etree import ElementTree as ET

from status_contracts.cli.exit_codes import CANNOT, OK, REFUSED, USAGE, Failed
from status_contracts.cli.files import read_token, write_file
from status_contracts.cli.terminal import echo, echo_progress, echo_warning
from status_contracts.conformance.http import OverHttp
from status_contracts.conformance.report import lines_of, summary
from status_contracts.conformance.runner import Kit, NotTestable, Run
from status_contracts.primitives import printable_xml


def run(arguments: Namespace) -> int:
    """Test the deployment at a URL, print the report, and return the exit code."""
    kit: Kit = import_module(f"{arguments.product}.conformance").KIT
    token = read_token(arguments.token_file) if arguments.write else None
    if arguments.write and not token:
        raise Failed(USAGE, "--write needs the ingest token: give --token-file, or INGEST_TOKEN")
    try:
        client = OverHttp(arguments.url, token=token, timeout_seconds=arguments.timeout)
    except ValueError:
        raise Failed(USAGE, f"{arguments.url!r} is not a URL like https://status.example") from None
    if arguments.write:
        echo_warning(f"--write replaces the record of {arguments.url} for good")
    tested = Run(kit, client, arguments.write, arguments.slow, arguments.profile)
    try:
        for name in tested.perform():
            echo_progress(f"testing {name}")
    except NotTestable as error:
        raise Failed(CANNOT, f"{arguments.url} cannot be tested: {error}") from error
    if arguments.report is not None:
        write_file(arguments.report, junit_report(tested))
    for line in summary(tested):
        echo(line)
    return REFUSED if tested.causes else OK


def junit_report(tested: Run) -> bytes:
    """Return the report as JUnit XML: a test case for each rule."""
    texts: dict[str, list[str]] = {}
    for cause in tested.causes.values():
        for rule in cause.rules:
            texts.setdefault(rule, []).extend(lines_of(cause, tested.client.url))
    rules = dict.fromkeys([*tested.tested, *texts])
    count = {"tests": str(len(rules)), "failures": str(len(texts))}
    root = ET.Element("testsuites", count)
    suite = ET.SubElement(root, "testsuite", name=f"{tested.kit.product} conformance", attrib=count)
    for rule in rules:
        case = ET.SubElement(suite, "testcase", classname=tested.kit.product, name=rule)
        if rule in texts:
            failure = ET.SubElement(case, "failure", message=f"{rule} is broken")
            failure.text = printable_xml("\n".join(texts[rule]))
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))
