"""Names and values that stand apart in running text, each for itself: attributes, items, elements.

Source: health facts, section 18.1; rulings on the snapshot.

Invariant *names condemn*: nothing is condemned here for its own sake, only for the name beside it.
Invariant *linear*: a text is gone over once; what is looked for ahead is near.
"""

import re
from collections.abc import Iterator
from typing import Final

from healthapi.sanitise.assignments import Withheld, closing
from healthapi.sanitise.fold import Span
from healthapi.sanitise.names import NameRule, judge, judge_label, may_be_innocent

__all__ = ["attributes", "elements", "flags", "items", "parts", "segments"]

_STRING: Final = r""""(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?"""
_ITEM: Final = re.compile(
    r"""(?P<quote>["'`])(?P<label>[^"'`\r\n]{1,256}+)(?P=quote)
        \s*+(?:[,;]|->|[→⇒])\s*+(?:s:[0-9]{1,9}+:)?
        (?=[bBfFrRuU]{0,2}+(?:"(?P<double>(?:[^"\\]|\\.)++)|'(?P<single>(?:[^'\\]|\\.)++))
           (?!["']\s*+:))""",
    re.VERBOSE | re.DOTALL,
)
_LISTED: Final = {"(": ")", "[": "]"}
_LEAST_OPAQUE: Final = 12

_MEMBER: Final = re.compile(
    rf"""(?P<edge>[<>{{}}()\[\]])
      | (?P<quote>["'`]?)(?<![\w.-])(?P<name>[A-Za-z][\w.-]{{0,64}}+)(?P=quote)
        \s*+(?:=>|[:=])\s*+(?P<value>{_STRING}|[^\s,;"'<>{{}}()\[\]]++|(?=[\[{{(]))""",
    re.VERBOSE | re.DOTALL,
)
_PART: Final = re.compile(
    r"""[\s;]name="(?P<name>[^"\r\n]{1,256}+)"[^\r\n]{0,256}+\r?\n
        (?:[^\r\n]++\r?\n)?+\r?\n(?P<value>[^\r\n]++)""",
    re.VERBOSE,
)

_ELEMENT: Final = re.compile(r"<(?P<tag>[A-Za-z][\w:.-]*+)(?P<attributes>[^<>]*+)>(?P<text>[^<]*+)")
_VOID: Final = frozenset({"br", "img", "input", "link", "meta", "param"})
_REACH: Final = 4096
"""Characters in which the end of a condemned element is looked for."""

_FLAG: Final = re.compile(
    r"""(?<!\S)--?(?P<name>[A-Za-z][\w-]*+)[ \t]++(?!-)
        (?:"(?P<double>[^"]++)|'(?P<single>[^']++)|(?P<word>\S++))""",
    re.VERBOSE,
)
_USERS: Final = frozenset({"u", "U", "user", "proxy-user"})
"""Options that take a user name and a password with `:` between."""

_SEGMENT: Final = re.compile(r"(?<=/)(?P<name>[\w.~-]++)(?=/(?P<value>[^\s/?#&;\"'<>\\]++))")
_LEAST_SEGMENT: Final = 6
_USER: Final = re.compile(r"[A-Z0-9]{5,12}")
"""The id of an account at the provider."""


def items(text: str, withheld: Withheld) -> Iterator[Span]:
    """Find what is listed behind a condemned name, both in quotes: `("token", "…")`."""
    for found in _ITEM.finditer(text):
        rule = _condemning(judge_label(found["label"]), withheld)
        if rule is None or rule.id.startswith("identity."):
            continue
        start, end = found.span("double" if found["double"] else "single")
        alone = _LISTED.get(text[found.start() - 1 : found.start()]) == text[end + 1 : end + 2]
        doubtful = rule.soft and may_be_innocent(found["label"])
        if alone or not doubtful or _is_opaque(text[start:end]):
            yield start, end


def attributes(text: str, withheld: Withheld) -> Iterator[Span]:
    """Find the values beside a condemned name: `name="token" value="…"`."""
    whole, within = (set(_beside(text, withheld, within=each)) for each in (False, True))
    yield from sorted(whole | within)


