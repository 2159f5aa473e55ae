"""Snapshots into which secrets were planted, to prove that none comes out.

A plant is a canary, a text that stands nowhere else, in one of the forms in which secrets lie in
account snapshots: under a telling name in any spelling, as a name and value pair, or inside text.
"""

from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final

from hypothesis import strategies as st

__all__ = ["Planted", "planted", "secret_names"]

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
    ("password",),
)
_JOINS: Final[tuple[Callable[[tuple[str, ...]], str], ...]] = (
    "_".join,
    "-".join,
    " ".join,
    ".".join,
    lambda words: "_".join(words).upper(),
    lambda words: "-".join(word.title() for word in words),
    lambda words: words[0] + "".join(word.title() for word in words[1:]),
    lambda words: "".join(word.title() for word in words),
)
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

Planted = tuple[Any, tuple[str, ...]]
"""A JSON value, and the canaries that are in it."""


def secret_names() -> st.SearchStrategy[str]:
    """Names of members that hold secrets, in the spellings that producers use."""
    return st.builds(
        lambda words, join: join(words), st.sampled_from(_WORDS), st.sampled_from(_JOINS)
    )


def _canaries() -> st.SearchStrategy[str]:
    return st.text(_LETTERS, min_size=24, max_size=40).map(lambda tail: f"cAnArY7{tail}")


def _forms(canary: str, name: str) -> st.SearchStrategy[Any]:
    """Give values that hold a canary as a secret."""
    return st.sampled_from(
        (
            {name: canary},
            {name: [canary, {"inner": canary}]},
            {"name": name, "value": canary},
            {"headers": [["Authorization", f"Bearer {canary}"]]},
            f"Authorization: Bearer {canary}",
            f"https://user:{canary}@example.org/path",
            f"https://example.org/callback?access_token={canary}&state=1",
            f'{{"{name}": "{canary}"}}',
        )
    )


@st.composite
def planted(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> Planted:
    """JSON values of a strategy with one to three secrets planted at places of their own."""
    value = deepcopy(draw(values))
    canaries = []
    for number in range(draw(st.integers(1, 3))):
        canary = draw(_canaries())
        form = draw(_forms(canary, draw(secret_names())))
        places = list(_places(value))
        place = places[draw(st.integers(0, len(places) - 1))]
        if isinstance(place, dict):
            place[f"note {number}"] = form
        else:
            place.insert(draw(st.integers(0, len(place))), form)
        canaries.append(canary)
    return value, tuple(canaries)


def _places(value: object) -> list[Any]:
    """Give every object and list inside a value, itself first."""
    found: list[Any] = []
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            found.append(each)
            waiting.extend(each.values())
        elif isinstance(each, list):
            found.append(each)
            waiting.extend(each)
    return found
