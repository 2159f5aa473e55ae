"""Register how notebooks show windows, snapshots, views and explanations.

Classes of lower layers cannot draw themselves; `devicestatus` registers the methods when it is
imported.  Drawing loads modules that programs without a notebook do not need, at first use.
"""

from devicestatus.engine.explanation import Explanation
from devicestatus.models.snapshot import Snapshot
from devicestatus.models.window import Window, WindowGap
from devicestatus.player.player import View
from devicestatus.rendering.status_text import (
    explanation_fields,
    format_time,
    reason_text,
    snapshot_fields,
)
from purewire.html_table import html_fields, html_table
from purewire.svg.labels import format_duration

__all__ = ["register"]


def register() -> None:
    """Set the notebook methods of the classes."""
    Window._repr_svg_ = _window_svg
    Window._repr_html_ = _window_html
    Snapshot._repr_html_ = _snapshot_html
    View._repr_html_ = _view_html
    Explanation._repr_html_ = _explanation_html


def _window_svg(window: Window) -> str:
    # Drawing loads glyph tables, which programs without a notebook do not need.
    from devicestatus.rendering.timeline import lanes  # noqa: PLC0415

    return lanes(window, theme="transparent").decode()


def _window_html(window: Window) -> str:
    head = ("session", "batch", "generated at", "events", "dropped", "gaps")
    numbers = (len(window.events), window.dropped_events, len(window.gaps))
    cells = (window.session_id, str(window.batch_seq), format_time(window.generated_at))
    table = html_table("Window", head, [(*cells, *map(str, numbers))])
    return f"<div>{_window_svg(window)}</div>{table}"


def _snapshot_html(snapshot: Snapshot) -> str:
    return html_fields("Snapshot", snapshot_fields(snapshot))


def _explanation_html(explanation: Explanation) -> str:
    fields = {"status": "online" if explanation.online else "offline"}
    if explanation.reason is not None:
        fields["reason"] = reason_text(explanation.reason, explanation.gap)
    return html_fields("Explanation", fields | explanation_fields(explanation))


def _view_html(view: View) -> str:
    fields: dict[str, str] = {"state": view.state}
    match view.gap, view.reason:
        case WindowGap() as gap, _:
            fields["reason"] = reason_text("gap", gap)
        case None, ("warm-up" | "exhausted") as reason:
            fields["reason"] = reason_text(reason, None)
    durations = {
        "delay": view.delay_seconds,
        "still to play": view.buffered_seconds,
        "playback starts in": view.warm_up_seconds,
    }
    instants = {
        "server time": view.server_time,
        "moment shown": view.at,
        "last data": view.last_seen,
    }
    fields |= {name: format_time(at) for name, at in instants.items() if at is not None}
    fields |= {name: f"{each:g} s" for name, each in durations.items() if each is not None}
    if view.lost is not None:
        missed = format_duration(view.lost.missed)
        fields["lost"] = f"{missed}, from {format_time(view.lost.start)}"
    if view.snapshot is not None:
        fields |= snapshot_fields(view.snapshot)
    return html_fields("View", fields)
