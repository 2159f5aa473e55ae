"""The health-data service as a raw ASGI application."""

from typing import Final

from healthapi.adapters.binding import bind
from purewire.adapters.application_base import app_factory
from purewire.adapters.asgi import Application

__all__ = ["create_app"]

create_app: Final = app_factory(Application, bind)
