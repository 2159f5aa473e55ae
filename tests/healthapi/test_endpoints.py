"""The table of endpoints, their keys, and parameters of queries, which any bytes yield."""

import sys
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from healthapi import endpoints, limits
from healthapi.endpoints import ENDPOINTS, KEYS, ROOT, HealthEndpoint, Query
from healthapi.envelope import Links
from healthapi.errors import ErrorCode
from healthapi.keys import METRICS
from status_contracts.endpoints import RequestError


def endpoint(resource: str) -> HealthEndpoint:
    return next(each for each in ENDPOINTS if each.name == resource)


class TestKeys:
    ODD = ("", "a" * 129, ".", "a b", "a\n", "ä", "a/b", "a\0")

    @pytest.mark.parametrize(
        ("name", "text", "parsed"),
        [
            *(("metric_key", "steps", "steps"), ("metric_key", "Steps", None)),
            *(("dataset", " Daily\n", "daily"), ("granularity", "DAILY ", "daily")),
            *(("chart", "\tSleep-Trend", "sleep-trend"), ("dataset", "dailyx", None)),
            *(("profile_id", text, text) for text in ("a" * 128, "A_-9", "__class__")),
            *(("profile_id", text, None) for text in ODD),
            *(("endpoint_key", text, text) for text in ("a b", "ä", "..", " ")),
            *(("endpoint_key", text, None) for text in ("", "a/b", "a\0b")),
        ],
    )
    def test_a_key_has_a_form(self, name: str, text: str, parsed: str | None) -> None:
        assert KEYS[name].parse(text) == parsed


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
            "series", limit=1000, metrics=("steps", "steps"), width=960, height=320, theme="light"
        )

    def test_defaults_are_those_of_the_bounds(self) -> None:
        assert endpoint("dataset").parse_query("daily", b"") == Query("daily", 0, 200)
        assert endpoint("table").parse_query("sleep", b"x=1") == Query("sleep", 0, 100)
        assert endpoint("series").parse_query("daily", b"") == Query("daily")
        assert endpoint("overview").parse_query("", b"limit=3") == Query()


class TestLinks:
    def test_each_has_a_path_of_the_table(self) -> None:
        """Invariant *links resolve*."""
        for url in Links.at("", "").of("anna").values():
            assert any(each.pattern.fullmatch(url.encode()) for each in ENDPOINTS)

    @pytest.mark.parametrize("each", ENDPOINTS, ids=lambda each: each.name)
    def test_a_relative_link_resolves_against_the_url_of_any_endpoint(
        self, each: HealthEndpoint
    ) -> None:
        url = f"http://h/x{ROOT}{each.path}"
        assert urljoin(url, Links.at(each.path).to("/docs")) == f"http://h/x{ROOT}/docs"


OFFSET = limits.OFFSET


class TestFirstValues:
    @given(st.binary(max_size=60))
    def test_any_bytes_are_read(self, raw: bytes) -> None:
        """Invariant *every query is valid*."""
        for value in endpoints.first_values(raw).values():
            value.encode()


class TestParseInteger:
    def test_the_smallest_limit_of_an_interpreter_is_kept(self) -> None:
        before = sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(640)
        try:
            assert endpoints.parse_integer("9" * 640, OFFSET) == 100_000
        finally:
            sys.set_int_max_str_digits(before)

    @given(st.text(max_size=12))
    def test_any_text_is_parsed_as_python_does(self, text: str) -> None:
        try:
            expected = max(0, min(int(text.strip()), 100_000))
        except ValueError:
            expected = 0
        assert endpoints.parse_integer(text, OFFSET) == expected


class TestReadMetrics:
    @given(st.text(max_size=20))
    def test_results_are_known_keys(self, text: str) -> None:
        """Invariant *canonical*."""
        assert set(endpoints.parse_metrics(text)) <= METRICS.keys()


class TestReadGranularity:
    @pytest.mark.parametrize(
        ("text", "granularity"), [(" WEEKLY ", "weekly"), (None, None), (" ", None)]
    )
    def test_a_blank_is_none(self, text: str | None, granularity: str | None) -> None:
        assert endpoints.parse_granularity(text) == granularity

    def test_an_unknown_one_raises(self) -> None:
        with pytest.raises(RequestError, match="chart_not_found"):
            endpoints.parse_granularity("hourly")
