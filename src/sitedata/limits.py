"""Limits of the package, each with its unit and its reason."""

from typing import Final

from status_contracts import findings

FINDINGS_CAP: Final = findings.MAX_FINDINGS
"""Findings of one value: more do not help, and a hostile file must not cause millions."""

MAX_BYTES: Final = 64 * 1024 * 1024
"""Largest snapshot in bytes, without content coding: about 150,000 problems."""

MAX_PATHS: Final = 1_000_000
"""Most paths of a tree, and most that one commit changed.  Folders that name each other have any
number of paths: 30 of them, in 1 KB, a billion."""
MAX_PATHS_BYTES: Final = 128 * 1024 * 1024
"""Most bytes of all paths of a tree."""
MAX_PATH_BYTES: Final = 65_536
"""Length of a path in bytes from which a list is refused; no system has files with such paths."""
MAX_HISTORY_PATHS: Final = 20_000_000
"""Most changed paths in a history: five times those of the Linux kernel."""
MAX_GIT_BYTES: Final = 448 * 1024 * 1024
"""Memory of a git process, enough for a commit that changed 800,000 paths."""

MAX_AGE_SECONDS: Final = 300
"""`max-age` of the file: snapshots are built a few times a day."""
STALE_SECONDS: Final = 600
"""`stale-while-revalidate` of the file."""

MAX_FRESHNESS_MS: Final = 86_400_000
"""Longest freshness lifetime; a cache may always revalidate earlier (RFC 9111 section 4.2)."""
