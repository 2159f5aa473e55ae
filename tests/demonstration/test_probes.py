"""Probes and checks of their responses; rounds are tested with the products."""

import asyncio

import pytest
from demonstration.probes import (
    Answer,
    Probe,
    answer_to,
    fault_of,
)

from purewire.adapters.commands.exit_codes import CANNOT, Failed
from support.servers.ports import free_port

OPEN = {"access-control-allow-origin": "*"}


def answer(body: bytes = b"", status: int = 200, **headers: str) -> Answer:
    lines = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, OPEN | lines, body)


class TestAnswerTo:
    def test_no_response_is_a_failure(self) -> None:
        url = f"http://127.0.0.1:{free_port()}"
        with pytest.raises(Failed) as failed:
            asyncio.run(answer_to(url, Probe("GET", "/", 200, "label")))
        assert failed.value.exit_code == CANNOT
        assert failed.value.lines == ("GET /: no response (ConnectionRefusedError)",)


class TestFaultOf:
    @pytest.mark.parametrize(
        ("answered", "fault"),
        [
            (answer(), None),
            (answer(status=404), "expected 200"),
            (Answer(200, {}, b""), "it has no Access-Control-Allow-Origin: *"),
            (answer(b"x"), "it has a body"),
        ],
    )
    def test_common_rules_are_checked(self, answered: Answer, fault: str | None) -> None:
        assert fault_of(Probe("HEAD", "/", 200, "label"), answered) == fault


class TestExpectations:
    @pytest.mark.parametrize(
        ("body", "members"),
        [(b'{"a":1}', {"a": 1}), (b"[1]", {}), (b"{", {}), (b"[" * 5000, {}), (b"\xff", {})],
    )
    def test_members_are_those_of_an_object(self, body: bytes, members: dict[str, int]) -> None:
        assert answer(body).members == members
