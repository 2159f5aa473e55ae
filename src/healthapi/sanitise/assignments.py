"""Names with their values in running text: `token=…`, `"password": "…"`, `Cookie: …`.

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
from healthapi.sanitise.names import NameRule, judge, judge_label, may_be_innocent

__all__ = ["Withheld", "assignments", "closing", "neighbours", "parameters"]

Withheld = Callable[[str], bool]
"""Tells by the id of a rule whether what it condemns is withheld, or disclosed by its owner."""

_MARK: Final = r"\[removed\]"
_IDENTIFIER: Final = r"[\w.]++(?:-++[\w.]++)*+"
_NAME: Final = re.compile(
    rf"""(?<![\w.-])-*+
        (?P<name>{_IDENTIFIER}(?:[ ]{_IDENTIFIER}){{0,2}})
        (?P<close>[\s"'`\])*]*+(?:\[[0-9]{{0,9}}+\]){{0,4}}+(?:</[A-Za-z]{{1,16}}+>){{0,4}}+\s*+)
        (?P<seam>[=-]>|[→⇒]|[:!~]=|={{1,3}}+|:(?!//)|(?<=\s)(?:is|\|)(?=\s))
        (?P<gap>\s*+)""",
    re.VERBOSE,
)
_QUOTES: Final = frozenset("\"'`]")
_PROSE: Final = frozenset({":", "is", "|"})
_LOOSE: Final = frozenset({"is", "|"})
"""Seams that stand in any prose and any table."""
_PLAIN_NAME: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")

_BEFORE: Final = re.compile(
    r"""(?:</?(?:b|big|br|code|dd|em|font|i|kbd|p|pre|samp|small|span|strong|td|th|tr|tt|u)
           (?![\w-])[^<>]{0,64}+>\s*+)*+
        (?:-[ ]++)?+(?:[bBfFrRuU]{1,2}+(?=["']))?+""",
    re.VERBOSE,
)
"""What stands before a value and is no part of it: tags, the mark of an item, `b` of bytes."""
_QUOTED: Final = re.compile(
    r"""(?P<triple>\"{3}|'{3})(?P<long>.*?)(?:(?P=triple)|\Z)
      | "(?P<double>(?:[^"\\]|\\.|"")*+)
      | '(?P<single>(?:[^'\\]|\\.|'')*+)
      | `(?P<back>[^`]*+)
      | <(?P<angled>[^<>\s]++)(?=>)""",
    re.VERBOSE | re.DOTALL,
)
_OPENING: Final = re.compile(rf"(?!{_MARK})[\[{{(]")
_BRACKET: Final = re.compile(
    r"""[\[{(]|[\]})]|"(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?""", re.DOTALL
)
_SCALAR: Final = re.compile(r"[|>][+-]?[0-9]?[ \t]*+\r?\n")
"""How a text of several lines begins in YAML."""
_INDENT: Final = re.compile(r"[ \t]*+(?:-[ ]++)*+")
_LINE: Final = re.compile(r"([ \t]*+)([^\r\n]*+)(?:\r\n?|\n|\Z)")

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
_CRUMBS: Final = re.compile(
    r"[^\s=;,]{1,256}+=[^\s;&\"'<>]*+(?:;[ ]?[^\s=;,]{1,256}+=[^\s;&\"'<>]*+)*+"
)
_CRUMB: Final = re.compile(r"[^\s=;,]{1,256}=|\[removed\]|(?=\S{0,256}?[0-9])\S{16}")
"""How the value of a cookie header begins; `Cookies: 3` is food."""
_WHOLE_LINE: Final = re.compile(r"[^\r\n]++")

_LONGEST_NAME: Final = 64
_LEAST_ODD: Final = 4
_LEAST_OPAQUE: Final = 12

_NEIGHBOUR: Final = re.compile(
    rf"(?<![\w.-])-*+(?P<name>{_IDENTIFIER})[\"'`]?[ \t]++[\"'`]?(?![0-9]{{4}}-[0-9]{{2}}-)"
    r"(?=[^\s0-9]*+[0-9])(?P<value>[^\s\"'`,;&<>()\[\]{}]{6,}+)"
)
_NUMBERS: Final = frozenset({"name.code", "name.password"})
"""Rules whose secret may be a number."""
_LETTER: Final = re.compile(r"[A-Za-z]")

_PARAMETER: Final = re.compile(r"[?&#;]([\w.~%-]++)=((?:\[removed\]|[^&#;\s\"'<>])++)")
_SIGNING: Final = re.compile(
    r"""assertion|awsaccesskeyid|challenge|code|confirmation|googleaccessid|hash|invitation|invite
      | key|keypairid|magic|otc|policy|sig|sign|signature|state|ticket|verification""",
    re.VERBOSE,
)


def assignments(text: str, withheld: Withheld) -> Iterator[Span]:
    """Find the values of condemned names."""
    start = 0
    while found := _NAME.search(text, start):
        start = found.end()
        label, rule = _judged(found["name"])
        if rule is None or not withheld(rule.id):
            continue
        first, last = _condemned(text, found, label, rule)
        if first < last:
            yield first, last
            start = max(last, start)
            if text[last - 1] in ":=" and last - first <= _LONGEST_NAME:
                start = first  # it may be a name itself, whose value is still to come


def neighbours(text: str, withheld: Withheld) -> Iterator[Span]:
    """Find what stands behind a condemned name and is no word: `machine x password …`."""
    for found in _NEIGHBOUR.finditer(text):
        rule = judge(found["name"]).rule
        if rule is None or rule.id.startswith("identity.") or not withheld(rule.id):
            continue
        least = _LEAST_OPAQUE if may_be_innocent(found["name"]) else 0
        number = rule.id in _NUMBERS or _LETTER.search(found["value"])
        if number and len(found["value"]) >= least:
            yield found.span("value")


def parameters(text: str) -> Iterator[Span]:
    """Find the values of URL parameters that sign or open, though innocent elsewhere."""
    for found in _PARAMETER.finditer(text):
        if _SIGNING.fullmatch(re.sub(r"[^a-z]", "", found[1].lower())):
            yield found.span(2)


def closing(text: str, start: int) -> int:
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


def _judged(name: str) -> tuple[str, NameRule | None]:
    """Judge a name of up to three words, or the last of them where the others are no part of it."""
    words = name.split(" ")
    for first in range(len(words) - 1):
        label = " ".join(words[first:])
        rule = judge_label(label)
        if rule is not None:
            return label, rule
    return words[-1], judge(words[-1]).rule


def _condemned(text: str, found: re.Match[str], label: str, rule: NameRule) -> Span:
    """Give where the condemned value of a name begins and ends; nothing where it is innocent."""
    structure = _is_structure(found, label)
    scalar = _SCALAR.match(text, found.end())
    if scalar or structure or not (rule.soft and may_be_innocent(label)):
        block = _block(text, found, scalar.end() if scalar else found.end())
        if block is not None:
            return block
    first, last = _value_at(text, found, rule, structure=structure)
    if structure or _is_odd(rule, label, found["seam"], text[first:last]):
        return first, last
    return first, first


def _is_structure(found: re.Match[str], label: str) -> bool:
    """Tell whether a name stands as names of members do, not as words of prose do."""
    seam = found["seam"]
    if seam not in _PROSE or not _QUOTES.isdisjoint(found["close"]):
        return True
    if seam in _LOOSE or " " in label:
        return False
    return not (found["close"] or found["gap"]) or _PLAIN_NAME.fullmatch(label) is None


def _is_odd(rule: NameRule, label: str, seam: str, value: str) -> bool:
    """Tell whether a value in prose looks like a secret of its kind."""
    if rule.id.startswith("identity."):
        return False
    innocent = may_be_innocent(label)
    if seam not in _LOOSE and (rule.id == "name.cookie" or not innocent):
        return True
    hard = not (rule.soft and innocent) or rule.id == "name.pin"
    if not any(each.isdigit() for each in value):
        return hard and seam not in _LOOSE and len(value) >= _LEAST_OPAQUE
    return len(value) >= (_LEAST_ODD if hard else _LEAST_OPAQUE)


def _block(text: str, found: re.Match[str], below: int) -> Span | None:
    """Give the lines that are indented below the line of a name, as in YAML."""
    start = found.end()
    if found["seam"] != ":" or not (below > start or "\n" in found["gap"]):
        return None
    line = text.rfind("\n", 0, found.start("name")) + 1
    indent = _past(_INDENT, text, line) - line
    end = start
    for each in _LINE.finditer(text, text.rfind("\n", 0, below) + 1):
        if not each[2]:
            continue
        if len(each[1]) + each[2].startswith("- ") <= indent:
            break
        end = each.end(2)
    return (start, end) if end > start else None


def _past(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Give where a pattern ends that is matched at a place; the place where it is not."""
    found = pattern.match(text, start)
    return found.end() if found else start


def _value_at(text: str, found: re.Match[str], rule: NameRule, *, structure: bool) -> Span:
    """Give where the value of a name begins and ends; quotes are no part of it."""
    start = _past(_BEFORE, text, found.end())
    if quoted := _QUOTED.match(text, start):
        return quoted.span(quoted.lastgroup or 0)
    if structure and _OPENING.match(text, start):
        return start, closing(text, start)
    if rule.id == "name.cookie" and not (structure or _CRUMB.match(text, start)):
        return start, start
    end = _past(_pattern_of(text, found, rule), text, start)
    return start, start + len(text[start:end].rstrip("\\ \t"))


def _pattern_of(text: str, found: re.Match[str], rule: NameRule) -> re.Pattern[str]:
    in_line = found["seam"] == ":"
    if rule.id in {"name.authorization", "name.cookie"} and in_line:
        return _LINES.get(text[max(found.start() - 1, 0) : found.start()], _WHOLE_LINE)
    if rule.id == "name.cookie" and _CRUMBS.match(text, found.end()):
        return _CRUMBS
    if found["seam"] in _LOOSE:
        return _WORD  # what follows may be acquitted, and is gone over again
    if rule.id == "name.authorization":
        return _PHRASE
    if rule.id == "name.password":
        return _PHRASE if in_line or found["gap"] else _CHUNK
    return _WORD
