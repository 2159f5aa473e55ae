"""The conformance suite of site data in process: on the reference service, and on odd hosts."""

from collections.abc import Callable
from typing import Any

import attrs
import pytest

from purewire.adapters.conformance import InAsgi, InWsgi, VirtualClock, load_suite
from purewire.conformance.checks import Action, Arguments, NoReply, Reply, Send
from purewire.conformance.run import ExitCode, Outcome, Perform, SuiteReport, run_suite, select
from sitedata.adapters import asgi, wsgi
from sitedata.adapters.commands.conformance import split_location
from sitedata.serving.service import PATH
from sitedata.testing.conformance import ServiceConformance
from support.purewire.asgi_layers import Layer, Request, Response, layered, respond
from support.purewire.derived_servers import after, edited_json
from support.purewire.suite_runs import Build, report_on
from support.purewire.suite_runs import ids as of_outcome
from support.sitedata.broken_servers import SERVERS, healthy
from support.sitedata.site_examples import SNAPSHOT

SUITE = load_suite("sitedata")

START = 1_790_000_000_000


def over_asgi() -> Perform:
    clock = VirtualClock(START)
    return InAsgi(clock, application=asgi.create_app(SNAPSHOT, clock=clock))


def over_wsgi() -> Perform:
    clock = VirtualClock(START)
    return InWsgi(clock, application=wsgi.create_app(SNAPSHOT, clock=clock))


def report_of(perform: Perform, path: str = PATH) -> SuiteReport:
    suite = load_suite("sitedata", path=path)
    return run_suite(suite, suite.checks, perform, Arguments(), url="http://test")


class StaticHost:
    """A host of one file, without conditions and errors of its own."""

    def __init__(self, path: str, status: int = 200, **headers: str) -> None:
        self.path = path
        self.status = status
        self.headers = tuple(headers.items())

    def __call__(self, effect: object) -> object:
        if not isinstance(effect, Send):
            return START
        if effect.path.partition("?")[0] != self.path:
            raise NoReply("closed")
        lines = (("Content-Type", "application/json"), *self.headers)
        return Reply(self.status, lines, b"{}", START, START)


class TestHealthyService:
    """`TestTestClass` tests the ASGI application."""

    def test_every_check_passes_and_none_is_skipped(self) -> None:
        report = report_of(over_wsgi())
        others = [
            (result.check.id, result.reason, result.expected, result.actual)
            for result in report.results
            if result.outcome is not Outcome.PASSED
        ]
        assert not others
        assert report.exit_code(strict=True) == ExitCode.CONFORMS

        sent = [
            round_trip.request for result in report.results for round_trip in result.round_trips
        ]
        assert not [request for request in sent if request.body or request.authorized]


class TestSuite:
    @pytest.mark.parametrize("status", [203, 301, 404, 503])
    def test_a_response_that_is_not_the_file_fails_its_rule(self, status: int) -> None:
        report = report_of(StaticHost(PATH, status))
        assert report.exit_code() == ExitCode.FAILS
        failed = [each for each in report.results if each.outcome is Outcome.FAILED]
        assert [(each.check.rules, each.actual) for each in failed] == [
            (("SD-HTTP-01",), f"status {status}")
        ]
        others = {each.reason for each in report.results if each not in failed}
        assert others == {f"GET {PATH} has status {status}: see the check file.status"}

    def test_other_bytes_of_the_same_value_are_another_file(self) -> None:
        perform = over_asgi()

        def with_a_blank_for_a_query(effect: Action) -> object:
            reply = perform(effect)
            if isinstance(reply, Reply) and isinstance(effect, Send) and "?" in effect.path:
                return attrs.evolve(reply, body=reply.body + b"\n")
            return reply

        [result] = [
            each
            for each in report_of(with_a_blank_for_a_query).results
            if each.check.id == "http.query"
        ]
        assert result.expected == "the same bytes"
        assert result.actual.startswith("other bytes of the same value")

    def test_a_redirect_names_the_url_to_test(self) -> None:
        report = report_of(StaticHost(PATH, 301, Location="https://a.example/"))
        assert report.results[0].actual.endswith("leads to https://a.example/: test that URL")

    def test_a_file_at_another_path_has_no_checks_of_other_paths(self) -> None:
        report = report_of(StaticHost("/other.json"), "/other.json")
        reasons = {result.check.id: result.reason for result in report.results}
        assert reasons["http.paths"].startswith("the file is not at /data/site-data.json")
        assert report.count(Outcome.ERROR) == 0
        assert report.exit_code() == ExitCode.FAILS


