"""`healthapi chart`: draw a chart of a profile, as the service does, to an SVG file.

The theme may also be `dark`, which the service does not have.
"""

from argparse import Namespace

from healthapi.chart_lines import EMPTY_CHART
from healthapi.cli.inputs import no_data, reading, source_of, unreadable, warn_left_out
from healthapi.endpoints import Query
from healthapi.errors import DataError
from healthapi.keys import CHARTS, SERIES_METRICS
from healthapi.resources import chart
from healthapi.rows.rows import is_number
from status_contracts.cli.arguments import bad_choice
from status_contracts.cli.exit_codes import OK, USAGE, Failed
from status_contracts.cli.files import write_file
from status_contracts.cli.terminal import echo_warning


def run(arguments: Namespace) -> int:
    """Draw the chart; without preset and metrics it is the overview."""
    preset = arguments.preset or ("overview-trend" if arguments.metrics is None else "series")
    granularity = arguments.granularity or CHARTS[preset].granularity
    known = SERIES_METRICS[granularity]
    text = arguments.metrics
    names = () if text is None else tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in known:
            raise Failed(USAGE, f"--metrics: {bad_choice(name, known)}")
    same = ("limit", "granularity", "width", "height", "theme")
    query = Query(preset, metrics=names, **{name: getattr(arguments, name) for name in same})
    source, profile_id = source_of(arguments), arguments.profile
    with reading(arguments.folder):
        try:
            profile = source.profile(profile_id)
        except KeyError:
            ids = source.ids()
            reason = bad_choice(profile_id, ids) if ids else no_data(arguments)
            raise Failed(USAGE, f"PROFILE: {reason}") from None
        except DataError as error:
            raise unreadable(profile_id, error) from None
    image, _ = chart(profile, query)
    write_file(arguments.output, image)
    warn_left_out([profile], arguments.folder)
    if EMPTY_CHART.encode() in image:
        cells, start = profile.rows(granularity).cells, -(arguments.limit or 0)
        others = [name for name in known if any(map(is_number, cells[name][start:]))]
        only = f"only of {', '.join(others)}" if others else "nor of another metric"
        echo_warning(f"{profile_id} has no values of {text or preset}, {only}")
    return OK
