"""`healthapi serve`: serve the profiles of a folder with uvicorn."""

import asyncio
from argparse import Namespace
from collections.abc import Iterable
from typing import Final

from healthapi.adapters.application import asgi_app
from healthapi.adapters.folder import FolderSource
from healthapi.cli.inputs import expected_files, in_turn, reading, source_of
from healthapi.endpoints import ROOT
from healthapi.errors import DataError
from status_contracts.adapters.asgi import Application
from status_contracts.cli.exit_codes import USAGE, Failed
from status_contracts.cli.files import page_settings
from status_contracts.cli.serving import listen, serve
from status_contracts.cli.terminal import echo
from status_contracts.pages.settings import PageSettings
from status_contracts.primitives import plural

_PLAIN_HTTP: Final = "this is plain HTTP: anyone who can reach this address can read the data"


def run(arguments: Namespace) -> int:
    """Read profiles, and serve them until SIGINT or SIGTERM."""
    source = source_of(arguments)
    app = _app(source, arguments.base_url, page_settings(arguments.page_settings))
    listener = listen(arguments.host, arguments.port)
    try:
        with reading(arguments.folder):
            ids = source.ids()
        readable = load(source, in_turn(ids))
    except BaseException:
        listener.close()
        raise
    if not ids:
        echo(f"no profile yet; expected one or more of {', '.join(expected_files(arguments))}")
    pages = {"/": "page", **places(readable)}
    notes = [_counted(len(ids), len(ids) - len(readable))]
    with listener:
        return asyncio.run(serve(app, listener, pages, notes, warning=_PLAIN_HTTP))


def load(source: FolderSource, ids: Iterable[str]) -> tuple[str, ...]:
    """Read profiles in advance; return the ids of those that can be read."""
    readable = []
    for profile_id in ids:
        try:
            source.profile(profile_id)
        except (DataError, KeyError, OSError):  # The source logs the reason.
            continue
        readable.append(profile_id)
    return tuple(readable)


def places(readable: tuple[str, ...]) -> dict[str, str]:
    """Return the paths to print, each with its description."""
    descriptions = {f"{ROOT}/docs": "documentation", f"{ROOT}/profiles": "profiles as JSON"}
    for profile_id in readable[:1]:
        chart = f"{ROOT}/profiles/{profile_id}/charts/overview-trend.svg"
        descriptions[chart] = f"chart of {profile_id}"
    return descriptions


def _app(source: FolderSource, base: str | None, page: PageSettings) -> Application:
    try:
        return asgi_app(source, base_url=base, page=page)
    except ValueError as error:
        raise Failed(USAGE, f"--base-url: {error}") from None


def _counted(count: int, unreadable: int) -> str:
    profiles = plural(count, "profile")
    return f"{profiles}, {unreadable} of them unreadable" if unreadable else profiles
