"""JSON into which secrets were planted, to prove that none comes out.

A plant is a canary, a text that stands nowhere else, in one of the forms in which secrets lie in
account snapshots: under a telling name in any spelling, as a name and value pair, or inside text.
The canary stands in the value letter by letter, so that it is found by looking for it.
"""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, Final

from hypothesis import strategies as st

__all__ = ["Planted", "canaries", "planted", "secret_names", "secret_texts"]

_WORDS: Final = (
    ("access", "token"),
    ("refresh", "token"),
    ("id", "token"),
    ("client", "secret"),
    ("api", "key"),
    ("private", "key"),
    ("authorization",),
    ("proxy", "authorization"),
    ("set", "cookie"),
    ("session", "id"),
    ("code", "verifier"),
    ("password",),
)
_LOOK_ALIKES: Final = str.maketrans("aeocp", "\u0430\u0435\u043e\u0441\u0440")
"""Latin letters to Cyrillic ones."""
_FULL_WIDTH: Final = 0xFF01 - ord("!")
_SPELLINGS: Final[tuple[Callable[[tuple[str, ...]], str], ...]] = (
    "_".join,
    "-".join,
    " ".join,
    ".".join,
    "".join,
    lambda words: "_".join(words).upper(),
    lambda words: "-".join(word.title() for word in words),
    lambda words: words[0] + "".join(word.title() for word in words[1:]),
    lambda words: "".join(word.title() for word in words),
    lambda words: f"x_fitbit_{'_'.join(words)}_v2",
    lambda words: f"{'_'.join(words)}s",
    lambda words: f"user[{'_'.join(words)}]",
    lambda words: f"{'_'.join(words)}[0]",
    lambda words: "_".join(words).replace("e", "%65").replace("s", "%73"),
    lambda words: "_".join(words).translate(_LOOK_ALIKES),
    lambda words: "\u200b".join("_".join(words)),
    lambda words: "".join(chr(ord(each) + _FULL_WIDTH) for each in "_".join(words)),
    lambda words: "_".join(words).replace("o", "o\u0301").replace("e", "ë"),
)
_PLAIN: Final = 10
"""The first spellings have nothing but letters, digits and plain seams."""
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_TAIL: Final = 12

Planted = tuple[Any, tuple[str, ...]]
"""A JSON value, and the canaries that are in it."""


def secret_names() -> st.SearchStrategy[str]:
    """Names of members that hold secrets, in every spelling that is understood."""
    return _spelled(_SPELLINGS)


def _spelled(
    spellings: tuple[Callable[[tuple[str, ...]], str], ...],
) -> st.SearchStrategy[str]:
    return st.builds(
        lambda words, spelled: spelled(words), st.sampled_from(_WORDS), st.sampled_from(spellings)
    )


def canaries() -> st.SearchStrategy[str]:
    """Texts that stand nowhere else, too short to be known as secrets by themselves."""
    return st.integers(0, len(_LETTERS) ** _TAIL - 1).map(_canary)


def _canary(number: int) -> str:
    tail = ""
    for _ in range(_TAIL):
        number, place = divmod(number, len(_LETTERS))
        tail += _LETTERS[place]
    return f"cAnArY7{tail}"


_IN_TEXT: Final = (
    "{name}={canary}",
    "{name}: {canary}",
    "a=1&{name}={canary}&b=2",
    "https://example.org/callback?{name}={canary}&limit=1",
    "https://example.org/callback#{name}={canary}",
    "curl -H '{name}: {canary}' https://example.org",
    "curl --{name} {canary}",
    "user: anna\n{name}: {canary}\nscope: sleep",
    "got {{'{name}': '{canary}'}}",
    '{{"{name}": "{canary}"}}',
    'answer: {{"{name}": ["{canary}"]}}',
    "('{name}', '{canary}')",
    '<input name="{name}" value="{canary}">',
)
_NAMELESS: Final = (
    "Authorization: Bearer {canary}",
    "Bearer {canary}",
    "Cookie: a=b; c={canary}",
    "https://user:{canary}@example.org/path",
    "https://example.org/callback?code={canary}&limit=1",
    "curl -u anna:{canary} https://example.org",
    "eyJhbGciOiJIUzI1NiJ9.{canary}.{canary}",
    "-----BEGIN PRIVATE KEY-----\n{canary}\n-----END PRIVATE KEY-----",
)


def secret_texts(canary: str) -> st.SearchStrategy[str]:
    """Texts in which a canary lies as secrets lie in texts; some are JSON, once or twice."""
    named = st.builds(
        lambda form, name: form.format(name=name, canary=canary),
        st.sampled_from(_IN_TEXT),
        _spelled(_SPELLINGS[:_PLAIN]).filter(lambda name: " " not in name),
    )
    texts = named | st.sampled_from([form.format(canary=canary) for form in _NAMELESS])
    return texts | texts.map(lambda text: json.dumps({"note": text})) | texts.map(_twice)


def _twice(text: str) -> str:
    return json.dumps(json.dumps([text]))


def _forms(canary: str) -> st.SearchStrategy[Any]:
    """Values that hold a canary as a secret."""
    name = secret_names()
    return (
        name.map(lambda name: {name: canary})
        | name.map(lambda name: {name: [canary, {"inner": canary}]})
        | name.map(lambda name: {name: {"data": {"value": canary}}})
        | name.map(lambda name: {"name": name, "value": canary})
        | name.map(lambda name: {"value": {"text": canary}, "key": name})
        | name.map(lambda name: [name, canary])
        | name.map(lambda name: {"columns": ["date", name], "rows": [["2026-01-31", canary]]})
        | st.just({"headers": [["Authorization", canary], ["Accept", "*/*"]]})
        | st.just(["prog", "--token", canary])
        | secret_texts(canary)
        | secret_texts(canary).map(lambda text: [text])
        | st.sampled_from(_NAMELESS).map(lambda form: {form.format(canary=canary): 1})
    )


@st.composite
def planted(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> Planted:
    """JSON values of a strategy with one to three secrets planted at places of their own.

    A plant is a new member, a new item, or the text of a member.  A value that is neither object
    nor list comes in a list.
    """
    value = deepcopy(draw(values))
    if not isinstance(value, dict | list):
        value = [value]
    places = list(_places(value))  # none within a plant, whose name would part from its secret
    texts = [(each, name) for each in places for name in _names_of_texts(each)]
    found = []
    for number in range(draw(st.integers(1, 3))):
        canary = draw(canaries())
        place = places[draw(st.integers(0, len(places) - 1))]
        which = draw(st.integers(0, 2 * len(texts)))
        if which < len(texts):
            owner, name = texts.pop(which)
            owner[name] = draw(secret_texts(canary))
        elif isinstance(place, dict):
            place[f"note {number}"] = draw(_forms(canary))
        else:
            place.insert(draw(st.integers(0, len(place))), draw(_forms(canary)))
        found.append(canary)
    return value, tuple(found)


def _places(value: object) -> Iterator[Any]:
    """Give every object and list inside a value, itself first."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict | list):
            yield each
            waiting.extend(each.values() if isinstance(each, dict) else each)


def _names_of_texts(value: object) -> list[str]:
    """Give the names of the members of an object that are texts."""
    members = value.items() if isinstance(value, dict) else ()
    return [name for name, each in members if isinstance(each, str)]
