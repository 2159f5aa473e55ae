"""`sitedata show`: print problems, counts and the calendar of a snapshot.

Filters choose files; several files of one problem are then one problem, with their languages.
"""

import shutil
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Final

from sitedata.cli.inputs import read_snapshot
from sitedata.models import Problem, Snapshot
from sitedata.views.calendar import Calendar, calendar_of
from sitedata.views.heatmap import ASCII_SHADES, MIN_COLUMNS, SHADES, heatmap, heatmap_text
from sitedata.views.selecting import (
    PLATFORM_NAMES,
    Counts,
    Grouping,
    SolvedProblem,
    counts,
    exact_first,
    group,
    grouping_of,
    ordered,
    select,
    solved,
)
from status_contracts.cli.arguments import bad_choice
from status_contracts.cli.exit_codes import OK, USAGE, Failed
from status_contracts.cli.files import write_file
from status_contracts.cli.terminal import (
    echo_styled,
    echo_wrapped,
    format_table,
    has_color,
    write,
    write_json,
)
from status_contracts.days import parse_day
from status_contracts.instants import DAY_MS, format_instant, parse_utc
from status_contracts.primitives import plural
from status_contracts.structuring.converter import unstructure
from status_contracts.svg.labels import format_day
from status_contracts.svg.text import truncate

_CELL_LENGTH: Final = 60  # code points


def run(arguments: Namespace) -> int:
    """Print the snapshot."""
    since, until = _day("since", arguments.since), _day("until", arguments.until)
    snapshot = read_snapshot(arguments.snapshot, allow_http=arguments.allow_http)
    if arguments.text is not None:
        arguments.text = arguments.text.strip()
    chosen = select(
        snapshot.problems,
        platforms=arguments.platform,
        sites=arguments.site,
        languages=arguments.language,
        since=None if since is None else _start(since),
        until=None if until is None else _start(until) + DAY_MS,
        text=arguments.text,
    )
    for option in ("platform", "site", "language") if snapshot.problems else ():
        _check_names(option, getattr(arguments, option), group(snapshot.problems, option))
    by = arguments.by or grouping_of(snapshot.problems)
    listed = _listed(arguments, chosen)
    shown = listed[: arguments.limit] if arguments.limit else listed
    calendar = calendar_of(snapshot)
    counted = "contributions"
    if _is_filtered(arguments):
        # Commits have no platform, so with a filter the selected problems are counted.
        ends = filter(None, (calendar.end, until))
        calendar = calendar_of(chosen, until=min(ends, default=None))
        counted = "problems"
    if arguments.svg is not None:
        image = heatmap(calendar, title=counted.capitalize(), theme=arguments.theme)
        if arguments.svg == "-":
            write(image)
            return OK
        write_file(arguments.svg, image)  # before the text, whose reader may close the output early
    if arguments.json:
        write_json(_document(snapshot, counts(chosen), by, shown, calendar, counted))
        return OK
    for line in _lines(snapshot, counts(chosen), by, shown):
        echo_wrapped(line)
    for line in _calendar_lines(calendar, arguments.color) if calendar.counts else ():
        echo_styled(line)
    return OK


def _listed(arguments: Namespace, chosen: Iterable[Problem]) -> tuple[SolvedProblem, ...]:
    """Return the problems of the files in the requested order; an exact title comes first."""
    by_first = {id(problem.first): problem for problem in solved(ordered(chosen))}
    first = ordered(
        (problem.first for problem in by_first.values()), newest_first=not arguments.oldest_first
    )
    if arguments.text is not None:
        first = exact_first(first, arguments.text)
    return tuple(by_first[id(problem)] for problem in first)


def _check_names(option: str, names: list[str] | None, known: Iterable[str | None]) -> None:
    """Raise Failed for a name that no problem has, with those that exist."""
    choices = list(filter(None, known))
    for name in names or ():
        if name not in choices:
            raise Failed(USAGE, f"--{option}: {bad_choice(name, choices)}")


