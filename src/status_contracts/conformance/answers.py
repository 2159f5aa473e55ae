"""Compare an answer with the right one, and say what the contracts leave free.

Invariant *the table is the tolerance*: two answers that differ in any other way are different.
Invariant *one difference of a status*: nothing else of such an answer is compared.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final, Literal

import attrs

from status_contracts import json_text as codec
from status_contracts.conformance.http import Line, Reply, Send
from status_contracts.findings import Step, pointer
from status_contracts.instants import parse_utc
from status_contracts.messages import Response
from status_contracts.primitives import ABSENT, Absent

Part = Literal["status", "header", "member", "body", "reply"]

_LISTS: Final = {
    *("access-control-allow-headers", "access-control-allow-methods"),
    *("access-control-expose-headers", "allow", "cache-control", "vary"),
}
"""Headers whose items have no order and no case."""
_SHOWN_CHARACTERS: Final = 120
_DAY_MS: Final = 86_400_000


@attrs.frozen
class Difference:
    """A part of an answer that is not the right one.

    Attributes:
        name: of a header in lower case, or the pointer of a member of the JSON body.
        expected: ABSENT if there must be no such header or member.
        actual: ABSENT if it is missing.

    """

    part: Part
    name: str
    expected: object
    actual: object

    @property
    def kind(self) -> str:
        """Return how it differs, the same for all differences that have one cause."""
        if self.part == "status":
            return f"{self.actual} for {self.expected}"
        if self.actual is ABSENT or self.expected is ABSENT:
            return "missing" if self.actual is ABSENT else "additional"
        if self.shift_ms is not None:
            return f"{round(self.shift_ms / 1000)} s"
        return "value" if type(self.actual) is type(self.expected) else "type"

    @property
    def instants(self) -> tuple[int, int] | None:
        """Return the expected and the actual time of a member, ms; None if it has none."""
        if self.part == "member":
            with suppress(ValueError):
                return parse_utc(str(self.expected)), parse_utc(str(self.actual))
        return None

    @property
    def shift_ms(self) -> int | None:
        """Return how much later a time is than the right one, ms; None if it is no time."""
        return self.instants and self.instants[1] - self.instants[0]

    def text(self, at: int) -> str:
        """Return the difference as a phrase; times are said relative to the server time `at`."""
        expected, actual = shown(self.expected), shown(self.actual)
        if self.instants and all(abs(instant - at) < _DAY_MS for instant in self.instants):
            expected, actual = (_relative(instant - at) for instant in self.instants)
        name = re.sub(r"/\d+(?=/|$)", "/*", self.name)
        prefix = {"status": "status ", "reply": ""}.get(self.part, f"{name or 'body'}: ")
        return f"{prefix}{actual}; expected {expected}"


def _relative(milliseconds: int) -> str:
    seconds = round(abs(milliseconds) / 1000, 3 if abs(milliseconds) % 1000 > 5 else 0)
    side = "before" if milliseconds < 0 else "after"
    return f"{seconds:g} s {side} server time" if milliseconds else "server time"


def shown(value: object) -> str:
    """Return a value on one short line, without control characters."""
    if isinstance(value, bytes):
        text = value.decode("utf-8", "backslashreplace") or "nothing"
    elif isinstance(value, Absent):
        text = "none"
    else:
        text = value if isinstance(value, str) else codec.encode(value).decode("utf-8")
    cut = text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in cut)


def compare(expected: Response, reply: Reply) -> Iterator[Difference]:
    """Generate the differences of an answer from the right one."""
    if reply.status != expected.status:
        answers = (_with_code(answer.status, answer.body) for answer in (expected, reply))
        yield Difference("status", "", *answers)
        return
    lines, right = _lines(reply.headers), _lines(expected.headers)
    for name in sorted({*lines, *right}):
        one, other = right.get(name), lines.get(name)
        if one != other and _items(name, one) != _items(name, other):
            yield Difference(
                "header", name, *(ABSENT if value is None else value for value in (one, other))
            )
    if expected.body != reply.body:
        yield from _bodies(expected, reply)


def _lines(headers: Iterable[Line]) -> dict[str, str]:
    """Return header names in lower case and the values of their lines, joined by commas."""
    values: dict[str, str] = {}
    for name, value in headers:
        key = name.lower()
        values[key] = f"{values[key]}, {value}" if key in values else value
    return values


def _with_code(status: int, body: bytes) -> str:
    """Return a status and the code of its error, if it has one."""
    with suppress(ValueError):
        value = codec.decode(body)
        if isinstance(value, dict) and isinstance(value.get("error"), str):
            return f"{status} {value['error']}"
    return str(status)


def _items(name: str, value: str | None) -> object:
    if value is None:
        return None
    if name == "content-type":
        return re.sub(r"\s*;\s*", "; ", value).lower()
    return sorted(item.strip().lower() for item in value.split(",")) if name in _LISTS else value


def _bodies(expected: Response, reply: Reply) -> Iterator[Difference]:
    if expected.body[:1] not in {b"{", b"["}:
        yield Difference("body", "", expected.body, reply.body)
        return
    try:
        actual = codec.decode(reply.body)
    except ValueError:
        yield Difference("body", "", "JSON text", reply.body)
        return
    yield from members(codec.decode(expected.body), actual)


def members(expected: object, actual: object, path: tuple[Step, ...] = ()) -> Iterator[Difference]:
    """Generate the differences of two JSON values: 1 is neither true nor 1.0."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for name in dict.fromkeys((*expected, *actual)):
            one, other = expected.get(name, ABSENT), actual.get(name, ABSENT)
            yield from members(one, other, (*path, name))
    elif isinstance(expected, list) and isinstance(actual, list):
        for index in range(max(len(expected), len(actual))):
            one, other = (
                items[index] if index < len(items) else ABSENT for items in (expected, actual)
            )
            yield from members(one, other, (*path, index))
    elif type(expected) is not type(actual) or expected != actual:
        yield Difference("member", pointer(path), expected, actual)


# What is left free


@attrs.frozen
class Tolerance:
    """A difference that a rule leaves free: its id, what is free, and whether one is such."""

    rule: str
    free: str
    allows: Callable[[Send, Difference], bool]


_STATED: Final = re.compile(
    "access-control-.*|allow|cache-control|(cloudflare-)?cdn-cache-control|content-.*|etag"
    "|last-modified|location|referrer-policy|set-cookie|www-authenticate|x-content-type-options"
)
"""Headers that change what a client does: an answer has those of the contract and no other."""


def _is_header(difference: Difference, *names: str) -> bool:
    return difference.part == "header" and difference.name in names


SHARED: Final[Sequence[Tolerance]] = (
    Tolerance(
        "RFC 9110, 5.1",
        "headers that change nothing for a client, such as Date, Server, Connection and Vary",
        lambda _, difference: (
            difference.part == "header" and not _STATED.fullmatch(difference.name)
        ),
    ),
    Tolerance(
        "RFC 9110, 8.6",
        "Content-Length, of which HTTP clients check that it is that of the body",
        lambda _, difference: _is_header(difference, "content-length"),
    ),
)
"""What HTTP leaves free for every product."""

VALIDATORS: Final = Tolerance(
    "RFC 9110, 8.8",
    "the value of a validator, where there is one",
    lambda _, difference: (
        _is_header(difference, "etag", "last-modified")
        and ABSENT not in (difference.expected, difference.actual)
    ),
)
"""For a product whose model computes validators of its own."""
