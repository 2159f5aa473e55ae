"""Build the API reference of a service from its table of endpoints, as blocks and as a page.

Invariant *no second source*: paths, methods, parameters, limits and errors come from the table, and
examples are bodies that the schemas describe.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from status_contracts.endpoints import Endpoint, Parameter
from status_contracts.pages.blocks import Block, BulletList, Code, Section, Table, html
from status_contracts.pages.page import SIMPLE_CONTENT, Page, PageParts, build_page
from status_contracts.pages.settings import PageSettings

BASE_URL: Final = "$BASE_URL"
"""What stands for the URL of the mount point in requests, as a variable of a shell."""
ALL_KEYS: Final = "all-keys"  # anchor of the table to which a long choice of keys leads
_LINE: Final = 76
_CHOICES: Final = 12
_LIMITS: Final = {
    "string": ("minLength", "maxLength", " of {} characters"),
    "array": ("minItems", "maxItems", " of {} items"),
}
"""Type to the keywords of its limits, and what a table says of them; others are numbers."""
_ITEMS: Final = 2  # of a long list that an example shows

Schema = Mapping[str, Any]
Examples = Mapping[str, Mapping[str, Any]]
"""Name of a schema to example bodies, as plain values, by their kind; "" if there is one kind."""


def paragraphs(text: str) -> tuple[str, ...]:
    """Return the paragraphs of a text, which blank lines separate."""
    return tuple(" ".join(part.split()) for part in text.split("\n\n") if part.strip())


@attrs.frozen(kw_only=True)
class Reference:
    """The endpoints of a service, and what their table does not contain.

    Attributes:
        introduction: blocks before the first section; the first request follows two of them.
        base_url: URL of the mount point in requests; by default what stands for it.
        path: path of the page below it.
        schemas: name of a schema to its parts by name, "" for all of it, whose members are tables.
        objects: name of a schema to the objects in it by name; the endpoint with the fewest has the
            table of an object, to which the other tables lead.
        replaced: part of the examples of endpoints, and what stands for it.
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
    schemas: Mapping[str, Mapping[str, Schema]] = attrs.Factory(dict)
    objects: Mapping[str, Mapping[str, Schema]] = attrs.Factory(dict)
    replaced: tuple[str, str] = ("", "")
    rules: str
    groups: Mapping[str, str] = attrs.Factory(dict)
    further: Sequence[Section] = ()
    errors: tuple[tuple[str, str, str], ...]

    def document(self) -> Section:
        """Return the reference as a document."""
        first = self.endpoints[0]
        caption = "Error codes; those of an endpoint are in the order of its checks"
        errors = Table(caption, ("Code", "Status", "Meaning"), self.errors)
        blocks = (
            *self.introduction[:2],
            f"First request{', with `BASE_URL=https://…`' * (self.base_url == BASE_URL)}:",
            Code(_request(first, f"{self.base_url}{first.example}"), "sh"),
            *self.introduction[2:],
            *map(self._group, dict.fromkeys(one.group for one in self.endpoints)),
            *self.further,
            Section("Rules for every response", "rules", (BulletList(paragraphs(self.rules)),)),
            Section("Errors", "errors", (errors,)),
        )
        return Section(self.title, "top", blocks)

    def page(self, icon: str, footer: str, settings: PageSettings, style: str, script: str) -> Page:
        """Build the page of the reference, with a style sheet and a script."""
        parts = PageParts(
            SIMPLE_CONTENT,
            self.title,
            icon,
            product=self.title.removesuffix(" API"),
            description="All endpoints of this service, with examples, limits and errors.",
            skip_to="the reference",
            style=style,
            script=script,
            marks={"<!--main-->": html(self.document(), self.path), "<!--footer-->": footer},
        )
        return build_page(parts, settings)

    def _group(self, group: str) -> Section:
        endpoints = (
            Section(one.paths[0], one.name, (*self._blocks(one),), one.methods[0], one.title)
            for one in self.endpoints
            if one.group == group
        )
        anchor = f"{group.lower().replace(' ', '-')}-group"
        return Section(group, anchor, (*paragraphs(self.groups.get(group, "")), *endpoints))

    def _blocks(self, endpoint: Endpoint) -> Iterator[Block]:
        """Yield the blocks of one endpoint; the URL of its request may contain variables."""
        url = f"{self.base_url}{endpoint.example.replace(*self.replaced, 1)}"
        yield from paragraphs(endpoint.description)
        here = url.replace(f"{BASE_URL}/", "../" * (self.path.count("/") - 1), 1)
        answer = "" if endpoint.keys or endpoint.body else f", and [response]({here})"
        yield f"Request{answer}:"
        yield Code(_request(endpoint, url), "sh")
        if parameters := (*endpoint.keys, *endpoint.parameters):
            yield _parameters("Parameters", parameters)
        body = endpoint.body
        for name, what in ((body.schema if body else "", "body"), (endpoint.schema, "response")):
            for kind, example in self.examples.get(name, {}).items():
                title = f"Example of the {what}: {kind}" if kind else f"Example of the {what}"
                yield Code(pretty(example).replace(*self.replaced), "json", title)
            for part, schema in self.schemas.get(name, {}).items():
                yield from self._tables(schema, f"Members of {part or f'the {what}'}")
        facts = [f"Body: at most {body.max_bytes:,} bytes."] if body else []
        for name, schema in self.objects.get(endpoint.schema, {}).items():
            if self._owner(name) == endpoint.name and "properties" in str(schema):
                mark = f"`{name}`{{#type-{name}}}"
                said = f": {schema['description']}" if "description" in schema else ""
                yield from self._tables(schema, f"{mark}{said}", f"{mark}: ")
        facts.append(f"Response: `{endpoint.media_type}`.")
        if endpoint.error_codes:
            written = {code: f"{status} {code}" for code, status, _ in self.errors}
            codes = ", ".join(written[f"`{code}`"] for code in endpoint.error_codes)
            facts.append(f"[Errors](#errors): {codes}.")
        facts.extend(f"Older path: `{path}`." for path in endpoint.aliases)
        yield BulletList(tuple(facts))

    def _owner(self, name: str) -> str:
        """Return the name of the endpoint that has the table of an object; "" if none has."""
        known = [one for one in self.endpoints if name in self.objects.get(one.schema, {})]
        return min(known, key=lambda one: len(self.objects[one.schema])).name if known else ""

    def _tables(self, schema: Schema, title: str, start: str = "") -> Iterator[Block]:
        """Yield the members of an object, in a table or, if all mean the same, in a sentence.

        Named forms have a table each, but for constants.
        """
        named = re.sub(
            r"`(\w+)`", lambda name: self._type(name[1]).get("type", name[0]), json.dumps(schema)
        )
        schema = json.loads(named, object_hook=self._link)
        definitions = {f"#/$defs/{name}": part for name, part in schema.get("$defs", {}).items()}
        forms = schema.get("anyOf", [schema])
        for form in forms if "$ref" in forms[0] else [_common(forms)]:
            kind = f": {definitions[form['$ref']]['title'].lower()}" if "$ref" in form else ""
            members = [*_members(form, definitions)]
            if all("const" in member.schema for member in members):
                continue
            if len({member.description for member in members}) > 1:
                yield _parameters(f"{title}{kind}", members)
                continue
            values = {_values(member.schema) for member in members}
            value = (" ({})" if start else ": {}").format(*values) if len(values) == 1 else ""
            names = ", ".join(f"`{member.name}`" for member in members)
            yield f"{start}{names}{value}. {members[0].description}".strip()

    def _link(self, part: dict[str, Any]) -> dict[str, Any]:
        return {**self._type(part.get("$ref", "").rpartition("/")[2]), **part}

    def _type(self, name: str) -> Schema:
        """Return what stands for an object: a link to its table, itself if it has none."""
        known = next((named[name] for named in self.objects.values() if name in named), {})
        return {"type": f"[{name}](#type-{name})"} if "properties" in str(known) else known


