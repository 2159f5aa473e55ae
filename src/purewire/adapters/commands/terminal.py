"""What commands write: lines for people, JSON and images for programs.

Invariant *nothing reaches the terminal raw*: code points that cannot be printed (controls,
direction marks) are replaced in lines; what an encoding lacks is written as an escape.
Invariant *every call flushes*: an output that takes no more ends the command.
"""

import sys
from typing import TextIO

from purewire.adapters.commands.stdout import put
from purewire.json import codec

__all__ = ["complain", "is_interactive", "rewrite", "say", "say_painted", "write", "write_json"]


def say(line: str) -> None:
    """Write a line for a person."""
    put(lambda: _write(sys.stdout, f"{_fit(line, sys.stdout.encoding)}\n"))


def say_painted(line: str) -> None:
    """Write a line of the library's own making, whose ANSI escapes are meant."""
    put(lambda: _write(sys.stdout, f"{line}\n"))


def rewrite(line: str) -> None:
    """Write a line over the last one; for interactive outputs."""
    text = _fit(line, sys.stdout.encoding)
    put(lambda: _write(sys.stdout, f"\r\033[K{text}"))


def complain(line: str) -> None:
    """Write a line to the error output."""
    _write(sys.stderr, f"{_fit(line, sys.stderr.encoding)}\n")


def write_json(value: object) -> None:
    """Write a plain value as one line of JSON, in UTF-8 whatever the terminal's encoding."""
    write(codec.encode(value) + b"\n")


def write(data: bytes) -> None:
    """Write bytes as they are."""

    def write_through() -> None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    put(write_through)


def is_interactive() -> bool:
    """Tell whether a person watches the output."""
    return sys.stdout.isatty()


def _fit(line: str, encoding: str) -> str:
    printable = "".join(sign if sign.isprintable() else "\ufffd" for sign in line)
    return printable.encode(encoding, "backslashreplace").decode(encoding)


def _write(stream: TextIO, text: str) -> None:
    stream.write(text)
    stream.flush()
