"""Applications for servers that load them by name: `health_serving:asgi`, `health_serving:wsgi`.

The environment variable HEALTH_FOLDER is the path of the folder of profiles.
"""

import os

from healthapi.adapters.application import asgi_app, wsgi_app
from support.checks.answer_rules import install

install()
_folder = os.environ["HEALTH_FOLDER"]

asgi = asgi_app(_folder)
wsgi = wsgi_app(_folder)
