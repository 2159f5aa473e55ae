"""The framework of conformance checks, with a suite and a deployment made for these tests."""

import re
from collections.abc import Callable

import attrs
import pytest

from purewire.conformance.checks import (
    Arguments,
    Check,
    CheckFailed,
    Compared,
    Finish,
    NoReply,
    NotTestable,
    Part,
    Profile,
    ReadClock,
    Reply,
    RuleText,
    Send,
    Steps,
    Suite,
    Unchecked,
    Wait,
    dependent_on,
    expect,
    expect_body,
    expect_equal,
    expect_form,
    expect_header,
    expect_status,
)
from purewire.conformance.checks import (
    testing as named_rule,
)
from purewire.conformance.differences import shorten
from purewire.conformance.reads import expect_items
from purewire.conformance.run import (
    ExitCode,
    Outcome,
    Run,
    SuiteReport,
    Verdict,
    run_check,
    run_suite,
    select,
)
from purewire.findings import Finding
from support.purewire.example_suite import (
    EVERYTHING,
    HEALTHY,
    Deployment,
    learn,
    make_suite,
    reply,
    run,
)


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
            "status 200 of GET /a",
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

    def test_a_check_may_catch_that_no_response_came(self) -> None:
        def steps(_: None) -> Steps:
            try:
                yield Send("GET", "/a")
            except NoReply as missing:
                yield ReadClock()
                expect(condition=False, expected="a response", actual=str(missing))

        result = run_check(Check("a.b", "t", (), steps), None, Deployment({"/a": "closed"}))
        assert (result.outcome, result.actual) == (Outcome.FAILED, "closed")
        assert result.round_trips[0].error == "closed"


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
        def finish(_: None) -> Finish:
            yield Send("POST", "/b")
            return ""

        suite = make_suite(finish)
        checks = select(suite.checks, ["a"])
        perform = Deployment({"/hello": reply(), **HEALTHY})
        run_suite(suite, checks, perform, EVERYTHING, url="u")
        assert [each.path for each in perform.sent] == ["/hello", "/a", "/a"]


class TestRun:
    def test_a_deployment_that_does_not_respond_is_not_tested(self) -> None:
        with pytest.raises(NotTestable, match="refused"):
            run({"/hello": "refused"})

    def test_a_run_that_has_begun_has_results(self) -> None:
        suite = make_suite()
        started = Run(suite, Deployment({"/hello": reply(), **HEALTHY}), EVERYTHING, "u")
        assert not started.has_results
        started.run(suite.checks[0])
        assert started.has_results

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
        with pytest.raises(ValueError, match=r"has the name 'c'; groups: a, b$"):
            select(make_suite().checks, ["c"])
        with pytest.raises(ValueError, match="similar: XX-A-01"):
            select(make_suite().checks, ["XX-A-1"])

    def test_two_checks_of_one_id_are_refused(self) -> None:
        suite = make_suite()
        with pytest.raises(ValueError, match=r"two checks have the id 'a\.status'"):
            suite.add("a.status", "t", (), lambda _: learn(Arguments()))


class TestProfiles:
    """A profile is a part of the contract; what is outside of it is skipped, and has no rule."""

    def part(self, profile: Profile) -> SuiteReport:
        suite = make_suite()
        suite.profiles = {"part": profile}
        return run(HEALTHY, attrs.evolve(EVERYTHING, profile="part"), suite)

    def test_a_check_that_requests_a_path_outside_is_skipped(self) -> None:
        report = self.part(Profile("without b", outside=re.compile("/b")))
        assert [result.reason for result in report.results] == [
            *("", "", "it is not part of the profile part")
        ]
        assert [rule.id for rule in report.rules] == ["XX-A-01", "XX-A-02"]
        assert report.exit_code(strict=True) == ExitCode.CONFORMS

    def test_checks_and_groups_are_left_out_by_name(self) -> None:
        report = self.part(Profile("only b", skip=("a.status", "a")))
        assert [result.is_outside for result in report.results] == [True, True, False]
        assert {rule.id for rule in report.rules} == {"XX-A-02", "XX-B-01"}


class TestUndecided:
    """Many musts that were not decided do not end with exit code 0."""

    def suite(self, decided: int, undecided: int) -> Suite[None]:
        def decide(_: None) -> Steps:
            yield Send("GET", "/a")

        def leave(_: None) -> Steps:
            yield Send("GET", "/a")
            raise Unchecked("no data", inconclusive=True)

        suite: Suite[None] = Suite("example", learn)
        for number in range(decided + undecided):
            steps = decide if number < decided else leave
            suite.add(f"c.{number}", "t", (f"XX-C-{number:02}",), steps)
        return suite

    @pytest.mark.parametrize(
        ("decided", "undecided", "code"),
        [
            (9, 1, ExitCode.CONFORMS),
            (8, 1, ExitCode.UNVERIFIED),
            (0, 1, ExitCode.UNVERIFIED),
            (1, 0, ExitCode.CONFORMS),
        ],
    )
    def test_one_must_of_ten_may_be_left(self, decided: int, undecided: int, code: int) -> None:
        suite = self.suite(decided, undecided)
        rules = {check.rules[0]: RuleText("must", "text") for check in suite.checks}
        report = run(HEALTHY, suite=suite, rules=rules)
        assert report.exit_code() == code
        assert report.is_mostly_decided() is (code == ExitCode.CONFORMS)


