"""Route paths and methods: exact paths first, then patterns.

Invariant *paths compare exactly*: as bytes, as they were sent, with percent-encoding, trailing
slashes and case.  An exact path costs one dictionary look-up.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Generic, TypeVar

import attrs

T = TypeVar("T")

_NO_PARAMS: Mapping[str, str] = MappingProxyType({})


@attrs.frozen
class Route(Generic[T]):
    """The methods and the target of a path.

    Attributes:
        allow: the value of the `Allow` header, such as `GET, OPTIONS`.
        target: any value of the caller, such as a handler.
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
    """A route whose paths `form` matches in full; its named groups (ASCII) are parameters."""

    form: re.Pattern[bytes]
    route: Route[T]


@attrs.frozen
class Match(Generic[T]):
    """The result for a known path with the method."""

    route: Route[T]
    params: Mapping[str, str] = _NO_PARAMS


@attrs.frozen
class MethodNotAllowed(Generic[T]):
    """The result for a known path without the method; `route.allow` lists its methods."""

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
        """Return the route of a path, or MethodNotAllowed; None for an unknown path."""
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
