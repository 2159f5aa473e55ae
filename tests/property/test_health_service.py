"""Properties of the service: a current copy stays, and the cache has no effect."""

from functools import cache
from urllib.parse import quote_from_bytes

from hypothesis import given, settings
from hypothesis import strategies as st

from healthapi.endpoints import ENDPOINTS
from healthapi.keys import CHARTS, DATASETS, GRANULARITIES, METRICS, SECTIONS, TABLES
from support.healthapi.health_client import ROOT, HealthClient, header

WORDS = (
    *("anna", "nobody", "steps", "profile", "series.svg", "daily", "%64aily", "DAILY"),
    *("..", ".", "", "%2e%2e", "%00", "%2f", "%ff", "__class__", "{0}", "x" * 200),
    *("profiles", "docs", "docs.md", "datasets", "series", "charts", "tables", "snapshot"),
)
keys = (
    st.sampled_from((*CHARTS, *DATASETS, *GRANULARITIES, *SECTIONS, *TABLES, *METRICS)).map(
        str.encode
    )
    | st.sampled_from(WORDS).map(str.encode)
    | st.binary(min_size=1, max_size=8).map(lambda raw: quote_from_bytes(raw).encode())
)
profiles = st.sampled_from([b"anna", b"anna", b"anna", b"nobody", b"gone"]) | keys
values = (
    st.sampled_from([b"", b"0", b"1", b"7", b"-3", b"1_0", b"1001", b"9" * 700, b"weekly", b"x"])
    | st.sampled_from([name.encode() for name in METRICS])
    | st.binary(max_size=5)
)
names = st.sampled_from(
    [b"limit", b"offset", b"metrics", b"granularity", b"width", b"height", b"theme", b"x"]
)
queries = st.lists(st.tuples(names, values), max_size=4).map(
    lambda pairs: b"&".join(b"=".join(pair) for pair in pairs)
)


def path_of(template: str, profile: bytes, key: bytes) -> bytes:
    """Put a profile and a key into the path of an endpoint."""
    parts = template.encode().split(b"{")
    filled = [parts[0]]
    for part in parts[1:]:
        name, _, rest = part.partition(b"}")
        filled += [profile if name == b"profile_id" else key, rest]
    return ROOT.encode() + b"".join(filled)


known_paths = st.builds(
    path_of, st.sampled_from([endpoint.path for endpoint in ENDPOINTS]), profiles, keys
)
client = cache(HealthClient)


class TestCopies:
    """`fuzz_properties.health_http` has what holds for any request."""

    @settings(max_examples=60)
    @given(known_paths, queries)
    def test_a_current_copy_yields_304(self, path: bytes, query: bytes) -> None:
        first = client().send("GET", path + b"?" + query)
        etag = header(first, "ETag")
        assert (etag is not None) == (first.status == 200)
        if etag is not None:
            again = client().send("GET", path + b"?" + query, [(b"if-none-match", etag.encode())])
            assert again.status == 304


class TestCache:
    """Invariant *responses are cached*: a used service responds like a new one."""

    @settings(max_examples=25)
    @given(st.lists(st.tuples(known_paths, queries), min_size=2, max_size=8))
    def test_has_no_effect(self, requests: list[tuple[bytes, bytes]]) -> None:
        used = HealthClient()
        for path, query in (*requests, *requests):
            target = path + b"?" + query
            assert used.send("GET", target) == HealthClient().send("GET", target)
