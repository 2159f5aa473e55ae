"""Names with their values in running text: `token=…`, `"password": "…"`, `<pin>…</pin>`.

Source: health facts, section 18.1; decisions on the snapshot.

Invariant *structure or suspicion*: a name that is quoted, written as an identifier, or followed by
`=` redacts its value as a member's name does; in prose (`Session: easy run`) a word that may be
innocent needs a value that looks like no prose.
Invariant *linear*: a value is passed over once it is redacted, a name once it is allowed.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from healthapi.redaction.names import (
    NameRule,
    classify,
    classify_label,
    may_be_innocent,
)
from healthapi.redaction.normalize import Span

__all__ = ["Withheld", "find_named_values", "is_food"]

Withheld = Callable[[str], bool]
"""Whether the rule of an id applies, or its owner discloses what it removes."""

_MARK: Final = r"\[removed\]"
_IDENTIFIER: Final = r"[\w.]++(?:-++[\w.]++)*+"
_STATUS: Final = frozenset(
    (
        *("expired", "failed", "incorrect", "invalid", "mismatch", "missing", "rejected"),
        *("revoked", "unauthorized", "unknown", "used", "wrong"),
    )
)
"""What an error message says of a credential before it shows it."""
_AUXILIARY: Final = _STATUS | {"already", "been", "has", "have", "is", "not", "or", "was"}
_NAME: Final = re.compile(
    rf"""(?<![\w.-])-*+
        (?P<name>{_IDENTIFIER}(?:[ ]{_IDENTIFIER}){{0,5}})
        (?P<close>[\s"'`\])*]*+(?:\[[0-9]{{0,9}}+\]){{0,4}}+(?:</[A-Za-z]{{1,16}}+>){{0,4}}+\s*+)
        (?P<seam>[=-]>|[→⇒]|[:!~]=|={{1,3}}+|:(?!//)|(?<=\s)(?:is|\|)(?=\s))
        (?P<gap>\s*+)""",
    re.VERBOSE,
)
_WORDS_OF_NAME: Final = 3
_QUOTES: Final = frozenset("\"'`]")
_PROSE: Final = frozenset({":", "is", "|"})
_LOOSE: Final = frozenset({"is", "|"})
"""Separators that occur in any prose and any table."""
_PLAIN_NAME: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")

_BEFORE: Final = re.compile(
    r"""(?:</?(?:b|big|br|code|dd|em|font|i|kbd|p|pre|samp|small|span|strong|td|th|tr|tt|u)
           (?![\w-])[^<>]{0,64}+>\s*+)*+
        (?:-[ ]++)?+(?:[bBfFrRuU]{1,2}+(?=["']))?+""",
    re.VERBOSE,
)
"""What comes before a value and is no part of it: tags, the mark of an item, `b` of bytes."""
_QUOTED: Final = re.compile(
    r"""(?P<triple>\"{3}|'{3})(?P<long>.*?)(?:(?P=triple)|\Z)
      | "(?P<double>(?:[^"\\]|\\.|"")*+)
      | '(?P<single>(?:[^'\\]|\\.|'')*+)
      | `(?P<back>[^`]*+)
      | <(?P<angled>[^<>\s]++)(?=>)""",
    re.VERBOSE | re.DOTALL,
)
_OPENING: Final = re.compile(rf"(?!{_MARK})[\[{{(]")
_STRING: Final = r""""(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?"""
_BRACKET: Final = re.compile(rf"[\[{{(]|[\]}})]|{_STRING}", re.DOTALL)
_SCALAR: Final = re.compile(r"[|>][+-]?[0-9]?[ \t]*+\r?\n")
"""How a text of several lines starts in YAML."""
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
_LINES: Final = {quote: re.compile(rf"[^\r\n{quote}]++") for quote in "\"'`"}
_WHOLE_LINE: Final = re.compile(r"[^\r\n]++")
_CRUMBS: Final = re.compile(
    r"[^\s=;,]{1,256}+=[^\s;&\"'<>]*+(?:;[ ]?[^\s=;,]{1,256}+=[^\s;&\"'<>]*+)*+"
)
_CRUMB: Final = re.compile(r"[^\s=;,]{1,256}=|\[removed\]|(?=\S{0,256}?[0-9])\S{16}")
"""How the value of a cookie header starts; `Cookies: 3` is food."""

_FOOD: Final = re.compile(r"(?:[0-9]{1,4}(?:[.,][0-9]{1,2})?)?[A-Za-z ,.'()-]{0,200}")
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


_ITEM: Final = re.compile(
    r"""(?P<quote>["'`])(?P<label>[^"'`\r\n]{1,256}+)(?P=quote)
        \s*+(?:[,;]|->|[→⇒])\s*+(?:s:[0-9]{1,9}+:)?
        (?=[bBfFrRuU]{0,2}+(?:"(?P<double>(?:[^"\\]|\\.)++)|'(?P<single>(?:[^'\\]|\\.)++))
           (?!["']\s*+:))""",
    re.VERBOSE | re.DOTALL,
)
_LISTED: Final = {"(": ")", "[": "]"}
_ROW: Final = re.compile(
    r"^[ \t]*+(?P<name>[A-Za-z][\w.-]{0,63}+)[ \t]*+[,;\t][ \t]*+(?P<value>[^\s,;]++)[ \t]*+$",
    re.MULTILINE,
)
"""A row of a table of names and values: `access_token,abc`."""

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
"""Characters in which the end of a redacted element is looked for."""
_FLAG: Final = re.compile(
    r"""(?<!\S)--?(?P<name>[A-Za-z][\w-]*+)[ \t]++(?!-)
        (?:"(?P<double>[^"]++)|'(?P<single>[^']++)|(?P<word>\S++))""",
    re.VERBOSE,
)
_SEGMENT: Final = re.compile(r"(?<=/)(?P<name>[\w.~-]++)(?=/(?P<value>[^\s/?#&;\"'<>\\]++))")
_LEAST_SEGMENT: Final = 6


def find_named_values(text: str, withheld: Withheld) -> Iterator[Span]:
    """Yield the values of redacted names in a text."""
    for signs, finder in _FINDERS:
        if any(sign in text for sign in signs):
            yield from finder(text, withheld)


def is_food(value: str) -> bool:
    """Check whether what is called `cookies` is a food, not the value of a header."""
    return _FOOD.fullmatch(value) is not None


def _assignments(text: str, withheld: Withheld) -> Iterator[Span]:
    """Yield the values of redacted names."""
    start = 0
    while found := _NAME.search(text, start):
        start = found.end()
        label, rule, failed = _label_of(found["name"])
        if rule is None or not withheld(rule.id):
            continue
        first, last = _value_of(text, found, label, rule, failed=failed)
        if first < last:
            yield first, last
            start = max(last, start)
            if text[last - 1] in ":=" and last - first <= _LONGEST_NAME:
                start = first  # it may be a name itself, whose value is still to come


def _neighbours(text: str, withheld: Withheld) -> Iterator[Span]:
    """Yield what follows a redacted name and is no word: `machine x password …`."""
    for found in _NEIGHBOUR.finditer(text):
        rule = classify(found["name"]).rule
        if rule is None or rule.id.startswith("identity.") or not withheld(rule.id):
            continue
        least = _LEAST_OPAQUE if may_be_innocent(found["name"]) else 0
        number = rule.id in _NUMBERS or _LETTER.search(found["value"])
        if number and len(found["value"]) >= least:
            yield found.span("value")


def _items(text: str, withheld: Withheld) -> Iterator[Span]:
    """Yield what is listed behind a redacted name, both in quotes: `("token", "…")`."""
    for found in _ITEM.finditer(text):
        rule = _applying(classify_label(found["label"]), withheld)
        if rule is None or rule.id.startswith("identity."):
            continue
        start, end = found.span("double" if found["double"] else "single")
        alone = _LISTED.get(text[found.start() - 1 : found.start()]) == text[end + 1 : end + 2]
        doubtful = rule.soft and may_be_innocent(found["label"])
        if alone or not doubtful or _is_opaque(text[start:end]):
            yield start, end


def _rows(text: str, withheld: Withheld) -> Iterator[Span]:
    """Yield the values of rows of a table of names and values: `access_token,abc`."""
    for found in _ROW.finditer(text):
        rule = _applying(classify_label(found["name"]), withheld)
        if rule is None or rule.id.startswith("identity."):
            continue
        if not may_be_innocent(found["name"]) or _is_opaque(found["value"]):
            yield found.span("value")


def _attributes(text: str, withheld: Withheld) -> Iterator[Span]:
    """Yield the values beside a redacted name: `name="token" value="…"`."""
    whole, within = (set(_beside(text, withheld, within=each)) for each in (False, True))
    yield from sorted(whole | within)


def _beside(text: str, withheld: Withheld, *, within: bool) -> Iterator[Span]:
    """Yield the values beside a redacted name, within the strings of other members or not."""
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
        verdict, (start, end) = classify(name), _unquoted(found)
        if verdict.label and _applying(classify_label(text[start:end]), withheld):
            named = True
        elif verdict.content and found["value"]:
            contents.append((start, end))
        elif verdict.content and named:
            place = _closing(text, start)
            yield start, place
        elif within and not verdict.label and start > found.start("value"):
            place = start  # of a string
    yield from contents if named else ()


def _parts(text: str, withheld: Withheld) -> Iterator[Span]:
    """Yield the values of redacted parts of a form, as `multipart/form-data` has them."""
    for found in _PART.finditer(text):
        if _applying(classify_label(found["name"]), withheld):
            yield found.span("value")


def _elements(text: str, withheld: Withheld) -> Iterator[Span]:
    """Yield the content of redacted XML elements, and of those beside a redacted name."""
    start, named = 0, False
    while found := _ELEMENT.search(text, start):
        first, last = found.span("text")
        start = last
        if found["attributes"].endswith("/"):
            continue
        if _applying(classify(found["tag"]).rule, withheld):
            end = text.find(f"</{found['tag']}", first, first + _REACH)
            start = last = max(last, end)
            named = True
        elif not named:
            named = found["tag"] not in _VOID and _is_named(found["attributes"], withheld)
        content = text[first:last]
        if content and not content.isspace():
            if named:
                yield first, last
            named = not named and _applying(classify_label(content), withheld) is not None


def _flags(text: str, withheld: Withheld) -> Iterator[Span]:
    """Yield the values of redacted options of a command line."""
    for found in _FLAG.finditer(text):
        if _applying(classify(found["name"]).rule, withheld):
            yield found.span(found.lastgroup or 0)


def _segments(text: str, withheld: Withheld) -> Iterator[Span]:
    """Yield the segment of a URL that follows a redacted one."""
    for found in _SEGMENT.finditer(text):
        rule = _applying(classify(found["name"]).rule, withheld)
        if rule is not None and not rule.id.startswith("identity."):
            least = _LEAST_OPAQUE if may_be_innocent(found["name"]) else _LEAST_SEGMENT
            if _is_opaque(found["value"], least):
                yield found.span("value")


def _applying(rule: NameRule | None, withheld: Withheld) -> NameRule | None:
    return rule if rule is not None and withheld(rule.id) else None


def _is_opaque(text: str, least: int = _LEAST_OPAQUE) -> bool:
    return len(text) >= least and any(map(str.isdigit, text))


def _unquoted(found: re.Match[str]) -> Span:
    """Return where the value of a member lies, quotes left out."""
    start, end = found.span("value")
    value = found["value"]
    if value[:1] in {'"', "'"}:
        return start + 1, end - (len(value) > 1 and value[-1] == value[0])
    return start, end


def _is_named(text: str, withheld: Withheld) -> bool:
    """Check whether an attribute of a tag names what the tag holds as something redacted."""
    for found in _MEMBER.finditer(text):
        if found["name"] is not None and classify(found["name"]).label:
            start, end = _unquoted(found)
            rule = _applying(classify_label(text[start:end]), withheld)
            if rule is not None and not rule.soft:
                return True
    return False


def _closing(text: str, start: int) -> int:
    """Return where the bracket at the start is closed; the end of the text where it is not."""
    depth = 0
    for found in _BRACKET.finditer(text, start):
        if found[0] in "[{(":
            depth += 1
        elif found[0] in "]})":
            depth -= 1
            if not depth:
                return found.end()
    return len(text)


def _label_of(name: str) -> tuple[str, NameRule | None, bool]:
    """Return what names a value: its rule, and whether an error message says so.

    Of several words the last name; words in front of it are no part of it.
    """
    words = name.split(" ")
    last = len(words)
    while last > 1 and words[last - 1].lower() in _AUXILIARY:
        last -= 1
    failed = not _STATUS.isdisjoint(word.lower() for word in words[last:])
    if failed:
        words = words[:last]
    words = words[-_WORDS_OF_NAME:]
    for first in range(len(words) - 1):
        label = " ".join(words[first:])
        rule = classify_label(label)
        if rule is not None:
            return label, rule, failed
    return words[-1], classify(words[-1]).rule, failed


def _value_of(text: str, found: re.Match[str], label: str, rule: NameRule, *, failed: bool) -> Span:
    """Return where the redacted value of a name starts and ends; nothing where it is innocent."""
    structure = _is_structure(found, label)
    innocent = may_be_innocent(label) and not failed
    scalar = _SCALAR.match(text, found.end())
    if scalar or structure or not (rule.soft and innocent):
        block = _block(text, found, scalar.end() if scalar else found.end())
        if block is not None:
            return block
    first, last = _value_at(text, found, rule, structure=structure)
    if structure:
        food = innocent and rule.id == "name.cookie" and text[first:last].isdecimal()
        return (first, first) if food and is_food(text[first:last]) else (first, last)
    odd = _is_odd(rule, found["seam"], text[first:last], innocent=innocent)
    return (first, last) if odd else (first, first)


def _is_structure(found: re.Match[str], label: str) -> bool:
    """Check whether a name is written as names of members are, not as words of prose are."""
    seam = found["seam"]
    if seam not in _PROSE or not _QUOTES.isdisjoint(found["close"]):
        return True
    if seam in _LOOSE or " " in label:
        return False
    return not (found["close"] or found["gap"]) or _PLAIN_NAME.fullmatch(label) is None


def _is_odd(rule: NameRule, seam: str, value: str, *, innocent: bool) -> bool:
    """Check whether a value in prose looks like a secret of its kind."""
    if rule.id.startswith("identity."):
        return False
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
    """Return where a pattern ends that is matched at a place; the place where it is not."""
    found = pattern.match(text, start)
    return found.end() if found else start


def _value_at(text: str, found: re.Match[str], rule: NameRule, *, structure: bool) -> Span:
    """Return where the value of a name begins and ends; quotes are no part of it."""
    start = _past(_BEFORE, text, found.end())
    if quoted := _QUOTED.match(text, start):
        return quoted.span(quoted.lastgroup or 0)
    if structure and _OPENING.match(text, start):
        return start, _closing(text, start)
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


_FINDERS: Final[tuple[tuple[str, Callable[[str, Withheld], Iterator[Span]]], ...]] = (
    (":=>|→⇒i", _assignments),
    (" \t", _neighbours),
    ("\"'`", _items),
    (",;\t", _rows),
    (":=", _attributes),
    ('"', _parts),
    ("<", _elements),
    ("-", _flags),
    ("/", _segments),
)
"""The forms of names with values, each with signs of which one has to be in the text."""
