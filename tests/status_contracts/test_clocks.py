"""The clocks of this machine."""

import sys
import time

import pytest

from status_contracts.adapters.clocks import steady_clock, system_clock


class TestSystemClock:
    def test_it_is_the_time_of_day_in_whole_milliseconds(self) -> None:
        before, now, after = time.time(), system_clock(), time.time()
        assert isinstance(now, int)
        assert int(before * 1000) - 1 <= now <= after * 1000 + 1


class TestSteadyClock:
    def test_it_goes_as_time_goes_in_whole_milliseconds(self) -> None:
        around = time.monotonic()  # first and last: between any two calls others may run
        began = steady_clock()
        time.sleep(0.05)
        passed = steady_clock() - began
        around = time.monotonic() - around
        assert isinstance(passed, int)
        assert 50 - 1 <= passed <= around * 1000 + 1

    @pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells it")
    def test_it_counts_the_time_since_the_machine_was_started_sleep_included(self) -> None:
        """Linux tells that time in /proc/uptime, by the clock that suspend does not stop."""
        before = steady_clock()
        with open("/proc/uptime", "rb") as file:  # noqa: PTH123 - no path, a device of the kernel
            uptime = float(file.read().split()[0])
        assert before - 20 <= uptime * 1000 <= steady_clock() + 20
