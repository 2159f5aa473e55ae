"""`devicestatus push`: checks a snapshot or a window in a file and sends it to a service."""

from argparse import Namespace
from typing import Final

from devicestatus.adapters.commands.inputs import Kind, check, kind_of, read_file, settings
from devicestatus.adapters.commands.uploading import EXIT_CODES, destination_of
from devicestatus.adapters.upload_client import Destination, Sender
from devicestatus.agent.delivery import decide
from purewire.adapters.clocks import system_clock
from purewire.adapters.commands.exit_codes import OK, REFUSED
from purewire.adapters.commands.signals import run_until_stopped
from purewire.adapters.commands.terminal import echo, echo_error

__all__ = ["run"]

_FIRST_ATTEMPT: Final = 1
_NO_JITTER: Final = 1.0
"""The command makes one attempt, so the wait before another has no use."""


def run(arguments: Namespace) -> int:
    """Send the body in a file, unless the service would refuse it now."""
    body = read_file(arguments.file)
    kind: Kind = kind_of(body)
    destination = None if arguments.dry_run else destination_of(arguments, kind)
    findings = check(body, kind, system_clock(), settings().catalog)
    for finding in findings:
        echo_error(str(finding))
    if findings:
        echo_error(f"not sent: not a valid {kind}")
        return REFUSED
    if destination is None:
        echo(f"a valid {kind} of {len(body)} bytes; nothing was sent")
        return OK
    return run_until_stopped(_send(body, kind, destination), endless=False)


async def _send(body: bytes, kind: Kind, destination: Destination) -> int:
    async with Sender.opened(destination) as sender:
        sent = await sender.send(body)
    decision = decide(
        sent.answer, upload=kind, attempt=_FIRST_ATTEMPT, jitter=_NO_JITTER, skew=sent.skew
    )
    fault = "" if sent.fault is None else f" ({sent.fault})"
    tell = echo if decision.action == "accepted" else echo_error
    tell(f"{decision.words}{fault}")
    return EXIT_CODES[decision.action]
