"""A report as text, JSON, JUnit XML and HTML; all are made from one value."""

from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Any, Final
from xml.etree import ElementTree as ET

from purewire.conformance.checks import shorten
from purewire.conformance.curl import curl_line
from purewire.conformance.results import Exchange, Outcome, Report, Result, Verdict
from purewire.instants import format_instant
from purewire.json import codec
from purewire.text import printable_xml

__all__ = ["FORMATS", "html_report", "json_report", "junit_report", "lines_of", "summary"]

_SYMBOLS: Final[Mapping[Outcome, str]] = {
    Outcome.PASSED: "ok",
    Outcome.FAILED: "FAILED",
    Outcome.SKIPPED: "skipped",
    Outcome.INCONCLUSIVE: "not decided",
    Outcome.ERROR: "ERROR",
}
_LISTED_RULES: Final = 12
"""How many unverified rules the summary names."""
_UNAVAILABLE: Final = 503
_UNAVAILABLE_NOTE: Final = (
    "503 says that a setting of the deployment is missing or invalid (token, lifetime), or that "
    "its store or data cannot be reached"
)


def summary(report: Report) -> list[str]:
    """Return the last lines of the text report: counts, verified rules, notes."""
    counts = ", ".join(
        f"{report.count(outcome)} {_SYMBOLS[outcome].lower()}"
        for outcome in Outcome
        if report.count(outcome)
    )
    verified, total = report.musts()
    broken = [rule.id for rule in report.rules if rule.verdict is Verdict.BROKEN]
    seconds = (report.finished_at - report.started_at) / 1000
    lines = [
        f"{len(report.results)} checks of {report.url} in {seconds:.1f} s: {counts}",
        f"{verified} of {total} rules of level must verified",
    ]
    if broken:
        lines.append(f"broken rules: {', '.join(broken)}")
    unverified = [
        rule.id
        for rule in report.rules
        if rule.level == "must" and rule.verdict is Verdict.UNVERIFIED
    ]
    if unverified:
        most = _LISTED_RULES
        rest = f" and {len(unverified) - most} more" if len(unverified) > most else ""
        lines.append(f"unverified: {', '.join(unverified[:most])}{rest}")
    return [*lines, *report.notes]


def lines_of(report: Report, result: Result) -> Iterator[str]:
    """Yield the lines of a text report about one result."""
    check = result.check
    if result.outcome is Outcome.PASSED:
        return
    yield f"{_SYMBOLS[result.outcome]} {check.id}: {check.title}"
    if result.outcome is not Outcome.FAILED:
        yield f"  {result.reason}"
        return
    texts = {rule.id: rule for rule in report.rules}
    for identifier in check.rules:
        rule = texts.get(identifier)
        yield f"  {identifier} ({rule.level}): {rule.text}" if rule else f"  {identifier}"
    yield f"  expected: {result.expected}"
    yield f"  got:      {result.actual}"
    for exchange in result.exchanges[-1:]:
        yield f"  sent:     {curl_line(report.url, exchange.request)}"
        yield f"  response: {_reply(exchange)}"
        if exchange.reply is not None and exchange.reply.status == _UNAVAILABLE:
            yield f"  note:     {_UNAVAILABLE_NOTE}"


def json_report(report: Report) -> bytes:
    """Return the report as a JSON document."""
    verified, total = report.musts()
    return codec.encode(
        {
            "schema": "https://status-contracts.github.io/conformance-report/1",
            "product": report.product,
            "url": report.url,
            "started_at": format_instant(report.started_at),
            "finished_at": format_instant(report.finished_at),
            "counts": {str(outcome): report.count(outcome) for outcome in Outcome},
            "musts": {"verified": verified, "total": total},
            "conforms": report.exit_code(strict=True) == 0,
            "rules": [
                {
                    "id": rule.id,
                    "level": rule.level,
                    "text": rule.text,
                    "verdict": str(rule.verdict),
                    "checks": list(rule.checks),
                }
                for rule in report.rules
            ],
            "results": [_plain(report, result) for result in report.results],
            "notes": list(report.notes),
        }
    )


def junit_report(report: Report) -> bytes:
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


def html_report(report: Report) -> bytes:
    """Return the report as one page without scripts and external resources."""
    rows = "".join(_row(report, result) for result in report.results)
    counts = "".join(f"<p>{escape(line)}</p>" for line in summary(report))
    page = _PAGE.format(
        title=escape(f"{report.product} conformance of {report.url}"), summary=counts, rows=rows
    )
    return page.encode("utf-8", "backslashreplace")


FORMATS: Final[Mapping[str, Callable[[Report], bytes]]] = {
    ".json": json_report,
    ".xml": junit_report,
    ".html": html_report,
}
"""The suffix of a file to the format that it has."""


def _plain(report: Report, result: Result) -> dict[str, Any]:
    return {
        "id": result.check.id,
        "title": result.check.title,
        "rules": list(result.check.rules),
        "outcome": str(result.outcome),
        "expected": result.expected,
        "actual": result.actual,
        "reason": result.reason,
        "milliseconds": result.milliseconds,
        "requests": [
            {"curl": curl_line(report.url, exchange.request), "response": _reply(exchange)}
            for exchange in result.exchanges
        ],
    }


def _reply(exchange: Exchange) -> str:
    if exchange.reply is None:
        return f"none: {exchange.error}"
    reply = exchange.reply
    return f"{reply.status} {reply.header('content-type') or ''} {shorten(reply.body)}"


def _row(report: Report, result: Result) -> str:
    details = escape("\n".join(lines_of(report, result)))
    opened = " open" if result.outcome in {Outcome.FAILED, Outcome.ERROR} else ""
    body = f"<details{opened}><summary>details</summary><pre>{details}</pre></details>"
    return (
        f'<tr class="{result.outcome}"><td>{_SYMBOLS[result.outcome]}</td>'
        f"<td><code>{escape(result.check.id)}</code></td>"
        f"<td>{escape(result.check.title)}{body if details else ''}</td>"
        f"<td>{escape(' '.join(result.check.rules))}</td></tr>\n"
    )


_PAGE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }}
body {{ margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ border-top: 1px solid #8886; padding: .4rem .6rem; }}
th, td {{ text-align: left; vertical-align: top; }}
pre {{ overflow-x: auto; white-space: pre-wrap; }}
.failed td:first-child, .error td:first-child {{ color: light-dark(#b32007, #ff8a70); }}
.passed td:first-child {{ color: light-dark(#1f684e, #6fd6ac); }}
</style>
<h1>{title}</h1>
{summary}
<table>
<thead><tr><th scope="col">result</th><th scope="col">check</th><th scope="col">what must hold</th>\
<th scope="col">rules</th></tr></thead>
<tbody>
{rows}</tbody>
</table>
</html>
"""
