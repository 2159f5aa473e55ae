# PYTHON_ARGCOMPLETE_OK
"""The `healthapi` command: its arguments.

A command is a module of `healthapi.cli` with its name, unless it sets another
`module`; it is imported when it is run.
"""

import sys
from functools import partial
from typing import Final

from status_contracts.cli.arguments import (
    ADDRESS,
    ENDLESS,
    JSON,
    OUTPUT,
    PAGE_SETTINGS,
    THEME,
    Commands,
    Parser,
    example,
    installed_commands,
    number,
    option,
    shared_commands,
)
from status_contracts.cli.main import run_program

_EPILOG = """\
The folder of the profiles holds one for each, and in it csv/ and cache/.  Tables of other producers
need a column mapping: columns.toml in either, or --columns.

exit codes: 0 done; 1 problems found, or refused; 2 wrong arguments; 3 cannot reach, read
or write something; 130 interrupted before the end; 141 output closed
"""
_FOLDER = option("folder DIR", "the folder of the profiles")
_COLUMNS = option(
    "--columns FILE",
    "the column mapping of tables where there is no columns.toml (default: Fitbit's layout)",
)
_PRESETS: Final = ("series", "overview-trend", "weekly-trend", "sleep-trend", "activity-trend")
_POINTS, _WIDTHS, _HEIGHTS = range(1, 1001), range(360, 1921), range(220, 1081)
"""As in `healthapi.limits`, whose import would slow down the help."""
_EVERYDAY: Commands = {
    **installed_commands("healthapi"),
    "check": (
        "List the problems of the files of all profiles",
        example("people"),
        _FOLDER,
        JSON,
        _COLUMNS,
    ),
    "page": (
        "Write pages of the profiles as a static site",
        example("people -o site"),
        _FOLDER,
        option("-o --output DIR", "write the site into this folder", required=True),
        PAGE_SETTINGS,
        _COLUMNS,
    ),
    "serve": (
        "Serve the profiles of a folder over HTTP",
        example("people"),
        _FOLDER,
        *ADDRESS,
        PAGE_SETTINGS,
        _COLUMNS,
        ENDLESS,
    ),
    "chart": (
        "Draw a chart of a profile",
        example("people ada --preset sleep-trend -o sleep.svg"),
        _FOLDER,
        option("profile PROFILE", "id of the profile"),
        option(
            "--preset PRESET",
            f"what to draw: {', '.join(_PRESETS)} (default: overview-trend)",
            choices=_PRESETS,
        ),
        option("--metrics A,B", "draw these metrics, separated by commas (default: the preset's)"),
        option(
            "--granularity",
            "draw a point for each day, week or month (default: the preset's)",
            choices=("daily", "weekly", "monthly"),
        ),
        option("--limit N", "draw the last N points (default: all)", type=number(_POINTS)),
        option("--width PX", "360 to 1920 px (default: 960)", type=number(_WIDTHS), default=960),
        option("--height PX", "220 to 1080 px (default: 320)", type=number(_HEIGHTS), default=320),
        THEME,
        OUTPUT,
        _COLUMNS,
    ),
}
_PARSER = Parser.of_program(
    "healthapi",
    "Publish what a wearable has measured: import and check its files, draw charts and pages.",
    _EPILOG,
    {"everyday": _EVERYDAY, "contract": shared_commands()},
)

main = partial(run_program, _PARSER)


if __name__ == "__main__":
    sys.exit(main())
