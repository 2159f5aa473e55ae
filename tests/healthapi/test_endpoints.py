"""The table of endpoints: patterns of paths and keys, and parsed queries."""

from urllib.parse import urljoin

import pytest

from healthapi.errors import ErrorCode
from healthapi.http.endpoints import ENDPOINTS, KEYS, ROOT, Endpoint, Query
from healthapi.http.envelope import Links


def endpoint(resource: str) -> Endpoint:
    return next(each for each in ENDPOINTS if each.name == resource)


class TestKeys:
    def test_one_of_a_list_is_found_by_its_name(self) -> None:
        assert KEYS["metric_key"].parse("steps") == "steps"
        assert KEYS["metric_key"].parse("Steps") is None

    @pytest.mark.parametrize(
        ("name", "text"),
        [("dataset", " Daily\n"), ("granularity", "DAILY "), ("chart", "\tSleep-Trend")],
    )
    def test_one_that_folds_is_found_in_any_case(self, name: str, text: str) -> None:
        assert KEYS[name].parse(text) == text.strip().lower()
        assert KEYS[name].parse("dailyx") is None

    @pytest.mark.parametrize("text", ["a" * 128, "A_-9", "__class__"])
    def test_a_profile_id_has_a_form(self, text: str) -> None:
        assert KEYS["profile_id"].parse(text) == text

    @pytest.mark.parametrize("text", ["", "a" * 129, ".", "a b", "a\n", "ä", "a/b", "a\0"])
    def test_anything_else_is_no_profile_id(self, text: str) -> None:
        assert KEYS["profile_id"].parse(text) is None

    @pytest.mark.parametrize("text", ["a b", "ä", "..", " "])
    def test_an_endpoint_key_is_nearly_any_text(self, text: str) -> None:
        assert KEYS["endpoint_key"].parse(text) == text

    @pytest.mark.parametrize("text", ["", "a/b", "a\0b"])
    def test_but_no_path_and_nothing_with_a_nul(self, text: str) -> None:
        assert KEYS["endpoint_key"].parse(text) is None


class TestEndpoints:
    def test_a_path_has_at_most_one_key_besides_the_profile(self) -> None:
        """Invariant *one variable part*."""
        for each in ENDPOINTS:
            others = [key for key in each.keys if key.name != "profile_id"]
            assert others == ([] if each.key is None else [each.key])
            assert each.of_profile == ("{profile_id}" in each.path)

    def test_a_key_is_one_segment(self) -> None:
        pattern = endpoint("dataset").pattern
        root = f"{ROOT}/profiles".encode()
        found = pattern.fullmatch(root + b"/a/datasets/%2f")
        assert found is not None
        assert found.groupdict() == {"profile_id": b"a", "dataset": b"%2f"}
        assert pattern.fullmatch(root + b"/a/datasets/") is None
        assert pattern.fullmatch(root + b"/a/datasets/b/") is None
        assert pattern.fullmatch(root + b"/a/Datasets/b") is None

    @pytest.mark.parametrize(
        ("resource", "codes"),
        [
            ("docs", ()),
            ("index", ("service_unavailable",)),
            ("overview", ("profile_not_found", "service_unavailable")),
            ("metric", ("profile_not_found", "service_unavailable", "metric_not_found")),
            ("chart", ("profile_not_found", "service_unavailable", "chart_not_found")),
        ],
    )
    def test_errors_are_in_the_order_of_the_checks(
        self, resource: str, codes: tuple[ErrorCode, ...]
    ) -> None:
        assert endpoint(resource).error_codes == codes

    def test_a_query_is_parsed_once(self) -> None:
        query = endpoint("chart").parse_query(
            "series", b"limit=9999&metrics=steps,steps,x&theme=dark"
        )
        assert query == Query(
            "series", limit=1000, metrics=("steps",), width=960, height=320, theme="light"
        )

    def test_defaults_are_those_of_the_bounds(self) -> None:
        assert endpoint("dataset").parse_query("daily", b"") == Query("daily", 0, 200)
        assert endpoint("table").parse_query("sleep", b"x=1") == Query("sleep", 0, 100)
        assert endpoint("series").parse_query("daily", b"") == Query("daily")
        assert endpoint("overview").parse_query("", b"limit=3") == Query()

    def test_an_unknown_granularity_raises(self) -> None:
        with pytest.raises(KeyError):
            endpoint("chart").parse_query("series", b"granularity=hourly")


class TestLinks:
    def test_each_has_a_path_of_the_table(self) -> None:
        """Invariant *links resolve*."""
        for url in Links.from_base("").of("anna").values():
            assert any(each.pattern.fullmatch(url.encode()) for each in ENDPOINTS)

    @pytest.mark.parametrize("each", ENDPOINTS, ids=lambda each: each.name)
    def test_a_relative_link_resolves_against_the_url_of_any_endpoint(self, each: Endpoint) -> None:
        url = f"http://h/x{ROOT}{each.path}"
        assert urljoin(url, Links.relative_to(each.path).to("/docs")) == f"http://h/x{ROOT}/docs"

    def test_every_byte_of_a_key_is_encoded(self) -> None:
        url = Links.from_base("https://h").endpoint("anna", "a b%ü?#")
        assert url == f"https://h{ROOT}/profiles/anna/snapshot/endpoints/a%20b%25%C3%BC%3F%23"
