"""Error codes, their statuses, and the one exception that bytes can cause.

Source: device-status specification, "Errors".
"""

from typing import get_args

import pytest

from devicestatus.errors import STATUS_OF, ContractError, ErrorCode
from devicestatus.parsing import parse_snapshot
from status_contracts.findings import Finding
from support.devicestatus.examples import NOON

FINDING = Finding("/battery/percent", "number.range", "must be 0 to 100")


def caught(text: bytes) -> ContractError:
    with pytest.raises(ContractError) as raised:
        parse_snapshot(text, received_at=NOON)
    return raised.value


@pytest.mark.rule("DS-ERROR-01")
class TestCodes:
    def test_every_code_has_its_status(self) -> None:
        assert STATUS_OF == {
            "invalid_json": 400,
            "invalid_payload": 400,
            "unauthorized": 401,
            "not_found": 404,
            "method_not_allowed": 405,
            "payload_too_large": 413,
            "unsupported_media_type": 415,
            "service_unavailable": 503,
        }
        assert set(STATUS_OF) == set(get_args(ErrorCode))

    @pytest.mark.parametrize("code", STATUS_OF)
    def test_an_error_knows_its_status(self, code: ErrorCode) -> None:
        assert ContractError(code, (FINDING,)).status == STATUS_OF[code]
