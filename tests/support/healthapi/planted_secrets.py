"""Plant secrets in JSON, to test that sanitising removes all of them.

A canary is a unique word of small letters, so that it is an ordinary text: what removes it is the
name beside it, or the text around it.
"""

from copy import deepcopy
from typing import Any, Final

from hypothesis import strategies as st

__all__ = ["Planted", "canaries", "planted", "secret_names", "secret_texts"]

_NAMES: Final = (
    *("access_token", "refreshToken", "ID-TOKEN", "clientSecret", "api_key", "APIKEY", "password"),
    *("Authorization", "x-fitbit-access-token", "codeVerifier", "PIN", "sessionId", "Set-Cookie"),
)
_TEXTS: Final = (
    "{name}={canary}",
    "{name}: {canary}",
    "{name} {canary}",
    "the {name} was {canary}",
    '{{"{name}": "{canary}"}}',
    "<{name}>{canary}</{name}>",
    "https://example.org/{canary}?{name}=1",
    "https://anna:{canary}@example.org/",
    "{canary}@example.org",
    "Bearer {canary}",
    "eyJhbGciOiJIUzI1NiJ9.{canary}.{canary}",
    "-----BEGIN PRIVATE KEY-----\n{canary}\n-----END PRIVATE KEY-----",
)

Planted = tuple[Any, tuple[str, ...]]
"""A JSON value, and the canaries in it."""


def secret_names() -> st.SearchStrategy[str]:
    """Generate names of secrets, in some notations."""
    return st.sampled_from(_NAMES)


def canaries() -> st.SearchStrategy[str]:
    """Generate unique words."""
    return st.text("abcdefghijklmnopqrstuvwxyz", min_size=14, max_size=14).map("canary{}".format)


def secret_texts(canary: str) -> st.SearchStrategy[str]:
    """Generate texts with a canary as a secret."""
    return st.builds(
        lambda form, name: form.format(name=name, canary=canary),
        st.sampled_from(_TEXTS),
        secret_names(),
    )


def _secrets(canary: str) -> st.SearchStrategy[Any]:
    """Generate values with a canary as a secret."""
    return secret_texts(canary) | secret_names().flatmap(
        lambda name: st.sampled_from(
            (
                {name: canary},
                {name: [canary, {"inner": canary}]},
                {"name": name, "value": canary},
                {"value": {"text": canary}, "key": name},
                [name, canary],
                {f"{canary}@example.org": 1},
            )
        )
    )


@st.composite
def planted(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> Planted:
    """Generate objects and lists of a strategy with one to three secrets as new members or items.

    Other values are wrapped in a list.
    """
    value = deepcopy(draw(values))
    if not isinstance(value, dict | list):
        value = [value]
    places, pending = [], [value]
    while pending:
        part = pending.pop()
        if isinstance(part, dict | list):
            places.append(part)
            pending.extend(part.values() if isinstance(part, dict) else part)
    hidden = draw(st.lists(canaries(), min_size=1, max_size=3, unique=True))
    for number, canary in enumerate(hidden):
        place = draw(st.sampled_from(places))
        if isinstance(place, dict):
            place[f"note {number}"] = draw(_secrets(canary))
        else:
            place.insert(draw(st.integers(0, len(place))), draw(_secrets(canary)))
    return value, tuple(hidden)
