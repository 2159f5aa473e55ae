"""The framework of conformance checks, with a suite and a deployment made for these tests."""

import json
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from purewire.conformance.checks import (
    Arguments,
    Check,
    CheckFailed,
    Finish,
    NoReply,
    NotTestable,
    ReadClock,
    Reply,
    Send,
    Steps,
    Suite,
    TokenForm,
    Unchecked,
    Wait,
    expect,
    expect_equal,
    shorten,
)
from purewire.conformance.reports import (
    badge_report,
    curl_line,
    html_report,
    json_report,
    junit_report,
    lines_of,
    summary,
)
from purewire.conformance.run import (
    ExitCode,
    Outcome,
    Report,
    Verdict,
    run_check,
    run_suite,
    select,
)
from purewire.svg.palette import GREEN, GREY, RED

RULES = {
    "XX-A-01": ("must", "The first rule."),
    "XX-A-02": ("must", "The second rule."),
    "XX-B-01": ("should", "A recommendation."),
    "XX-C-01": ("must", "No check cites this one."),
}


EVERYTHING = Arguments(has_token=True, write=True, slow=True)


class Deployment:
    """Performs effects: a reply for each path, and a clock that waiting advances."""

    def __init__(self, replies: dict[str, Reply | str]) -> None:
        self.replies = replies
        self.now = 1_000_000
        self.sent: list[Send] = []

    def __call__(self, effect: object) -> object:
        if isinstance(effect, Wait):
            self.now += effect.milliseconds
        if not isinstance(effect, Send):
            return self.now if isinstance(effect, ReadClock) else None
        self.sent.append(effect)
        reply = self.replies[effect.path]
        if isinstance(reply, str):
            raise NoReply(reply)
        return reply


def reply(status: int = 200, body: bytes = b"{}", **headers: str) -> Reply:
    lines = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Reply(status, lines, body)


def learn(_: Arguments) -> Steps:
    yield Send("GET", "/hello")


def make_suite(finish: Callable[[None], Finish] | None = None) -> Suite[None]:
    suite: Suite[None] = Suite("example", learn, finish)

    @suite.check("a.status", "XX-A-01")
    def status(_: None) -> Steps:
        """`/a` has status 200."""
        answer: Reply = yield Send("GET", "/a")
        expect_equal("status", answer.status, 200)

    @suite.check("a.waits", "XX-A-02", slow=True)
    def waits(_: None) -> Steps:
        """Nothing changes in a minute."""
        yield Wait(60_000)
        yield Send("GET", "/a")

    @suite.check("b.writes", "XX-B-01", "XX-A-02", writes=True)
    def writes(_: None) -> Steps:
        """A write is accepted."""
        answer: Reply = yield Send("POST", "/b", (("X-Empty", ""),), b'{"it\'s": 1}', True)
        expect(answer.status == 204, "status 204", answer.status)

    return suite


def run(
    replies: dict[str, Reply | str],
    arguments: Arguments = EVERYTHING,
    suite: Suite[None] | None = None,
) -> Report:
    suite = make_suite() if suite is None else suite
    suite.rules = RULES
    perform = Deployment({"/hello": reply(), **replies})
    return run_suite(suite, suite.checks, perform, arguments, url="https://x.example/")


HEALTHY: dict[str, Reply | str] = {"/a": reply(), "/b": reply(204, b"")}


