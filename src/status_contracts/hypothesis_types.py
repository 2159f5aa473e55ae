"""Strategies for `hypothesis.strategies.from_type`; imports no product until one is asked for.

Hypothesis calls `register` when it is imported.
"""

import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any, Final

_STRATEGIES: Final[Mapping[str, Mapping[str, str]]] = {
    "devicestatus": {
        "Battery": "batteries",
        "Music": "music",
        "Snapshot": "snapshots",
        "System": "systems",
        "Window": "windows",
        "WindowChanges": "changes",
    },
    "healthapi": {"Profile": "profiles"},
    "sitedata": {"Problem": "problems", "Snapshot": "snapshots"},
}
"""Product to the public name of a model, to the function of `testing.strategies` for it."""

_Resolver = Callable[[Any], Any]


def register() -> None:
    """Let `from_type` find the strategies of the models.

    Hypothesis has a table of modules with a function each, which it calls for unknown types once
    the module is imported.  Versions without the table get the strategies of the products that are
    imported already.
    """
    table = _table()
    for product, names in _STRATEGIES.items():
        if table is not None:
            table[product] = partial(_resolve, product)
        elif product in sys.modules:
            strategies = import_module("hypothesis.strategies")
            for name in names:
                model = getattr(sys.modules[product], name)
                strategies.register_type_strategy(model, partial(_resolve, product))


def _table() -> dict[str, _Resolver] | None:
    types = import_module("hypothesis.strategies._internal.types")
    table = getattr(types, "_global_extra_lookup", None)
    return table if isinstance(table, dict) else None


def _resolve(product: str, thing: object) -> Any:  # noqa: ANN401 - a strategy
    """Return the strategy of a model of a product; None for any other type."""
    module = sys.modules[product]
    for model, strategy in _STRATEGIES[product].items():
        if getattr(module, model, None) is thing:
            return getattr(import_module(f"{product}.testing.strategies"), strategy)()
    return None
