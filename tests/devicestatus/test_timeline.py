"""The timeline of a window: texts, lanes, gaps, and how a renderer draws it."""

import math
import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, get_args

import attrs
import pytest

from devicestatus import lane_values
from devicestatus.models import Battery, GapReason, Music, MusicState, System, Window
from devicestatus.timeline import MAX_IMAGE_BYTES, WIDTHS, lanes
from status_contracts.svg.axis import AXIS_PADDING
from status_contracts.svg.palette import APPS, BLACK, INK, MIDDLE, PAPERS, WHITE, Theme
from support.checks.colour_vision import contrast, mixed
from support.checks.golden import assert_recorded
from support.checks.xml_reading import Element
from support.devicestatus.drawn_lanes import assert_safe
from support.devicestatus.examples import NOON, NOTHING, WINDOW_END, event, gap, snapshot, window

MINUTE = 60_000
SECOND = 1_000
PAUSED = {"music": Music("paused", "Song", None)}
HOSTILE = "</text><script>alert(1)</script>"
FULL = window(
    events=tuple(
        event(
            n + 1,
            NOON + n * (WINDOW_END - NOON) // 2048,
            active_app=f"App {n % 7}",
            music=Music("playing" if n % 3 else "paused", f"{n}", None),
            battery=Battery(n % 100, n % 2 == 0, "ac"),
            system=System(n % 9, 1, 1),
            running_apps=tuple(map(str, range(n % 64))),
        )
        for n in range(2048)
    )
)


class TestRangesOfTime:
    def test_a_range_over_midnight_names_both_days(self) -> None:
        midnight = NOON + 12 * 60 * MINUTE
        assert lane_values.format_date_range(midnight - MINUTE, midnight) == (
            "1 Jan 2026, 23:59:00 to 2 Jan 2026, 00:00:00 UTC"
        )


def colors(*apps: str) -> dict[str, str]:
    """Return the colours of apps, in the order of their first appearance."""
    return {
        app: APPS[index] for app, index in lane_values.app_colors(apps).items() if index is not None
    }


def drawn(of: Window, at: int | None = None, width: int = 720) -> list[Element]:
    return assert_safe(lanes(of, at=at, width=width))


def is_bar(element: Element, height: int) -> bool:
    """Check whether an element is a bar of a height, px; an outlined one is a px lower."""
    return "rx" in element.attributes and element.attributes["height"] == f"{height}"


def texts(of: Window, at: int | None = None, width: int = 720) -> list[str]:
    """Return the visible texts."""
    return [e.text.strip() for e in drawn(of, at, width) if e.name in {"text", "tspan"} and e.text]


def titles(of: Window, width: int = 720) -> list[str]:
    return [element.text for element in drawn(of, width=width) if element.name == "title"]


def described(of: Window, at: int | None = None) -> list[str]:
    (text,) = (element.text for element in drawn(of, at) if element.name == "desc")
    return text.removesuffix(".").split(". ")


def changing(member: str, values: Iterable[Any], step: int = MINUTE) -> Window:
    """Return a window in which a member takes values, so many ms apart."""
    changes = enumerate(values, 1)
    return window(events=tuple(event(n, NOON + n * step, **{member: v}) for n, v in changes))


