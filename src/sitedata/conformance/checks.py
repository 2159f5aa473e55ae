"""All checks of site data: importing this module fills the suite."""

from sitedata.conformance import files, serving
from sitedata.conformance.deployment import SUITE, suite_of

__all__ = ["SUITE", "suite_of"]

_MODULES = (files, serving)
