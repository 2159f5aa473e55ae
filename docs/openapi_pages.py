"""A directive that renders an OpenAPI document: endpoints, then schemas.

```{openapi} ../../schemas/device-status/openapi.json
```
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

Schema = dict[str, Any]

_LIMITS = {
    "minimum": "from {}",
    "maximum": "to {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "format": "{}",
}


def document_text(document: Schema, prefix: str) -> str:
    """Return the document as Markdown; `prefix` keeps its anchors apart from other documents'."""
    lines = ["## Endpoints", ""]
    first: dict[tuple[str, ...], str] = {}
    shared = document["components"]["responses"]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if isinstance(operation, dict) and "responses" in operation:
                name = f"`{method.upper()} {path}`"
                described = tuple(_operation(operation, shared, prefix))
                original = first.setdefault(described, name)
                lines += [f"### {name}", ""]
                lines += described if original == name else [f"Like {original}.", ""]
    lines += ["## Schemas", ""]
    for name, schema in sorted(document["components"]["schemas"].items()):
        lines += _schema(name, schema, prefix)
    return "\n".join(lines)


def _operation(operation: Schema, shared: Schema, prefix: str) -> Iterator[str]:
    yield from (f"{operation.get('summary', '')}.", "")
    if "description" in operation:
        yield from (operation["description"], "")
    parameters = [given for given in operation.get("parameters", ()) if "name" in given]
    if parameters:
        yield from ("| parameter | in | value | meaning |", "| --- | --- | --- | --- |")
        for given in parameters:
            value = _cell(_type(given.get("schema", {}), prefix))
            words = _cell(given.get("description", ""))
            yield f"| `{given['name']}` | {given['in']} | {value} | {words} |"
        yield ""
    if "requestBody" in operation:
        body = operation["requestBody"]
        yield from (f"Body: {_content(body, prefix)}. {body.get('description', '')}", "")
    yield from ("| status | meaning | body |", "| --- | --- | --- |")
    for status, given in operation["responses"].items():
        response = shared[given["$ref"].rpartition("/")[2]] if "$ref" in given else given
        words = _cell(response.get("description", ""))
        yield f"| {status} | {words} | {_cell(_content(response, prefix))} |"
    yield ""


def _content(holder: Schema, prefix: str) -> str:
    return ", ".join(
        f"`{media}` {_type(value.get('schema', {}), prefix)}"
        for media, value in holder.get("content", {}).items()
    )


def _schema(name: str, schema: Schema, prefix: str) -> Iterator[str]:
    yield from (f"({prefix}-{name.lower()})=", f"### {name}", "")
    if "description" in schema:
        yield from (schema["description"], "")
    properties = schema.get("properties", {})
    if not properties:
        yield from (_type(schema, prefix), "")
        return
    required = set(schema.get("required", ()))
    yield from ("| member | value | meaning |", "| --- | --- | --- |")
    for member, value in properties.items():
        words = _cell(value.get("description", "")) + ("" if member in required else " *Optional.*")
        yield f"| `{member}` | {_cell(_type(value, prefix))} | {words.strip()} |"
    yield ""


def _type(schema: object, prefix: str) -> str:
    """Return a schema in few words; a reference becomes a link."""
    if not isinstance(schema, dict) or not schema:
        return "any value"
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{prefix}-{name.lower()})"
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            word = " and " if key == "allOf" else " or "
            return word.join(dict.fromkeys(_type(part, prefix) for part in schema[key]))
    kinds = schema.get("type", "any value")
    kind = " or ".join(kinds) if isinstance(kinds, list) else kinds
    if kind == "array":
        kind = f"list of {_type(schema.get('items', {}), prefix)}"
    limits = [words.format(schema[key]) for key, words in _LIMITS.items() if key in schema]
    return ", ".join([kind, *limits])


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


class OpenAPI(SphinxDirective):
    """Insert an OpenAPI document; the argument is its path, relative to the page."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list["Node"]:
        """Return the nodes of the document."""
        path = (Path(self.get_source_info()[0]).parent / self.arguments[0]).resolve()
        self.env.note_dependency(path)
        text = document_text(json.loads(path.read_text("utf-8")), path.parent.name)
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def setup(app: "Sphinx") -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("openapi", OpenAPI)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
