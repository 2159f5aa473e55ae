"""Applications of a snapshot file for servers: `site_serving:asgi`, `site_serving:wsgi`.

The environment variable SITE_FILE names the file.
"""

import os

from sitedata.adapters.application import asgi_app, wsgi_app
from support.checks.answer_rules import install

install()
_file = os.environ["SITE_FILE"]

asgi = asgi_app(_file)
wsgi = wsgi_app(_file)
