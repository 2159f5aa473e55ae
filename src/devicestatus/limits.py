"""Limits and durations of the contract, with their units and reasons.

Durations end in `_MS` (milliseconds) or `_SECONDS`, sizes in `_BYTES`.
"""

from typing import Final

from status_contracts import findings

UPDATE_BODY_BYTES: Final = 16_384
"""Maximum body of `POST /api/update`."""
BATCH_BODY_BYTES: Final = 524_288
"""Maximum body of `POST /api/batch`."""
BATCH_BODY_BYTES_LEAST: Final = 131_072
"""Minimum size limit for the body of a window: any baseline and gaps fit."""
RECORD_BYTES: Final = 1_048_576
"""Maximum stored value; a longer one is corrupt.  Twice the largest body, so any body fits."""
STORE_KEY: Final = "now"
"""The one key of the store."""

NAME_LENGTH: Final = 200
"""Code points of an app name, at most."""
TITLE_LENGTH: Final = 500
"""Code points of a track or artist, at most."""
URL_LENGTH: Final = 2048
"""Code points of an artwork or track URL, at most."""
RUNNING_APPS: Final = 64
"""Running apps in one snapshot, at most."""
BATTERY_PERCENT_MAX: Final = 100
"""Battery charge, percent."""
LOAD_MAX: Final = 100_000
"""Load average, at most."""
LARGEST_INTEGER: Final = 9_007_199_254_740_991
"""2**53 - 1: the largest integer that every JSON reader keeps exactly."""

CLOCK_SKEW_MS: Final = 120_000
"""Maximum difference between device clock and receive time, either way, included."""
GENERATION_LAG_MS: Final = 30_000
"""Maximum time from the end of a window to its generation, included."""
WINDOW_SECONDS: Final = 900
WINDOW_SPAN_MS: Final = WINDOW_SECONDS * 1000
"""Maximum length of a window, included."""
WINDOW_EVENTS: Final = 2048
"""Events in one window, at most."""
WINDOW_GAPS: Final = 128
"""Gaps in one window, at most."""
WINDOW_LIFETIME_MS: Final = 600_000
"""A window is valid until its end plus this (the absolute deadline, excluded)."""

UPLOAD_INTERVAL_SECONDS: Final = 300
UPLOAD_INTERVAL_MS: Final = UPLOAD_INTERVAL_SECONDS * 1000
"""Interval between two accepted windows."""
PAGE_INTERVAL_SECONDS: Final = 120
PAGE_INTERVAL_MS: Final = PAGE_INTERVAL_SECONDS * 1000
"""Interval between two readings of the home page."""
PLAYBACK_DELAY_SECONDS: Final = UPLOAD_INTERVAL_SECONDS + PAGE_INTERVAL_SECONDS
PLAYBACK_DELAY_MS: Final = PLAYBACK_DELAY_SECONDS * 1000
"""Delay of playback behind server time: an event is at most one upload interval old when it is
uploaded, and read at most one page interval later, so that playback never has to pause."""
POLL_INTERVAL_SECONDS: Final = 60
"""Interval between two readings of other clients, at least."""
SAMPLE_INTERVAL_SECONDS: Final = 2
METRICS_INTERVAL_SECONDS: Final = 30

TTL_UNSET_SECONDS: Final = 60
"""Lifetime of a v1 record if nothing is configured, and of a legacy record."""
TTL_ECO_SECONDS: Final = 180
TTL_REALTIME_SECONDS: Final = 60
TTL_MIN_SECONDS: Final = 60
TTL_MAX_SECONDS: Final = 3600

TOKEN_LENGTH_MIN: Final = 32
TOKEN_LENGTH_MAX: Final = 1024
"""Code points of a configured ingest token."""

PUSH_ECO_MS: Final = 120_000
PUSH_REALTIME_MS: Final = 30_000
"""Interval between two snapshots of a v1 agent; shorter than the lifetime of the same name."""
RETRY_FIRST_MS: Final = 15_000
RETRY_LONGEST_MS: Final = 300_000
"""An agent's wait after a first failure, doubled with each further one, and its maximum."""
WRITES_PER_DAY: Final = 1000
"""Store writes of a free storage plan, counted from 00:00 UTC and shared by the whole account."""

BADGE_TEXT_LENGTH: Final = 64
"""Code points that a badge shows in full."""
BADGE_TEXT_KEPT: Final = 61
"""Code points of a longer text that a badge shows before the ellipsis."""

ICON_MAX_AGE_SECONDS: Final = 3600
"""How long clients may cache icons."""

FINDINGS_CAP: Final = findings.MAX_FINDINGS
"""Findings reported for one value, at most; bounds the work for a hostile body."""

__all__ = [name for name in dir() if name.isupper()]
