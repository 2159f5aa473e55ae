"""Checking a file: findings, and the rules of publishing."""

import math
from typing import Any

import attrs
import pytest

from sitedata import Problem, Report, check, encode
from sitedata.parsing import RULES, broken_path_rule, is_https
from support.sitedata.site_examples import PLAIN, PROBLEM, SNAPSHOT, plain, problem, snapshot


@pytest.mark.rule("SD-FILE-05", "SD-PUBLISH-10")
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

    @pytest.mark.parametrize("value", [PLAIN, encode(SNAPSHOT), None], ids=type)
    def test_only_a_snapshot_is_encoded(self, value: Any) -> None:
        with pytest.raises(TypeError, match=r"^snapshot: .*: pass parse\(body\) or struct"):
            encode(value)

    @pytest.mark.parametrize(
        ("value", "rule"),
        [
            (b"{}", "required"),
            (None, "type"),
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


def found(*problems: Problem, **members: Any) -> list[tuple[str, str]]:
    """Return paths and rules of the warnings about a snapshot's problems."""
    warnings = check(snapshot(problems=problems or (PROBLEM,), **members)).warnings
    assert all(warning.message == RULES[warning.rule] for warning in warnings)
    return [(warning.path, warning.rule) for warning in warnings]


class TestPaths:
    @pytest.mark.parametrize(
        ("path", "rule"),
        [
            ("//a", "path.relative"),
            ("a/", "path.segment"),
            ("./a", "path.segment"),
            ("..", "path.segment"),
            ("a/.", "path.segment"),
        ],
    )
    def test_invalid_paths(self, path: str, rule: str) -> None:
        assert broken_path_rule(path) == rule
        assert found(problem(path)) == [("/problems/0/path", rule)]

    @pytest.mark.parametrize(
        "path", ["a", "a/b", "a/...", "a/.b", "a/b.", "a\\..\\b/c", "a b/\x80", "\u6f22/\U0001f3b5"]
    )
    def test_unusual_valid_paths(self, path: str) -> None:
        assert broken_path_rule(path) is None
        assert found(problem(path)) == []

    @pytest.mark.rule("SD-PUBLISH-11")
    @pytest.mark.parametrize("control", ["\0", "\t", "\n", "\x1b[31m", "\x1f", "\x7f"])
    @pytest.mark.parametrize("member", ["path", "title"])
    def test_control_characters(self, member: str, control: str) -> None:
        changed: dict[str, Any] = {member: f"AtCoder/{control}.py"}
        hostile = attrs.evolve(PROBLEM, **changed)
        assert found(hostile) == [(f"/problems/0/{member}", "text.control")]


class TestUrls:
    @pytest.mark.parametrize(
        "url",
        [
            "https://a.example",
            "HTTPS://a.example",
            "https://a.example/b%20c?d=e#f",
            "https://m\u00fcnchen.example/\u6f22",
            "https://127.0.0.1:8443/",
        ],
    )
    def test_absolute_https(self, url: str) -> None:
        assert is_https(url)

    @pytest.mark.parametrize(
        "url",
        [
            *("", "a", "//a.example/", "ftp://a.example/", "javascript:alert(1)"),
            *("data:text/html,x", "https:", "https://", "https:///", "https://a b.example/"),
            *("https://a.example:65536/", "https://%00/", "https://xn--a.example/"),
            *("https://\ud800/", " https://a.example/"),
        ],
    )
    def test_others(self, url: str) -> None:
        assert not is_https(url)

    def test_each_of_the_three_urls_is_checked(self) -> None:
        bad = attrs.evolve(PROBLEM, problem_url="", github_url="x", raw_url="http://a.example/")
        assert found(bad) == [
            (f"/problems/0/{name}", "url.https") for name in ("problemUrl", "githubUrl", "rawUrl")
        ]
