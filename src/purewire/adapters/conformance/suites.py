"""Load the checks of a product, with the rules and the vectors that are shipped with it."""

from functools import partial
from importlib import import_module
from typing import Any

from purewire.adapters.contract import read_contract, read_vectors
from purewire.conformance.checks import RuleText, Suite


def load_suite(product: str, **options: Any) -> Suite[Any]:  # noqa: ANN401 - those of the product
    """Return the checks of a product: `devicestatus`, for example."""
    checks = import_module(f"{product}.conformance.checks")
    suite: Suite[Any] = checks.make_suite(partial(read_vectors, product), **options)
    suite.rules = {
        rule.id: RuleText(rule.level, rule.text, is_own=_is_own(rule.source))
        for rule in read_contract(product).rules.values()
    }
    return suite


def _is_own(source: tuple[str, ...]) -> bool:
    """Check whether only decisions of this project state a rule, and no section of the contract."""
    return all(each == "own" or each.startswith("decisions") for each in source)
