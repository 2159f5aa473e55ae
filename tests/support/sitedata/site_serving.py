"""Applications of a snapshot file for servers: `site_serving:asgi`, `site_serving:wsgi`.

The environment variable SITE_FILE names the file.
"""

import os

from sitedata.adapters import asgi as asgi_adapter
from sitedata.adapters import wsgi as wsgi_adapter
from support.checks.answer_rules import install

install()
_file = os.environ["SITE_FILE"]

asgi = asgi_adapter.create_app(_file)
wsgi = wsgi_adapter.create_app(_file)
