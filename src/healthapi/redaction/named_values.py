"""Find names with their values in running text: `token=…`, `"password": "…"`, `<pin>…</pin>`.

Assignments (`name: value`) have rules of their own for where a value ends; all other notations are
rows of the table `FORMS`.

Invariant *structure or suspicion*: a name that is quoted, written as an identifier, or followed by
`=` redacts its value as the name of a member does.  In prose (`Session: easy run`) a word that may
be innocent needs a value that does not look like prose.
Invariant *linear*: a search continues after the name, or after the value that it redacted; between
two names a pattern reads at most a constant number of characters.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final, Literal

import attrs

from healthapi.redaction.name_rules import NameRule
from healthapi.redaction.names import (
    CONTENTS,
    LABELS,
    classify,
    classify_label,
    may_be_innocent,
)
from healthapi.redaction.normalize import Span

RuleFilter = Callable[[str], bool]
"""Check whether the rule of an id applies, that is, whether its data are not disclosed."""

_MIN_OPAQUE: Final = 12
"""Characters of a value with a digit that is no prose."""
_MIN_ODD: Final = 4
"""Characters of a value with a digit, after a name that is hardly prose."""
_MAX_NAME: Final = 64
_MAX_ELEMENT: Final = 4096
"""Characters in which the closing tag of a redacted element is searched."""

_MARK: Final = r"\[removed\]"
_ESCAPED: Final = r"\\(?![\"'/nrtux])"
_CHUNK: Final = re.compile(rf"(?:{_MARK}|[^\s;&\"'<>\])}}\\]|{_ESCAPED})++")
_WORD: Final = re.compile(
    rf"(?:{_MARK}|[^\s;&\"'<>\])}}\\,#]|{_ESCAPED}|,(?!\s)(?![\s\w.-]*+[=:]))++"
)
_PHRASE: Final = re.compile(
    rf"(?:{_MARK}|[^\s;&\"'<>\])}}\\,]|{_ESCAPED}|[ \t]++(?![\w.-]++[ ]?[=:]))++"
)
_LINES: Final = {quote: re.compile(rf"[^\r\n{quote}]++") for quote in "\"'`"}
_WHOLE_LINE: Final = re.compile(r"[^\r\n]++")
_COOKIES: Final = re.compile(
    r"[^\s=;,]{1,256}+=[^\s;&\"'<>]*+(?:;[ ]?[^\s=;,]{1,256}+=[^\s;&\"'<>]*+)*+"
)
_COOKIE_START: Final = re.compile(r"[^\s=;,]{1,256}=|\[removed\]|(?=\S{0,256}?[0-9])\S{16}")
"""How the value of a cookie header starts; `Cookies: 3` is food."""
_FOOD: Final = re.compile(r"(?:[0-9]{1,4}(?:[.,][0-9]{1,2})?)?[A-Za-z ,.'()-]{0,200}")

_BEFORE_VALUE: Final = re.compile(
    r"""(?:</?(?:b|big|br|code|dd|em|font|i|kbd|p|pre|samp|small|span|strong|td|th|tr|tt|u)
           (?![\w-])[^<>]{0,64}+>\s*+)*+
        (?:-[ ]++)?+(?:[bBfFrRuU]{1,2}+(?=["']))?+""",
    re.VERBOSE,
)
"""Tags, the mark of a list item, and the prefix of a string literal."""
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
_BLOCK_SCALAR: Final = re.compile(r"[|>][+-]?[0-9]?[ \t]*+\r?\n")
"""How a text of several lines starts in YAML."""
_INDENT: Final = re.compile(r"[ \t]*+(?:-[ ]++)*+")
_LINE: Final = re.compile(r"([ \t]*+)([^\r\n]*+)(?:\r\n?|\n|\Z)")


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE | re.DOTALL | re.MULTILINE)


@attrs.frozen
class Form:
    """A notation of a name with its value.

    Attributes:
        signs: characters of which one is in every text with the form.
        pattern: matches the `name`, and the `value` unless that starts where the pattern ends.
        identities: whether names of identities redact their values in this form.
        opaque_only: which of the names that may be words of prose need a value that looks random:
            none of them, those of soft rules, or all.

    """

    signs: str
    pattern: re.Pattern[str] = attrs.field(converter=_compiled)
    identities: bool = True
    opaque_only: Literal["none", "soft", "all"] = "none"

    def redacts(self, rule: NameRule, name: str, value: str) -> bool:
        """Check whether the form redacts the value of a name to which a rule applies."""
        if rule.id.startswith("identity."):
            return self.identities
        may_be_prose = self.opaque_only == "all" or (self.opaque_only == "soft" and rule.soft)
        if not (may_be_prose and may_be_innocent(name)):
            return True
        return len(value) >= _MIN_OPAQUE and any(map(str.isdigit, value))


def _any_name(words: frozenset[str]) -> str:
    """Return a pattern of names that are one of the words, or end with one."""
    long = "|".join(sorted(word for word in words if len(word) > len("id")))
    short = "|".join(sorted(word for word in words if len(word) <= len("id")))
    return rf"""(?<![\w.-])["'`]?(?i:[\w-]{{0,32}}?(?:{long})|{short})["'`]?\s*+(?:=>|[:=])\s*+"""


_IDENTIFIER: Final = r"[\w.]++(?:-++[\w.]++)*+"
_LABEL: Final = rf"""{_any_name(LABELS)}
    (?P<quote>["'`])?+(?P<name>(?(quote)[^"'`\r\n]{{1,256}}+|[^\s,;"'<>{{}}()\[\]]++))(?(quote)(?P=quote))"""
_CONTENT: Final = _any_name(CONTENTS)
_GAP: Final = r"""(?:[^<>{}()\[\]"'`]|"[^"]{0,128}+"|'[^']{0,128}+'){0,64}?"""
_ITEM: Final = r"""(?P<quote>["'`])(?P<name>[^"'`\r\n]{1,256}+)(?P=quote)
    \s*+(?:[,;]|->|[→⇒])\s*+(?:s:[0-9]{1,9}+:)?[bBfFrRuU]{0,2}+
    (?P<open>["'])(?P<value>(?:(?!(?P=open))[^\\]|\\.)++)(?!["']\s*+:)"""
_TAG: Final = r"<[A-Za-z][^<>]*+(?<!/)>"

FORMS: Final = (
    Form(  # login x password hunter2
        " \t",
        rf"""(?<![\w.-])-*+(?P<name>{_IDENTIFIER})["'`]?[ \t]++["'`]?(?![0-9]{{4}}-[0-9]{{2}}-)
        (?=[^\s0-9]*+[0-9])(?=[^\sA-Za-z]*+[A-Za-z])(?P<value>[^\s"'`,;&<>()\[\]{{}}]{{6,}}+)""",
        identities=False,
        opaque_only="all",
    ),
    Form(  # otp 123456
        " \t",
        r"""(?<![\w.-])(?P<name>[\w.-]{0,64}?(?i:pass\w{0,9}|otp|codes?))[ \t]++
        (?P<value>[0-9]{6,}+)(?![\w.:-])""",
        identities=False,
    ),
    Form("\"'`", _ITEM, identities=False, opaque_only="soft"),  # 'token', 'abc'
    Form("([", rf"(?<=[(\[]){_ITEM}[\"'](?=[)\]])", identities=False),  # ('session', 'abc')
    Form(  # access_token,abc
        ",;\t",
        r"^[ \t]*+(?P<name>[A-Za-z][\w.-]{0,63}+)[ \t]*+[,;\t][ \t]*+(?P<value>[^\s,;]++)[ \t]*+$",
        identities=False,
        opaque_only="soft",
    ),
    Form(":=", rf"{_LABEL}{_GAP}{_CONTENT}"),  # name="token" value="abc"
    Form(  # value="abc" name="token"
        ":=",
        rf"""{_CONTENT}(?P<open>["'])?+
        (?P<value>(?(open)(?:(?!(?P=open)).){{0,512}}+|[^\s,;"'<>{{}}()\[\]]++))
        (?(open)(?P=open)){_GAP}{_LABEL}""",
    ),
    Form(  # a part of multipart/form-data
        '"',
        r"""[\s;]name="(?P<name>[^"\r\n]{1,256}+)"[^\r\n]{0,256}+\r?\n
        (?:[^\r\n]++\r?\n)?+\r?\n(?P<value>[^\r\n]++)""",
    ),
    Form(  # <key>token</key><string>abc</string>
        "<",
        rf"(?<=>)(?P<name>[^<>]{{1,256}}+)</[\w:.-]++>\s*+(?:{_TAG}\s*+){{1,4}}+(?P<value>[^<]++)",
    ),
    Form(  # <string name="token">abc</string>
        "<",
        rf"""<(?!(?:br|img|input|link|meta|param)\b)[A-Za-z][^<>]{{0,128}}?\s{_LABEL}
        [^<>]*+(?<!/)>\s*+(?P<value>[^<]++)""",
        opaque_only="soft",
    ),
    Form(  # <token>abc</token>
        "<",
        rf"<(?P<name>[A-Za-z][\w:.-]*+)[^<>]*+(?<!/)>(?P<element>\s*+(?:{_TAG}\s*+){{0,4}}+[^<]*+)",
    ),
    Form("-", r"(?<!\S)--?(?P<name>[A-Za-z][\w-]*+)[ \t]++(?!-)"),  # --token abc
    Form(  # /reset-password/abc123
        "/",
        r"""(?<=/)(?P<name>[\w.~-]++)/(?=[^\s/?#&;"'<>\\0-9]*+[0-9])
        (?P<value>[^\s/?#&;"'<>\\]{6,}+)""",
        identities=False,
        opaque_only="all",
    ),
)
"""The notations of names with values, apart from assignments."""


def find_named_values(text: str, applies: RuleFilter) -> Iterator[Span]:
    """Yield the values of redacted names in a text."""
    if any(sign in text for sign in ":=>|→⇒i"):
        yield from _find_assigned(text, applies)
    for form in FORMS:
        if any(sign in text for sign in form.signs):
            yield from _find_form(text, form, applies)


def is_food(value: str) -> bool:
    """Check whether the value of `cookies` is a food rather than that of a header."""
    return _FOOD.fullmatch(value) is not None


def _find_form(text: str, form: Form, applies: RuleFilter) -> Iterator[Span]:
    start = 0
    while match := form.pattern.search(text, start):
        start = match.end("name")
        rule = classify_label(match["name"])
        if rule is None or not applies(rule.id):
            continue
        first, last = _value_in_form(text, match)
        if first < last and form.redacts(rule, match["name"], text[first:last]):
            yield first, last
            start = max(start, last)


def _value_in_form(text: str, match: re.Match[str]) -> Span:
    groups = match.re.groupindex
    if "value" in groups:
        return match.span("value")
    if "element" not in groups:
        return _value_at(text, match.end(), _CHUNK)
    first, last = match.span("element")
    last = max(last, text.find(f"</{match['name']}", first, first + _MAX_ELEMENT))
    return (first, first) if text[first:last].isspace() else (first, last)


_NAME: Final = re.compile(
    rf"""(?<![\w.-])-*+
        (?P<name>{_IDENTIFIER}(?:[ ]{_IDENTIFIER}){{0,5}})
        (?P<close>[\s"'`\])*]*+(?:\[[0-9]{{0,9}}+\]){{0,4}}+(?:</[A-Za-z]{{1,16}}+>){{0,4}}+\s*+)
        (?P<separator>[=-]>|[→⇒]|[:!~]=|={{1,3}}+|:(?!//)|(?<=\s)(?:is|\|)(?=\s))
        (?P<gap>\s*+)""",
    re.VERBOSE,
)
_STATUS: Final = frozenset(
    (
        *("expired", "failed", "incorrect", "invalid", "mismatch", "missing", "rejected"),
        *("revoked", "unauthorized", "unknown", "used", "wrong"),
    )
)
"""Words between a credential and its value in an error message."""
_AUXILIARY: Final = _STATUS | {"already", "been", "has", "have", "is", "not", "or", "was"}
_MAX_LABEL_WORDS: Final = 3
_QUOTES: Final = frozenset("\"'`]")
_PROSE: Final = frozenset({":", "is", "|"})
_LOOSE: Final = frozenset({"is", "|"})
"""Separators that occur in any prose and any table."""
_PLAIN_NAME: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def _find_assigned(text: str, applies: RuleFilter) -> Iterator[Span]:
    """Yield the values that are assigned to redacted names."""
    start = 0
    while match := _NAME.search(text, start):
        start = match.end()
        label, rule, is_error = _label_of(match["name"])
        if rule is None or not applies(rule.id):
            continue
        first, last = _assigned_value(text, match, label, rule, is_error=is_error)
        if first < last:
            yield first, last
            start = max(last, start)
            if text[last - 1] in ":=" and last - first <= _MAX_NAME:
                start = first  # The value may be a name itself, with its value after it.


def _label_of(name: str) -> tuple[str, NameRule | None, bool]:
    """Return the last words that name a value, their rule, and whether an error is reported."""
    words = name.split(" ")
    last = len(words)
    while last > 1 and words[last - 1].lower() in _AUXILIARY:
        last -= 1
    is_error = not _STATUS.isdisjoint(word.lower() for word in words[last:])
    words = words[: last if is_error else None][-_MAX_LABEL_WORDS:]
    for first in range(len(words) - 1):
        label = " ".join(words[first:])
        if (rule := classify_label(label)) is not None:
            return label, rule, is_error
    return words[-1], classify(words[-1]).rule, is_error


def _assigned_value(
    text: str, match: re.Match[str], label: str, rule: NameRule, *, is_error: bool
) -> Span:
    """Return the redacted value of a name; an empty span if the value is innocent."""
    start = match.end()
    is_member = _is_member(match, label)
    innocent = may_be_innocent(label) and not is_error
    scalar = _BLOCK_SCALAR.match(text, start)
    if scalar or is_member or not (rule.soft and innocent):
        block = _block(text, match, scalar.end() if scalar else start)
        if block is not None:
            return block
    start = _end_of(_BEFORE_VALUE, text, start)
    is_header = rule.id == "name.cookie" and not is_member
    if is_header and not (_QUOTED.match(text, start) or _COOKIE_START.match(text, start)):
        return start, start
    bare = _bare_pattern(text, match, rule)
    first, last = _value_at(text, match.end(), bare, brackets=is_member)
    if is_member:
        is_count = innocent and rule.id == "name.cookie" and text[first:last].isdecimal()
        return (first, first) if is_count and is_food(text[first:last]) else (first, last)
    odd = _is_odd(rule, match["separator"], text[first:last], innocent=innocent)
    return (first, last) if odd else (first, first)


def _is_member(match: re.Match[str], label: str) -> bool:
    """Check whether a name is written like the name of a member rather than a word of prose."""
    separator = match["separator"]
    if separator not in _PROSE or not _QUOTES.isdisjoint(match["close"]):
        return True
    if separator in _LOOSE or " " in label:
        return False
    return not (match["close"] or match["gap"]) or _PLAIN_NAME.fullmatch(label) is None


def _is_odd(rule: NameRule, separator: str, value: str, *, innocent: bool) -> bool:
    """Check whether a value in prose looks like a secret of its kind."""
    if rule.id.startswith("identity."):
        return False
    if separator not in _LOOSE and (rule.id == "name.cookie" or not innocent):
        return True
    hard = not (rule.soft and innocent) or rule.id == "name.pin"
    if not any(map(str.isdigit, value)):
        return hard and separator not in _LOOSE and len(value) >= _MIN_OPAQUE
    return len(value) >= (_MIN_ODD if hard else _MIN_OPAQUE)


def _block(text: str, match: re.Match[str], below: int) -> Span | None:
    """Return the lines that are indented below the line of a name, as in YAML."""
    start = match.end()
    if match["separator"] != ":" or not (below > start or "\n" in match["gap"]):
        return None
    line = text.rfind("\n", 0, match.start("name")) + 1
    indent = _end_of(_INDENT, text, line) - line
    end = start
    for line_match in _LINE.finditer(text, text.rfind("\n", 0, below) + 1):
        if not line_match[2]:
            continue
        if len(line_match[1]) + line_match[2].startswith("- ") <= indent:
            break
        end = line_match.end(2)
    return (start, end) if end > start else None


def _value_at(text: str, place: int, bare: re.Pattern[str], *, brackets: bool = True) -> Span:
    """Return the value that starts at a place, without its quotes.

    Only a value that is redacted in any case may be in brackets: others would be read twice.
    """
    start = _end_of(_BEFORE_VALUE, text, place)
    if quoted := _QUOTED.match(text, start):
        return quoted.span(quoted.lastgroup or 0)
    if brackets and _OPENING.match(text, start):
        return start, _closing_bracket(text, start)
    end = _end_of(bare, text, start)
    return start, start + len(text[start:end].rstrip("\\ \t"))


def _closing_bracket(text: str, start: int) -> int:
    """Return the end of what the bracket at the start encloses; of the text if it is open."""
    depth = 0
    for match in _BRACKET.finditer(text, start):
        if match[0] in "[{(":
            depth += 1
        elif match[0] in "]})":
            depth -= 1
            if not depth:
                return match.end()
    return len(text)


def _end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Return the end of a match at a place; the place itself without one."""
    match = pattern.match(text, start)
    return match.end() if match else start


def _bare_pattern(text: str, match: re.Match[str], rule: NameRule) -> re.Pattern[str]:
    """Return the pattern of an assigned value without quotes and brackets."""
    in_line = match["separator"] == ":"
    if rule.id in {"name.authorization", "name.cookie"} and in_line:
        return _LINES.get(text[max(match.start() - 1, 0) : match.start()], _WHOLE_LINE)
    if rule.id == "name.cookie" and _COOKIES.match(text, match.end()):
        return _COOKIES
    if match["separator"] in _LOOSE:
        return _WORD  # Words that turn out to be innocent are searched again.
    if rule.id == "name.authorization":
        return _PHRASE
    if rule.id == "name.password":
        return _PHRASE if in_line or match["gap"] else _CHUNK
    return _WORD