class TestCommand:
    @pytest.mark.parametrize(
        ("url", "base", "path"),
        [
            ("https://a.example", "https://a.example", PATH),
            ("https://a.example/me/", "https://a.example/me/", PATH),
            ("https://a.example/data/site-data.json", "https://a.example", PATH),
            ("https://a.example/me/data/site-data.json", "https://a.example/me", PATH),
            ("https://a.example/me/other.json", "https://a.example/me", "/other.json"),
            ("http://[::1]:8000/x.json", "http://[::1]:8000", "/x.json"),
        ],
    )
    def test_a_url_is_that_of_the_site_or_of_the_file(self, url: str, base: str, path: str) -> None:
        assert split_location(url) == (base, path)


class TestValidators:
    """A host may have one of the two validators."""

    @pytest.mark.parametrize("lost", ["etag", "last-modified"])
    def test_one_is_enough(self, lost: str) -> None:
        healthy = over_asgi()

        def perform(effect: Action) -> object:
            reply = healthy(effect)
            if not isinstance(reply, Reply):
                return reply
            lines = tuple(line for line in reply.headers if line[0].lower() != lost)
            return attrs.evolve(reply, headers=lines)

        checks = select(SUITE.checks, ["cache.validator"])
        report = run_suite(SUITE, checks, perform, Arguments(), url="http://test")
        assert [result.outcome for result in report.results] == [Outcome.PASSED]


class TestTestClass(ServiceConformance):
    """The class to inherit makes a test of each check."""

    def make_app(self, clock: VirtualClock) -> object:
        return asgi.create_app(SNAPSHOT, clock=clock)


BROKEN = {server.fault: server for server in SERVERS}


def run_of(build: Build) -> SuiteReport:
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
        "each path 2 times",
        "rawUrl of the last file",
        "the title 'A'",
        "utf-16",
        "problems, type: None",
        "commitCount, type: None",
        "generatedAt, time.format: ''",
        "problems/0/title, required: absent",
        "contributions/2026-02-29, date.real: {'2026-02-29': 0}",
        "problems/0/submittedAt, time.format: '2016-12-31T23:59:60Z'",
        "the member commits",
    ],
)
def test_a_broken_server_is_noticed(fault: str) -> None:
    report = report_on(SUITE, BROKEN[fault].build, BROKEN[fault].rules)
    failed = {result.rule for result in report.results if result.outcome is Outcome.FAILED}
    assert failed & {*BROKEN[fault].rules}


def test_a_host_without_tags_and_errors_has_undecided_checks() -> None:
    def change(_: Request, response: Response) -> Response | None:
        if response.status == 404:
            return respond(200, b"<!doctype html>", content_type="text/html")
        if response.status == 405:
            response.status = 400
        response.drop("etag", "last-modified")
        return None

    report = run_of(host(after(anything, change)))
    skipped = ids(report, Outcome.SKIPPED) | ids(report, Outcome.INCONCLUSIVE)
    assert {"cache.if-none-match", "cache.if-modified-since", "errors.body"} <= skipped
    assert {"time.one-version", "cache.unmodified-headers"} <= skipped
    assert not ids(report, Outcome.ERROR)


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

    report = run_of(host(edited_json(anything, edit)))
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
    report = run_of(host(after(anything, change), edited_json(anything, edit)))
    assert failed <= ids(report, Outcome.FAILED)
    assert "cache.if-modified-since" in ids(report, Outcome.SKIPPED)
    report = run_of(host(after(anything, change)))
    assert not ids(report, Outcome.ERROR)


def test_a_file_without_problems_conforms() -> None:
    report = run_of(host(edited_json(anything, lambda value: value.update(problems=[]))))
    assert not ids(report, Outcome.FAILED)
    assert not ids(report, Outcome.ERROR)


def test_of_many_warnings_the_first_hide_others() -> None:
    def repeat(value: Any) -> None:
        value["problems"] = [value["problems"][0]] * 200

    report = run_of(host(edited_json(anything, repeat)))
    assert "publishing.path-unique" in ids(report, Outcome.FAILED)
    assert "publishing.contributions-sum" in ids(report, Outcome.INCONCLUSIVE)


def test_of_many_errors_the_first_hide_others() -> None:
    def empty(value: Any) -> None:
        value["problems"] = [{}] * 200

    report = run_of(host(edited_json(anything, empty)))
    assert "file.problems" in ids(report, Outcome.FAILED)
    assert {"file.ratings", "publishing.path-unique"} <= ids(report, Outcome.INCONCLUSIVE)
