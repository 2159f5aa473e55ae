"""Scripts of the home page under Node: when it polls, and the colours of apps."""

import re
from importlib.resources import files
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devicestatus import headline as headlines
from devicestatus.headline import UNREACHABLE, Headline, State, headline
from devicestatus.lane_values import (
    APP_COLORS,
    LANES,
    NO_APP,
    NO_APPS,
    NOT_REPORTED,
    app_colors,
    app_initial,
    app_label,
)
from devicestatus.models import SENSITIVE_APP
from devicestatus.page import build_home
from devicestatus.status_text import GAPS
from status_contracts.pages.settings import PageSettings
from support.servers.node import evaluate

pytestmark = pytest.mark.check

SITE = files("devicestatus") / "page_files"
NOTHING: Any = {"mode": None, "reason": None, "bufferedSeconds": None, "warmUpSeconds": None}
UNSEEN: Any = NOTHING | {"reason": "warm-up"}


def under_node(script: str, expression: str, given: object) -> Any:
    """Return the value of an expression for the input `given`, with a script of the page."""
    return evaluate(expression, given, SITE / script)


def window_for(seconds: float, warm_up: float | None = None) -> Any:
    """Return the view of a window with this buffered duration."""
    reason = "exhausted" if seconds == 0 else None
    return {
        "mode": "window",
        "reason": reason if warm_up is None else "warm-up",
        "bufferedSeconds": seconds,
        "warmUpSeconds": warm_up,
    }


def snapshot_for(seconds: float) -> Any:
    """Return the view of a snapshot with this rest of its lifetime."""
    return NOTHING | {"mode": "snapshot", "bufferedSeconds": seconds}


@pytest.mark.rule("DS-HOME-01", "DS-HOME-02", "DS-HOME-04")
class TestPolling:
    TIMES = (0, 59_999, 60_000, 119_999, 120_000)
    CASES = (
        *((snapshot_for(900), since, since >= 120_000) for since in TIMES),
        *((NOTHING, since, since >= 120_000) for since in TIMES),
        *((UNSEEN, since, since >= 120_000) for since in TIMES),
        *((snapshot_for(0), since, since >= 60_000) for since in TIMES),
        (snapshot_for(0.001), 60_000, False),
        # A window that plays, has run out, or has not begun.
        (window_for(0.001), 60_000, False),
        (window_for(0.001), 120_000, True),
        (window_for(0), 59_999, False),
        (window_for(0), 60_000, True),
        (window_for(300, warm_up=90), 119_999, False),
        (window_for(0, warm_up=0.5), 60_000, False),
    )

    def test_it_is_due_after_120_s_or_where_what_is_shown_runs_out_after_60_s(self) -> None:
        given = [(since, view) for view, since, _ in self.CASES]
        expression = "given.map(([since, view]) => polling.isDue(since, view))"
        found = under_node("polling.js", expression, given)
        for case, due in zip(self.CASES, found, strict=True):
            assert due == case[2], case

    def test_only_failing_twice_makes_a_status_unknown_unless_there_was_none(self) -> None:
        """A window is played to its end."""
        needed: tuple[tuple[Any, int | None], ...] = (
            (UNSEEN, 1),
            (NOTHING, 2),
            *((snapshot_for(seconds), 2) for seconds in (0, 30)),
            (window_for(0), 2),
            *((window_for(1, warm_up), None) for warm_up in (None, 90)),
        )
        counts = range(4)
        expression = "given.map(([view, counts]) => counts.map((n) => polling.isUnknown(n, view)))"
        found = under_node("polling.js", expression, [(view, [*counts]) for view, _ in needed])
        for (view, least), unknown in zip(needed, found, strict=True):
            assert unknown == [least is not None and n >= least for n in counts], view


