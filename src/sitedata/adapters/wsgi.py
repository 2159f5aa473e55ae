"""The service of a snapshot as a WSGI application."""

from typing import Final

from sitedata.adapters.binding import bind
from status_contracts.adapters.application import app_factory
from status_contracts.adapters.wsgi import Application

__all__ = ["create_app"]

create_app: Final = app_factory(Application, bind)
