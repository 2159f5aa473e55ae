"""The device-status service and its site as a raw ASGI application."""

from typing import Final

from devicestatus.adapters.binding import bind
from status_contracts.adapters.application import app_factory
from status_contracts.adapters.asgi import Application

__all__ = ["create_app"]

create_app: Final = app_factory(Application, bind)
