"""The parts that the products share: JSON, decoding, findings, HTTP values, SVG, conformance.

Nothing here depends on a product.  Only `adapters`, `cli` and `conformance` read a clock, a socket,
a file, the environment or randomness; elsewhere time is an argument in milliseconds.  Import the
module you need; this package has only what the packages of the products need.
"""

from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_names(
    namespace: dict[str, object], modules: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package whose names are imported when used (PEP 562).

    Args:
        namespace: the `globals()` of the package, in which a name that was imported is stored.
        modules: module to the names that it defines, separated by spaces; type checkers need their
            import under `if TYPE_CHECKING:` as well.  Each package has `__version__` too.

    """
    module_of = {name: module for module, names in modules.items() for name in names.split()}
    module_of["__version__"] = "status_contracts.adapters.version"

    def load(name: str) -> object:
        if name not in module_of:
            raise AttributeError(f"module {namespace['__name__']!r} has no attribute {name!r}")
        value = namespace[name] = getattr(import_module(module_of[name]), name)
        return value

    def list_names() -> list[str]:
        return [*import_module(str(namespace["__name__"])).__all__]

    return load, list_names
