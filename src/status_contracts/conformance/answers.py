"""Compare an answer with the right one, and say what the contracts leave free.

Invariant *the table is the tolerance*: two answers that differ in any other way are different.
Invariant *one difference of a status*: nothing else of such an answer is compared.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import zip_longest
from typing import Any, Final, Literal
from xml.etree import ElementTree as ET

import attrs

from status_contracts import json_text
from status_contracts.conformance.http import Reply, Send, joined
from status_contracts.findings import Step, pointer
from status_contracts.instants import DAY_MS, parse_utc
from status_contracts.messages import Response
from status_contracts.primitives import ABSENT, Absent

Part = Literal["status", "header", "member", "body", "reply"]

_LISTS: Final = {
    *("access-control-allow-headers", "access-control-allow-methods"),
    *("access-control-expose-headers", "allow", "cache-control", "vary"),
}
"""Headers whose items have no order and no case."""
_SHOWN_CHARACTERS: Final = 120
_SVG: Final = "{http://www.w3.org/2000/svg}"
_ACTIVE: Final = re.compile(
    rb"<(?:script|style|foreignObject|image|iframe|audio|video|a|link|animate|set|handler)\b"
    rb"|<!(?!--)|\son\w+\s*=|(?:href|src)\s*=\s*[\"'](?!#)|url\((?!#)|@import",
    re.IGNORECASE,
)
"""What makes an image more than a picture: what runs, loads, leads somewhere or declares."""


@attrs.frozen
class Difference:
    """A part of an answer that is not the right one.

    Attributes:
        name: of a header in lower case, or the pointer of a member of the JSON body.
        expected: ABSENT if there must be no such header or member.
        actual: ABSENT if it is missing.
        rule: id of the rule about it, where that is not the rule of the step.

    """

    part: Part
    name: str
    expected: object
    actual: object
    rule: str = ""

    @property
    def place(self) -> str:
        """Return the name of the header or member, the same for all items of a list."""
        return re.sub(r"/\d+(?=/|$)", "/*", self.name)

    @property
    def kind(self) -> str:
        """Return how it differs, the same for all differences that have one cause."""
        if self.part == "status":
            return f"{self.actual} for {self.expected}"
        if self.actual is ABSENT or self.expected is ABSENT:
            return "missing" if self.actual is ABSENT else "additional"
        if self.instants is not None:
            return f"{round((self.instants[1] - self.instants[0]) / 1000)} s"
        return "value" if type(self.actual) is type(self.expected) else "type"

    @property
    def instants(self) -> tuple[int, int] | None:
        """Return the expected and the actual time of a member, ms; None if it has none."""
        if self.part == "member":
            with suppress(ValueError):
                return parse_utc(str(self.expected)), parse_utc(str(self.actual))
        return None

    def text(self, at: int) -> str:
        """Return the difference as a phrase; times are said relative to the server time `at`."""
        expected, actual = shown(self.expected), shown(self.actual)
        if self.instants and all(abs(instant - at) < DAY_MS for instant in self.instants):
            expected, actual = (_relative(instant - at) for instant in self.instants)
        place = shown(self.place or "body")
        prefix = {"status": "status ", "reply": ""}.get(self.part, f"{place}: ")
        return f"{prefix}{actual}; expected {expected}"


def _relative(milliseconds: int) -> str:
    seconds = round(abs(milliseconds) / 1000, 3 if abs(milliseconds) % 1000 > 5 else 0)
    side = "before" if milliseconds < 0 else "after"
    return f"{seconds:g} s {side} server time" if milliseconds else "server time"


def _text(value: object) -> str:
    """Return a value as text: a JSON value that is none has that of its JSON; empty for ABSENT."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace") or "nothing"
    if isinstance(value, Absent):
        return ""
    return value if isinstance(value, str) else json_text.encode(value).decode("utf-8")


def shown(value: object) -> str:
    """Return a value on one short line, without control characters."""
    text = "none" if isinstance(value, Absent) else _text(value)
    cut = text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in cut)


def compare(expected: Response, reply: Reply) -> Iterator[Difference]:
    """Generate the differences of an answer from the right one."""
    if reply.status != expected.status:
        yield Difference("status", "", _with_code(expected), _with_code(reply))
        return
    lines, other_lines = joined(expected.headers), joined(reply.headers)
    for name in sorted({*lines, *other_lines}):
        one, other = lines.get(name, ABSENT), other_lines.get(name, ABSENT)
        if one != other and _items(name, one) != _items(name, other):
            yield Difference("header", name, one, other)
    if expected.body != reply.body:
        yield from _bodies(expected, reply)


