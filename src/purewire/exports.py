"""Public names of a package, imported when they are first used.

Invariant *importing a package costs nothing*: its modules are imported with the first name that is
asked of each, so that a command's `--help` or a program that needs one door waits for no other.
"""

from collections.abc import Callable, Mapping, MutableMapping
from importlib import import_module

__all__ = ["exporting"]


def exporting(
    namespace: MutableMapping[str, object], homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Give the `__getattr__` and the `__dir__` of a package.

    Args:
        namespace: the package's `globals()`; a name that was found is kept there.
        homes: module to the names that it gives, separated by blanks.

    """
    home_of = {name: module for module, names in homes.items() for name in names.split()}

    def get(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {namespace['__name__']!r} has no attribute {name!r}")
        value = namespace[name] = getattr(import_module(home_of[name]), name)
        return value

    return get, lambda: sorted({*namespace, *home_of})
