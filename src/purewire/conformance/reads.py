"""Steps that the checks of read-only resources share: GET, HEAD, conditions, methods."""

from collections.abc import Generator, Iterable
from typing import Any, Final
from xml.etree import ElementTree as ET

from purewire.conformance.checks import (
    Action,
    CheckFailed,
    Reply,
    Send,
    Steps,
    expect,
    expect_equal,
    expect_header,
    expect_status,
)
from purewire.conformance.differences import shorten
from purewire.http.conditional import is_valid_etag

SVG: Final = "{http://www.w3.org/2000/svg}"
"""Namespace of the elements of SVG, as in their tags."""

_LONG_AGO: Final = "Thu, 01 Jan 1970 00:00:00 GMT"
WITHOUT_EFFECT: Final = (
    *(("Authorization", "Bearer wrong"), ("Authorization", "Basic eDp5")),
    *(("Cookie", "session=1"), ("Origin", "https://other.example")),
    *(("X-Forwarded-Host", "other.example"), ("X-Forwarded-Proto", "ftp")),
    *(("X-Forwarded-Prefix", "/other"), ("Forwarded", "host=other.example;proto=https")),
    *(("X-HTTP-Method-Override", "DELETE"), ("X-Requested-With", "XMLHttpRequest")),
    *(("Accept", "text/html"), ("Accept", "application/xml"), ("Accept-Charset", "utf-16")),
    *(("Accept-Language", "zh"), ("Content-Type", "text/plain"), ("User-Agent", "curl/8.5.0")),
    *(("Referer", "https://other.example/"), ("Pragma", "no-cache")),
    *(("Cache-Control", "no-cache"), ("Cache-Control", "max-age=0")),
)
"""Header lines of requests that change nothing of a public resource."""
_OTHER_TAG: Final = '"no-such-tag-7f3a"'


def get(path: str, *headers: tuple[str, str], method: str = "GET") -> Generator[Action, Any, Reply]:
    """Request a path."""
    reply: Reply = yield Send(method, path, headers)
    return reply


def list_items(value: str | None) -> tuple[str, ...]:
    """Return the items of a list header, sorted and in lower case: neither matters."""
    return tuple(sorted(item.strip().lower() for item in (value or "").split(",")))


def media_type(reply: Reply) -> str:
    """Return the media type of a response without its parameters, in lower case."""
    return (reply.header("content-type") or "").partition(";")[0].strip().lower()


def charset(reply: Reply) -> str:
    """Return the charset of the media type of a response, in lower case; empty without one."""
    return (reply.header("content-type") or "").lower().partition("charset=")[2].strip('" ')


def expect_items(reply: Reply, name: str, value: str, *, rule: str = "") -> None:
    """Expect that a list header has the items of a value, in any order and case."""
    if list_items(reply.header(name)) != list_items(value):
        expect_header(reply, name, value, rule=rule)


def expect_no_body(reply: Reply) -> None:
    """Expect that no bytes follow the head."""
    expect(not reply.body, "no body", reply.body)


def expect_head(path: str, names: Iterable[str]) -> Steps:
    """Expect that HEAD has the status and some headers of GET, and no body."""
    full = yield from get(path)
    head = yield from get(path, method="HEAD")
    expect_status(head, full.status)
    expect_no_body(head)
    for name in names:
        expect_header(head, name, full.header(name))


def expect_methods(path: str, methods: Iterable[str], allowed: str) -> Steps:
    """Expect that methods are refused with 405, and that Allow lists those that are not."""
    for method in methods:
        reply = yield from get(path, method=method)
        expect_status(reply, 405)
        expect_items(reply, "Allow", allowed)


def expect_preflight(reply: Reply, allowed: str) -> None:
    """Expect 204 without a body, and the methods that scripts of other origins may use."""
    expect_status(reply, 204)
    expect_no_body(reply)
    expect_items(reply, "Access-Control-Allow-Methods", allowed)


def expect_cors(path: str, methods: Iterable[str]) -> Steps:
    """Expect that scripts of any origin may read what each method yields, a 304 included.

    A cache gives a script what was sent to a request without Origin.
    """
    origin, anything = ("Origin", "https://page.example"), ("If-None-Match", "*")
    requests = [
        ("GET", ()),
        ("GET", (origin, anything)),
        *((method, (origin,)) for method in methods),
    ]
    for method, lines in requests:
        reply = yield from get(path, *lines, method=method)
        expect_header(reply, "Access-Control-Allow-Origin", "*")
        expect_header(reply, "Access-Control-Allow-Credentials", None)


def expect_strong_tag(path: str) -> Generator[Action, Any, str]:
    """Expect that a response has a strong ETag, and return it."""
    reply = yield from get(path)
    tag = reply.header("etag")
    expect(tag is not None and _is_strong(tag), f"a strong ETag of GET {path}", tag)
    return tag or ""


def _is_strong(tag: str) -> bool:
    return is_valid_etag(tag) and not tag.startswith("W/")


def expect_conditions(path: str, tag: str, kept: Iterable[str]) -> Steps:
    """Expect 304 without a body for If-None-Match with a tag in any form, and 200 for another.

    `kept` are the names of headers that 304 has as 200 has them.
    """
    full = yield from get(path)
    opaque = tag.removeprefix("W/")
    for method, value in (
        ("HEAD", tag),
        ("GET", tag),
        ("GET", f"W/{opaque}"),
        ("GET", f"{_OTHER_TAG}, {opaque}"),
        ("GET", f'{opaque}, "a,b"'),
        ("GET", f'"a,b" ,W/{opaque}'),
        ("GET", "*"),
    ):
        reply = yield from get(path, ("If-None-Match", value), method=method)
        expect_status(reply, 304)
        expect_no_body(reply)
        for name in kept:
            expect_header(reply, name, full.header(name))
    for value in (_OTHER_TAG, f"{opaque[:-1]}x{opaque[-1:]}", opaque.strip('"')):
        reply = yield from get(path, ("If-None-Match", value))
        expect_status(reply, 200)
        expect(reply.body == full.body, "the whole body", reply.body)


def expect_modified_since(path: str, modified: str) -> Steps:
    """Expect 304 for If-Modified-Since with the Last-Modified of a path, as RFC 9110 has it."""
    for lines, status in (
        ((("If-Modified-Since", modified),), 304),
        ((("If-Modified-Since", _LONG_AGO),), 200),
        ((("If-Modified-Since", "yesterday"),), 200),
        ((("If-Modified-Since", modified), ("If-None-Match", _OTHER_TAG)), 200),
    ):
        reply = yield from get(path, *lines)
        expect_status(reply, status)
        if status == 304:
            expect_no_body(reply)


def expect_same(reply: Reply, plain: Reply, names: Iterable[str], what: str) -> None:
    """Expect the status, some headers and the bytes of another response."""
    expect_status(reply, plain.status)
    for name in names:
        expect_header(reply, name, plain.header(name))
    expect(reply.body == plain.body, what, reply.body)


def svg_root(reply: Reply) -> ET.Element:
    """Return the root of an SVG body.

    Raises:
        CheckFailed: it is not well-formed SVG, or has a document type.

    """
    expect(b"<!DOCTYPE" not in reply.body, "SVG without a document type", reply.body)
    try:
        root = ET.fromstring(reply.body)  # noqa: S314 - without a document type there are no entities
    except ET.ParseError as error:
        raise CheckFailed("well-formed SVG", f"{error} in {shorten(reply.body)}") from error
    expect_equal("root element", root.tag, f"{SVG}svg")
    return root