class TestTexts:
    @pytest.mark.parametrize("width", [320, 720])
    def test_missing_values_are_shown_as_no_data_and_none_are_to_come(self, width: int) -> None:
        """Invariant *no guesses*."""
        found = texts(window(baseline=NOTHING), NOON, width)
        assert (found.count("no data"), found.count("still to come")) == (1, 0)

    def test_the_description_contains_what_the_lanes_show(self) -> None:
        """Invariant *complete in text*."""
        of = window(
            baseline=snapshot(running_apps=("a", "b")),
            events=(
                event(1, NOON + MINUTE, active_app="Mail"),
                event(2, NOON + 3 * MINUTE, battery=Battery(90.25, True, "ac")),
                event(3, NOON + 3 * MINUTE, system=System(0.25, None, None)),
                event(4, NOON + 4 * MINUTE, running_apps=()),
            ),
            gaps=(gap(NOON + 10 * MINUTE, WINDOW_END, "clock"),),
        )
        assert described(of) == [
            "1 Jan 2026, 12:00:00 to 12:15:00 UTC",
            "Apps: Mail 9 min, Editor 1 min",
            "Open apps: 2",
            "Music: Song — Band 10 min",
            "Battery: 82 to 90.3 %, charging for 7 min",
            "Load over 1 minute: 0.3 to 1.5",
            "Gaps: clock changed 12:10:00 to 12:15:00 (5 min)",
        ]

    def test_the_description_lists_the_longest_and_counts_the_rest(self) -> None:
        assert described(changing("active_app", "1234567"))[1] == (
            "Apps: 7 8 min, Editor 1 min, 1 1 min, 2 1 min, 3 1 min, 3 more"
        )

    @pytest.mark.parametrize(
        ("state", "expected"),
        [("paused", "paused: Song 15 min"), ("stopped", "no data"), ("unavailable", "no data")],
    )
    def test_music_that_does_not_play(self, state: MusicState, expected: str) -> None:
        music = Music(state, "Song", None)
        assert described(window(baseline=snapshot(music=music)))[3] == f"Music: {expected}"

    @pytest.mark.parametrize(
        ("at", "expected"),
        [
            (NOON, "Shown: 12:00:00 Editor"),
            (NOON + 5 * MINUTE, "Shown: 12:05:00 asleep"),
            (NOON + 6 * MINUTE, "Shown: 12:06:00"),
            (NOON + 7 * MINUTE, f"Shown: 12:07:00 {'X' * 59}…"),
            (NOON - 1, "Not shown yet"),
            (WINDOW_END, "Paused at 12:15:00"),
            (WINDOW_END + 3 * MINUTE - 1, "Paused at 12:15:00"),
            (WINDOW_END + 3 * MINUTE, "Not shown any more"),
        ],
    )
    def test_the_shown_instant_is_described_and_marked(self, at: int, expected: str) -> None:
        of = window(
            events=(
                event(1, NOON + 6 * MINUTE, active_app=None),
                event(2, NOON + 7 * MINUTE, active_app="X" * 61),
            ),
            gaps=(gap(NOON + 5 * MINUTE, NOON + 6 * MINUTE),),
        )
        assert described(of, at)[-1] == expected
        visible = f"shown {expected[7:15]}" if NOON <= at < WINDOW_END else expected
        assert visible in texts(of, at, 960)


class TestAxis:
    """Invariant *times apart*."""

    @pytest.mark.parametrize("width", [320, 360, 560, 640, 959, 960])
    @pytest.mark.parametrize("moved", [0, 171 * SECOND])
    def test_all_times_stay_wherever_the_mark_is_and_it_is_labelled_above_the_lanes(
        self, width: int, moved: int
    ) -> None:
        of = window(window_start=NOON + moved, window_end=WINDOW_END + moved)
        for at in range(of.window_start, of.window_end, 45_000):
            times = [text for text in texts(of, at, width) if re.fullmatch("12:[0-9]{2}", text)]
            assert times == [text for text in texts(of, None, width) if text in times]
            assert len(times) >= 3
            line, label, *_ = (each.attributes for each in drawn(of, at, width)[-4:])
            left, (x, y) = float(label["x"]), re.findall(r"M(\d+) (\d+)V", line["d"])[0]
            right, edge = left + float(label["width"]), (20 if width >= 640 else 12) - AXIS_PADDING
            assert max(edge, left - 60 * (width < 640)) <= float(x) < right <= width - edge
            assert float(label["y"]) + float(label["height"]) == float(y) - 3

    @pytest.mark.parametrize(
        ("theme", "edge", "line"),
        [
            *(("light", WHITE, INK), ("dark", BLACK, PAPERS["dark"].title)),
            ("transparent", BLACK, MIDDLE),
        ],
    )
    def test_its_line_stands_out_in_each_theme(self, theme: Theme, edge: str, line: str) -> None:
        looks = [e.attributes for e in assert_safe(lanes(window(), at=NOON, theme=theme))]
        strokes = {each.get("stroke-width"): each["stroke"] for each in looks if "stroke" in each}
        assert (strokes["4"], strokes["2"]) == (edge, line)


