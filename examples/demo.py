"""The demonstration: a machine's real state, real wearable data and a repository, from one server.

    python examples/demo.py            goes on until Ctrl-C
    python examples/demo.py --once     asks every endpoint once, for a check

The device status of this machine is at `/`, the health data of the LifeSnaps people beside this
file at `/api/public/v1`, the snapshot of a practice repository at `/data/site-data.json`.  The
three packages know nothing of each other: what joins them is here, one look at the path before
their applications.
"""

import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from devicestatus.adapters.commands import demo
from devicestatus.adapters.demo import parser
from healthapi.adapters.asgi import create_app as health_app
from healthapi.adapters.commands.rounds import whole_round as health_round
from healthapi.adapters.commands.serve import load, places
from healthapi.adapters.folder import FolderSource
from healthapi.http.endpoints import ROOT
from purewire.adapters.asgi import App, Receive, Scope, Send
from purewire.adapters.commands.outcomes import CANNOT, REFUSED, Failed
from purewire.adapters.commands.probes import Round
from purewire.adapters.commands.running import run_command
from sitedata.adapters.asgi import create_app as site_app
from sitedata.adapters.commands.rounds import whole_round as site_round
from sitedata.serving.service import PATH

HERE: Final = Path(__file__).parent
PEOPLE: Final = HERE / "lifesnaps"
SNAPSHOT: Final = HERE / "practice" / "site-data.json"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the demonstration; give its exit code, as the commands of the packages do."""
    arguments = parser(
        "python examples/demo.py", "Serve this machine's state, wearable data and a repository."
    )
    arguments.add_argument(
        "--health", metavar="DIR", default=PEOPLE, help="folder of profiles (the LifeSnaps people)"
    )
    arguments.add_argument(
        "--snapshot", metavar="FILE", default=SNAPSHOT, help="of a repository (a made-up one)"
    )
    return run_command(__name__, arguments.parse_args(argv), program="demo", extras={})


def run(arguments: Namespace) -> int:
    """Serve all, for one round or until stopped."""
    people = FolderSource(arguments.health)
    readable = _readable(people, arguments.health)
    guests = {ROOT: health_app(people), PATH: site_app(arguments.snapshot)}
    guest = demo.Guest(
        beside=lambda status: beside(status, guests),
        places=places(readable) | {PATH: "snapshot of a repository as JSON"},
        asking=lambda: _rounds(readable),
    )
    return demo.run(arguments, guest)


def beside(status: App, guests: Mapping[str, App]) -> App:
    """Give one application that answers for all; their paths do not meet."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        found = (guests[root] for root in guests if path == root or path.startswith(f"{root}/"))
        await next(found, status)(scope, receive, send)

    return app


def _rounds(readable: tuple[str, ...]) -> Round:
    yield from health_round(readable)
    yield from site_round()


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
