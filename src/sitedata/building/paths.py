"""Names of files as text, and paths as parts of URLs.

Source: site-data specification, "Problem object"; rulings under "Site-data file".

Invariant *text or nothing*: a name is strict UTF-8 or it is no path; nothing is guessed.
Invariant *one segment stays one*: in a URL every character but letters, digits and `-._~/` is
percent-encoded, so no name ends a path early, begins a query or becomes another segment.
"""

import re
from typing import Final
from urllib.parse import quote

from sitedata.reading.publishing_rules import path_fault

__all__ = ["is_plain_name", "is_plain_path", "quoted", "text_of"]

_NAME: Final = re.compile(r"[^/\\]++")
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.~/-]*+")  # most names, for which this is quicker


def text_of(name: bytes) -> str | None:
    """Give a name as text; None where it is not UTF-8."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return None


def quoted(path: str) -> str:
    """Percent-encode the segments of a path, as UTF-8; the slashes between them stay."""
    return path if _PLAIN.fullmatch(path) else quote(path, safe="/")


def is_plain_path(text: str) -> bool:
    """Tell whether text can stand in a URL as segments: it is relative, printable and not dots."""
    return path_fault(text) is None and text.isprintable() and text.strip() == text


def is_plain_name(text: str) -> bool:
    """Tell whether text can stand in a URL as one segment."""
    return is_plain_path(text) and _NAME.fullmatch(text) is not None