class TestReply:
    def test_the_target_has_the_headers_of_the_request(self) -> None:
        request = Send("GET", "/a", (("Content-Type", "text/plain"), ("If-None-Match", "*")))
        assert attrs.evolve(reply(), request=request).target == "GET /a with If-None-Match: *"
        assert reply().target == ""

    def test_headers_are_found_in_any_case(self) -> None:
        answer = Reply(200, (("ETag", "1"), ("etag", "2")), b"")
        assert answer.header("ETAG") == "1, 2"
        assert answer.header("date") is None

    @pytest.mark.parametrize(
        ("body", "expected", "actual"),
        [
            (b"no", "JSON text", "line 1, column 1: Expecting value, in no"),
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


class TestExpectations:
    """A failed expectation has what was compared, and the rule that its step tests."""

    ASKED = Send("GET", "/a?b")

    def failure(self, expectation: Callable[[Reply], None], answer: Reply) -> CheckFailed:
        with pytest.raises(CheckFailed) as failed:
            expectation(attrs.evolve(answer, request=self.ASKED))
        return failed.value

    @pytest.mark.parametrize(
        ("expectation", "compared", "message"),
        [
            (
                lambda answer: expect_status(answer, 404, 405),
                (Part.STATUS, "", "404 or 405", "200"),
                "expected status 404 or 405 of GET /a?b; got status 200",
            ),
            (
                lambda answer: expect_items(answer, "Allow", "GET"),
                (Part.HEADER, "Allow", "GET", "no such header"),
                "expected Allow GET of GET /a?b; got Allow no such header",
            ),
            (
                lambda answer: expect_body(answer, {"a": [1, {"b/c": True}]}),
                (Part.MEMBER, "/a/1/b~1c", "true", "1"),
                "expected /a/1/b~1c true of GET /a?b; got /a/1/b~1c 1",
            ),
            (
                lambda answer: expect_body(answer, {}, []),
                (Part.MEMBER, "/a", "no such member", '[1,{"b/c":1}]'),
                'expected /a no such member of GET /a?b; got /a [1,{"b/c":1}]',
            ),
            (
                lambda answer: expect_form(answer, [Finding("/a/1/b~1c", "r", "must be text")]),
                (Part.MEMBER, "/a/1/b~1c", "must be text", "1"),
                "expected /a/1/b~1c must be text of GET /a?b; got /a/1/b~1c 1",
            ),
            (
                lambda answer: expect_form(answer, [Finding("/a/7", "r", "is missing")]),
                (Part.MEMBER, "/a/7", "is missing", "no such member"),
                "expected /a/7 is missing of GET /a?b; got /a/7 no such member",
            ),
        ],
    )
    def test_an_expectation_compares(
        self,
        expectation: Callable[[Reply], None],
        compared: tuple[Part, str, str, str],
        message: str,
    ) -> None:
        answer = reply(body=b'{"a": [1, {"b/c": 1}]}', X_A="1")
        failed = self.failure(expectation, answer)
        assert failed.compared == Compared(*compared, self.ASKED)
        assert str(failed) == message

    def test_what_is_as_expected_passes(self) -> None:
        answer = reply(body=b'{"a": 1}', X_A="1")
        expect_status(answer, 404, 200)
        expect_header(answer, "X-A", None, "1")
        expect_items(reply(Vary="Origin,accept"), "Vary", "Accept, origin")
        expect_body(answer, [], {"a": 1.0})
        expect_form(answer, [])

    def test_the_innermost_rule_is_that_of_the_step(self) -> None:
        with pytest.raises(CheckFailed) as failed, named_rule("XX-A-01"), named_rule("XX-A-02"):
            expect(condition=False, expected="a", actual="b")
        assert failed.value.rule == "XX-A-02"
        with pytest.raises(CheckFailed) as failed, named_rule("XX-A-01"):
            expect_equal("a", 1, 2, rule="XX-B-01")
        assert failed.value.rule == "XX-B-01"

    def test_only_the_rule_of_the_step_is_broken(self) -> None:
        def steps(_: None) -> Steps:
            answer: Reply = yield Send("GET", "/a")
            expect_status(answer, 404, rule="XX-C-01")

        suite: Suite[None] = Suite("example", learn)
        suite.add("c.step", "t", ("XX-A-01",), steps)
        verdicts = {rule.id: rule.verdict for rule in run(HEALTHY, suite=suite).rules}
        assert verdicts == {"XX-A-01": Verdict.UNVERIFIED, "XX-C-01": Verdict.BROKEN}

    def test_a_fault_that_another_check_is_about_decides_nothing(self) -> None:
        def steps(_: None) -> Steps:
            answer: Reply = yield Send("GET", "/a")
            with dependent_on("a.status"):
                expect_status(answer, 204)

        result = run_check(Check("a.b", "t", (), steps), None, Deployment({"/a": reply()}))
        assert result.outcome is Outcome.INCONCLUSIVE
        assert result.reason.startswith("see the check a.status: expected status 204")
        assert result.compared is not None
        assert result.compared.part is Part.STATUS
