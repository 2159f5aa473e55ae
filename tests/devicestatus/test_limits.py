"""How the numbers of the contract hang together; `rules.toml` states each of them again."""

from devicestatus import limits
from devicestatus.models.window import PlaybackInfo, WindowPolicy


class TestLimits:
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
