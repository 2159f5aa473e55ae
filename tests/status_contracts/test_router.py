"""Routes, the checks of every service, and the failures of handlers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from status_contracts.endpoints import Endpoint, Parameter, Params, RequestError, Route, Router
from status_contracts.exchange import Effect, Exchange, ReadSource, drive
from status_contracts.messages import Request, Response
from support.checks.costs import assert_linear

ID = Parameter("id", "An id.", {}, path_pattern="[a-z0-9]+(?:-[a-z0-9]+)*", example="a")
NAME = Parameter("name", "A name.", {}, example="b c")
NOW = Endpoint("now", "Status", "Now", path="/api/now", aliases=("/now",))
UPDATE = Endpoint("update", "Status", "Update", path="/api/update", methods=("POST",))
ICON = Endpoint(
    "icon", "Icons", "Icon", path="/api/icons/{id}.png", methods=("GET", "HEAD"), keys=(ID,)
)
ALL = Endpoint("all", "Icons", "All", path="/api/icons/all.png")
TWO = Endpoint("two", "Icons", "Two", path="/{name}/(x)/{id}", root="/v1", keys=(NAME, ID))
PREFLIGHT = (("Access-Control-Allow-Methods", "GET"),)
ERROR = (("X-Error", "yes"),)


def route(endpoint: Endpoint) -> Route:
    def handle(request: Request, params: Params) -> Exchange:
        if request.query == b"effect":
            yield from ReadSource(None)
        if request.query == b"error":
            raise RequestError("invalid")
        return Response(200, (), f"{endpoint.name} {dict(params)}".encode())

    return Route(endpoint, handle, PREFLIGHT, ERROR)


ROUTER = Router(
    map(route, (ICON, NOW, UPDATE, ALL, TWO)),
    lambda method, code, headers: Response(499, headers, f"{method} {code}".encode()),
)


def fail(_effect: Effect) -> object:
    raise OSError


def ask(path: bytes, method: str = "GET", query: bytes = b"", router: Router = ROUTER) -> Response:
    return drive(router(Request(method, path, query=query)), fail)


def found(path: bytes, method: str = "GET") -> str:
    """Return what handled a request."""
    return ask(path, method).body.decode()


class TestExactPaths:
    @pytest.mark.parametrize("path", [b"/api/now", b"/now"])
    def test_a_path_and_its_aliases_reach_the_handler(self, path: bytes) -> None:
        assert found(path) == "now {}"

    @pytest.mark.parametrize(
        "path",
        [
            *(
                b"",
                b"/api/now/",
                b"//api/now",
                b"/API/now",
                b"/api/%6eow",
                b"/api/now\n",
                b"api/now",
            ),
            *(b"/api/icons/a" + end for end in (b"", b".PNG", b".png\n", b".png/", b"xpng")),
            b"/api/icons/a.png.png",
        ],
    )
    def test_a_path_that_only_looks_alike_is_unknown(self, path: bytes) -> None:
        assert ask(path) == Response(499, (), b"GET not_found")

    def test_an_exact_path_goes_before_a_pattern(self) -> None:
        assert found(b"/api/icons/all.png") == "all {}"

    def test_added_routes_go_first(self) -> None:
        other = Endpoint("other", "Icons", "Other", path="/api/icons/{name}", keys=(NAME,))
        router = ROUTER.with_routes([route(other)])
        assert ask(b"/api/icons/a.png", router=router).body == b"other {'name': 'a.png'}"
        assert ask(b"/now", router=router).body == b"now {}"
        assert found(b"/api/icons/a.png") == "icon {'id': 'a'}"


class TestMethods:
    @pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "get", "", "GET, OPTIONS", "TRACE"])
    def test_other_methods_are_refused_with_those_that_are_allowed(self, method: str) -> None:
        headers = (("Allow", "GET, OPTIONS"), *ERROR)
        body = f"{method} method_not_allowed".encode()
        assert ask(b"/api/now", method) == Response(499, headers, body)

    def test_options_is_a_preflight_without_a_body(self) -> None:
        response = ask(b"/api/update", "OPTIONS")
        assert (response.status, response.body) == (204, b"")
        assert response.headers[-1:] == PREFLIGHT

    def test_the_path_comes_before_the_method(self) -> None:
        assert found(b"/x", "OPTIONS") == "OPTIONS not_found"
        assert found(b"/x", "PUT") == "PUT not_found"


class TestPatterns:
    @pytest.mark.parametrize("icon", [b"a", b"0", b"a1-b2", b"visual-studio-code"])
    def test_a_path_of_the_form_is_found_with_its_parameter(self, icon: bytes) -> None:
        assert found(b"/api/icons/" + icon + b".png", "HEAD") == f"icon {{'id': '{icon.decode()}'}}"

    @pytest.mark.parametrize("icon", [b"", b"A", b"a-", b"a_b", b"%61", b"a/b", b"\xc3\xa9"])
    def test_a_path_without_the_form_is_unknown_for_every_method(self, icon: bytes) -> None:
        for method in ("GET", "POST", "OPTIONS"):
            assert found(b"/api/icons/" + icon + b".png", method) == f"{method} not_found"

    def test_fixed_parts_are_no_expressions_and_other_bytes_are_encoded(self) -> None:
        assert found(b"/v1/\xc3\xa9%2f/(x)/a-b") == "two {'name': '%C3%A9%2f', 'id': 'a-b'}"
        assert found(b"/v1/n/x/a") == "GET not_found"
        assert found(b"/n/(x)/a") == "GET not_found"

    @pytest.mark.parametrize("text", [b"a", b"a-", b"-", b"a1-b", b"/"])
    def test_long_paths_cost_linear_time(self, text: bytes) -> None:
        assert_linear(ask, lambda n: b"/api/icons/" + text * (n // len(text)) + b"!", 50_000)


class TestFailures:
    def test_a_failed_check_yields_the_error_of_its_code(self) -> None:
        assert ask(b"/now", query=b"error") == Response(499, ERROR, b"GET invalid")

    def test_a_failed_effect_is_unavailable(self) -> None:
        assert ask(b"/now", query=b"effect") == Response(499, ERROR, b"GET service_unavailable")


class TestExample:
    def test_the_example_has_the_examples_of_the_parameters(self) -> None:
        limit = Parameter("limit", "A limit.", {}, example="2")
        sort = Parameter("sort", "An order.", {})
        listing = Endpoint("list", "", "", path="/{id}", keys=(ID,), parameters=(sort, limit))
        assert listing.example == "/a?limit=2"
        assert TWO.example == "/v1/b c/(x)/a"


class TestAnyPath:
    @given(st.text(max_size=8), st.binary(max_size=30))
    def test_every_request_has_a_response(self, method: str, path: bytes) -> None:
        response = ask(path, method)
        assert response.status in {200, 204, 499}
        assert path == b"/now" or path.startswith((b"/api/", b"/v1/")) or response.status == 499
