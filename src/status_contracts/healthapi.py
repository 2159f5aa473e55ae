"""Start the `healthapi` command; `healthapi.adapters.cli` reads its arguments."""

from purewire.adapters.commands.starting import start

__all__ = ["HELP", "main"]

HELP = """\
usage: healthapi [-h] [--version] COMMAND ...

Publish what a wearable has measured, check its files, draw its charts.

positional arguments:
  COMMAND
    serve     Serve the profiles of a folder over HTTP
    check     List every fault of the files of all profiles
    chart     Draw a chart of a profile

options:
  -h, --help  show this help message and exit
  --version   show the version and exit

DIR holds a folder for each profile, and in it csv/ and cache/.  Tables of other producers need a
column map: columns.toml in DIR or in a profile's folder, or --columns.

exit codes: 0 done; 1 something was found wrong; 2 wrong usage;
3 something cannot be read, written or reached; 130 interrupted
"""
"""What `healthapi --help` shows."""


def main() -> int:
    """Run a command; give its exit code."""
    return start(HELP, "healthapi.adapters.cli")
