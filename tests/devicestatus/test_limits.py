"""How the numbers of the contract fit together; `rules.toml` has each a second time."""

import pytest

from devicestatus import limits
from devicestatus.models import PlaybackInfo, WindowPolicy
from status_contracts.structuring.converter import unstructure
from status_contracts.structuring.decoder import ModelDecoder


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


@pytest.mark.rule("DS-POLICY-04", "DS-POLICY-05", "DS-POLICY-06")
def test_the_constants_of_responses_are_the_constants_of_their_types() -> None:
    for value in (WindowPolicy(), PlaybackInfo(at=1, window_end=2)):
        assert ModelDecoder(type(value), cap=10).validate(unstructure(value)) == (value, ())
