"""`devicestatus agent --mode buffered`: sample this machine and upload its window."""

from pathlib import Path
from typing import Final

import attrs
from platformdirs import user_state_path

from devicestatus.adapters.buffered_agent import BufferedAgent, new_recorder
from devicestatus.adapters.capture.readings import Capture
from devicestatus.adapters.checkpoint_file import CheckpointFile, UnsafeCheckpoint
from devicestatus.adapters.upload_client import Destination
from devicestatus.agent.checkpoint import NotResumed, NotResumedReason
from devicestatus.agent.delivery import Decision
from devicestatus.agent.recorder import Recorder
from devicestatus.limits import SAMPLE_INTERVAL_SECONDS, UPLOAD_INTERVAL_SECONDS
from devicestatus.validation.music_urls import CatalogHosts
from purewire.adapters.clocks import system_clock
from purewire.adapters.commands.exit_codes import CANNOT, REFUSED, Failed
from purewire.adapters.commands.signals import run_until_stopped
from purewire.adapters.commands.terminal import echo, echo_error
from purewire.findings import Finding
from purewire.instants import SECOND_MS, format_instant

__all__ = ["AgentLog", "load_recorder", "run_buffered"]

_WHY_NEW: Final[dict[NotResumedReason, str]] = {
    "unreadable": "it cannot be read",
    "invalid": "it is not a valid checkpoint",
    "old": "it is older than 900 s",
    "ahead": "it was saved later than now",
    "privacy": "the privacy rules have changed",
}


def run_buffered(
    capture: Capture, destination: Destination, catalog: CatalogHosts, checkpoint: str | None
) -> int:
    """Sample and upload until stopped."""
    path = user_state_path("status-contracts") / "agent.json" if checkpoint is None else checkpoint
    checkpoints = CheckpointFile(Path(path))
    recorder = load_recorder(checkpoints, capture, catalog)
    agent = BufferedAgent(
        capture.take, recorder, capture.rules, destination, AgentLog(), checkpoints, catalog
    )
    echo(
        f"a sample every {SAMPLE_INTERVAL_SECONDS} s, a window every {UPLOAD_INTERVAL_SECONDS} s"
        f" to {destination.url}"
    )
    for line in capture.describe():
        echo(line)
    return run_until_stopped(_work(agent))


async def _work(agent: BufferedAgent) -> int:
    await agent.run()
    return REFUSED


def load_recorder(checkpoints: CheckpointFile, capture: Capture, catalog: CatalogHosts) -> Recorder:
    """Return the recorder of the checkpoint, or a new one, and print which; raise Failed."""
    try:
        found = checkpoints.load()
    except UnsafeCheckpoint as error:
        raise Failed(REFUSED, f"{error}: {checkpoints.path}") from None
    except OSError as error:
        raise Failed(CANNOT, f"cannot read {checkpoints.path}: {error.strerror}") from None
    if found is None:
        return new_recorder(capture.rules, catalog)
    recorder = Recorder.resume(found, capture.rules, now_ms=system_clock(), catalog=catalog)
    if isinstance(recorder, NotResumed):
        echo(f"a new session: the checkpoint cannot be used, {_WHY_NEW[recorder.reason]}")
        return new_recorder(capture.rules, catalog)
    echo("the session of the checkpoint is resumed")
    return recorder


@attrs.define(eq=False)
class AgentLog:
    """Prints the events of an agent, each once in a row: a good day is one line."""

    _last: dict[str, object] = attrs.field(factory=dict, init=False)

    def uploaded(self, decision: Decision, error: str | None) -> None:
        """Print the end of an upload, unless it equals the last one."""
        cause = "" if error is None else f" ({error})"
        correction = "" if decision.correction_ms is None else "; corrected for later uploads"
        wait = "" if decision.wait_ms is None else f"; next in {decision.wait_ms // SECOND_MS} s"
        show = echo if decision.action == "accepted" else echo_error
        if self._is_new("upload", (decision.message, error)):
            show(f"{_now()} {decision.message}{cause}{correction}{wait}")

    def sample_rejected(self, findings: tuple[Finding, ...]) -> None:
        """Print the findings of a sample that breaks rules of the contract."""
        if self._is_new("sample", findings):
            echo_error(f"{_now()} a sample was not recorded:")
            for finding in findings:
                echo_error(str(finding))

    def read_failed(self, error: str) -> None:
        """Print a failed reading."""
        if self._is_new("reading", error):
            echo_error(f"{_now()} this machine could not be read ({error})")

    def session_restarted(self) -> None:
        """Print that the clock was set back."""
        echo_error(f"{_now()} the clock was set back: a new session begins")

    def checkpoint_failed(self, error: OSError) -> None:
        """Print that a checkpoint could not be written."""
        if self._is_new("checkpoint", error.errno):
            echo_error(f"{_now()} the checkpoint cannot be written: {error.strerror}")

    def _is_new(self, subject: str, entry: object) -> bool:
        is_new = self._last.get(subject) != entry
        self._last[subject] = entry
        return is_new


def _now() -> str:
    return format_instant(system_clock())
