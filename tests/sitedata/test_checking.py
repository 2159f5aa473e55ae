"""Invariants *one verdict* and *nothing else is raised* of `check`."""

import math
from typing import Any

import attrs
import pytest

from purewire.html_table import MAX_ROWS
from sitedata import Report, check, encode, parse
from support.checks.html_tables import texts
from support.sitedata.site_examples import PLAIN, SNAPSHOT, plain, snapshot


class TestCheck:
    @pytest.mark.parametrize(
        "value",
        [
            encode(SNAPSHOT),
            bytearray(encode(SNAPSHOT)),
            memoryview(encode(SNAPSHOT)),
            PLAIN,
            SNAPSHOT,
        ],
        ids=type,
    )
    def test_a_valid_snapshot_in_any_form(self, value: object) -> None:
        assert check(value) == Report(SNAPSHOT)

    def test_a_publishing_rule_is_a_warning(self) -> None:
        body = encode(snapshot(commit_count=9))
        report = check(body)
        assert report.snapshot == parse(body)
        assert report.errors == ()
        assert [(warning.path, warning.rule) for warning in report.warnings] == [
            ("/commitCount", "contributions.sum")
        ]
        assert report.findings == report.warnings

    @pytest.mark.parametrize(
        ("value", "rule"),
        [
            (b"", "json.text"),
            (b"[" * 100_000 + b"]" * 100_000, "json.depth"),
            (b"{}", "required"),
            (None, "type"),
            ([], "type"),
            (object(), "type"),
            (plain(commitCount=math.nan), "number.finite"),
        ],
        ids=lambda value: str(value)[:9],
    )
    def test_an_invalid_value_has_errors_and_no_warnings(self, value: object, rule: str) -> None:
        report = check(value)
        assert report.snapshot is None
        assert report.errors[0].rule == rule
        assert report.warnings == ()
        assert report.findings == report.errors

    def test_a_recursive_value_is_an_error(self) -> None:
        looped: dict[str, Any] = {}
        looped["a"] = looped
        (error,) = check(plain(more=looped)).errors
        assert (error.path, error.rule) == ("/more", "json.depth")
        (error,) = check(snapshot(ratings={"a": looped})).errors
        assert (error.path, error.rule) == ("/ratings/a", "json.depth")

    @pytest.mark.parametrize(
        "members",
        [
            {"generated_at": "now"},
            {"generated_at": 10**30},
            {"generated_at": math.inf},
            {"repository": None},
            {"problems": []},
            {"problems": (None,)},
            {"contributions": None},
            {"contributions": {"2026-01-31": math.nan}},
            {"contributions": {1: 1, "2": 1}},
            {"extra": None},
            {"commit_count": -1},
            {"source_ref": b"x"},
        ],
        ids=repr,
    )
    def test_a_snapshot_with_values_of_any_type_is_checked(self, members: dict[str, Any]) -> None:
        report = check(attrs.evolve(SNAPSHOT, **members))
        assert report.snapshot is None
        assert report.errors != ()

    def test_the_repr_of_a_report_has_its_counts(self) -> None:
        assert repr(check(PLAIN)) == "<Report: 0 errors, 0 warnings>"
        assert repr(check(None)) == "<Report: 1 errors, 0 warnings>"

    def test_notebooks_show_the_findings(self) -> None:
        caption, *cells = texts(check(snapshot(commit_count=9))._repr_html_())
        assert caption == "Report, errors: 0, warnings: 1"
        assert cells[:7] == [
            *("level", "path", "rule", "message"),
            *("warning", "/commitCount", "contributions.sum"),
        ]

    def test_many_findings_are_cut(self) -> None:
        report = check(plain(problems=[None] * (MAX_ROWS + 3)))
        cells = texts(report._repr_html_())
        assert cells.count("error") == MAX_ROWS
        assert cells[-1] == "and 3 more"
