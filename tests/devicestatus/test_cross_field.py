"""The rules between fields: music pairs, clocks, window relations, events and gaps in order.

Source: device-status specification, "Music" rules 1 to 4, "POST /api/update" rule 3, "POST
/api/batch" rule 2, "Limits"; design decisions under "Time".
"""

from typing import Any

import attrs
import pytest

from devicestatus.models.snapshot import Music
from devicestatus.models.window import WindowChanges, WindowEvent, WindowGap
from devicestatus.validation.cross_field import (
    snapshot_findings,
    window_findings,
)
from devicestatus.validation.music_urls import ITUNES, CatalogHosts
from devicestatus.validation.parse import check_snapshot, check_window
from purewire.absent import ABSENT
from purewire.instants import FIRST_INSTANT, LAST_INSTANT, format_instant
from support.devicestatus.entry_points import Fault, drop, put, snapshot_faults, window_faults
from support.devicestatus.examples import (
    BATTERY,
    COVERED_SONG,
    NOON,
    RECEIVED_AT,
    SONG,
    SYSTEM,
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
BLANKS = (
    " ",
    "\u00a0",
    "\u1680",
    "\u2000\u200a",
    "\u2028",
    "\u2029",
    "\u202f",
    "\u205f",
    "\u3000",
    "\ufeff",
    " \ufeff\u3000 ",
)
NOT_BLANK = ("\u0085", "\u180e", "\u200b", "\u200d", "\u2060", "\u00ad", " . ")


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

    @pytest.mark.parametrize("urls", [(ABSENT, ABSENT), (None, None), (ARTWORK, PAGE)], ids=repr)
    def test_both_alike_are_a_pair(self, urls: tuple[object, object]) -> None:
        assert music_faults(artwork_url=urls[0], track_url=urls[1]) == []

    @pytest.mark.parametrize(
        "urls",
        [
            (ABSENT, None),
            (None, ABSENT),
            (ABSENT, PAGE),
            (ARTWORK, ABSENT),
            (None, PAGE),
            (ARTWORK, None),
        ],
        ids=repr,
    )
    def test_any_other_combination_is_refused(self, urls: tuple[object, object]) -> None:
        faults = music_faults(artwork_url=urls[0], track_url=urls[1])
        assert faults == [("/music", "music.pair")]

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

    @pytest.mark.parametrize("state", ["playing", "paused"])
    def test_urls_are_allowed_while_playing_or_paused(self, state: str) -> None:
        assert music_faults(state=state) == []

    @pytest.mark.parametrize("state", ["stopped", "unavailable"])
    def test_urls_are_refused_in_other_states(self, state: str) -> None:
        assert music_faults(state=state) == [("/music/state", "music.url-state")]

    @pytest.mark.parametrize("state", ["stopped", "unavailable"])
    @pytest.mark.parametrize("urls", [None, ABSENT])
    def test_without_urls_every_state_is_allowed(self, state: str, urls: object) -> None:
        assert music_faults(state=state, artwork_url=urls, track_url=urls, artist=None) == []

    @pytest.mark.parametrize("name", ["track", "artist"])
    @pytest.mark.parametrize("title", [None, *BLANKS], ids=ascii)
    def test_urls_need_titles_that_trimming_leaves(self, name: str, title: str | None) -> None:
        """White space as ECMAScript's `trim` sees it, U+FEFF included."""
        assert music_faults(**{name: title}) == [(f"/music/{name}", "music.url-title")]

    @pytest.mark.parametrize("name", ["track", "artist"])
    @pytest.mark.parametrize("title", NOT_BLANK, ids=ascii)
    def test_what_ecmascript_does_not_trim_is_a_title(self, name: str, title: str) -> None:
        """U+0085 among them, which other trims remove."""
        assert music_faults(**{name: title}) == []

    def test_a_blank_title_is_a_title_without_urls(self) -> None:
        assert music_faults(track=" ", artist="\ufeff", artwork_url=None, track_url=None) == []

    def test_two_blank_titles_are_two_faults(self) -> None:
        assert music_faults(track=" ", artist="\ufeff") == [
            ("/music/track", "music.url-title"),
            ("/music/artist", "music.url-title"),
        ]

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

    @pytest.mark.parametrize("off", [0, 1, -1, SKEW, -SKEW])
    def test_up_to_120_seconds_either_way_are_accepted(self, off: int) -> None:
        assert snapshot_faults(SNAPSHOT, received_at=NOON + off) == []

    @pytest.mark.parametrize("off", [SKEW + 1, -SKEW - 1, 86_400_000, -NOON])
    def test_a_millisecond_more_is_refused(self, off: int) -> None:
        faults = snapshot_faults(SNAPSHOT, received_at=NOON + off)
        assert faults == [("/collected_at", "snapshot.skew")]

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


class TestWindowClock:
    """generated_at is within 120 s of the receive time; not so the baseline's instant."""

    @pytest.mark.parametrize("off", [0, SKEW, -SKEW])
    def test_up_to_120_seconds_either_way_are_accepted(self, off: int) -> None:
        assert faults_of(received_at=WINDOW_END + off) == []

    @pytest.mark.parametrize("off", [SKEW + 1, -SKEW - 1])
    def test_a_millisecond_more_is_refused(self, off: int) -> None:
        faults = faults_of(received_at=WINDOW_END + off)
        assert faults == [("/generated_at", "window.skew")]

    def test_the_rule_for_snapshots_does_not_apply_to_the_baseline(self) -> None:
        """It is up to 900 s older than the batch."""
        assert faults_of(window_start=WINDOW_END - SPAN) == []

    def test_the_window_may_end_before_the_skew_begins(self) -> None:
        """What is compared with the receive time is generated_at alone."""
        end = WINDOW_END - LAG
        assert (
            faults_of(window_end=end, generated_at=WINDOW_END, received_at=WINDOW_END + SKEW) == []
        )


class TestSpan:
    """window_start <= window_end, at most 900 s apart."""

    def test_a_window_of_zero_length_is_valid(self) -> None:
        assert faults_of(window_start=WINDOW_END) == []

    def test_900_seconds_are_accepted(self) -> None:
        assert faults_of(window_start=WINDOW_END - SPAN) == []

    def test_a_millisecond_more_is_refused(self) -> None:
        faults = faults_of(window_start=WINDOW_END - SPAN - 1)
        assert faults == [("/window_start", "window.span")]

    def test_a_window_that_ends_before_it_starts_is_refused(self) -> None:
        faults = faults_of(window_start=WINDOW_END + 1, window_end=WINDOW_END)
        assert faults == [("/window_start", "window.order")]

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

    @pytest.mark.parametrize("lag", [0, 1, LAG])
    def test_up_to_30_seconds_are_accepted(self, lag: int) -> None:
        assert faults_of(generated_at=WINDOW_END + lag) == []

    def test_a_millisecond_more_is_refused(self) -> None:
        faults = faults_of(generated_at=WINDOW_END + LAG + 1)
        assert faults == [("/generated_at", "window.lag")]

    def test_a_window_that_ends_after_the_batch_was_made_is_refused(self) -> None:
        faults = faults_of(generated_at=WINDOW_END - 1)
        assert faults == [("/window_end", "window.ahead")]

    def test_a_lag_is_a_distance_also_from_before_1970(self) -> None:
        def faults(end: int) -> list[Fault]:
            return faults_of(window_start=end, window_end=end, generated_at=0, received_at=0)

        assert faults(-LAG) == []
        assert faults(-LAG - 1) == [("/generated_at", "window.lag")]


class TestBaseline:
    """baseline.collected_at is the same text as window_start."""

    @pytest.mark.parametrize("off", [1, -1, 1000])
    def test_another_instant_is_refused(self, off: int) -> None:
        faults = faults_of(baseline=snapshot(collected_at=NOON + off))
        assert faults == [("/baseline/collected_at", "window.baseline")]

    def test_another_form_of_the_instant_is_refused(self) -> None:
        value = put(plain(window()), "baseline/collected_at", "2026-01-01T12:00:00Z")
        assert window_faults(value) == [("/baseline/collected_at", "time.format")]

    def test_it_is_not_validated_where_either_is_faulty(self) -> None:
        value = put(plain(window()), "window_start", None)
        assert window_faults(value) == [("/window_start", "type")]


class TestEvents:
    """seq strictly increasing; at non-decreasing and inside the window, both ends included."""

    def test_events_may_lie_at_both_ends(self) -> None:
        assert faults_of(events=(event(1, NOON), event(2, WINDOW_END))) == []

    @pytest.mark.parametrize("at", [NOON - 1, WINDOW_END + 1, FIRST_INSTANT, LAST_INSTANT])
    def test_an_event_outside_is_refused(self, at: int) -> None:
        assert faults_of(events=(event(1, at),)) == [("/events/0/at", "events.inside")]

    def test_in_a_window_of_zero_length_only_its_instant_is_inside(self) -> None:
        def faults(at: int) -> list[Fault]:
            return faults_of(window_end=NOON, events=(event(1, at),), received_at=NOON)

        assert faults(NOON) == []
        assert faults(NOON - 1) == faults(NOON + 1) == [("/events/0/at", "events.inside")]

    def test_events_of_one_instant_are_accepted(self) -> None:
        assert faults_of(events=tuple(event(seq, NOON + 5) for seq in range(1, 6))) == []

    def test_an_instant_that_goes_back_is_refused(self) -> None:
        events = (event(1, NOON + 5), event(2, NOON + 4), event(3, NOON + 4))
        assert faults_of(events=events) == [("/events/1/at", "events.order")]

    def test_a_number_that_repeats_or_falls_is_refused(self) -> None:
        events = tuple(event(seq, NOON) for seq in (5, 5, 4, 7))
        assert faults_of(events=events) == [
            ("/events/1/seq", "events.seq"),
            ("/events/2/seq", "events.seq"),
        ]

    def test_numbers_may_start_anywhere_and_leave_some_out(self) -> None:
        assert faults_of(events=(event(7, NOON), event(2**53 - 1, NOON))) == []

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


class TestChanges:
    """An event changes something; any one member will do."""

    @pytest.mark.parametrize(
        "changes",
        [
            {"active_app": None},
            {"battery": BATTERY},
            {"system": SYSTEM},
            {"music": SONG},
            {"running_apps": ()},
        ],
        ids=lambda changes: next(iter(changes)),
    )
    def test_one_member_is_enough(self, changes: dict[str, Any]) -> None:
        assert faults_of(events=(event(1, NOON, **changes),)) == []

    def test_none_is_not(self) -> None:
        events = (event(1, NOON), WindowEvent(2, NOON, WindowChanges()))
        assert faults_of(events=events) == [("/events/1/changes", "changes.empty")]


class TestOrder:
    """Before a model is built, the numbers and instants of events are validated."""

    @pytest.mark.parametrize(
        "events",
        [
            (),
            (event(9, NOON),),
            (event(1, NOON), event(2, NOON), event(4, NOON + 1), event(5, WINDOW_END)),
        ],
        ids=len,
    )
    def test_rising_numbers_and_instants_that_never_go_back(
        self, events: tuple[WindowEvent, ...]
    ) -> None:
        assert faults_of(events=events) == []

    @pytest.mark.parametrize(
        "events",
        [
            (event(1, NOON), event(1, NOON)),
            (event(1, NOON), event(2, NOON), event(2, NOON)),
            (event(1, NOON + 1), event(2, NOON)),
            (event(1, NOON - 1),),
            (event(1, WINDOW_END + 1),),
        ],
        ids=["number", "later number", "instant", "before", "after"],
    )
    def test_anything_else_is_none(self, events: tuple[WindowEvent, ...]) -> None:
        assert faults_of(events=events)


class TestValidModels:
    """A valid model has no findings."""

    @pytest.mark.parametrize(
        "music",
        [
            SONG,
            attrs.evolve(SONG, artwork_url=None, track_url=None),
            Music("unavailable", None, None),
            COVERED_SONG,
            attrs.evolve(COVERED_SONG, state="paused"),
        ],
        ids=["no URLs", "null URLs", "nothing", "playing", "paused"],
    )
    def test_valid_music_has_no_findings_anywhere(self, music: Music) -> None:
        assert not any(snapshot_findings(snapshot(music=music), NOON, ITUNES))
        assert faults_of(baseline=snapshot(music=music)) == []
        assert faults_of(events=(event(1, NOON, music=music),)) == []

    def test_a_whole_window_has_no_findings(self) -> None:
        events = (event(1, NOON), event(2, NOON, battery=BATTERY, system=SYSTEM))
        full = window(events=events, gaps=(gap(NOON, NOON + 1), gap(NOON + 1, WINDOW_END)))
        assert not any(window_findings(full, RECEIVED_AT, ITUNES))
        assert not any(window_findings(full, None, ITUNES))


class TestGaps:
    """Sorted, non-overlapping, each inside the window, start before end."""

    def test_a_gap_may_fill_the_window(self) -> None:
        assert faults_of(gaps=(gap(NOON, WINDOW_END),)) == []

    def test_gaps_may_touch(self) -> None:
        """They are half-open."""
        gaps = (gap(NOON, NOON + 5), gap(NOON + 5, NOON + 6), gap(NOON + 9, WINDOW_END))
        assert faults_of(gaps=gaps) == []

    @pytest.mark.parametrize("end", [NOON + 5, NOON + 4])
    def test_a_gap_that_does_not_start_before_its_end_is_refused(self, end: int) -> None:
        assert faults_of(gaps=(gap(NOON + 5, end),)) == [("/gaps/0", "gaps.order")]

    def test_a_window_of_zero_length_has_no_gap(self) -> None:
        gaps = (gap(WINDOW_END, WINDOW_END),)
        assert faults_of(window_start=WINDOW_END, gaps=gaps) == [("/gaps/0", "gaps.order")]

    @pytest.mark.parametrize(
        ("start", "end"),
        [(NOON - 1, NOON + 5), (NOON + 5, WINDOW_END + 1), (NOON - 1, WINDOW_END + 1)],
    )
    def test_a_gap_that_reaches_outside_is_refused(self, start: int, end: int) -> None:
        assert faults_of(gaps=(gap(start, end),)) == [("/gaps/0", "gaps.inside")]

    @pytest.mark.parametrize("start", [NOON, NOON + 4])
    def test_an_overlap_is_refused(self, start: int) -> None:
        gaps = (gap(NOON, NOON + 5), gap(start, NOON + 9))
        assert faults_of(gaps=gaps) == [("/gaps/1", "gaps.overlap")]

    def test_gaps_that_are_not_sorted_are_refused(self) -> None:
        gaps = (gap(NOON + 5, NOON + 9), gap(NOON, NOON + 5))
        assert faults_of(gaps=gaps) == [("/gaps/1", "gaps.overlap")]

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

    def test_a_valid_model_has_none(self) -> None:
        full = window(events=(event(1, NOON),), gaps=(gap(NOON, NOON + 1),))
        assert list(window_findings(full, RECEIVED_AT, ITUNES)) == []
        assert list(snapshot_findings(snapshot(), NOON, ITUNES)) == []

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
        assert [(each.path, each.message) for each in found] == [
            ("/music/artwork_url", "must have a host below covers.example"),
            ("/music/track_url", "must have one of the hosts a.example, b.example"),
        ]