class TestBars:
    def test_hostile_names_are_text(self) -> None:
        """Invariant *any text*."""
        of = window(baseline=snapshot(active_app=HOSTILE, music=Music("playing", HOSTILE, "\x00")))
        assert HOSTILE in texts(of)
        assert f"{HOSTILE} — \ufffd" in texts(of)

    def test_text_is_cut_to_its_bar_and_an_initial_where_few_letters_fit(self) -> None:
        of = window(baseline=snapshot(active_app="W" * 200))
        assert f"12:00:00 to 12:15:00 (15 min): {'W' * 59}…" in titles(of)
        for seconds, expected in ((70, "T"), (90, "Term…"), (130, "Terminal…")):
            assert expected in texts(
                changing("active_app", ["Terminal emulator", "X"], seconds * SECOND)
            )

    def test_of_short_intervals_in_one_px_the_longest_is_visible(self) -> None:
        """Invariant *short intervals are visible*."""

        def shown(first: int) -> set[str]:
            changes = (
                event(1, NOON + 60_000, active_app="X"),
                event(2, NOON + 60_000 + first, active_app=None),
                event(3, NOON + 60_100, active_app="System"),
                event(4, NOON + 60_130, active_app="Editor"),
            )
            paths = (e.attributes for e in drawn(window(events=changes)) if e.name == "path")
            return {path["fill"] for path in paths if "h1v" in path["d"]}

        assert shown(31) == {colors("Editor", "X")["X"]}
        assert shown(29) == {lane_values.OTHER}

    @pytest.mark.parametrize("width", [320, 720, 1600])
    def test_blocks_of_one_colour_have_a_line_between_them(self, width: int) -> None:
        songs = [Music("playing", f"{n}", None) for n in range(1, 6)]
        of = changing("music", songs, 150 * SECOND)
        boxes = (e.attributes for e in drawn(of, width=width) if e.name == "rect")
        music = [box for box in boxes if box.get("fill") == lane_values.MUSIC]
        bars = [(int(box["x"]), int(box["width"])) for box in music]
        assert len(bars) == 6
        for (x, length), (following, _) in pairwise(bars):
            assert x + length == following - 1

    def test_a_private_app_is_named_as_such(self) -> None:
        of = window(baseline=snapshot(active_app="System"))
        image = lanes(of, at=NOON, width=960).decode()
        assert "System" not in image
        assert "Apps: Private app" in image
        assert "Shown: 12:00:00 Private app" in image

    @pytest.mark.parametrize(
        ("music", "expected"),
        [
            (Music("playing", None, "Band"), "playing"),
            (Music("playing", "Song", None), "Song"),
            (Music("paused", "Song", "Band"), "Song — Band"),
            (Music("paused", "Song", "Band" * 99), "Song"),
            (Music("paused", None, None), "paused"),
        ],
    )
    def test_music_shows_what_is_known(self, music: Music, expected: str) -> None:
        assert expected in texts(window(baseline=snapshot(music=music)))
        assert "♪" in texts(window(baseline=snapshot(music=music)), NOON + MINUTE)

    @pytest.mark.parametrize("seconds", range(10, 50, 5))
    def test_whether_a_bar_has_a_letter_depends_on_its_width_only(self, seconds: int) -> None:
        found = []
        for letter in "WI":
            changes = (
                event(1, NOON + MINUTE, active_app=letter * 9),
                event(2, NOON + MINUTE + seconds * SECOND, active_app=None),
            )
            found.append(texts(window(events=changes)).count(letter))
        assert found[0] == found[1]


