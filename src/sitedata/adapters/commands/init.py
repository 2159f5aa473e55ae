"""`sitedata init`: write a settings file from what is in a git repository, and report it.

What reads the repository is also that of `sitedata build`.

Contract: SD-INIT-01.
"""

import os
import shlex
import shutil
import sys
import textwrap
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from typing import Final, Literal

from purewire.adapters.commands.exit_codes import CANNOT, OK, REFUSED, USAGE, Failed
from purewire.adapters.commands.files import write_file
from purewire.adapters.commands.terminal import (
    echo,
    echo_error,
    echo_styled,
    has_color,
    paint,
    show_progress,
    write,
    write_json,
)
from purewire.primitives import plural
from purewire.structuring.to_builtins import to_builtins
from sitedata.adapters.git import RepositoryError, list_files, read_history
from sitedata.building.history import History, are_clustered
from sitedata.building.hosts import links_of, parse_remote
from sitedata.building.proposal import (
    REASONS,
    NoSolutionsError,
    Proposal,
    RuleCount,
    Unmatched,
    detect,
    settings_text,
)
from sitedata.building.settings import NAME, PATH, BuildSettings
from sitedata.building.tree import listed_names

Style = Literal["bold", "faint", "green"] | None
Line = tuple[str, Style]
"""Text with its style."""
_BLANK: Final[Line] = "", None
_INDENT: Final = " " * 8  # a count, and two spaces
_MAX_FOLDERS: Final = 5
"""Folders that are named for a reason; the others are counted."""
_PUBLISHED: Final = "name.uncertain"
_MAX_TEXT: Final = 1000  # characters; names of a hostile repository may be longer
_STDOUT: Final = "-"
_SNAPSHOT: Final = "site-data.json"
_WIDTHS: Final = range(60, 121)


def run(arguments: Namespace) -> int:
    """Propose settings, report what they match, and write them."""
    check_address(arguments)
    is_printed = arguments.dry_run or arguments.output == _STDOUT
    if not (is_printed or arguments.force) and os.path.lexists(arguments.output):
        raise Failed(
            USAGE,
            f"{arguments.output} exists: give --force to replace it, or -o FILE to write another"
            " file [output.exists]",
        )
    with reading(arguments.repository):
        listing = list_files(arguments.repository, arguments.ref)
    remote = None if listing.remote is None else parse_remote(listing.remote)
    named = arguments.name or (listing.folder if remote is None else remote.name)
    try:
        proposal = detect(
            listing.files, repository=named, owner=arguments.owner, name=arguments.name
        )
    except NoSolutionsError as error:
        raise Failed(REFUSED, f"nothing to publish in {arguments.repository}: {error}") from None
    history = history_of(arguments, proposal.settings)
    if are_clustered(history, listed_names(history.files, proposal.settings)):
        proposal = proposal.with_first_added()
    text = settings_text(proposal)
    if not is_printed:
        write_file(arguments.output, text.encode("utf-8"))
    if arguments.json:
        write_json(_document(proposal, text, None if is_printed else arguments.output))
        return OK
    show = _shower(arguments)
    for line in report_lines(proposal, branch=listing.branch, width=_width()):
        show(line)
    if is_printed:
        write(text.encode("utf-8"))
        return OK
    show((f"Wrote {arguments.output}.  Read it, then build the snapshot:", None))
    show((f"  {_next_command(arguments, has_remote=remote is not None)}", "bold"))
    if remote is not None and links_of(remote.host) is None:
        words = "The kind of the host is unknown: set kind, or web and raw, in [repository] first."
        show((words, None))
    return OK


def _document(proposal: Proposal, text: str, output: str | None) -> dict[str, object]:
    return {
        "output": output,
        "settings": text,
        "tracked": proposal.tracked,
        "listed": proposal.listed,
        "rules": [to_builtins(rule) for rule in proposal.rules],
        "unmatched": [to_builtins(folder) for folder in proposal.unmatched],
    }


def _shower(arguments: Namespace) -> Callable[[Line], None]:
    """Return the function that prints a line: on the error output if settings are printed."""
    if arguments.output == _STDOUT and not arguments.dry_run:
        return lambda line: echo_error(line[0])
    if has_color(arguments.color):
        return lambda line: echo_styled(paint(*line))
    return lambda line: echo(line[0])


def _width() -> int:
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 80
    return min(max(columns, _WIDTHS[0]), _WIDTHS[-1])


def _next_command(arguments: Namespace, *, has_remote: bool) -> str:
    command = ["sitedata", "build", arguments.repository, "--config", arguments.output]
    if arguments.ref != "HEAD":
        command += ["--ref", arguments.ref]
    if not has_remote:
        command += [] if arguments.owner else ["--owner", "OWNER"]
        command += [] if arguments.name else ["--name", "NAME"]
    return shlex.join([*command, "-o", _SNAPSHOT])


