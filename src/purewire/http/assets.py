"""Static files with validators, and the conditions of a request, as values."""

from typing import Final

import attrs


@attrs.frozen
class Conditions:
    """The conditional headers of a request, repeated ones joined by commas; None if absent."""

    if_none_match: str | None = None
    if_modified_since: str | None = None


@attrs.frozen
class Asset:
    """A static file with the validators that its source provides."""

    body: bytes
    etag: str | None = None
    last_modified: str | None = None


@attrs.frozen
class Unmodified:
    """The result for a client that has the current file."""

    etag: str | None = None
    last_modified: str | None = None


UNCONDITIONAL: Final = Conditions()
"""The conditions of a request without conditional headers."""
