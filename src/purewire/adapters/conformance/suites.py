"""Load the checks of a product, with the rules and the vectors that are shipped with it."""

from functools import partial
from importlib import import_module
from typing import Any

from purewire.adapters.contract import read_contract, read_vectors
from purewire.conformance.checks import Suite


def load_suite(product: str, **options: Any) -> Suite[Any]:  # noqa: ANN401 - those of the product
    """Return the checks of a product: `devicestatus`, for example."""
    checks = import_module(f"{product}.conformance.checks")
    suite: Suite[Any] = checks.make_suite(partial(read_vectors, product), **options)
    rules = read_contract(product).rules.values()
    suite.rules = {rule.id: (rule.level, rule.text) for rule in rules}
    return suite
