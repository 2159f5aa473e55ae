"""`devicestatus project`, `explain`, `badge`, `card` and `timeline`: show one record.

Each reads a stored record, or a body as the record that it would become.
"""

from argparse import Namespace
from collections.abc import Callable, Mapping
from typing import Any, Final

from devicestatus import badge, bodies, limits
from devicestatus.card import card
from devicestatus.cli import inputs
from devicestatus.explanation import Explanation, explain, explanation_fields, snapshot_fields
from devicestatus.models import WindowGap
from devicestatus.record import WindowRecord
from devicestatus.settings import Settings
from devicestatus.state import Offline, OfflineReason, Online, shown_value
from devicestatus.status_text import deadline_text, format_time, reason_text, time_text
from devicestatus.timeline import lanes
from status_contracts.cli.arguments import BOLD, GREEN, YELLOW, Styled
from status_contracts.cli.exit_codes import OK, REFUSED, Failed
from status_contracts.cli.files import input_name, write_file
from status_contracts.cli.terminal import echo, write_json
from status_contracts.structuring.converter import unstructure
from status_contracts.svg.labels import format_duration


def run(arguments: Namespace) -> int:
    """Show the record in a file as text or JSON, or draw it; raise Failed."""
    image = _COMMANDS[arguments.command](arguments, inputs.load_settings())
    if image is not None:
        write_file(arguments.output, image)
    return OK


def _project(arguments: Namespace, settings: Settings) -> None:
    now = inputs.parse_time("--at", arguments.at)
    state = inputs.load_state(arguments.file, now, settings)
    if arguments.json:
        write_json(unstructure(bodies.now(state)))
    elif isinstance(state, Offline):
        echo(_status(state.reason, state.gap))
    else:
        echo(Styled(f"online until {deadline_text(state.deadline, now)}", GREEN, "online"))
        if (playback := state.playback) is not None:
            left = format_duration(playback.window_end - playback.at)
            echo(f"played back at {format_time(playback.at)}, {left} before the end")
        fields = snapshot_fields(state.snapshot)
        _echo_fields(fields | {"collected": time_text(state.snapshot.collected_at, now)})


def _explain(arguments: Namespace, settings: Settings) -> None:
    """Explain the stored value in a file; a corrupt one is refused, after its JSON."""
    now = inputs.parse_time("--at", arguments.at)
    inputs.ttl_of(settings)
    data = inputs.stored_value(arguments.file, settings)
    explanation = explain(data, now, settings)
    if arguments.json:
        write_json(_explained(explanation))
    if explanation.reason == "corrupt":
        raise inputs.untrusted(arguments.file, data)
    if not arguments.json:
        echo(_status(explanation.reason, explanation.gap))
        _echo_fields(explanation_fields(explanation, now))


def _status(reason: OfflineReason | None, gap: WindowGap | None) -> Styled:
    if reason is None:
        return Styled("online", GREEN)
    return Styled(f"offline: {reason_text(reason, gap)}", YELLOW, "offline")


def _echo_fields(fields: Mapping[str, str]) -> None:
    for name, text in fields.items():
        echo(Styled(f"{name}: {text}", BOLD, f"{name}:"))


def _explained(explanation: Explanation) -> dict[str, Any]:
    gap, deadline, change = explanation.gap, explanation.deadline, explanation.next_change_at
    return {
        "online": explanation.online,
        "reason": explanation.reason,
        "gap": None if gap is None else unstructure(gap),
        "deadline": deadline and {"at": format_time(deadline.at), "rule": deadline.rule},
        "next_change_at": None if change is None else format_time(change),
    }


def _badge(arguments: Namespace, settings: Settings) -> bytes:
    state = inputs.load_state(arguments.file, inputs.parse_time("--at", arguments.at), settings)
    snapshot = state.snapshot if isinstance(state, Online) else None
    text = badge.status_text(snapshot)
    return badge.render(settings.service_name, text, online=snapshot is not None)


def _card(arguments: Namespace, settings: Settings) -> bytes:
    now = inputs.parse_time("--at", arguments.at)
    record = inputs.load_record(arguments.file, settings)
    shown = shown_value(record, now=now, ttl_seconds=inputs.ttl_of(settings))
    return card(shown, at=now, name=arguments.name, theme=arguments.theme)


def _timeline(arguments: Namespace, settings: Settings) -> bytes:
    """Draw the window; with `--at` mark what readers see at that server time."""
    record = inputs.load_record(arguments.file, settings)
    if not isinstance(record, WindowRecord):
        name = input_name(arguments.file)
        raise Failed(REFUSED, f"{name} has a snapshot: only a window has a timeline")
    window, at = record.data, None
    if arguments.at is not None:
        at = inputs.parse_time("--at", arguments.at) - limits.PLAYBACK_DELAY_MS
    return lanes(window, at=at, title=arguments.name, width=arguments.width, theme=arguments.theme)


_COMMANDS: Final[Mapping[str, Callable[[Namespace, Settings], bytes | None]]] = {
    "project": _project,
    "explain": _explain,
    "badge": _badge,
    "card": _card,
    "timeline": _timeline,
}
"""Name of a command to its function, which returns an image or has printed the result."""
