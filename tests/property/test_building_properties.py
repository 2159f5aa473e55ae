"""Properties of building: a built snapshot is publishable, for any repository."""

from typing import Any
from urllib.parse import unquote

import attrs
import can_ada
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sitedata
from sitedata.building.builder import BuildResult, build
from sitedata.building.history import RULES, CommitDate, FileKind, History, TreeFile
from sitedata.building.hosts import Remote, parse_remote
from sitedata.building.platforms import Layout, Platform
from sitedata.building.settings import BuildSettings
from sitedata.building.tree import EXPECTED_RULES
from sitedata.models import parse_instant
from status_contracts.instants import SECONDS

ODD = [
    "..", ".", "", " ", "-", "--", ".git", "...", "..%2f", "%2e%2e", "a b", "a\nb", '"', "'", "#",
    "?", "%", "\\", "a:b", "😀", "\u202e", "\u2024\u2024", "\x00", "\x7f", "é", "e\u0301", "~", "@",
    "docs", "node_modules", "CON", "{path}", "{host}", "[x]", "&amp;", "<b>", "=1+1",
]  # fmt: skip
USUAL = [
    "codeforces", "CF", "gym", "group", "1234", "102345", "A", "1234A - Title", "atcoder", "abc123",
    "abc001", "abc123_a", "leetcode", "0001-two-sum", "1-两数", "kattis", "hello", "uva", "100",
    "luogu", "P1001", "vjudge", "HDU-1000", "solution", "own",
]  # fmt: skip
texts = st.sampled_from(USUAL) | st.sampled_from(ODD) | st.text(max_size=5)
segment_bytes = texts.map(lambda text: text.encode("utf-8", "replace")) | st.binary(max_size=3)
extensions = st.sampled_from([b".cpp", b".PY", b".C", b".md", b"", b".", b".\xff"])
names = st.builds(
    lambda parts, extension: b"/".join(parts) + extension,
    st.lists(segment_bytes, min_size=1, max_size=4),
    extensions,
)
commit_dates = st.builds(
    CommitDate,
    st.just("a" * 40),
    st.integers(-(2**36), 2**38) | st.sampled_from([0, 2**62, -(2**62), 253_402_300_799]),
    st.integers(-1500, 1500),
    st.booleans(),
)
KINDS: list[FileKind] = ["file", "file", "file", "file", "file", "symlink", "submodule"]
REMOTES = ["https://u:p@github.com/ada/practice.git", "git@gitlab.com:a/b/c.git", "/srv/x", None]


@st.composite
def histories(draw: st.DrawFn) -> History:
    listed = draw(
        st.lists(st.tuples(names, st.sampled_from(KINDS), st.none() | commit_dates), max_size=8)
    )
    days = draw(st.dictionaries(st.dates().map(str), st.integers(0, 9), max_size=3))
    return History(
        ref=draw(st.sampled_from(["main", "v1", "", "\udcff", "a b"])),
        branch=draw(st.sampled_from(["main", "a/b", "a b?#%", "\udcff"])),
        commit="a" * 40,
        remote=draw(st.sampled_from(REMOTES)),
        files=tuple(TreeFile(name, kind) for name, kind, _ in listed),
        commit_dates={name: touch for name, _, touch in listed if touch is not None},
        commit_count=sum(days.values()) + draw(st.sampled_from([0, 0, 1])),
        contributions=days,
        is_shallow=draw(st.booleans()),
        bulk=draw(st.sampled_from([(), (("b" * 40, 652),)])),
    )


ANYTHING = Platform(
    "anything",
    ["own", "codeforces"],
    (Layout("(?P<a>.++)/(?P<b>.*+)", "{a:words}[ {b}]", "https://h.example/{a}?{b:slug}"),),
)
build_settings = st.builds(
    BuildSettings,
    owner=st.sampled_from(["ada", "a/b", "é ?", "{path}"]),
    name=st.sampled_from(["practice", "#%", "a\u0301", "{host}"]),
    branch=st.none() | st.sampled_from(["x", "a/b"]),
    host=st.none() | st.sampled_from(["codeberg.org", "git.example:3000"]),
    kind=st.sampled_from(["github", "gitlab", "gitea", "bitbucket", "gitee", "sourcehut"]),
    ignored_roots=st.sampled_from([[], ["docs"]]),
    platforms=st.just(BuildSettings().platforms) | st.just((ANYTHING,)),
    ratings=st.none() | st.just(("b", "a")),
)
times = st.integers(-62_135_596_800_000, 253_402_300_799_999).filter(lambda at: at not in SECONDS)


def built(history: History, chosen: BuildSettings) -> BuildResult:
    return build(history, chosen, generated_at=0)


