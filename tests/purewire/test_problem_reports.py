import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from purewire.adapters.commands.reports import (
    Problem,
    ProblemReport,
    junit_problems,
    problems_of_json,
    sarif_problems,
)
from purewire.findings import Finding

SCHEMA = json.loads((Path(__file__).parents[1] / "data" / "sarif-2.1.0.json").read_bytes())
"""The schema of SARIF 2.1.0 (OASIS), as `@microsoft/jest-sarif` ships it."""
PROBLEMS = (
    Problem("a.json", "some dir/a.json", "number.range", "must be 0 to 100", "error", 3, 7, "/a/0"),
    Problem("a.json", "some dir/a.json", "url.https", "must be https", "warning", 4),
    Problem("b.json", "/data/b.json", "json.text", "bad\x00text"),
    Problem("c", "https://example.org/c.json", "url.https", "must be https", "warning"),
)
REPORT = ProblemReport(
    tool="example check",
    version="0.1.0",
    help_url="https://example.org/rules",
    cases=("a.json", "b.json", "c", "good.json"),
    problems=PROBLEMS,
    rules={"url.https": "absolute https", "json.text": "JSON", "number.range": "in range"},
    contract={"number.range": ("XX-NUMBER-01", "XX-NUMBER-02")},
)


def sarif() -> Any:
    return json.loads(sarif_problems(REPORT))


class TestSarif:
    @pytest.mark.parametrize("problems", [PROBLEMS, ()])
    def test_the_schema_accepts_it(self, problems: tuple[Problem, ...]) -> None:
        report = ProblemReport("x", "1", "https://example.org", ("a",), problems, REPORT.rules)
        jsonschema.Draft4Validator(SCHEMA).validate(json.loads(sarif_problems(report)))

    def test_the_schema_refuses_what_it_must(self) -> None:
        log = sarif()
        log["runs"][0]["results"][0]["level"] = "fatal"
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft4Validator(SCHEMA).validate(log)

    def test_rules_have_descriptions_and_rules_of_the_contract(self) -> None:
        driver = sarif()["runs"][0]["tool"]["driver"]
        assert driver["name"] == "example check"
        assert [rule["id"] for rule in driver["rules"]] == [
            "json.text",
            "number.range",
            "url.https",
        ]
        assert driver["rules"][1] == {
            "id": "number.range",
            "shortDescription": {"text": "in range"},
            "helpUri": "https://example.org/rules",
            "properties": {"tags": ["XX-NUMBER-01", "XX-NUMBER-02"]},
        }

    def test_a_result_has_rule_level_message_and_places(self) -> None:
        assert sarif()["runs"][0]["results"][0] == {
            "ruleId": "number.range",
            "ruleIndex": 1,
            "level": "error",
            "message": {"text": "/a/0: must be 0 to 100"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "some%20dir/a.json"},
                        "region": {"startLine": 3, "startColumn": 7},
                    },
                    "logicalLocations": [{"fullyQualifiedName": "/a/0", "kind": "member"}],
                }
            ],
        }

    def test_files_without_position_have_line_1(self) -> None:
        places = [
            result["locations"][0]["physicalLocation"] for result in sarif()["runs"][0]["results"]
        ]
        assert [place["artifactLocation"]["uri"] for place in places[1:]] == [
            "some%20dir/a.json",
            "file:///data/b.json",
            "https://example.org/c.json",
        ]
        assert [place["region"] for place in places[1:]] == [
            {"startLine": 4},
            {"startLine": 1},
            {"startLine": 1},
        ]


class TestJunit:
    def test_each_case_is_a_test_case_and_errors_fail_it(self) -> None:
        suite = ET.fromstring(junit_problems(REPORT))[0]  # noqa: S314 - own text
        assert (suite.get("tests"), suite.get("failures")) == ("4", "2")
        cases = {case.get("name"): case for case in suite}
        assert list(cases) == ["a.json", "b.json", "c", "good.json"]
        assert {case.get("classname") for case in suite} == {"example.check"}
        assert [child.tag for case in suite for child in case] == [
            "failure",
            "failure",
            "system-out",
        ]
        failure = cases["a.json"][0]
        assert failure.get("message") == "2 problems"
        assert failure.text == (
            "some dir/a.json:3:7 /a/0: must be 0 to 100 [number.range]\n"
            "some dir/a.json:4: must be https [url.https]"
        )

    def test_what_xml_cannot_contain_is_replaced(self) -> None:
        failure = ET.fromstring(junit_problems(REPORT))[0][1][0]  # noqa: S314 - own text
        assert failure.get("message") == "1 problem"
        assert failure.text == "/data/b.json: bad\ufffdtext [json.text]"


class TestProblemsOfJson:
    def test_findings_get_the_position_of_their_value(self) -> None:
        findings = (Finding("/b", "type", "must be a number"), Finding("/c", "required", "is"))
        assert problems_of_json("f.json", b'{"a": 1,\n "b": "x"}', findings, "warning") == [
            Problem("f.json", "f.json", "type", "must be a number", "warning", 2, 7, "/b"),
            Problem("f.json", "f.json", "required", "is", "warning", 1, 1, "/c"),
        ]

    def test_broken_text_has_the_position_that_the_message_states(self) -> None:
        finding = Finding("", "json.text", "line 12, column 34: expected a value")
        (problem,) = problems_of_json("f.json", b"[", [finding])
        assert (problem.line, problem.column, problem.member) == (12, 34, None)
