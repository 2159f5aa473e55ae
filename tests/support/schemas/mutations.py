"""Mutations of JSON values, each of which a closed schema refuses."""

from collections.abc import Iterator
from typing import Any

Path = tuple[str | int, ...]


def mutations(value: Any, optional: frozenset[str]) -> Iterator[tuple[str, Any]]:
    """Generate a label and a value without a member, with another one, or with a wrong type.

    Args:
        value: a JSON value.
        optional: names of members that may be absent anywhere.

    """
    for path, part in _parts(value, ()):
        where = "/".join(map(str, path))
        if isinstance(part, dict):
            yield f"{where}: unknown member", _replaced(value, path, {**part, "unknown": 1})
            for name in part.keys() - optional:
                rest = {each: part[each] for each in part if each != name}
                yield f"{where}/{name}: dropped", _replaced(value, path, rest)
        if path:
            wrong: object = {} if not isinstance(part, dict) else []
            yield f"{where}: wrong type", _replaced(value, path, wrong)


def _parts(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    yield path, value
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _parts(part, (*path, name))
    elif isinstance(value, list):
        for index, part in enumerate(value[:2]):
            yield from _parts(part, (*path, index))


def _replaced(value: Any, path: Path, part: Any) -> Any:
    """Return a value with another part; it shares with the first what is not on the path."""
    if not path:
        return part
    step, *rest = path
    changed = value.copy()
    changed[step] = _replaced(value[step], tuple(rest), part)
    return changed
