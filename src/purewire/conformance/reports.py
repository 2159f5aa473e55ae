"""A report as text, JSON, JUnit XML, HTML and a badge; all are made from one value."""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Any, Final
from xml.etree import ElementTree as ET

from purewire.conformance.checks import Send, shorten
from purewire.conformance.run import (
    ExitCode,
    Outcome,
    Report,
    Result,
    RoundTrip,
    RuleVerdict,
    Verdict,
)
from purewire.instants import format_instant
from purewire.json import codec
from purewire.svg.badge import draw_badge
from purewire.svg.palette import GREEN, GREY, RED
from purewire.text import printable_xml

_SYMBOLS: Final[Mapping[Outcome, str]] = {
    Outcome.PASSED: "ok",
    Outcome.FAILED: "FAILED",
    Outcome.SKIPPED: "skipped",
    Outcome.INCONCLUSIVE: "not decided",
    Outcome.ERROR: "ERROR",
}
_LONGEST_BODY: Final = 2_000
"""Characters of a body in a curl line; a longer one is read from a file."""
_LISTED_RULES: Final = 12
"""How many unverified rules the summary names."""
_UNAVAILABLE: Final = 503
_UNAVAILABLE_NOTE: Final = (
    "503 says that a setting of the deployment is missing or invalid (token, lifetime), or that "
    "its store or data cannot be reached"
)


def curl_line(url: str, request: Send) -> str:
    """Return the command for a request below a base URL.

    The token is read from the environment variable INGEST_TOKEN by the shell.
    A long body, or one that is not text, is read from the file `body`.
    """
    parts = ["curl", "--include", "--path-as-is"]
    if request.method == "HEAD":
        parts.append("--head")
    elif request.method != "GET":
        parts += ["--request", shlex.quote(request.method)]
    for name, value in request.headers:
        parts += ["--header", shlex.quote(f"{name}: {value}" if value else f"{name};")]
    if request.authorized:
        value = request.token_form.shell_text("INGEST_TOKEN")
        parts += ["--header", f'"Authorization: {value}"']
    if request.body is not None:
        parts += ["--data-binary", _data(request.body)]
    return " ".join([*parts, shlex.quote(f"{url.rstrip('/')}{request.path}")])


def _data(body: bytes) -> str:
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return "@body"
    if len(text) > _LONGEST_BODY or "\0" in text or text.startswith("@"):
        return "@body"
    return shlex.quote(text)


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
        yield f"  reason:   {result.reason}"
        return
    texts = {rule.id: rule for rule in report.rules}
    for identifier in check.rules:
        rule = texts.get(identifier)
        yield f"  {identifier} ({rule.level}): {rule.text}" if rule else f"  {identifier}"
    yield f"  expected: {result.expected}"
    yield f"  got:      {result.actual}"
    for round_trip in result.round_trips[-1:]:
        line = curl_line(report.url, round_trip.request)
        yield f"  sent:     {line}"
        if round_trip.request.body is not None and line.find(" @body ") > 0:
            size = len(round_trip.request.body)
            yield f"  body:     {size} bytes: {shorten(round_trip.request.body)}"
        yield f"  response: {_reply(round_trip)}"
        if round_trip.reply is not None and round_trip.reply.status == _UNAVAILABLE:
            yield f"  note:     {_UNAVAILABLE_NOTE}"


