"""Accept `bytes`, `bytearray` and `memoryview` arguments, and nothing else.

Python's `bytes()` also accepts integers and lists, and its error for text names no remedy.
"""

from typing import TypeGuard

Octets = bytes | bytearray | memoryview


def is_octets(value: object) -> TypeGuard[Octets]:
    """Check whether a value is bytes; raise TypeError for text, which has an encoding to choose."""
    if isinstance(value, str):
        raise TypeError("bytes are needed, not str: encode the text as UTF-8 first")
    return isinstance(value, Octets)


def to_bytes(value: object) -> bytes:
    """Return bytes as `bytes`; raise TypeError for all other values."""
    if not is_octets(value):
        raise TypeError(f"bytes are needed, not {type(value).__name__}")
    return bytes(value)
