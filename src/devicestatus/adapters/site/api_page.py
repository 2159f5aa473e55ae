"""Build the API reference: endpoints, members, errors and limits from their tables."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from devicestatus import limits
from devicestatus.errors import STATUS_OF, ErrorCode
from devicestatus.http.endpoints import ENDPOINTS, ICONS, READING, WRITING
from devicestatus.schemas import CONTRACT_VERSION, DOCUMENTS, schemas
from devicestatus.schemas.tables import EXAMPLES
from purewire.pages.blocks import Block, BulletList, Heading, Paragraph, Table
from purewire.pages.page import Page
from purewire.pages.reference import (
    BASE_URL,
    BASE_URL_TEXT,
    endpoint_blocks,
    endpoint_list,
    members_table,
    reference_page,
)
from purewire.pages.settings import PageSettings
from purewire.structuring.json_schema import title_of

_RULES: Final = (
    (
        "Paths are exact.  A path with a trailing slash, another case or a percent-encoded letter"
        " is unknown: 404.  Query parameters are ignored."
    ),
    (
        "A method that a path does not support gets 405, with the supported methods in `Allow`."
        "  `OPTIONS` works on every path: 204 without a body and without a token."
    ),
    (
        "Every response has `Access-Control-Allow-Origin: *`.  Cookies and other credentials are"
        " not used."
    ),
    (
        "Responses have `Cache-Control: no-store, max-age=0`, and the same for content delivery"
        " networks.  Icons may be cached:"
        f" `Cache-Control: public, max-age={limits.ICON_MAX_AGE_SECONDS}`."
    ),
    (
        'Offline is not an error: the response has status 200 and exactly `{"status":"offline"}`.'
        "  When the service cannot read the status, it responds with 503: the status is unknown,"
        " not offline."
    ),
    "Expect null for unknown values, absent members, and members that a later version adds.",
    (
        "The store behind the service is eventually consistent: a response may be slightly older"
        " than the last write."
    ),
)
_GROUPS: Final = {
    READING: (
        (
            "Each request reads the store once and writes nothing.  A client that needs more than"
            " one part of the status calls `/api/now`: parallel calls to the parts are not merged"
            " and may see different states."
        ),
        (
            "The computer reports in one of two ways.  With snapshots, a response contains the"
            f" latest one.  With windows, the computer sends the last {limits.WINDOW_SECONDS // 60}"
            f" minutes every {limits.UPLOAD_INTERVAL_SECONDS // 60} minutes, and responses contain"
            f" the state {limits.PLAYBACK_DELAY_SECONDS} seconds ago, so that it changes without"
            " jumps; such responses have a `playback` member."
        ),
    ),
    ICONS: (
        (
            "A fixed list that belongs to the deployment; it does not depend on whether the"
            " computer is online.  The images have their own licenses.  Both paths take"
            " `If-None-Match` and `If-Modified-Since`, and `ETag` and `Last-Modified` are readable"
            " from other origins.  The same files are at `/app-icons/index.json` and"
            " `/app-icons/{id}.png`."
        ),
    ),
    WRITING: (
        (
            "For the agent on the computer.  A request has `Authorization: Bearer` and the ingest"
            f" token, {limits.TOKEN_LENGTH_MIN} to {limits.TOKEN_LENGTH_MAX} characters without"
            " white space, compared exactly.  Do not put it in web pages, URLs and repositories."
            "  Bodies are uncompressed UTF-8 JSON."
        ),
        (
            "A request is checked in this order: configuration of the service (503), token (401),"
            " media type (415), stated length (413), encoding (415), size (413), JSON (400),"
            " content (400).  The response 200 is sent after the store has the complete record."
        ),
    ),
}
_MEANING_OF: Final[dict[ErrorCode, str]] = {
    "invalid_json": "The body is empty, not UTF-8 or not JSON.",
    "invalid_payload": "A value, an unknown member, an order or a time breaks a rule.",
    "unauthorized": "No token, or another one; comes with `WWW-Authenticate: Bearer`.",
    "not_found": "No such path, or no such icon.",
    "method_not_allowed": "The path has no such method; `Allow` lists those it has.",
    "payload_too_large": "The body is too long, or its stated length is not a number.",
    "unsupported_media_type": "Not JSON by its header, or compressed.",
    "service_unavailable": "The configuration is incomplete, or store or icons cannot be reached;"
    " try again later.",
}


def build_api_page(icon: str, settings: PageSettings) -> Page:
    """Build the page; `icon` is the SVG of its icon."""
    footer = f'Contract version {CONTRACT_VERSION}. <a href="./">Status now</a>'
    return reference_page(_reference(), icon, footer, settings)


@cache
def _reference() -> tuple[Block, ...]:
    return tuple(_blocks())


def _blocks() -> Iterator[Block]:
    yield Heading(1, "Device status API", "top")
    yield Paragraph(
        "This service publishes what one computer is doing: the foreground app, the apps that run,"
        " battery, load average and music.  One agent on that computer writes; everybody may read,"
        " from any origin and without a key."
    )
    yield Paragraph(
        "Quick start: poll [GET /api/now](#now) and show its content.  The [status page](./) shows"
        f" the same.  {BASE_URL_TEXT} without `/api`."
    )
    yield Heading(2, "All endpoints", "all")
    yield endpoint_list(ENDPOINTS)
    yield Heading(2, "Rules for every response", "rules")
    yield BulletList(_RULES)
    yield from _groups()
    yield from _members()
    yield Heading(2, "Errors", "errors")
    yield Paragraph(
        'The body contains only a code, never data of the request: `{"error":"not_found"}`.'
    )
    yield Table(
        "Error codes",
        ("Code", "Status", "When"),
        tuple((f"`{code}`", str(STATUS_OF[code]), text) for code, text in _MEANING_OF.items()),
    )


def _groups() -> Iterator[Block]:
    examples = {
        name: {
            title_of(model.__name__).lower() if len(models) > 1 else "": EXAMPLES[model.__name__][0]
            for model in models
        }
        for name, (_, models) in DOCUMENTS.items()
    }
    for group in dict.fromkeys(endpoint.group for endpoint in ENDPOINTS):
        yield Heading(2, group, group.lower().replace(" ", "-"))
        yield from map(Paragraph, _GROUPS.get(group, ()))
        for endpoint in ENDPOINTS:
            if endpoint.group == group:
                url = f"{BASE_URL}{endpoint.example}"
                yield from endpoint_blocks(endpoint, url, examples)


def _members() -> Iterator[Block]:
    documents = schemas().documents
    yield Heading(2, "Members of the bodies", "members")
    yield Paragraph(
        "Times are UTC: `2026-03-14T09:26:50.000Z`.  Where a snapshot is written, the fraction may"
        " have up to three digits or none; a window needs exactly three.  Lengths count Unicode"
        " code points.  Text must not contain ASCII control characters.  An unlisted member is an"
        " error at every level.  Limits include the given value; deadlines do not: at a deadline"
        " the record is no longer valid."
    )
    for name in ("snapshot", "window"):
        yield Heading(3, name.capitalize(), f"{name}-members")
        yield members_table(f"Members of a {name}", documents[name], {"Snapshot"})
