"""Properties of proposed settings: for any names there is a proposal, or one error."""

import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitedata.adapters.config import read_config
from sitedata.building.builder import build
from sitedata.building.history import FileKind, History, TreeFile
from sitedata.building.proposal import NoSolutionsError, Proposal, detect, settings_text
from sitedata.building.survey import platform_of
from support.checks.costs import assert_linear
from support.sitedata.repositories import HOSTILE_NAMES

NAMES = [
    "leetcode", "LeetCode", "python", "cpp", "src", "codeforces", "AtCoder", "ABC", "381", "abc381",
    "D", "e", "1950", "1950E", "kattis", "hello", "advent-of-code", "aoc2023", "2023", "day01",
    "part1", "01", "exercism", "exercism-go", "go", "two-fer", ".exercism", "config.json", "tests",
    "0001-two-sum", "1.two-sum", "main", "solution", "docs", "cf", "ac", "___", "a" * 201,
]  # fmt: skip
segments = (
    st.sampled_from(NAMES).map(str.encode)
    | st.sampled_from(HOSTILE_NAMES)
    | st.text(max_size=4).map(lambda text: text.encode("utf-8", "replace"))
    | st.binary(max_size=3)
)
endings = st.sampled_from([b".py", b".cpp", b".rs", b"_test.cpp", b".ipynb", b".md", b""])
paths = st.builds(
    lambda parts, ending: b"/".join(parts) + ending,
    st.lists(segments, min_size=1, max_size=5),
    endings,
)
KINDS: list[FileKind] = ["file", "file", "file", "symlink", "submodule"]
files = st.lists(st.builds(TreeFile, paths, st.sampled_from(KINDS)), max_size=12)
repositories = st.none() | st.sampled_from(
    ["leetcode", "advent-of-code", "aoc-2023", "exercism", "exercism-go", "kattis", "practice", ""]
)


def proposal_of(listed: list[TreeFile], repository: str | None) -> Proposal | None:
    """Return the proposal; None if there are no solutions, which is the only error."""
    try:
        return detect(listed, repository=repository)
    except NoSolutionsError as error:
        found = error
    assert str(found).isprintable()
    return None


class TestProposals:
    @given(files, repositories)
    @settings(max_examples=150)
    def test_the_text_is_the_settings_and_the_build_has_the_counts(
        self, listed: list[TreeFile], repository: str | None
    ) -> None:
        proposal = proposal_of(listed, repository)
        if proposal is None:
            return
        text = settings_text(proposal)
        assert tomllib.loads(text) == proposal.tables
        read = read_config(text)
        assert read == proposal.settings
        remote = "git@github.com:ada/p.git"
        history = History("main", "main", "a" * 40, remote, tuple(listed), {}, 0, {})
        built = build(history, read, generated_at=0)
        assert len(built.snapshot.problems) == proposal.listed
        assert built.skipped == proposal.skipped
        linked = sum(rule.files for rule in proposal.rules if rule.example.url)
        assert linked == sum(
            each.problem_url != each.github_url for each in built.snapshot.problems
        )
        assert proposal.listed + sum(proposal.skipped.values()) == len(listed)
        examples = {rule.example.path: rule.example for rule in proposal.rules}
        for problem in built.snapshot.problems:
            if problem.path in examples:
                assert problem.title == examples[problem.path].title

    @given(files, repositories, st.randoms(use_true_random=False))
    @settings(max_examples=60)
    def test_the_order_of_the_files_does_not_matter(
        self, listed: list[TreeFile], repository: str | None, random: Any
    ) -> None:
        once = list({file.name: file for file in listed}.values())
        shuffled = list(once)
        random.shuffle(shuffled)
        first, second = proposal_of(once, repository), proposal_of(shuffled, repository)
        assert first == second
        if first is not None and second is not None:
            assert settings_text(first) == settings_text(second)

    @given(st.text(max_size=300))
    def test_any_name_says_one_platform_or_none(self, name: str) -> None:
        found = platform_of(name)
        assert found is None or found.name


def many(size: int) -> list[TreeFile]:
    paths = (
        (f"LeetCode/{n:04}-a-b/solution.py", f"p{n}/leetcode/a-{n}.py", f"aoc/2023/day1/{n}/x.rs")
        for n in range(size)
    )
    return [TreeFile(path.encode()) for group in paths for path in group]


def deep(size: int) -> list[TreeFile]:
    return [TreeFile(f"{n}/{'leetcode' * size}/{'a/' * size}x.py".encode()) for n in range(9)]


@pytest.mark.check
class TestCost:
    def test_many_files_cost_linear_time(self) -> None:
        assert_linear(detect, many, 60)

    def test_long_names_cost_linear_time(self) -> None:
        assert_linear(detect, deep, 300)
