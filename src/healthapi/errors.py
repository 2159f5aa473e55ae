"""Error codes of the contract, their HTTP statuses and messages, and `DataError`."""

from typing import Final, Literal, get_args

from status_contracts import findings

ErrorCode = Literal[
    "profile_not_found",
    "metric_not_found",
    "series_not_found",
    "dataset_not_found",
    "section_not_found",
    "table_not_found",
    "snapshot_endpoint_not_found",
    "chart_not_found",
    "not_found",
    "method_not_allowed",
    "service_unavailable",
]

STATUS_OF: Final[dict[ErrorCode, int]] = dict.fromkeys(get_args(ErrorCode), 404) | {
    "method_not_allowed": 405,
    "service_unavailable": 503,
}
"""Error code to HTTP status."""

MESSAGE_OF: Final[dict[ErrorCode, str]] = {
    "profile_not_found": "There is no profile of this id.",
    "metric_not_found": "There is no metric of this key.",
    "series_not_found": "A series is daily, weekly or monthly.",
    "dataset_not_found": "There is no dataset of this key.",
    "section_not_found": "There is no section of this key.",
    "table_not_found": "There is no table of this key.",
    "snapshot_endpoint_not_found": "The snapshot has no endpoint of this key.",
    "chart_not_found": "There is no chart of this name or granularity.",
    "not_found": "No such endpoint.",
    "method_not_allowed": "This resource is read-only: use GET, HEAD or OPTIONS.",
    "service_unavailable": "The data cannot be read at the moment.",
}
"""Error code to the message of the response; a message never quotes the request."""


class DataError(findings.ContractError):
    """A file of a profile cannot be read as a whole; no other exception depends on its bytes.

    The findings name the file in their path (`/csv/fitbit_sleep.csv`) and never quote its content.
    """

    code: ErrorCode

    def __init__(self, *faults: findings.Finding) -> None:
        super().__init__("service_unavailable", faults)

    def __reduce__(self) -> tuple[type["DataError"], tuple[findings.Finding, ...]]:
        return DataError, self.findings

    def __str__(self) -> str:
        first, *others = self.findings
        more = f" (and {len(others)} more)" if others else ""
        return f"{first.path[1:] or 'the folder'}: {first.message} [{first.rule}]{more}"
