"""The rules between fields: music pairs, clocks, window relations, events and gaps in order.

Source: device-status specification, "Music" rules 1 to 4, "POST /api/update" rule 3, "POST
/api/batch" rule 2, "Limits"; design decisions under "Time".
"""

from typing import Any

import attrs
import pytest

from devicestatus.models import Music, WindowEvent, WindowGap
from devicestatus.validation.cross_field import (
    RULES,
    snapshot_findings,
)
from devicestatus.validation.music_urls import ITUNES, CatalogHosts
from devicestatus.validation.parse import check_snapshot, check_window
from purewire.instants import FIRST_INSTANT, LAST_INSTANT, format_instant
from purewire.primitives import ABSENT
from support.devicestatus.entry_points import Fault, drop, put, snapshot_faults, window_faults
from support.devicestatus.examples import (
    COVERED_SONG,
    NOON,
    RECEIVED_AT,
    WINDOW_END,
    event,
    gap,
    plain,
    snapshot,
    window,
)

SNAPSHOT = plain(snapshot())
COVERED = plain(snapshot(music=COVERED_SONG))
ARTWORK, PAGE = COVERED["music"]["artwork_url"], COVERED["music"]["track_url"]
SKEW, LAG, SPAN = 120_000, 30_000, 900_000


def music_faults(**members: Any) -> list[Fault]:
    """Validate music with these members in place of those of `COVERED`; ABSENT leaves one out."""
    music = COVERED["music"] | members
    music = {name: member for name, member in music.items() if member is not ABSENT}
    return snapshot_faults(put(COVERED, "music", music))


def faults_of(received_at: int = RECEIVED_AT, **members: Any) -> list[Fault]:
    """Validate the example window with other members."""
    return window_faults(plain(window(**members)), received_at=received_at)


class TestMusicPair:
    """Rule 1: both omitted, both null, or both safe strings."""

    def test_a_url_without_its_pair_is_still_validated(self) -> None:
        faults = music_faults(artwork_url="http://a.mzstatic.com/", track_url=None, track=None)
        assert faults == [
            ("/music", "music.pair"),
            ("/music/artwork_url", "url.scheme"),
            ("/music/track", "music.url-title"),
        ]

    def test_each_url_is_validated_at_its_own_place(self) -> None:
        elsewhere = "https://example.com/cover.jpg"
        assert music_faults(artwork_url=elsewhere) == [("/music/artwork_url", "url.host")]
        assert music_faults(track_url=elsewhere) == [("/music/track_url", "url.host")]
        assert music_faults(artwork_url=elsewhere, track_url=elsewhere) == [
            ("/music/artwork_url", "url.host"),
            ("/music/track_url", "url.host"),
        ]

    def test_a_faulty_url_is_no_broken_pair(self) -> None:
        assert music_faults(artwork_url=0) == [("/music/artwork_url", "type")]


class TestMusicConditions:
    """Rule 2: URLs only while playing or paused, with a track and an artist that are not blank."""

    def test_a_blank_title_is_a_title_without_urls(self) -> None:
        assert music_faults(track=" ", artist="\ufeff", artwork_url=None, track_url=None) == []

    def test_every_broken_condition_is_found(self) -> None:
        assert music_faults(state="stopped", track=None, artist=" ") == [
            ("/music/state", "music.url-state"),
            ("/music/track", "music.url-title"),
            ("/music/artist", "music.url-title"),
        ]

    def test_a_faulty_state_or_title_is_not_validated_twice(self) -> None:
        assert music_faults(state="off", track=0) == [
            ("/music/state", "constant"),
            ("/music/track", "type"),
        ]


class TestMusicEverywhere:
    """The same rules hold in the baseline and in every event."""

    LOOSE = Music("playing", "Song", "Band", ARTWORK)

    def test_in_the_baseline(self) -> None:
        faults = faults_of(baseline=snapshot(music=self.LOOSE))
        assert faults == [("/baseline/music", "music.pair")]

    def test_in_events(self) -> None:
        events = (event(1, NOON), event(2, NOON, music=self.LOOSE))
        assert faults_of(events=events) == [("/events/1/changes/music", "music.pair")]

    def test_in_an_event_that_changes_more(self) -> None:
        sound = event(1, NOON, music=COVERED_SONG, active_app=None)
        assert faults_of(events=(sound,)) == []


