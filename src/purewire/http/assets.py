"""A static file, its validators, and the conditions of a request, as values."""

from typing import Final

import attrs

__all__ = ["UNCONDITIONAL", "Asset", "Conditions", "Unmodified"]


@attrs.frozen
class Conditions:
    """The conditional headers of a request, lines joined by a comma; None where not sent."""

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
    """The conditions hold: the client has this file already."""

    etag: str | None = None
    last_modified: str | None = None


UNCONDITIONAL: Final = Conditions()
"""The conditions of a request without conditional headers."""
