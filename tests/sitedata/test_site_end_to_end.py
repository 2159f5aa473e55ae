"""Histories are built, validated by another validator, served and fetched."""

import re
from pathlib import Path
from typing import ClassVar

import attrs
import httpx2
import pytest
from jsonschema_rs import Draft202012Validator

from sitedata import BuildSettings, build, check, encode, heatmap, ordered, parse
from sitedata.adapters.application import asgi_app
from sitedata.adapters.fetch import fetch
from sitedata.adapters.git import read_history
from sitedata.client import CacheState
from sitedata.schemas import FILE, schemas
from sitedata.service import PATH
from sitedata.views.calendar import calendar_of
from sitedata.views.practice import draw_practice
from status_contracts.instants import parse_utc
from support.servers.servers import serve_asgi
from support.sitedata.git_repositories import git, make, shallow_clone
from support.sitedata.repositories import HOSTILE_NAMES, Change, Commit, Rename, Script, Write

pytestmark = pytest.mark.check

NOW = 1_800_000_000_000
COMMITS = 10_000


def large_script() -> Script:
    """Return 10,000 commits with renames, merges and hostile names."""
    commits: list[Commit] = []
    for number in range(COMMITS):
        name = b"%05d.py" % number
        if number % 50 == 7:
            name = HOSTILE_NAMES[number // 50 % len(HOSTILE_NAMES)]
        changes: list[Change] = [Write(b"kattis/%02d/" % (number % 97) + name, b"%d" % number)]
        parents: tuple[int, ...] | None = None
        if number % 40 == 39:
            parents = (number - 1, number - 3)
        if number and number % 997 == 0:
            old, new = b"cf", b"codeforces"
            both = (old, new) if number // 997 % 2 else (new, old)
            changes.append(Rename(*both))
        if number == 0:
            changes.append(Write(b"cf/4A.cpp"))
        commits.append(Commit(1_600_000_000 + number * 977, tuple(changes), parents, offset=60))
    return Script(tuple(commits))


def check_repository(repository: Path, *, is_own: bool) -> None:
    """Build, validate, serve and fetch the snapshot of a repository."""
    settings = BuildSettings(owner="ada", name="practice")
    if is_own:
        settings = attrs.evolve(settings, ignored_roots=())
    built = build(read_history(repository), settings, generated_at=NOW)
    body = encode(built.snapshot)
    snapshot = parse(body)
    Draft202012Validator(schemas().documents[FILE]).validate(
        httpx2.Response(200, content=body).json()
    )
    report = check(body)
    assert report.errors == ()
    assert {warning.rule for warning in report.warnings} <= {"text.control"}  # git allows them
    with serve_asgi(asgi_app(snapshot)) as url:
        place = f"{url.rstrip('/')}{PATH}"
        state, outcome = fetch(place, CacheState(), allow_http=True)
        assert (outcome.kind, state.snapshot) == ("replaced", snapshot)
        assert fetch(place, state, allow_http=True)[1].kind == "reused"
    assert len(ordered(snapshot.problems)) == len(snapshot.problems) > 0
    assert heatmap(calendar_of(snapshot)).startswith(b"<svg")
    dated = [problem for problem in snapshot.problems if problem.submitted_at]
    is_shallow = git(repository, "rev-parse", "--is-shallow-repository") == "true"
    assert bool(dated) or is_shallow


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("made") / "made", large_script()).path


@pytest.mark.parametrize("is_shallow", [False, True])
def test_ten_thousand_scripted_commits(is_shallow: bool, made: Path, tmp_path: Path) -> None:
    repository = made
    if is_shallow:
        repository = tmp_path / "shallow"
        url = made.absolute().as_uri()
        git(tmp_path, "clone", "--quiet", "--bare", "--depth=50", url, str(repository))
    check_repository(repository, is_own=False)


class TestDatesOfThePage:
    """Merges, renames and two zones: the page has the dates that git has, or says that none is."""

    CONTENT = b"".join(b"line %d\n" % line for line in range(40))
    JANUARY, MARCH, MAY, JULY = (
        parse_utc(f"2025-{month:02}-10T14:30:00Z") // 1000 for month in (1, 3, 5, 7)
    )
    SCRIPT = Script(
        (
            Commit(JANUARY, (Write(b"leetcode/0001-two-sum.py", CONTENT),), offset=600),
            Commit(JANUARY, (Write(b"leetcode/0020-valid.py", b"x" + CONTENT),), offset=-480),
            Commit(MARCH, (Write(b"codeforces/4A.cpp", b"1"),), (1,)),
            Commit(MARCH + 60, (Write(b"atcoder/abc086/A.py", b"side"),), (1,), 60),
            Commit(MAY, (Write(b"atcoder/abc086/A.py", b"side"),), (2, 3)),
            Commit(MAY + 60, (Rename(b"leetcode", b"LeetCode"),)),
            Commit(JULY, (Write(b"codeforces/4A.cpp", b"2"),), offset=120, authored=JANUARY),
        )
    )
    DATES: ClassVar = {
        "4A": "10 Jul 2025",
        "ABC086 A": "10 Mar 2025",
        "1. Two Sum": "11 Jan 2025",
        "20. Valid": "10 Jan 2025",
    }

    def dates(self, folder: Path) -> dict[str, str]:
        """Return the title and the date of each row of the page."""
        settings = BuildSettings(owner="ada", name="practice")
        built = build(read_history(folder), settings, generated_at=NOW)
        html = draw_practice(built.snapshot).content
        titles = re.findall('class="title">.*?<bdi>(.*?)</bdi>', html)
        dates = re.findall('class="date">(?:<time[^>]*>)?(.*?)<', html)
        return dict(zip(titles, dates, strict=True))

    def test_dates_are_those_of_the_newest_change_in_its_own_zone(self, tmp_path: Path) -> None:
        made = make(tmp_path / "all", self.SCRIPT)
        assert self.dates(made.path) == self.DATES
        assert [*self.dates(made.path)] == [*self.DATES]

    def test_a_shallow_clone_has_no_invented_dates(self, tmp_path: Path) -> None:
        made = make(tmp_path / "all", self.SCRIPT)
        clone = shallow_clone(made, tmp_path / "shallow", "--depth=2")
        unknown = dict.fromkeys(self.DATES, "date unknown")
        assert self.dates(clone.path) == unknown | {"4A": "10 Jul 2025"}