def _request(endpoint: Endpoint, url: str) -> str:
    if endpoint.body is not None:
        return (
            f'curl "{url}" \\\n'
            '  -H "Authorization: Bearer $INGEST_TOKEN" \\\n'
            '  -H "Content-Type: application/json" \\\n'
            f"  --data-binary @{endpoint.body.schema}.json"
        )
    return f'curl {"-O " * endpoint.media_type.startswith("image/")}"{url}"'


def _common(forms: Sequence[Schema]) -> Schema:
    """Return an object with the members of the first form, of them what all forms say."""
    members, *others = (form["properties"] for form in forms)
    for other in others:
        members = {
            name: {key: of for key, of in member.items() if other[name].get(key) == of}
            for name, member in members.items()
        }
    return {**forms[0], "properties": members}


def _members(schema: Schema, definitions: Schema, path: str = "") -> Iterator[Parameter]:
    """Yield the members of an object, and those of objects in it with their path."""
    named = definitions.get(schema.get("$ref", ""), {})
    known, own = named.get("properties", {}), schema.get("properties", {})
    for name in {**known, **own}:
        member = {**known.get(name, {}), **own.get(name, {})}
        absent = {} if name in {**named, **schema}["required"] else {"absent": True}
        forms = [member, *member.get("anyOf", ())]
        texts = ({**definitions.get(form.get("$ref", ""), {}), **form} for form in forms)
        meaning = next((form["description"] for form in texts if "description" in form), "")
        items = [form["items"] for form in forms if "items" in form]
        yield Parameter(f"{path}{name}", meaning[:1].upper() + meaning[1:], member | absent)
        for form in forms + items:
            yield from _members(form, definitions, f"{path}{name}{'[]' * (form in items)}.")


