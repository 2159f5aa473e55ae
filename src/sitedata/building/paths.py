"""Decode file names to text, and percent-encode paths for URLs.

Source: site-data specification, "Problem object"; design decisions under "Site-data file".

Invariant *text or nothing*: a name that is not strict UTF-8 is not a path; nothing is guessed.
Invariant *one segment stays one*: in a URL every character except letters, digits and `-._~/` is
percent-encoded, so no name ends a path, begins a query or becomes another segment.
"""

import re
from typing import Final
from urllib.parse import quote

from sitedata.reading.publishing_rules import broken_path_rule

__all__ = ["decode_path", "is_plain_name", "is_plain_path", "percent_encode"]

_NAME: Final = re.compile(r"[^/\\]++")
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.~/-]*+")  # fast path for most names


def decode_path(name: bytes) -> str | None:
    """Decode a name; return None if it is not UTF-8."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return None


def percent_encode(path: str) -> str:
    """Percent-encode the segments of a path, as UTF-8; slashes are kept."""
    return path if _PLAIN.fullmatch(path) else quote(path, safe="/")


def is_plain_path(text: str) -> bool:
    """Check whether text is a relative, printable path without segments of dots."""
    return broken_path_rule(text) is None and text.isprintable() and text.strip() == text


def is_plain_name(text: str) -> bool:
    """Check whether text is one printable path segment."""
    return is_plain_path(text) and _NAME.fullmatch(text) is not None
