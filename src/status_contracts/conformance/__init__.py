"""Conformance kits: requests, the answers of the reference engine, and the report of a run.

A kit is a generator of requests, like an exchange, so that a socket, an application in the same
process and a test can run it.
"""

import tomllib
from importlib.resources import files
from typing import Any


def read_rows(product: str) -> dict[str, Any]:
    """Return the rows of a kit: those of all products, and those of its own."""
    shared, own = (
        tomllib.loads(files(package).joinpath("conformance.toml").read_text("utf-8"))
        for package in ("status_contracts.conformance", product)
    )
    return {**own, **{name: [*rows, *own.get(name, ())] for name, rows in shared.items()}}
