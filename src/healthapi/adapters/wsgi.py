"""The health-data service as a raw WSGI application."""

from typing import Final

from healthapi.adapters.binding import bind
from purewire.adapters.application_base import app_factory
from purewire.adapters.wsgi import Application

__all__ = ["create_app"]

create_app: Final = app_factory(Application, bind)
