"""Properties of timelines: any window is drawn completely, safely and within the size limit."""

from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from devicestatus.durations import Member, intervals
from devicestatus.models import Music, System, Window
from devicestatus.strategies import windows
from devicestatus.timeline import MAX_IMAGE_BYTES, WIDTHS, lanes
from status_contracts.instants import LAST_INSTANT
from status_contracts.svg.palette import Theme
from support.checks.costs import assert_linear
from support.devicestatus.drawn_lanes import assert_safe
from support.devicestatus.examples import NOON, WINDOW_END, event, state_at, window

MEMBERS: tuple[Member, ...] = ("active_app", "running_apps", "music", "battery", "system")
themes: st.SearchStrategy[Theme] = st.sampled_from(["light", "transparent"])
widths = st.integers(WIDTHS[0], WIDTHS[-1])
any_text = st.text(st.characters(exclude_categories=()), max_size=200)


class TestIntervals:
    @settings(max_examples=25)
    @given(windows(max_events=12), st.integers(0, 2**20))
    def test_they_agree_with_the_projection(self, of: Window, share: int) -> None:
        """At any covered time; at others there is no interval."""
        at = of.window_start + (of.window_end - of.window_start) * share // 2**20
        state = state_at(of, at)
        is_covered = at < of.window_end and not any(
            gap.start_at <= at < gap.end_at for gap in of.gaps
        )
        for member in MEMBERS:
            found = [
                each.value
                for each in intervals(of, member, lambda value: value)
                if each.start <= at < each.end
            ]
            assert found == ([getattr(state, member)] if is_covered else [])

    @settings(max_examples=25)
    @given(windows(max_events=12))
    def test_they_and_the_gaps_cover_the_window(self, of: Window) -> None:
        """Invariants *complete* and *equal neighbours are merged*."""
        for member in MEMBERS:
            found = intervals(of, member, lambda value: value)
            edges = [(each.start, each.end) for each in found]
            edges += [(gap.start_at, gap.end_at) for gap in of.gaps]
            reached = of.window_start
            for start, end in sorted(edges):
                assert start == reached < end
                reached = end
            assert reached == of.window_end
            for one, other in pairwise(found):
                assert one.end < other.start or one.value != other.value


class TestImages:
    @settings(max_examples=20)
    @given(windows(max_events=12), any_text, widths, themes, st.integers(0, 2**20))
    @example(window(), "\ud800\x00]]>", 320, "transparent", 0)
    def test_any_window_is_drawn_of_the_same_few_elements(
        self, of: Window, title: str, width: int, theme: Theme, at: int
    ) -> None:
        """Invariants *any text*, *bounded*, *deterministic*."""
        moment = min(of.window_start + at, LAST_INSTANT)
        svg = lanes(of, at=moment, title=title, width=width, theme=theme)
        assert_safe(svg)
        assert len(svg) <= MAX_IMAGE_BYTES
        assert lanes(of, at=moment, title=title, width=width, theme=theme) == svg

    def test_the_cost_grows_with_the_events(self) -> None:
        """With the longest texts, all different."""
        assert_linear(lanes, busy, 512)


def busy(count: int) -> Window:
    """Return a window of so many events with long texts."""
    step = (WINDOW_END - NOON) // count
    return window(
        events=tuple(
            event(
                n + 1,
                NOON + n * step,
                active_app=f"{n}".ljust(200, "i"),
                music=Music("playing", f"{n}".ljust(500, "<"), "'" * 500),
                system=System(n, n, n),
            )
            for n in range(count)
        )
    )
