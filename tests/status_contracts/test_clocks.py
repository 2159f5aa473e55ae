"""The clocks of this machine."""

import subprocess
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

    @pytest.mark.parametrize(
        ("missing", "used"),
        [
            ((), "CLOCK_BOOTTIME"),
            (("CLOCK_BOOTTIME",), "CLOCK_MONOTONIC"),
            (("CLOCK_BOOTTIME", "CLOCK_MONOTONIC"), "None"),
        ],
    )
    @pytest.mark.skipif(sys.platform != "linux", reason="has both clocks to take away")
    def test_of_the_clocks_of_a_system_it_takes_the_one_that_counts_sleep(
        self, missing: tuple[str, ...], used: str
    ) -> None:
        """Other systems have fewer: macOS no CLOCK_BOOTTIME, Windows neither."""
        program = (
            "import time\n"
            "known = dict(vars(time), **{'None': None})\n"
            f"for name in {missing!r}: delattr(time, name)\n"
            "from status_contracts.adapters import clocks\n"
            f"assert clocks._STEADY == known[{used!r}], clocks._STEADY\n"
            "assert clocks.steady_clock() > 0\n"
        )
        subprocess.run([sys.executable, "-c", program], check=True)
