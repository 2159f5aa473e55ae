"""The pages of health data: served beside the API, or written as a static site."""

from healthapi.adapters.site.handler import with_site
from healthapi.adapters.site.static import build_site

__all__ = ["build_site", "with_site"]
