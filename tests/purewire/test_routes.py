"""Invariant *paths compare exactly*."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purewire.http.routes import Match, MethodNotAllowed, PatternRoute, Route, RouteTable
from support.checks.costs import assert_linear

NOW = Route("GET, OPTIONS", "now")
UPDATE = Route("POST, OPTIONS", "update")
ICON = Route("GET, HEAD, OPTIONS", "icon")
LIST = Route("GET, HEAD, OPTIONS", "list")
TABLE = RouteTable(
    {b"/api/now": NOW, b"/api/update": UPDATE, b"/api/icons/all.png": LIST},
    [PatternRoute(re.compile(rb"/api/icons/(?P<id>[a-z0-9]+(?:-[a-z0-9]+)*)\.png"), ICON)],
)


class TestExactPaths:
    @pytest.mark.parametrize("method", ["GET", "OPTIONS"])
    def test_a_known_path_with_its_method_is_found(self, method: str) -> None:
        assert TABLE.resolve(method, b"/api/now") == Match(NOW, {})

    @pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "get", "", "GET, OPTIONS", "TRACE"])
    def test_a_known_path_without_the_method_says_which_it_has(self, method: str) -> None:
        answer = TABLE.resolve(method, b"/api/now")
        assert answer == MethodNotAllowed(NOW)
        assert isinstance(answer, MethodNotAllowed)
        assert answer.route.allow == "GET, OPTIONS"

    @pytest.mark.parametrize(
        "path",
        [
            b"",
            b"/",
            b"/api/now/",
            b"//api/now",
            b"/api//now",
            b"/API/now",
            b"/api/%6eow",
            b"/api/now\x00",
            b"/api/now\n",
            b"/api/now?",
            b"/api/now;a",
            b"/api/./now",
            b"api/now",
            b"/api/now%20",
        ],
    )
    def test_a_path_that_only_looks_alike_is_unknown(self, path: bytes) -> None:
        assert TABLE.resolve("GET", path) is None

    def test_an_exact_path_goes_before_a_pattern(self) -> None:
        assert TABLE.resolve("GET", b"/api/icons/all.png") == Match(LIST, {})

    def test_later_changes_of_the_mapping_do_not_reach_the_table(self) -> None:
        routes = {b"/a": NOW}
        table = RouteTable(routes)
        routes[b"/b"] = NOW
        assert table.resolve("GET", b"/b") is None


class TestPatterns:
    @pytest.mark.parametrize("icon", [b"a", b"0", b"a1-b2", b"visual-studio-code"])
    def test_a_path_of_the_form_is_found_with_its_parameter(self, icon: bytes) -> None:
        answer = TABLE.resolve("HEAD", b"/api/icons/" + icon + b".png")
        assert answer == Match(ICON, {"id": icon.decode()})

    @pytest.mark.parametrize(
        "icon",
        [b"", b"A", b"-a", b"a-", b"a--b", b"a_b", b"a.b", b"..", b"%61", b"a/b", b"\xc3\xa9"],
    )
    def test_a_path_without_the_form_is_unknown_for_every_method(self, icon: bytes) -> None:
        for method in ("GET", "POST", "OPTIONS"):
            assert TABLE.resolve(method, b"/api/icons/" + icon + b".png") is None

    @pytest.mark.parametrize("suffix", [b"", b".PNG", b".png\n", b".png/", b"xpng", b".png.png"])
    def test_the_whole_path_must_match(self, suffix: bytes) -> None:
        assert TABLE.resolve("GET", b"/api/icons/a" + suffix) is None

    def test_a_path_of_the_form_without_the_method_is_known(self) -> None:
        assert TABLE.resolve("POST", b"/api/icons/a.png") == MethodNotAllowed(ICON)

    @pytest.mark.parametrize("text", [b"a", b"a-", b"-", b"a1-b", b"/"])
    def test_long_paths_cost_linear_time(self, text: bytes) -> None:
        assert_linear(
            lambda path: TABLE.resolve("GET", path),
            lambda n: b"/api/icons/" + text * (n // len(text)) + b"!",
            50_000,
        )


class TestAnyPath:
    @given(st.text(max_size=8), st.binary(max_size=30))
    def test_gets_one_of_three_answers(self, method: str, path: bytes) -> None:
        assert TABLE.resolve(method, path) is None or path.startswith(b"/api/")
