"""The demonstration: this machine's real state and real wearable data, from one server.

    python examples/demo.py            goes on until Ctrl-C
    python examples/demo.py --once     asks every endpoint once, for a check

The device status of this machine is at `/`, the health data of the LifeSnaps people beside this
file at `/api/public/v1`.  The two packages know nothing of each other: what joins them is here, one
handler before their two.
"""

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import attrs

from devicestatus.adapters.commands import demo
from devicestatus.adapters.demo import parser
from healthapi.adapters.asgi import create_app
from healthapi.adapters.commands.rounds import whole_round
from healthapi.adapters.commands.serve import load, places
from healthapi.adapters.folder import FolderSource
from healthapi.http.endpoints import ROOT
from purewire.adapters.asgi import Application
from purewire.adapters.commands.outcomes import CANNOT, REFUSED, Failed
from purewire.adapters.commands.running import run_command
from purewire.effects import Exchange
from purewire.http.messages import Request

PEOPLE: Final = Path(__file__).parent / "lifesnaps"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the demonstration; give its exit code, as the commands of the packages do."""
    arguments = parser("python examples/demo.py", "Serve this machine's state, and wearable data.")
    arguments.add_argument(
        "--health", metavar="DIR", default=PEOPLE, help="folder of profiles (the LifeSnaps people)"
    )
    return run_command(__name__, arguments.parse_args(argv), program="demo", extras={})


def run(arguments: Namespace) -> int:
    """Serve both, for one round or until stopped."""
    source = FolderSource(arguments.health)
    health = create_app(source)
    readable = _readable(source, arguments.health)
    guest = demo.Guest(
        beside=lambda status: beside(status, health),
        places=places(readable),
        asking=lambda: whole_round(readable),
    )
    return demo.run(arguments, guest)


def beside(status: Application, health: Application) -> Application:
    """Give one application that answers for two; their paths do not meet."""
    root = ROOT.encode()

    def handler(request: Request) -> Exchange:
        is_health = request.path == root or request.path.startswith(root + b"/")
        return (health if is_health else status).handler(request)

    return attrs.evolve(status, handler=handler, source=health.source)


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
