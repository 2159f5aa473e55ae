"""`sitedata conformance`: test a deployment of the file, whatever its host; it only reads.

The URL is the base URL of the site, or that of the file itself.
"""

from argparse import Namespace
from urllib.parse import urlsplit, urlunsplit

from sitedata.conformance import make_kit
from sitedata.service import PATH
from status_contracts.cli import conformance


def run(arguments: Namespace) -> int:
    """Test the deployment at a URL."""
    arguments.url, path = split_location(arguments.url)
    return conformance.run(arguments, make_kit(path))


def split_location(url: str) -> tuple[str, str]:
    """Return the base URL of a site, and the path of the file below it.

    A URL that ends with `.json` is that of the file; any other is the base URL of a site that has
    it at the path of the contract.
    """
    parts = urlsplit(url)
    name = parts.path.rpartition("/")[2]
    if not name.endswith(".json"):
        return url, PATH
    path = PATH if parts.path.endswith(PATH) else f"/{name}"
    return urlunsplit(parts._replace(path=parts.path.removesuffix(path))), path