class TestColors:
    """Invariant *distinct colours*."""

    NAMES = (
        *("", "a", "Editor", "editor", "한글 앱", "Café", "Cafe\u0301", "\U0001f3b5", "\uffff"),
        *("x" * 200, *(f"App {n}" for n in range(40))),
    )
    WINDOWS = st.lists(st.sampled_from(NAMES) | st.text(max_size=9), max_size=30, unique=True)

    @given(st.lists(WINDOWS, min_size=20, max_size=20))
    @settings(max_examples=10)
    def test_page_and_picture_have_the_same_for_each_window(self, windows: list[list[str]]) -> None:
        pairs = [[names[:size], names[size:]] for size, names in enumerate(windows)]
        shown = under_node("colors.js", "given.map((of) => [...colors.assign(...of)])", pairs)
        both = (app_colors(played, others=others) for played, others in pairs)
        own = [{app: n for app, n in of.items() if n is not None} for of in both]
        assert [dict(pairs) for pairs in shown] == own

    @given(WINDOWS)
    def test_the_first_have_all_colours_and_the_others_none(self, names: list[str]) -> None:
        indexes = [*app_colors(names).values()]
        assert len({*indexes[:APP_COLORS]} - {None}) == min(len(names), APP_COLORS)
        assert {*indexes[APP_COLORS:]} <= {None}
        assert app_colors(names[:APP_COLORS][::-1]).items() <= app_colors(names).items()

    def test_a_name_has_its_own_colour_or_the_next_free_one_and_private_apps_none(self) -> None:
        names = ("Editor", "Mail", "Terminal", "Text Editor", "한글 앱")
        assert [app_colors([name])[name] for name in names] == [11, 4, 10, 4, 4]
        assert [*app_colors(names).values()] == [11, 4, 10, 5, 6]
        assert app_colors(["Editor", "System"]) == {"Editor": 11, "System": None}

    def test_two_apps_may_have_one_colour_unless_a_window_has_both(self) -> None:
        assert app_colors(["Mail"], ["Text Editor"]) == {"Mail": 4, "Text Editor": 4}
        assert app_colors(["Text Editor"], ["Text Editor", "Mail"]) == {"Mail": 5, "Text Editor": 4}


class TestWords:
    TIMELINE = (SITE / "timeline.js").read_text("utf-8")

    def test_page_picture_and_headline_have_the_same_words_for_a_gap(self) -> None:
        found = re.findall(r'\["(\w+)", \{ label: "([^"]+)", text: "([^"]+)"', self.TIMELINE)
        assert {reason: label for reason, label, _ in found} == GAPS
        texts = {reason: f"{text[0].upper()}{text[1:]}" for reason, _, text in found}
        assert texts == dict(headlines._GAPS)

    def test_page_and_picture_have_the_same_words_for_an_app(self) -> None:
        texts = "".join((SITE / name).read_text("utf-8") for name in ("apps.js", "headline.js"))
        assert f'PRIVATE = "{SENSITIVE_APP}"' in texts
        assert f'name === PRIVATE ? "{app_label(SENSITIVE_APP)}"' in texts
        assert f'name === PRIVATE ? "{app_initial(SENSITIVE_APP)}"' in texts
        assert f'app === null ? "{NO_APP}"' in texts
        assert f'length === 0 ? "{NO_APPS}" : "{NOT_REPORTED}"' in self.TIMELINE

    def test_page_and_headline_mark_the_same_low_charge(self) -> None:
        text = (SITE / "cards.js").read_text("utf-8")
        assert f"LOW_PERCENT = {headlines.LOW_PERCENT};" in text

    def test_each_state_has_a_tab_icon_of_its_own(self) -> None:
        text = (SITE / "home.js").read_text("utf-8")
        icons = dict(re.findall(r"\[\"(\w+)\", ('<[^\]]+)\],\n", text))
        assert {*icons} == {*get_args(State)}
        assert len({*icons.values()}) == len(icons)

    @pytest.mark.parametrize("said", [UNREACHABLE, headline(None, 0)])
    def test_page_and_picture_have_the_same_words_for_a_state(self, said: Headline) -> None:
        text = (SITE / "headline.js").read_text("utf-8")
        detail = said.when_text().capitalize()
        members = {"state": said.state, "label": said.label, "title": said.title, "detail": detail}
        assert all(f'{name}: "{word}"' in text for name, word in members.items())

    def test_page_and_picture_have_the_same_name_for_a_lane(self) -> None:
        apps, music, load = (LANES[name] for name in ("active_app", "music", "system"))
        assert f'setText("name-app", loadRange === null ? "{apps}" : "{load}")' in self.TIMELINE
        assert f'id="name-music">{music}<' in build_home(PageSettings()).body.decode()