def json_report(report: Report) -> bytes:
    """Return the report as a JSON document."""
    verified, total = report.musts()
    return codec.encode(
        {
            "schema": "urn:status-contracts:conformance-report:1",
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
    verified, total = report.musts()
    counts = "".join(
        f'<li class="{outcome}"><b>{report.count(outcome)}</b> {_SYMBOLS[outcome].lower()}</li>'
        for outcome in Outcome
        if report.count(outcome)
    )
    others = [result for result in report.results if result.outcome is not Outcome.PASSED]
    skipped = [result for result in others if result.outcome is Outcome.SKIPPED]
    page = _PAGE.format(
        title=escape(f"{report.product} conformance"),
        url=escape(report.url),
        when=format_instant(report.started_at)[:19].replace("T", " "),
        seconds=f"{(report.finished_at - report.started_at) / 1000:.1f}",
        counts=counts,
        verified=verified,
        total=total,
        notes="".join(f"<p>{escape(note)}</p>" for note in report.notes),
        failures="".join(_failure(report, each) for each in others if each not in skipped)
        or "<p>None.</p>",
        skipped=_skipped(skipped),
        groups="".join(_groups(report)),
        rules="".join(map(_rule_row, report.rules)),
    )
    return page.encode("utf-8", "backslashreplace")


def badge_report(report: Report) -> bytes:
    """Return a badge: how many rules are broken, or else how many musts were verified."""
    broken = sum(rule.verdict is Verdict.BROKEN for rule in report.rules)
    verified, total = report.musts()
    if broken:
        text, fill = f"{broken} broken {'rule' if broken == 1 else 'rules'}", RED
    else:
        is_whole = report.exit_code(strict=True) == ExitCode.CONFORMS
        text, fill = f"{verified} of {total} rules verified", GREEN if is_whole else GREY
    return draw_badge(f"{report.product} contract", text, fill)


FORMATS: Final[Mapping[str, Callable[[Report], bytes]]] = {
    ".json": json_report,
    ".xml": junit_report,
    ".html": html_report,
    ".svg": badge_report,
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
            {"curl": curl_line(report.url, round_trip.request), "response": _reply(round_trip)}
            for round_trip in result.round_trips
        ],
    }


def _reply(round_trip: RoundTrip) -> str:
    if round_trip.reply is None:
        return f"none: {round_trip.error}"
    reply = round_trip.reply
    return f"{reply.status} {reply.header('content-type') or ''} {shorten(reply.body)}"


def _failure(report: Report, result: Result) -> str:
    texts = {rule.id: rule for rule in report.rules}
    rules = "".join(
        f"<li><code>{rule.id}</code> ({rule.level}) {_prose(rule.text)}</li>"
        for rule in map(texts.get, result.check.rules)
        if rule is not None
    )
    lines = [line.strip() for line in lines_of(report, result) if line.startswith(_DETAILS)]
    return (
        f'<section class="{result.outcome}"><h3><span>{_SYMBOLS[result.outcome]}</span> '
        f"<code>{escape(result.check.id)}</code></h3>"
        f"<p>{_prose(result.check.title)}</p><pre>{escape(chr(10).join(lines))}</pre>"
        f"<ul>{rules}</ul></section>\n"
    )


def _skipped(results: list[Result]) -> str:
    """Return the reasons with the checks that were skipped for them."""
    checks: dict[str, list[str]] = {}
    for result in results:
        checks.setdefault(result.reason, []).append(result.check.id)
    return "".join(
        f"<details><summary>{len(names)} skipped: {escape(reason)}</summary>"
        f"<p>{', '.join(f'<code>{escape(name)}</code>' for name in names)}</p></details>"
        for reason, names in checks.items()
    )


def _groups(report: Report) -> Iterator[str]:
    """Yield the checks that passed, with what they sent, group by group."""
    groups: dict[str, list[Result]] = {}
    for result in report.results:
        if result.outcome is Outcome.PASSED:
            groups.setdefault(result.check.group, []).append(result)
    for name, results in groups.items():
        items = "".join(
            f"<li><code>{escape(result.check.id)}</code> {_prose(result.check.title)}"
            f"<small>{escape(', '.join(result.check.rules))} · {escape(_sent(result))}</small></li>"
            for result in results
        )
        heading = f"{escape(name)}: {len(results)} ok"
        yield f"<details><summary>{heading}</summary><ul>{items}</ul></details>\n"


def _sent(result: Result) -> str:
    """Return the requests of a check without headers and bodies; of equal ones how many."""
    lines = [
        f"{each.request.method} {each.request.path} {each.reply.status if each.reply else 'none'}"
        for each in result.round_trips
    ]
    counts = {line: lines.count(line) for line in lines}
    return ", ".join(f"{line} ({n} times)" if n > 1 else line for line, n in counts.items())


def _rule_row(rule: RuleVerdict) -> str:
    return (
        f'<tr class="{rule.verdict}"><td><code>{rule.id}</code></td><td>{rule.verdict}</td>'
        f"<td>{_prose(rule.text)}</td></tr>\n"
    )


def _prose(text: str) -> str:
    """Return text as HTML, with `code` in backticks."""
    return _CODE.sub(r"<code>\1</code>", escape(text, quote=False))


_DETAILS: Final = tuple(
    f"  {name}:" for name in ("reason", "expected", "got", "sent", "body", "response")
)
"""How the lines of a text report begin that are not about rules."""
_CODE: Final = re.compile("`([^`]+)`")


_PAGE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title} of {url}</title>
<style>
:root {{ color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif;
  --bad: light-dark(#b3261e, #ff8a80); --good: light-dark(#1f684e, #6fd6ac);
  --dim: light-dark(#5f6368, #a5abb3); --line: light-dark(#d8dadd, #3c4046);
  --back: light-dark(#f5f6f7, #1f2226); }}
body {{ margin: 1.5rem auto; max-width: 62rem; padding: 0 1rem; overflow-wrap: anywhere; }}
h1 {{ font-size: 1.5rem; margin: 0; }}
h2 {{ font-size: 1.15rem; margin: 2rem 0 .5rem; }}
h3 {{ font-size: 1rem; margin: 0; }}
.dim, small {{ color: var(--dim); }}
small {{ display: block; font-size: .8rem; }}
.counts {{ display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; list-style: none; padding: 0; }}
.counts b {{ font-size: 1.4rem; }}
.failed b, .error b, .failed h3 span, .error h3 span,
.broken td:nth-child(2) {{ color: var(--bad); }}
.passed b, .verified td:nth-child(2) {{ color: var(--good); }}
.inconclusive b, .skipped b, .unverified td:nth-child(2) {{ color: var(--dim); }}
section {{ border: 1px solid var(--line); border-radius: .4rem; margin: .75rem 0;
  padding: .75rem; }}
section p {{ margin: .25rem 0; }}
section ul {{ color: var(--dim); font-size: .85rem; margin-top: .5rem; }}
pre {{ background: var(--back); border-radius: .3rem; font-size: .8rem; margin: .5rem 0 0;
  padding: .6rem; white-space: pre-wrap; }}
code {{ font-size: .9em; }}
summary {{ cursor: pointer; padding: .25rem 0; }}
ul {{ margin: .25rem 0; padding-left: 1.2rem; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ border-top: 1px solid var(--line); padding: .35rem .5rem; text-align: left;
  vertical-align: top; }}
td:first-child, td:nth-child(2) {{ white-space: nowrap; }}
@media (max-width: 40rem) {{ tr {{ display: block; padding: .35rem 0; }} thead {{ display: none; }}
  td {{ border: 0; display: inline-block; padding: 0 .5rem 0 0; white-space: normal; }}
  tr {{ border-top: 1px solid var(--line); }} }}
</style>
<h1>{title}</h1>
<p>{url}<br><span class="dim">{when} UTC, {seconds} s</span></p>
<ul class="counts">{counts}<li><b>{verified}</b> of {total} musts verified</li></ul>
{notes}
<h2>Failed or not decided</h2>
{failures}
<h2>Skipped and passed</h2>
{skipped}
{groups}
<h2>Rules</h2>
<details><summary>What the run shows about each rule</summary>
<table>
<thead><tr><th scope="col">rule</th><th scope="col">result</th>
<th scope="col">text</th></tr></thead>
<tbody>
{rules}</tbody>
</table>
</details>
</html>
"""
