"""The strategies for users: drawn values have the documented properties."""

import json
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings

from sitedata import Problem, SiteDataError, Snapshot, check, encode, parse
from sitedata.reading.times import parse_instant, read_day
from sitedata.testing import strategies
from sitedata.testing.strategies import CASES, FAULTY_RULES, Faulty, faulty_bodies
from status_contracts.findings import pointer
from status_contracts.json.codec import broken_rule
from support.sitedata.site_examples import plain

FIRST = settings(phases=[Phase.generate], max_examples=2000)
"""Settings of searches: the first example is enough, of any size."""


class TestValid:
    @given(strategies.snapshots())
    def test_snapshots_are_as_parsed(self, snapshot: Snapshot) -> None:
        """Invariant *as parsed*."""
        assert parse(encode(snapshot)) == snapshot
        assert check(snapshot).errors == ()

    @given(strategies.bodies())
    def test_bodies_are_valid_and_lose_nothing(self, body: bytes) -> None:
        assert json.loads(encode(parse(body))) == json.loads(body.removeprefix(b"\xef\xbb\xbf"))

    @given(strategies.publishable_snapshots())
    def test_publishable_snapshots_keep_every_publishing_rule(self, snapshot: Snapshot) -> None:
        report = check(encode(snapshot))
        assert (report.snapshot, report.findings) == (snapshot, ())

    @given(strategies.problems(), strategies.json_values())
    def test_problems_and_values(self, problem: Problem, value: object) -> None:
        assert (problem.instant is None) == (problem.submitted_at is None)
        assert broken_rule(value) is None

    @given(strategies.times(), strategies.days())
    def test_times_and_days(self, time: str, day: str) -> None:
        parse_instant(time)
        read_day(day)

    @pytest.mark.uncounted
    @pytest.mark.parametrize(
        "kind",
        [
            lambda snapshot: snapshot.extra,
            lambda snapshot: snapshot.repository.extra,
            lambda snapshot: any(problem.extra for problem in snapshot.problems),
            lambda snapshot: any(snapshot.ratings.values()),
            lambda snapshot: any(problem.submitted_at is None for problem in snapshot.problems),
            lambda snapshot: any(
                problem.instant is not None and problem.instant != int(problem.instant)
                for problem in snapshot.problems
            ),
        ],
    )
    def test_every_kind_of_member_is_drawn(self, kind: Any) -> None:
        """Unknown members at every level, ratings, all kinds of times."""
        find(strategies.snapshots(), lambda snapshot: bool(kind(snapshot)), settings=FIRST)


class TestCases:
    def test_each_case_has_its_verdict(self) -> None:
        """Invariant *one fault, one rule*: of every member, at both sides of each limit."""
        valid = plain()
        for case in filter(lambda case: case.at, CASES.of(Snapshot)):
            found = check(CASES.place(Snapshot, valid, case)).errors
            expected = [(pointer(case.path), case.rule)] if case.rule else []
            assert [(finding.path, finding.rule) for finding in found] == expected, case


class TestFaultyBodies:
    @pytest.mark.parametrize("rule", FAULTY_RULES)
    def test_the_rule_is_the_only_one_that_is_broken(self, rule: str) -> None:
        """Invariant *one fault, one rule*."""

        @settings(max_examples=3)
        @given(faulty_bodies(rule))
        def hold(faulty: Faulty) -> None:
            assert faulty.rule == rule
            assert {finding.rule for finding in check(faulty.body).errors} == {rule}
            with pytest.raises(SiteDataError):
                parse(faulty.body)

        hold()
