"""All checks of device status: importing this module fills the suite."""

from devicestatus.conformance import instants, members, reading, responses, windows, writing
from devicestatus.conformance.suite import SUITE

__all__ = ["SUITE"]

_MODULES = (reading, writing, windows, members, responses, instants)
