"""The arguments of `devicestatus agent` and `devicestatus push`.

The command `devicestatus` finds them by their entry points; the modules that they name are imported
when they are run.
"""

from status_contracts.cli.arguments import ENDLESS, defaults, example, flag, option

_TOKEN_FILE = option("--token-file FILE", "file with the ingest token (default: $INGEST_TOKEN)")
_DESTINATION = (
    option("--url URL", "URL of the service, without /api; https unless it is on this machine"),
    flag("--insecure", "send the token over plain HTTP to other machines"),
    _TOKEN_FILE,
)
_MODES = (
    "realtime sends the present state every 30 s and changes at once, eco every 120 s,"
    " buffered the last 15 minutes every 300 s (default: realtime)"
)

AGENT = (
    "Send what this computer is doing to a service",
    example("--url https://status.example.org --token-file token"),
    option("--config FILE", "settings (default: agent.toml in the user's folder for settings)"),
    flag("--init", "write a settings file with comments, and exit"),
    *_DESTINATION,
    flag("--dry-run", "print what would be sent now, and send nothing"),
    option("--device NAME", "name of this computer at a service of several"),
    option("--mode", _MODES, choices=("realtime", "eco", "buffered")),
    option(
        "--checkpoint FILE",
        "file that keeps the session of a buffered agent over restarts (default: in the user's"
        " state folder)",
    ),
    flag("--once", "send one snapshot and exit"),
    flag("--json", "with --dry-run: print one JSON document in place of text"),
    ENDLESS,
    defaults(module="status_agent.cli"),
)
PUSH = (
    "Check a snapshot or window and send it to a service",
    example("body.json --url https://status.example.org --token-file token"),
    option("file FILE", "a body; its schema_version is its kind"),
    *_DESTINATION,
    defaults(module="status_agent.push"),
)
