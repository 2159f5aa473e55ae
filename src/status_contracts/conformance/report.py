"""Report a run: one line for each kind of difference, with a request that shows it.

Invariant *the token is not shown*: a request names the environment variable that has it.
Invariant *nothing a server sends is a command to a terminal*: control characters are replaced.
"""

import shlex
from collections.abc import Iterator
from typing import Final

import attrs

from status_contracts.conformance.answers import shown
from status_contracts.conformance.http import Send
from status_contracts.conformance.runner import Failure, Run
from status_contracts.primitives import plural

_LONGEST_BODY: Final = 600
"""Bytes of a body in a curl line; a longer one is described."""
_MOST_KINDS: Final = 3
"""Kinds of difference of one member that have a line each; of more the first one has."""
_MOST_RULES: Final = 6


@attrs.frozen
class Cause:
    """Differences of one kind, which most likely have one cause.

    Attributes:
        count: the number of answers that have it.
        rules: ids of the rules that it breaks.

    """

    first: Failure
    count: int
    rules: tuple[str, ...]

    @property
    def line(self) -> str:
        """Return what is wrong, on one line."""
        send, text = self.first.step.send, self.first.difference.text(self.first.at)
        is_status = self.first.difference.part in {"status", "reply"}
        return f"{send.method} {send.path.partition('?')[0]}: {text}" if is_status else text

    def lines(self, url: str) -> Iterator[str]:
        """Yield the lines of the report: what is wrong, where, and a request that shows it."""
        rules = ", ".join(self.rules[:_MOST_RULES])
        more = f" and {len(self.rules) - _MOST_RULES} more" if self.rules[_MOST_RULES:] else ""
        yield f"{rules}{more}: {shown(self.line)}"
        title = f" ({shown(self.first.step.title)})" if self.first.step.title else ""
        yield f"    {plural(self.count, 'answer')}, first in {self.first.section}{title}"
        yield f"    {curl_line(url, self.first.step.send)}"


def find_causes(run: Run) -> list[Cause]:
    """Return the differences of a run by their kind, the most frequent one first."""
    kinds: dict[tuple[str, ...], list[Failure]] = {}
    for failure in run.failures:
        part = failure.difference
        place: tuple[str, ...] = (part.part, part.text(0).partition(":")[0])
        if part.part in {"status", "reply", "body"}:
            send = failure.step.send
            place = (part.part, send.method, send.path.partition("?")[0])
            place += (failure.rule,) if send.method == "POST" else ()
        of_place = [kind for kind in kinds if kind[:-1] == place]
        kind = (*place, part.kind)
        if kind not in kinds and len(of_place) >= _MOST_KINDS:
            kind = of_place[0]
        kinds.setdefault(kind, []).append(failure)
    causes = [
        Cause(failures[0], len(failures), tuple(dict.fromkeys(one.rule for one in failures)))
        for failures in kinds.values()
    ]
    return sorted(causes, key=lambda cause: -cause.count)


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
        try:
            text = send.body.decode()
        except UnicodeDecodeError:
            text = "\0"
        is_long = len(text) > _LONGEST_BODY or not text.isprintable() or text.startswith("@")
        size = plural(len(send.body), "byte")
        parts += ["--data-binary", f"@body-of-{size.replace(' ', '-')}" if is_long else text]
        parts[-1] = shlex.quote(parts[-1])
    return " ".join([*parts, shlex.quote(f"{url}{send.path}")])


def summary(run: Run, seconds: float) -> Iterator[str]:
    """Yield the lines of the text report."""
    causes = find_causes(run)
    yield f"{plural(run.tested.total(), 'answer')} of {run.client.url} compared in {seconds:.1f} s"
    for cause in causes:
        yield ""
        yield from cause.lines(run.client.url)
    yield ""
    reasons: dict[str, list[str]] = {}
    for section, reason in run.left_out.items():
        reasons.setdefault(reason, []).append(section)
    for reason, sections in reasons.items():
        yield f"Left out: {', '.join(sections)}: {reason}"
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