class TestSnapshotClock:
    """collected_at is within 120 s of the receive time, 120.000 s included."""

    @pytest.mark.parametrize("instant", [FIRST_INSTANT, LAST_INSTANT])
    def test_the_years_0001_and_9999_are_legal(self, instant: int) -> None:
        value = put(SNAPSHOT, "collected_at", format_instant(instant))
        assert snapshot_faults(value, received_at=instant) == []

    def test_without_a_receive_time_the_clock_is_not_validated(self) -> None:
        """As an agent does that has no server's clock."""
        assert check_snapshot(put(SNAPSHOT, "collected_at", "0001-01-01T00:00:00Z")) == ()
        start = FIRST_INSTANT
        assert check_window(window(window_start=start, window_end=start)) == ()

    def test_a_faulty_instant_is_not_validated_twice(self) -> None:
        faults = snapshot_faults(put(SNAPSHOT, "collected_at", "noon"), received_at=0)
        assert faults == [("/collected_at", "time.format")]


class TestSpan:
    """window_start <= window_end, at most 900 s apart."""

    def test_a_span_is_a_distance_also_from_before_1970(self) -> None:
        assert faults_of(window_start=-SPAN, window_end=0, received_at=0) == []
        faults = faults_of(window_start=-SPAN - 1, window_end=0, received_at=0)
        assert faults == [("/window_start", "window.span")]

    @pytest.mark.parametrize("instant", [FIRST_INSTANT, LAST_INSTANT])
    def test_the_years_0001_and_9999_are_legal(self, instant: int) -> None:
        faults = faults_of(window_start=instant, window_end=instant, received_at=instant)
        assert faults == []


class TestGeneration:
    """window_end <= generated_at, at most 30 s apart."""

    def test_a_lag_is_a_distance_also_from_before_1970(self) -> None:
        def faults(end: int) -> list[Fault]:
            return faults_of(window_start=end, window_end=end, generated_at=0, received_at=0)

        assert faults(-LAG) == []
        assert faults(-LAG - 1) == [("/generated_at", "window.lag")]


class TestBaseline:
    """baseline.collected_at is the same text as window_start."""

    def test_it_is_not_validated_where_either_is_faulty(self) -> None:
        value = put(plain(window()), "window_start", None)
        assert window_faults(value) == [("/window_start", "type")]


class TestEvents:
    """seq strictly increasing; at non-decreasing and inside the window, both ends included."""

    def test_in_a_window_of_zero_length_only_its_instant_is_inside(self) -> None:
        def faults(at: int) -> list[Fault]:
            return faults_of(window_end=NOON, events=(event(1, at),), received_at=NOON)

        assert faults(NOON) == []
        assert faults(NOON - 1) == faults(NOON + 1) == [("/events/0/at", "events.inside")]

    def test_an_instant_that_goes_back_is_refused(self) -> None:
        events = (event(1, NOON + 5), event(2, NOON + 4), event(3, NOON + 4))
        assert faults_of(events=events) == [("/events/1/at", "events.order")]

    def test_a_number_that_repeats_or_falls_is_refused(self) -> None:
        events = tuple(event(seq, NOON) for seq in (5, 5, 4, 7))
        assert faults_of(events=events) == [
            ("/events/1/seq", "events.seq"),
            ("/events/2/seq", "events.seq"),
        ]

    def test_only_valid_members_are_compared(self) -> None:
        """A faulty number or instant stands for none."""
        value = plain(window(events=(event(5, NOON + 9), event(6, NOON + 9), event(5, NOON + 8))))
        value = put(put(value, "events/1/seq", None), "events/1/at", "later")
        assert window_faults(value) == [
            ("/events/1/seq", "type"),
            ("/events/1/at", "time.format"),
            ("/events/2/seq", "events.seq"),
            ("/events/2/at", "events.order"),
        ]

    def test_an_event_that_is_no_object_is_left_out(self) -> None:
        value = put(plain(window(events=(event(1, NOON), event(2, NOON)))), "events/0", None)
        assert window_faults(value) == [("/events/0", "type")]

    @pytest.mark.parametrize("name", ["window_start", "window_end"])
    def test_without_valid_ends_only_the_order_is_validated(self, name: str) -> None:
        events = (event(1, LAST_INSTANT), event(2, FIRST_INSTANT))
        value = put(plain(window(events=events)), name, None)
        assert window_faults(value) == [(f"/{name}", "type"), ("/events/1/at", "events.order")]

    def test_ends_that_are_the_wrong_way_round_hold_nothing(self) -> None:
        faults = faults_of(
            window_start=WINDOW_END + 1,
            window_end=WINDOW_END,
            events=(event(1, NOON),),
            gaps=(gap(NOON, NOON + 1),),
        )
        assert faults == [("/window_start", "window.order")]


