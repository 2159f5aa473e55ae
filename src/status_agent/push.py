"""`devicestatus push`: check a snapshot or a window in a file and send it to a service."""

import asyncio
import os
from argparse import Namespace
from typing import Final

from devicestatus.adapters.upload_client import Destination, send_upload
from devicestatus.agent.delivery import Action
from devicestatus.limits import RECORD_BYTES, TOKEN_LENGTH_MAX, TOKEN_LENGTH_MIN
from devicestatus.parsing import Kind, check_snapshot, check_window, kind_of
from devicestatus.settings import Settings
from status_contracts.adapters.clocks import system_clock
from status_contracts.adapters.http_clients import UnusableUrl
from status_contracts.cli.exit_codes import CANNOT, OK, REFUSED, USAGE, Failed
from status_contracts.cli.files import read_input, require_token
from status_contracts.cli.terminal import echo, echo_error

TOKEN_LENGTHS: Final = range(TOKEN_LENGTH_MIN, TOKEN_LENGTH_MAX + 1)


def run(arguments: Namespace) -> int:
    """Send the body in a file, unless the service would refuse it now."""
    body = read_input(arguments.file, RECORD_BYTES)
    kind = kind_of(body)
    if arguments.url is None:
        raise Failed(USAGE, "give the --url of the service")
    token = require_token(arguments.token_file, TOKEN_LENGTHS)
    destination = parse_destination(arguments.url, token, kind, insecure=arguments.insecure)
    check = check_window if kind == "window" else check_snapshot
    catalog = Settings.from_environ(os.environ).catalog
    findings = check(body, received_at=system_clock(), catalog=catalog)
    for finding in findings:
        echo_error(str(finding))
    if findings:
        echo_error(f"not sent: not a valid {kind}")
        return REFUSED
    report = asyncio.run(send_upload(destination, body))
    action = report.decision.action
    (echo if action == "accepted" else echo_error)(report.text)
    return exit_code(action)


def exit_code(action: Action) -> int:
    """Return the exit code after the last action of an agent."""
    return {"accepted": OK, "retry": CANNOT}.get(action, REFUSED)


def parse_destination(
    url: str, token: str, upload: Kind, *, insecure: bool, option: str = "--url"
) -> Destination:
    """Return the destination of uploads; raise Failed, with the option, where it is not usable."""
    try:
        return Destination.from_url(url, token, upload=upload, insecure=insecure)
    except UnusableUrl as error:
        raise Failed(USAGE, f"{option}: {error}") from None
