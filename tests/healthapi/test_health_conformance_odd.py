"""The suite of health data on servers that are odd, gated or broken, in process."""

import json
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from healthapi import PrivacySettings, load
from healthapi.adapters import asgi
from purewire.adapters.conformance import load_suite
from purewire.conformance.run import Outcome, SuiteReport
from support.healthapi.broken_servers import BROKEN, anything, below, ends, error, healthy, put_body
from support.healthapi.health_client import GENERATED_AT, ProfileSource, anna, csv_files, empty
from support.healthapi.health_snapshots import snapshot_value
from support.purewire.asgi_layers import Request, Response, layered
from support.purewire.derived_servers import Change, Matches, after, dropping, edited_json
from support.purewire.suite_runs import START, Build, ids, report_on

SUITE = load_suite("healthapi")


def report_of(build: Build, *names: str) -> SuiteReport:
    """Run the checks of some groups, ids or rules; all without a name."""
    return report_on(SUITE, build, names)


def changed(change: Change, matches: Matches = anything) -> Build:
    return lambda clock: layered(healthy(clock), after(matches, change))


def edited(matches: Matches, edit: Callable[[Any], object]) -> Build:
    return lambda clock: layered(healthy(clock), edited_json(matches, edit))


@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("a chart that is not well-formed", "charts.series"),
        ("a chart with a script", "charts.series"),
        ("a chart with a style sheet", "charts.series"),
        ("a chart with a font from elsewhere", "charts.series"),
        ("compressed without Vary, with the same ETag", "cache.coding"),
        ("generated_at is the time of the request", "cache.same-bytes"),
        ("a description without all paths", "documents.openapi"),
        ("a token in the text of a table", "secrets.tables-by-shape"),
        ("links to an internal address", "links.below-the-base"),
    ],
)
def test_a_broken_server_is_noticed(name: str, check: str) -> None:
    assert ids(report_of(BROKEN[name].build, check), Outcome.FAILED) == [check]


def test_a_chart_without_metadata_is_noticed() -> None:
    build = changed(dropping("x-chart-metadata"))
    assert ids(report_of(build, "charts.metadata"), Outcome.FAILED)


def test_a_description_without_schemas_is_not_decided() -> None:
    def change(_: Request, response: Response) -> None:
        put_body(response, response.body.replace(b'"schema":', b'"scheme":'))

    build = changed(change, ends("/openapi.json"))
    assert ids(report_of(build, "documents.openapi-describes-answers"), Outcome.INCONCLUSIVE)


@pytest.mark.parametrize("attribute", [b'onload="1"', b'href="https://cdn.example/x"'])
def test_an_event_handler_and_a_link_in_a_chart_are_noticed(attribute: bytes) -> None:
    def change(_: Request, response: Response) -> None:
        put_body(response, response.body.replace(b'role="img"', b'role="img" ' + attribute))

    assert "charts.series" in ids(report_of(changed(change), "charts.series"), Outcome.FAILED)


def test_documents_that_are_not_utf_8_are_noticed() -> None:
    def change(_: Request, response: Response) -> None:
        response.body += b"\xff"

    build = changed(change, ends("/docs.md"))
    assert "documents.markdown" in ids(report_of(build, "HA-HTTP-04"), Outcome.FAILED)


def test_what_a_gateway_refuses_is_not_decided() -> None:
    def is_odd(request: Request) -> bool:
        return "%" in request.path + request.query or "[]" in request.query

    build = changed(lambda _, __: error(400, "<h1>400</h1>"), is_odd)
    report = report_of(build, "HA-KEY-01", "HA-KEY-06", "HA-QUERY-01", "HA-ERROR-04")
    assert {"errors.metric", "query.never-an-error", "traversal.profiles"} <= {
        *ids(report, Outcome.INCONCLUSIVE)
    }


def test_a_host_that_is_not_known_is_no_failure() -> None:
    def is_other(request: Request) -> bool:
        return request.header("host") == "other.example"

    build = changed(lambda _, __: error(421, "Misdirected Request"), is_other)
    assert ids(report_of(build, "cache.independent"), Outcome.PASSED)


def test_data_that_change_once_are_not_decided() -> None:
    seen: list[str] = []

    def change(request: Request, response: Response) -> None:
        seen.append(request.path)
        if len(seen) > 1:
            response.body = response.body.replace(b"T12:00:00", b"T12:00:05")

    report = report_of(changed(change, ends("/dashboard")), "cache.same-bytes")
    assert report.results[0].reason.endswith("/dashboard changed meanwhile")


def test_where_every_profile_fails_checks_of_values_are_not_decided() -> None:
    build = changed(lambda _, __: error(500, "Internal Server Error"), below("/profiles/"))
    report = report_of(build)
    assert not ids(report, Outcome.ERROR)
    assert "shape.overview" in ids(report, Outcome.FAILED)
    assert {"metrics.content", "secrets.account-by-name", "secrets.token-block"} <= {
        *ids(report, Outcome.INCONCLUSIVE)
    }


def test_a_service_without_links_is_not_decided() -> None:
    def edit(value: Any) -> None:
        value.clear()
        value["api_version"] = "v1"

    report = report_of(edited(anything, edit), "links")
    assert ids(report, Outcome.INCONCLUSIVE) == ["links.below-the-base", "links.answer"]


def test_a_malformed_description_is_not_decided() -> None:
    def edit(value: Any) -> None:
        for item in value["paths"].values():
            for media in item["get"]["responses"]["200"]["content"].values():
                media["schema"] = {"type": "text"}

    build = edited(ends("/openapi.json"), edit)
    (result,) = report_of(build, "documents.openapi-describes-answers").results
    assert "cannot be compared: UnknownType" in result.reason


def test_a_profile_that_is_still_read_is_waited_for() -> None:
    source = ProfileSource(anna(), empty(), failures=3)
    report = report_of(lambda clock: asgi.create_app(source, clock=clock), "overview")
    assert not ids(report, Outcome.FAILED) + ids(report, Outcome.SKIPPED)
    assert report.finished_at - START >= 1000


def test_of_many_profiles_some_are_read() -> None:
    many = [load(f"p{number:02}", {}, generated_at=GENERATED_AT) for number in range(22)]
    report = report_of(
        lambda clock: asgi.create_app(ProfileSource(*many), clock=clock), "profiles.dates"
    )
    assert ids(report, Outcome.PASSED)
    assert len(report.results[0].round_trips) == 21


def test_a_published_name_is_left_to_the_owner() -> None:
    files = csv_files() | {
        "cache/fitbit_profile_snapshot.json": json.dumps(snapshot_value()).encode()
    }
    disclosed = PrivacySettings(**{each.name: True for each in attrs.fields(PrivacySettings)})
    profile = load("anna", files, generated_at=GENERATED_AT, disclosure=disclosed)
    report = report_of(
        lambda clock: asgi.create_app(ProfileSource(profile), clock=clock), "secrets.identity"
    )
    assert "only the owner knows if it may" in report.results[0].reason