class TestOutcomes:
    def test_a_check_that_returns_has_passed(self) -> None:
        report = run(HEALTHY)
        assert [result.outcome for result in report.results] == [Outcome.PASSED] * 3
        assert report.exit_code(strict=True) == ExitCode.CONFORMS
        assert report.finished_at - report.started_at == 60_000

    def test_a_broken_rule_fails_with_what_was_expected_and_what_came(self) -> None:
        report = run(HEALTHY | {"/a": reply(500)})
        failed = report.results[0]
        assert (failed.outcome, failed.expected, failed.actual) == (
            Outcome.FAILED,
            "status 200",
            "status 500",
        )
        assert report.exit_code() == ExitCode.FAILS

    def test_no_response_is_an_error_and_not_a_failure(self) -> None:
        report = run(HEALTHY | {"/a": "the connection was closed"})
        assert report.results[0].outcome is Outcome.ERROR
        assert report.results[0].reason == "no response: the connection was closed"
        assert report.results[0].round_trips[0].reply is None

    def test_only_errors_mean_that_nothing_was_tested(self) -> None:
        suite = make_suite()
        suite.checks = suite.checks[:1]
        report = run({"/a": "closed"}, suite=suite)
        assert report.exit_code() == ExitCode.NOT_TESTED

    @pytest.mark.parametrize(
        ("inconclusive", "outcome"), [(True, Outcome.INCONCLUSIVE), (False, Outcome.SKIPPED)]
    )
    def test_a_check_may_not_decide(self, inconclusive: bool, outcome: Outcome) -> None:
        def steps(_: None) -> Steps:
            yield ReadClock()
            raise Unchecked("no data", inconclusive=inconclusive)

        result = run_check(Check("a.b", "t", (), steps), None, Deployment({}))
        assert (result.outcome, result.reason) == (outcome, "no data")

    @pytest.mark.parametrize(
        ("arguments", "reasons"),
        [
            (
                Arguments(),
                [
                    "",
                    "it waits for deadlines: give --slow",
                    "it replaces the present record: give --write",
                ],
            ),
            (Arguments(write=True, slow=True), ["", "", "it needs the token"]),
        ],
    )
    def test_what_is_not_asked_for_is_skipped_with_a_reason(
        self, arguments: Arguments, reasons: list[str]
    ) -> None:
        assert [result.reason for result in run(HEALTHY, arguments).results] == reasons

    def test_a_must_that_was_not_verified_fails_a_strict_run_only(self) -> None:
        report = run(HEALTHY, Arguments())
        assert report.musts() == (1, 2)
        assert report.exit_code() == ExitCode.CONFORMS
        assert report.exit_code(strict=True) == ExitCode.UNVERIFIED

    def test_a_rule_is_not_verified_if_a_check_of_it_was_not_decided(self) -> None:
        verdicts = {rule.id: rule.verdict for rule in run(HEALTHY | {"/b": "closed"}).rules}
        assert verdicts["XX-A-02"] is Verdict.UNVERIFIED

    def test_a_rule_is_verified_only_if_no_check_of_it_failed(self) -> None:
        verdicts = {rule.id: rule.verdict for rule in run(HEALTHY | {"/b": reply()}).rules}
        assert verdicts == {
            "XX-A-01": Verdict.VERIFIED,
            "XX-A-02": Verdict.UNVERIFIED,
            "XX-B-01": Verdict.BROKEN,
        }

    def test_a_response_that_a_check_cannot_read_decides_nothing(self) -> None:
        def steps(_: None) -> Steps:
            answer: Reply = yield Send("GET", "/a")
            answer.object()["absent"]

        result = run_check(Check("a.b", "t", (), steps), None, Deployment({"/a": reply()}))
        assert result.outcome is Outcome.INCONCLUSIVE
        assert result.reason == "the check could not read the response: KeyError: 'absent'"

    def test_an_error_beside_checks_that_passed_means_that_not_all_was_tested(self) -> None:
        assert run(HEALTHY | {"/b": "closed"}).exit_code() == ExitCode.NOT_TESTED


