"""Check requests in order, as an exchange of effects that ends in a response.

Invariant *order of checks*: those of the router, profile, its data, key.
Invariant *any bytes have a response*: any path and query yield one of the documented responses, and
only a well-formed profile id reaches the source.
Invariant *a failure is not absence*: unreadable data yield 503, never 404 or an empty list.
Invariant *no Host in a body*: a response depends on path, query, data and configuration alone.
Invariant *responses are cached*: a response is built once for a state of a profile; evicting one
costs time only.  Above a limit those of the profile that was requested least recently are dropped.
Index and list are built again when a value in them changes.
Invariant *profiles belong to their source*: the cache keeps no profile that its source has dropped.
"""

from collections.abc import Generator, Hashable, Mapping
from typing import Any, Final, Generic, TypeVar
from urllib.parse import unquote_to_bytes
from weakref import ref

from healthapi import envelope, manual, openapi, resources
from healthapi.endpoints import ENDPOINTS, KEYS, ContentKind, Endpoint, PathKey, Query
from healthapi.envelope import Links, Prepared, parse_base_url
from healthapi.profile import Profile, ProfileSummary
from status_contracts.endpoints import EndpointHandler, Params, RequestError, Route, Router
from status_contracts.exchange import Effect, EffectFailed, Exchange, ReadSource
from status_contracts.json_text import encode
from status_contracts.messages import JSON, Request
from status_contracts.pages.blocks import markdown
from status_contracts.pages.settings import DEFAULT_PAGE, PageSettings

__all__ = ["Service"]

_NEVER: Final = "1970-01-01T00:00:00"
"""The `generated_at` of a list without a readable profile."""

_MAX_CACHED_BYTES: Final = 40 * 1024 * 1024
"""Of one profile; its largest responses are a snapshot and a series of all metrics (21 MB)."""
_MAX_CACHED_RESPONSES: Final = 256
"""Of one profile."""
_MAX_BYTES: Final = 128 * 1024 * 1024
"""Of the cached responses of all profiles."""
_MAX_PROFILES: Final = 1024

_Reading = Generator[Effect, Any, Prepared]
R = TypeVar("R")


class BoundedCache(Generic[R]):
    """A cache of results by key, emptied when it would exceed a limit; safe for many threads.

    Its results are replaced by one assignment.  If two threads store results at once, one may be
    lost, and no limit is exceeded.
    """

    def __init__(self, *, max_bytes: int, max_results: int) -> None:
        self._max_bytes, self._max_results = max_bytes, max_results
        self._results: Mapping[Hashable, tuple[R, int]] = {}

    def get(self, key: Hashable) -> R | None:
        """Return the result of a key; None if it is not in the cache."""
        result, _ = self._results.get(key, (None, 0))
        return result

    def put(self, key: Hashable, result: R, size: int) -> None:
        """Store a result of `size` bytes, unless it is larger than `max_bytes`."""
        kept = {**self._results, key: (result, size)}
        is_full = len(kept) > self._max_results or _size_of(kept) > self._max_bytes
        if size <= self._max_bytes and key not in self._results:
            self._results = {key: (result, size)} if is_full else kept

    @property
    def size(self) -> int:
        """The total size of the results in bytes."""
        return _size_of(self._results)

    def __len__(self) -> int:
        return len(self._results)


def _size_of(results: Mapping[Hashable, tuple[object, int]]) -> int:
    return sum(size for _, size in results.values())


