"""The error codes of the package, and the one error that bytes can cause.

Source: site-data specification; rulings under "Reading JSON" and "Site-data file".
"""

from typing import Literal

from purewire import findings

__all__ = ["ErrorCode", "SiteDataError"]

ErrorCode = Literal["invalid_json", "invalid_site_data"]
"""Not JSON text; or JSON text that is no snapshot."""


class SiteDataError(findings.ContractError):
    """A body that is no snapshot.

    Attributes:
        code: `invalid_json` or `invalid_site_data`.
        findings: every fault found, up to the cap; never empty.

    """

    code: ErrorCode
