"""Values of the contract as they are written there; other tests compare with constants."""

import json

import pytest

from healthapi.account.snapshot import REQUESTED_SCOPES
from healthapi.charts.layout import build_layout, style_of
from support.healthapi.health_world import HealthWorld, header

ROOT = "/api/public/v1"
ANNA = f"{ROOT}/profiles/anna"

CONTENT_TYPES = {
    ROOT: "application/json; charset=utf-8",
    f"{ROOT}/docs": "text/html; charset=utf-8",
    f"{ROOT}/docs.md": "text/markdown; charset=utf-8",
    f"{ROOT}/openapi.json": "application/json; charset=utf-8",
    f"{ROOT}/profiles": "application/json; charset=utf-8",
    f"{ANNA}/series/weekly": "application/json; charset=utf-8",
    f"{ANNA}/charts/series.svg": "image/svg+xml; charset=utf-8",
    f"{ROOT}/profiles/none": "application/json; charset=utf-8",
    "/none": "application/json; charset=utf-8",
}
"""Path to its content type."""


class TestHeaders:
    @pytest.mark.parametrize("path", CONTENT_TYPES)
    def test_content_types(self, path: str) -> None:
        response = HealthWorld().send("GET", path)
        assert header(response, "Content-Type") == CONTENT_TYPES[path]

    @pytest.mark.parametrize("path", CONTENT_TYPES)
    @pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "POST"])
    def test_scripts_of_any_origin_may_read(self, path: str, method: str) -> None:
        response = HealthWorld().send(method, path)
        assert header(response, "Access-Control-Allow-Origin") == "*"
        assert header(response, "Access-Control-Allow-Credentials") is None

    @pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "BREW", "get"])
    def test_errors_are_json_on_every_path(self, method: str) -> None:
        world = HealthWorld()
        for path in ("/", "/none", f"{ROOT}/", f"{ROOT}/profiles/none", f"{ANNA}/tables/none"):
            response = world.send(method, path)
            body = json.loads(response.body)
            assert response.status in {404, 405}
            assert list(body) == ["api_version", "error"]
            assert list(body["error"]) == ["code", "message"]

    def test_an_image_may_load_and_run_nothing(self) -> None:
        response = HealthWorld().send("GET", f"{ANNA}/charts/sleep-trend.svg")
        policy = "default-src 'none'; style-src 'none'; sandbox"
        assert header(response, "Content-Security-Policy") == policy


class TestScopes:
    def test_ten_are_requested_by_default(self) -> None:
        assert REQUESTED_SCOPES == (
            "activity",
            "heartrate",
            "nutrition",
            "oxygen_saturation",
            "profile",
            "respiratory_rate",
            "settings",
            "sleep",
            "temperature",
            "weight",
        )


class TestChartLayout:
    def test_the_plot_of_the_default_size(self) -> None:
        layout = build_layout(960, 320, 2)
        assert (layout.left, layout.right, layout.bottom) == (28, 960 - 24, 320 - 34)

    def test_the_legend_of_the_default_size_has_rows_18_px_apart(self) -> None:
        assert style_of(960, 320).row == 18
