"""Probes and checks of their responses; rounds are tested with the products."""

import asyncio

import pytest
from demonstration.probes import (
    Answer,
    Probe,
    Round,
    allows,
    answer_to,
    fault_of,
    go_round,
    has_headers_of,
    is_same,
    offers,
    row,
)

from purewire.adapters.asgi import Application
from purewire.adapters.commands.exit_codes import CANNOT, Failed
from support.purewire.echo_handler import echo
from support.servers.ports import free_port
from support.servers.servers import serve_asgi

OPEN = {"access-control-allow-origin": "*"}


def answer(body: bytes = b"", status: int = 200, **headers: str) -> Answer:
    lines = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, OPEN | lines, body)


class TestAnswerTo:
    def test_returns_the_response(self) -> None:
        probe = Probe("POST", "/body", 200, "label", body=b"abc")
        with serve_asgi(Application(echo)) as url:
            answered = asyncio.run(answer_to(url, probe))
        assert (answered.status, answered.body) == (200, b"abc")
        assert answered.headers["content-length"] == "3"

    def test_no_response_is_a_failure(self) -> None:
        url = f"http://127.0.0.1:{free_port()}"
        with pytest.raises(Failed) as failed:
            asyncio.run(answer_to(url, Probe("GET", "/", 200, "label")))
        assert failed.value.exit_code == CANNOT
        assert failed.value.lines == ("GET /: no response (ConnectionRefusedError)",)


class TestGoRound:
    def test_later_probes_are_derived_from_earlier_responses(self) -> None:
        def asking() -> Round:
            first = yield Probe("GET", "/first", 200, "label")
            yield Probe("GET", first.body.decode(), 200, "label")

        asked = []

        async def shown(probe: Probe) -> Answer:
            await asyncio.sleep(0)
            asked.append(probe.path)
            return answer(b"/second")

        asyncio.run(go_round(asking(), shown))
        assert asked == ["/first", "/second"]


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

    @pytest.mark.parametrize("status", [204, 304])
    def test_some_statuses_have_no_body(self, status: int) -> None:
        probe = Probe("GET", "/", status, "label")
        assert fault_of(probe, answer(b"x", status)) == "it has a body"
        assert fault_of(probe, answer(b"", status)) is None

    def test_the_content_is_checked_by_the_probe(self) -> None:
        probe = Probe("GET", "/", 200, "label", is_same(answer(b"x")))
        assert fault_of(probe, answer(b"x")) is None
        assert fault_of(probe, answer(b"y")) == "its content differs from the expected one"


class TestExpectations:
    @pytest.mark.parametrize(
        ("body", "members"),
        [(b'{"a":1}', {"a": 1}), (b"[1]", {}), (b"{", {}), (b"[" * 5000, {}), (b"\xff", {})],
    )
    def test_members_are_those_of_an_object(self, body: bytes, members: dict[str, int]) -> None:
        assert answer(body).members == members

    def test_a_body_begins_as_its_format_does(self) -> None:
        image = answer(b"<svg ...", content_type="image/svg+xml")
        assert image.begins("image/svg+xml", b"<svg ")
        assert not image.begins("text/html", b"<svg ")
        assert not image.begins("image/svg+xml", b"<html")

    def test_headers(self) -> None:
        preflight = answer(status=204, access_control_allow_methods="GET, OPTIONS")
        assert allows("GET, OPTIONS")(preflight)
        assert not allows("GET")(preflight)
        assert offers("GET")(answer(allow="GET"))
        assert not offers("GET")(answer())

    def test_head_has_the_headers_of_get(self) -> None:
        full = answer(b"x", etag='"1"', content_length="1")
        assert has_headers_of(full)(answer(etag='"1"', content_length="1"))
        assert not has_headers_of(full)(answer(etag='"2"', content_length="1"))

    def test_a_row_is_a_line_of_columns(self) -> None:
        assert row("GET", "/a", 200, "it").split() == ["GET", "/a", "200", "it"]
