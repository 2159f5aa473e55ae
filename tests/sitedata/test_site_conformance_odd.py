"""The suite of site data on hosts that are odd or broken, in process."""

from collections.abc import Callable
from typing import Any

import pytest

from purewire.adapters.conformance import load_suite
from purewire.conformance.run import Outcome, SuiteReport
from support.purewire.asgi_layers import Layer, Request, Response, layered, respond
from support.purewire.derived_servers import after, before, edited_json
from support.purewire.suite_runs import Build, report_on
from support.purewire.suite_runs import ids as of_outcome
from support.sitedata.broken_servers import SERVERS, healthy

SUITE = load_suite("sitedata")
BROKEN = {server.fault: server for server in SERVERS}


def report_of(build: Build) -> SuiteReport:
    return report_on(SUITE, build)


def ids(report: SuiteReport, outcome: Outcome) -> set[str]:
    return {*of_outcome(report, outcome)}


def anything(_: Request) -> bool:
    return True


def host(*layers: Layer) -> Build:
    return lambda clock: layered(healthy(clock), *layers)


@pytest.mark.parametrize(
    "fault",
    [
        "the first half of the file",
        "no response to HEAD",
        "sourceRef, required: absent",
        "compressed twice",
        "each path 2 times",
        "rawUrl of the last file",
        "the title 'A'",
        "utf-16",
        "problems, type: None",
        "commitCount, type: None",
        "generatedAt, time.format: ''",
        "problems/0/title, required: absent",
        "contributions/2026-02-29, date.real: {'2026-02-29': 0}",
        "problems/0/submittedAt, time.format: '2026-01-31T12:00:60Z'",
        "the member commits",
    ],
)
def test_a_broken_server_is_noticed(fault: str) -> None:
    report = report_of(BROKEN[fault].build)
    failed = {result.rule for result in report.results if result.outcome is Outcome.FAILED}
    assert failed & {*BROKEN[fault].rules}


def test_a_host_without_tags_codings_and_errors_has_undecided_checks() -> None:
    def change(_: Request, response: Response) -> Response | None:
        if response.status == 404:
            return respond(200, b"<!doctype html>", content_type="text/html")
        if response.status == 405:
            response.status = 400
        response.drop("etag", "last-modified", "content-encoding")
        return None

    report = report_of(host(after(anything, change)))
    skipped = ids(report, Outcome.SKIPPED) | ids(report, Outcome.INCONCLUSIVE)
    assert {"cache.if-none-match", "cache.if-modified-since", "errors.body"} <= skipped
    assert {"time.one-version", "coding.conditional", "cache.unmodified-headers"} <= skipped
    assert not ids(report, Outcome.ERROR)


def uncoded(request: Request) -> Request:
    request.drop("accept-encoding")
    return request


PLAIN = before(anything, uncoded)
"""Of a host that does not compress."""


def test_a_host_that_does_not_compress_is_not_decided_there() -> None:
    report = report_of(host(PLAIN))
    assert {"coding.gzip", "coding.weights", "coding.conditional"} <= ids(report, Outcome.SKIPPED)
    assert not ids(report, Outcome.FAILED)


@pytest.mark.parametrize(
    ("change", "check"),
    [
        (lambda each: each.update(submittedAt="2036-01-31T12:00:00Z"), "file.built-after-commits"),
        (lambda each: each.update(githubUrl="https://a.example/1"), None),
    ],
)
def test_what_most_problems_do_not_show_is_not_decided(
    change: Callable[[dict[str, Any]], None], check: str | None
) -> None:
    """The first problem may have a commit of a wrong clock; a file of it alone shows no form."""

    def edit(value: Any) -> None:
        change(value["problems"][0])
        if check is None:
            value["problems"] = value["problems"][:1]

    report = report_of(host(edited_json(anything, edit)))
    undecided = ids(report, Outcome.INCONCLUSIVE) | ids(report, Outcome.SKIPPED)
    assert (check or "publishing.file-urls") in undecided
    assert not ids(report, Outcome.FAILED)


def test_values_that_other_checks_are_about_stop_no_check() -> None:
    def change(request: Request, response: Response) -> None:
        response.put("last-modified", "yesterday")
        if request.header("accept-encoding"):
            response.drop("etag")

    def edit(value: Any) -> None:
        value["problems"][0]["path"] = ""

    failed = {"cache.validator", "publishing.path-relative", "publishing.file-urls"}
    report = report_of(host(after(anything, change), edited_json(anything, edit)))
    assert failed <= ids(report, Outcome.FAILED)
    assert "cache.if-modified-since" in ids(report, Outcome.SKIPPED)
    report = report_of(host(after(anything, change)))
    assert not ids(report, Outcome.ERROR)


def test_a_file_without_problems_conforms() -> None:
    report = report_of(host(edited_json(anything, lambda value: value.update(problems=[]))))
    assert not ids(report, Outcome.FAILED)
    assert not ids(report, Outcome.ERROR)


def test_of_many_warnings_the_first_hide_others() -> None:
    def repeat(value: Any) -> None:
        value["problems"] = [value["problems"][0]] * 200

    report = report_of(host(edited_json(anything, repeat)))
    assert "publishing.path-unique" in ids(report, Outcome.FAILED)
    assert "publishing.contributions-sum" in ids(report, Outcome.INCONCLUSIVE)


def test_of_many_errors_the_first_hide_others() -> None:
    def empty(value: Any) -> None:
        value["problems"] = [{}] * 200

    report = report_of(host(edited_json(anything, empty)))
    assert "file.problems" in ids(report, Outcome.FAILED)
    assert {"file.ratings", "publishing.path-unique"} <= ids(report, Outcome.INCONCLUSIVE)


def test_a_body_that_is_not_in_its_coding_is_noticed() -> None:
    def change(request: Request, response: Response) -> None:
        if request.header("accept-encoding") == "gzip" and response.body:
            response.put("content-encoding", "gzip")

    assert "coding.gzip" in ids(report_of(host(after(anything, change), PLAIN)), Outcome.FAILED)
