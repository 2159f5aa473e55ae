"""The parts that the products share: JSON, decoding, findings, HTTP values, SVG, conformance.

Nothing here depends on a product.  Only `adapters`, `cli` and `conformance` read a clock, a socket,
a file, the environment or randomness; elsewhere time is an argument in milliseconds.  Import the
module you need.
"""

from collections.abc import Callable
from importlib import import_module


def late_names(
    package: str, *modules: str
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package, which imports what is used (PEP 562).

    A name in `__all__` of the package is that of the first of the modules that has one.
    `__version__` is a name of each package.
    """

    def load(name: str) -> object:
        if name == "__version__":
            return import_module("importlib.metadata").version("status-contracts")
        namespace = vars(import_module(package))
        if name not in namespace["__all__"]:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        source = next(module for module in map(import_module, modules) if hasattr(module, name))
        return namespace.setdefault(name, getattr(source, name))

    return load, lambda: [*vars(import_module(package))["__all__"]]
