"""`devicestatus push`: check a snapshot or a window in a file and send it to a service."""

import asyncio
import os
from argparse import Namespace
from pathlib import Path

from devicestatus.adapters.upload_client import Destination, send_upload
from devicestatus.agent.delivery import Action
from devicestatus.limits import RECORD_BYTES
from devicestatus.parsing import Kind, check_body
from devicestatus.settings import Settings
from status_contracts.adapters.clocks import system_clock
from status_contracts.adapters.http_clients import UnusableUrl
from status_contracts.cli.exit_codes import CANNOT, OK, REFUSED, USAGE, Failed
from status_contracts.cli.files import TOKEN_RULE, input_name, make_token, read_input, read_token
from status_contracts.cli.problems import problems_of
from status_contracts.cli.terminal import echo


def run(arguments: Namespace) -> int:
    """Send the body in a file, unless the service would refuse it now."""
    body = read_input(arguments.file, RECORD_BYTES)
    if arguments.url is None:
        raise Failed(USAGE, "give the --url of the service")
    token = require_token(arguments.token_file)
    catalog = Settings.from_environ(os.environ).catalog
    kind, findings = check_body(body, received_at=system_clock(), catalog=catalog)
    destination = parse_destination(arguments.url, token, kind, insecure=arguments.insecure)
    if findings:
        lines = problems_of(input_name(arguments.file), findings, body)
        raise Failed(REFUSED, *lines, f"not sent: not a valid {kind}")
    report = asyncio.run(send_upload(destination, body))
    action = report.decision.action
    if action != "accepted":
        raise Failed(exit_code(action), report.text)
    echo(report.text)
    return OK


def require_token(file: str | Path | None) -> str:
    """Return the token in a file or the environment; raise Failed for none, and a wrong one."""
    token = read_token(file)
    if token is None:
        words = "no ingest token (INGEST_TOKEN, --token-file token, or token_file of the settings)"
        raise Failed(USAGE, f"{words}; {TOKEN_RULE}", make_token("token"))
    return token


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
