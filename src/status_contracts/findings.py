"""Findings about a value, and the root of every contract error.

Invariant *findings quote no input*: a message is built from the rule, and a path from member names
and indexes, so that an error can be logged or shown without leaking the value.  Only the message
about broken JSON text quotes the one unexpected character.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable
from itertools import count
from typing import Final

import attrs

from status_contracts import json_text

__all__ = ["MAX_FINDINGS", "ContractError", "Finding", "Step", "locate", "pointer"]

MAX_FINDINGS: Final = 100
"""The most findings of one value."""


Step = str | int
"""One step of a path: a member name or an index."""

_SIGNS: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|[][{},:\n]|[^][{},:"\s]++', re.DOTALL)
_ELSEWHERE: Final = "elsewhere"  # no pointer: what is not wanted has no path that grows
_MAX_NAME_LENGTH: Final = 64  # code points of a member name in a path


@attrs.frozen
class Finding:
    """One fault: its path, the id of the broken rule, and a message.

    Attributes:
        path: JSON pointer (RFC 6901) to the fault; empty for the whole value.
        message: the rule in words, or the position at which JSON text is broken; quotes at most
            one character.

    """

    path: str
    rule: str
    message: str

    def __str__(self) -> str:
        return f"{self.path or '(whole value)'}: {self.message} [{self.rule}]"


class ContractError(Exception):
    """The root of the errors that the library raises for bad input.

    Any other exception caused by the content of the input is a bug.  Two errors are equal if their
    class, code and findings are; they can be pickled.

    Args:
        findings: every fault, or a function that returns them; a service that needs only the code
            then does not pay for the findings.

    """

    def __init__(
        self, code: str, findings: tuple[Finding, ...] | Callable[[], tuple[Finding, ...]]
    ) -> None:
        super().__init__(code)
        self.code = code
        self._findings = findings

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every fault, up to the cap; never empty.  They are computed on first access."""
        if not isinstance(self._findings, tuple):
            self._findings = self._findings()
        return self._findings

    def __reduce__(self) -> tuple[type["ContractError"], tuple[object, ...]]:
        return type(self), (self.code, self.findings)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.code!r}, {self.findings!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ContractError) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash((self.code, self.findings))

    def __str__(self) -> str:
        first, *others = self.findings
        more = f" (and {len(others)} more)" if others else ""
        return f"{self.code}: {first}{more}"


def pointer(steps: Iterable[Step]) -> str:
    """Return the JSON pointer of a path of member names and indexes.

    Names longer than 64 code points are truncated, and code points that cannot be printed
    (controls, direction marks, surrogates) are replaced, so a pointer is one short, encodable line.
    """
    return "".join(f"/{_token(step)}" for step in steps)


def _token(step: Step) -> str:
    name = str(step)
    if len(name) > _MAX_NAME_LENGTH:
        name = f"{name[:_MAX_NAME_LENGTH]}…"
    if not name.isprintable():
        name = "".join(sign if sign.isprintable() else "\ufffd" for sign in name)
    return name.replace("~", "~0").replace("/", "~1")


def locate(body: bytes, paths: Collection[str]) -> dict[str, tuple[int, str]]:
    """Return line and text (of a scalar, else empty) of the values of JSON text at some paths."""
    line, here, is_name, places = 1, "", False, dict[str, tuple[int, str]]()
    outside: list[tuple[str, bool, count[int]]] = []  # pointer, whether with names, next indexes
    for match in _SIGNS.finditer(body.removeprefix(json_text.BOM).decode()):
        sign = match[0]
        if sign == "\n":
            line += 1
        elif sign in {"[", "{"}:
            here, is_name = here if here in paths else _ELSEWHERE, sign == "{"
            places[here] = line, ""
            outside.append((here, is_name, count(1)))
            here = f"{here}/0"
        elif sign in {"]", "}"}:
            outside.pop()
        elif sign == ",":
            above, is_name, numbers = outside[-1]
            here = f"{above}/{next(numbers)}"
        elif sign == ":":
            is_name = False
        elif is_name:
            here = outside[-1][0] + pointer((json.loads(sign),))
        elif here in paths:
            places[here] = line, sign
    return places
