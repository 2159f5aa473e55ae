"""A published snapshot asked for once, with a client of the command's own."""

import httpx

from purewire.adapters.commands.exit_codes import USAGE, Failed
from sitedata.adapters.fetch import Fetched, UnusableUrl, fetch
from sitedata.serving.cache import CacheState

__all__ = ["ask"]


def ask(url: str, state: CacheState, *, allow_http: bool) -> Fetched:
    """Ask for a snapshot; give the new state and what came of it.  Raises Failed for a bad URL."""
    with httpx.Client() as client:
        try:
            return fetch(url, state, client=client, allow_http=allow_http)
        except UnusableUrl as fault:
            raise Failed(USAGE, str(fault)) from None
