"""`sitedata init`: write a settings file from what is in a git repository, and report it."""

import os
import shlex
import shutil
import sys
from argparse import Namespace
from collections.abc import Callable
from typing import Final

from purewire.adapters.commands.exit_codes import OK, REFUSED, USAGE, Failed
from purewire.adapters.commands.files import write_file
from purewire.adapters.commands.terminal import (
    echo,
    echo_error,
    echo_styled,
    is_interactive,
    paint,
    write,
    write_json,
)
from purewire.structuring.to_builtins import to_builtins
from sitedata.adapters.commands.init_report import Line, Style, report_lines
from sitedata.adapters.commands.repositories import check_address, history_of, unreadable
from sitedata.adapters.git import Listing, RepositoryError, list_files
from sitedata.building.dates import are_clustered
from sitedata.building.detecting.proposal import NoSolutionsError, Proposal, detect
from sitedata.building.detecting.proposal_text import settings_text
from sitedata.building.hosts import links_of
from sitedata.building.remotes import parse_remote
from sitedata.building.tree import listed_names

__all__ = ["run"]

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
    listing = _listing(arguments)
    proposal = _proposal(arguments, listing)
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
    show([(f"Wrote {arguments.output}.  Read it, then build the snapshot:", None)])
    show([("  ", None), (_next_command(arguments, listing), "bold")])
    if not _has_known_host(listing):
        words = "The kind of the host is unknown: set kind, or web and raw, in [repository] first."
        show([(words, None)])
    return OK


def _listing(arguments: Namespace) -> Listing:
    try:
        return list_files(arguments.repository, arguments.ref)
    except RepositoryError as error:
        raise unreadable(arguments.repository, error) from None


def _proposal(arguments: Namespace, listing: Listing) -> Proposal:
    remote = None if listing.remote is None else parse_remote(listing.remote)
    named = arguments.name or (listing.folder if remote is None else remote.name)
    try:
        return detect(listing.files, repository=named, owner=arguments.owner, name=arguments.name)
    except NoSolutionsError as error:
        raise Failed(REFUSED, f"nothing to publish in {arguments.repository}: {error}") from None


def _document(proposal: Proposal, text: str, output: str | None) -> dict[str, object]:
    """Return the document of `--json`."""
    return {
        "output": output,
        "settings": text,
        "tracked": proposal.tracked,
        "listed": proposal.listed,
        "rules": [to_builtins(rule) for rule in proposal.rules],
        "unmatched": [to_builtins(each) for each in proposal.unmatched],
    }


def _shower(arguments: Namespace) -> Callable[[Line], None]:
    """Return the function that prints a line: on the error output if settings are printed."""
    if arguments.output == _STDOUT and not arguments.dry_run:
        return lambda line: echo_error("".join(text for text, _ in line))
    auto = is_interactive() and "NO_COLOR" not in os.environ
    if arguments.color == "always" or (arguments.color == "auto" and auto):
        return lambda line: echo_styled("".join(map(_painted, line)))
    return lambda line: echo("".join(text for text, _ in line))


def _painted(piece: tuple[str, Style]) -> str:
    return paint(*piece)


def _width() -> int:
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 80
    return min(max(columns, _WIDTHS[0]), _WIDTHS[-1])


def _next_command(arguments: Namespace, listing: Listing) -> str:
    command = ["sitedata", "build", arguments.repository, "--config", arguments.output]
    if arguments.ref != "HEAD":
        command += ["--ref", arguments.ref]
    if listing.remote is None or parse_remote(listing.remote) is None:
        command += [] if arguments.owner else ["--owner", "OWNER"]
        command += [] if arguments.name else ["--name", "NAME"]
    return shlex.join([*command, "-o", _SNAPSHOT])


def _has_known_host(listing: Listing) -> bool:
    remote = None if listing.remote is None else parse_remote(listing.remote)
    return remote is None or links_of(remote.host) is not None
