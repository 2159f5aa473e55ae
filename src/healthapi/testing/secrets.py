"""Plant secrets in JSON, to test that redaction removes all of them.

A planted secret contains a canary, a unique text, in a form that occurs in account snapshots: under
the name of a secret in any notation, as a pair of name and value, or inside a text.  The canary is
in the value letter by letter, so that a plain search finds it.
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
_NOTATIONS: Final[tuple[Callable[[tuple[str, ...]], str], ...]] = (
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
    lambda words: "".join(chr(ord(character) + _FULL_WIDTH) for character in "_".join(words)),
    lambda words: "_".join(words).replace("o", "o\u0301").replace("e", "ë"),
)
_PLAIN_NOTATIONS: Final = 10
"""Number of notations of letters, digits and plain separators; they come first."""
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_TAIL: Final = 12

Planted = tuple[Any, tuple[str, ...]]
"""A JSON value, and the canaries in it."""


def secret_names() -> st.SearchStrategy[str]:
    """Generate member names of secrets, in all notations."""
    return _written(_NOTATIONS)


def _written(
    notations: tuple[Callable[[tuple[str, ...]], str], ...],
) -> st.SearchStrategy[str]:
    return st.builds(
        lambda words, notation: notation(words), st.sampled_from(_WORDS), st.sampled_from(notations)
    )


def canaries() -> st.SearchStrategy[str]:
    """Generate unique texts that are too short to be recognized by their shape."""
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
    """Generate texts with a canary as a secret; some are JSON, encoded once or twice."""
    named = st.builds(
        lambda form, name: form.format(name=name, canary=canary),
        st.sampled_from(_IN_TEXT),
        _written(_NOTATIONS[:_PLAIN_NOTATIONS]).filter(lambda name: " " not in name),
    )
    texts = named | st.sampled_from([form.format(canary=canary) for form in _NAMELESS])
    return texts | texts.map(lambda text: json.dumps({"note": text})) | texts.map(_twice)


def _twice(text: str) -> str:
    return json.dumps(json.dumps([text]))


def _forms(canary: str) -> st.SearchStrategy[Any]:
    """Generate values with a canary as a secret."""
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
    """Generate values of a strategy with one to three secrets at different places.

    A secret is a new member, a new item, or the text of a member.  A value that is neither object
    nor list is wrapped in a list.
    """
    value = deepcopy(draw(values))
    if not isinstance(value, dict | list):
        value = [value]
    places = list(_places(value))  # Not inside another secret.
    texts = [(container, name) for container in places for name in _names_of_texts(container)]
    placed = []
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
        placed.append(canary)
    return value, tuple(placed)


def _places(value: object) -> Iterator[Any]:
    """Yield every object and list inside a value, itself first."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, dict | list):
            yield part
            pending.extend(part.values() if isinstance(part, dict) else part)


def _names_of_texts(value: object) -> list[str]:
    """Return the names of the members that are texts."""
    members = value.items() if isinstance(value, dict) else ()
    return [name for name, child in members if isinstance(child, str)]
