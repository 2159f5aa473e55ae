"""`healthapi page`: write the pages of the profiles as a static site."""

import logging
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import cast

from healthapi import limits
from healthapi.adapters.commands.inputs import expected_files, reading, source_of
from healthapi.adapters.site.static import SiteError, build_site
from healthapi.adapters.waiting import WaitingSource
from healthapi.http.endpoints import Query
from healthapi.http.resources import chart
from healthapi.http.service import Service
from purewire.adapters.commands.arguments import bad_choice
from purewire.adapters.commands.exit_codes import CANNOT, OK, REFUSED, Failed
from purewire.adapters.commands.files import write_file
from purewire.adapters.commands.page_settings import page_settings
from purewire.adapters.commands.progress import show_progress
from purewire.adapters.commands.terminal import echo
from purewire.exchange.effects import Effect, ReadSource, drive
from purewire.http.messages import Request, Response


def run(arguments: Namespace) -> int:
    """Write the site: data first, then the documents that name them."""
    settings = page_settings(arguments.page_settings)
    with show_progress("bytes") as progress:
        source = source_of(arguments, progress)
        ids = _ids(source, arguments)
        logging.getLogger("healthapi").addHandler(
            logging.NullHandler()
        )  # Errors are printed below.
        try:
            files = build_site(_asker(source), ids, settings, partial(_dark, source))
        except SiteError as error:
            message = f"{error.profile_id} cannot be read: see healthapi check"
            raise Failed(REFUSED, message) from None
    folder = Path(arguments.output)
    for name, data in files.items():
        _write(folder / name, data)
    echo(f"{folder / 'index.html'}: {', '.join(ids)}")
    return OK


def _ids(source: WaitingSource, arguments: Namespace) -> tuple[str, ...]:
    with reading(arguments.folder):
        ids = source.ids()
    if arguments.profile is not None:
        if arguments.profile not in ids:
            raise Failed(CANNOT, f"--profile: {bad_choice(arguments.profile, ids)}")
        return (arguments.profile,)
    if not ids:
        expected = ", ".join(expected_files(arguments))
        raise Failed(
            REFUSED, f"no profile in {arguments.folder}; expected one or more of {expected}"
        )
    return ids


def _asker(source: WaitingSource) -> Callable[[Request], Response]:
    """Return a function that responds as a service of the source does."""
    service = Service()

    def perform(effect: Effect) -> object:
        only = cast("ReadSource", effect)  # A service of health data has no other effect.
        return source.ids() if only.name is None else source.profile(only.name)

    return lambda request: drive(service(request), perform)


def _dark(source: WaitingSource, profile_id: str, name: str) -> bytes:
    """Draw a chart as the service does, but for a dark page."""
    width, height = limits.CHART_WIDTH.default, limits.CHART_HEIGHT.default
    query = Query(key=name, width=width or 0, height=height or 0, theme="dark")
    return chart(source.profile(profile_id), query)[0]


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failed(CANNOT, f"cannot write {path}: {error.strerror}") from None
    write_file(str(path), data)