class Service:
    """All health-data endpoints of one deployment; call it with a request to get its exchange.

    The exchange yields `ReadSource` effects.  With None, an effect reads the ids of all profiles,
    or a `ProfileSummary` of each; with an id, a `Profile`, or None if there is no such profile.

    Args:
        base_url: URL of the mount point, the start of all links; without it links are relative to
            the URL of the response.
        page: what the manual shows of its owner.
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
        page: PageSettings = DEFAULT_PAGE,
        files: tuple[str, str] = ("", ""),
    ) -> None:
        self._page, self._files = page, files
        self._base = None if base_url is None else parse_base_url(base_url)
        self._documents: dict[ContentKind, Prepared] = {}
        self._responses: dict[ref[Profile], BoundedCache[Prepared]] = {}
        self._lists: dict[str, tuple[object, Prepared]] = {}
        self.router: Final = Router(
            (Route(endpoint, self._handler(endpoint), envelope.CORS) for endpoint in ENDPOINTS),
            envelope.error_response,
        )

    def __call__(self, request: Request) -> Exchange:
        """Return the exchange that handles a request."""
        return self.router(request)

    def _handler(self, endpoint: Endpoint) -> EndpointHandler:
        def respond(request: Request, params: Params) -> Exchange:
            prepared = yield from self._prepare(endpoint, params, request.query)
            return prepared.respond(request)

        return respond

    def _prepare(self, endpoint: Endpoint, params: Params, query: bytes) -> _Reading:
        if endpoint.of_profile:
            profile = yield from self._profile(params["profile_id"])
            return self._of_profile(profile, endpoint, _parse_query(endpoint, params, query))
        if endpoint.reads_data:
            return (yield from self._of_service(endpoint))
        return self._document(endpoint.kind)

    def _links(self, endpoint: Endpoint) -> Links:
        if self._base is None:
            return Links.relative_to(endpoint.path)
        return Links.from_base(self._base)

    # One profile

    def _profile(self, encoded: str) -> Generator[Effect, Any, Profile]:
        """Read the profile of a path."""
        profile_id = _parse_key(KEYS["profile_id"], encoded)
        profile: Profile | None = yield from ReadSource(profile_id)
        if profile is None:
            raise RequestError("profile_not_found")
        return profile

    def _of_profile(self, profile: Profile, endpoint: Endpoint, query: Query) -> Prepared:
        """Return the response of an endpoint below a profile, from the cache if possible."""
        state = ref(profile, self._drop)
        responses = self._responses.pop(state, None)
        if responses is None:
            responses = BoundedCache(max_bytes=_MAX_CACHED_BYTES, max_results=_MAX_CACHED_RESPONSES)
        self._responses[state] = responses  # the one that was requested last is last
        name = endpoint.name, query
        prepared = responses.get(name)
        if prepared is None:
            prepared = _build(profile, endpoint, query, self._links(endpoint))
            responses.put(name, prepared, len(prepared.asset.body))
            self._evict()
        return prepared

    def _drop(self, state: ref[Profile]) -> None:
        self._responses.pop(state, None)

    def _evict(self) -> None:
        """Drop the responses of the profiles that were requested least recently."""
        for state in tuple(self._responses):
            kept = tuple(self._responses.values())
            size = sum(responses.size for responses in kept)
            if len(kept) <= _MAX_PROFILES and size <= _MAX_BYTES:
                break
            self._drop(state)

    # The whole service

    def _of_service(self, endpoint: Endpoint) -> _Reading:
        profiles: tuple[str | ProfileSummary, ...] = yield from ReadSource(None)
        profile_ids = tuple(entry if isinstance(entry, str) else entry.id for entry in profiles)
        is_index = endpoint.name == "index"
        summaries = yield from _summaries(profiles, first_only=is_index)
        data = len(profile_ids), tuple(summaries)
        last = self._lists.get(endpoint.name)
        if last is None or last[0] != data:
            content = self._list(endpoint, profile_ids, summaries)
            last = self._lists[endpoint.name] = data, content
        return last[1]

    def _list(
        self, endpoint: Endpoint, profile_ids: tuple[str, ...], summaries: list[ProfileSummary]
    ) -> Prepared:
        links = self._links(endpoint)
        readable = {
            summary.id: summary.generated_at
            for summary in summaries
            if summary.generated_at is not None
        }
        if endpoint.name == "index":
            content = resources.index(profile_ids, next(iter(readable), None), links)
        else:
            content = resources.profiles(summaries, links)
        generated_at = max(readable.values(), default=_NEVER)
        return envelope.build_envelope(endpoint.name, generated_at, None, content)

    def _document(self, kind: ContentKind) -> Prepared:
        prepared = self._documents.get(kind)
        if prepared is None:
            prepared = self._documents[kind] = self._build_document(kind)
        return prepared

    def _build_document(self, kind: ContentKind) -> Prepared:
        if kind == "openapi":
            return envelope.build_document(encode(openapi.document(self._base)), JSON)
        if kind == "markdown":
            text = markdown(manual.manual(self._base).document())
            return envelope.build_document(text.encode(), "text/markdown; charset=utf-8")
        page = manual.build_page(self._base, self._page, *self._files)
        policy = ("Content-Security-Policy", page.policy)
        return envelope.build_document(page.body, "text/html; charset=utf-8", (policy,))


def _summaries(
    profiles: tuple[str | ProfileSummary, ...], *, first_only: bool
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


def _parse_query(endpoint: Endpoint, params: Params, query: bytes) -> Query:
    if endpoint.key is None:
        return endpoint.parse_query("", query)
    key = _parse_key(endpoint.key, params[endpoint.key.name])
    try:
        return endpoint.parse_query(key, query)
    except KeyError:  # an unknown granularity of a chart
        raise RequestError(endpoint.key.error_code) from None


def _build(profile: Profile, endpoint: Endpoint, query: Query, links: Links) -> Prepared:
    if endpoint.kind == "svg":
        return envelope.build_chart(*resources.chart(profile, query))
    content = resources.OF_PROFILE[endpoint.name](profile, query, links)
    if content is None:
        raise RequestError("snapshot_endpoint_not_found")
    return envelope.build_envelope(endpoint.name, profile.generated_at, profile.id, content)


def _parse_key(key: PathKey, encoded: str) -> str:
    """Return the key in a percent-encoded part of a path."""
    try:
        parsed = key.parse(unquote_to_bytes(encoded).decode("utf-8"))
    except UnicodeDecodeError:
        parsed = None
    if parsed is None:
        raise RequestError(key.error_code)
    return parsed
