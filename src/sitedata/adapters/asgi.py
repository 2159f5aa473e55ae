"""The service of a snapshot as an ASGI application."""

from typing import Final

from purewire.adapters.application_base import app_factory
from purewire.adapters.asgi import Application
from sitedata.adapters.binding import bind

__all__ = ["create_app"]

create_app: Final = app_factory(Application, bind)
