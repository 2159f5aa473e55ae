"""Each publishing rule."""

from typing import Any

import attrs
import pytest

from sitedata import Problem
from sitedata.limits import FINDINGS_CAP
from sitedata.reading.checking import (
    RULES,
    broken_path_rule,
    check_publishing_rules,
    is_https,
)
from support.checks.costs import assert_linear
from support.sitedata.site_examples import PROBLEM, SNAPSHOT, problem, snapshot


def found(*problems: Problem, **members: Any) -> list[tuple[str, str]]:
    """Return paths and rules of the warnings about a snapshot's problems."""
    warnings = check_publishing_rules(snapshot(problems=problems or (PROBLEM,), **members))
    assert all(warning.message == RULES[warning.rule] for warning in warnings)
    return [(warning.path, warning.rule) for warning in warnings]


class TestPaths:
    def test_a_snapshot_that_keeps_all_rules(self) -> None:
        assert check_publishing_rules(SNAPSHOT) == ()

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
        "path", ["a", "a/b", "a/...", "a/.b", "a/b.", "a\\..\\b/c", "a b/\n", "\u6f22/\U0001f3b5"]
    )
    def test_unusual_valid_paths(self, path: str) -> None:
        assert broken_path_rule(path) is None
        assert found(problem(path)) == []

    def test_a_repeated_path(self) -> None:
        assert found(PROBLEM, problem("AtCoder/b"), PROBLEM, PROBLEM) == [
            ("/problems/2/path", "path.unique"),
            ("/problems/3/path", "path.unique"),
        ]


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
            "",
            "a",
            "//a.example/",
            "ftp://a.example/",
            "javascript:alert(1)",
            "data:text/html,x",
            "https:",
            "https://",
            "https:///",
            "https://a b.example/",
            "https://a.example:65536/",
            "https://%00/",
            " https://a.example/",
        ],
    )
    def test_others(self, url: str) -> None:
        assert not is_https(url)

    def test_each_of_the_three_urls_is_checked(self) -> None:
        bad = attrs.evolve(PROBLEM, problem_url="", github_url="x", raw_url="http://a.example/")
        assert found(bad) == [
            (f"/problems/0/{name}", "url.https") for name in ("problemUrl", "githubUrl", "rawUrl")
        ]


class TestContributions:
    def test_the_sum(self) -> None:
        assert found(commit_count=4) == [("/commitCount", "contributions.sum")]
        assert found(commit_count=0, contributions={}) == []


class TestLimits:
    def test_no_more_than_the_cap(self) -> None:
        assert len(found(*[PROBLEM] * 1000)) == FINDINGS_CAP

    def test_the_cost_is_linear(self) -> None:
        def many(size: int) -> Any:
            return snapshot(problems=tuple(problem(f"a/{number}") for number in range(size)))

        assert_linear(check_publishing_rules, many, 2000)
