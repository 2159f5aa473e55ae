"""The suite of site data on hosts that are odd or broken, in process."""

from typing import Any

import attrs
import pytest

from purewire.adapters.conformance.in_process import InAsgi, VirtualClock
from purewire.adapters.conformance.suites import load_suite
from purewire.conformance.checks import Arguments
from purewire.conformance.run import Outcome, Report, run_suite
from support.purewire.middleware import Asgi, Request, Response, after, before, edit_json
from support.sitedata.broken_servers import BROKEN, healthy, without

SUITE = load_suite("sitedata")

START = 1_790_000_000_000


def report_of(application: Asgi, clock: VirtualClock | None = None) -> Report:
    perform = InAsgi(clock or VirtualClock(START), application=application)
    return run_suite(SUITE, SUITE.checks, perform, Arguments(), url="http://test")


def ids(report: Report, outcome: Outcome) -> set[str]:
    return {result.check.id for result in report.results if result.outcome is outcome}


@pytest.mark.parametrize(
    "name",
    ["a file cut off", "no response to HEAD", "no sourceRef", "compressed twice", "a path twice"],
)
def test_a_broken_server_is_noticed(name: str) -> None:
    clock = VirtualClock(START)
    report = report_of(BROKEN[name].build(clock), clock)
    cited = {
        rule
        for result in report.results
        if result.outcome is Outcome.FAILED
        for rule in result.check.rules
    }
    assert cited & {*BROKEN[name].rules}


def test_a_host_without_tags_codings_and_errors_has_undecided_checks() -> None:
    def change(request: Request, response: Response) -> Response:
        if response.status == 404:
            return Response(200, (("content-type", "text/html"),), b"<!doctype html>")
        if response.status == 405:
            return attrs.evolve(response, status=400)
        return response.with_headers(etag=None, last_modified=None, content_encoding=None)

    report = report_of(after(healthy(VirtualClock(START)), change))
    skipped = ids(report, Outcome.SKIPPED) | ids(report, Outcome.INCONCLUSIVE)
    assert {"cache.if-none-match", "cache.if-modified-since", "errors.body"} <= skipped
    assert {"time.one-version", "coding.conditional"} <= skipped
    assert not ids(report, Outcome.ERROR)


def plain_host() -> Asgi:
    """Return a host that does not compress."""
    return before(healthy(VirtualClock(START)), lambda request: without(request, "accept-encoding"))


def test_a_host_that_does_not_compress_is_not_decided_there() -> None:
    report = report_of(plain_host())
    assert {"coding.gzip", "coding.conditional"} <= ids(report, Outcome.SKIPPED)
    assert not ids(report, Outcome.FAILED)


def test_of_many_warnings_the_first_hide_others() -> None:
    def repeat(value: Any) -> None:
        value["problems"] = [value["problems"][0]] * 200

    report = report_of(edit_json(plain_host(), lambda _: True, repeat))
    assert "publishing.path-unique" in ids(report, Outcome.FAILED)
    assert "publishing.contributions-sum" in ids(report, Outcome.INCONCLUSIVE)


def test_of_many_errors_the_first_hide_others() -> None:
    def empty(value: Any) -> None:
        value["problems"] = [{}] * 200

    report = report_of(edit_json(plain_host(), lambda _: True, empty))
    assert "file.problems" in ids(report, Outcome.FAILED)
    assert {"file.ratings", "publishing.path-unique"} <= ids(report, Outcome.INCONCLUSIVE)


def test_a_body_that_is_not_in_its_coding_is_noticed() -> None:
    def change(request: Request, response: Response) -> Response:
        is_coded = request.header("accept-encoding") == "gzip" and response.body
        return response.with_headers(content_encoding="gzip") if is_coded else response

    assert "coding.gzip" in ids(report_of(after(plain_host(), change)), Outcome.FAILED)
