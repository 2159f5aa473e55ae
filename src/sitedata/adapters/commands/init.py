"""`sitedata init`: write a settings file from what is in a git repository, and report it.

What reads the repository is also that of `sitedata build`.
"""

import os
import shlex
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

from purewire.adapters.commands.exit_codes import CANNOT, OK, REFUSED, USAGE, Failed
from purewire.adapters.commands.files import write_file
from purewire.adapters.commands.terminal import (
    echo,
    echo_error,
    show_progress,
    write,
    write_json,
)
from purewire.primitives import plural
from purewire.structuring.to_builtins import to_builtins
from sitedata.adapters.git import RepositoryError, list_files, read_history
from sitedata.building.history import History, are_clustered
from sitedata.building.hosts import links_of, parse_remote
from sitedata.building.proposal import NoSolutionsError, Proposal, detect, settings_text
from sitedata.building.settings import NAME, PATH, BuildSettings
from sitedata.building.tree import listed_names

_INDENT: Final = " " * 8  # a count, and two spaces
_STDOUT: Final = "-"
_SNAPSHOT: Final = "site-data.json"


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
    show = echo_error if arguments.output == _STDOUT and not arguments.dry_run else echo
    for line in report_lines(proposal, branch=listing.branch):
        show(line)
    if is_printed:
        write(text.encode("utf-8"))
        return OK
    show(f"Wrote {arguments.output}.  Read it, then build the snapshot:")
    show(f"  {_next_command(arguments, has_remote=remote is not None)}")
    if remote is not None and links_of(remote.host) is None:
        show("The kind of the host is unknown: set kind, or web and raw, in [repository] first.")
    return OK


def _document(proposal: Proposal, text: str, output: str | None) -> dict[str, object]:
    return {
        "output": output,
        "settings": text,
        "tracked": proposal.tracked,
        "listed": proposal.listed,
        "rules": [to_builtins(rule) for rule in proposal.rules],
        "skipped": dict(proposal.skipped),
    }


def _next_command(arguments: Namespace, *, has_remote: bool) -> str:
    command = ["sitedata", "build", arguments.repository, "--config", arguments.output]
    if arguments.ref != "HEAD":
        command += ["--ref", arguments.ref]
    if not has_remote:
        command += [] if arguments.owner else ["--owner", "OWNER"]
        command += [] if arguments.name else ["--name", "NAME"]
    return shlex.join([*command, "-o", _SNAPSHOT])


def report_lines(proposal: Proposal, *, branch: str) -> Iterator[str]:
    """Yield the lines of a report."""
    linked = sum(rule.files for rule in proposal.rules if rule.example.url)
    yield (
        f"{plural(proposal.tracked, 'file')} in {branch}: {proposal.listed} published,"
        f" {linked} of them with the URL of a problem."
    )
    yield ""
    for rule in proposal.rules:
        form, example = rule.form or "built-in layouts", rule.example
        yield f"{rule.files:>6}  {f'{rule.identifies}: ' if rule.identifies else ''}{form}"
        yield f"{_INDENT}{example.path}"
        problem = [] if example.problem is None else [f"problem {example.problem}"]
        facts = (f"platform {example.platform}", *problem, example.language)
        yield f"{_INDENT}{', '.join(facts)}, title {example.title}"
        yield f"{_INDENT}{example.url or 'the link is that of the file'}"
        yield ""
    for note in _notes(proposal):
        yield note
        yield ""


def _notes(proposal: Proposal) -> Iterator[str]:
    unmatched = proposal.listed - sum(rule.files for rule in proposal.rules)
    if unmatched:
        count = plural(unmatched, "file")
        yield f"{count} published without the URL of a problem: no rule matches."
    left_out = proposal.tracked - proposal.listed
    if left_out:
        yield f"{plural(left_out, 'file')} left out: sitedata build says why."
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
