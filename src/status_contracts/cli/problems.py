"""Problems as all commands print them: `FILE:LINE PLACE: TEXT: MESSAGE [RULE]`."""

import re
import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate
from typing import Any, Final, TextIO

import attrs

from status_contracts import json_text
from status_contracts.cli.arguments import BOLD, RED, YELLOW, command, folded, printable, styled
from status_contracts.cli.exit_codes import REFUSED, Failed
from status_contracts.findings import Finding, locate

__all__ = ["Problem", "described", "problems_of", "refused", "shortened"]

_SHOWN: Final = 3  # problems that are alike, or members of an object
_LOCATED_BYTES: Final = 1 << 22  # of a file, which takes a second
_QUOTED: Final = 40  # characters of a value
_INDEX: Final = re.compile(r"(?<=/)[0-9]+(?=/|$)")
_OF_NAMES: Final = ("unknown", "date.")  # rules of members by their name, so no value is quoted
_MESSAGE: Final = re.compile(r"(?s)(?:line (\d+)(?:, column (\d+)(?: \(byte \d+\))?)?: )?(.+)")
"""A message, which may begin with a place in the text of the file."""


@attrs.frozen
class Problem:
    """A problem of a file: `path` is a JSON pointer or a column, `text` how the value begins."""

    file: str
    line: int | None
    path: str
    rule: str
    message: str
    text: str | None = None
    column: str = ""
    is_error: bool = True

    def __str__(self) -> str:
        text = f"{self.start}: " if self.start else ""
        value = "" if self.text is None else f"{self.text}: "
        rule = f" [{self.rule}]" if self.rule else ""
        return f"{text}{'' if self.is_error else 'warning: '}{value}{self.message}{rule}"

    @property
    def start(self) -> str:
        """The file, the line and the place."""
        parts = filter(None, (self.file, self.line, self.column))
        return f"{':'.join(map(str, parts))} {self.path}".strip()

    @property
    def members(self) -> dict[str, Any]:
        """The members of `--json`."""
        return {name: getattr(self, name) for name in ("path", "rule", "message", "line", "text")}

    def shown(self, stream: TextIO) -> str:
        """Return the line as a stream shows it: a terminal folds and colours it."""
        text, words = folded(str(self), stream), len(printable(self.start, stream).split())
        _, start, rest = re.split(rf"^((?:\s*\S+){{{words}}})", text, maxsplit=1)
        if not self.is_error:
            rest = rest.replace("warning:", styled("warning:", YELLOW, stream), 1)
        if self.rule:
            rule = f"[{self.rule}]"
            rest = rest.removesuffix(rule) + styled(rule, RED if self.is_error else "2", stream)
        return styled(start, BOLD, stream) + rest


def shortened(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems to print by file and line; of those alike a few, the last with a hint."""
    files: dict[str, list[Problem]] = {}
    for problem in problems:
        files.setdefault(problem.file, []).append(problem)
    lines = list[Problem]()
    for file, group in files.items():
        group.sort(key=lambda one: (one.line is None, one.line or 0))
        number, seen, more = Counter(map(_kind, group)), Counter[object](), Counter[str]()
        for problem in group:
            kind = _kind(problem)
            seen[kind] += 1
            if seen[kind] > _SHOWN:
                more[problem.rule] += 1
                continue
            is_last = seen[kind] == min(number[kind], _SHOWN)
            message = problem.message if is_last else problem.message.partition("; ")[0]
            lines.append(attrs.evolve(problem, message=message))
        if more:
            named = ", ".join(f"{count:,} more [{rule}]" for rule, count in more.items())
            lines.append(Problem(file, None, "", "", f"and {named} (--json has all)"))
    return lines


def _kind(problem: Problem) -> object:
    return problem.rule, problem.message, _INDEX.sub("*", problem.path)


def problems_of(
    file: str, findings: Sequence[Finding], body: bytes = b"", *, is_error: bool = True
) -> list[Problem]:
    """Return the findings about a file as problems; of JSON text with their lines and values."""
    steps = (one.path.split("/") for one in findings)
    paths = {path for parts in steps for path in accumulate(parts, "{}/{}".format)}
    is_short = len(body) <= _LOCATED_BYTES
    places, problems = locate(body, paths) if is_short and len(paths) > 1 else {}, []
    for finding in findings:
        ((line, column, message),) = _MESSAGE.findall(finding.message)
        message = f"not JSON: {message}" if finding.rule == "json.text" else message
        path, (_, text) = finding.path, places.get(finding.path, (0, ""))
        while path and path not in places:  # what is missing has the line of what lacks it
            path = path.rpartition("/")[0]
        number = int(line) if line else places.get(path, (None,))[0]
        text = text if len(text) <= _QUOTED else f"{text[: _QUOTED - 1]}…"
        value = None if not text or finding.rule.startswith(_OF_NAMES) else text
        place = (file, number, finding.path)
        problems.append(Problem(*place, finding.rule, message, value, column, is_error))
    return problems


def described(body: bytes, members: Collection[str] = ()) -> str:
    """Return what a JSON file is; empty if it has one of the members, or is not JSON."""
    try:
        value = json_text.decode(body)
    except ValueError:
        return ""
    if not isinstance(value, dict):
        return "a JSON array" if isinstance(value, list) else "a JSON value that is no object"
    if not value.keys().isdisjoint(members):
        return ""
    named = ", ".join(name[:_QUOTED] for name in [*value][:_SHOWN])
    more = f" and {len(value) - _SHOWN} more" if len(value) > _SHOWN else ""
    return f"a JSON object with {named}{more}" if value else "an empty JSON object"


def refused(name: str, words: str, problems: Sequence[Problem], checker: str) -> Failed:
    """Return the failure of an invalid file: its problem, or words and the command to list them."""
    if len(problems) == 1:
        return Failed(REFUSED, *problems)
    words = f"{problems[0].file}: {words}: to list them, run"
    return Failed(REFUSED, words, command(f"{checker} {shlex.quote(name)}"))
