"""The health-data service as a raw ASGI application."""

from typing import Any, Final

from healthapi.adapters.binding import bind
from healthapi.adapters.reading import NonblockingSource, WaitingSource
from purewire.adapters.application_base import app_factory
from purewire.adapters.asgi import Application
from purewire.exchange import Source

__all__ = ["create_app"]


def _application(source: Source, **arguments: Any) -> Application:  # noqa: ANN401 - those of Application
    """Return the application; it does not wait for a source on the event loop."""
    if isinstance(source, WaitingSource):
        source = NonblockingSource(source)
    return Application(source=source, **arguments)


create_app: Final = app_factory(_application, bind)