class TestLimits:
    """A run ends in minutes whatever the deployment does."""

    def test_no_check_begins_after_five_minutes_unless_the_run_may_wait(self) -> None:
        def waits(_: None) -> Steps:
            yield Wait(300_000)

        def suite() -> Suite[None]:
            made: Suite[None] = Suite("example", learn)
            made.add("c.waits", "t", ("XX-B-01",), waits)
            made.add("c.next", "t", ("XX-B-01",), waits)
            return made

        reason = "the run has taken 300 s: select checks with --only"
        report = run({}, Arguments(), suite=suite())
        assert [result.reason for result in report.results] == ["", reason]
        assert run({}, EVERYTHING, suite=suite()).count(Outcome.PASSED) == 2

    def test_no_check_begins_after_five_without_a_response(self) -> None:
        suite: Suite[None] = Suite("example", learn)
        for number in range(7):
            suite.add(f"c.{number}", "t", ("XX-B-01",), lambda _: (yield Send("GET", "/a")))
        report = run({"/a": "closed"}, suite=suite)
        assert report.count(Outcome.ERROR) == 5
        assert report.results[5].reason == "5 checks in a row got no response"

    def test_the_last_record_is_written_also_when_the_run_is_interrupted(self) -> None:
        def interrupt(_: None) -> Steps:
            yield ReadClock()
            raise KeyboardInterrupt

        def finish(_: None) -> Finish:
            yield Send("POST", "/b")
            return ""

        suite: Suite[None] = Suite("example", learn, finish)
        suite.add("c.stops", "t", ("XX-B-01",), interrupt, writes=True)
        deployment = Deployment({"/hello": reply(), **HEALTHY})
        with pytest.raises(KeyboardInterrupt):
            run_suite(suite, suite.checks, deployment, EVERYTHING, url="u")
        assert [each.path for each in deployment.sent] == ["/hello", "/b"]

    def test_nothing_is_written_if_no_selected_check_writes(self) -> None:
        given: list[Arguments] = []

        def prepare(arguments: Arguments) -> Steps:
            given.append(arguments)
            yield Send("GET", "/hello")

        suite = make_suite()
        suite.prepare = prepare
        checks = select(suite.checks, ["a"])
        perform = Deployment({"/hello": reply(), **HEALTHY})
        run_suite(suite, checks, perform, EVERYTHING, url="u")
        assert given == [Arguments(has_token=True, slow=True)]


class TestRun:
    def test_a_deployment_that_does_not_respond_is_not_tested(self) -> None:
        with pytest.raises(NotTestable, match="refused"):
            run({"/hello": "refused"})

    def test_the_last_steps_follow_checks_that_write(self) -> None:
        def finish(_: None) -> Finish:
            yield Send("POST", "/b")
            return "It was replaced."

        assert run(HEALTHY, suite=make_suite(finish)).notes == ("It was replaced.",)
        assert run(HEALTHY, Arguments(), suite=make_suite(finish)).notes == ()

    def test_last_steps_that_fail_are_reported(self) -> None:
        def finish(_: None) -> Finish:
            yield ReadClock()
            raise CheckFailed("status 200", "status 503")

        (note,) = run(HEALTHY, suite=make_suite(finish)).notes
        assert note == "The last record could not be written: expected status 200; got status 503"

    def test_progress_is_called_with_each_result(self) -> None:
        seen: list[str] = []
        suite = make_suite()
        run_suite(
            suite,
            suite.checks,
            Deployment({"/hello": reply(), **HEALTHY}),
            Arguments(),
            url="u",
            progress=lambda result: seen.append(result.check.id),
        )
        assert seen == ["a.status", "a.waits", "b.writes"]

    @pytest.mark.parametrize(
        ("only", "skip", "ids"),
        [
            ((), (), ["a.status", "a.waits", "b.writes"]),
            (("a",), (), ["a.status", "a.waits"]),
            (("XX-A-02",), (), ["a.waits", "b.writes"]),
            (("XX-B",), (), ["b.writes"]),
            (("a.status",), (), ["a.status"]),
            ((), ("b", "a.waits"), ["a.status"]),
        ],
    )
    def test_checks_are_selected_by_group_id_or_rule(
        self, only: tuple[str, ...], skip: tuple[str, ...], ids: list[str]
    ) -> None:
        assert [check.id for check in select(make_suite().checks, only, skip)] == ids

    def test_an_unknown_name_is_refused(self) -> None:
        with pytest.raises(ValueError, match=r"has the name 'c'$"):
            select(make_suite().checks, ["c"])
        with pytest.raises(ValueError, match="similar: XX-A-01"):
            select(make_suite().checks, ["XX-A-1"])

    def test_two_checks_of_one_id_are_refused(self) -> None:
        suite = make_suite()
        with pytest.raises(ValueError, match=r"two checks have the id 'a\.status'"):
            suite.add("a.status", "t", (), lambda _: learn(Arguments()))


