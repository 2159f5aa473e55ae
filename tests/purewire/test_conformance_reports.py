"""Reports of conformance runs: the summary, the text, scripts, and the other formats."""

import json
import os
import subprocess
from functools import partial
from xml.etree import ElementTree as ET

import pytest

from purewire.conformance.causes import find_causes
from purewire.conformance.checks import (
    Arguments,
    CheckFailed,
    Compared,
    Part,
    Profile,
    Reply,
    Send,
    Steps,
    Suite,
    TokenForm,
    Unchecked,
    dependent_on,
    expect_body,
    expect_header,
    expect_status,
)
from purewire.conformance.curl import curl_line
from purewire.conformance.formats import (
    as_text,
    badge_report,
    folder_report,
    html_report,
    json_report,
    junit_report,
)
from purewire.conformance.text_report import lines_of, listing, summary, verdict
from purewire.svg.palette import GREEN, GREY, RED
from support.purewire.example_suite import (
    EVERYTHING,
    HEALTHY,
    RULES,
    Deployment,
    learn,
    make_suite,
    reply,
    run,
)


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

    @pytest.mark.parametrize("body", [b"\xff", b"x" * 401, b"@file", b"a\0b"])
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
            "  expected: status 200 of GET /a",
            "  got:      status 500",
            "  sent:     curl --include --path-as-is https://x.example/a",
            "  response: 500 text/html <&\x00\\xff",
        ]
        assert list(lines_of(report, report.results[1])) == []
        assert list(lines_of(report, report.results[2])) == [
            "ERROR b.writes: A write is accepted",
            "  reason:   no response: no answer in time",
            f"  sent:     {curl_line(report.url, report.results[2].round_trips[0].request)}",
            "  response: none: no answer in time",
        ]

    def test_the_summary_begins_with_what_to_fix(self) -> None:
        report = run(BROKEN)
        assert summary(report) == [
            "3 checks of https://x.example/ in 60.0 s: 1 ok, 1 failed, 1 error",
            "0 of 2 rules of level must verified",
            "",
            "What to fix:",
            "   1 check:  GET: status 500 in place of 200",
            "       GET /a; see a.status; rule XX-A-01",
            "",
            *lines_of(report, report.results[0]),
            "",
            "Not decided:",
            "   1 no response: no answer in time",
            "",
            "Broken rules: XX-A-01",
        ]
        assert "roken" not in " ".join(summary(run(HEALTHY)))

    def test_a_rule_that_is_a_decision_is_marked(self) -> None:
        def steps(_: None) -> Steps:
            yield Send("GET", "/a")
            raise CheckFailed("a", "b")

        suite: Suite[None] = Suite("example", learn)
        suite.add("c.own", "t", ("XX-A-02",), steps)
        text = "\n".join(summary(run(HEALTHY, suite=suite)))
        assert "  XX-A-02 (must, a decision of this project): The second rule." in text

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
        assert "<summary>1 check: GET: status 500 in place of 200</summary>" in page
        assert "XX-A-01 (must): The first rule." in page

    def test_html_lists_what_was_skipped(self) -> None:
        page = html_report(run(HEALTHY, Arguments(has_token=True, write=True))).decode()
        assert "   1 it waits for deadlines: give --slow" in page
        assert page.count("<summary>") == 1
        assert '<tr class="verified"><td>XX-A-01</td><td>verified</td>' in page

    @pytest.mark.parametrize(
        ("replies", "arguments", "text", "fill"),
        [
            (HEALTHY, EVERYTHING, "2 of 2 rules verified", GREEN),
            (HEALTHY, Arguments(), "1 of 2 rules verified", GREY),
            (BROKEN, Arguments(), "1 broken rule", RED),
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

    def test_a_badge_names_the_profile(self) -> None:
        suite = make_suite()
        suite.profiles = {"part": Profile("a part")}
        report = run(
            HEALTHY, Arguments(has_token=True, write=True, slow=True, profile="part"), suite
        )
        assert "example (part) contract" in badge_report(report).decode()
        assert summary(report)[1] == "2 of 2 rules of level must of the profile part verified"

    @pytest.mark.parametrize(
        ("replies", "arguments", "strict", "last"),
        [
            (HEALTHY, EVERYTHING, True, "no check failed"),
            (HEALTHY, Arguments(), False, "no check failed; 1 must is unverified"),
            (BROKEN, EVERYTHING, False, "1 check failed"),
            (HEALTHY | {"/b": "closed"}, EVERYTHING, False, "1 check got no response"),
        ],
    )
    def test_the_last_line_says_why_the_exit_code_is_what_it_is(
        self, replies: dict[str, Reply | str], arguments: Arguments, strict: bool, last: str
    ) -> None:
        assert verdict(run(replies, arguments), strict=strict) == last

    def test_too_many_undecided_musts_are_the_last_line(self) -> None:
        def steps(_: None) -> Steps:
            yield Send("GET", "/a")
            raise Unchecked("no data", inconclusive=True)

        suite: Suite[None] = Suite("example", learn)
        suite.add("c.a", "t", ("XX-A-01",), steps)
        report = run(HEALTHY, suite=suite)
        assert verdict(report, strict=False).endswith("too many musts were not decided")
        assert "Not decided:" in summary(report)

    def test_rare_reasons_are_counted_together(self) -> None:
        def steps(number: int, _: None) -> Steps:
            yield Send("GET", "/a")
            raise Unchecked(f"reason {number}")

        suite: Suite[None] = Suite("example", learn)
        for number in range(5):
            suite.add(f"c.{number}", "t", ("XX-A-01",), partial(steps, number))
        report = run(HEALTHY, suite=suite)
        assert "   2 for other reasons" in summary(report)
        assert list(lines_of(report, report.results[0])) == [
            "skipped c.0: t",
            "  reason:   reason 0",
        ]

    def test_the_summary_shows_the_last_requests_of_a_failed_check(self) -> None:
        def steps(_: None) -> Steps:
            for _number in range(4):
                last = yield Send("GET", "/a")
            expect_status(last, 418)

        suite: Suite[None] = Suite("example", learn)
        suite.add("a.last", "t", ("XX-A-01",), steps)
        report = run(HEALTHY, suite=suite)
        assert any("requests before)" in line for line in summary(report))
        assert not any("requests before)" in line for line in lines_of(report, report.results[-1]))

    def test_a_check_without_a_response_is_in_the_text(self) -> None:
        text = as_text(run(HEALTHY | {"/b": "closed"})).decode()
        assert text.endswith("  response: none: closed\n")
        assert [name for name, _ in folder_report(run(HEALTHY))] == ["report.txt"]

    def test_checks_are_listed_by_group_and_profiles_by_name(self) -> None:
        assert list(listing(make_suite())) == [
            "a: 2 checks",
            "  a.status: `/a` has status 200",
            "  a.waits: Nothing changes in a minute (slow)",
            "b: 1 check",
            "  b.writes: A write is accepted (writes)",
            "profiles, for --profile",
            "  full: all of it",
        ]


def failing(path: str, compare: Compared) -> Steps:
    yield Send("GET", path)
    raise CheckFailed("a", "b", compare)


class TestCauses:
    """Failures that compared the same with the same outcome have one cause."""

    def causes(self, *compared: Compared) -> list[tuple[int, str]]:
        suite: Suite[None] = Suite("example", learn)
        for number, each in enumerate(compared):
            steps = lambda _, each=each: failing("/a", each)  # noqa: E731
            suite.add(f"c.{number}", "t", ("XX-A-01",), steps)
        report = run(HEALTHY, suite=suite)
        return [(len(cause.failed), cause.title) for cause in find_causes(report.results)]

    @pytest.mark.parametrize(
        ("operands", "titles"),
        [
            (
                [
                    (Part.STATUS, "", "200", "404", Send("POST", "/b")),
                    (Part.STATUS, "", "400", "404", Send("POST", "/b")),
                    (Part.STATUS, "", "200", "404", Send("GET", "/a")),
                ],
                [(2, "/b is not there: status 404"), (1, "/a is not there: status 404")],
            ),
            (
                [(Part.STATUS, "", "204", "501", Send("OPTIONS", path)) for path in ("/a", "/b")],
                [(2, "OPTIONS is not supported: status 501")],
            ),
            (
                [(Part.STATUS, "", "200", "500", Send("GET", path)) for path in ("/x", "/y")],
                [(1, "GET: status 500 in place of 200")] * 2,
            ),
            (
                [
                    (Part.HEADER, "Allow", "GET", "no such header", None),
                    (Part.HEADER, "allow", "POST", "no such header", None),
                ],
                [(2, "Allow: got no such header; expected GET, or 1 more")],
            ),
            (
                [(Part.TEXT, "", "JSON text", "line 1", None)] * 2,
                [(2, "body: got line 1; expected JSON text")],
            ),
            (
                [(Part.MEMBER, f"/a/{index}/b", "1", "2", None) for index in (0, 10)],
                [(2, "/a/*/b: got 2; expected 1")],
            ),
            (
                [
                    (Part.MEMBER, "/a", "1", "no such member", None),
                    (Part.MEMBER, "/a", "1", "2", None),
                ],
                [(1, "/a: got no such member; expected 1"), (1, "/a: got 2; expected 1")],
            ),
            (
                [(Part.VALUE, "", "a PNG", "x", None), (Part.VALUE, "", "a PNG", "y", None)],
                [(2, "got x; expected a PNG")],
            ),
        ],
    )
    def test_equal_operands_are_one_cause(
        self,
        operands: list[tuple[Part, str, str, str, Send | None]],
        titles: list[tuple[int, str]],
    ) -> None:
        assert self.causes(*(Compared(*each) for each in operands)) == titles

    def test_checks_that_depend_on_a_fault_are_counted_with_it(self) -> None:
        def fails(_: None) -> Steps:
            expect_header((yield Send("GET", "/a")), "Allow", "GET")

        def depends(_: None) -> Steps:
            answer: Reply = yield Send("GET", "/b")
            with dependent_on("c.fails"):
                expect_header(answer, "Allow", "POST")

        suite: Suite[None] = Suite("example", learn)
        suite.add("c.fails", "t", ("XX-A-01",), fails)
        suite.add("c.depends", "t", ("XX-A-02",), depends)
        report = run(HEALTHY, suite=suite)
        (cause,) = find_causes(report.results)
        assert cause.places == ("GET /a", "GET /b")
        assert "   2 checks: Allow: got no such header; expected GET, or 1 more" in summary(report)
        assert any("; 1 of them cannot decide; " in line for line in summary(report))
        assert "1 of them cannot decide: c.depends" in as_text(report).decode()
        assert "1 of them cannot decide: c.depends" in html_report(report).decode()

    def test_an_undecided_check_alone_is_a_cause_without_a_rule(self) -> None:
        def depends(_: None) -> Steps:
            answer: Reply = yield Send("GET", "/a")
            with dependent_on("c.fails"):
                expect_body(answer, [])

        suite: Suite[None] = Suite("example", learn)
        suite.add("c.depends", "t", ("XX-A-02",), depends)
        assert "       GET /a; see c.depends" in summary(run(HEALTHY, suite=suite))

    def test_a_server_with_many_faults_has_a_summary_of_one_screen(self) -> None:
        suite: Suite[None] = Suite("example", learn)
        for number in range(99):
            compared = Compared(
                Part.HEADER, f"X-{number // 3}", "a" * 99, "b", Send("GET", f"/{number}")
            )
            steps = lambda _, compared=compared: failing("/a", compared)  # noqa: E731
            suite.add(f"c.{number}", "t", ("XX-A-01",), steps)
        lines = summary(run(HEALTHY, suite=suite))
        assert len(lines) < 24
        assert max(map(len, lines)) < 80
        assert "  and 28 more causes: 84 checks" in lines


class TestFolder:
    """A folder has the text, and for each failed check a script that repeats it."""

    TIME = "1970-01-01T00:16:10.250Z"  # 30 s before the clock of the deployment

    def files(self, body: bytes) -> dict[str, str]:
        def steps(_: None) -> Steps:
            yield Send("GET", "/a")
            yield Send("POST", "/b", (), body, authorized=True)
            expect_status((yield Send("HEAD", "/a")), 404)

        suite: Suite[None] = Suite("example", learn)
        suite.add("c.fails", "It's a title", ("XX-A-01",), steps)
        suite.rules = RULES
        clock = Deployment({"/hello": reply(), **HEALTHY})
        clock.replies = {path: Reply(200, (), b"", 1_000_000, 1_000_000) for path in clock.replies}
        report = run(clock.replies, suite=suite)
        return {name: content.decode("latin-1") for name, content in folder_report(report)}

    def test_all_requests_are_in_the_text_and_long_bodies_in_files(self) -> None:
        files = self.files(b"x" * 500)
        assert set(files) == {"report.txt", "checks/c.fails.sh", "checks/c.fails-2.body"}
        assert files["checks/c.fails-2.body"] == "x" * 500
        assert files["report.txt"].count("  sent:     curl ") == 3 + 3  # also in the summary
        assert "--data-binary @checks/c.fails-2.body" in files["report.txt"]
        assert "  again:    sh checks/c.fails.sh" in files["report.txt"]

    @pytest.mark.parametrize(
        ("body", "printed"),
        [
            (f'{{"at": "{TIME}", "it\'s": "$HOME `x`"}}\n', "now"),
            ("1969-01-01T00:00:00Z 2026-02-31T00:00:00Z", "as it is"),
        ],
    )
    def test_a_script_sends_times_of_now(
        self, body: str, printed: str, tmp_path: os.PathLike[str]
    ) -> None:
        script = self.files(body.encode())["checks/c.fails.sh"]
        fake = 'curl() { case "$*" in *@-*) cat;; esac; }; date() { echo "${3:-2000}"; }\n'
        lines = script.replace("\necho; ", "\n: ").replace("|| exit 1\n", f"\n{fake}")
        ended = subprocess.run(
            ["sh", "-c", lines, f"{tmp_path}/x"], capture_output=True, check=True
        )
        expected = body.replace("1970-01-01T00:16:10", "@1970") if printed == "now" else body
        assert ended.stdout.decode() == expected

    @pytest.mark.parametrize("body", [b"\xff", b"a\0b", b""])
    def test_a_body_that_is_no_text_is_sent_from_its_file(self, body: bytes) -> None:
        files = self.files(body)
        data = "@c.fails-2.body" if body else "''"
        assert f"--data-binary {data} " in files["checks/c.fails.sh"]

    def test_a_script_waits_where_the_check_waited(self) -> None:
        def steps(_: None) -> Steps:
            yield Send("GET", "/a")
            expect_status((yield Send("GET", "/b")), 404)

        suite: Suite[None] = Suite("example", learn)
        suite.add("c.waits", "t", ("XX-A-01",), steps)
        replies: dict[str, Reply | str] = {
            "/a": Reply(200, (), b"", 1_000_000, 1_000_000),
            "/b": Reply(200, (), b"", 1_003_000, 1_003_000),
        }
        files = dict(folder_report(run(replies, suite=suite)))
        assert b"\nsleep 3\n" in files["checks/c.waits.sh"]
