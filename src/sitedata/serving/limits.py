"""The numbers of serving and fetching, each with its unit and its reason."""

from typing import Final

from purewire.instants import DAY_MS, SECOND_MS

__all__ = [
    "FIRST_WAIT_MS",
    "LONGEST_ASKED_WAIT_MS",
    "LONGEST_FRESH_MS",
    "LONGEST_WAIT_MS",
    "MAX_AGE_SECONDS",
    "MOST_BYTES",
    "SHORTEST_ASKED_WAIT_MS",
    "STALE_SECONDS",
]

MOST_BYTES: Final = 64 * 1024 * 1024
"""Of a snapshot, without content coding: some 150,000 problems.  More is not read."""

MAX_AGE_SECONDS: Final = 300
"""How long caches may answer without asking: snapshots are built a few times a day."""
STALE_SECONDS: Final = 600
"""How long after that they may answer while they ask."""

FIRST_WAIT_MS: Final = 15 * SECOND_MS
"""After the first failure, before jitter; it doubles with each that follows."""
LONGEST_WAIT_MS: Final = 3600 * SECOND_MS
"""After any number of failures, before jitter."""

SHORTEST_ASKED_WAIT_MS: Final = SECOND_MS
"""A server that asks to be asked again at once is faulty, and is not asked in a circle."""
LONGEST_ASKED_WAIT_MS: Final = DAY_MS
"""No server can silence a client for longer."""
LONGEST_FRESH_MS: Final = DAY_MS
"""Nor with a lifetime; a cache may always ask earlier (RFC 9111 section 4.2)."""
