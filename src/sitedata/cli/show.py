"""`sitedata show`: print problems and counts of a snapshot.

Filters choose files; several files of one problem are then one problem, with their languages.
"""

import shutil
import sys
from argparse import Namespace
from collections.abc import Iterator
from datetime import datetime
from typing import Final

import attrs

from sitedata.cli.check import snapshot_of
from sitedata.cli.inputs import report_of
from sitedata.models import Snapshot
from sitedata.parsing import plain_text
from sitedata.views.calendar import Calendar, calendar_of
from sitedata.views.heatmap import YEAR_WEEKS, build_heat, heatmap, legend_levels
from sitedata.views.selecting import (
    Counts,
    Grouping,
    SolvedProblem,
    counts,
    format_total,
    group,
    grouping_of,
    ordered,
    platform_name,
    select,
    solved,
)
from status_contracts.cli.arguments import BOLD, GREEN, Styled, bad_choice
from status_contracts.cli.exit_codes import OK, USAGE, Failed
from status_contracts.cli.files import write_file
from status_contracts.cli.terminal import echo, format_table, write_json
from status_contracts.instants import format_instant
from status_contracts.structuring.converter import unstructure
from status_contracts.svg.labels import format_day
from status_contracts.svg.text import truncate

_CELL_LENGTH: Final = 60  # code points of a platform or of languages
_TITLE_LENGTH: Final = 500
_TIME_LENGTH: Final = len("31 Jan 2026 12:00")
_SHADES: Final = "·░▒▓█"  # of the levels of a day
_WEEK_DAYS: Final = ("Mon", "", "Wed", "", "Fri", "", "")
_INDENT: Final = 4  # of the weeks
_NAME_LENGTH: Final = 3  # of a month


def run(arguments: Namespace) -> int:
    """Print the snapshot."""
    if arguments.theme is not None and arguments.svg is None:
        raise Failed(USAGE, "--theme is for --svg")
    checked = report_of(arguments.snapshot, allow_http=arguments.allow_http)
    snapshot = snapshot_of(arguments.snapshot, *checked)
    filters = {name: getattr(arguments, name) for name in ("platform", "site", "language", "text")}
    for option in ("platform", "site", "language") if snapshot.problems else ():
        choices = [*group(snapshot.problems, option)]
        names = filters[option]
        filters[option] = names and [_choice(option, plain_text(name), choices) for name in names]
    chosen = select(
        snapshot.problems,
        platforms=filters["platform"],
        sites=filters["site"],
        languages=filters["language"],
        text=filters["text"],
    )
    by = grouping_of(snapshot.problems)
    listed = solved(ordered(chosen))
    shown = listed[: arguments.limit] if arguments.limit else listed
    calendar = calendar_of(snapshot)
    if any(value is not None for value in filters.values()):
        # Commits have no platform, so with a filter the selected problems are counted.
        calendar = calendar_of(chosen, until=calendar.end)
    if arguments.svg is not None:
        options = {} if arguments.theme is None else {"theme": arguments.theme}
        image = heatmap(calendar, title=f"{calendar.unit.capitalize()}s", **options)
        write_file(arguments.svg, image)  # before the text, whose reader may close the output early
    if arguments.json:
        write_json(_document(snapshot, counts(chosen), by, shown, calendar))
        return OK
    for line in (*_lines(snapshot, counts(chosen), by, shown), *_calendar_lines(calendar)):
        echo(line)
    return OK


def _choice(option: str, name: str, choices: list[str]) -> str:
    """Return the choice of a name, as it is, in another case or as it is shown; raise Failed."""
    for choice in (name, *choices):
        if choice in choices and name.casefold() in map(
            str.casefold, (choice, platform_name(choice))
        ):
            return choice
    raise Failed(USAGE, f"--{option}: {bad_choice(name, choices)}")


