"""Which route a path is: exact paths first, then patterns; and whether the route has the method.

Invariant *paths compare exactly*: bytes as they stood on the wire, percent-encoding untouched, no
trailing slash added or removed, case kept.  An exact path costs one dictionary look-up.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Generic, TypeVar

import attrs

__all__ = ["Match", "MethodNotAllowed", "PatternRoute", "Route", "RouteTable"]

T = TypeVar("T")

_NO_PARAMS: Mapping[str, str] = MappingProxyType({})


@attrs.frozen
class Route(Generic[T]):
    """What is known about a path.

    Attributes:
        allow: the `Allow` value, methods in the order in which it lists them: `GET, OPTIONS`.
        target: whatever the caller wants back, a handler for example.
        methods: the methods of `allow`.

    """

    allow: str
    target: T
    methods: frozenset[str] = attrs.field(init=False)

    @methods.default
    def _listed(self) -> frozenset[str]:
        return frozenset(self.allow.split(", "))


@attrs.frozen
class PatternRoute(Generic[T]):
    """A route whose path matches the whole of `form`; its named groups (ASCII) are parameters."""

    form: re.Pattern[bytes]
    route: Route[T]


@attrs.frozen
class Match(Generic[T]):
    """The path is known and has the method."""

    route: Route[T]
    params: Mapping[str, str] = _NO_PARAMS


@attrs.frozen
class MethodNotAllowed(Generic[T]):
    """The path is known but does not have the method; `route.allow` says which it has."""

    route: Route[T]


class RouteTable(Generic[T]):
    """An immutable table of routes."""

    __slots__ = ("_exact", "_patterns")

    def __init__(
        self, exact: Mapping[bytes, Route[T]], patterns: Iterable[PatternRoute[T]] = ()
    ) -> None:
        self._exact = MappingProxyType({path: Match(route) for path, route in exact.items()})
        self._patterns = tuple(patterns)

    def resolve(self, method: str, path: bytes) -> Match[T] | MethodNotAllowed[T] | None:
        """Find the route of a path: found, without this method, or None for an unknown path."""
        match = self._exact.get(path) or self._by_pattern(path)
        if match is None or method in match.route.methods:
            return match
        return MethodNotAllowed(match.route)

    def _by_pattern(self, path: bytes) -> Match[T] | None:
        for pattern in self._patterns:
            found = pattern.form.fullmatch(path)
            if found is not None:
                params = {name: text.decode("ascii") for name, text in found.groupdict().items()}
                return Match(pattern.route, MappingProxyType(params))
        return None
