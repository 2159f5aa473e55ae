"""Progress bars.  Invariants *rich is optional*, *only for slow work*."""

import io
from contextlib import redirect_stderr
from typing import Any

import pytest

from purewire.adapters.commands import progress
from purewire.adapters.commands.progress import show_progress
from support.servers.terminals import Terminal


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("TERM", "xterm")
    return Terminal()


@pytest.fixture
def no_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_DELAY_SECONDS", -1)


class TestShowProgress:
    def test_there_is_no_bar_without_a_terminal(self) -> None:
        with redirect_stderr(io.StringIO()), show_progress("bytes") as progress:
            assert progress is None

    def test_without_the_library_there_is_no_bar(
        self, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("purewire.adapters.commands.progress.find_spec", lambda _: None)
        with redirect_stderr(terminal), show_progress("bytes") as progress:
            assert progress is None
        assert terminal.getvalue() == ""

    @pytest.mark.usefixtures("no_delay")
    @pytest.mark.parametrize(("unit", "counter"), [("bytes", "bytes"), ("pieces", "1/3")])
    def test_the_bar_shows_the_subject_and_the_amount(
        self, unit: Any, counter: str, terminal: Terminal
    ) -> None:
        with redirect_stderr(terminal), show_progress(unit) as progress:
            assert progress is not None
            progress("[b]ada[/b]", 1, 3)
            progress("[b]ada[/b]", 1, 3)
        assert "reading [b]ada[/b]" in terminal.getvalue()
        assert counter in terminal.getvalue()

    def test_quick_work_shows_nothing(self, terminal: Terminal) -> None:
        with redirect_stderr(terminal), show_progress("bytes") as progress:
            assert progress is not None
            progress("ada", 1, 3)
        assert terminal.getvalue() == ""

    @pytest.mark.usefixtures("no_delay")
    def test_after_the_block_nothing_is_shown(self, terminal: Terminal) -> None:
        with redirect_stderr(terminal), show_progress("bytes") as progress:
            assert progress is not None
        progress("ada", 1, 3)
        assert terminal.getvalue() == ""