def _beside(text: str, withheld: Withheld, *, within: bool) -> Iterator[Span]:
    """Find the values beside a condemned name, within the strings of other members or not."""
    contents: list[Span] = []
    names: set[str] = set()
    named = False
    place = 0
    while found := _MEMBER.search(text, place):
        place = found.end()
        name = found["name"]
        if name is None or name in names:  # another record begins
            yield from contents if named else ()
            contents, names, named = [], set(), False
        if name is None:
            continue
        names.add(name)
        verdict, (start, end) = judge(name), _unquoted(found)
        if verdict.label and _condemning(judge_label(text[start:end]), withheld):
            named = True
        elif verdict.content and found["value"]:
            contents.append((start, end))
        elif verdict.content and named:
            place = closing(text, start)
            yield start, place
        elif within and not verdict.label and start > found.start("value"):
            place = start  # of a string
    yield from contents if named else ()


def parts(text: str, withheld: Withheld) -> Iterator[Span]:
    """Find the values of condemned parts of a form, as `multipart/form-data` has them."""
    for found in _PART.finditer(text):
        if _condemning(judge_label(found["name"]), withheld):
            yield found.span("value")


def elements(text: str, withheld: Withheld) -> Iterator[Span]:
    """Find the content of condemned XML elements, and of those beside a condemned name."""
    start, named = 0, False
    while found := _ELEMENT.search(text, start):
        first, last = found.span("text")
        start = last
        if found["attributes"].endswith("/"):
            continue
        if _condemning(judge(found["tag"]).rule, withheld):
            end = text.find(f"</{found['tag']}", first, first + _REACH)
            start = last = max(last, end)
            named = True
        elif not named:
            named = found["tag"] not in _VOID and _is_named(found["attributes"], withheld)
        content = text[first:last]
        if content and not content.isspace():
            if named:
                yield first, last
            named = not named and _condemning(judge_label(content), withheld) is not None


def flags(text: str, withheld: Withheld) -> Iterator[Span]:
    """Find the values of condemned options of a command line."""
    for found in _FLAG.finditer(text):
        start, end = found.span(found.lastgroup or 0)
        if _condemning(judge(found["name"]).rule, withheld):
            yield start, end
        elif found["name"] in _USERS:
            colon = text.find(":", start, end)
            if start <= colon < end - 1:
                yield colon + 1, end


def segments(text: str, withheld: Withheld) -> Iterator[Span]:
    """Find the segment of a URL behind a condemned one, and the id of an account."""
    for found in _SEGMENT.finditer(text):
        value = found["value"]
        if found["name"].lower() in {"user", "users"}:
            if withheld("identity.account") and _USER.fullmatch(value):
                yield found.span("value")
            continue
        rule = _condemning(judge(found["name"]).rule, withheld)
        if rule is None or rule.id.startswith("identity."):
            continue
        least = _LEAST_OPAQUE if may_be_innocent(found["name"]) else _LEAST_SEGMENT
        if _is_opaque(value, least):
            yield found.span("value")


def _condemning(rule: NameRule | None, withheld: Withheld) -> NameRule | None:
    return rule if rule is not None and withheld(rule.id) else None


def _is_opaque(text: str, least: int = _LEAST_OPAQUE) -> bool:
    return len(text) >= least and any(map(str.isdigit, text))


def _unquoted(found: re.Match[str]) -> Span:
    """Give where the value of a member lies, quotes left out."""
    start, end = found.span("value")
    value = found["value"]
    if value[:1] in {'"', "'"}:
        return start + 1, end - (len(value) > 1 and value[-1] == value[0])
    return start, end


def _is_named(text: str, withheld: Withheld) -> bool:
    """Tell whether an attribute of a tag names what the tag holds as something condemned."""
    for found in _MEMBER.finditer(text):
        if found["name"] is not None and judge(found["name"]).label:
            start, end = _unquoted(found)
            rule = _condemning(judge_label(text[start:end]), withheld)
            if rule is not None and not rule.soft:
                return True
    return False
