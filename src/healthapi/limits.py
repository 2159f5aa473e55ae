"""Every number of the contract, with its unit and its reason.

Source: health-data specification, "Parameters" and "Limits"; rulings under "Query"; health facts,
sections 5 to 17.  Sizes end in `_BYTES`, times in `_SECONDS`.
"""

from typing import Final

import attrs

__all__ = [
    "CHART_HEIGHT",
    "CHART_WIDTH",
    "CSV_FILE_BYTES",
    "DATASET_LIMIT",
    "FINDINGS_LISTED",
    "LARGEST_NUMBER",
    "MAX_AGE_DOCS_SECONDS",
    "MAX_AGE_SECONDS",
    "OFFSET",
    "POINTS_LIMIT",
    "POINTS_MOST",
    "SNAPSHOT_DEPTH",
    "SNAPSHOT_FILE_BYTES",
    "STALE_DOCS_SECONDS",
    "STALE_SECONDS",
    "TABLE_LIMIT",
    "Bounds",
]


@attrs.frozen
class Bounds:
    """What a query integer may be, both ends included, and what stands for one not given."""

    least: int
    most: int
    default: int | None


DATASET_LIMIT: Final = Bounds(1, 1000, 200)
"""Rows of one page of a dataset."""
TABLE_LIMIT: Final = Bounds(1, 1000, 100)
"""Rows of one page of a table."""
POINTS_LIMIT: Final = Bounds(1, 1000, None)
"""The last points of a series or a chart; `POINTS_MOST` by default."""
POINTS_MOST: Final = 36_525
"""Points of a series or a chart without a limit: the days of a century."""
OFFSET: Final = Bounds(0, 100_000, 0)
"""Rows before a page."""
CHART_WIDTH: Final = Bounds(360, 1920, 960)
"""px."""
CHART_HEIGHT: Final = Bounds(220, 1080, 320)
"""px."""

MAX_AGE_SECONDS: Final = 300
STALE_SECONDS: Final = 600
"""How long a cache may serve an answer while it asks for a new one."""
MAX_AGE_DOCS_SECONDS: Final = 600
STALE_DOCS_SECONDS: Final = 1200

LARGEST_NUMBER: Final = 2**53
"""Of either sign: integers up to here are doubles, and no sum or square of them overflows."""
FINDINGS_LISTED: Final = 1000
"""Findings of one file that are kept; the rest is counted."""
CSV_FILE_BYTES: Final = 512 * 1024 * 1024
"""A million sleep rows are 150 MB."""
SNAPSHOT_FILE_BYTES: Final = 4 * 1024 * 1024
"""Real ones have some 200 kB; to remove the secrets of one this large takes less than 5 s."""
SNAPSHOT_DEPTH: Final = 200
"""Nesting of the snapshot's JSON; real ones have ten levels."""
