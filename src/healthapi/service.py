"""Check requests in order, as an exchange of effects that ends in a response.

Invariant *order of checks*: those of the router, profile, its data, key.
Invariant *any bytes have a response*: any path and query yield one of the documented responses, and
only a well-formed profile id reaches the source.
Invariant *a failure is not absence*: unreadable data yield 503, never 404 or an empty list.
Invariant *no Host in a body*: a response depends on path, query, data and configuration alone.
Invariant *responses are cached*: a response is built once for a state of a profile.  Above a limit
all are dropped, which costs time only.  Index and list are built anew when a value of them changes.
Invariant *profiles belong to their source*: the cache keeps no profile that its source has dropped.
"""

from collections.abc import Callable, Generator
from functools import partial
from typing import Any, Final
from urllib.parse import unquote
from weakref import WeakKeyDictionary

from healthapi import envelope, manual, resources, schemas
from healthapi.endpoints import ENDPOINTS, KEYS, HealthEndpoint, PathKey, Query
from healthapi.envelope import Links, Prepared, parse_base_url
from healthapi.profile import Profile, ProfileSummary
from status_contracts.endpoints import Params, RequestError, Route, Router
from status_contracts.exchange import Effect, EffectFailed, Exchange, ReadSource
from status_contracts.json_text import encode
from status_contracts.messages import JSON, Request
from status_contracts.pages.blocks import markdown
from status_contracts.pages.settings import PageSettings

_MAX_CACHED_BYTES: Final = 128 * 1024 * 1024
"""Of all cached responses."""
_ENTRY_BYTES: Final = 1024
"""What a cached response takes beside its body."""


class Service:
    """All health-data endpoints of one deployment; call it with a request to get its exchange.

    The exchange yields `ReadSource` effects.  With None, an effect reads the ids of all profiles,
    or a `ProfileSummary` of each; with an id, a `Profile`, or None if there is no such profile.

    Args:
        base_url: URL of the mount point, the start of all links; without it links are relative to
            the URL of the response.
        page: what the manual shows of its owner; None if there are no pages beside it.
        files: style sheet and script of the manual as a page.

    Attributes:
        router: the handler of the endpoints.

    Raises:
        ValueError: The base URL is not an absolute http or https URL.

    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        page: PageSettings | None = None,
        files: tuple[str, str] = ("", ""),
    ) -> None:
        self._page, self._files = page, files
        self._base = None if base_url is None else parse_base_url(base_url)
        self._responses: WeakKeyDictionary[Profile, dict[tuple[str, Query], Prepared]]
        self._responses, self._cached_bytes = WeakKeyDictionary(), 0
        self._whole: dict[str, tuple[object, Prepared]] = {}
        self.router: Final = Router(
            (
                Route(endpoint, partial(self._respond, endpoint), envelope.CORS)
                for endpoint in ENDPOINTS
            ),
            envelope.error_response,
        )

    def __call__(self, request: Request) -> Exchange:
        """Return the exchange that handles a request."""
        return self.router(request)

    def _respond(self, endpoint: HealthEndpoint, request: Request, params: Params) -> Exchange:
        if endpoint.of_profile:
            profile_id = _parse_key(KEYS["profile_id"], params["profile_id"])
            profile: Profile | None = yield from ReadSource(profile_id)
            if profile is None:
                raise RequestError("profile_not_found")
            key = "" if (of := endpoint.key) is None else _parse_key(of, params[of.name])
            query = endpoint.parse_query(key, request.query)
            prepared = self._of_profile(profile, endpoint, query)
        elif endpoint.schema:
            profiles: tuple[str | ProfileSummary, ...] = yield from ReadSource(None)
            summaries = yield from read_summaries(profiles, first_only=endpoint.name == "index")
            data = endpoint.name, len(profiles), tuple(summaries)
            build = partial(resources.prepare_list, *data, Links.at(endpoint.path, self._base))
            prepared = self._kept(endpoint.name, data, build)
        else:
            prepared = self._kept(endpoint.name, None, partial(self._document, endpoint.name))
        return prepared.respond(request)

    def _of_profile(self, profile: Profile, endpoint: HealthEndpoint, query: Query) -> Prepared:
        """Return the response of an endpoint below a profile, from the cache if possible."""
        responses = self._responses.setdefault(profile, {})
        name = endpoint.name, query
        prepared = responses.get(name)
        if prepared is None:
            links = Links.at(endpoint.path, self._base)
            prepared = resources.prepare(profile, endpoint.name, query, links)
            self._cached_bytes += len(prepared.asset.body) + _ENTRY_BYTES
            if self._cached_bytes > _MAX_CACHED_BYTES:
                self._responses, self._cached_bytes = WeakKeyDictionary(), 0
            responses[name] = prepared
        return prepared

    def _kept(self, name: str, data: object, build: Callable[[], Prepared]) -> Prepared:
        """Return a response of the whole service, built anew if its data are other ones."""
        last = self._whole.get(name)
        if last is None or last[0] != data:
            last = self._whole[name] = data, build()
        return last[1]

    def _document(self, name: str) -> Prepared:
        if name == "openapi":
            return envelope.build_document(encode(schemas.openapi_document(self._base)), JSON)
        reference = manual.manual(self._base, schemas.schemas().documents)
        if name == "docs-markdown":
            text = markdown(reference.document())
            return envelope.build_document(text.encode(), "text/markdown; charset=utf-8")
        page = manual.build_page(reference, self._base, self._page, self._files)
        policy = ("Content-Security-Policy", page.policy)
        return envelope.build_document(page.body, "text/html; charset=utf-8", (policy,))


def read_summaries(
    profiles: tuple[str | ProfileSummary, ...], *, first_only: bool = False
) -> Generator[Effect, Any, list[ProfileSummary]]:
    """Return the summaries of profiles, or those up to the first readable one; read what has none.

    Of a profile that cannot be read only the id is known; one that no longer exists is skipped.
    """
    summaries: list[ProfileSummary] = []
    for entry in profiles:
        summary: ProfileSummary | None
        if isinstance(entry, ProfileSummary):
            summary = entry
        else:
            try:
                profile: Profile | None = yield from ReadSource(entry)
                summary = None if profile is None else profile.summary
            except EffectFailed:
                summary = ProfileSummary(entry)
        if summary is not None:
            summaries.append(summary)
            if first_only and summary.generated_at is not None:
                break
    return summaries


def _parse_key(key: PathKey, encoded: str) -> str:
    """Return the key in a percent-encoded part of a path; no key has bytes that are not UTF-8."""
    parsed = key.parse(unquote(encoded, errors="surrogateescape"))
    if parsed is None:
        raise RequestError(key.error_code)
    return parsed
