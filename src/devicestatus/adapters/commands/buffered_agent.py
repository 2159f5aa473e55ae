"""`devicestatus agent --mode buffered`: samples this machine and uploads its window."""

from pathlib import Path
from typing import Final

import attrs
from platformdirs import user_state_path

from devicestatus.adapters.buffered_agent import BufferedAgent, new_recorder
from devicestatus.adapters.capture.readings import Capture
from devicestatus.adapters.checkpoint_file import CheckpointFile, Unsafe
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

__all__ = ["UploadTeller", "recorder_of", "run_buffered"]

_WHY_NEW: Final[dict[NotResumedReason, str]] = {
    "unreadable": "it cannot be read",
    "invalid": "it breaks the rules of a checkpoint",
    "old": "it is older than 900 s",
    "ahead": "it is of the future",
    "privacy": "the privacy rules are others",
}


def run_buffered(
    capture: Capture, destination: Destination, catalog: CatalogHosts, checkpoint: str | None
) -> int:
    """Sample and upload until told to stop."""
    place = user_state_path("status-contracts") / "agent.json" if checkpoint is None else checkpoint
    checkpoints = CheckpointFile(Path(place))
    recorder = recorder_of(checkpoints, capture, catalog)
    agent = BufferedAgent(
        capture.take, recorder, capture.rules, destination, UploadTeller(), checkpoints, catalog
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


def recorder_of(checkpoints: CheckpointFile, capture: Capture, catalog: CatalogHosts) -> Recorder:
    """Give the recorder of the checkpoint, or a new one; says which.  Raises Failed."""
    try:
        found = checkpoints.load()
    except Unsafe as fault:
        raise Failed(REFUSED, f"{fault}: {checkpoints.place}") from None
    except OSError as fault:
        raise Failed(CANNOT, f"cannot read {checkpoints.place}: {fault.strerror}") from None
    if found is None:
        return new_recorder(capture.rules, catalog)
    recorder = Recorder.resume(found, capture.rules, now_ms=system_clock(), catalog=catalog)
    if isinstance(recorder, NotResumed):
        echo(f"a new session: the checkpoint is of no use, {_WHY_NEW[recorder.reason]}")
        return new_recorder(capture.rules, catalog)
    echo("the session of the checkpoint goes on")
    return recorder


@attrs.define(eq=False)
class UploadTeller:
    """Tells what becomes of the work, each thing once in a row: a good day is one line."""

    _told: dict[str, object] = attrs.field(factory=dict, init=False)

    def uploaded(self, decision: Decision, fault: str | None) -> None:
        """Tell of an upload, unless the last one ended the same way."""
        because = "" if fault is None else f" ({fault})"
        done = "" if decision.correction_ms is None else "; corrected for what follows"
        wait = "" if decision.wait_ms is None else f"; next in {decision.wait_ms // SECOND_MS} s"
        tell = echo if decision.action == "accepted" else echo_error
        if self._is_news("upload", (decision.words, fault)):
            tell(f"{_now()} {decision.words}{because}{done}{wait}")

    def refused(self, findings: tuple[Finding, ...]) -> None:
        """Tell of a sample that the contract does not take."""
        if self._is_news("sample", findings):
            echo_error(f"{_now()} a sample was not recorded:")
            for finding in findings:
                echo_error(str(finding))

    def unread(self, fault: str) -> None:
        """Tell of a reading that failed."""
        if self._is_news("reading", fault):
            echo_error(f"{_now()} this machine could not be read ({fault})")

    def restarted(self) -> None:
        """Tell that the clock went back."""
        echo_error(f"{_now()} the clock went back: a new session begins")

    def unwritten(self, fault: OSError) -> None:
        """Tell of a checkpoint that could not be written."""
        if self._is_news("checkpoint", fault.errno):
            echo_error(f"{_now()} the checkpoint cannot be written: {fault.strerror}")

    def _is_news(self, subject: str, said: object) -> bool:
        is_new = self._told.get(subject) != said
        self._told[subject] = said
        return is_new


def _now() -> str:
    return format_instant(system_clock())
