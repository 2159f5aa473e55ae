"""Warnings of a build: bounded and complete."""

from purewire.findings import Finding
from sitedata.building.warnings import RULES, Warnings


class TestFindings:
    def test_each_has_the_message_of_its_rule(self) -> None:
        warnings = Warnings()
        warnings.add("path.symlink", ["a", "b~c"])
        assert warnings.findings() == (Finding("/a/b~0c", "path.symlink", RULES["path.symlink"]),)

    def test_they_are_sorted_by_rule(self) -> None:
        warnings = Warnings()
        warnings.add("path.symlink", ["b"])
        warnings.add("history.time", ["c"])
        warnings.add("path.symlink", ["a"])
        assert [finding.path for finding in warnings.findings()] == ["/c", "/b", "/a"]

    def test_more_than_twenty_of_a_rule_are_counted(self) -> None:
        warnings = Warnings()
        for index in range(20):
            warnings.add("path.symlink", [str(index)])
        assert len(warnings.findings()) == 20
        for index in range(20, 1000):
            warnings.add("path.symlink", [str(index)])
        *named, last = warnings.findings()
        assert [finding.path for finding in named] == [f"/{index}" for index in range(20)]
        assert (last.path, last.rule) == ("", "path.symlink")
        assert last.message == f"980 more: {RULES['path.symlink']}"
