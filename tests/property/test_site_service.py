"""Properties of the service: any request has a documented response, equal under ASGI and WSGI."""

from hypothesis import given, settings
from hypothesis import strategies as st

from sitedata.adapters import asgi, wsgi
from sitedata.serving.service import PATH, publish
from support.servers.servers import Answer
from support.sitedata.site_versions import LATER, body_of
from support.status_contracts.gateways import call_asgi, call_wsgi

BODY = body_of(1)
PUBLISHED = publish(BODY)
TAG = str(PUBLISHED.asset.etag)

ONE = asgi.create_app(PUBLISHED, clock=lambda: LATER, page=None)
OTHER = wsgi.create_app(PUBLISHED, clock=lambda: LATER, page=None)

methods = st.sampled_from(["GET", "GET", "GET", "HEAD", "OPTIONS", "POST", "get"])
paths = st.sampled_from([PATH, PATH, PATH, f"{PATH}/", "/", "/data", "/data/site%2ddata.json"]).map(
    str.encode
) | st.binary(max_size=8).map(lambda raw: b"/" + raw.hex().encode())
queries = st.sampled_from([b"", b"?", b"?page=2", b"?%00"])
headers = st.lists(
    st.one_of(
        st.tuples(
            st.just(b"accept-encoding"), st.binary(max_size=9).map(lambda raw: raw.hex().encode())
        ),
        st.tuples(
            st.just(b"if-none-match"), st.sampled_from([TAG, '"x"', "*", "x"]).map(str.encode)
        ),
        st.tuples(
            st.just(b"if-modified-since"),
            st.sampled_from([b"Fri, 02 Jan 2026 00:00:00 GMT", b"soon"]),
        ),
    ),
    max_size=3,
)


def ask(method: str, target: bytes, sent: list[tuple[bytes, bytes]]) -> Answer:
    """Send a request to both applications; return the response, which must be the same."""
    answer = call_asgi(ONE, method, target, sent)
    assert answer == call_wsgi(OTHER, method, target, sent)
    return answer


class TestAnyRequest:
    @settings(max_examples=60)
    @given(methods, paths, queries, headers)
    def test_has_one_documented_response(
        self, method: str, path: bytes, query: bytes, sent: list[tuple[bytes, bytes]]
    ) -> None:
        answer = ask(method, path + query, sent)
        assert answer.status in {200, 204, 304, 404, 405}
        assert (answer.status == 404) == (path != PATH.encode())
        if path == PATH.encode():
            assert (answer.status == 405) == (method in {"POST", "get"})
        if answer.status == 200 and method == "GET":
            assert answer.body == BODY
        assert answer == ask(method, path, sent)
