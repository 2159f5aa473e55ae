"""`sitedata show`: problems, counts and the calendar of a snapshot, for people."""

import os
import shutil
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from typing import Final

from purewire.adapters.commands.exit_codes import OK, USAGE, Failed
from purewire.adapters.commands.output_file import save
from purewire.adapters.commands.tables import table
from purewire.adapters.commands.terminal import is_interactive, say, say_painted, write_json
from purewire.instants import DAY_MS, format_instant, parse_utc
from purewire.structuring.to_builtins import to_plain
from purewire.svg.text import truncate
from sitedata.adapters.commands.inputs import snapshot_of
from sitedata.reading.models import Problem, Snapshot
from sitedata.views.calendar import Calendar, calendar_of
from sitedata.views.heatmap import heatmap
from sitedata.views.heatmap_text import ASCII_SHADES, MIN_COLUMNS, SHADES, heatmap_text
from sitedata.views.ordering import ordered
from sitedata.views.selecting import counts, select

__all__ = ["run"]

_HEADS: Final = ("submitted", "platform", "language", "title")
_LENGTH: Final = 60
"""Code points of a cell."""


def run(arguments: Namespace) -> int:
    """Show the snapshot."""
    since, until = _day("since", arguments.since), _day("until", arguments.until)
    snapshot = snapshot_of(arguments.snapshot, allow_http=arguments.allow_http)
    chosen = select(
        snapshot.problems,
        platforms=arguments.platform,
        languages=arguments.language,
        since=since,
        until=None if until is None else until + DAY_MS,
        text=arguments.text,
    )
    listed = ordered(chosen, newest_first=not arguments.oldest_first)
    shown = listed[: arguments.limit] if arguments.limit else listed
    calendar = calendar_of(snapshot)
    counted = "contributions"
    if _is_filtered(arguments):
        # Commits have no platform: with a filter the chosen problems are counted.
        calendar = calendar_of(chosen, until=_last_day(calendar, arguments.until))
        counted = "problems"
    if arguments.json:
        write_json(_value(snapshot, listed, shown, calendar, counted))
    else:
        _print(snapshot, listed, shown, calendar, arguments.color)
    if arguments.svg is not None:
        save(arguments.svg, heatmap(calendar, title=counted.capitalize()))
    return OK


def _is_filtered(arguments: Namespace) -> bool:
    names = "platform", "language", "text", "since", "until"
    return any(getattr(arguments, name) is not None for name in names)


def _last_day(calendar: Calendar, until: str | None) -> str | None:
    """Return the day to which the calendar of the snapshot runs, or an earlier one."""
    return min(filter(None, (calendar.end, until)), default=None)


def _value(
    snapshot: Snapshot,
    listed: tuple[Problem, ...],
    shown: tuple[Problem, ...],
    calendar: Calendar,
    counted_by_day: str,
) -> dict[str, object]:
    """Return the document of `--json`; its members are those of the snapshot, where it has them."""
    counted = counts(listed)
    return {
        "repository": to_plain(snapshot.repository),
        "sourceRef": snapshot.source_ref,
        "generatedAt": format_instant(snapshot.generated_at),
        "counts": {
            "total": counted.total,
            "undated": counted.undated,
            "platforms": counted.platforms,
            "languages": counted.languages,
        },
        "problems": [to_plain(problem) for problem in shown],
        "calendar": {"counted": counted_by_day, "days": calendar.counts},
    }


def _print(
    snapshot: Snapshot,
    listed: tuple[Problem, ...],
    shown: tuple[Problem, ...],
    calendar: Calendar,
    color: str,
) -> None:
    for line in _lines(snapshot, listed, shown):
        say(line)
    if calendar.counts:
        say("")
        for line in _heat(calendar, color):
            say_painted(line)


def _lines(
    snapshot: Snapshot, listed: tuple[Problem, ...], shown: tuple[Problem, ...]
) -> Iterator[str]:
    repository = snapshot.repository
    built = format_instant(snapshot.generated_at)
    yield f"{repository.owner}/{repository.name} at {snapshot.source_ref}, built {built}"
    yield ""
    yield from table(_HEADS, [_row(problem) for problem in shown])
    if len(shown) < len(listed):
        yield f"and {len(listed) - len(shown)} more (--limit 0 shows all)"
    counted = counts(listed)
    yield f"{counted.total} problems, {counted.undated} of them without a time"
    for name, found in (("platforms", counted.platforms), ("languages", counted.languages)):
        if found:
            yield f"{name}: {_amounts(found)}"


def _row(problem: Problem) -> tuple[str, ...]:
    cells = problem.submitted_at or "", problem.platform, problem.language, problem.title
    return tuple(truncate(cell, _LENGTH, _LENGTH - 1) for cell in cells)


def _amounts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{truncate(name, _LENGTH, _LENGTH - 1)} {n}" for name, n in found.items())


def _day(name: str, text: str | None) -> int | None:
    """Give the beginning of a day in UTC."""
    if text is None:
        return None
    try:
        return parse_utc(f"{text}T00:00:00Z")
    except ValueError:
        raise Failed(
            USAGE, f"--{name}: {text!r} is not a day; give one such as 2026-01-31"
        ) from None


def _heat(calendar: Calendar, color: str) -> tuple[str, ...]:
    """Give the calendar as it suits this output."""
    auto = is_interactive() and "NO_COLOR" not in os.environ
    columns = shutil.get_terminal_size().columns
    try:
        SHADES.encode(sys.stdout.encoding)
        shades = SHADES
    except UnicodeEncodeError:
        shades = ASCII_SHADES
    painted = color == "always" or (color == "auto" and auto)
    return heatmap_text(calendar, columns=max(columns, MIN_COLUMNS), color=painted, shades=shades)