def report_lines(proposal: Proposal, *, branch: str, width: int) -> Iterator[Line]:
    """Yield the lines of a report."""
    linked = sum(rule.files for rule in proposal.rules if rule.example.url)
    yield from _wrapped(
        f"{plural(proposal.tracked, 'file')} in {branch}: {proposal.listed} published,"
        f" {linked} of them with the URL of a problem.",
        width,
    )
    yield _BLANK
    for rule in proposal.rules:
        yield from _rule(rule, width)
        yield _BLANK
    for reason, group in groupby(proposal.unmatched, lambda unmatched: unmatched.reason):
        yield from _reason(reason, list(group), width)
    if proposal.unmatched:
        yield _BLANK
    for note in _notes(proposal):
        yield from _wrapped(note, width)
        yield _BLANK


def _rule(rule: RuleCount, width: int) -> Iterator[Line]:
    form = "built-in layouts" if rule.form is None else rule.form
    name = form if rule.identifies is None else f"{rule.identifies}: {form}"
    yield f"{rule.files:>6}  {_shortened(name, width - len(_INDENT))}", "bold"
    example = rule.example
    yield _INDENT + _shortened(example.path, width - len(_INDENT)), None
    facts = [f"platform {example.platform}"]
    facts += [] if example.problem is None else [f"problem {example.problem}"]
    facts += [example.language, f"title {example.title}"]
    yield from _wrapped(", ".join(facts), width, _INDENT)
    link = example.url or "the link is that of the file"
    yield _INDENT + link, "green" if example.url else "faint"


def _reason(reason: str, group: list[Unmatched], width: int) -> Iterator[Line]:
    total = sum(unmatched.files for unmatched in group)
    heading = "no rule" if reason == _PUBLISHED else "not published"
    yield f"{total:>6}  {heading} [{reason}]", "bold"
    yield from _wrapped(f"each {REASONS[reason]}", width, _INDENT)
    yield from _wrapped(
        folder_counts((unmatched.folder, unmatched.files) for unmatched in group), width, _INDENT
    )


def folder_counts(counts: Iterable[tuple[str, int]]) -> str:
    """Return the folders of the root and their numbers of files, of which the first are named."""
    folders = list(counts)
    named = [f"{folder or 'the root'} {files}" for folder, files in folders[:_MAX_FOLDERS]]
    if len(folders) > _MAX_FOLDERS:
        more = sum(files for _, files in folders[_MAX_FOLDERS:])
        named.append(f"{len(folders) - _MAX_FOLDERS} other folders {more}")
    return ", ".join(named)


def _notes(proposal: Proposal) -> Iterator[str]:
    if proposal.settings.dates == "first-added":
        yield (
            "Edits moved the dates of many files to one day, so files are dated by the commit that"
            " added them: see dates in the settings."
        )
    if proposal.loose:
        yield (
            f"{plural(proposal.loose, 'file')} in the root would be published in a folder: the"
            " platform of a problem is its first folder."
        )
    if proposal.notebooks:
        yield (
            f"{plural(proposal.notebooks, 'file')} with the extension ipynb would be published with"
            " a language: see [languages] in the settings."
        )


def _wrapped(text: str, width: int, indent: str = "") -> Iterator[Line]:
    plain = textwrap.shorten(text, _MAX_TEXT, placeholder=" ...")
    for line in textwrap.wrap(plain, width, initial_indent=indent, subsequent_indent=indent):
        yield line, None


def _shortened(text: str, width: int) -> str:
    """Return text with its middle left out if it is wider than `width` characters."""
    if len(text) <= width:
        return text
    half = (width - 3) // 2
    return f"{text[: width - 3 - half]}...{text[-half:]}"


def check_address(arguments: Namespace) -> None:
    """Raise Failed if `--owner` or `--name` cannot stand in URLs."""
    for option, kind in (("owner", PATH), ("name", NAME)):
        value = getattr(arguments, option)
        try:
            if value is not None:
                kind.check(value)
        except ValueError as error:
            raise Failed(USAGE, f"--{option} {error}") from None


def history_of(arguments: Namespace, settings: BuildSettings) -> History:
    """Read the history of the repository with the dates that the settings ask for."""
    with show_progress("pieces") as progress, reading(arguments.repository):
        return read_history(
            arguments.repository,
            arguments.ref,
            dates=settings.dates,
            bulk=sorted(settings.bulk),
            listed=partial(listed_names, settings=settings),
            zone=settings.zone,
            progress=None if progress is None else partial(progress, "commits"),
        )


@contextmanager
def reading(repository: str) -> Iterator[None]:
    """Raise Failed if the repository cannot be read."""
    try:
        yield
    except RepositoryError as error:
        reason = str(error)
        is_folder = os.path.isdir(repository)  # noqa: PTH112 - never raises
        if error.code == "repository.missing" and not is_folder:
            exists = os.path.exists(repository)  # noqa: PTH110 - never raises
            description = "it is not a folder" if exists else "it does not exist"
            reason = f"{description} [{error.code}]"
        raise Failed(CANNOT, f"cannot read {repository}: {reason}") from None
