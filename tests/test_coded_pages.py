"""Pages over sockets, by ASGI and by WSGI: HEAD, conditional requests, gzip and Zstandard."""

import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any, Final

import pytest
import zstandard

import devicestatus.adapters.asgi
import devicestatus.adapters.wsgi
import healthapi.adapters.asgi
import healthapi.adapters.wsgi
import sitedata.adapters.asgi
import sitedata.adapters.wsgi
from devicestatus.settings import Settings
from purewire.adapters import application_base
from purewire.adapters.compression import GZIP
from purewire.http.content_coding import ContentCoding
from support.servers.servers import Answer, ask, serve_asgi, serve_wsgi
from support.sitedata.site_versions import snapshot_of

DECODE: Final[Mapping[str | None, Callable[[bytes], bytes]]] = {
    None: bytes,
    "gzip": lambda body: zlib.decompress(body, 31),
    "zstd": zstandard.decompress,
}
DEVICE: Final = {"asgi": devicestatus.adapters.asgi, "wsgi": devicestatus.adapters.wsgi}
HEALTH: Final = {"asgi": healthapi.adapters.asgi, "wsgi": healthapi.adapters.wsgi}
PRACTICE: Final = {"asgi": sitedata.adapters.asgi, "wsgi": sitedata.adapters.wsgi}
SERVE: Final[Mapping[str, Callable[..., AbstractContextManager[str]]]] = {
    "asgi": serve_asgi,
    "wsgi": serve_wsgi,
}
OWN: Final = {"date", "server", "connection", "transfer-encoding"}
CODINGS: Final = pytest.mark.parametrize("coding", ["gzip", "zstd"])


@pytest.fixture(scope="module", params=["asgi", "wsgi"])
def gateway(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def device(gateway: str) -> Iterator[str]:
    app = DEVICE[gateway].create_app(Settings(None), store=None)
    with SERVE[gateway](app) as url:
        yield url


@pytest.fixture(scope="module", params=["home", "reference", "manifest", "health", "practice"])
def page(
    request: pytest.FixtureRequest,
    gateway: str,
    device: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[str, str]]:
    """Return base URL and path of a page or asset."""
    own = {"home": "/", "reference": "/api", "manifest": "/app-icons/index.json"}
    if request.param in own:
        yield device, own[request.param]
        return
    folder = tmp_path_factory.mktemp("health")
    app: Any = (
        HEALTH[gateway].create_app(folder)
        if request.param == "health"
        else PRACTICE[gateway].create_app(snapshot_of(40))
    )
    with SERVE[gateway](app) as url:
        yield url, "/"


def headers_of(answer: Answer) -> dict[str, str]:
    return {name: value for name, value in answer.headers if name not in OWN}


def get(page: tuple[str, str], method: str = "GET", **headers: str) -> Answer:
    url, path = page
    return ask(url, method, path, {k.replace("_", "-"): v for k, v in headers.items()})


@CODINGS
def test_a_client_that_accepts_a_coding_gets_less(page: tuple[str, str], coding: str) -> None:
    plain, coded = get(page), get(page, Accept_Encoding=f"br, {coding}")
    before, after = headers_of(plain), headers_of(coded)
    assert DECODE[coding](coded.body) == plain.body
    assert len(coded.body) * 2 < len(plain.body)
    assert after["content-encoding"] == coding
    assert after["etag"] == f'{before["etag"][:-1]}-{coding}"'
    assert before["vary"] == after["vary"] == "Accept-Encoding"
    changed = {"content-encoding", "content-length", "etag"}
    assert {k: v for k, v in after.items() if k not in changed} == {
        k: v for k, v in before.items() if k not in changed
    }


@pytest.mark.parametrize("accepted", ["", "identity", "gzip", "zstd", "gzip;q=0", "br"])
def test_head_has_the_headers_of_get_and_no_body(page: tuple[str, str], accepted: str) -> None:
    head = get(page, "HEAD", Accept_Encoding=accepted)
    assert head.body == b""
    assert headers_of(head) == headers_of(get(page, Accept_Encoding=accepted))
    assert ("content-encoding" in headers_of(head)) == (accepted in {"gzip", "zstd"})


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("accepted", ["", "gzip", "zstd"])
def test_a_client_that_has_a_page_gets_304(
    page: tuple[str, str], method: str, accepted: str
) -> None:
    whole = headers_of(get(page, Accept_Encoding=accepted))
    tags = f'"other", W/{whole["etag"]}'
    answer = get(page, method, Accept_Encoding=accepted, If_None_Match=tags)
    assert (answer.status, answer.body) == (304, b"")
    of_content = {"content-encoding", "content-length", "content-type"}
    assert headers_of(answer) == {k: v for k, v in whole.items() if k not in of_content}


def test_a_copy_that_the_client_no_longer_accepts_is_replaced(page: tuple[str, str]) -> None:
    etag = headers_of(get(page, Accept_Encoding="gzip"))["etag"]
    answer = get(page, Accept_Encoding="identity", If_None_Match=etag)
    assert (answer.status, "content-encoding" in headers_of(answer)) == (200, False)


@pytest.mark.parametrize("path", ["/api/health", "/app-icons/calendar.png", "/nothing"])
def test_small_bodies_pictures_and_errors_are_sent_as_they_are(device: str, path: str) -> None:
    answer = get((device, path), Accept_Encoding="gzip")
    assert not {"content-encoding", "vary"} & headers_of(answer).keys()


def test_a_file_with_codings_of_its_own_is_coded_once(
    gateway: str,
) -> None:
    with SERVE[gateway](PRACTICE[gateway].create_app(snapshot_of(40))) as url:
        place = (url, "/data/site-data.json")
        answer = get(place, Accept_Encoding="gzip")
        assert DECODE["gzip"](answer.body) == get(place).body
        assert headers_of(answer)["vary"] == "Accept-Encoding"
        assert not headers_of(answer)["etag"].endswith('-gzip"')


def test_a_page_is_compressed_once(gateway: str, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []

    def compress(body: bytes) -> bytes:
        taken.append(len(body))
        return GZIP.compress(body)

    counting = ContentCoding("gzip", compress, GZIP.decompress)
    monkeypatch.setattr(application_base, "CODINGS", (counting,))
    with SERVE[gateway](DEVICE[gateway].create_app(Settings(None), store=None)) as url:
        for _ in range(3):
            get((url, "/"), Accept_Encoding="gzip")
            get((url, "/"), "HEAD", Accept_Encoding="gzip")
    assert len(taken) == 1
