"""Serve the static icon files: `/app-icons/index.json` and `/app-icons/<id>.png`.

Source: device-status specification, "Icons", rule 3, and the design decisions on icon paths.  The
files of the asset source are served unchanged, including images that the manifest does not list.

Invariant *valid names only*: a name that no icon can have never reaches the asset source.
"""

import re
from typing import Final

from devicestatus.http import responses
from devicestatus.icons import MANIFEST_NAME
from devicestatus.models.icon_manifest import ICON_ID
from purewire.exchange.effects import EffectFailed, Exchange, read_asset
from purewire.http.conditional import conditions_of
from purewire.http.messages import Request
from purewire.http.responses import JSON, PNG

__all__ = ["FILE", "PREFIX", "respond"]

PREFIX: Final = b"/app-icons/"
FILE: Final = re.compile(
    PREFIX + rf"(?P<name>{re.escape(MANIFEST_NAME)}|{ICON_ID}\.png)".encode("ascii")
)
"""Paths of static files."""


def respond(request: Request, name: str) -> Exchange:
    """Respond to GET or HEAD of a static file."""
    try:
        found = yield from read_asset(name, conditions_of(request))
    except EffectFailed:
        return responses.error_response(request.method, "service_unavailable", responses.ICON_CORS)
    if found is None:
        return responses.error_response(request.method, "not_found", responses.ICON_CORS)
    media_type = JSON if name == MANIFEST_NAME else PNG
    return responses.file_response(request, found, media_type)
