"""Build responses: the envelope of JSON bodies, the links in it, and the headers of every kind.

A relative link is a relative-path reference (RFC 3986 section 4.2).  It needs neither the host nor
the mount point, so that it is correct behind a proxy that removes a prefix from the path.

Invariant *complete*: the response of a resource has api_version, resource, generated_at, data and
meta, and profile_id if it belongs to a profile; an error has a code and its message.
Invariant *errors are not cached*: no cache stores an error, and its message never quotes the
request.
Invariant *independent of the request*: links depend on the endpoint and the configuration alone, so
that a shared cache may serve one response to every client.
Invariant *links resolve*: every link has a path that the service knows; a key that no path can
address has no link.
"""

from typing import Any, Final
from urllib.parse import quote, urlsplit

import attrs

from healthapi import limits
from healthapi.endpoints import ROOT
from healthapi.errors import MESSAGE_OF, STATUS_OF, ErrorCode
from status_contracts import json_text
from status_contracts.messages import (
    IMAGE_POLICY,
    JSON,
    NO_STORE,
    SVG,
    Asset,
    Headers,
    Request,
    Response,
    build_response,
    conditional_response,
    etag_of,
)

API_VERSION: Final = "v1"

CORS: Final[Headers] = (
    ("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
    ("Access-Control-Allow-Headers", "If-None-Match"),
)
"""Headers of the response to a preflight."""


def _headers(max_age: int, stale: int, exposed: str = "ETag") -> Headers:
    return (
        ("Cache-Control", f"public, max-age={max_age}, stale-while-revalidate={stale}"),
        ("Access-Control-Expose-Headers", exposed),
    )


_DATA: Final = _headers(limits.MAX_AGE_SECONDS, limits.STALE_SECONDS)
_DOCS: Final = _headers(limits.MAX_AGE_DOCS_SECONDS, limits.STALE_DOCS_SECONDS)
_CHART: Final[Headers] = (
    *_headers(limits.MAX_AGE_SECONDS, limits.STALE_SECONDS, "ETag, X-Chart-Metadata"),
    IMAGE_POLICY,
)


@attrs.frozen
class Content:
    """The content of a resource: `data`, and `meta` about it, as plain values."""

    data: dict[str, Any]
    meta: dict[str, Any] = attrs.Factory(dict)


@attrs.frozen(eq=False, repr=False)
class Prepared:
    """A response without the parts that depend on the single request."""

    asset: Asset
    media_type: str
    headers: Headers

    def respond(self, request: Request) -> Response:
        """Return the response to a GET or HEAD: 200, or 304 if the client has the current body."""
        return conditional_response(request, self.asset, self.media_type, self.headers)


def build_envelope(
    resource: str, generated_at: str, profile_id: str | None, content: Content
) -> Prepared:
    """Prepare the response of a resource; `profile_id` is None if it belongs to no profile."""
    value = {"api_version": API_VERSION, "resource": resource, "generated_at": generated_at}
    if profile_id is not None:
        value["profile_id"] = profile_id
    body = json_text.encode({**value, "data": content.data, "meta": content.meta})
    return _prepared(body, JSON, _DATA)


def build_document(body: bytes, media_type: str, headers: Headers = ()) -> Prepared:
    """Prepare the response of a document about the service."""
    return _prepared(body, media_type, (*_DOCS, *headers))


def build_chart(svg: bytes, metadata: dict[str, Any]) -> Prepared:
    """Prepare the response of a chart; `metadata` contains known keys and numbers only."""
    encoded = json_text.encode(metadata).decode("ascii")
    return _prepared(svg, SVG, (*_CHART, ("X-Chart-Metadata", encoded)))


def error_response(method: str, code: ErrorCode, headers: Headers = ()) -> Response:
    """Return the error response of a code."""
    if code == "service_unavailable":
        headers = (*headers, ("Retry-After", str(limits.RETRY_AFTER_SECONDS)))
    error = {"code": code, "message": MESSAGE_OF[code]}
    body = json_text.encode({"api_version": API_VERSION, "error": error})
    return build_response(method, STATUS_OF[code], JSON, body, (*NO_STORE, *headers))


def _prepared(body: bytes, media_type: str, headers: Headers) -> Prepared:
    return Prepared(Asset(body, etag_of(body)), media_type, headers)


_PATHS: Final = {
    "self": "",
    **{
        name: f"/{name}"
        for name in ("dashboard", "catalog", "overview", "coverage", "metrics", "correlations")
    },
    "series_daily": "/series/daily",
    "series_weekly": "/series/weekly",
    **{name: f"/{name}" for name in ("datasets", "sections", "tables", "snapshot")},
    "chart_overview": "/charts/overview-trend.svg",
    "chart_weekly": "/charts/weekly-trend.svg",
}


@attrs.frozen
class Links:
    """The links of one response; `start` precedes a path below the index."""

    start: str

    @classmethod
    def at(cls, path: str, base_url: str | None = None) -> "Links":
        """Return links below a base URL, without one relative to the URL of an endpoint.

        The path of the endpoint is that below the index; the base URL has no trailing slash.
        """
        if base_url is not None:
            return cls(f"{base_url}{ROOT}/")
        depth = path.count("/")
        return cls("../" * (depth - 1) if depth else f"{ROOT.rpartition('/')[2]}/")

    def to(self, path: str) -> str:
        """Return the link to a path below the index, which begins with a slash."""
        return f"{self.start}{path[1:]}"

    def below(self, profile_id: str, subpath: str = "") -> str:
        """Return the link to a path below a profile."""
        return self.to(f"/profiles/{profile_id}{subpath}")

    def of(self, profile_id: str) -> dict[str, str]:
        """Return the links of a profile by name."""
        return {name: self.below(profile_id, subpath) for name, subpath in _PATHS.items()}

    def endpoint(self, profile_id: str, key: str) -> str | None:
        """Return the link to a snapshot endpoint; None if no path can address its key."""
        if key in {"", ".", ".."} or "/" in key or "\0" in key:
            return None
        return self.below(profile_id, f"/snapshot/endpoints/{quote(key, safe='')}")


def parse_base_url(url: str) -> str:
    """Return a configured base URL without trailing slashes.

    Raises:
        ValueError: It is not an absolute http or https URL, has a query, fragment or credentials,
            or contains characters that must be percent-encoded.

    """
    parts = urlsplit(url)
    is_valid = parts.scheme in {"http", "https"} and parts.hostname and parts.username is None
    if not is_valid or quote(url, safe="/:@!$*+,;=~[]%") != url:
        raise ValueError(
            "the base URL must be an absolute http or https URL without query and fragment"
        )
    return url.rstrip("/")
