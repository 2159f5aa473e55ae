"""`sitedata page`: write the practice page of a snapshot as a static site.

The site is `index.html`, the bytes of the file below `data/`, and the heat map as two images.

Invariant *own files only*: an existing file is replaced only if it is a page or a picture of this
library or a valid snapshot; otherwise nothing is written.
Invariant *data first*: the data are replaced before the page; each file is replaced as a whole.
"""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Final

from sitedata.cli.check import snapshot_of
from sitedata.cli.inputs import refuse_url
from sitedata.limits import MAX_BYTES
from sitedata.models import Snapshot
from sitedata.page import DATA, GENERATOR, build_practice, with_snapshot
from sitedata.parsing import check
from sitedata.views.calendar import calendar_to_show
from sitedata.views.heatmap import heatmap
from sitedata.views.selecting import counts
from status_contracts.cli.arguments import command
from status_contracts.cli.exit_codes import OK
from status_contracts.cli.files import page_settings, read_input, write_files
from status_contracts.cli.terminal import echo
from status_contracts.pages.page import is_of_site
from status_contracts.primitives import plural
from status_contracts.svg.palette import Theme

_SUFFIXES: Final[dict[Theme, str]] = {"light": "", "dark": "-dark"}


def run(arguments: Namespace) -> int:
    """Write the site into a folder, which is created if it is missing."""
    settings = page_settings(arguments.page_settings)
    refuse_url(arguments.file)
    body = read_input(arguments.file, MAX_BYTES)
    snapshot = snapshot_of(arguments.file, check(body), body)
    folder = Path(arguments.output)
    page = with_snapshot(build_practice(settings), snapshot)
    site = {DATA: body, **dict(_pictures(snapshot)), "index.html": page.as_file()}
    write_files(folder, site, _is_own)
    echo(f"{folder / 'index.html'}: {plural(counts(snapshot.problems).total, 'problem')}")
    echo("to look at it:")
    echo(command(f"python3 -m http.server 8004 -b 127.0.0.1 -d {quote(str(folder))}"))
    return OK


def _is_own(file: bytes) -> bool:
    return is_of_site(file, GENERATOR) or check(file).snapshot is not None


def _pictures(snapshot: Snapshot) -> Iterator[tuple[str, bytes]]:
    calendar = calendar_to_show(snapshot)
    title = f"{calendar.unit.capitalize()}s"
    for theme, suffix in _SUFFIXES.items():
        yield f"heat-map{suffix}.svg", heatmap(calendar, title=title, theme=theme)
