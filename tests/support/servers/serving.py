"""The service as servers load it by name: `serving:asgi`, `serving:wsgi`, configured by `env`.

STATUS_DATABASE names the SQLite file; the settings come from their usual variables.
"""

import os

from devicestatus import Settings
from devicestatus.adapters.application import asgi_app, wsgi_app
from devicestatus.adapters.sqlite import SQLiteStore
from support.checks.answer_rules import install
from support.devicestatus.app_icons import FOLDER

install()
_settings = Settings.from_environ(os.environ)
_store = SQLiteStore(os.environ["STATUS_DATABASE"])

asgi = asgi_app(_settings, store=_store, assets=FOLDER)
wsgi = wsgi_app(_settings, store=_store, assets=FOLDER)
