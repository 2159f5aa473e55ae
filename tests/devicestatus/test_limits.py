"""The numbers of the specification, each written down a second time, and how they hang together."""

import pytest

from devicestatus import limits
from devicestatus.models.window import PlaybackInfo, WindowPolicy

SPECIFIED = {
    # "Limits"
    "UPDATE_BODY_BYTES": 16384,
    "BATCH_BODY_BYTES": 524288,
    "CLOCK_SKEW_MS": 120 * 1000,
    "GENERATION_LAG_MS": 30 * 1000,
    "WINDOW_SECONDS": 900,
    "WINDOW_SPAN_MS": 900 * 1000,
    "WINDOW_EVENTS": 2048,
    "WINDOW_GAPS": 128,
    "LARGEST_INTEGER": 9007199254740991,
    "RUNNING_APPS": 64,
    "NAME_LENGTH": 200,
    "TITLE_LENGTH": 500,
    "URL_LENGTH": 2048,
    "LOAD_MAX": 100000,
    "BATTERY_PERCENT_MAX": 100,
    "WINDOW_LIFETIME_MS": 600 * 1000,
    "PLAYBACK_DELAY_SECONDS": 420,
    "PLAYBACK_DELAY_MS": 420 * 1000,
    "ICON_MAX_AGE_SECONDS": 3600,
    # "v1 deadline rules"
    "TTL_UNSET_SECONDS": 60,
    "TTL_ECO_SECONDS": 180,
    "TTL_REALTIME_SECONDS": 60,
    "TTL_MIN_SECONDS": 60,
    "TTL_MAX_SECONDS": 3600,
    # "Authentication"
    "TOKEN_LENGTH_MIN": 32,
    "TOKEN_LENGTH_MAX": 1024,
    # "Request and quota arithmetic"
    "PUSH_ECO_MS": 120 * 1000,
    "PUSH_REALTIME_MS": 30 * 1000,
    "WRITES_PER_DAY": 1000,
    # design decisions under "Agent window" and "Badge and icons"
    "RETRY_FIRST_MS": 15 * 1000,
    "RETRY_LONGEST_MS": 300 * 1000,
    "BADGE_TEXT_LENGTH": 64,
    "BADGE_TEXT_KEPT": 61,
    # "WindowPolicy"
    "UPLOAD_INTERVAL_SECONDS": 300,
    "UPLOAD_INTERVAL_MS": 300 * 1000,
    "POLL_INTERVAL_SECONDS": 60,
    "SAMPLE_INTERVAL_SECONDS": 2,
    "METRICS_INTERVAL_SECONDS": 30,
    # design decisions under "Records in the store"
    "RECORD_BYTES": 1048576,
    "STORE_KEY": "now",
    # this library's own
    "BATCH_BODY_BYTES_LEAST": 524288 // 4,
    "FINDINGS_CAP": 100,
}


class TestLimits:
    @pytest.mark.parametrize("name", SPECIFIED)
    def test_a_limit_is_the_specified_one(self, name: str) -> None:
        value = getattr(limits, name)
        assert (value, type(value)) == (SPECIFIED[name], type(SPECIFIED[name]))

    def test_every_limit_is_held_here(self) -> None:
        assert set(limits.__all__) == set(SPECIFIED)

    def test_a_projection_ends_before_its_window_does(self) -> None:
        assert limits.PLAYBACK_DELAY_MS < limits.WINDOW_LIFETIME_MS

    def test_playback_leaves_time_for_one_upload(self) -> None:
        assert limits.UPLOAD_INTERVAL_SECONDS < limits.PLAYBACK_DELAY_SECONDS

    def test_windows_overlap_over_the_delay_so_that_playback_never_starves(self) -> None:
        covered = limits.WINDOW_SECONDS - limits.UPLOAD_INTERVAL_SECONDS
        assert covered > limits.PLAYBACK_DELAY_SECONDS

    def test_a_record_has_space_for_twice_the_largest_body(self) -> None:
        assert limits.RECORD_BYTES == 2 * limits.BATCH_BODY_BYTES


class TestConstants:
    """The constants that responses carry are the limits."""

    def test_the_window_policy(self) -> None:
        assert WindowPolicy() == WindowPolicy(
            upload_interval_seconds=limits.UPLOAD_INTERVAL_SECONDS,
            window_seconds=limits.WINDOW_SECONDS,
            playback_delay_seconds=limits.PLAYBACK_DELAY_SECONDS,
            poll_interval_seconds=limits.POLL_INTERVAL_SECONDS,
            sample_interval_seconds=limits.SAMPLE_INTERVAL_SECONDS,
            metrics_interval_seconds=limits.METRICS_INTERVAL_SECONDS,
        )

    def test_the_playback(self) -> None:
        playback = PlaybackInfo(1, 2)
        assert (playback.mode, playback.delay_seconds) == ("delayed", limits.PLAYBACK_DELAY_SECONDS)