class TestLegend:
    """Invariant *named*."""

    def entries(self, of: Window, at: int | None = None, width: int = 720) -> list[str]:
        """Return names with their values, in order."""
        elements = drawn(of, at, width)
        legend = [n for n, each in enumerate(elements) if each.name == "tspan"]
        pairs = (f"{elements[n - 1].text}{elements[n].text}" for n in legend)
        return [pair for pair in pairs if not pair.startswith(("Open apps", "Battery", "Load"))]

    def test_every_app_is_named_with_its_colour_the_longest_first(self) -> None:
        of = changing("active_app", [*"ABCD", "System", "System", "E", "E"])
        assert self.entries(of) == [
            *("E 8 min", "Private app 2 min", "Editor 1 min"),
            *("A 1 min", "B 1 min", "C 1 min", "D 1 min"),
        ]
        squares = [each for each in drawn(of) if is_bar(each, 14)]
        own = colors("Editor", *"ABCDE")
        expected = [own["E"], lane_values.OTHER, *(own[app] for app in ("Editor", *"ABCD"))]
        assert [each.attributes["fill"] for each in squares] == expected

    def test_apps_with_one_initial_have_another_letter(self) -> None:
        signs = {"Code": "Co", "comet": "Cm", "Calendar": "Ca", "Calculator": "Cl", "C": "C"}
        signs |= {"Mail": "M", "System": "•", "\U0001f3b5": "•"}
        assert lane_values.app_signs(signs) == signs

    def test_several_apps_more_than_colours_are_others(self) -> None:
        assert self.entries(changing("active_app", "ABCDEFGHIJKL"))[-1] == "K 1 min"  # one more
        of = changing("active_app", [f"{n}".ljust(200, "W") for n in range(1, 17)], 50 * SECOND)
        for width in (320, 720):
            found = self.entries(of, width=width)
            assert len(found) == (len(APPS) + 1) * (width >= 400)  # with their totals
            assert found[-1:] == ["5 other apps 4 min 10 s"] * (width >= 400)
            assert "5 other apps" in texts(of, width=width)

    def test_gaps_and_looks_are_explained(self) -> None:
        of = window(
            baseline=snapshot(active_app=None),
            events=(
                event(1, NOON + MINUTE, **PAUSED),
                event(2, NOON + 2 * MINUTE, music=Music("stopped", None, None)),
                event(3, NOON + 12 * MINUTE, battery=Battery(5, True, "ac")),
            ),
            gaps=(
                *(gap(NOON + n * MINUTE, NOON + n * MINUTE + SECOND) for n in (5, 6)),
                gap(NOON + 7 * MINUTE, NOON + 10 * MINUTE, "clock"),
            ),
        )
        expected = ["clock changed 3 min", "asleep 2 s", "music paused 1 min", "charging 3 min"]
        assert self.entries(of) == expected
        for at, is_to_come in ((NOON - 1, True), (NOON + MINUTE, True), (WINDOW_END, False)):
            assert self.entries(of, at) == expected
            assert ("still to come" in texts(of, at)) == is_to_come

    def test_nothing_is_to_come_in_a_gap_to_the_end(self) -> None:
        of = window(baseline=snapshot(), gaps=(gap(NOON + MINUTE, WINDOW_END),))
        assert "still to come" not in texts(of, NOON + 2 * MINUTE)

    @pytest.mark.parametrize(
        ("running", "text"), [((), lane_values.NO_APPS), (("Other",), lane_values.NOT_REPORTED)]
    )
    def test_a_time_without_a_foreground_app_is_pale_and_says_why(
        self, running: tuple[str, ...], text: str
    ) -> None:
        none = event(1, NOON + MINUTE, active_app=None, running_apps=running)
        of = window(events=(none,))
        assert texts(of).count(text) == 2
        assert self.entries(of)[-1] == f"{text} 14 min"
        bars = [e.attributes for e in drawn(of) if is_bar(e, 28)]
        (pale,) = (each for each in bars if "fill-opacity" in each)
        assert (pale["fill"], pale["fill-opacity"]) == (lane_values.GAP, ".18")

    def test_music_that_is_not_reported_looks_as_an_app_that_is_not(self) -> None:
        of = window(events=(event(1, NOON + MINUTE, music=NOTHING.music),))
        assert self.entries(of)[-1] == "music not reported 14 min"
        assert [e.attributes["fill"] for e in drawn(of) if is_bar(e, 28)][-1] == lane_values.GAP

    def test_a_time_without_a_foreground_app_is_split_where_the_reason_changes(self) -> None:
        changes: Any = {"active_app": None}, {"running_apps": ()}, {"active_app": "Editor"}
        events = (event(n, NOON + n * MINUTE, **each) for n, each in enumerate(changes, 1))
        assert self.entries(window(events=tuple(events)))[-2:] == [
            f"{lane_values.NOT_REPORTED} 1 min",
            f"{lane_values.NO_APPS} 1 min",
        ]


