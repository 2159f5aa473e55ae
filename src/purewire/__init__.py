"""The parts that the products share: JSON, decoding, findings, HTTP values, SVG, conformance.

Nothing here depends on a product.  Only `purewire.adapters` reads a clock, a socket, a file, the
environment or randomness; elsewhere time is an argument in milliseconds.  Import the module you
need; this package has only what the packages of the products need.
"""

from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_names(namespace: dict[str, object], modules: Mapping[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package, which imports names when they are used (PEP 562).

    `modules` maps a name to the module that defines it; type checkers need an import of it under
    `if TYPE_CHECKING:` as well.  A name that was imported is stored in `namespace`, the `globals()`
    of the package.
    """

    def load(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {namespace['__name__']!r} has no attribute {name!r}")
        value = namespace[name] = getattr(import_module(modules[name]), name)
        return value

    return load
