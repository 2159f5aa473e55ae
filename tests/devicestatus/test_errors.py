"""Error codes, their statuses, and the one exception that bytes can cause.

Source: device-status specification, "Errors".
"""

import copy
import pickle
from typing import get_args

import pytest

from devicestatus.errors import STATUS_OF, ContractError, ErrorCode
from devicestatus.validation.parse import parse_snapshot
from purewire import findings
from purewire.findings import Finding
from support.devicestatus.entry_points import put
from support.devicestatus.examples import NOON, body, plain, snapshot

FINDING = Finding("/battery/percent", "number.range", "must be 0 to 100")
OTHER = Finding("", "type", "must be an object")


def caught(text: bytes) -> ContractError:
    with pytest.raises(ContractError) as raised:
        parse_snapshot(text, received_at=NOON)
    return raised.value


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


class TestContractError:
    def test_it_carries_its_code_and_findings(self) -> None:
        error = caught(body(put(plain(snapshot()), "battery/percent", 101)))
        assert (error.code, error.findings) == ("invalid_payload", (FINDING,))

    def test_the_root_of_all_contract_errors_catches_it(self) -> None:
        with pytest.raises(findings.ContractError):
            parse_snapshot(b"", received_at=NOON)

    def test_errors_of_equal_content_are_equal(self) -> None:
        assert caught(b"{") == caught(b" {"[1:])
        assert hash(caught(b"{")) == hash(caught(b" {"[1:]))
        assert caught(b"") != caught(b"{")  # the messages name other columns
        assert caught(b"") != caught(b"{}")
        assert ContractError("invalid_json", (OTHER,)) != ContractError("invalid_payload", (OTHER,))

    def test_an_error_of_another_class_is_another_error(self) -> None:
        """Also where code and findings are the same."""
        assert ContractError("invalid_json", (OTHER,)) != findings.ContractError(
            "invalid_json", (OTHER,)
        )

    @pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
    def test_errors_travel_between_processes(self, protocol: int) -> None:
        error = caught(b"{}")
        again = pickle.loads(pickle.dumps(error, protocol))  # noqa: S301 - our own bytes
        assert (type(again), again, again.status) == (ContractError, error, 400)
        assert copy.copy(error) == error

    def test_it_reads_as_code_and_first_finding(self) -> None:
        one = ContractError("invalid_payload", (FINDING,))
        two = ContractError("invalid_payload", (FINDING, OTHER, OTHER))
        line = "invalid_payload: /battery/percent: must be 0 to 100 [number.range]"
        assert str(one) == line
        assert str(two) == f"{line} (and 2 more)"