def _document(
    snapshot: Snapshot,
    counted: Counts,
    by: Grouping,
    shown: tuple[SolvedProblem, ...],
    calendar: Calendar,
) -> dict[str, object]:
    """Return the document of `--json`; members of the snapshot keep their names."""
    return {
        "repository": unstructure(snapshot.repository),
        "sourceRef": snapshot.source_ref,
        "generatedAt": format_instant(snapshot.generated_at),
        "groupedBy": by,
        "counts": attrs.asdict(counted),
        "problems": [
            unstructure(problem.first)
            | {
                "site": problem.site,
                "languages": list(problem.languages),
                "paths": [file.path for file in problem.files],
            }
            for problem in shown
        ],
        "calendar": {
            "counted": f"{calendar.unit}s",
            "days": {str(day): n for day, n in calendar.counts.items()},
        },
    }


def _lines(
    snapshot: Snapshot, counted: Counts, by: Grouping, shown: tuple[SolvedProblem, ...]
) -> Iterator[str]:
    repository = snapshot.repository
    built = _time(format_instant(snapshot.generated_at))
    name = f"{repository.owner}/{repository.name}"
    yield Styled(f"{name} at {snapshot.source_ref}, built {built} UTC", BOLD, name)
    yield ""
    yield from format_table(
        ("submitted", by, "language", "title"), [_row(problem, by) for problem in shown]
    )
    if len(shown) < counted.total:
        yield f"and {counted.total - len(shown):,} more (--limit 0 shows all)"
    if shown:
        yield ""
    undated = f", {counted.undated:,} of them without a time" if counted.undated else ""
    yield f"{format_total(counted.total, counted.files)}{undated}"
    groups = counted.platforms if by == "platform" else counted.sites
    for name, ranked in ((f"{by}s", groups), ("languages", counted.languages)):
        if ranked:
            numbers = (f"{platform_name(key)} {n:,}" for key, n in ranked.items())
            yield Styled(f"{name}: {', '.join(numbers)}", BOLD, f"{name}:")


def _calendar_lines(calendar: Calendar) -> Iterator[str]:
    """Yield the calendar of twelve months, a row for each day of the week, on a wide terminal."""
    heat = build_heat(calendar, until=None, weeks=YEAR_WEEKS)
    is_wide = shutil.get_terminal_size().columns >= _INDENT + YEAR_WEEKS + _NAME_LENGTH
    if not (heat and is_wide and sys.stdout.isatty() and sys.stdout.encoding.lower() == "utf-8"):
        return
    names, rows = [" "] * YEAR_WEEKS, [[" "] * YEAR_WEEKS for _ in _WEEK_DAYS]
    for month in reversed(heat.months):
        week, _ = heat.week_and_weekday(month.days[0])
        if not "".join(names[week : week + _NAME_LENGTH + 1]).strip():
            names[week : week + _NAME_LENGTH] = month.name[:_NAME_LENGTH]
    for day in heat.days:
        week, weekday = heat.week_and_weekday(day)
        rows[weekday][week] = _SHADES[heat.levels.get(day, 0)]
    yield from ("", Styled(heat.summary))
    levels = [f"{_SHADES[level]} {number}  " for level, number in legend_levels(heat)]
    for name, row in zip(("", *_WEEK_DAYS, ""), (names, *rows, levels), strict=True):
        text = "".join(row).rstrip()
        yield Styled(f"{name:{_INDENT}}{text}".rstrip(), GREEN, "" if row is names else text)


def _row(problem: SolvedProblem, by: Grouping) -> tuple[str, ...]:
    place = problem.site if by == "site" else ", ".join(map(platform_name, problem.platforms))
    first = problem.first
    at = "" if first.submitted_at is None else _time(first.submitted_at).rjust(_TIME_LENGTH)
    languages = ", ".join(problem.languages)
    cells = (truncate(text, _CELL_LENGTH, _CELL_LENGTH - 1) for text in (place, languages))
    return at, *cells, truncate(first.title, _TITLE_LENGTH, _TITLE_LENGTH - 1)


def _time(text: str) -> str:
    """Return the day and minute of a time in its own offset."""
    at = datetime.fromisoformat(text)
    return f"{format_day(at)} {at:%H:%M}"
