"""The subcommands `schema` and `vectors` of all products: print or write what is shipped with them.

`schema` prints a JSON Schema or OpenAPI.
"""

import json
from argparse import Namespace
from importlib import import_module
from pathlib import Path
from typing import Final

from status_contracts.adapters.contract import vectors_folder
from status_contracts.cli.arguments import bad_choice
from status_contracts.cli.exit_codes import OK, USAGE, Failed
from status_contracts.cli.files import write_file, write_files
from status_contracts.cli.terminal import echo, format_table
from status_contracts.structuring.json_schema import OPENAPI, SchemaSet

_VECTORS_SCHEMA: Final = "vectors.schema.json"


def run(arguments: Namespace) -> int:
    """Run the subcommand `schema` or `vectors`."""
    return (_schema if arguments.command == "schema" else _vectors)(arguments)


def build_schemas(product: str) -> SchemaSet:
    """Return the schemas of a product."""
    schemas: SchemaSet = import_module(f"{product}.schemas").schemas()
    return schemas


def _schema(arguments: Namespace) -> int:
    schemas = build_schemas(arguments.product)
    if arguments.list or arguments.name is None:
        titles = [(name, document["title"]) for name, document in schemas.documents.items()]
        for line in format_table(("name", "title"), [*titles, (OPENAPI, "OpenAPI 3.1 document")]):
            echo(line)
    elif arguments.name not in schemas.names:
        raise Failed(USAGE, f"NAME: {bad_choice(arguments.name, schemas.names)}")
    else:
        write_file(arguments.output, schemas.text(arguments.name).encode())
    return OK


def _vectors(arguments: Namespace) -> int:
    folder, product = vectors_folder(), arguments.product
    topics = sorted((folder / product).iterdir(), key=lambda file: file.name)
    if arguments.output is None:
        contents = (json.loads(file.read_bytes()) for file in topics)
        rows = [(topic["topic"], str(topic["count"]), topic["title"]) for topic in contents]
        for line in format_table(("topic", "cases", "about"), rows):
            echo(line)
        return OK
    files = {f"{product}/{topic.name}": topic.read_bytes() for topic in topics}
    schema = (folder / _VECTORS_SCHEMA).read_bytes()
    write_files(Path(arguments.output), files | {_VECTORS_SCHEMA: schema})
    return OK
