"""The scripts of the practice page under Node, compared with the library over many files."""

import base64
import json
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sitedata
from sitedata import counts, encode, ordered, strategies
from sitedata.views.calendar import calendar_of, solved_on
from sitedata.views.selecting import solved
from status_contracts.adapters.contract import body_bytes
from support.servers.node import evaluate
from support.sitedata.site_examples import problem, snapshot

pytestmark = pytest.mark.check

TESTS = Path(__file__).parents[1]
SITE = files("sitedata") / "page_files"
SCRIPTS = tuple(SITE / f"{name}.js" for name in ("days", "reading", "listing"))
RUNNER = TESTS / "practice_runner.js"
VECTORS = TESTS.parent / "vectors" / "sitedata"
T = TypeVar("T")


def under_node(bodies: Iterable[bytes]) -> list[Any]:
    """Return what the page computes of each file."""
    given = [{"body": base64.b64encode(each).decode()} for each in bodies]
    found: list[Any] = evaluate("given.map(results)", given, *SCRIPTS, RUNNER)
    return found


def evaluate_page(expression: str, *given: object) -> Any:
    """Return the value of an expression over `given`, with the scripts of the page."""
    return evaluate(expression, given, *SCRIPTS)


def expected(body: bytes) -> dict[str, Any]:
    """Return what the library computes of a valid file."""
    found = sitedata.parse(body)
    counted = counts(found.problems)
    indexes = {id(each): index for index, each in enumerate(found.problems)}
    latest = [indexes[id(each)] for each in ordered(found.problems, newest_first=True)]
    first = [indexes[id(each)] for each in ordered(found.problems, newest_first=False)]
    groups = solved(ordered(found.problems))
    active = calendar_of(found).counts
    days = [solved_on(each, active) for each in groups]
    return {
        "generatedAt": found.generated_at,
        "orders": {"newest": latest, "oldest": first},
        "platforms": [list(item) for item in counted.platforms.items()],
        "sites": [list(item) for item in counted.sites.items()],
        "files": [[indexes[id(file)] for file in each.files] for each in groups],
        "solved": [None if day is None else day.isoformat() for day in days],
        "languages": [list(item) for item in counted.languages.items()],
    }


def drawn(examples: int, values: st.SearchStrategy[T]) -> list[T]:
    """Return values of a strategy, to be computed by one run of Node."""
    found: list[T] = []
    collect = given(values)(lambda value: found.append(value))  # noqa: PLW0108 - it needs a name
    settings(max_examples=examples, database=None)(collect)()
    return found


def check(bodies: Sequence[bytes]) -> None:
    """Check that page and library agree on valid files."""
    for body, found in zip(bodies, under_node(bodies), strict=True):
        assert "invalid" not in found, (found, body)
        assert found == expected(body), body


class TestPort:
    """The page reads, orders, merges and counts as the library does."""

    def test_files_of_the_vectors(self) -> None:
        """The page refuses what the library refuses, whatever the depth."""
        cases = json.loads((VECTORS / "files.json").read_text("utf-8"))["cases"]
        bodies = [body_bytes(case["input"]["body"]) for case in cases]
        found = under_node(bodies)
        refused = {case["id"] for case, each in zip(cases, found, strict=True) if "invalid" in each}
        assert refused == {case["id"] for case in cases if not case["expected"]["valid"]}

    def test_depth_counts_as_in_the_library(self) -> None:
        """Many brackets neither stop the page nor slow it."""
        start = encode(snapshot()).rstrip()[:-1] + b',"more":'
        bodies = [start + b"[" * n + b"]" * n + b"}" for n in (498, 499, 500, 501, 100_000)]
        refused = ["invalid" in found for found in under_node(bodies)]
        assert refused == [sitedata.check(body).snapshot is None for body in bodies]

    def test_any_snapshots(self) -> None:
        check(list(map(encode, drawn(100, strategies.snapshots(max_problems=12)))))

    def test_any_problems_of_several_files(self) -> None:
        """First segments that are languages, years or problems; problems with several files."""
        urls = st.sampled_from(
            (
                *("https://leetcode.com/problems/two-sum/", "https://www.a.example/1", "x"),
                *("HTTPS://User@B.example:444/1", "https://", "https://b\\c/1", "https://a b/"),
            )
        )
        problems = st.builds(
            lambda segment, name, url, is_own, members: problem(
                f"{segment}/{name}",
                problem_url=url,
                github_url=url if is_own else "https://code.example/1",
                **members,
            ),
            st.sampled_from(
                ("cpp", "Python3", "golang", "2024-25", "0001-two-sum", "uva", "C", "")
            ),
            st.sampled_from(("a.py", "a.cpp", "a.GO", "a", ".x", "b/solution.py")),
            urls | strategies.snapshots().map(lambda found: found.repository.name),
            st.booleans(),
            st.fixed_dictionaries(
                {
                    "language": st.sampled_from(("C++", "Python", "Go", "C")),
                    "title": st.sampled_from(("1. Two Sum", "solution", "A", "Ⅷ_x", "")),
                    "time": st.none()
                    | st.sampled_from(("2026-01-30T00:00:00Z", "2026-01-31T01:00:00+01:00")),
                }
            ),
        )

        found = drawn(100, st.lists(problems, max_size=7))
        check([encode(snapshot(problems=tuple(each))) for each in found])

    def test_invalid_files_are_refused(self) -> None:
        bodies = [faulty.body for faulty in drawn(60, strategies.faulty_bodies())]
        for body, found in zip(bodies, under_node(bodies), strict=True):
            assert "invalid" in found, body


