from xml.etree import ElementTree as ET

from status_contracts.cli.reports import (
    Fault,
    faults_of_json,
    junit_xml,
)
from status_contracts.findings import Finding

REPORT = junit_xml(
    "example check",
    ("a.json", "b.json", "c", "good.json"),
    (
        Fault("a.json", "some dir/a.json", "number.range", "must be 0 to 100", member="/a/0"),
        Fault("a.json", "some dir/a.json", "url.https", "must be https", False, 4, "day"),
        Fault("b.json", "/data/b.json", "json.text", "bad\x00text"),
        Fault("c", "https://example.org/c.json", "url.https", "must be https", False),
    ),
)


class TestJunit:
    def test_each_case_is_a_test_case_and_errors_fail_it(self) -> None:
        suite = ET.fromstring(REPORT)[0]  # noqa: S314 - own text
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
            "some dir/a.json /a/0: must be 0 to 100 [number.range]\n"
            "some dir/a.json:4 day: warning: must be https [url.https]"
        )

    def test_what_xml_cannot_contain_is_replaced(self) -> None:
        failure = ET.fromstring(REPORT)[0][1][0]  # noqa: S314 - own text
        assert failure.get("message") == "1 problem"
        assert failure.text == "/data/b.json: bad\ufffdtext [json.text]"


class TestProblemsOfJson:
    def test_findings_are_problems_of_the_file(self) -> None:
        findings = (Finding("/b", "type", "must be a number"), Finding("", "required", "is"))
        assert faults_of_json("f.json", findings, is_error=False) == [
            Fault("f.json", "f.json", "type", "must be a number", False, None, "/b"),
            Fault("f.json", "f.json", "required", "is", False, None, None),
        ]