class TestMarked:
    @pytest.mark.parametrize(
        ("minute", "before", "after"),
        [(1, "E", "Editor"), (7, "Editor", "Editor"), (14, "Editor", "E")],
    )
    def test_what_follows_is_outlined_and_both_parts_have_the_name_that_has_space(
        self, minute: int, before: str, after: str
    ) -> None:
        baseline = attrs.evolve(NOTHING, active_app="Editor")
        elements = drawn(window(baseline=baseline), NOON + minute * MINUTE)
        (filled,) = (n for n, e in enumerate(elements) if is_bar(e, 28))
        (outlined,) = (n for n, e in enumerate(elements) if is_bar(e, 27))
        for part, expected in ((elements[filled:outlined], before), (elements[outlined:], after)):
            names = [e.text for e in part if e.text in {"E", "Editor"}]
            assert names == [expected]

    @pytest.mark.parametrize(
        ("changes", "color"), [({"active_app": None}, lane_values.GAP), (PAUSED, lane_values.MUSIC)]
    )
    def test_what_is_tinted_is_outlined_after_it(self, changes: Any, color: str) -> None:
        of = window(events=(event(1, NOON + MINUTE, **changes),))
        for at, count in ((NOON + MINUTE, 0), (NOON + 5 * MINUTE, 1), (WINDOW_END, 1)):
            bars = [e.attributes for e in drawn(of, at) if is_bar(e, 28) or is_bar(e, 27)]
            tinted = [each["fill"] for each in bars if each.get("fill-opacity") == ".18"]
            assert tinted == [color] * count

    @pytest.mark.parametrize(("track", "x"), [("أنت Song", "525"), ("Song أنت", "4")])
    def test_a_title_is_at_the_end_where_its_script_starts(self, track: str, x: str) -> None:
        elements = drawn(window(baseline=snapshot(music=Music("playing", track, None))))
        n = next(n for n, e in enumerate(elements) if e.text == track and e.name == "tspan")
        assert elements[n].attributes["unicode-bidi"] == "plaintext"
        assert elements[n - 1].attributes["x"] == x
        assert elements[n - 1].attributes.get("text-anchor") == ("end" if x == "525" else None)


