"""Submission times of paths, and warnings about a history."""

from typing import Any

import attrs
import pytest

from sitedata.building.history import (
    CommitDate,
    History,
    PathDates,
    Warnings,
    are_clustered,
    time_text,
)
from sitedata.models import parse_instant

COMMIT = "c" * 40
DAY = 86_400
HISTORY = History("main", "main", COMMIT, None, (), {}, 0, {})


def dating(**changes: Any) -> PathDates:
    return PathDates(attrs.evolve(HISTORY, **changes), Warnings())


def test_a_history_is_shown_by_its_counts() -> None:
    assert repr(HISTORY) == "<History of main: 0 files, 0 commits>"


def rules(dates: PathDates) -> list[str]:
    return [finding.rule for finding in dates.warnings.findings()]


class TestTimeText:
    @pytest.mark.parametrize(
        ("seconds", "offset", "text"),
        [
            (0, 540, "1970-01-01T09:00:00+09:00"),
            (0, -210, "1969-12-31T20:30:00-03:30"),
            (1_709_251_199, 0, "2024-02-29T23:59:59+00:00"),
            (0, 1439, "1970-01-01T23:59:00+23:59"),
            (253_402_300_799, 0, "9999-12-31T23:59:59+00:00"),
            (-62_135_596_800, 0, "0001-01-01T00:00:00+00:00"),
        ],
    )
    def test_it_is_local_time_with_its_offset(self, seconds: int, offset: int, text: str) -> None:
        assert time_text(seconds, offset) == text
        assert parse_instant(text) == seconds * 1000

    @pytest.mark.parametrize(
        ("seconds", "offset"),
        [
            (253_402_300_800, 0),
            (253_402_300_799, 1),
            (-62_135_596_801, 0),
            (-62_135_596_800, -1),
            (2**63, 0),
        ],
    )
    def test_times_outside_the_calendar_are_refused(self, seconds: int, offset: int) -> None:
        with pytest.raises(OverflowError):
            time_text(seconds, offset)


@pytest.mark.rule("SD-DATE-07", "SD-DATE-08")
class TestSubmittedAt:
    @pytest.mark.parametrize(
        ("date", "text", "rule"),
        [
            (CommitDate(COMMIT, 0, 60), "1970-01-01T01:00:00+01:00", None),
            (None, None, "history.clock"),
            # an offset of a day or more is written in UTC: *the instant is kept*
            (CommitDate(COMMIT, 86_400, 9999), "1970-01-02T00:00:00+00:00", "history.offset"),
            (CommitDate(COMMIT, 2**62, 0), None, "history.time"),
        ],
    )
    def test_it_is_the_time_of_the_dating_commit(
        self, date: CommitDate | None, text: str | None, rule: str | None
    ) -> None:
        dates = dating(commit_dates=dict.fromkeys((b"a/b.c", b"b"), date) if date else {})
        for name in ("a/b.c", "b"):
            assert dates.submitted_at(name.encode(), name) == text
        found = [(finding.rule, finding.path) for finding in dates.warnings.findings()]
        assert found == ([(rule, "/a/b.c"), (rule, "/b")] if rule else [])


@pytest.mark.rule("SD-BUILD-04")
class TestHistoryWarnings:
    @pytest.mark.parametrize(
        ("changes", "counted", "found"),
        [
            ({"commit_count": 2}, 2, []),
            ({"is_shallow": True}, 0, ["history.shallow"]),  # even if all dates are known
            ({"commit_count": 3}, 1, ["history.uncounted"]),
        ],
    )
    def test_what_is_not_complete_is_reported(
        self, changes: dict[str, Any], counted: int, found: list[str]
    ) -> None:
        dates = dating(**changes)
        dates.add_history_warnings(counted, "UTC")
        assert rules(dates) == found
        if "history.uncounted" in found:
            assert dates.warnings.findings()[0].message.startswith("2 commits")

    def test_a_boundary_commit_has_no_date_and_one_warning(self) -> None:
        """Invariant *no false date*."""
        edge = CommitDate(COMMIT, 0, 0, is_boundary=True)
        dates = dating(commit_dates={b"a": edge, b"b": edge}, is_shallow=True)
        assert [dates.submitted_at(name, "x") for name in (b"a", b"b")] == [None, None]
        dates.add_history_warnings(0, "UTC")
        (finding,) = dates.warnings.findings()
        assert (finding.path, finding.rule) == ("", "history.shallow")
        assert finding.message.endswith("paths without a date for it: 2")

    def test_bulk_commits_are_named_with_their_files(self) -> None:
        dates = dating(bulk=(("a" * 40, 652), ("b" * 40, 501)))
        dates.add_history_warnings(0, "UTC")
        first, second = dates.warnings.findings()
        assert (first.path, first.rule) == (f"/{'a' * 40}", "history.bulk")
        assert first.message.endswith("it changed: 652")
        assert second.path == f"/{'b' * 40}"


