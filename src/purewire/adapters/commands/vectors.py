"""The subcommand `vectors` of all products: list the vectors, or write their files."""

import json
from argparse import Namespace
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from purewire.adapters.commands.exit_codes import OK
from purewire.adapters.commands.files import make_folder, write_file
from purewire.adapters.commands.terminal import echo, format_table
from purewire.adapters.contract import vectors_folder

_SCHEMA: Final = "vectors.schema.json"


def run(arguments: Namespace) -> int:
    """List the topics of a product, or write its files and their schema."""
    folder, product = vectors_folder(), arguments.product
    topics = sorted((folder / product).iterdir(), key=lambda file: file.name)
    if arguments.output is None:
        for line in format_table(("topic", "cases", "about"), [*_described(topics)]):
            echo(line)
        return OK
    output = Path(arguments.output)
    make_folder(output / product)
    for file in topics:
        write_file(str(output / product / file.name), file.read_bytes())
    write_file(str(output / _SCHEMA), (folder / _SCHEMA).read_bytes())
    return OK


def _described(topics: list[Traversable]) -> Iterator[tuple[str, str, str]]:
    for file in topics:
        content: dict[str, Any] = json.loads(file.read_text("utf-8"))
        yield content["topic"], str(content["count"]), content["title"]
