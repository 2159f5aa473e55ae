"""Limits and defaults of the contract, with unit and reason.

Sizes end in `_BYTES`, durations in `_SECONDS`.
"""

from typing import Final

import attrs


@attrs.frozen
class IntegerRange:
    """The range of an integer of the query, both ends included, and its default.

    The default is None if a missing integer means "no limit".
    """

    minimum: int
    maximum: int
    default: int | None


DATASET_LIMIT: Final = IntegerRange(1, 1000, 200)
"""Rows of one page of a dataset."""
TABLE_LIMIT: Final = IntegerRange(1, 1000, 100)
"""Rows of one page of a table."""
POINTS_LIMIT: Final = IntegerRange(1, 1000, None)
"""Last points of a series or a chart; `MAX_POINTS` by default."""
MAX_POINTS: Final = 36_525
"""Points of a series or a chart without `limit`: the days of a century."""
OFFSET: Final = IntegerRange(0, 100_000, 0)
"""Rows that a page skips."""
CHART_WIDTH: Final = IntegerRange(360, 1920, 960)
"""px."""
CHART_HEIGHT: Final = IntegerRange(220, 1080, 320)
"""px."""

MAX_AGE_SECONDS: Final = 300
STALE_SECONDS: Final = 600
"""Time for which a cache may serve a stale response while it revalidates."""
MAX_AGE_DOCS_SECONDS: Final = 600
STALE_DOCS_SECONDS: Final = 1200
RETRY_AFTER_SECONDS: Final = 5
"""When to ask again for what is unavailable."""

LARGEST_NUMBER: Final = 2**53
"""Absolute value; integers up to it are exact as doubles, and sums and squares do not overflow."""
PLAUSIBLE: Final = {"rhr": (20, 250)}
"""Member to the range that a wearable can measure, in bpm; other values are missing."""
FINDINGS_LISTED: Final = 1000
"""Findings of one file that are listed; the others are only counted."""
CSV_FILE_BYTES: Final = 16 * 1024 * 1024
"""Ten years are 2 MiB; a table of this size is parsed in about a second."""
SNAPSHOT_FILE_BYTES: Final = 4 * 1024 * 1024
"""Real snapshots have about 200 kB; redacting one of this size takes less than 5 s."""
SNAPSHOT_DEPTH: Final = 200
"""Nesting of the snapshot's JSON; real snapshots have ten levels."""

__all__ = [name for name in dir() if name.isupper() or name == "IntegerRange"]