class TestReply:
    def test_headers_are_found_in_any_case(self) -> None:
        answer = Reply(200, (("ETag", "1"), ("etag", "2")), b"")
        assert answer.header("ETAG") == "1, 2"
        assert answer.header("date") is None

    @pytest.mark.parametrize(
        ("body", "expected", "actual"),
        [
            (b"no", "JSON text", 'line 1, column 1: expected a value, found "n", in no'),
            (b"[1]", "a JSON object", "[1]"),
            (b"", "JSON text", "an empty body"),
            (b'"\\ud800"', "JSON text", '"\\ud800"'),
            (b"[" * 100_000 + b"]" * 100_000, "JSON text", "nested too deep"),
        ],
    )
    def test_another_body_than_an_object_fails(
        self, body: bytes, expected: str, actual: str
    ) -> None:
        with pytest.raises(CheckFailed) as failed:
            reply(body=body).object()
        assert failed.value.expected == expected
        assert actual in failed.value.actual

    def test_equal_values_of_another_type_differ(self) -> None:
        with pytest.raises(CheckFailed, match="expected ok True; got ok 1"):
            expect_equal("ok", 1, True)

    def test_long_values_are_shortened(self) -> None:
        assert shorten("x" * 301) == f"{'x' * 300}… (301 characters)"
        assert shorten(b"\xff") == "\\xff"


class TestCurl:
    def test_the_line_repeats_the_request_without_the_token(self) -> None:
        request = Send("POST", "/b", (("X-Empty", ""),), b'{"it\'s": 1}', authorized=True)
        assert curl_line("https://x.example/", request) == (
            "curl --include --path-as-is --request POST --header 'X-Empty;'"
            ' --header "Authorization: Bearer $INGEST_TOKEN"'
            """ --data-binary '{"it'"'"'s": 1}' https://x.example/b"""
        )

    @pytest.mark.parametrize(
        ("form", "sent", "shown"),
        [
            (TokenForm.EXACT, "Bearer aB1", "Bearer $T"),
            (TokenForm.LOWER_SCHEME, "bearer aB1", "bearer $T"),
            (TokenForm.NO_SCHEME, "aB1", "$T"),
            (TokenForm.TWO_BLANKS, "Bearer  aB1", "Bearer  $T"),
            (TokenForm.OTHER_CASE, "Bearer Ab1", "Bearer ${T~~}"),
            (TokenForm.SHORTENED, "Bearer aB", "Bearer ${T%?}"),
            (TokenForm.LENGTHENED, "Bearer aB1x", "Bearer ${T}x"),
        ],
    )
    def test_a_shell_makes_each_form_of_the_token(
        self, form: TokenForm, sent: str, shown: str
    ) -> None:
        assert form.value_of("aB1") == sent
        assert form.shell_text("T") == shown

    def test_a_token_without_letters_is_still_made_another_one(self) -> None:
        assert TokenForm.OTHER_CASE.value_of("12") == "Bearer 12x"

    def test_head_has_an_option_of_its_own(self) -> None:
        line = curl_line("http://x", Send("HEAD", "/a b"))
        assert line == "curl --include --path-as-is --head 'http://x/a b'"

    @pytest.mark.parametrize("body", [b"\xff", b"x" * 2001, b"@file", b"a\0b"])
    def test_a_body_that_a_shell_cannot_hold_is_a_file(self, body: bytes) -> None:
        assert "--data-binary @body" in curl_line("http://x", Send("POST", "/", (), body))


BROKEN: dict[str, Reply | str] = {
    "/a": reply(500, b"<&\x00\xff", content_type="text/html"),
    "/b": "no answer in time",
}


