"""An agent's token goes into the request, and nowhere else."""

import asyncio
import logging
import pprint
import threading
import traceback
from collections.abc import Callable

import attrs
import httpx2
import pytest

from devicestatus.adapters.upload_client import Credential, Destination, send_upload
from status_contracts.adapters.http_clients import UnusableUrl, reason_of
from support.checks import canary
from support.checks.canary import TOKEN
from support.devicestatus.scripted_service import service

URL = "https://status.example"


def sent(token: str) -> httpx2.Request:
    """Return a request that a credential was added to."""
    return Credential(token).authorize(httpx2.Request("POST", URL, headers={"X-Other": "kept"}))


def everything_of(fault: BaseException | None) -> str:
    """Return all that an error report may show: its text, and the locals of other frames."""
    shown: list[str] = []
    while fault is not None:
        shown += traceback.format_exception_only(fault)
        for frame, _ in traceback.walk_tb(fault.__traceback__):
            if frame.f_code.co_filename != __file__:
                shown += (f"{name} = {value!r}" for name, value in frame.f_locals.items())
        fault = fault.__cause__ or fault.__context__
    return "\n".join(shown)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (httpx2.ReadTimeout("x"), "it took too long"),
        (httpx2.ProxyError("x"), "the proxy refuses the connection: check HTTPS_PROXY"),
        (httpx2.ReadError("x"), "the connection was lost"),
        (ValueError("x"), "the connection ended without a valid HTTP response: check the URL"),
    ],
)
def test_a_missing_response_is_explained_in_words(error: Exception, reason: str) -> None:
    assert reason_of(error) == reason


class TestCredential:
    def test_a_request_that_it_is_put_into_has_the_header_once_and_all_others(self) -> None:
        headers = sent(TOKEN).headers
        assert headers.get_list("authorization") == [f"Bearer {TOKEN}"]
        assert headers["x-other"] == "kept"

    @pytest.mark.parametrize("token", ["ä" * 40, "\N{GRINNING FACE}" * 32])
    def test_any_text_goes_as_utf_8(self, token: str) -> None:
        values = dict(sent(token).headers.raw)
        assert values[b"Authorization"] == b"Bearer " + token.encode()

    def test_text_without_utf_8_raises_nothing_that_holds_it(self) -> None:
        assert sent("\udc80" * 32).headers.raw[-1][1].startswith(b"Bearer ")


def _logged(shown: Destination) -> str:
    record = logging.LogRecord("n", 20, "", 1, "%s %r", (shown, shown.credential), None)
    return logging.Formatter().format(record)


class TestNothingShowsTheToken:
    @pytest.mark.parametrize(
        "show",
        [
            repr,
            str,
            pprint.pformat,
            _logged,
            lambda shown: repr(attrs.asdict(shown)) + repr(attrs.astuple(shown)),
            lambda shown: repr(attrs.evolve(shown, url=httpx2.URL("http://127.0.0.1/"))),
            lambda shown: repr(shown.credential.authorize(httpx2.Request("POST", URL))),
        ],
    )
    def test_no_way_to_show_a_destination_does(self, show: Callable[[Destination], str]) -> None:
        assert not canary.shows(show(Destination.from_url(URL, TOKEN)))

    def test_no_frame_of_a_url_that_is_refused_does(self) -> None:
        with pytest.raises(UnusableUrl) as raised:
            Destination.from_url("http://status.example", TOKEN)
        shown = everything_of(raised.value)
        assert "base_url = 'http://status.example'" in shown
        assert not canary.shows(shown)

    def test_no_frame_of_an_upload_that_is_stopped_does(self) -> None:
        """Stopped while it is on its way, with the token in the request."""

        came, ended = threading.Event(), threading.Event()

        def hold(*_: object) -> None:
            came.set()
            ended.wait(20)

        async def upload(url: str) -> None:
            upload = asyncio.create_task(send_upload(Destination.from_url(url, TOKEN), b"{}"))
            await asyncio.to_thread(came.wait, 20)
            upload.cancel()
            await upload

        with service(hold) as (url, received):
            with pytest.raises(asyncio.CancelledError) as raised:
                asyncio.run(upload(url))
            ended.set()
        assert received[0].headers["authorization"] == f"Bearer {TOKEN}"
        shown = everything_of(raised.value)
        assert "body = b'{}'" in shown
        assert not canary.shows(shown)
