"""The site around the service: home page, API reference and the static icon files."""

from devicestatus.adapters.site.handler import with_site

__all__ = ["with_site"]
