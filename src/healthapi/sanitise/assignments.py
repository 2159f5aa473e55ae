"""Names with their values in running text: `token=…`, `"password": "…"`, `Cookie: …`, `--pin …`.

Source: health facts, section 18.1; rulings on the snapshot.

Invariant *structure or suspicion*: a name that is quoted, written as an identifier, or followed by
`=` condemns its value as a member's name does; in prose (`Session: easy run`) a word that may be
innocent needs a value that looks like no prose.
Invariant *linear*: a value is passed over once it is condemned, a name once it is acquitted.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from healthapi.sanitise.fold import Span
from healthapi.sanitise.names import NameRule, judge, judge_label

__all__ = ["Withheld", "assignments", "elements", "flags", "parameters"]

Withheld = Callable[[str], bool]
"""Tells by the id of a rule whether what it condemns is withheld, or disclosed by its owner."""

_NAME: Final = re.compile(
    r"""(?<![\w.-])
        (?P<name>[\w.-]++(?:[ ][\w.-]++){0,2})
        (?P<close>[\s"'`\]]{0,6}+)
        (?P<seam>=>|:=|={1,3}+|:(?!//)|(?<=\s)is(?=\s))
        (?P<gap>\s{0,16}+)""",
    re.VERBOSE,
)
_QUOTES: Final = frozenset("\"'`]")
_PROSE: Final = frozenset({":", "is"})
_PLAIN_NAME: Final = re.compile(r"[A-Za-z]+")

_QUOTED: Final = {
    '"': re.compile(r'"((?:[^"\\]|\\.)*+)', re.DOTALL),
    "'": re.compile(r"'((?:[^'\\]|\\.)*+)", re.DOTALL),
    "`": re.compile(r"`([^`]*+)"),
}
_BRACKET: Final = re.compile(
    r"""[\[{(]|[\]})]|"(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?""", re.DOTALL
)
_MARK: Final = r"\[removed\]"
_ESCAPED: Final = r"\\(?![\"'/nrtux])"
_CHUNK: Final = re.compile(rf"(?:{_MARK}|[^\s;&\"'<>\])}}\\]|{_ESCAPED})++")
_WORD: Final = re.compile(
    rf"(?:{_MARK}|[^\s;&\"'<>\])}}\\,#]|{_ESCAPED}|,(?!\s)(?![\s\w.-]*+[=:]))++"
)
_PHRASE: Final = re.compile(
    rf"(?:{_MARK}|[^\s;&\"'<>\])}}\\,]|{_ESCAPED}|[ \t]++(?![\w.-]++[ ]?[=:]))++"
)
_LINES: Final = {
    '"': re.compile(r'[^\r\n"]++'),
    "'": re.compile(r"[^\r\n']++"),
    "`": re.compile(r"[^\r\n`]++"),
}
_CRUMB: Final = re.compile(r"[^\s=;,]{1,256}=|\[removed\]")
"""How the value of a cookie header begins; `Cookies: 3` is food."""
_WHOLE_LINE: Final = re.compile(r"[^\r\n]++")
_HEADERS: Final = frozenset({"name.authorization", "name.cookie"})
_WORDLESS: Final = frozenset({"name.token", "name.secret", "name.code"})
"""Rules whose plain word alone may stand in prose."""

_LEAST_ODD: Final = 4
_LEAST_OPAQUE: Final = 12

_PARAMETER: Final = re.compile(r"[?&#;]([\w.~%-]++)=((?:\[removed\]|[^&#;\s\"'<>])++)")
_PARAMETERS: Final = frozenset(
    {
        "assertion",
        "awsaccesskeyid",
        "code",
        "googleaccessid",
        "key",
        "keypairid",
        "policy",
        "sig",
        "sign",
        "signature",
        "state",
        "ticket",
    }
)
_FLAG: Final = re.compile(r"(?<!\S)--?([A-Za-z][\w-]*+)[ \t]++(?!-)(\S++)")
_ELEMENT: Final = re.compile(r"<([A-Za-z][\w:.-]*+)[^<>]*+>([^<]++)")


def assignments(text: str, withheld: Withheld) -> Iterator[Span]:
    """Find the values of condemned names."""
    start = 0
    while found := _NAME.search(text, start):
        rule = _rule_of(found)
        start = found.end()
        if rule is None or not withheld(rule.id):
            continue
        first, last = _value_at(text, found, rule)
        if first < last and (_is_structure(found) or _is_odd(rule, found, text[first:last])):
            yield first, last
            start = max(last, start)


def parameters(text: str) -> Iterator[Span]:
    """Find the values of URL parameters that sign or open, though innocent elsewhere."""
    for found in _PARAMETER.finditer(text):
        if re.sub(r"[^a-z]", "", found[1].lower()) in _PARAMETERS:
            yield found.span(2)


def flags(text: str, withheld: Withheld) -> Iterator[Span]:
    """Find the values of condemned options of a command line."""
    for found in _FLAG.finditer(text):
        rule = judge(found[1]).rule
        if rule is not None and withheld(rule.id):
            yield found.span(2)


def elements(text: str, withheld: Withheld) -> Iterator[Span]:
    """Find the text of condemned XML elements."""
    for found in _ELEMENT.finditer(text):
        rule = judge(found[1]).rule
        if rule is not None and withheld(rule.id) and not found[2].isspace():
            yield found.span(2)


def _rule_of(found: re.Match[str]) -> NameRule | None:
    """Judge a name of up to three words, or the last of them where the others are no part of it."""
    words = found["name"].split(" ")
    labels = (judge_label(" ".join(words[first:])) for first in range(len(words) - 1))
    return next((rule for rule in labels if rule), None) or judge(words[-1]).rule


def _is_structure(found: re.Match[str]) -> bool:
    """Tell whether a name stands as names of members do, not as words of prose do."""
    seam = found["seam"]
    if seam not in _PROSE or not _QUOTES.isdisjoint(found["close"]):
        return True
    name = found["name"]
    if seam == "is" or " " in name:
        return False
    return not (found["close"] or found["gap"]) or _PLAIN_NAME.fullmatch(name) is None


def _is_odd(rule: NameRule, found: re.Match[str], value: str) -> bool:
    """Tell whether a value in prose looks like a secret of its kind."""
    if rule.id.startswith("identity."):
        return False
    digits = any(each.isdigit() for each in value)
    if found["seam"] == "is":
        return digits and len(value) >= _LEAST_ODD
    if rule.id == "name.cookie":
        return True
    if rule.soft and rule.id != "name.pin":
        return digits and len(value) >= _LEAST_OPAQUE
    if rule.soft or (rule.id in _WORDLESS and " " not in found["name"]):
        return (digits and len(value) >= _LEAST_ODD) or len(value) >= _LEAST_OPAQUE
    return True


def _value_at(text: str, found: re.Match[str], rule: NameRule) -> Span:
    """Give where the value of a name begins and ends; quotes are no part of it."""
    start = found.end()
    sign = text[start : start + 1]
    if sign in _QUOTED and (quoted := _QUOTED[sign].match(text, start)):
        return quoted.span(1)
    if sign and sign in "[{(" and not text.startswith("[removed]", start) and _is_structure(found):
        return start, _closing(text, start)
    if rule.id == "name.cookie" and not (_is_structure(found) or _CRUMB.match(text, start)):
        return start, start
    value = _pattern_of(text, found, rule).match(text, start)
    if value is None:
        return start, start
    return start, start + len(value[0].rstrip("\\ \t"))


def _pattern_of(text: str, found: re.Match[str], rule: NameRule) -> re.Pattern[str]:
    in_line = found["seam"] == ":"
    if rule.id in _HEADERS and in_line:
        return _LINES.get(text[max(found.start() - 1, 0) : found.start()], _WHOLE_LINE)
    if rule.id == "name.password":
        return _PHRASE if in_line else _CHUNK
    return _WORD


def _closing(text: str, start: int) -> int:
    """Give where the bracket at the start is closed; the end of the text where it is not."""
    depth = 0
    for found in _BRACKET.finditer(text, start):
        if found[0] in "[{(":
            depth += 1
        elif found[0] in "]})":
            depth -= 1
            if not depth:
                return found.end()
    return len(text)
