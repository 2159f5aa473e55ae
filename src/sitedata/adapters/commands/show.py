"""`sitedata show`: print problems, counts and the calendar of a snapshot."""

import os
import shutil
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import Final

from purewire.adapters.commands.arguments import bad_choice
from purewire.adapters.commands.exit_codes import OK, USAGE, Failed
from purewire.adapters.commands.files import write_file
from purewire.adapters.commands.terminal import (
    echo,
    echo_error,
    echo_styled,
    format_table,
    is_interactive,
    write_json,
)
from purewire.instants import DAY_MS, format_instant, parse_utc
from purewire.structuring.to_builtins import to_builtins
from purewire.svg.text import truncate
from sitedata.adapters.commands.inputs import read_snapshot
from sitedata.reading.models import Problem, Snapshot
from sitedata.views.calendar import Calendar, calendar_of
from sitedata.views.heatmap import heatmap
from sitedata.views.heatmap_text import ASCII_SHADES, MIN_COLUMNS, SHADES, heatmap_text
from sitedata.views.selecting import counts, ordered, select

__all__ = ["run"]

_HEADS: Final = ("submitted", "platform", "language", "title")
_CELL_LENGTH: Final = 60  # code points


def run(arguments: Namespace) -> int:
    """Print the snapshot."""
    since, until = _day("since", arguments.since), _day("until", arguments.until)
    snapshot = read_snapshot(arguments.snapshot, allow_http=arguments.allow_http)
    chosen = select(
        snapshot.problems,
        platforms=arguments.platform,
        languages=arguments.language,
        since=since,
        until=None if until is None else until + DAY_MS,
        text=arguments.text,
    )
    _report_unknown("platform", arguments.platform, (each.platform for each in snapshot.problems))
    _report_unknown("language", arguments.language, (each.language for each in snapshot.problems))
    listed = ordered(chosen, newest_first=not arguments.oldest_first)
    shown = listed[: arguments.limit] if arguments.limit else listed
    calendar = calendar_of(snapshot)
    counted = "contributions"
    if _is_filtered(arguments):
        # Commits have no platform, so with a filter the selected problems are counted.
        calendar = calendar_of(chosen, until=_last_day(calendar, arguments.until))
        counted = "problems"
    if arguments.json:
        write_json(_document(snapshot, listed, shown, calendar, counted))
    else:
        for line in _lines(snapshot, listed, shown):
            echo(line)
        for line in _calendar_lines(calendar, arguments.color) if calendar.counts else ():
            echo_styled(line)
    if arguments.svg is not None:
        write_file(arguments.svg, heatmap(calendar, title=counted.capitalize()))
    return OK


def _report_unknown(option: str, names: list[str] | None, known: Iterable[str]) -> None:
    """Report names that no problem has, with those that exist."""
    choices = sorted(set(known))
    for name in set(names or ()).difference(choices):
        echo_error(f"sitedata: --{option}: {bad_choice(name, choices)}")


def _is_filtered(arguments: Namespace) -> bool:
    names = "platform", "language", "text", "since", "until"
    return any(getattr(arguments, name) is not None for name in names)


def _last_day(calendar: Calendar, until: str | None) -> str | None:
    """Return the last day of the calendar, or an earlier `until`."""
    return min(filter(None, (calendar.end, until)), default=None)


def _document(
    snapshot: Snapshot,
    listed: tuple[Problem, ...],
    shown: tuple[Problem, ...],
    calendar: Calendar,
    counted_by_day: str,
) -> dict[str, object]:
    """Return the document of `--json`; members of the snapshot keep their names."""
    counted = counts(listed)
    return {
        "repository": to_builtins(snapshot.repository),
        "sourceRef": snapshot.source_ref,
        "generatedAt": format_instant(snapshot.generated_at),
        "counts": {
            "total": counted.total,
            "undated": counted.undated,
            "platforms": counted.platforms,
            "languages": counted.languages,
        },
        "problems": [to_builtins(problem) for problem in shown],
        "calendar": {"counted": counted_by_day, "days": calendar.counts},
    }


def _lines(
    snapshot: Snapshot, listed: tuple[Problem, ...], shown: tuple[Problem, ...]
) -> Iterator[str]:
    repository = snapshot.repository
    built = format_instant(snapshot.generated_at)
    yield f"{repository.owner}/{repository.name} at {snapshot.source_ref}, built {built}"
    yield ""
    yield from format_table(_HEADS, [_row(problem) for problem in shown])
    if len(shown) < len(listed):
        yield f"and {len(listed) - len(shown)} more (--limit 0 shows all)"
    counted = counts(listed)
    yield f"{counted.total} problems, {counted.undated} of them without a time"
    for name, found in (("platforms", counted.platforms), ("languages", counted.languages)):
        if found:
            yield f"{name}: {', '.join(f'{_cell(each)} {n}' for each, n in found.items())}"


def _row(problem: Problem) -> tuple[str, ...]:
    cells = problem.submitted_at or "", problem.platform, problem.language, problem.title
    return tuple(map(_cell, cells))


def _cell(text: str) -> str:
    return truncate(text, _CELL_LENGTH, _CELL_LENGTH - 1)


def _day(name: str, text: str | None) -> int | None:
    """Return the start of a day in UTC, ms since the epoch."""
    if text is None:
        return None
    try:
        return parse_utc(f"{text}T00:00:00Z")
    except ValueError:
        raise Failed(
            USAGE, f"--{name}: {text!r} is not a day; use YYYY-MM-DD, such as 2026-01-31"
        ) from None


def _calendar_lines(calendar: Calendar, color: str) -> tuple[str, ...]:
    """Draw the calendar with the width, colors and characters of this terminal."""
    auto = is_interactive() and "NO_COLOR" not in os.environ
    columns = shutil.get_terminal_size().columns
    try:
        SHADES.encode(sys.stdout.encoding)
        shades = SHADES
    except UnicodeEncodeError:
        shades = ASCII_SHADES
    painted = color == "always" or (color == "auto" and auto)
    columns = max(columns, MIN_COLUMNS)
    return "", *heatmap_text(calendar, columns=columns, color=painted, shades=shades)