class TestLevels:
    def test_the_greatest_number_of_a_px_is_visible(self) -> None:
        """Invariant *greatest visible*."""
        high = event(1, NOON + MINUTE, battery=Battery(100, None, "ac"))
        low = event(2, NOON + MINUTE + 1, battery=Battery(0, None, "ac"))
        elements = [e.attributes for e in drawn(window(events=(high, low)))]
        lines = (each["d"] for each in elements if each.get("stroke-width") == "1.5")
        assert any(line.count("V") == 2 for line in lines)

    def areas(self, opacity: str, at: int | None, *percents: float | None) -> list[str]:
        """Return the paths of an opacity of the lane of a battery, which changes each minute."""
        first, *others = (Battery(percent, None, "ac") for percent in percents)
        changes = (event(n, NOON + n * MINUTE, battery=other) for n, other in enumerate(others, 1))
        of = window(baseline=attrs.evolve(NOTHING, battery=first), events=tuple(changes))
        found = (e.attributes for e in drawn(of, at) if e.attributes.get("fill-opacity") == opacity)
        return [each["d"] for each in found]

    def test_an_unknown_number_leaves_the_lane_empty(self) -> None:
        assert self.areas(".5", None, 5, None, 5)[0].count("M") == 2

    @pytest.mark.parametrize(("page", "own"), [("#ffffff", "light"), ("#0d1117", "dark")])
    def test_areas_stand_out_from_the_page_and_from_what_follows(
        self, page: str, own: Theme
    ) -> None:
        images = [lanes(window(), theme=theme) for theme in (own, "transparent")]
        looks = [e.attributes for image in images for e in assert_safe(image)]
        for color in {
            lane_values.CHARGING,
            *(each["fill"] for each in looks if "fill-opacity" in each),
        }:
            assert contrast(color, page) >= 3.6
            full, ahead = (mixed(color, page, share) for share in (0.5, 0.1))
            assert contrast(full, page) >= 1.7
            assert contrast(full, ahead) >= 1.5

    @pytest.mark.parametrize(
        ("minute", "filled", "pale"), [(-1, 0, 530), (0, 0, 530), (6, 212, 318), (15, 530, 0)]
    )
    def test_what_follows_is_paler(self, minute: int, filled: int, pale: int) -> None:
        for opacity, expected in ((".5", filled), (".1", pale)):
            paths = "".join(self.areas(opacity, NOON + minute * MINUTE, 1))
            ends = re.findall(r"M(\d+) [\d.]+H(\d+)V", paths)
            assert sum(int(right) - int(left) for left, right in ends) == expected

    @pytest.mark.parametrize(("load", "px"), [(0, 0), (0.4, 10.8), (1.5, 13.5), (41, 13.5)])
    def test_a_constant_number_is_halfway_at_most(self, load: float, px: float) -> None:
        of = window(baseline=attrs.evolve(NOTHING, system=System(load, 1, 1)))
        paths = " ".join(e.attributes.get("d", "") for e in drawn(of))
        ((top, bottom),) = re.findall(r"M170 ([\d.]+)H700V(\d+)H170z", paths)
        assert float(bottom) - float(top) == pytest.approx(px)
        assert f"{load}" in texts(of)


class TestGaps:
    @pytest.mark.parametrize("theme", get_args(Theme))
    def test_a_gap_has_its_name_in_each_theme(self, theme: Theme) -> None:
        of = window(gaps=(gap(NOON, NOON + 5 * MINUTE),))
        assert "asleep" in {e.text for e in assert_safe(lanes(of, theme=theme))}

    @pytest.mark.parametrize(
        ("reason", "degrees"),
        [("sleep", -45), ("restart", 45), ("collection", 72), ("overflow", 0), ("clock", 90)],
    )
    @pytest.mark.parametrize("seconds", [12, 300])
    def test_each_reason_has_its_own_hatch_in_the_gap_and_in_the_legend(
        self, seconds: int, reason: GapReason, degrees: int
    ) -> None:
        gaps = (gap(NOON + 5 * MINUTE, NOON + 5 * MINUTE + seconds * SECOND, reason),)
        paths = [e.attributes["d"] for e in drawn(window(gaps=gaps)) if "d" in e.attributes]
        found = [n for n, path in enumerate(paths) if path.endswith("z") and "M" in paths[n + 1]]
        hatched = [(paths[n], paths[n + 1]) for n in found if "L" in paths[n + 1]]
        assert len(hatched) == 2
        for shade, hatch in hatched:
            boxes = re.findall(r"M(\d+) (\d+)H(\d+)V(\d+)", shade)
            (left, top), (right, bottom) = boxes[0][:2], boxes[-1][2:]
            strokes = re.findall(r"M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)", hatch)
            assert len(strokes) > 1
            for x, y, end_x, end_y in (map(float, stroke) for stroke in strokes):
                assert int(left) <= x <= end_x <= int(right)
                assert int(top) <= min(y, end_y) <= max(y, end_y) <= int(bottom)
                angle = math.degrees(math.atan2(end_y - y, end_x - x))
                assert angle == pytest.approx(degrees, abs=2)

    @pytest.mark.parametrize(
        "ends", [(NOON, NOON + 1), (WINDOW_END - 1, WINDOW_END), (NOON, WINDOW_END)]
    )
    def test_a_gap_is_visible_wherever_it_is(self, ends: tuple[int, int]) -> None:
        """Invariant *gaps are visible*."""
        elements = drawn(window(gaps=(gap(*ends),)))
        named = next(n for n, e in enumerate(elements) if e.text.endswith(": asleep"))
        found = re.match(r"M(\d+) \d+H(\d+)V", elements[named + 1].attributes["d"])
        assert found is not None
        assert 112 <= int(found[1]) <= int(found[2]) - 2 <= 702

    @pytest.mark.parametrize("width", [559, 640])
    def test_the_grid_crosses_levels_and_neither_bars_nor_gaps(self, width: int) -> None:
        elements = drawn(window(gaps=(gap(NOON + MINUTE, WINDOW_END),)), None, width)
        paths = "".join(e.attributes["d"] for e in elements if e.name == "path")
        lines = re.findall(r"M\d+\.5 (\d+)V(\d+)", paths)
        assert [int(end) - int(y) for y, end in lines] == [5, 28, 28, 5, 5, 5, 28, 28]  # and levels

    @pytest.mark.parametrize("width", [320, 559])
    def test_names_above_their_lanes_are_crossed_by_nothing(self, width: int) -> None:
        elements = drawn(window(gaps=(gap(NOON, NOON + MINUTE),)), NOON, width)
        paths = "".join(e.attributes.get("d", "") for e in elements if e.name == "path")
        names = [float(e.attributes["y"]) for e in elements if e.text in lane_values.LANES.values()]
        assert len(names) == 4
        for form in (r"M12 (\d+)H(?!30V)\d+V(\d+)H12z", r"M12 (\d+)V(\d+)"):
            found = {(int(y), int(end)) for y, end in re.findall(form, paths)}
            assert len({y for y, _ in found}) == 4
            assert not [1 for name in names for y, end in found if y < name < end]


