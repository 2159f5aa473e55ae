"""Show windows and snapshots in notebooks.

Classes of lower layers cannot draw themselves: `devicestatus` sets their notebook methods, which
import this module when they are first called.
"""

from devicestatus.engine.status_text import format_time, snapshot_fields
from devicestatus.models import Snapshot, Window
from devicestatus.rendering.timeline import lanes
from purewire.html_table import html_fields, html_table


def window_svg(window: Window) -> str:
    """Return a window as an SVG timeline."""
    return lanes(window, theme="transparent").decode()


def window_html(window: Window) -> str:
    """Return a window as a timeline and a table."""
    head = ("session", "batch", "generated at", "events", "dropped", "gaps")
    numbers = (len(window.events), window.dropped_events, len(window.gaps))
    cells = (window.session_id, str(window.batch_seq), format_time(window.generated_at))
    table = html_table("Window", head, [(*cells, *map(str, numbers))])
    return f"<div>{window_svg(window)}</div>{table}"


def snapshot_html(snapshot: Snapshot) -> str:
    """Return the members of a snapshot as a table."""
    return html_fields("Snapshot", snapshot_fields(snapshot))
