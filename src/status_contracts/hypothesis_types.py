"""Strategies for `hypothesis.strategies.from_type`; imports no product until one is asked for.

Hypothesis calls `register` when it is imported.
"""

import sys
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import Any, Final

_STRATEGIES: Final[Mapping[str, Mapping[str, str]]] = {
    "devicestatus": {
        "Battery": "VALUES",
        "Music": "music",
        "Snapshot": "snapshots",
        "System": "VALUES",
        "Window": "windows",
        "WindowChanges": "changes",
    },
    "healthapi": {"Profile": "profiles"},
    "sitedata": {"Problem": "problems", "Snapshot": "snapshots"},
}
"""Product to the public name of a model, to the name in `testing.strategies` of what draws it."""


def register() -> None:
    """Let `from_type` find the strategies of the models.

    Hypothesis has a table of modules with a function each, which it calls for unknown types once
    the module is imported; versions without the table do not know the models.
    """
    types = import_module("hypothesis.strategies._internal.types")
    table = getattr(types, "_global_extra_lookup", {})
    table.update({product: partial(_resolve, product) for product in _STRATEGIES})


def _resolve(product: str, thing: object) -> Any:  # noqa: ANN401 - a strategy
    """Return the strategy of a model of a product; None for any other type."""
    for model, name in _STRATEGIES[product].items():
        if getattr(sys.modules[product], model, None) is thing:
            drawn = getattr(import_module(f"{product}.testing.strategies"), name)
            return drawn.of(thing) if name == "VALUES" else drawn()
    return None