def _with_code(answer: Response | Reply) -> str:
    code = object_of(answer).get("error")
    return f"{answer.status} {code}" if isinstance(code, str) else str(answer.status)


def object_of(answer: Response | Reply) -> dict[str, Any]:
    """Return the JSON object of a body of at most 4 MiB; an empty one if it has none."""
    with suppress(ValueError):
        value = json_text.decode(answer.body) if len(answer.body) <= 1 << 22 else None
        return value if isinstance(value, dict) else {}
    return {}


def _items(name: str, value: str | Absent) -> object:
    if isinstance(value, Absent):
        return None
    if name == "content-type":
        return re.sub(r"\s*;\s*", "; ", value).lower()
    return sorted(item.strip().lower() for item in value.split(",")) if name in _LISTS else value


def _bodies(expected: Response, reply: Reply) -> Iterator[Difference]:
    is_json = expected.body[:1] in {b"{", b"["}
    if not is_json or len(reply.body) > 2 * len(expected.body) + (1 << 16):  # too long
        yield Difference("body", "", expected.body, reply.body)
        return
    try:
        actual = json_text.decode(reply.body)
    except ValueError:
        yield Difference("body", "", "JSON text", reply.body)
        return
    yield from members(json_text.decode(expected.body), actual)


def members(expected: object, actual: object, path: tuple[Step, ...] = ()) -> Iterator[Difference]:
    """Generate the differences of two JSON values: 1 is neither true nor 1.0."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for name in dict.fromkeys((*expected, *actual)):
            one, other = expected.get(name, ABSENT), actual.get(name, ABSENT)
            yield from members(one, other, (*path, name))
    elif isinstance(expected, list) and isinstance(actual, list):
        for index, pair in enumerate(zip_longest(expected, actual, fillvalue=ABSENT)):
            yield from members(*pair, (*path, index))
    elif type(expected) is not type(actual) or expected != actual:
        yield Difference("member", pointer(path), expected, actual)


def is_free(row: Mapping[str, Any], send: Send, difference: Difference) -> bool:
    """Check whether a row of the table `tolerances` leaves a difference free.

    It has an id (`rule`), says what is `free`, and has patterns of whole texts: of the `place` of a
    difference (its part and name), of its `kind`, of the `expected` and the `actual` value, of the
    `request` (method and path, then a line for each header) and of its `body`.  With `words`, a
    pattern, two drawings that have the same words are equal; with `shape` only if they have the
    same size, role and paper too, and both are described or neither is.
    """
    texts = {
        "place": lambda: f"{difference.part} {difference.name}",
        "kind": lambda: difference.kind,
        "expected": lambda: _text(difference.expected),
        "actual": lambda: _text(difference.actual),
        "request": lambda: "\n".join((f"{send.method} {send.path}", *map(": ".join, send.headers))),
        "body": lambda: (send.body or b"").decode("latin-1"),
    }
    if not all(re.fullmatch(row[name], texts[name](), re.DOTALL) for name in texts.keys() & row):
        return False
    if "words" not in row:
        return True
    drawn, other = (_words(row, image) for image in (difference.expected, difference.actual))
    return drawn is not None and other is not None and drawn <= other


def _words(row: Mapping[str, Any], image: object) -> set[object] | None:
    """Return words and shape of an SVG image; None if it is none, or more than a picture."""
    if not isinstance(image, bytes) or _ACTIVE.search(image):
        return None
    try:
        root = ET.fromstring(image)  # noqa: S314 - it declares no entities, see `_ACTIVE`
    except ET.ParseError:
        return None
    texts = ("".join(part.itertext()) for part in root.iter(f"{_SVG}text"))
    words: set[object] = {
        word for text in texts for word in re.findall(row["words"], text, re.DOTALL)
    }
    size = root.get("width"), root.get("height")
    papers = {(part.get("width"), part.get("height")) for part in root.iter(f"{_SVG}rect")}
    is_described = bool(root.findtext(f"{_SVG}desc") or root.get("aria-label"))
    shape = (*size, root.get("role"), bool({size, ("100%", "100%")} & papers), is_described)
    words |= {shape} if row.get("shape") else set()
    return words if root.tag == f"{_SVG}svg" else None
