"""The demonstration: a machine's real state, real wearable data and a repository, from one server.

    python examples/demo.py            serves until Ctrl-C
    python examples/demo.py --once     requests every endpoint once and checks the responses

The device status of this machine is at `/`, the health data of the LifeSnaps people beside this
file at `/api/public/v1`, the snapshot of a practice repository at `/data/site-data.json`; the pages
are at `/`, `/health/`, `/practice/` and, of all people, `/people/`.  The three packages are
independent: this file mounts their applications, each at its path.
"""

import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from demonstration.health_round import whole_round as health_round
from demonstration.pages import (
    HEALTH,
    NOW,
    PRACTICE,
    OneProfile,
    example_settings,
    mount,
    plain_settings,
)
from demonstration.pages import whole_round as pages_round
from demonstration.probes import Round
from demonstration.site_round import whole_round as site_round

from demonstration import running
from healthapi.adapters.application import asgi_app as health_app
from healthapi.adapters.folder import FolderSource
from healthapi.cli.serve import load, places
from healthapi.endpoints import ROOT
from sitedata.adapters.application import asgi_app as site_app
from sitedata.service import PATH
from status_contracts.adapters.asgi import App
from status_contracts.cli.arguments import PORTS, Parser, number
from status_contracts.cli.exit_codes import CANNOT, REFUSED, Failed
from status_contracts.cli.main import run_program

HERE: Final = Path(__file__).parent
PEOPLE: Final = HERE / "lifesnaps"
SNAPSHOT: Final = HERE / "practice" / "site-data.json"

_HEALTH_ROOT: Final = "/health/"
_PRACTICE_ROOT: Final = "/practice/"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the demonstration; return its exit code, as the commands of the packages do."""
    return run_program(_parser(), argv)


def _parser() -> Parser:
    parser = Parser.of_program(
        "python examples/demo.py",
        "Serve this machine's state, wearable data and a repository.",
        "exit codes: as those of devicestatus --help",
        {},
    )
    parser.set_defaults(command=None, module=__name__, endless=True)
    add = parser.add_argument
    add("--once", action="store_true", help="request every endpoint once, show a table and exit")
    add("--port", type=number(PORTS), help="port (8000, or the next free one; --once: any)")
    add("--store", help="as for devicestatus serve (a SQLite file in a temporary folder)")
    add("--assets", metavar="DIR", help="folder of icons with index.json (the built-in one)")
    add("--health", metavar="DIR", default=PEOPLE, help="folder of profiles (LifeSnaps people)")
    add(
        "--snapshot",
        metavar="FILE",
        default=SNAPSHOT,
        help="snapshot of a repository (an invented one)",
    )
    return parser


def run(arguments: Namespace) -> int:
    """Serve all three, for one round or until stopped."""
    people = FolderSource(arguments.health)
    readable = _readable(people, arguments.health)
    shown = {NOW: "/", HEALTH: _HEALTH_ROOT, PRACTICE: _PRACTICE_ROOT}
    others = running.OtherServices(
        mount=lambda status: mount(
            status,
            {
                ROOT: health_app(people),
                PATH: site_app(arguments.snapshot),
                _PRACTICE_ROOT: _practice_page(arguments.snapshot, shown),
                **_health_pages(people, readable, shown, is_example=arguments.health == PEOPLE),
            },
        ),
        page=example_settings("the first minutes are invented, then this machine follows", shown),
        places={_HEALTH_ROOT: "health page", _PRACTICE_ROOT: "practice page"}
        | places(readable)
        | {PATH: "snapshot of a repository as JSON"},
        asking=lambda: _rounds(readable, shown.values()),
    )
    return running.run(arguments, others)


def _practice_page(snapshot: str | Path, shown: Mapping[str, str]) -> App:
    if snapshot != SNAPSHOT:
        return site_app(snapshot, page=plain_settings(shown))
    return site_app(snapshot, page=example_settings("an invented year of practice", shown))


def _health_pages(
    people: FolderSource, readable: tuple[str, ...], shown: Mapping[str, str], *, is_example: bool
) -> dict[str, App]:
    """Return the pages: of the example person and of all, or of the profiles of another folder."""
    if not is_example:
        return {_HEALTH_ROOT: health_app(people, page=plain_settings(shown))}
    one = example_settings("days of a participant of the LifeSnaps study", shown)
    three = example_settings("three participants of the LifeSnaps study", shown)
    return {
        _HEALTH_ROOT: health_app(OneProfile(people, readable[0]), page=one),
        "/people/": health_app(people, page=three),
    }


def _rounds(readable: tuple[str, ...], pages: Iterable[str]) -> Round:
    yield from health_round(readable)
    yield from site_round()
    yield from pages_round(pages)


def _readable(source: FolderSource, folder: object) -> tuple[str, ...]:
    try:
        ids = source.ids()
    except OSError as fault:
        raise Failed(CANNOT, f"cannot read {folder}: {fault.strerror}") from None
    readable = load(source, ids)
    if readable != ids:
        raise Failed(REFUSED, "not all profiles can be read: see healthapi check")
    return readable


if __name__ == "__main__":
    sys.exit(main())
