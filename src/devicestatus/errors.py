"""Error codes of the contract, their HTTP statuses, and `ContractError`.

A body is `{"error": <code>}` and nothing else.
"""

from typing import Final, Literal

from status_contracts import findings

__all__ = ["STATUS_OF", "ContractError", "ErrorCode"]

ErrorCode = Literal[
    "invalid_json",
    "invalid_payload",
    "unauthorized",
    "not_found",
    "method_not_allowed",
    "payload_too_large",
    "unsupported_media_type",
    "service_unavailable",
]

STATUS_OF: Final[dict[ErrorCode, int]] = {
    "invalid_json": 400,
    "invalid_payload": 400,
    "unauthorized": 401,
    "not_found": 404,
    "method_not_allowed": 405,
    "payload_too_large": 413,
    "unsupported_media_type": 415,
    "service_unavailable": 503,
}
"""Error code to HTTP status."""


class ContractError(findings.ContractError):
    """A body that breaks the contract; the only exception that invalid bytes raise.

    Attributes:
        code: the error code of the response.
        findings: every fault found, at most 100; never empty.

    """

    code: ErrorCode

    @property
    def status(self) -> int:
        """HTTP status of the code."""
        return STATUS_OF[self.code]
