"""Import public names of a package when they are first used (PEP 562).

A package states such a name twice: for type checkers in an import under `if TYPE_CHECKING:`, and
in the mapping that it passes here.
"""

from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_names(namespace: dict[str, object], modules: Mapping[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package; `modules` maps a name to the module that defines it.

    A name that was imported is stored in `namespace`, the `globals()` of the package.
    """

    def load(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {namespace['__name__']!r} has no attribute {name!r}")
        value = namespace[name] = getattr(import_module(modules[name]), name)
        return value

    return load
