"""Report a run: one line for each kind of difference, with a request that shows it.

Invariant *the token is not shown*: a request names the environment variable that has it.
Invariant *nothing a server sends is a command to a terminal*: control characters are replaced.
"""

import shlex
from collections.abc import Iterator
from typing import Final

from status_contracts.conformance.answers import shown
from status_contracts.conformance.http import Send
from status_contracts.conformance.runner import Cause, Run
from status_contracts.primitives import plural

_MOST_RULES: Final = 6


def lines_of(cause: Cause, url: str) -> Iterator[str]:
    """Yield the lines of the report: what is wrong, where, and a request that shows it."""
    rules = [*cause.rules]
    more = f" and {len(rules) - _MOST_RULES} more" if rules[_MOST_RULES:] else ""
    yield f"{', '.join(rules[:_MOST_RULES])}{more}: {cause.line}"
    title = f" ({shown(cause.step.title)})" if cause.step.title else ""
    yield f"    {plural(cause.count, 'answer')}, first in {cause.section}{title}"
    yield f"    {curl_line(url, cause.step.send)}"


def curl_line(url: str, send: Send) -> str:
    """Return a command for a request; the shell reads the token from INGEST_TOKEN."""
    parts = ["curl", "--include", "--path-as-is"]
    if send.method == "HEAD":
        parts.append("--head")
    elif send.method != "GET":
        parts += ["--request", shlex.quote(send.method)]
    for name, value in send.headers:
        line = f"{name}: {value}" if value else f"{name};"
        variable = f'"{line.replace("TOKEN", "INGEST_TOKEN")}"'
        parts += ["--header", variable if "TOKEN" in value else shlex.quote(line)]
    if send.body is not None:
        text = send.body.decode("utf-8", "surrogateescape")
        is_long = len(text) > 600 or not text.isprintable() or text.startswith("@")  # characters
        name = f"@body-of-{plural(len(send.body), 'byte')}".replace(" ", "-")
        parts += ["--data-binary", shlex.quote(name if is_long else text)]
    return " ".join([*parts, shlex.quote(f"{url}{send.path}")])


def summary(run: Run) -> Iterator[str]:
    """Yield the lines of the text report."""
    causes = sorted(run.causes.values(), key=lambda cause: -cause.count)
    yield f"{plural(run.tested.total(), 'answer')} of {run.client.url} compared"
    for cause in causes:
        yield ""
        yield from lines_of(cause, run.client.url)
    yield ""
    for reason in dict.fromkeys(run.left_out.values()):
        sections = (section for section in run.left_out if run.left_out[section] == reason)
        yield f"Left out, because {reason}: {', '.join(sections)}"
    if run.lagging:
        yield f"{plural(run.lagging, 'answer')} not decided: the store showed an earlier record"
    if run.stopped:
        yield f"Stopped: {run.stopped}"
    broken = dict.fromkeys(rule for cause in causes for rule in cause.rules)
    if broken:
        yield f"Broken rules: {', '.join(broken)}"
        yield f"{plural(len(causes), 'kind')} of difference"
    else:
        yield f"no difference; {plural(len(run.tested), 'rule')} tested"