def moved(days: list[int | None], **changes: Any) -> History:
    """Return a history of files with dates so many days after their addition, on one day."""
    names = [b"a/%d" % number for number in range(len(days))]
    return attrs.evolve(
        HISTORY,
        commit_dates={name: CommitDate(COMMIT, 1000 * DAY, 0) for name in names},
        additions={
            name: CommitDate(COMMIT, (1000 - day) * DAY, 0)
            for name, day in zip(names, days, strict=True)
            if day is not None
        },
        **changes,
    )


class TestZone:
    """The days are those of the commits only if the zone is set."""

    @pytest.mark.parametrize(
        ("offsets", "zone", "words"),
        [
            ({540: 98, 0: 2}, "UTC", "98 % of the commits of the last year are +09:00: set zone"),
            ({-210: 9, 60: 1}, "UTC", "90 % of the commits of the last year are -03:30: set zone"),
            ({330: 1}, "UTC", 'zone = "+05:30" in the settings'),
            ({540: 98, 0: 2}, "+09:00", None),
            ({540: 98, 0: 2}, "Asia/Tokyo", None),
            ({540: 89, 0: 11}, "UTC", None),
            ({0: 100}, "UTC", None),
            ({900: 100}, "UTC", None),
            ({}, "UTC", None),
        ],
    )
    def test_days_in_utc_are_reported_where_the_commits_have_another_offset(
        self, offsets: dict[int, int], zone: str, words: str | None
    ) -> None:
        dates = dating(offsets=offsets)
        dates.add_history_warnings(0, zone)
        messages = [finding.message for finding in dates.warnings.findings()]
        assert len(messages) == (words is not None)
        assert all(words in message for message in messages if words)


@pytest.mark.rule("SD-DATE-10")
class TestMoved:
    def test_dates_long_after_the_addition_are_reported_with_the_option(self) -> None:
        history = moved([0, 180, 181, 900, None])
        dates = PathDates(history, Warnings())
        for name in (*history.commit_dates, b"a/undated"):
            dates.submitted_at(name, name.decode())
        dates.add_history_warnings(0, "UTC")
        finding = dates.warnings.findings()[-1]
        assert (finding.path, finding.rule) == ("", "history.moved")
        assert 'dates = "first-added"' in finding.message
        assert finding.message.endswith("their number: 2")

    def test_an_addition_before_the_end_of_a_shallow_history_is_unknown(self) -> None:
        history = moved([900])
        edge = CommitDate(COMMIT, 0, 0, is_boundary=True)
        dates = PathDates(attrs.evolve(history, additions={b"a/0": edge}), Warnings())
        dates.submitted_at(b"a/0", "a/0")
        dates.add_history_warnings(0, "UTC")
        assert rules(dates) == []

    @pytest.mark.parametrize(
        ("days", "are"),
        [
            ([181] * 20, True),
            ([181] * 19, False),
            ([180] * 50, False),
            ([181] * 20 + [1] * 180, False),
        ],
    )
    def test_dates_cluster_where_many_were_moved_to_one_day(
        self, days: list[int | None], are: bool
    ) -> None:
        history = moved(days)
        assert are_clustered(history, history.commit_dates.keys()) == are
