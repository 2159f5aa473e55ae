"""The site of the service: home page, API reference and static icon files."""

from devicestatus.adapters.site.handler import with_site

__all__ = ["with_site"]
