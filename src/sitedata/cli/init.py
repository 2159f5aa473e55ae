"""`sitedata init`: write a settings file from what is in a git repository, and report it.

Invariant *the text is the settings*: parsing it gives those of the proposal.
"""

import json
import os
import shlex
from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import Final

from sitedata.adapters.git import history_of, list_files
from sitedata.building.history import RULES
from sitedata.building.hosts import kind_of, parse_remote
from sitedata.building.platforms import ROOT
from sitedata.building.proposal import Folder, Proposal, propose
from sitedata.cli.inputs import check_address, open_repository
from sitedata.parsing import plain_text
from status_contracts.cli.arguments import GREEN, Styled, command
from status_contracts.cli.exit_codes import OK, REFUSED, Failed
from status_contracts.cli.files import write_file
from status_contracts.cli.terminal import echo, echo_warning, write
from status_contracts.primitives import plural

_NAMED: Final = 5  # folders that are not taken for the platform of the repository's name
_SHOWN: Final = 30  # folders in a report and in the comments of a file; the others are counted

_NOTHING: Final = (
    "nothing to publish in {}: no file in a folder has the extension of a programming language;"
    ' where solutions are in the root, write root = "kattis", or another platform, into'
    " site-data.toml [init.no_solutions]"
)


def run(arguments: Namespace) -> int:
    """Propose settings, report the first folders, and write them."""
    check_address(arguments)
    is_replacing = os.path.lexists(arguments.output)
    if is_replacing and not (arguments.dry_run or arguments.force):
        raise Failed(
            REFUSED,
            f"{arguments.output} exists: give --force to replace it, or -o FILE to write another"
            " file [output.exists]",
        )
    with open_repository(arguments) as repository:
        url = repository.remote
        remote = None if url is None else parse_remote(url)
        named = arguments.name or (repository.folder if remote is None else remote.name)
        proposal = propose(list_files(repository), named)
        if not proposal.listed:
            raise Failed(REFUSED, _NOTHING.format(arguments.repository))
        history = history_of(repository, proposal.settings)
    if history.is_shallow:
        echo_warning(f"{RULES['history.shallow']} [history.shallow]")
    proposal = proposal.with_history(history)
    text = settings_text(proposal, arguments.owner, arguments.name)
    left_out = plural(proposal.tracked - proposal.listed, "file")
    echo(f"{plural(proposal.listed, 'solution')} in {repository.branch}, {left_out} left out")
    for line in _folder_lines(proposal.folders):
        echo(f"  {line}")
    for line in _doubt_lines(proposal):
        echo(line)
    if arguments.dry_run:
        write(text.encode("utf-8"))
        return OK
    write_file(arguments.output, text.encode("utf-8"))
    words = f"wrote {arguments.output}.  Read it, then build the snapshot:"
    echo(Styled(words, GREEN, "wrote"))
    echo(command(_next_command(arguments, has_remote=remote is not None)))
    if remote is not None and kind_of(remote.host) is None:
        echo("The kind of the host is unknown: set kind in [repository] first.")
    return OK


def _next_command(arguments: Namespace, *, has_remote: bool) -> str:
    command = ["sitedata", "build", arguments.repository, "--config", arguments.output]
    if arguments.ref != "HEAD":
        command += ["--ref", arguments.ref]
    if not has_remote:
        command += [] if arguments.owner else ["--owner", "OWNER"]
        command += [] if arguments.name else ["--name", "NAME"]
    return shlex.join([*command, "-o", "site-data.json"])


def _folder_lines(folders: Iterable[Folder]) -> Iterator[str]:
    shown, others = [*folders][:_SHOWN], [*folders][_SHOWN:]
    for folder in shown:
        platform = f"{folder.platform or '-'}{'' if folder.certain or not folder.platform else '?'}"
        yield f"{folder.files:>6}  {platform:<12} {_string(plain_text(folder.name))[1:-1]}"
    if others:
        count = sum(folder.files for folder in others)
        yield f"{count:>6}  in {plural(len(others), 'other folder')}"


def _doubt_lines(proposal: Proposal) -> Iterator[str]:
    """Yield what is uncertain: short names of folders, and folders that the hint does not cover."""
    if any(folder.platform and not folder.certain for folder in proposal.folders):
        yield "?: the short name has other meanings; if it is another thing, add it to roots"
    others = [_string(folder.name) for folder in proposal.folders if folder.platform is None]
    if proposal.hint is not None and others:
        more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
        yield f"Not taken for {proposal.hint}: {', '.join(others[:_NAMED])}{more}"


_TEXT: Final = """\
# Settings of `sitedata build`, written by `sitedata init`.  Everything may be
# changed or removed; what is not here has its built-in value.  The format:
# https://github.com/status-contracts/status-contracts/blob/main/docs/reference/site-data-rules.md

# What dates a file: the newest commit that touched it, or, where edits moved
# the dates of many to one day, the commit that added it ("first-added").
dates = "{dates}"
# Whose days count: that of nearly all commits of the last year, else UTC.
zone = "{zone}"
# The platforms that were found here, as keys of the snapshot's ratings.
ratings = {ratings}

# The platform of the files in the root, which otherwise have none.
# root = "kattis"

# Owner, name and host come from the repository's remote URL; these replace it.
[repository]
{owner}
{name}

[ignore]
# roots = ["drafts"]         # first folders that are not published
# First folders that are published although such names are usually ignored.
keep = {kept}

# The first folders: solutions, the platform that each certainly is, the name.
{folders}
"""


def settings_text(proposal: Proposal, owner: str | None = None, name: str | None = None) -> str:
    """Return the text of a settings file, in TOML; owner and name None: as in the remote URL."""
    text = _TEXT.format(
        dates=proposal.dates,
        zone=proposal.zone,
        ratings=_list(proposal.ratings),
        owner='# owner = "ada"' if owner is None else f"owner = {_string(owner)}",
        name='# name = "practice"' if name is None else f"name = {_string(name)}",
        kept=_list(proposal.kept),
        folders="\n".join(f"# {line}" for line in _folder_lines(proposal.folders)),
    )
    for platform, folders in proposal.added.items():
        text += f"\n[platforms.{platform}]\n# In addition to the built-in names."
        if ROOT in folders:
            text += '\n# "." is the whole repository except the folders of others.'
        text += f"\nfolders = {_list(folders)}\n"
    return text


def _list(items: Iterable[str]) -> str:
    return f"[{', '.join(map(_string, items))}]"


def _string(text: str) -> str:
    """Return a basic string of TOML: that of JSON, with all that cannot be printed escaped."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(
        character if character.isprintable() else f"\\U{ord(character):08x}" for character in quoted
    )
