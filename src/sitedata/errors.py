"""The error codes of the package, and the exception for invalid bytes."""

from typing import Literal

from status_contracts import findings

ErrorCode = Literal["invalid_json", "invalid_site_data"]
"""The body is not JSON text; or it is JSON text but not a snapshot."""


class SiteDataError(findings.ContractError):
    """An invalid snapshot.

    Attributes:
        code: `invalid_json` or `invalid_site_data`.
        findings: every problem found, up to `FINDINGS_CAP`; never empty.

    """

    code: ErrorCode