class TestGaps:
    """Sorted, non-overlapping, each inside the window, start before end."""

    def test_gaps_may_touch_or_be_apart(self) -> None:
        gaps = (gap(NOON, NOON + 5), gap(NOON + 5, NOON + 6), gap(NOON + 9, WINDOW_END))
        assert faults_of(gaps=gaps) == []

    def test_a_window_of_zero_length_has_no_gap(self) -> None:
        gaps = (gap(WINDOW_END, WINDOW_END),)
        assert faults_of(window_start=WINDOW_END, gaps=gaps) == [("/gaps/0", "gaps.order")]

    def test_events_may_lie_in_a_gap(self) -> None:
        """After a gap the state is baseline plus all events so far."""
        assert faults_of(events=(event(1, NOON + 1),), gaps=(gap(NOON, WINDOW_END),)) == []

    def test_a_gap_without_a_valid_end_is_left_out(self) -> None:
        value = plain(window(gaps=(gap(NOON, NOON + 5), gap(NOON + 5, NOON + 6))))
        assert window_faults(put(value, "gaps/0/end_at", 0)) == [("/gaps/0/end_at", "type")]

    def test_the_gaps_after_one_that_is_left_out_are_validated(self) -> None:
        gaps = (gap(NOON, NOON + 5), gap(NOON + 5, NOON + 6), gap(NOON + 4, NOON + 7))
        value = put(plain(window(gaps=gaps)), "gaps/1/end_at", 0)
        assert window_faults(value) == [
            ("/gaps/1/end_at", "type"),
            ("/gaps/2", "gaps.overlap"),
        ]

    def test_without_valid_ends_of_the_window_the_order_is_validated(self) -> None:
        value = plain(window(gaps=(gap(NOON, NOON + 5), gap(NOON + 4, NOON + 6))))
        assert window_faults(drop(value, "window_end")) == [
            ("/window_end", "required"),
            ("/gaps/1", "gaps.overlap"),
        ]


class TestFindings:
    def test_models_can_be_validated_directly(self) -> None:
        found = list(
            snapshot_findings(snapshot(music=Music("stopped", "", "", ARTWORK)), 0, ITUNES)
        )
        assert [finding.rule for finding in found] == [
            "music.pair",
            "music.url-state",
            "music.url-title",
            "music.url-title",
            "snapshot.skew",
        ]

    def test_all_faults_of_a_window_are_found_at_once(self) -> None:
        broken = window(
            window_start=NOON - SPAN,
            generated_at=WINDOW_END + LAG + 1,
            baseline=snapshot(collected_at=NOON),
            events=(
                event(2, NOON),
                WindowEvent(
                    1, WINDOW_END + 1, attrs.evolve(event(1, 0).changes, active_app=ABSENT)
                ),
            ),
            gaps=(WindowGap(NOON, NOON, "clock"), gap(NOON - SPAN - 1, NOON)),
        )
        assert faults_of(received_at=0, **attrs.asdict(broken, recurse=False, filter=_given)) == [
            ("/window_start", "window.span"),
            ("/generated_at", "window.lag"),
            ("/generated_at", "window.skew"),
            ("/baseline/collected_at", "window.baseline"),
            ("/events/1/seq", "events.seq"),
            ("/events/1/at", "events.inside"),
            ("/events/1/changes", "changes.empty"),
            ("/gaps/0", "gaps.order"),
            ("/gaps/1", "gaps.inside"),
        ]


def _given(field: "attrs.Attribute[Any]", _value: object) -> bool:
    return field.name != "schema_version"


class TestHosts:
    def test_a_finding_names_the_hosts_that_the_catalog_has(self) -> None:
        catalog = CatalogHosts("covers.example", frozenset({"b.example", "a.example"}))
        found = check_snapshot(snapshot(music=COVERED_SONG), catalog=catalog)
        messages = [
            ("/music/artwork_url", "must have a host below covers.example"),
            ("/music/track_url", "must have one of the hosts a.example, b.example"),
        ]
        assert [(each.path, each.message) for each in found] == messages
        within = check_window(window(baseline=snapshot(music=COVERED_SONG)), catalog=catalog)
        assert [(each.path, each.message) for each in within] == [
            (f"/baseline{path}", message) for path, message in messages
        ]

    def test_other_findings_have_the_message_of_their_rule(self) -> None:
        (found,) = check_snapshot(put(SNAPSHOT, "music/track_url", None))
        assert (found.rule, found.message) == ("music.pair", RULES["music.pair"])
