"""The modules of the practice page under Node, compared with the library over many files."""

import base64
import json
import subprocess
from collections.abc import Iterable, Sequence
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sitedata
from purewire.pages.settings import PageSettings
from sitedata import Problem, Snapshot, calendar_of, counts, encode, ordered
from sitedata.adapters.site.pages import build_practice
from sitedata.reading.times import read_day, write_day
from sitedata.testing import strategies
from sitedata.views.calendar import Streak
from sitedata.views.heat_levels import build_heat
from sitedata.views.solved import grouping_of, solved
from support.servers.services import need
from support.sitedata.large_snapshots import large_snapshot
from support.sitedata.site_examples import plain, problem, snapshot
from support.vectors.topics import body_bytes

TESTS = Path(__file__).parents[1]
SITE = files("sitedata.adapters.site")
VECTORS = TESTS.parent / "vectors" / "sitedata"
WEEKS = (8, 25, 53)
SAFE = 2**53
"""Counts from here on are doubles in a browser, and no longer exact."""


def under_node(bodies: Iterable[bytes]) -> list[Any]:
    """Return what the page computes of each file."""
    given = [{"body": base64.b64encode(each).decode(), "weeks": WEEKS} for each in bodies]
    done = subprocess.run(
        [need("node", "nodejs"), str(TESTS / "practice_runner.cjs"), str(SITE)],
        input=json.dumps(given).encode(),
        capture_output=True,
        check=True,
        timeout=120,
    )
    found: list[Any] = json.loads(done.stdout)
    return found


