"""Numbered versions of one snapshot, for the tests of serving and fetching."""

import threading
from pathlib import Path

from sitedata import Problem, Repository, Snapshot, encode

GENERATED_AT = 1_767_225_600_000
"""2026-01-01T00:00:00Z, ms since the epoch."""
LATER = GENERATED_AT + 86_400_000
"""A day after it."""


def snapshot_of(number: int, *, problems: int = 20, generated_at: int = GENERATED_AT) -> Snapshot:
    """Return a snapshot with the number in many places, so any mixture is detected."""
    web = "https://git.example/ada/practice"
    return Snapshot(
        Repository("ada", "practice", "main"),
        generated_at,
        f"refs/heads/{number}",
        number,
        {"2026-01-01": number},
        tuple(
            Problem(
                f"kattis/{number}-{each}.py",
                "kattis",
                "Python",
                f"Übung {number}",
                f"https://open.kattis.com/problems/{each}",
                f"{web}/blob/main/kattis/{number}-{each}.py",
                f"{web}/raw/main/kattis/{number}-{each}.py",
                "2025-12-31T23:30:00+01:00",
            )
            for each in range(problems)
        ),
        {"kattis": None},
    )


def body_of(number: int, *, problems: int = 20, generated_at: int = GENERATED_AT) -> bytes:
    """Return the bytes of such a snapshot."""
    return encode(snapshot_of(number, problems=problems, generated_at=generated_at))


def replace(path: Path, body: bytes) -> None:
    """Replace a file atomically, from any thread."""
    spare = path.with_name(f"spare-{threading.get_ident()}")
    spare.write_bytes(body)
    spare.replace(path)
