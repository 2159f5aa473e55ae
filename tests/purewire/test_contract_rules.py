"""Rules files: what is parsed, and which files are rejected with which message."""

from typing import Any

import pytest

from purewire.adapters.contract import Contract, Rule, parse_contract, read_contract


def table(**members: Any) -> dict[str, Any]:
    """Return the table of a rule; None leaves a member out."""
    given = {
        "level": "must",
        "text": "A rule.",
        "source": ["Section 1"],
        "implemented_by": ["package.module:name"],
        "tested_by": ["tests/test_module.py::TestName"],
        **members,
    }
    return {name: value for name, value in given.items() if value is not None}


def file(rules: dict[str, Any], **members: Any) -> dict[str, Any]:
    groups = {"ONE": "First group"}
    return {"prefix": "XY", "title": "Product", "groups": groups, "rules": rules, **members}


def problem(tables: dict[str, Any]) -> str:
    with pytest.raises(ValueError) as error:  # noqa: PT011 - callers compare the message
        parse_contract(tables)
    return str(error.value)


class TestParse:
    def test_a_rule_with_all_members(self) -> None:
        limits = {"NAME_LENGTH": 200, "JITTER": 0.8}
        whole = table(limits=limits, findings=["text.length"], reason="Because.")
        assert parse_contract(file({"XY-ONE-01": whole})) == Contract(
            prefix="XY",
            title="Product",
            groups={"ONE": "First group"},
            rules={
                "XY-ONE-01": Rule(
                    id="XY-ONE-01",
                    level="must",
                    text="A rule.",
                    limits=limits,
                    findings=("text.length",),
                    implemented_by=("package.module:name",),
                    tested_by=("tests/test_module.py::TestName",),
                    source=("Section 1",),
                    reason="Because.",
                )
            },
        )

    def test_a_rule_with_a_reason_alone(self) -> None:
        bare = table(implemented_by=None, tested_by=None, reason="A rule for operators.")
        rule = parse_contract(file({"XY-ONE-01": bare})).rules["XY-ONE-01"]
        assert (rule.implemented_by, rule.tested_by, rule.findings) == ((), (), ())
        assert (rule.limits, rule.reason) == ({}, "A rule for operators.")

    def test_numbers_may_leave_some_out(self) -> None:
        """The number of a removed rule is not used again."""
        rules = {"XY-ONE-01": table(), "XY-ONE-03": table(text="Another rule.")}
        assert list(parse_contract(file(rules)).rules) == ["XY-ONE-01", "XY-ONE-03"]


class TestRejected:
    @pytest.mark.parametrize("rule_id", ["xy-one-01", "XY-ONE-1", "XX-ONE-01", "XY-TWO-01"])
    def test_ids_have_the_prefix_a_known_group_and_two_digits(self, rule_id: str) -> None:
        found = problem(file({"XY-ONE-01": table(), rule_id: table(text="Another rule.")}))
        assert found == f"{rule_id}: expected XY-GROUP-NN with a group of [groups]"

    def test_numbers_ascend_within_a_group(self) -> None:
        rules = {"XY-ONE-02": table(), "XY-ONE-01": table(text="Another rule.")}
        assert problem(file(rules)) == "XY-ONE-01: expected a number above 02"

    def test_numbers_begin_with_01(self) -> None:
        assert problem(file({"XY-ONE-00": table()})).startswith("XY-ONE-00: expected a number")

    def test_texts_differ(self) -> None:
        rules = {"XY-ONE-01": table(), "XY-ONE-02": table()}
        assert problem(file(rules)) == "XY-ONE-02: the same text as XY-ONE-01"

    @pytest.mark.parametrize("member", ["implemented_by", "tested_by"])
    @pytest.mark.parametrize("value", [None, []])
    def test_what_nothing_proves_needs_a_reason(self, member: str, value: Any) -> None:
        found = problem(file({"XY-ONE-01": table(**{member: value})}))
        assert found == "XY-ONE-01: expected implemented_by and tested_by, or a reason"

    def test_a_group_has_rules(self) -> None:
        groups = {"ONE": "First group", "TWO": "Second group"}
        assert problem(file({"XY-ONE-01": table()}, groups=groups)) == "TWO: a group without rules"

    @pytest.mark.parametrize(
        ("members", "path"),
        [
            ({"level": "shall"}, "/rules/XY-ONE-01/level"),
            ({"text": ""}, "/rules/XY-ONE-01/text"),
            ({"source": []}, "/rules/XY-ONE-01/source"),
            ({"limits": {"NAME": "x"}}, "/rules/XY-ONE-01/limits/NAME"),
            ({"test_by": []}, "/rules/XY-ONE-01/test_by"),
        ],
    )
    def test_tables_have_the_documented_members(self, members: dict[str, Any], path: str) -> None:
        assert problem(file({"XY-ONE-01": table(**members)})).startswith(f"{path}: ")

    def test_all_problems_are_listed(self) -> None:
        rules = {"XY-ONE-01": table(tested_by=None), "XY-ONE-02": table()}
        assert len(problem(file(rules)).splitlines()) == 2


class TestRead:
    def test_the_contract_of_a_product(self) -> None:
        assert read_contract("devicestatus").prefix == "DS"

    def test_a_package_without_one(self) -> None:
        with pytest.raises(FileNotFoundError):
            read_contract("purewire")
