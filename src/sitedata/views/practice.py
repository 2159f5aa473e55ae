"""Write what the practice page shows of a snapshot as HTML: totals, calendar, bars and list.

A browser without the script of the page shows all of it.  The script makes days and bars buttons
that filter the list, and draws the rows of a filter: as `_row` does.

Invariant *no policy of its own*: there is neither style nor script, not even a `style` attribute,
so sizes of bars are attributes of SVG.
Invariant *escaped*: text of the snapshot is shown as text, and only https URLs are links.
Invariant *no clock*: what is drawn depends on the snapshot alone.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final

import attrs

from sitedata.models import Problem, Snapshot
from sitedata.parsing import is_https
from sitedata.views.calendar import (
    WEEK_DAYS,
    Calendar,
    Span,
    calendar_of_solved,
    calendar_to_show,
    month_and_year,
    span_names,
    spans_of,
)
from sitedata.views.heatmap import YEAR_WEEKS, Heat, build_heat, format_things, legend_levels
from sitedata.views.selecting import (
    NO_SITE,
    Counts,
    Grouping,
    SolvedProblem,
    counts_of_solved,
    grouping_of,
    ordered,
    solved,
)
from status_contracts import json_text as codec
from status_contracts.days import monday_of, parse_day
from status_contracts.instants import format_instant
from status_contracts.pages.blocks import Notice, notice_html
from status_contracts.primitives import WHITE_SPACE
from status_contracts.svg.labels import format_day
from status_contracts.svg.text import truncate, xml_text

ROWS: Final = 50
"""Rows of the list before a filter; the script shows so many more at a time."""

_CARDS: Final = 4
_BARS: Final = 8  # shown at first
_MAX_BARS: Final = 300  # shown at all
_MAX_NAME: Final = 80  # code points
_MAX_TITLE: Final = 300
_LABEL_WEEKS: Final = 3  # that the name of a month needs
_WEEK_DAYS: Final = (
    *("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
)
_NO_DAY: Final = "<i></i>"
_NAMED_WEEK_DAYS: Final = {"Monday", "Wednesday", "Friday"}
_BANDS: Final = 3
"""Rows of weeks on a narrow screen; each begins with the names of days."""
_WIDTHS: Final = {"small": 240, "medium": 440, "wide": 600, "large": 820}
"""Screen to the least width of all columns, px."""
_TOP: Final = 12
"""Upper end of the largest bar, % of the height of the chart."""
_BOTTOM: Final = 86
"""Lower end of all bars; the names are below it."""
_LEAST_PLACES: Final = 12
"""Columns that have room in the chart; fewer are not wider."""
_GAP: Final = 0.06  # on each side of a bar, of the width of its column
_DIGIT: Final = 7  # width of a digit above a column, px
_EMPTY: Final = Notice(
    "empty",
    "No problems are published yet",
    "They are here after the next build that finds files of solved problems.",
)
_PLATFORMS: Final = {
    name.replace(" ", "").lower(): name
    for name in (
        *("AOJ", "AtCoder", "Baekjoon", "CodeChef", "Codeforces", "CSES", "DMOJ", "HackerRank"),
        *("HDU", "Kattis", "LeetCode", "LOJ", "Luogu", "Nowcoder", "POJ", "Programmers"),
        *("Project Euler", "QOJ", "SPOJ", "Timus", "UVa", "VJudge"),
    )
}
"""Built-in platform to its name as people read it; a search for either finds both."""


@attrs.frozen
class _Practice:
    """Views of a snapshot that several parts of the page need."""

    snapshot: Snapshot
    problems: tuple[SolvedProblem, ...]
    counted: Counts
    by: Grouping
    calendar: Calendar
    solved: Calendar
    heat: Heat | None

    @property
    def groups(self) -> Mapping[str, int]:
        return self.counted.platforms if self.by == "platform" else self.counted.sites


@attrs.frozen
class Drawn:
    """The HTML of a page: its main content, and the sentence of its footer."""

    content: str
    built: str


def draw_practice(snapshot: Snapshot) -> Drawn:
    """Return what the page shows of a snapshot."""
    problems = solved(ordered(snapshot.problems))
    calendar = calendar_to_show(snapshot)
    contributions = calendar.counts if calendar.unit == "contribution" else {}
    solved_days = calendar_of_solved(problems, contributions=contributions)
    shown = _Practice(
        snapshot,
        problems,
        counts_of_solved(snapshot.problems, problems),
        grouping_of(snapshot.problems),
        calendar,
        solved_days,
        build_heat(calendar, until=None, weeks=YEAR_WEEKS),
    )
    parts = (_totals, _calendar, _time, _counts, _list)
    return Drawn("\n".join(filter(None, (part(shown) for part in parts))), _built(shown))


# ---- totals


def _totals(shown: _Practice) -> str:
    """Write the first four cards that have something to say."""
    cards = [_solved_card(shown), *_week_card(shown), *_streak_card(shown), *_group_cards(shown)]
    return f'<div class="cards" id="totals">{"".join(cards[:_CARDS])}</div>'


def _card(name: str, value: str, detail: str) -> str:
    return (
        f'<div class="card"><h2>{name}</h2><p class="value">{value}</p>'
        f'<p class="detail">{detail}</p></div>'
    )


def _solved_card(shown: _Practice) -> str:
    first, last = (day and month_and_year(day) for day in (shown.solved.first, shown.solved.last))
    span = "" if first is None else f"{first}" if first == last else f"{first} to {last}"
    return _card("Solved", f"{shown.counted.total:,}", span)


def _week_card(shown: _Practice) -> Iterator[str]:
    """Write the problems of the last week of the calendar, or the day of the last problem."""
    last, end = shown.solved.last, shown.calendar.end
    if last is None or end is None:
        return
    monday = monday_of(end)
    counts = [count for day, count in shown.solved.counts.items() if monday <= day <= end]
    if not counts and last < monday:
        yield _card("Last solved", format_day(last, has_year=False), f"{last.year:04}")
    else:
        yield _card("Latest week", f"{sum(counts):,}", f"from {format_day(monday)}")


def _streak_card(shown: _Practice) -> Iterator[str]:
    """Write the current streak, or where there is none, the longest."""
    longest, end = shown.calendar.longest, shown.calendar.end
    if longest is None or end is None:
        return
    current = shown.calendar.current(end)
    if current is None:
        day = format_day(longest.last)
        yield _card("Longest streak", format_things(longest.days, "day"), f"to {day}")
    else:
        name = format_things(longest.days, "day")
        yield _card("Latest streak", format_things(current.days, "day"), f"longest {name}")


def _group_cards(shown: _Practice) -> Iterator[str]:
    languages = shown.counted.languages
    if not languages:
        return
    name, count = next(iter(languages.items()))
    share = f"{_bdi(_label(name))} {_percent(count, shown.counted.total)}\u00a0%"
    yield _card("Languages", f"{len(languages):,}", share)
    known = [name for name in shown.groups if shown.by == "platform" or name != NO_SITE]
    yield _card(f"{shown.by.capitalize()}s", f"{len(known):,}", "")


def _percent(count: int, total: int) -> int:
    """Return a share that is 100 only for all, and 0 for none."""
    return 100 if count == total else min(99, max(1, round(100 * count / total)))


# ---- the calendar


def _calendar(shown: _Practice) -> str:
    heat = shown.heat
    if heat is None:
        return ""
    total = sum(month.total for month in heat.months)
    last = heat.days[-1]
    end = "" if last == shown.calendar.end else f" to {format_day(last)}"
    name = f"{format_things(total, heat.unit)} in twelve months{end}"
    months = " ".join(f"{heat.describe(month)}." for month in heat.months if month.total)
    legend = "".join(
        f'<li><i class="day" data-level="{level}"></i>{text}</li>'
        for level, text in legend_levels(heat)
    )
    return (
        '<section class="card" id="calendar" aria-labelledby="calendar-name">'
        f'<h2 id="calendar-name">{name}</h2>'
        '<div class="weeks" id="days" role="img" aria-labelledby="calendar-name"'
        f' aria-describedby="calendar-text" data-first="{heat.days[0]}">'
        f"{_week_day_names() * _BANDS}{''.join(_weeks(shown, heat))}</div>"
        f'<p class="visually-hidden" id="calendar-text">{months}</p>'
        f'<div class="below"><ul class="legend" id="legend" aria-label="{heat.unit.capitalize()}s'
        f' of a day">{legend}</ul><p class="detail" id="day"></p></div></section>'
    )


def _week_day_names() -> str:
    names = "".join(
        f"<span>{name[:3] if name in _NAMED_WEEK_DAYS else ''}</span>" for name in _WEEK_DAYS
    )
    return f'<div class="week-days" aria-hidden="true">{names}</div>'


def _weeks(shown: _Practice, heat: Heat) -> Iterator[str]:
    labels = _month_labels(heat)
    after = WEEK_DAYS - 1 - heat.days[-1].weekday()
    squares = [_day(shown, heat, day) for day in heat.days]
    squares = [_NO_DAY] * heat.before + squares + [_NO_DAY] * after
    for week in range(YEAR_WEEKS):
        days = "".join(squares[week * WEEK_DAYS : (week + 1) * WEEK_DAYS])
        yield f'<div class="week"><b aria-hidden="true">{labels.get(week, "")}</b>{days}</div>'


def _month_labels(heat: Heat) -> dict[int, str]:
    """Return the names of the months by the week in which they start; the last ones come first."""
    labels: dict[int, str] = {}
    free = YEAR_WEEKS + 1
    for month in reversed(heat.months):
        week, _ = heat.week_and_weekday(month.days[0])
        if week + _LABEL_WEEKS <= free:
            labels[week], free = month.short_name, week
    return labels


def _day(shown: _Practice, heat: Heat, day: date) -> str:
    """Draw the square of a day; one with a count says it in its title."""
    count, problems = shown.calendar.counts.get(day, 0), shown.solved.counts.get(day, 0)
    if not count and not problems:
        return '<i class="day"></i>'
    parts = [format_things(count, heat.unit)]
    if heat.unit != "problem":
        parts.append(f"{format_things(problems, 'problem')} solved")
    title = f"{_WEEK_DAYS[day.weekday()]}, {format_day(day)}: {', '.join(parts)}"
    is_solved = ' data-solved=""' if problems else ""
    return f'<i class="day" data-level="{heat.levels.get(day, 0)}" title="{title}"{is_solved}></i>'


# ---- columns over time


def _time(shown: _Practice) -> str:
    heat = shown.heat
    spans = () if heat is None else spans_of(shown.solved, heat.days[-1])
    if len(spans[1:]) == 0:  # one column compares nothing
        return ""
    size = spans[0].months
    unit = {1: "month", 12: "year"}.get(size, f"{size // 12} years")
    most, undated = max(spans, key=lambda span: span.count), shown.counted.undated
    left_out = f", without {undated:,} of unknown date" if undated else ""
    names, number_of_places = span_names(spans), max(len(spans), _LEAST_PLACES)
    width = 100 / number_of_places
    columns, labels = [], []
    for number, span in enumerate(spans):
        left, top = number * width, _BOTTOM - (_BOTTOM - _TOP) * span.count / most.count
        columns.append(_column(span, left, width, top))
        if span.count:
            screen = "small" if span is most else _screen(span.count, number_of_places)
            place = f'x="{left + width / 2:.2f}%" y="{top:.2f}%" dy="-4"'
            labels.append(f'<text class="{screen}" {place}>{span.count:,}</text>')
        if number in names:
            place = f'x="{left:.2f}%" y="{_BOTTOM}%" dy="16"'
            labels.append(f'<text class="name" {place}>{names[number]}</text>')
    text = "; ".join(span.text for span in spans if span.count)
    return (
        '<section class="card" id="time" aria-labelledby="time-name">'
        f'<h2 id="time-name">Solved by {unit}{left_out}</h2>'
        '<svg class="columns" id="columns" role="img" aria-labelledby="time-name"'
        f' aria-describedby="time-text">{"".join(columns)}'
        f'<g aria-hidden="true">{"".join(labels)}</g></svg>'
        f'<p class="visually-hidden" id="time-text">{text}.</p>'
        f'<p class="detail" id="column">Most in {most.text}</p></section>'
    )


def _column(span: Span, left: float, width: float, top: float) -> str:
    """Draw a bar and the place around it, which a pointer hits.

    All numbers are percentages of the chart, so that nothing moves while the document arrives.
    """
    days = f'data-since="{span.first}" data-until="{span.last}"'
    return (
        f'<g class="column" {days}><title>{span.text}</title>'
        f'<rect class="place" x="{left:.2f}%" width="{width:.2f}%" height="{_BOTTOM}%"/>'
        f'<rect class="bar" x="{left + width * _GAP:.2f}%" y="{top:.2f}%"'
        f' width="{width * (1 - 2 * _GAP):.2f}%" height="{_BOTTOM - top:.2f}%"/></g>'
    )


def _screen(count: int, number: int) -> str:
    """Return the smallest screen whose columns are as wide as a count."""
    needed = (_DIGIT * len(f"{count:,}") + 2) * number
    return next((name for name, width in _WIDTHS.items() if needed <= width), "never")


# ---- counts


def _counts(shown: _Practice) -> str:
    groups = [(_PLATFORMS.get(name, name), count) for name, count in shown.groups.items()]
    ranked = {
        f"{shown.by.capitalize()}s": groups,
        "Languages": list(shown.counted.languages.items()),
    }
    if not shown.problems:
        return ""
    charts = "".join(
        f'<section class="card" aria-labelledby="{key}-name"><h2 id="{key}-name">{name}</h2>'
        f"{_bars(key, counts[:_MAX_BARS])}</section>"
        for key, (name, counts) in zip(("platforms", "languages"), ranked.items(), strict=True)
    )
    return f'<div class="pair" id="counts">{charts}</div>'


def _bars(key: str, ranked: list[tuple[str, int]]) -> str:
    """Draw a bar for each name, those after the first ones in a part that opens."""
    most = ranked[0][1]
    items = [
        f'<li><div class="bar-row" data-item="{number}">'
        f'<bdi class="name">{xml_text(_label(name))}</bdi>'
        f'<svg class="track" aria-hidden="true"><rect class="bar" height="100%" rx="3"'
        f' width="{max(0.5, round(100 * count / most, 2)):g}%"/></svg>'
        f'<span class="count">{count:,}</span></div></li>'
        for number, (name, count) in enumerate(ranked)
    ]
    first, rest = "".join(items[:_BARS]), items[_BARS:]
    more = (
        f'<details class="more"><summary>{len(rest):,} more</summary>'
        f'<ol class="bars" start="{_BARS + 1}">{"".join(rest)}</ol></details>'
    )
    return f'<div id="{key}"><ol class="bars">{first}</ol>{more if rest else ""}</div>'


# ---- the list


def _found(counted: Counts) -> str:
    all_problems = format_things(counted.total, "problem")
    if 0 < counted.undated < counted.total:
        return f"{all_problems}, {counted.undated:,} without a known date last"
    return all_problems


def _list(shown: _Practice) -> str:
    """Write the newest problems and the form, which needs the script."""
    if not shown.problems:
        return f'<div id="problems" tabindex="-1">{notice_html(_EMPTY)}</div>'
    rows = "".join(_row(problem, shown.by) for problem in shown.problems[:ROWS])
    return (
        '<section class="card" id="problems" aria-labelledby="problems-name" tabindex="-1">'
        '<div class="list-head"><h2 id="problems-name">Problems</h2>'
        f'<p class="detail" id="found" role="status">{_found(shown.counted)}</p></div>'
        f"{notice_html(None)}{_form(shown)}{notice_html(None, 'nothing')}"
        f'<ol class="rows" id="rows">{rows}</ol>{_more(len(shown.problems))}</section>'
    )


def _form(shown: _Practice) -> str:
    """Write the fields of a filter, and the names for the choices, which the script adds."""
    by = shown.by
    names = {
        platform: _PLATFORMS[platform]
        for platform in shown.counted.platforms
        if platform in _PLATFORMS
    }
    choices = "".join(
        f'<select id="{key}" aria-label="{label.capitalize()}">'
        f'<option value="">All {label}s</option></select>'
        for key, label in (("platform", by), ("language", "language"))
    )
    orders = {"newest": "Newest first", "oldest": "Oldest first", "title": "By title"}
    orders |= {by: f"By {by}", "language": "By language"}
    options = "".join(f'<option value="{key}">{text}</option>' for key, text in orders.items())
    return (
        f'<form class="filters" id="filters" role="search" aria-label="Problems" data-by="{by}"'
        f' data-names="{xml_text(codec.encode(names).decode())}">'
        f'<input type="search" id="text" aria-label="Search title, {by} or language"'
        ' placeholder="Search problems" autocomplete="off" spellcheck="false" maxlength="200">'
        f'{choices}<select id="sort" aria-label="Order">{options}</select>'
        '<div class="chosen"><button type="button" id="span" hidden></button>'
        '<button type="button" id="clear" hidden>Clear filters</button></div></form>'
    )


def _row(problem: SolvedProblem, by: Grouping) -> str:
    first = problem.first
    name = _cut(first.title if first.title.strip(WHITE_SPACE) else first.path, _MAX_TITLE)
    title = _link(name, first.problem_url)
    place = (
        problem.site
        if by == "site"
        else ", ".join(_label(_PLATFORMS.get(platform, platform)) for platform in problem.platforms)
    )
    is_one = len(problem.files) == 1
    source = ""
    if is_one and is_https(first.github_url):
        source = _link("Source", first.github_url, f"Source of {name}")
    languages = xml_text(_label(first.language)) if is_one else _languages(problem, name)
    return (
        f'<li class="row"><span class="title">{title}</span>'
        f'<bdi class="platform">{xml_text(place)}</bdi><bdi class="language">{languages}</bdi>'
        f'<span class="date">{_date(first)}</span><span class="source">{source}</span></li>'
    )


def _languages(problem: SolvedProblem, name: str) -> str:
    """Write the language of each file as the link to it."""
    links = []
    for file in problem.files:
        label = f"{file.language} source of {name}: {file.path}"
        links.append(_link(_label(file.language), file.github_url, label))
    return ", ".join(links)


def _date(problem: Problem) -> str:
    if problem.submitted_at is None:
        return "date unknown"
    time = xml_text(problem.submitted_at)
    day = format_day(parse_day(problem.submitted_at[: len("YYYY-MM-DD")]))
    return f'<time datetime="{time}" title="{time}">{day}</time>'


def _link(text: str, url: str, label: str = "") -> str:
    if not is_https(url):
        return _bdi(text)
    name = f' aria-label="{xml_text(label)}"' if label else ""
    return f'<a href="{xml_text(url)}" rel="noopener noreferrer"{name}>{_bdi(text)}</a>'


def _more(total: int) -> str:
    """Write what leads to the other rows: a button, and the number for browsers without scripts."""
    left = total - ROWS
    if left <= 0:
        return '<button type="button" id="more" hidden></button>'
    return (
        f'<button type="button" id="more">Show {min(ROWS, left)} more of {left:,}</button>'
        f'<p class="detail without-script">{left:,} more are in the JSON file.</p>'
    )


# ---- the footer


def _built(shown: _Practice) -> str:
    """Write from what and when the snapshot was built, and how many problems have no date."""
    snapshot = shown.snapshot
    repository = snapshot.repository
    time = format_instant(snapshot.generated_at)
    name = _bdi(_cut(f"{repository.owner}/{repository.name}", 100))
    url = _repository_url(snapshot)
    if url:
        name = f'<a href="{xml_text(url)}" rel="noopener">{name}</a>'
    undated = shown.counted.undated
    return (
        f'Built from {name} on <time id="generated" datetime="{time}">'
        f"{format_day(parse_day(time[:10]))}, {time[11:16]} UTC</time>."
        + (f" {format_things(undated, 'problem')} without a known date." if undated else "")
    )


def _repository_url(snapshot: Snapshot) -> str:
    """Return the URL of the repository where that of the first file is below it; else ""."""
    repository = snapshot.repository
    path = f"/{re.escape(repository.owner)}/{re.escape(repository.name)}"
    url = next((problem.github_url for problem in snapshot.problems), "")
    match = re.match(f"https://[^/?#]+{path}(?=/)", url)
    return match[0] if match and is_https(url) else ""


# ---- text


def _cut(text: str, length: int) -> str:
    return truncate(text, length, length)


def _label(name: str) -> str:
    return _cut(name, _MAX_NAME) if name.strip(WHITE_SPACE) else "(no name)"


def _bdi(text: str) -> str:
    return f"<bdi>{xml_text(text)}</bdi>"
