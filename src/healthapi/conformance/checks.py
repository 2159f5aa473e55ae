"""All checks of health data: importing this module fills the suite."""

from healthapi.conformance import charts, documents, privacy, requests, resources, values
from healthapi.conformance.deployment import SUITE

__all__ = ["SUITE"]

_MODULES = (resources, documents, requests, values, charts, privacy)