def _is_filtered(arguments: Namespace) -> bool:
    names = "platform", "site", "language", "text", "since", "until"
    return any(getattr(arguments, name) is not None for name in names)


def _document(
    snapshot: Snapshot,
    counted: Counts,
    by: Grouping,
    shown: tuple[SolvedProblem, ...],
    calendar: Calendar,
    counted_by_day: str,
) -> dict[str, object]:
    """Return the document of `--json`; members of the snapshot keep their names."""
    return {
        "repository": unstructure(snapshot.repository),
        "sourceRef": snapshot.source_ref,
        "generatedAt": format_instant(snapshot.generated_at),
        "groupedBy": by,
        "counts": {
            "total": counted.total,
            "files": counted.files,
            "undated": counted.undated,
            "platforms": counted.platforms,
            "sites": counted.sites,
            "languages": counted.languages,
        },
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
            "counted": counted_by_day,
            "days": {str(day): n for day, n in calendar.counts.items()},
        },
    }


def _lines(
    snapshot: Snapshot, counted: Counts, by: Grouping, shown: tuple[SolvedProblem, ...]
) -> Iterator[str]:
    repository = snapshot.repository
    built = _time(format_instant(snapshot.generated_at))
    yield f"{repository.owner}/{repository.name} at {snapshot.source_ref}, built {built} UTC"
    yield ""
    yield from format_table(
        ("submitted", by, "language", "title"), [_row(problem, by) for problem in shown]
    )
    if len(shown) < counted.total:
        yield f"and {counted.total - len(shown):,} more (--limit 0 shows all)"
    files = "" if counted.files == counted.total else f" in {plural(counted.files, 'file')}"
    undated = f", {counted.undated:,} of them without a time" if counted.undated else ""
    yield f"{plural(counted.total, 'problem')}{files}{undated}"
    groups = counted.platforms if by == "platform" else counted.sites
    for name, ranked in ((f"{by}s", groups), ("languages", counted.languages)):
        if ranked:
            numbers = (f"{_cell(_name(key))} {n:,}" for key, n in ranked.items())
            yield f"{name}: {', '.join(numbers)}"


def _row(problem: SolvedProblem, by: Grouping) -> tuple[str, ...]:
    place = problem.site if by == "site" else ", ".join(map(_name, problem.platforms))
    first = problem.first
    at = "" if first.submitted_at is None else _time(first.submitted_at)
    return tuple(map(_cell, (at, place, ", ".join(problem.languages), first.title)))


def _name(platform: str) -> str:
    return PLATFORM_NAMES.get(platform, platform)


def _time(text: str) -> str:
    """Return the day and minute of a time in its own offset."""
    at = datetime.fromisoformat(text)
    return f"{format_day(at)} {at:%H:%M}"


def _cell(text: str) -> str:
    return truncate(text, _CELL_LENGTH, _CELL_LENGTH - 1)


def _day(name: str, text: str | None) -> date | None:
    """Return the day of an option."""
    if text is None:
        return None
    try:
        return parse_day(text)
    except ValueError:
        raise Failed(
            USAGE, f"--{name}: {text!r} is not a day; use YYYY-MM-DD, such as 2026-01-31"
        ) from None


def _start(day: date) -> int:
    """Return the start of a day in UTC, ms since the epoch."""
    return parse_utc(f"{day}T00:00:00Z")


def _calendar_lines(calendar: Calendar, color: str) -> tuple[str, ...]:
    """Draw the calendar with the width, colors and characters of this terminal."""
    columns = shutil.get_terminal_size().columns
    try:
        SHADES.encode(sys.stdout.encoding)
        shades = SHADES
    except UnicodeEncodeError:
        shades = ASCII_SHADES
    columns = max(columns, MIN_COLUMNS)
    return "", *heatmap_text(calendar, columns=columns, color=has_color(color), shades=shades)
