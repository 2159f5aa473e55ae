"""Start the `devicestatus` command; `devicestatus.adapters.cli` reads its arguments."""

from purewire.adapters.commands.starting import start

__all__ = ["HELP", "main"]

HELP = """\
usage: devicestatus [-h] [--version] COMMAND ...

Publish what a computer is doing, and judge, replay and explain its records.

positional arguments:
  COMMAND
    serve     Serve the status of one computer over HTTP
    agent     Send what this computer is doing to a service
    push      Check a snapshot or window and send it to a service
    validate  List every fault of a snapshot or window
    project   Show what readers see at a server time
    explain   Explain why a record is online or offline, and until when
    badge     Draw a badge

options:
  -h, --help  show this help message and exit
  --version   show the version and exit

FILE may be - for the standard input.  A TIME is 2026-01-31T12:00:00Z, or milliseconds since 1970.

exit codes: 0 done; 1 something was found wrong or refused; 2 wrong usage;
3 something cannot be reached, read or written; 130 interrupted

environment: INGEST_TOKEN, STATUS_TTL_SECONDS (eco, realtime or seconds), SERVICE_NAME,
CATALOG_ARTWORK_DOMAIN, CATALOG_TRACK_HOSTS, STATUS_STORE (for serve, as --store)
"""
"""What `devicestatus --help` shows."""


def main() -> int:
    """Run a command; give its exit code."""
    return start(HELP, "devicestatus.adapters.cli")
