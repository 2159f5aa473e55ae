"""`sitedata page`: write the practice page of a snapshot as a static site.

The site is `index.html`, the bytes of the file below `data/`, and the heat map as two images.

Invariant *own files only*: an existing file is replaced only if it is a page or a picture of this
library or a valid snapshot; otherwise nothing is written.
Invariant *data first*: the data are replaced before the page; each file is replaced as a whole.
"""

from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from sitedata.cli.inputs import is_url
from sitedata.errors import SiteDataError
from sitedata.limits import MAX_BYTES
from sitedata.models import Snapshot
from sitedata.page import DATA, build_practice, is_own_page, is_own_picture, with_snapshot
from sitedata.parsing import check, parse
from sitedata.views.calendar import calendar_to_show
from sitedata.views.heatmap import heatmap
from sitedata.views.selecting import counts
from status_contracts.cli.exit_codes import CANNOT, OK, REFUSED, USAGE, Failed
from status_contracts.cli.files import page_settings, read_file, write_files
from status_contracts.cli.terminal import echo, finding_lines
from status_contracts.primitives import plural
from status_contracts.svg.palette import Theme

_SUFFIXES: Final[dict[Theme, str]] = {"light": "", "dark": "-dark"}


def run(arguments: Namespace) -> int:
    """Write the site into a folder, which is created if it is missing."""
    settings = page_settings(arguments.page_settings)
    body, snapshot = _read(arguments.file)
    folder = Path(arguments.output)
    index, data = folder / "index.html", folder / DATA
    _check_own(data, "a snapshot", lambda body: check(body).snapshot is not None)
    _check_own(index, "a page of this command", is_own_page)
    pictures = dict(_pictures(snapshot))
    for name in pictures:
        _check_own(folder / name, "a picture of this command", is_own_picture)
    page = with_snapshot(build_practice(settings), snapshot)
    write_files(folder, {DATA: body, **pictures, index.name: page.as_file()})
    problems = counts(snapshot.problems).total
    echo(f"{index}: {plural(problems, 'problem')}")
    echo(f"to look at it: python3 -m http.server -b 127.0.0.1 -d {folder}")
    return OK


def _read(name: str) -> tuple[bytes, Snapshot]:
    if is_url(name):
        call = "sitedata fetch URL -o FILE"
        raise Failed(USAGE, f"{name} is not a file: save it with {call}, and give FILE")
    body = read_file(name, MAX_BYTES, is_regular=False)
    try:
        return body, parse(body)
    except SiteDataError as error:
        raise Failed(REFUSED, *finding_lines(name, error.findings)) from None


def _pictures(snapshot: Snapshot) -> Iterator[tuple[str, bytes]]:
    calendar = calendar_to_show(snapshot)
    title = f"{calendar.unit.capitalize()}s"
    for theme, suffix in _SUFFIXES.items():
        yield f"heat-map{suffix}.svg", heatmap(calendar, title=title, theme=theme)


def _check_own(path: Path, kind: str, is_own: Callable[[bytes], bool]) -> None:
    try:
        exists = path.exists()
    except OSError as error:
        raise Failed(CANNOT, f"cannot read {path}: {error.strerror}") from None
    if exists and not is_own(read_file(str(path), MAX_BYTES)):
        message = f"{path} exists and is not {kind}; remove it, or give another folder"
        raise Failed(REFUSED, message)
