"""Servers that break one rule each, by name; the conformance suite must notice every one."""

from support.devicestatus.broken_servers import derived, http_faults, status_faults, write_faults
from support.devicestatus.broken_servers.base import ICONS, SERVERS, TOKEN, BrokenServer, healthy

__all__ = ["DERIVED", "ICONS", "SERVERS", "TOKEN", "BrokenServer", "healthy"]

_MODULES = (derived, http_faults, write_faults, status_faults)
DERIVED = derived.CHAPTERS
"""The chapters whose servers are derived."""
