"""Explore windows in a notebook: what readers see at each server time, and why.

`explore` returns a widget with a slider for Jupyter, VS Code and marimo, or for a saved page.
"""

from devicestatus.adapters.notebook.time_travel import MAX_UPLOADS, TimeTravel, explore

__all__ = ["MAX_UPLOADS", "TimeTravel", "explore"]
