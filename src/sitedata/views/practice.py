"""Write what the practice page shows of a snapshot as HTML: totals, calendar, bars and list.

A browser without the script of the page shows all of it.  The script makes days and bars buttons
that filter the list, and draws the rows of a filter: as `_row` does.

Invariant *no policy of its own*: there is neither style nor script, not even a `style` attribute,
so sizes of bars are attributes of SVG.
Invariant *escaped*: text of the snapshot is shown as text, and only https URLs are links.
Invariant *no clock*: what is drawn depends on the snapshot alone.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import count, islice
from typing import Final

import attrs

from sitedata.models import Problem, Snapshot
from sitedata.parsing import is_https
from sitedata.views.calendar import (
    SECOND,
    WEEK_DAYS,
    Calendar,
    Span,
    calendar_of_solved,
    calendar_to_show,
    month_and_year,
    span_names,
    spans_of,
)
from sitedata.views.heatmap import (
    YEAR_WEEKS,
    Heat,
    build_heat,
    build_year,
    format_things,
    legend_levels,
)
from sitedata.views.selecting import (
    Counts,
    Grouping,
    SolvedProblem,
    counts_of_solved,
    grouping_of,
    ordered,
    platform_name,
    solved,
)
from status_contracts import json_text
from status_contracts.days import parse_day
from status_contracts.instants import format_instant
from status_contracts.pages.blocks import Notice, notice_html
from status_contracts.primitives import WHITE_SPACE
from status_contracts.svg.labels import MONTHS, format_day
from status_contracts.svg.text import truncate, xml_text

ROWS: Final = 50
"""Rows of the list before a filter; the script shows so many more at a time."""

_BARS: Final = 8  # shown at first
_MAX_BARS: Final = 300  # shown at all
_MAX_NAME: Final = 80  # code points
_MAX_TITLE: Final = 300
_YEARS: Final = 12  # that can be chosen
_LABEL_WEEKS: Final = 3  # that the name of a month needs
_WEEK_DAYS: Final = ("Mon", "", "Wed", "", "Fri", "", "")
_BANDS: Final = 3
"""Rows of weeks on a narrow screen, at most; each begins with the names of days."""
_ROW_STARTS: Final = ((27, "two"), (18, "three"), (36, "three"))  # weeks, of so many rows
_LEVELS: Final = 5
"""Lines above the lowest of the chart of columns, at most."""
_TOP: Final = 12
"""Upper line of the axis, % of the height of the chart."""
_BOTTOM: Final = 86
"""Lower end of all bars; the names are below it."""
_WIDEST: Final = 10  # % of the width of the chart: the column that a bar fills at most
_BAR: Final = 0.88  # width of a bar, of that of its column
_DIGITS: Final = 24  # of all columns, that have room, also on a phone
_ALL_NAMED: Final = 16  # columns that all have room for name and number, on a wide screen
_NAME: Final = (8, 3.5)  # half the width of the first name, %: on a phone, on a wide screen
_SHIFTS: Final = {"number": -0.35, "name": 1.3}
"""From an end of a bar down to the line of its text, in heights of the text."""
_ABOUT: Final = "Contributions and streaks count commits; a problem counts once, on its first day."
_EMPTY: Final = Notice(
    "empty",
    "No problems are published yet",
    "They are here after the next build that finds files of solved problems.",
)


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


def draw_practice(snapshot: Snapshot) -> dict[str, str]:
    """Return the HTML of a page: `heading`, `content`, and `built`, the sentence of its footer."""
    problems = solved(ordered(snapshot.problems))
    calendar = calendar_to_show(snapshot)
    contributions = calendar.counts if calendar.unit == "contribution" else {}
    solved_days = calendar_of_solved(problems, contributions=contributions)
    heat = build_heat(calendar, until=None, weeks=YEAR_WEEKS)
    shown = _Practice(
        snapshot,
        problems,
        counts_of_solved(problems),
        grouping_of(snapshot.problems),
        calendar,
        solved_days,
        heat,
    )
    parts = (_totals, _calendar, _time, _counts, _list)
    content = "\n".join(filter(None, (part(shown) for part in parts)))
    return {"heading": _heading(snapshot), "content": content, "built": _built(shown)}


def _heading(snapshot: Snapshot) -> str:
    repository = snapshot.repository
    names = (_bdi(_label(name)) for name in (repository.owner, repository.name))
    name, url = " / ".join(names), _repository_url(snapshot)
    if url:
        name = f'<a href="{xml_text(url)}" rel="noopener">{name}</a>'
    return f'<h1 class="repository">{name}</h1>'


def _totals(shown: _Practice) -> str:
    return f'<div class="cards" id="totals">{"".join(_cards(shown))}</div>'


def _cards(shown: _Practice) -> Iterator[str]:
    """Write the cards that have something to say."""
    total, last = shown.counted.total, shown.solved.last
    months = dict.fromkeys(month_and_year(day) for day in (shown.solved.first, last) if day)
    yield _card("Solved", f"{total:,}", " to ".join(months))
    if last is not None:
        yield _card("Last solved", format_day(last, has_year=False), f"{last.year:04}")
    longest, end = shown.calendar.longest, shown.calendar.end
    if longest is not None and end is not None:
        current = shown.calendar.current(end)
        detail = f"to {format_day(longest.last)}"
        if current is not None and current.last != longest.last:
            detail += f"; current streak when built: {format_things(current.days, 'day')}"
        yield _card("Longest streak", format_things(longest.days, "day"), detail)
    languages = shown.counted.languages
    for name, solved_in in islice(languages.items(), 1):
        share = f"{_bdi(_label(name))} in {_percent(solved_in, total)}\u00a0% of problems"
        yield _card("Languages", f"{len(languages):,}", share)


def _card(name: str, value: str, detail: str) -> str:
    return (
        f'<div class="card"><h2>{name}</h2><p class="value">{value}</p>'
        f'<p class="detail">{detail}</p></div>'
    )


def _percent(count: int, total: int) -> int:
    """Return a share that is 100 only for all, and 0 for none."""
    return 100 if count == total else min(99, max(1, round(100 * count / total)))


def _years(calendar: Calendar, heat: Heat) -> Iterator[Heat]:
    """Yield the calendars of years, the newest first; none where the twelve months show all."""
    if heat.days[0] <= min(calendar.counts):
        return
    years = sorted({day.year for day in calendar.counts}, reverse=True)
    yield from filter(None, (build_year(calendar, year) for year in years[:_YEARS]))


def _calendar(shown: _Practice) -> str:
    heat = shown.heat
    if heat is None:
        return ""
    span = f"the twelve months to {format_day(heat.days[-1])}"
    choices = [(heat, "", "12 months", span)]
    for of_year in _years(shown.calendar, heat):
        year = f"{of_year.days[-1].year:04}"
        choices.append((of_year, f"-{year}", year, year))
    parts = "".join(
        f'<div class="year">{_choice(mark, label) if choices[1:] else ""}'
        f"{_squares(shown, choice, mark, span)}</div>"
        for choice, mark, label, span in choices
    )
    return f'<section class="card" id="calendar" aria-labelledby="calendar-name">{parts}</section>'


def _choice(mark: str, label: str) -> str:
    """Write the button of a choice, which needs no script; the first is chosen."""
    is_chosen = "" if mark else " checked"
    return (
        f'<input class="visually-hidden" type="radio" name="year" id="year{mark}"{is_chosen}>'
        f'<label for="year{mark}">{label}</label>'
    )


def _squares(shown: _Practice, heat: Heat, mark: str, span: str) -> str:
    """Write a calendar; its ids end with `mark`."""
    total = sum(month.total for month in heat.months)
    is_sum = shown.calendar.total == shown.snapshot.commit_count
    about = f'<p class="detail">{_ABOUT}</p>' * (is_sum and heat.unit == "contribution")
    months = " ".join(f"{heat.describe(month)}." for month in heat.months if month.total)
    names = "".join(f"<span>{name}</span>" for name in _WEEK_DAYS)
    week_days = f'<div class="week-days" aria-hidden="true">{names}</div>'
    legend = "".join(
        f'<li><i class="day" data-level="{level}"></i>{text}</li>'
        for level, text in legend_levels(heat)
    )
    return (
        f'<h2 id="calendar-name{mark}">{format_things(total, heat.unit)} in {span}</h2>{about}'
        f'<div class="weeks" id="days{mark}" role="img" aria-labelledby="calendar-name{mark}"'
        f' aria-describedby="calendar-text{mark}" data-first="{heat.days[0]}">'
        f"{week_days * _BANDS}{''.join(_weeks(shown, heat))}</div>"
        f'<p class="visually-hidden" id="calendar-text{mark}">{months}</p>'
        f'<div class="below"><ul class="legend" aria-label="{heat.unit.capitalize()}s of a day">'
        f'{legend}</ul><p class="detail"></p></div>'
    )


def _weeks(shown: _Practice, heat: Heat) -> Iterator[str]:
    labels = _month_labels(heat)
    labels |= dict(_names_again(heat, labels))
    after = WEEK_DAYS - 1 - heat.days[-1].weekday()
    squares = [_day(shown, heat, day) for day in heat.days]
    squares = ["<i></i>"] * heat.before + squares + ["<i></i>"] * after
    for week in range(len(squares) // WEEK_DAYS):
        days = "".join(squares[week * WEEK_DAYS : (week + 1) * WEEK_DAYS])
        yield f'<div class="week"><b aria-hidden="true">{labels.get(week, "")}</b>{days}</div>'


def _month_labels(heat: Heat) -> dict[int, str]:
    """Return the names of the months by the week in which they start; the last ones come first."""
    labels: dict[int, str] = {}
    free = heat.week_and_weekday(heat.days[-1])[0] + 2
    for month in reversed(heat.months):
        week, _ = heat.week_and_weekday(month.days[0])
        if week + _LABEL_WEEKS <= free:
            labels[week], free = month.name[:3], week
    return labels


def _names_again(heat: Heat, labels: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    """Yield the month with which a row begins, where the name of the next one is not near."""
    for week, rows in _ROW_STARTS:
        days = heat.days[max(0, week * WEEK_DAYS - heat.before) :]
        if days and labels.keys().isdisjoint((week, week + 1)):
            yield week, f'<span class="{rows}">{MONTHS[days[0].month - 1][:3]}</span>'


def _day(shown: _Practice, heat: Heat, day: date) -> str:
    """Draw the square of a day; one with a count says it in its title."""
    count, problems = shown.calendar.counts.get(day, 0), shown.solved.counts.get(day, 0)
    if not count and not problems:
        return '<i class="day"></i>'
    both = f", {problems:,} solved" * (heat.unit != "problem")
    title = f"{format_day(day)}: {format_things(count, heat.unit)}{both}"
    is_solved = ' data-solved=""' if problems else ""
    return f'<i class="day" data-level="{heat.levels.get(day, 0)}" title="{title}"{is_solved}></i>'


def _time(shown: _Practice) -> str:
    heat, end = shown.heat, shown.calendar.end
    spans = () if heat is None else spans_of(shown.solved, heat.days[-1])
    if len(spans[1:]) == 0:  # one column compares nothing
        return ""
    unit = {1: "month", 12: "year"}.get(spans[0].months, f"{spans[0].months // 12} years")
    title = f"Solved by {unit}"
    is_open = end is not None and end <= spans[-1].last
    if is_open:
        title += f" ({spans[-1].name} incomplete)"
    if shown.counted.undated:
        title += f", without {shown.counted.undated:,} of unknown date"
    most = max(spans, key=lambda span: span.count)
    greatest, axis = _axis(most.count)
    names, last = span_names(spans), len(spans) - 1
    width = 100 / len(spans)
    is_at_edge, near = width / 2 < _NAME[0], 100 * SECOND if " " in names[0] else _NAME[0]
    labels = [_text("name", 0, _BOTTOM, names[0], " narrow")] * is_at_edge
    columns = []
    for number, span in enumerate(spans):
        left, top = number * width, _height_of(span.count, greatest)
        middle = left + width / 2
        columns.append(_column(span, left, width, top, is_open=is_open and number == last))
        is_wide = span is not most and len(spans) * len(f"{span.count and most.count:,}") > _DIGITS
        if not is_wide or len(spans) <= _ALL_NAMED:
            labels.append(_text("number", middle, top, f"{span.count:,}", " wide" * is_wide))
        if number in names or len(spans) <= _ALL_NAMED:
            is_wide = number not in names or (is_at_edge and middle < near)
            x, name = max(middle, _NAME[1]), names.get(number, span.name.partition(" ")[0])
            labels.append(_text("name", x, _BOTTOM, name, " wide" * is_wide))
    text = "; ".join(span.text for span in spans if span.count)
    return (
        '<section class="card" id="time" aria-labelledby="time-name">'
        f'<h2 id="time-name">{title}</h2>'
        '<svg class="columns" id="columns" role="img" aria-labelledby="time-name"'
        f' aria-describedby="time-text"><g aria-hidden="true">{axis}</g>'
        f"{''.join(columns)}"
        f'<g aria-hidden="true">{"".join(labels)}</g></svg>'
        f'<p class="visually-hidden" id="time-text">{text}.</p>'
        '<p class="detail" id="column"></p></section>'
    )


def _text(kind: str, x: float, y: float, text: str, screen: str) -> str:
    place = f'x="{x:.2f}%" y="{y:.2f}%" dy="{_SHIFTS[kind]}em"'
    return f'<text class="{kind}{screen}" {place}>{text}</text>'


def _column(span: Span, left: float, width: float, top: float, *, is_open: bool) -> str:
    """Draw a bar and the place around it, which a pointer hits; an open span is not over.

    All numbers are percentages of the chart, so that nothing moves while the document arrives.
    """
    days = f'data-since="{span.first}" data-until="{span.last}"'
    bar = min(width, _WIDEST) * _BAR
    return (
        f'<g class="column{" open" * is_open}" {days}>'
        f"<title>{span.text}{' so far' * is_open}</title>"
        f'<rect class="place" x="{left:.2f}%" width="{width:.2f}%" height="{_BOTTOM}%"/>'
        f'<rect class="bar" x="{left + (width - bar) / 2:.2f}%" y="{top:.2f}%"'
        f' width="{bar:.2f}%" height="{_BOTTOM - top:.2f}%"/></g>'
    )


def _height_of(count: int, greatest: int) -> float:
    """Return the upper end of a bar, % of the height of the chart."""
    return _BOTTOM - (_BOTTOM - _TOP) * count / greatest


def _axis(most: int) -> tuple[int, str]:
    """Return the end of the axis of numbers, and a line for each multiple of a round step."""
    steps = (digit * 10**exponent for exponent in count() for digit in (1, 2, 5))
    step = next(size for size in steps if most <= _LEVELS * size)
    end, lines = -(-most // step) * step, ""
    for level in range(0, end + 1, step):
        y = f"{_height_of(level, end):.2f}%"
        lines += f'<line x2="100%" y1="{y}" y2="{y}"/><text class="name" x="100%" y="{y}"'
        lines += f' dx="0.5em" dy="0.35em">{level:,}</text>'
    return end, lines


def _counts(shown: _Practice) -> str:
    if not shown.problems:
        return ""
    counted = shown.counted
    groups = counted.platforms if shown.by == "platform" else counted.sites
    named = [(platform_name(name), count) for name, count in groups.items()]
    ranked = (
        ("platforms", shown.by, named),
        ("languages", "language", list(counted.languages.items())),
    )
    charts = "".join(
        f'<section class="card" aria-labelledby="{key}-name">'
        f'<h2 id="{key}-name">Solved by {name}</h2>{_bars(key, counts[:_MAX_BARS])}</section>'
        for key, name, counts in ranked
    )
    return f'<div class="pair" id="counts">{charts}</div>'


def _bars(key: str, ranked: list[tuple[str, int]]) -> str:
    """Draw a bar for each name, those after the first ones in a part that opens."""
    most = ranked[0][1]
    items = [
        f'<li><a class="bar-row" data-item="{number}">'
        f'<bdi class="name">{xml_text(_label(name))}</bdi>'
        f'<svg class="track" aria-hidden="true"><rect class="bar" height="100%" rx="3"'
        f' width="{max(0.5, round(100 * count / most, 2)):g}%"/></svg>'
        f'<span class="count" data-widest="{most:,}">{count:,}</span></a></li>'
        for number, (name, count) in enumerate(ranked)
    ]
    first, rest = "".join(items[:_BARS]), items[_BARS:]
    more = (
        f'<details class="more"><summary>{len(rest):,} more</summary>'
        f'<ol class="bars" start="{_BARS + 1}">{"".join(rest)}</ol></details>'
    )
    return f'<div id="{key}"><ol class="bars">{first}</ol>{more if rest else ""}</div>'


def _list(shown: _Practice) -> str:
    """Write the newest problems and the form, which needs the script."""
    if not shown.problems:
        return f'<div id="problems" tabindex="-1">{notice_html(_EMPTY)}</div>'
    total = format_things(shown.counted.total, "problem")
    if 0 < shown.counted.undated < shown.counted.total:
        total += f"; {shown.counted.undated:,} without a date at the end"
    rows = "".join(_row(problem, shown.by) for problem in shown.problems[:ROWS])
    names = ("Title", shown.by.capitalize(), "Language", "Date")
    head = "".join(f"<span>{name}</span>" for name in names)
    return (
        '<section class="card" id="problems" aria-labelledby="problems-name" tabindex="-1">'
        '<div class="list-head"><h2 id="problems-name">Problems</h2>'
        f'<p class="detail" id="found" role="status">{total}</p></div>'
        f"{notice_html(None)}{_form(shown)}{notice_html(None, 'nothing')}"
        f'<p class="head" aria-hidden="true">{head}</p>'
        f'<ol class="rows" id="rows">{rows}</ol>{_more(len(shown.problems))}</section>'
    )


def _form(shown: _Practice) -> str:
    """Write the fields of a filter, and the names for the choices, which the script adds."""
    by = shown.by
    named = ((platform, platform_name(platform)) for platform in shown.counted.platforms)
    names = {platform: name for platform, name in named if name != platform}
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
        f' data-names="{xml_text(json_text.encode(names).decode())}">'
        f'<input type="search" id="text" aria-label="Search title, {by} or language"'
        ' placeholder="Search problems" autocomplete="off" spellcheck="false" maxlength="200">'
        f'{choices}<select id="sort" aria-label="Order">{options}</select>'
        '<div class="chosen"><button class="button" type="button" id="span" hidden></button>'
        '<button class="button" type="button" id="clear" hidden>Clear filters</button></div></form>'
    )


def _row(problem: SolvedProblem, by: Grouping) -> str:
    first = problem.first
    name = first.title if first.title.strip(WHITE_SPACE) else first.path
    name = truncate(name, _MAX_TITLE, _MAX_TITLE)
    title = _link(name, first.problem_url)
    names = (_label(platform_name(name)) for name in problem.platforms)
    place = problem.site if by == "site" else ", ".join(names)
    url = first.github_url
    is_one = len(problem.files) == 1
    source = _link("Source", url, f"Source of {name}") if is_one and is_https(url) else ""
    languages = xml_text(_label(first.language)) if is_one else _languages(problem, name)
    return (
        f'<li class="row"><span class="title">{title}</span>'
        f'<bdi class="platform">{xml_text(place)}</bdi><bdi class="language">{languages}</bdi>'
        f'<span class="date">{_date(first)}</span><span class="source">{source}</span></li>'
    )


def _languages(problem: SolvedProblem, name: str) -> str:
    """Write the languages of the files, each a link; further files of one language as numbers."""
    links, counted = [], Counter[str]()
    for file in problem.files:
        counted[file.language] += 1
        number = counted[file.language]
        text = _label(file.language) if number == 1 else str(number)
        label = f"{file.language} source of {name}: {file.path}"
        links.append(_link(text, file.github_url, label))
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
    left = max(0, total - ROWS)
    is_hidden = "" if left else " hidden"
    return (
        f'<button class="button" type="button" id="more"{is_hidden}>'
        f"Show {min(ROWS, left)} more of {left:,}</button>"
        f'<p class="detail without-script" id="rest"{is_hidden}>'
        f"{left:,} more in the JSON file</p>"
    )


def _built(shown: _Practice) -> str:
    """Write when the snapshot was built."""
    time = format_instant(shown.snapshot.generated_at)
    return (
        f'Built on <time id="generated" datetime="{time}">'
        f"{format_day(parse_day(time[:10]))}, {time[11:16]} UTC</time>."
    )


def _repository_url(snapshot: Snapshot) -> str:
    """Return the URL of the repository where that of the first file is below it; else ""."""
    repository = snapshot.repository
    path = f"/{re.escape(repository.owner)}/{re.escape(repository.name)}"
    url = next((problem.github_url for problem in snapshot.problems), "")
    match = re.match(f"https://[^/?#]+{path}(?=/)", url)
    return match[0] if match and is_https(url) else ""


def _label(name: str) -> str:
    return truncate(name, _MAX_NAME, _MAX_NAME) if name.strip(WHITE_SPACE) else "(no name)"


def _bdi(text: str) -> str:
    return f"<bdi>{xml_text(text)}</bdi>"