def _parameters(caption: str, parameters: Sequence[Parameter]) -> Table:
    rows = ((f"`{one.name}`", _values(one.schema), one.description) for one in parameters)
    return Table(caption, ("Name", "Values", "Meaning"), tuple(rows))


def _values(schema: Schema) -> str:
    """Return the type of a value, or its choices, and its limits."""
    choices = schema.get("enum", [schema["const"]] if "const" in schema else [])
    names = [f"`{value if isinstance(value, str) else json.dumps(value)}`" for value in choices]
    if len(names) > _CHOICES:
        names[3:] = [f"[{len(names) - 3} more](#{ALL_KEYS})"]
    forms = ", or ".join(dict.fromkeys(map(_values, schema.get("anyOf", ()))))
    kind = schema.get("type") or ("UTC time" if "Timestamp" in schema.get("$ref", "") else "object")
    span = _range(schema, kind)
    items = _values(schema["items"]) if "items" in schema else ""
    items = items and (f" ({items})" if span else f" of {items}")
    value = ", ".join(names) or forms or f"{kind}{span}{items}"
    default = f", default {schema['default']}" if "default" in schema else ""
    return f"{value}{default}{', may be absent' if 'absent' in schema else ''}"


def _range(schema: Schema, kind: str) -> str:
    least, most, text = _LIMITS.get(kind, ("minimum", "maximum", " {}"))
    low, high = schema.get(least), schema.get(most)
    if high is None:
        return "" if low is None else text.format(f"{low} or more")
    return text.format(f"up to {high:,}" if low is None else f"{low}\u2013{high:,}")


def pretty(value: object, indent: str = "") -> str:
    """Return JSON text for people: texts fill lines, of another long list there are two items."""
    texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
    if isinstance(value, list) and not texts:
        value = value[:_ITEMS]
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(indent) + len(line) <= _LINE:
        return line
    inner = f"{indent}  "
    if isinstance(value, dict):
        lines = [f"{json.dumps(key)}: {pretty(item, inner)}" for key, item in value.items()]
    else:
        lines = []
        for item in value:
            lines.append(pretty(item, inner))
            joined = ", ".join(lines[-2:])
            if texts and len(inner) + len(joined) < _LINE:
                lines[-2:] = [joined]
    text = ",\n".join(f"{inner}{item}" for item in lines)
    return f"{line[0]}\n{text}\n{indent}{line[-1]}"
