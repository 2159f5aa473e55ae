"""Start the `sitedata` command; `sitedata.adapters.cli` reads its arguments."""

from purewire.adapters.commands.starting import start

__all__ = ["HELP", "main"]

HELP = """\
usage: sitedata [-h] [--version] COMMAND ...

Publish what a practice repository holds: build, check, show, serve, fetch.

positional arguments:
  COMMAND
    build     Make a snapshot of a git repository
    check     List every fault of a snapshot
    show      Show problems, counts and the calendar of a snapshot
    serve     Serve a snapshot over HTTP
    fetch     Bring a published snapshot up to date in a file

options:
  -h, --help  show this help message and exit
  --version   show the version and exit

SNAPSHOT is a file, or the https URL of one.

exit codes: 0 done; 1 something was found wrong; 2 wrong usage;
3 something cannot be read, written or reached; 130 interrupted
"""
"""What `sitedata --help` shows."""


def main() -> int:
    """Run a command; give its exit code."""
    return start(HELP, "sitedata.adapters.cli")