class TestReports:
    def test_text_names_rule_request_and_response(self) -> None:
        report = run(BROKEN)
        assert list(lines_of(report, report.results[0])) == [
            "FAILED a.status: `/a` has status 200",
            "  XX-A-01 (must): The first rule.",
            "  expected: status 200",
            "  got:      status 500",
            "  sent:     curl --include --path-as-is https://x.example/a",
            "  response: 500 text/html <&\x00\\xff",
        ]
        assert list(lines_of(report, report.results[1])) == []
        assert list(lines_of(report, report.results[2])) == [
            "ERROR b.writes: A write is accepted",
            "  reason:   no response: no answer in time",
        ]

    def test_summary_counts_and_names_broken_rules(self) -> None:
        assert summary(run(BROKEN)) == [
            "3 checks of https://x.example/ in 60.0 s: 1 ok, 1 failed, 1 error",
            "0 of 2 rules of level must verified",
            "broken rules: XX-A-01",
            "unverified: XX-A-02",
        ]
        assert "broken" not in " ".join(summary(run(HEALTHY)))

    def test_a_503_in_place_of_another_status_is_explained(self) -> None:
        report = run({**BROKEN, "/a": reply(503)})
        text = "\n".join(line for each in report.results for line in lines_of(report, each))
        assert "a setting of the deployment is missing or invalid" in text
        assert "503" not in "".join(
            line for each in run(BROKEN).results for line in lines_of(run(BROKEN), each)
        )

    def test_json_has_every_request(self) -> None:
        value = json.loads(json_report(run(BROKEN)))
        assert value["counts"] == {
            "passed": 1,
            "failed": 1,
            "skipped": 0,
            "inconclusive": 0,
            "error": 1,
        }
        assert value["conforms"] is False
        assert value["started_at"] == "1970-01-01T00:16:40.000Z"
        assert [rule["verdict"] for rule in value["rules"]] == [
            "broken",
            "unverified",
            "unverified",
        ]
        assert value["results"][2]["requests"][0]["response"] == "none: no answer in time"

    def test_junit_has_a_case_for_each_check(self) -> None:
        report = run(BROKEN, Arguments(has_token=True, write=True))
        suite = ET.fromstring(junit_report(report))[0]  # noqa: S314 - it is our own
        assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
            "tests": "3",
            "failures": "1",
            "errors": "1",
            "skipped": "1",
        }
        assert [[child.tag for child in case] for case in suite] == [
            ["failure"],
            ["skipped"],
            ["error"],
        ]
        assert "\ufffd" in (suite[0][0].text or "")
        passed = ET.fromstring(junit_report(run(HEALTHY)))[0]  # noqa: S314 - it is our own
        assert [len(case) for case in passed] == [0, 0, 0]

    def test_html_escapes_what_came(self) -> None:
        page = html_report(run(BROKEN)).decode()
        assert "&lt;&amp;" in page
        assert "<&" not in page
        assert '<section class="failed">' in page
        assert "<code>XX-A-01</code> (must) The first rule." in page

    def test_html_lists_what_was_skipped_and_what_passed(self) -> None:
        page = html_report(run(HEALTHY, Arguments(has_token=True, write=True))).decode()
        assert "<p>None.</p>" in page
        assert "1 skipped: it waits for deadlines: give --slow" in page
        assert "<summary>b: 1 ok</summary>" in page
        assert "XX-A-01 · GET /a 200" in page

    def test_html_counts_equal_requests(self) -> None:
        suite = make_suite()

        def twice(_: None) -> Steps:
            yield Send("GET", "/a")
            yield Send("GET", "/a")

        suite.add("c.twice", "t", ("XX-B-01",), twice)
        assert "GET /a 200 (2 times)" in html_report(run(HEALTHY, suite=suite)).decode()

    @pytest.mark.parametrize(
        ("replies", "arguments", "text", "fill"),
        [
            (HEALTHY, EVERYTHING, "2 of 2 rules verified", GREEN),
            (HEALTHY, Arguments(), "1 of 2 rules verified", GREY),
            (BROKEN, Arguments(), "1 broken rule", RED),
            (BROKEN | {"/b": reply()}, EVERYTHING, "2 broken rules", RED),
        ],
    )
    def test_the_badge_counts_rules(
        self, replies: dict[str, Reply | str], arguments: Arguments, text: str, fill: str
    ) -> None:
        svg = badge_report(run(replies, arguments)).decode()
        assert f">{text}<" in svg
        assert f'<path fill="{fill}"' in svg

    def test_a_body_that_is_not_in_the_line_is_described(self) -> None:
        def large(_: None) -> Steps:
            yield Send("POST", "/b", (), b"x" * 3000)
            raise CheckFailed("a", "b")

        suite: Suite[None] = Suite("example", learn)
        suite.add("c.large", "t", ("XX-B-01",), large)
        report = run(HEALTHY, suite=suite)
        assert f"  body:     3000 bytes: {'x' * 300}… (3000 characters)" in lines_of(
            report, report.results[0]
        )
