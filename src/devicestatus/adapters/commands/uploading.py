"""What the commands that upload share: the destination, and the exit code of an answer."""

from argparse import Namespace
from collections.abc import Mapping
from typing import Final

from devicestatus.adapters.commands.inputs import required_token
from devicestatus.adapters.upload_client import Destination, UnusableUrl
from devicestatus.agent.delivery import Action, Upload
from purewire.adapters.commands.exit_codes import CANNOT, OK, REFUSED, USAGE, Failed

__all__ = ["EXIT_CODES", "destination_of"]

EXIT_CODES: Final[Mapping[Action, int]] = {
    "accepted": OK,
    "drop": REFUSED,
    "fix-clock": REFUSED,
    "shrink": REFUSED,
    "stop": REFUSED,
    "retry": CANNOT,
}


def destination_of(arguments: Namespace, upload: Upload) -> Destination:
    """Return where the arguments send an upload; raise Failed where that is no usable place."""
    if arguments.url is None:
        raise Failed(USAGE, "give the --url of the service, or --dry-run")
    token = required_token(arguments.token_file)
    try:
        return Destination.of(arguments.url, token, upload=upload, insecure=arguments.insecure)
    except UnusableUrl as fault:
        raise Failed(USAGE, f"--url: {fault}") from None