class TestArguments:
    @pytest.mark.parametrize("width", [0, 319, 1921])
    def test_other_widths_raise(self, width: int) -> None:
        with pytest.raises(ValueError, match="320 to 1920"):
            lanes(window(), width=width)

    def test_full_windows_are_small(self) -> None:
        """Invariant *bounded*."""
        names = [("'" * 200)[n % 2 :] for n in range(224)]
        changes = tuple(
            event(n, NOON + n * 4000, active_app=name, music=Music("playing", name, None))
            for n, name in enumerate(names, 1)
        )
        gaps = tuple(gap(NOON + n * 7000, NOON + n * 7000 + 6000) for n in range(128))
        for of in (FULL, window(events=changes), attrs.evolve(FULL, gaps=gaps)):
            assert len(lanes(of, width=WIDTHS[-1])) <= MAX_IMAGE_BYTES


class TestRecorded:
    """The timeline of the README, in sizes and themes, tag by tag."""

    OF = window(
        baseline=snapshot(collected_at=NOON, running_apps=("Editor", "Mail")),
        events=(
            event(1, NOON + 2 * MINUTE, active_app="Mail", system=System(31170.25, 1, 1)),
            event(2, NOON + 7 * MINUTE, active_app="System", music=Music("paused", "Song", None)),
            event(3, NOON + 8 * MINUTE, active_app="Editor", battery=Battery(81.5, True, "ac")),
        ),
        gaps=(gap(NOON + 4 * MINUTE, NOON + 6 * MINUTE),),
    )

    @pytest.mark.parametrize(
        ("name", "options"),
        [
            ("light", {}),
            ("dark-marked", {"theme": "dark", "at": NOON + 9 * MINUTE, "width": 1200}),
            ("transparent-narrow", {"theme": "transparent", "width": 360}),
        ],
    )
    def test_the_image_is_the_recorded_one(self, name: str, options: Any) -> None:
        assert_recorded("timelines", name, lanes(self.OF, **options))


class TestNotebooks:
    def test_a_window_has_an_svg_representation(self) -> None:
        of = window(baseline=snapshot(active_app=HOSTILE))
        assert of._repr_svg_() == lanes(of, theme="transparent").decode()
