"""Register the notebook representations of windows: an SVG timeline, and HTML with a table."""

from devicestatus.models.window import Window
from purewire.instants import format_instant

__all__ = ["register"]


def register() -> None:
    """Set the notebook methods of `Window`; `devicestatus` calls it when it is imported."""
    Window._repr_svg_ = _window_svg
    Window._repr_html_ = _window_html


def _window_svg(window: Window) -> str:
    # Drawing loads glyph tables, which programs without a notebook do not need.
    from devicestatus.rendering.timeline import lanes  # noqa: PLC0415

    return lanes(window, theme="transparent").decode()


def _window_html(window: Window) -> str:
    from purewire.html_table import html_table  # noqa: PLC0415 - as above

    head = ("session", "batch", "generated at", "events", "dropped", "gaps")
    numbers = (len(window.events), window.dropped_events, len(window.gaps))
    cells = (window.session_id, str(window.batch_seq), format_instant(window.generated_at))
    table = html_table("Window", head, [(*cells, *map(str, numbers))])
    return f"<div>{_window_svg(window)}</div>{table}"
