"""Read the vectors that are shipped with a product."""

import base64
import json
from collections.abc import Iterable
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

__all__ = ["body_bytes", "read_vectors", "vectors_folder"]


def vectors_folder() -> Traversable:
    """Return the folder of all vectors: that of the installed package, or that of a checkout."""
    package = files("status_contracts")
    shipped = package / "vectors"
    return shipped if shipped.is_dir() else Path(str(package)).parents[1] / "vectors"


def read_vectors(product: str, topic: str) -> list[dict[str, Any]]:
    """Return the cases of a topic."""
    content = json.loads((vectors_folder() / product / f"{topic}.json").read_bytes())
    cases: list[dict[str, Any]] = content["cases"]
    return cases


def body_bytes(parts: Iterable[str | dict[str, Any]]) -> bytes:
    """Return the bytes of a body in a vector: text, base64 and repeated text after each other."""
    return b"".join(map(_part_bytes, parts))


def _part_bytes(part: str | dict[str, Any]) -> bytes:
    if isinstance(part, str):
        return part.encode()
    if "base64" in part:
        return base64.b64decode(part["base64"], validate=True)
    copies = (part["repeat"].replace("#", str(number)) for number in range(1, part["times"] + 1))
    return str(part.get("join", "").join(copies)).encode()
