"""Build the API reference of a service from its table of endpoints, as blocks and as a page.

Invariant *no second source*: paths, methods, parameters, limits and errors come from the table, and
examples are bodies that the schemas describe.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from status_contracts.endpoints import Endpoint, Parameter
from status_contracts.pages.blocks import Block, BulletList, Code, Section, Table, html
from status_contracts.pages.page import SIMPLE_CONTENT, Page, PageParts, build_page
from status_contracts.pages.settings import PageSettings

BASE_URL: Final = "$BASE_URL"
"""What stands for the URL of the mount point in requests, as a variable of a shell."""
_LINE: Final = 76
_CHOICES: Final = 12
_ITEMS: Final = 2
"""Items of a long list that an example shows."""

Examples = Mapping[str, Mapping[str, Any]]
"""Name of a schema to example bodies, as plain values, by their kind; "" if there is one kind."""


def paragraphs(text: str) -> tuple[str, ...]:
    """Return the paragraphs of a text, which blank lines separate."""
    return tuple(" ".join(part.split()) for part in text.split("\n\n") if part.strip())


@attrs.frozen(kw_only=True)
class Reference:
    """The endpoints of a service, and what their table does not contain.

    Attributes:
        introduction: blocks before the first section, and sections before the endpoints.
        base_url: URL of the mount point in requests; by default what stands for it, which the page
            has in code only: there the script that replaces it moves nothing.
        path: path of the page below it.
        replaced: part of the example of an endpoint, and what stands for it in requests.
        rules: what holds for every response, a paragraph each.
        groups: group of endpoints to the paragraphs before them.
        further: sections after those of the endpoints.
        errors: rows of code, status and meaning.

    """

    title: str
    introduction: Sequence[Block]
    endpoints: Sequence[Endpoint]
    examples: Examples
    base_url: str = BASE_URL
    path: str
    replaced: tuple[str, str] = ("", "")
    rules: str
    groups: Mapping[str, str] = attrs.Factory(dict)
    further: Sequence[Section] = ()
    errors: tuple[tuple[str, str, str], ...]

    def document(self) -> Section:
        """Return the reference as a document."""
        table = Table(
            "All paths",
            ("Path", "Methods", "Response"),
            tuple(
                (f"[{path}](#{one.name})", ",\u00a0".join(one.methods), f"{one.title}.")
                for one in self.endpoints
                for path in one.paths
            ),
        )
        known = f"In examples, the address of this page without `{self.path}` is:"
        base = (known, Code(BASE_URL, "")) if self.base_url == BASE_URL else ()
        blocks = (
            *self.introduction,
            *base,
            table,
            Section("Rules for every response", "rules", (BulletList(paragraphs(self.rules)),)),
            *map(self._group, dict.fromkeys(one.group for one in self.endpoints)),
            *self.further,
            Section(
                "Errors",
                "errors",
                (
                    Table("Error codes", ("Code", "Status", "Meaning"), self.errors),
                    "The errors of an endpoint are in the order of the checks.",
                ),
            ),
        )
        return Section(self.title, "top", blocks)

    def page(self, icon: str, footer: str, settings: PageSettings, style: str, script: str) -> Page:
        """Build the page of the reference, with a style sheet and a script."""
        parts = PageParts(
            SIMPLE_CONTENT,
            "API reference",
            icon,
            description="All endpoints of this service, with examples, limits and errors.",
            skip_to="the reference",
            style=style,
            script=script,
            marks={"<!--main-->": html(self.document(), self.path), "<!--footer-->": footer},
        )
        return build_page(parts, settings)

    def _group(self, group: str) -> Section:
        endpoints = (self._endpoint(one) for one in self.endpoints if one.group == group)
        anchor = f"{group.lower().replace(' ', '-')}-group"
        return Section(group, anchor, (*paragraphs(self.groups.get(group, "")), *endpoints))

    def _endpoint(self, endpoint: Endpoint) -> Section:
        path = endpoint.example.replace(*self.replaced, 1)
        blocks = tuple(_endpoint_blocks(endpoint, f"{self.base_url}{path}", self.examples))
        method, summary = endpoint.methods[0], endpoint.title
        return Section(endpoint.paths[0], endpoint.name, blocks, method, summary)


def _endpoint_blocks(endpoint: Endpoint, request_url: str, examples: Examples) -> Iterator[Block]:
    """Yield the blocks of one endpoint; the URL of its request may contain variables of a shell."""
    yield from paragraphs(endpoint.description)
    if endpoint.keys:
        yield _parameters(f"Keys in the path of {endpoint.name}", endpoint.keys)
    if endpoint.parameters:
        yield _parameters(f"Parameters of {endpoint.name}", endpoint.parameters)
    yield Code(_request(endpoint, request_url), "sh")
    body = endpoint.body
    if body is not None:
        yield from _bodies(examples.get(body.schema, {}), "Example of a body")
    yield from _bodies(examples.get(endpoint.schema, {}), "Example response")
    size = () if body is None else (f"Body: at most {body.max_bytes} bytes.",)
    codes = ", ".join(f"`{code}`" for code in endpoint.error_codes)
    errors = (f"Errors: {codes}.",) if codes else ()
    yield BulletList((*size, f"Response: `{endpoint.media_type}`.", *errors))


def _request(endpoint: Endpoint, url: str) -> str:
    if endpoint.body is not None:
        return (
            f'curl "{url}" \\\n'
            '  -H "Authorization: Bearer $INGEST_TOKEN" \\\n'
            '  -H "Content-Type: application/json" \\\n'
            f"  --data-binary @{endpoint.body.schema}.json"
        )
    is_file = endpoint.media_type.startswith("image/")
    return f'curl -O "{url}"' if is_file else f'curl "{url}"'


def _bodies(examples: Mapping[str, Any], title: str) -> Iterator[Block]:
    for kind, example in examples.items():
        yield Code(pretty(example), "json", f"{title}: {kind}" if kind else title)


def _parameters(caption: str, parameters: Sequence[Parameter]) -> Block:
    has_default = any("default" in parameter.schema for parameter in parameters)
    default = ("Default",) * has_default
    return Table(
        caption,
        ("Name", "Meaning", *default, "Values"),
        tuple(
            (
                f"`{parameter.name}`",
                parameter.description,
                *(_default(parameter.schema) for _ in default),
                _values(parameter.schema),
            )
            for parameter in parameters
        ),
    )


def _default(schema: Mapping[str, Any]) -> str:
    return f"`{schema['default']}`" if "default" in schema else "none"


def _values(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        choices = schema["enum"]
        shown = choices if len(choices) <= _CHOICES else choices[:3]
        rest = len(choices) - len(shown)
        return ", ".join(f"`{choice}`" for choice in shown) + (f" and {rest} more" if rest else "")
    if "minimum" in schema:
        return f"{schema['minimum']} to {schema['maximum']}"
    return "depends on the data"


def pretty(value: object, indent: str = "") -> str:
    """Return JSON text for people: short objects on one line, long lists cut after two items."""
    if isinstance(value, list) and len(value) > _ITEMS and not isinstance(value[0], str):
        value = value[:_ITEMS]
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(indent) + len(line) <= _LINE:
        return line
    inner = f"{indent}  "
    if isinstance(value, dict):
        lines = [f"{json.dumps(key)}: {pretty(item, inner)}" for key, item in value.items()]
        start, end = "{}"
    else:
        lines = [pretty(item, inner) for item in value]
        start, end = "[]"
    text = ",\n".join(f"{inner}{item}" for item in lines)
    return f"{start}\n{text}\n{indent}{end}"
