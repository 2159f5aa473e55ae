"""`healthapi chart`: draw a chart of a profile, as the service does, to an SVG file.

The theme may also be `dark`, which the service does not have.
"""

import logging
from argparse import Namespace
from collections.abc import Iterable
from typing import TypeVar

from healthapi import limits
from healthapi.cli.inputs import reading, source_of
from healthapi.endpoints import Query
from healthapi.errors import DataError
from healthapi.keys import CHARTS, GRANULARITIES, SERIES_METRICS
from healthapi.limits import IntegerRange
from healthapi.profile import Profile
from healthapi.resources import chart
from status_contracts.cli.arguments import bad_choice
from status_contracts.cli.exit_codes import CANNOT, OK, USAGE, Failed
from status_contracts.cli.files import write_output
from status_contracts.svg.palette import PAPERS

C = TypeVar("C", bound=str)


def run(arguments: Namespace) -> int:
    """Draw the chart."""
    query = _query(arguments)
    image, _ = chart(_profile(arguments), query)
    write_output(arguments.output, image)
    return OK


def _query(arguments: Namespace) -> Query:
    """Return the query of the chart; raise for values that the service would ignore."""
    is_overview = arguments.metrics is None and arguments.granularity is None
    default = "overview-trend" if is_overview else "series"
    preset = _choice("preset", arguments.preset, CHARTS) or default
    granularity = _choice("granularity", arguments.granularity, GRANULARITIES)
    known = SERIES_METRICS[granularity or CHARTS[preset].granularity]
    return Query(
        key=preset,
        limit=_number("limit", arguments.limit, limits.POINTS_LIMIT),
        metrics=_metrics(arguments.metrics, known),
        granularity=granularity,
        width=_number("width", arguments.width, limits.CHART_WIDTH) or 0,
        height=_number("height", arguments.height, limits.CHART_HEIGHT) or 0,
        theme=_choice("theme", arguments.theme, PAPERS) or "light",
    )


def _choice(name: str, text: str | None, known: Iterable[C]) -> C | None:
    if text is None:
        return None
    for choice in known:
        if choice == text:
            return choice
    raise Failed(USAGE, f"--{name}: {bad_choice(text, known)}")


def _metrics(text: str | None, known: tuple[str, ...]) -> tuple[str, ...]:
    if text is None:
        return ()
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in known:
            raise Failed(USAGE, f"--metrics: {bad_choice(name, known)}")
    return names


def _number(name: str, number: int | None, bounds: IntegerRange) -> int | None:
    if number is not None and not bounds.minimum <= number <= bounds.maximum:
        raise Failed(USAGE, f"--{name}: {number} is not from {bounds.minimum} to {bounds.maximum}")
    return bounds.default if number is None else number


def _profile(arguments: Namespace) -> Profile:
    logging.getLogger("healthapi").addHandler(logging.NullHandler())  # Errors are printed below.
    source = source_of(arguments)
    name = arguments.profile
    try:
        with reading(arguments.folder):
            return source.profile(name)
    except KeyError:
        with reading(arguments.folder):
            known = source.ids()
        raise Failed(CANNOT, f"PROFILE: {bad_choice(name, known)}") from None
    except DataError as error:
        lines = (f"{name}{finding.path}: {finding.message}" for finding in error.findings)
        raise Failed(CANNOT, *lines) from None
