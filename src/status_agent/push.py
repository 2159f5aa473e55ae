"""`devicestatus push`: check a snapshot or a window in a file and send it to a service."""

import asyncio
from argparse import Namespace
from collections.abc import Mapping
from typing import Final

from devicestatus.adapters.upload_client import Destination, UploadClient
from devicestatus.agent.delivery import Action, Upload
from devicestatus.cli.inputs import (
    Kind,
    check_body,
    kind_of,
    load_settings,
    read_file,
    required_token,
)
from status_contracts.adapters.clocks import system_clock
from status_contracts.adapters.http_clients import UnusableUrl
from status_contracts.cli.exit_codes import CANNOT, OK, REFUSED, USAGE, Failed
from status_contracts.cli.terminal import echo, echo_error

EXIT_CODES: Final[Mapping[Action, int]] = {
    "accepted": OK,
    "drop": REFUSED,
    "fix-clock": REFUSED,
    "shrink": REFUSED,
    "stop": REFUSED,
    "retry": CANNOT,
}


def run(arguments: Namespace) -> int:
    """Send the body in a file, unless the service would refuse it now."""
    body = read_file(arguments.file)
    kind: Kind = kind_of(body)
    if arguments.url is None:
        raise Failed(USAGE, "give the --url of the service")
    token = required_token(arguments.token_file)
    destination = parse_destination(arguments.url, token, kind, insecure=arguments.insecure)
    findings = check_body(body, kind, system_clock(), load_settings().catalog)
    for finding in findings:
        echo_error(str(finding))
    if findings:
        echo_error(f"not sent: not a valid {kind}")
        return REFUSED
    return asyncio.run(_send(body, destination))


def parse_destination(
    url: str, token: str, upload: Upload, *, insecure: bool, option: str = "--url"
) -> Destination:
    """Return the destination of uploads; raise Failed, with the option, where it is not usable."""
    try:
        return Destination.from_url(url, token, upload=upload, insecure=insecure)
    except UnusableUrl as error:
        raise Failed(USAGE, f"{option}: {error}") from None


async def _send(body: bytes, destination: Destination) -> int:
    async with UploadClient.open(destination) as client:
        report = await client.send(body)
    action = report.decision.action
    (echo if action == "accepted" else echo_error)(report.text)
    return EXIT_CODES[action]