def evaluate(expression: str, *given: object) -> Any:
    """Return the value of an expression over `given`, with the modules of the page by name."""
    names = ("days", "reading", "calendar", "listing")
    modules = "".join(f"const {n} = require({json.dumps(str(SITE / f'{n}.js'))});" for n in names)
    program = (
        f"{modules}const given = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));"
        f"process.stdout.write(JSON.stringify({expression}))"
    )
    done = subprocess.run(
        [need("node", "nodejs"), "-e", program],
        input=json.dumps(given).encode(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    return json.loads(done.stdout)


def expected(body: bytes) -> dict[str, Any]:
    """Return what the library computes of a valid file."""
    found = sitedata.parse(body)
    calendar, counted = calendar_of(found), counts(found.problems)
    end = str(calendar.end)
    around = [read_day(end) + n for n in (-2, -1, 0)]
    by_day = calendar_of(found.problems)
    return {
        "generatedAt": found.generated_at,
        "orders": {"newest": _order(found, newest=True), "oldest": _order(found, newest=False)},
        "platforms": [list(item) for item in counted.platforms.items()],
        "sites": [list(item) for item in counted.sites.items()],
        "grouping": grouping_of(found.problems),
        "files": _files(found),
        "languages": [list(item) for item in counted.languages.items()],
        "until": end,
        "counts": [list(item) for item in calendar.counts.items()],
        "streaks": [_streak(each) for each in calendar.streaks],
        "longest": _streak(calendar.longest),
        "current": [_streak(calendar.current(write_day(day))) for day in around],
        "heats": [_heat(found, weeks) for weeks in WEEKS],
        "solved": [list(item) for item in by_day.counts.items()],
    }


def _order(found: Snapshot, *, newest: bool) -> list[int]:
    indexes = {id(each): index for index, each in enumerate(found.problems)}
    return [indexes[id(each)] for each in ordered(found.problems, newest_first=newest)]


def _files(found: Snapshot) -> list[list[int]]:
    indexes = {id(each): index for index, each in enumerate(found.problems)}
    return [[indexes[id(file)] for file in each.files] for each in solved(ordered(found.problems))]


def _streak(found: Streak | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"first": found.first, "last": found.last, "days": found.days}


def _heat(found: Snapshot, weeks: int) -> dict[str, Any] | None:
    heat = build_heat(calendar_of(found), until=None, weeks=weeks)
    if heat is None:
        return None
    return {
        "monday": heat.monday,
        "days": [heat.days[0], heat.days[-1]],
        "levels": [list(item) for item in heat.levels.items()],
        "scale": [list(item) for item in heat.scale.items()],
    }


def check(bodies: Sequence[bytes]) -> None:
    """Check that page and library agree on valid files."""
    for body, found in zip(bodies, under_node(bodies), strict=True):
        assert "invalid" not in found, (found, body)
        spans = found.pop("spans")
        assert found == expected(body), body
        check_spans(sitedata.parse(body), spans)


def check_spans(found: Snapshot, spans: list[dict[str, int]]) -> None:
    """Check that spans follow each other, hold every dated problem and have its months' sums."""
    months = {month.name: month.total for month in calendar_of(found.problems).months()}
    assert sum(span["count"] for span in spans) == sum(months.values())
    assert len(spans) <= 61
    for one, other in pairwise(spans):
        assert other["first"] == one["last"] + 1
    if spans and spans[0]["months"] == 1:
        names = [write_day(span["first"])[:7] for span in spans]
        assert {n: s["count"] for n, s in zip(names, spans, strict=True) if s["count"]} == months


def is_exact(found: Snapshot) -> bool:
    numbers = (found.commit_count, *found.contributions.values())
    return sum(numbers) < SAFE


class TestPort:
    """The page reads, orders, counts and levels as the library does."""

    def test_files_of_the_vectors(self) -> None:
        """The page accepts any depth, which protects the parsers of services only."""
        cases = json.loads((VECTORS / "files.json").read_text("utf-8"))["cases"]
        bodies = [body_bytes(case["input"]["body"]) for case in cases]
        found = under_node(bodies)
        refused = {case["id"] for case, each in zip(cases, found, strict=True) if "invalid" in each}
        invalid = {case["id"]: case for case in cases if not case["expected"]["valid"]}
        assert refused <= invalid.keys()
        accepted = [invalid[name]["expected"]["findings"] for name in invalid.keys() - refused]
        assert {finding["rule"] for findings in accepted for finding in findings} == {"json.depth"}

    def test_orders_of_the_vectors(self) -> None:
        cases = json.loads((VECTORS / "order.json").read_text("utf-8"))["cases"]
        template = plain()["problems"][0]
        bodies = [
            json.dumps(
                plain(problems=[template | each for each in case["input"]["problems"]])
            ).encode()
            for case in cases
        ]
        for case, found in zip(cases, under_node(bodies), strict=True):
            sort = "newest" if case["input"]["newest_first"] else "oldest"
            assert found["orders"][sort] == case["expected"]["order"], case["id"]

    def test_calendars_of_the_vectors(self) -> None:
        cases = json.loads((VECTORS / "calendar.json").read_text("utf-8"))["cases"]
        bodies = [encode(snapshot(contributions=case["input"]["counts"])) for case in cases]
        check(bodies)
        for case, found in zip(cases, under_node(bodies), strict=True):
            assert found["streaks"] == case["expected"]["streaks"], case["id"]
            assert found["longest"] == case["expected"]["longest"], case["id"]

    def test_any_snapshots(self) -> None:
        bodies: list[bytes] = []

        @settings(max_examples=300, database=None)
        @given(strategies.snapshots(max_problems=12).filter(is_exact))
        def collect(found: Snapshot) -> None:
            bodies.append(encode(found))

        collect()
        check(bodies)

    def test_years_of_practice(self) -> None:
        value = large_snapshot(3_000)
        days = list(value["contributions"])
        later = value | {"generatedAt": "2027-03-01T00:00:00.000Z"}
        ahead = value | {"contributions": {"2026-11-22": 1, "2026-11-23": 2, "2026-11-24": 9}}
        some = value | {"contributions": {day: n + 1 for n, day in enumerate(days)}}
        check([json.dumps(each).encode() for each in (value, later, ahead, some)])

    def test_any_contributions(self) -> None:
        bodies: list[bytes] = []
        near = st.integers(read_day("2024-12-01"), read_day("2026-02-03")).map(write_day)

        @settings(max_examples=150, database=None)
        @given(st.dictionaries(near, st.integers(0, 30), max_size=90))
        def collect(contributions: dict[str, int]) -> None:
            bodies.append(encode(snapshot(contributions=contributions)))

        collect()
        check(bodies)

    def test_any_problems_of_several_files(self) -> None:
        """First segments that are languages, years or problems; problems with several files."""
        bodies: list[bytes] = []
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

        @settings(max_examples=200, database=None)
        @given(st.lists(problems, max_size=7))
        def collect(found: list[Problem]) -> None:
            bodies.append(encode(snapshot(problems=tuple(found))))

        collect()
        check(bodies)

    def test_invalid_files_are_refused(self) -> None:
        bodies: list[bytes] = []
        rules = [rule for rule in strategies.FAULTY_RULES if rule != "json.depth"]

        @settings(max_examples=200, database=None)
        @given(strategies.faulty_bodies(*rules))
        def collect(faulty: strategies.Faulty) -> None:
            bodies.append(faulty.body)

        collect()
        for body, found in zip(bodies, under_node(bodies), strict=True):
            assert "invalid" in found, body

    def test_times_of_ten_thousand_years_need_few_columns(self) -> None:
        times = ("0000-01-01T00:00:00Z", "2026-01-31T12:00:00.5+01:00", "9999-12-31T23:59:59-23:59")
        problems = tuple(problem(f"a/{n}", time) for n, time in enumerate(times))
        (found,) = under_node([encode(snapshot(problems=problems))])
        spans = found["spans"]
        check_spans(snapshot(problems=problems), spans)
        assert [span["count"] for span in spans if span["count"]] == [1, 1, 1]
        assert write_day(spans[-1]["last"]) == "9999-12-31"


class TestFilters:
    PROBLEMS = tuple(
        {
            "title": title,
            "path": f"{platform}/{title}.{language}",
            "platform": platform,
            "language": language,
            "problemUrl": f"https://{platform}.example/{title}",
            "time": day and {"day": day, "ms": int(day[-2:]), "rest": ""},
        }
        for title, platform, language, day in (
            ("Two Sum", "leetcode", "Python", "2026-01-31"),
            ("Two Sum", "leetcode", "Rust", "2026-01-30"),
            ("Straße", "cses", "C++", "2026-01-30"),
            ("Cafe\u0301", "kattis", "C", None),
        )
    )

    @pytest.mark.parametrize(
        ("changes", "titles"),
        [
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
            ({"since": "2026-01-31"}, ["Two Sum"]),
            ({"until": "2026-01-30"}, ["Straße"]),
            ({"since": "2026-01-30", "until": "2026-01-31"}, ["Two Sum", "Straße"]),
        ],
    )
    def test_what_passes_a_filter(self, changes: dict[str, str], titles: list[str]) -> None:
        assert self.selected(self.PROBLEMS, changes) == titles

    def test_an_exact_title_comes_first(self) -> None:
        titles = ("Two Sum II", "3 Two Sum", "Two  Sum", "two sum", "Two Sum IV")
        problems = [
            each | {"title": title, "problemUrl": f"https://x.example/{title}"}
            for title, each in zip(titles, [self.PROBLEMS[0]] * len(titles), strict=True)
        ]
        found = self.selected(problems, {"text": " TWO SUM "})
        assert found[0] == "two sum"
        assert found[1:] == ["Two Sum II", "3 Two Sum", "Two  Sum", "Two Sum IV"]

    def test_a_title_after_its_number_comes_second(self) -> None:
        titles = ["2. Two Sum II", "100 - Two Sum", "St. Two Sum", "1. Two Sum", "Two Sum"]
        problems = [
            self.PROBLEMS[0] | {"title": title, "problemUrl": f"https://x.example/{title}"}
            for title in titles
        ]
        found = self.selected(problems, {"text": "two sum"})
        assert found == [titles[4], titles[1], titles[3], titles[0], titles[2]]

    @staticmethod
    def selected(problems: Sequence[dict[str, Any]], changes: dict[str, str]) -> list[str]:
        expression = (
            "listing.select(listing.prepare(listing.merge(given[0])),"
            " {...listing.EMPTY, ...given[1]}).map(({title}) => title.normalize())"
        )
        found: list[str] = evaluate(expression, problems, changes)
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
        assert evaluate(expression, drawn) == drawn

    def test_the_empty_filter_has_no_fragment(self) -> None:
        assert evaluate("listing.writeFragment(listing.EMPTY)") == ""

    @pytest.mark.parametrize(
        "fragment",
        [
            "#",
            "#since=2026-02-30&until=x&sort=constructor",
            "#sort=__proto__&unknown=1",
            "#%E0%A4%A",
            "#&&&===",
        ],
    )
    def test_what_a_fragment_cannot_mean_is_ignored(self, fragment: str) -> None:
        found = evaluate("listing.readFragment(given[0])", fragment)
        assert found == evaluate("listing.EMPTY")

    def test_a_long_text_is_cut(self) -> None:
        assert evaluate("listing.readFragment(given[0]).text.length", f"#q={'x' * 9_999}") == 200


class TestScript:
    def test_the_modules_are_scripts_for_pages_too(self) -> None:
        """In a page there is no `module`; each file defines one name, and the last one none."""
        body = build_practice(PageSettings()).body.decode()
        script = body.partition("<script>")[2].partition("</script>")[0]
        for name in ("days", "reading", "calendar", "listing", "loading", "charts"):
            assert script.count(f"const {name} = (() => {{") == 1
        assert "eval(" not in script
        assert "innerHTML" not in script