class TestFilters:
    PROBLEMS = tuple(
        {
            "title": title,
            "path": f"{platform}/{title}.{language}",
            "platform": platform,
            "language": language,
            "problemUrl": f"https://{platform}.example/{title}",
            "time": day and {"day": day, "ms": int(day[-2:]), "rest": 0},
        }
        for title, platform, language, day in (
            ("Two Sum", "leetcode", "Python", "2026-01-31"),
            ("Two Sum", "leetcode", "Rust", "2026-01-30"),
            ("Straße", "cses", "C++", "2026-01-30"),
            ("Cafe\u0301", "kattis", "C", None),
        )
    )

    def test_what_passes_a_filter(self) -> None:
        cases: list[tuple[dict[str, str], list[str]]] = [
            ({}, ["Two Sum", "Straße", "Café"]),
            ({"text": "sum two"}, ["Two Sum"]),
            ({"text": "STRASSE"}, ["Straße"]),
            ({"text": "caf\u00e9"}, ["Café"]),
            ({"text": "c++"}, ["Straße"]),
            ({"text": "LEETcode PY"}, ["Two Sum"]),
            ({"text": " \t "}, ["Two Sum", "Straße", "Café"]),
            ({"text": "sum cses"}, []),
            ({"platform": "cses"}, ["Straße"]),
            ({"language": "C"}, ["Café"]),
            ({"language": "Rust"}, ["Two Sum"]),
            ({"text": "rust python"}, ["Two Sum"]),
            ({"site": "cses.example"}, ["Straße"]),
            ({"text": "KATTIS.example"}, ["Café"]),
            ({"language": ""}, []),
            ({"since": "2026-01-30"}, ["Two Sum", "Straße"]),
            ({"until": "2026-01-29"}, []),
            ({"since": "2026-01-31"}, []),
            ({"since": "2026-01-30", "until": "2026-01-30"}, ["Two Sum", "Straße"]),
        ]
        found = self.selected(self.PROBLEMS, *(changes for changes, _ in cases))
        assert found == [titles for _, titles in cases]

    @pytest.mark.rule("SD-VIEW-13")
    @pytest.mark.parametrize(
        ("titles", "found"),
        [
            (
                ("Two Sum II", "3 Two Sum", "Two  Sum", "two sum", "Two Sum IV"),
                ["Two  Sum", "two sum", "Two Sum II", "3 Two Sum", "Two Sum IV"],
            ),
            (
                ("2. Two Sum II", "100 - Two Sum", "St. Two Sum", "1. Two Sum", "Two Sum"),
                ["Two Sum", "100 - Two Sum", "1. Two Sum", "2. Two Sum II", "St. Two Sum"],
            ),
        ],
        ids=["exact", "after-its-number"],
    )
    def test_an_exact_title_comes_first(self, titles: tuple[str, ...], found: list[str]) -> None:
        problems = [
            self.PROBLEMS[0] | {"title": title, "problemUrl": f"https://x.example/{title}"}
            for title in titles
        ]
        assert self.selected(problems, {"text": " TWO SUM "}) == [found]

    def test_texts_compare_in_half_width_with_one_space(self) -> None:
        names = {"path": "f/\uff21.c", "platform": "f\uff41", "language": "C"}
        problem = self.PROBLEMS[0] | names | {"title": "\uff21\uff0b\uff22\u2005C"}
        filters = ({"text": "a+b c"}, {"text": "\uff0b"}, {"platform": "fa"}, {"platform": "FA"})
        assert [len(each) for each in self.selected([problem], *filters)] == [1, 1, 1, 0]

    def test_files_with_their_own_link_are_one_problem_by_folder_and_title(self) -> None:
        own = {"problemUrl": "https://h.example/f", "githubUrl": "https://h.example/f"}
        paths = ("f/a/main.c", "f/a/main.py", "f/b/main.c")
        problems = [
            self.PROBLEMS[0] | {key: f"{url}/{path}" for key, url in own.items()} | {"path": path}
            for path in paths
        ]
        (found,) = self.selected(problems, {})
        assert found == ["Two Sum", "Two Sum"]

    @staticmethod
    def selected(problems: Sequence[dict[str, Any]], *filters: dict[str, str]) -> list[list[str]]:
        """Return the titles that pass each filter."""
        expression = (
            "given[1].map((each) => listing.select(listing.prepare(listing.merge(given[0])),"
            " {...listing.EMPTY, ...each}).map(({title}) => title.normalize()))"
        )
        found: list[list[str]] = evaluate_page(expression, problems, filters)
        return found

    @settings(max_examples=1)
    @given(st.data())
    def test_fragments_keep_filters(self, data: st.DataObject) -> None:
        names = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
        texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
        day = st.none() | strategies.days()
        sorts = st.sampled_from(("newest", "oldest", "title", "platform", "site", "language"))
        filters = st.fixed_dictionaries(
            {"text": texts, "platform": names, "site": names, "language": names}
            | {"since": day, "until": day, "sort": sorts}
        )
        drawn = data.draw(st.lists(filters, min_size=60, max_size=60))
        expression = "given[0].map((each) => listing.readFragment(listing.writeFragment(each)))"
        assert evaluate_page(expression, drawn) == drawn

    def test_what_a_fragment_cannot_mean_is_ignored(self) -> None:
        """A long text is cut; the empty filter has no fragment."""
        fragments = (
            "#since=2026-02-30&until=x&sort=constructor",
            "#sort=__proto__&unknown=1",
            "#%E0%A4%A",
            f"#q={'x' * 9_999}",
        )
        *ignored, cut = evaluate_page("given[0].map(listing.readFragment)", fragments)
        empty = evaluate_page("listing.EMPTY")
        assert ignored == [empty] * len(ignored)
        assert cut == empty | {"text": "x" * 200}
        assert evaluate_page("listing.writeFragment(listing.EMPTY)") == ""