@pytest.mark.rule("SD-PUBLISH-09")
class TestPublishable:
    @given(histories(), build_settings, times)
    @settings(max_examples=60)
    def test_a_built_snapshot_breaks_no_rule(
        self, history: History, chosen: BuildSettings, now: int
    ) -> None:
        snapshot = build(history, chosen, generated_at=now).snapshot
        read = sitedata.check(sitedata.encode(snapshot))
        assert read.errors == ()
        assert read.snapshot == snapshot
        assert {warning.rule for warning in read.warnings} <= {"text.control"}
        members = {warning.path.rpartition("/")[2] for warning in read.warnings}
        assert members <= {"path", "title"}

    @given(histories())
    @settings(max_examples=40)
    def test_a_url_identifies_its_file(self, history: History) -> None:
        """Each segment is compared, as the URL standard parses it."""
        chosen = BuildSettings(owner="ada", name="p", branch="main", host="github.com")
        for problem in built(history, chosen).snapshot.problems:
            url = can_ada.parse(problem.github_url)
            assert unquote(url.pathname) == f"/ada/p/blob/main/{problem.path}"
            assert (url.hostname, url.search, url.hash) == ("github.com", "", "")


@pytest.mark.rule("SD-BUILD-05")
class TestDeterminism:
    @given(histories(), build_settings, st.randoms(use_true_random=False))
    @settings(max_examples=60)
    def test_equal_histories_give_equal_bytes_in_any_order(
        self, history: History, chosen: BuildSettings, random: Any
    ) -> None:
        files = sorted(set(history.files), key=lambda file: (file.name, file.kind))
        once = attrs.evolve(history, files=tuple({file.name: file for file in files}.values()))
        shuffled = list(once.files)
        random.shuffle(shuffled)
        other = attrs.evolve(
            once,
            files=tuple(shuffled),
            contributions=dict(sorted(once.contributions.items(), reverse=True)),
        )
        first, second = built(once, chosen), built(other, chosen)
        assert sitedata.encode(first.snapshot) == sitedata.encode(second.snapshot)
        assert (first.warnings, first.skipped) == (second.warnings, second.skipped)


class TestSkipped:
    @given(histories(), build_settings)
    @settings(max_examples=40)
    def test_every_file_is_listed_once_or_counted_once(
        self, history: History, chosen: BuildSettings
    ) -> None:
        found = built(history, chosen)
        assert len(found.snapshot.problems) + sum(found.skipped.values()) == len(history.files)
        assert found.skipped.keys() <= RULES.keys() | EXPECTED_RULES.keys()
        warned = {finding.rule for finding in found.warnings}
        assert found.skipped.keys() - EXPECTED_RULES.keys() <= warned <= RULES.keys()
        names = {file.name for file in history.files if file.kind == "file"}
        assert {problem.path.encode() for problem in found.snapshot.problems} <= names

    @given(histories(), build_settings)
    @settings(max_examples=40)
    def test_a_time_is_that_of_the_dating_commit_or_null(
        self, history: History, chosen: BuildSettings
    ) -> None:
        for problem in built(history, chosen).snapshot.problems:
            touch = history.commit_dates.get(problem.path.encode())
            if touch is None or touch.is_boundary:
                assert problem.submitted_at is None
            elif problem.submitted_at is not None:
                assert parse_instant(problem.submitted_at) == touch.seconds * 1000

    @given(histories(), build_settings)
    @settings(max_examples=60)
    def test_warnings_are_one_line_each(self, history: History, chosen: BuildSettings) -> None:
        for finding in built(history, chosen).warnings:
            assert str(finding).isprintable()


class TestRemotes:
    @given(
        st.sampled_from(["https", "ssh", "git", "http"]),
        st.text("ab:%-_.1é ", max_size=8),
        st.sampled_from(["github.com", "git.example.org"]),
        st.sampled_from(["ada/practice.git", "a/b/c", "~x/y/"]),
    )
    @settings(max_examples=60)
    def test_credentials_change_nothing(self, scheme: str, user: str, host: str, path: str) -> None:
        plain = parse_remote(f"{scheme}://{host}/{path}")
        assert isinstance(plain, Remote)
        assert parse_remote(f"{scheme}://{user}@{host}/{path}") == plain

    @given(st.text("ab:/@.~#?%\\ \né-", max_size=24))
    @settings(max_examples=300)
    def test_any_text_gives_harmless_names_or_none(self, text: str) -> None:
        remote = parse_remote(text)
        if remote is not None:
            url = f"https://{remote.host}/{remote.owner}/{remote.name}"
            assert can_ada.parse(url).href == url
