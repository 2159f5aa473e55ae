"""A report as a folder, text, JSON, JUnit XML, HTML and a badge; all are made from one value."""

from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Any, Final
from xml.etree import ElementTree as ET

import attrs

from purewire.conformance.causes import find_causes
from purewire.conformance.checks import FULL
from purewire.conformance.curl import FOLDER, curl_line, reproduction
from purewire.conformance.run import (
    ExitCode,
    Outcome,
    Result,
    SuiteReport,
    Verdict,
)
from purewire.conformance.text_report import lines_of, response_line, text_report, text_sections
from purewire.instants import format_instant
from purewire.json import codec
from purewire.primitives import printable_xml
from purewire.svg.badge import draw_badge
from purewire.svg.palette import GREEN, GREY, RED


def folder_report(report: SuiteReport) -> Iterator[tuple[str, bytes]]:
    """Yield paths and contents of files: `report.txt`, and what repeats each failed check."""
    yield "report.txt", as_text(report)
    for result in report.results:
        if result.outcome is Outcome.FAILED:
            for name, content in reproduction(report.url, result):
                yield f"{FOLDER}/{name}", content


def as_text(report: SuiteReport) -> bytes:
    """Return the whole report as text."""
    lines = "".join(f"{line}\n" for line in text_report(report))
    return lines.encode("utf-8", "backslashreplace")


def json_report(report: SuiteReport) -> bytes:
    """Return the report as a JSON document."""
    verified, total = report.musts()
    return codec.encode(
        {
            "schema": "urn:status-contracts:conformance-report:1",
            "product": report.product,
            "profile": report.profile,
            "url": report.url,
            "started_at": format_instant(report.started_at),
            "finished_at": format_instant(report.finished_at),
            "counts": {str(outcome): report.count(outcome) for outcome in Outcome},
            "musts": {"verified": verified, "total": total},
            "conforms": report.exit_code(strict=True) == 0,
            "causes": [
                {
                    "title": cause.title,
                    "rules": list(cause.rules),
                    "failed": [result.check.id for result in cause.failed],
                    "undecided": [result.check.id for result in cause.undecided],
                }
                for cause in find_causes(report.results)
            ],
            "rules": [
                {
                    "id": rule.id,
                    **attrs.asdict(rule.rule),
                    "verdict": str(rule.verdict),
                    "checks": list(rule.checks),
                }
                for rule in report.rules
            ],
            "results": [_plain(report, result) for result in report.results],
            "notes": list(report.notes),
        }
    )


def junit_report(report: SuiteReport) -> bytes:
    """Return the report as JUnit XML: a test case for each check."""
    suite = ET.Element(
        "testsuite",
        name=f"{report.product} conformance",
        tests=str(len(report.results)),
        failures=str(report.count(Outcome.FAILED)),
        errors=str(report.count(Outcome.ERROR)),
        skipped=str(report.count(Outcome.SKIPPED) + report.count(Outcome.INCONCLUSIVE)),
        time=f"{(report.finished_at - report.started_at) / 1000:.3f}",
        timestamp=format_instant(report.started_at),
    )
    for result in report.results:
        case = ET.SubElement(
            suite,
            "testcase",
            classname=f"{report.product}.{result.check.group}",
            name=result.check.id,
            time=f"{result.milliseconds / 1000:.3f}",
        )
        text = printable_xml("\n".join(lines_of(report, result)))
        if result.outcome is Outcome.FAILED:
            message = printable_xml(f"expected {result.expected}; got {result.actual}")
            ET.SubElement(case, "failure", message=message).text = text
        elif result.outcome is Outcome.ERROR:
            ET.SubElement(case, "error", message=printable_xml(result.reason)).text = text
        elif result.outcome is not Outcome.PASSED:
            ET.SubElement(case, "skipped", message=printable_xml(result.reason))
    root = ET.Element("testsuites")
    root.append(suite)
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))


def html_report(report: SuiteReport) -> bytes:
    """Return the report as one page without scripts and external resources: the text, folded."""
    (_, overview), *sections = text_sections(report)
    page = _PAGE.format(
        title=escape(f"{_name(report)} conformance of {report.url}"),
        when=format_instant(report.started_at)[:19].replace("T", " "),
        summary=_lines(overview),
        sections="".join(
            f"<details><summary>{escape(title)}</summary>{_lines(lines)}</details>\n"
            for title, lines in sections
        ),
        rules="".join(
            f'<tr class="{rule.verdict}"><td>{rule.id}</td><td>{rule.verdict}</td>'
            f"<td>{escape(rule.rule.text)}</td></tr>\n"
            for rule in report.rules
        ),
    )
    return page.encode("utf-8", "backslashreplace")


def _lines(lines: list[str]) -> str:
    return f"<pre>{escape(chr(10).join(lines))}</pre>"


def badge_report(report: SuiteReport) -> bytes:
    """Return a badge: how many rules are broken, or else how many musts were verified."""
    broken = sum(rule.verdict is Verdict.BROKEN for rule in report.rules)
    verified, total = report.musts()
    if broken:
        text, fill = f"{broken} broken {'rule' if broken == 1 else 'rules'}", RED
    else:
        is_whole = report.exit_code(strict=True) == ExitCode.CONFORMS
        text, fill = f"{verified} of {total} rules verified", GREEN if is_whole else GREY
    return draw_badge(f"{_name(report)} contract", text, fill)


def _name(report: SuiteReport) -> str:
    """Return the name of the product, and of the profile unless it is the whole contract."""
    return report.product + ("" if report.profile == FULL else f" ({report.profile})")


FORMATS: Final[Mapping[str, Callable[[SuiteReport], bytes]]] = {
    ".txt": as_text,
    ".json": json_report,
    ".xml": junit_report,
    ".html": html_report,
    ".svg": badge_report,
}
"""The suffix of a file to the format that it has."""


def _plain(report: SuiteReport, result: Result) -> dict[str, Any]:
    return {
        "id": result.check.id,
        "title": result.check.title,
        "rules": list(result.check.rules),
        "broken": result.rule,
        "outcome": str(result.outcome),
        "expected": result.expected,
        "actual": result.actual,
        "reason": result.reason,
        "milliseconds": result.milliseconds,
        "requests": [
            {"curl": curl_line(report.url, sent.request), "response": response_line(sent)}
            for sent in result.round_trips
        ],
    }


_PAGE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }}
body {{ margin: 1.5rem auto; max-width: 62rem; padding: 0 1rem; overflow-wrap: anywhere; }}
h1 {{ font-size: 1.5rem; margin: 0; }}
pre {{ font-size: .8rem; white-space: pre-wrap; }}
summary {{ cursor: pointer; padding: .25rem 0; }}
table {{ border-collapse: collapse; }}
th, td {{ padding: .35rem .5rem; text-align: left; vertical-align: top; }}
.broken {{ color: light-dark(#b3261e, #ff8a80); }}
</style>
<h1>{title}</h1>
<p>{when} UTC</p>
{summary}
{sections}<details><summary>Result for each rule</summary>
<table>
<thead><tr><th scope="col">rule</th><th scope="col">result</th>
<th scope="col">text</th></tr></thead>
<tbody>
{rules}</tbody>
</table>
</details>
</html>
"""
