"""Merges, renames, zones and a shallow clone: from a repository to the page."""

import re
from pathlib import Path
from typing import ClassVar

import pytest

from sitedata import BuildSettings, build
from sitedata.adapters.git import read_history
from sitedata.views.practice import draw_practice
from status_contracts.instants import parse_utc
from support.sitedata.git_repositories import make, shallow_clone
from support.sitedata.repositories import Commit, Rename, Script, Write

pytestmark = pytest.mark.check

NOW = 1_800_000_000_000


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
        html = draw_practice(built.snapshot)["content"]
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
