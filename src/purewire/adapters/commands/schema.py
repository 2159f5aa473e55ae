"""The subcommand `schema` of all products: print a JSON Schema, OpenAPI or TypeScript types."""

from argparse import Namespace
from collections.abc import Callable, Iterable
from importlib import import_module

from purewire.adapters.commands.arguments import bad_choice
from purewire.adapters.commands.exit_codes import OK, USAGE, Failed
from purewire.adapters.commands.files import write_output
from purewire.adapters.commands.terminal import echo, format_table
from purewire.adapters.contract import read_contract
from purewire.structuring.schema_set import NOT_IN_SCHEMA, OPENAPI, TYPES, SchemaSet


def build_schemas(product: str, schemas: Callable[[Iterable[str]], SchemaSet]) -> SchemaSet:
    """Return the schemas of a product, which cite the rules that ship with it."""
    try:
        rule_ids: Iterable[str] = read_contract(product).rules
    except FileNotFoundError:
        rule_ids = ()
    return schemas(rule_ids)


def run(arguments: Namespace) -> int:
    """Print or write one schema, or list the names."""
    product = arguments.product
    schemas = build_schemas(product, import_module(f"{product}.schemas.documents").schemas)
    if arguments.list:
        for line in format_table(("name", "title"), [*_described(schemas)]):
            echo(line)
        return OK
    if arguments.name is None:
        raise Failed(USAGE, f"a NAME is missing (choose from {', '.join(schemas.names)})")
    if arguments.name not in schemas.names:
        raise Failed(USAGE, f"NAME: {bad_choice(arguments.name, schemas.names)}")
    write_output(arguments.output, schemas.text(arguments.name).encode())
    return OK


def _described(schemas: SchemaSet) -> Iterable[tuple[str, str]]:
    others = {
        OPENAPI: "OpenAPI 3.1 document",
        TYPES: "TypeScript declarations",
        NOT_IN_SCHEMA: "Rules that JSON Schema cannot state",
    }
    for name in schemas.names:
        yield name, others.get(name) or schemas.documents[name]["title"]
