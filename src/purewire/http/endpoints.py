"""Describe the endpoints of a service: one table for routes, OpenAPI, API pages and checks.

Invariant *no code*: an endpoint is a value; the service has a handler for each name of its table.
"""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

import attrs

_VARIABLE: Final = re.compile(r"\{(\w+)\}")
_SEGMENT: Final = "[^/]+"


@attrs.frozen
class Parameter:
    """A variable part of a path, or a parameter of the query.

    Attributes:
        description: its meaning, as a sentence.
        schema: JSON Schema of its value, of one item if it is a list.
        path_pattern: regular expression of the encoded part of a path.
        example: its text in the example request; empty if it is left out.

    """

    name: str
    description: str
    schema: Mapping[str, Any]
    path_pattern: str = attrs.field(default=_SEGMENT, kw_only=True)
    is_list: bool = attrs.field(default=False, kw_only=True)
    example: str = attrs.field(default="", kw_only=True)


@attrs.frozen
class RequestBody:
    """The JSON body of a request: the name of its schema, and its maximum size in bytes."""

    schema: str
    max_bytes: int


@attrs.frozen
class Endpoint:
    """One path, and what it accepts and returns.

    Attributes:
        name: its name, unique in a table; letters, digits and hyphens.
        title: what it returns or does, without a full stop.
        description: further sentences; may contain `` `code` `` and links as Markdown has them.
        path: the path below `root`; `{name}` is a variable part.
        root: what precedes the path.
        aliases: older paths, which respond the same.
        methods: the methods besides OPTIONS.
        body: the body of the request, which then needs the token of the deployment.
        schema: the name of the schema of a JSON response; empty for other responses.
        error_codes: the errors of a known path with a supported method, in the order of the checks.
        is_conditional: whether a response has validators, and may be 304.

    """

    name: str
    group: str
    title: str
    description: str = ""
    path: str = attrs.field(kw_only=True)
    root: str = attrs.field(default="", kw_only=True)
    aliases: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    methods: tuple[str, ...] = attrs.field(default=("GET",), kw_only=True)
    keys: tuple[Parameter, ...] = attrs.field(default=(), kw_only=True)
    parameters: tuple[Parameter, ...] = attrs.field(default=(), kw_only=True)
    body: RequestBody | None = attrs.field(default=None, kw_only=True)
    media_type: str = attrs.field(default="application/json", kw_only=True)
    schema: str = attrs.field(default="", kw_only=True)
    error_codes: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    is_conditional: bool = attrs.field(default=False, kw_only=True)

    @property
    def paths(self) -> tuple[str, ...]:
        """The whole path, and the aliases."""
        return (f"{self.root}{self.path}", *self.aliases)

    @cached_property
    def allow(self) -> str:
        """The value of the `Allow` header."""
        return ", ".join((*self.methods, "OPTIONS"))

    @cached_property
    def pattern(self) -> re.Pattern[bytes]:
        """The pattern of the whole path as it is sent: fixed parts are exact."""
        fixed, *rest = _VARIABLE.split(self.paths[0])
        forms = {key.name: key.path_pattern for key in self.keys}
        parts = zip(rest[::2], rest[1::2], strict=True)
        named = "".join(f"(?P<{name}>{forms[name]}){re.escape(text)}" for name, text in parts)
        return re.compile(f"{re.escape(fixed)}{named}".encode("ascii"))

    @property
    def example(self) -> str:
        """Path and query of the example request."""
        examples = {key.name: key.example for key in self.keys}
        path = _VARIABLE.sub(lambda found: examples[found[1]], self.paths[0])
        query = "&".join(f"{one.name}={one.example}" for one in self.parameters if one.example)
        return f"{path}?{query}" if query else path
