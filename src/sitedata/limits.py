"""Limits of the package, each with its unit and its reason."""

from typing import Final

from purewire.instants import DAY_MS, SECOND_MS

__all__ = [
    "FINDINGS_CAP",
    "FIRST_BACKOFF_MS",
    "MAX_AGE_SECONDS",
    "MAX_BACKOFF_MS",
    "MAX_BYTES",
    "MAX_FRESHNESS_MS",
    "MAX_RETRY_AFTER_MS",
    "MIN_RETRY_AFTER_MS",
    "STALE_SECONDS",
]

FINDINGS_CAP: Final = 100
"""Findings of one value: more do not help, and a hostile file must not cause millions."""

MAX_BYTES: Final = 64 * 1024 * 1024
"""Largest snapshot in bytes, without content coding: about 150,000 problems."""

MAX_AGE_SECONDS: Final = 300
"""Default `max-age` of the file: snapshots are built a few times a day."""
STALE_SECONDS: Final = 600
"""Default `stale-while-revalidate` of the file."""

FIRST_BACKOFF_MS: Final = 15 * SECOND_MS
"""Wait after the first failure, before jitter; it doubles with each further failure."""
MAX_BACKOFF_MS: Final = 3600 * SECOND_MS
"""Longest wait after failures, before jitter."""

MIN_RETRY_AFTER_MS: Final = SECOND_MS
"""Shortest wait that Retry-After can set, so that a faulty server causes no busy loop."""
MAX_RETRY_AFTER_MS: Final = DAY_MS
"""Longest wait that Retry-After can set, so that no server can silence a client."""
MAX_FRESHNESS_MS: Final = DAY_MS
"""Longest freshness lifetime; a cache may always revalidate earlier (RFC 9111 section 4.2)."""
