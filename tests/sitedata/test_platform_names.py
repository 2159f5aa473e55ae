"""Names of folders and repositories that say which platform they are of."""

import pytest

from sitedata.building.survey import NamedPlatform, platform_of


class TestPlatformOf:
    @pytest.mark.parametrize(
        ("name", "platform"),
        [
            ("LeetCode", "leetcode"),
            ("leet-code", "leetcode"),
            ("leetcode-solutions", "leetcode"),
            ("LeetCodeSolutions", "leetcode"),
            ("my_leetcode_in_python", "leetcode"),
            ("leetcode-75", "leetcode"),
            ("lc", "leetcode"),
            ("Codeforces Contests", "codeforces"),
            ("cf", "codeforces"),
            ("AtCoder_cpp", "atcoder"),
            ("open.kattis.com", "kattis"),
            ("Project Euler", "projecteuler"),
            ("洛谷", "luogu"),
            ("advent-of-code", "adventofcode"),
            ("AoC", "adventofcode"),
            ("exercism", "exercism"),
            ("exercism-exercises", "exercism"),
        ],
    )
    def test_a_name_with_usual_words_says_its_platform(self, name: str, platform: str) -> None:
        assert platform_of(name) == NamedPlatform(platform)

    @pytest.mark.parametrize(
        ("name", "year"),
        [
            ("aoc2023", "2023"),
            ("aoc-23", "2023"),
            ("AdventOfCode2015", "2015"),
            ("2022-advent-of-code", "2022"),
            ("advent-of-code-2024-rust", "2024"),
        ],
    )
    def test_a_name_has_the_year_of_the_advent_of_code(self, name: str, year: str) -> None:
        assert platform_of(name) == NamedPlatform("adventofcode", year=year)

    @pytest.mark.parametrize(
        ("name", "track"),
        [("exercism-python", "python"), ("Exercism_Common-Lisp", "common-lisp")],
    )
    def test_a_name_has_the_track_of_exercism(self, name: str, track: str) -> None:
        assert platform_of(name) == NamedPlatform("exercism", track=track)

    @pytest.mark.parametrize(
        "name",
        [
            "",
            "python",
            "practice",
            "leetcode-clone",  # a word that such names do not have
            "leetcode-vs-codeforces",
            "ada-leetcode",
            "ac",  # also other things
            "gym",
            "Online-Judge",
            "uva-notes",  # a short name may be part of another
            "aoc-2014",  # before the first one
            "aoc-99",
            "aoc-2022-2023",
            "leetcode" * 100,
            "\x00",
        ],
    )
    def test_any_other_name_says_nothing(self, name: str) -> None:
        assert platform_of(name) is None
