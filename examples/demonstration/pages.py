"""The pages of the demonstration: whose they are, where they are, and requests for them.

Invariant *said once*: the header of each page names where its data come from; the data themselves
have no marks.
"""

from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from demonstration.probes import Probe, Round
from status_contracts.adapters.asgi import App, Receive, Scope, Send
from status_contracts.exchange import Source
from status_contracts.pages.settings import Link, PageSettings

__all__ = [
    "HEALTH",
    "NOW",
    "PRACTICE",
    "OneProfile",
    "example_settings",
    "mount",
    "plain_settings",
    "whole_round",
]

NOW: Final = "Now"
HEALTH: Final = "Health"
PRACTICE: Final = "Practice"

_NAME: Final = "Alex Example"


def example_settings(line: str, pages: Mapping[str, str]) -> PageSettings:
    """Return the settings of a page of the example person.

    Args:
        line: where the data of the page come from.
        pages: label to path of each page of the demonstration.

    """
    return attrs.evolve(plain_settings(pages), name=_NAME, line=f"Example data: {line}")


def plain_settings(pages: Mapping[str, str]) -> PageSettings:
    """Return the settings of a page of data that are no example."""
    return PageSettings(pages=tuple(Link(label, path) for label, path in pages.items()))


@attrs.frozen
class OneProfile:
    """A source of one profile of another source."""

    source: Source
    profile_id: str

    def read(self, name: str | None, now: int) -> object:
        """Return the id, the profile, or None for another one."""
        if name is None:
            return (self.profile_id,)
        return self.source.read(name, now) if name == self.profile_id else None


def mount(first: App, mounted: Mapping[str, App]) -> App:
    """Return one application with the others mounted at their paths.

    A path that ends with a slash is a mount point: its application gets the paths below it.  Other
    applications have their paths themselves.
    """

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        for root, each in mounted.items():
            if root.endswith("/") and path.startswith(root):
                below = f"{scope.get('root_path', '')}{root[:-1]}"
                await each({**scope, "root_path": below}, receive, send)
                return
            if path == root or path.startswith(f"{root}/"):
                await each(scope, receive, send)
                return
        await first(scope, receive, send)

    return app


def whole_round(paths: Iterable[str]) -> Round:
    """Request each page."""
    html = "text/html; charset=utf-8"
    for path in paths:
        yield Probe("GET", path, 200, "page", lambda it: it.begins(html, b"<!DOCTYPE html>"))
