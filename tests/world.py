"""A service with everything it touches under the test's hands: store, assets, clock, body.

Every answer that passes through `World.send` is held against the rules that all answers obey.
"""

import json
from collections.abc import Iterable
from typing import Any

from devicestatus import Settings
from devicestatus.errors import STATUS_OF
from devicestatus.service import Service
from examples import NOON, TOKEN
from purewire.effects import (
    Asset,
    Body,
    Effect,
    ReadAsset,
    ReadBody,
    ReadStore,
    Stored,
    WriteStore,
    drive,
)
from purewire.http.messages import Request, Response

JSON_HEADERS = (
    (b"authorization", b"Bearer " + TOKEN.encode()),
    (b"content-type", b"application/json"),
)


class World:
    """One service; `reads`, `writes`, `assets_read` and `bodies_read` log what it asked for."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        has_store: bool = True,
        files: dict[str, Asset] | None = None,
    ) -> None:
        self.settings = settings or Settings(TOKEN)
        self.files = files
        self.service = Service(self.settings, has_store=has_store, has_assets=files is not None)
        self.now = NOON
        self.stored: object = None
        self.expires_at: int | None = None
        self.fail: set[type[Effect]] = set()
        self.body: bytes = b""
        self.asked: list[Effect] = []

    def count(self, kind: type[Effect]) -> int:
        return sum(isinstance(effect, kind) for effect in self.asked)

    def perform(self, effect: Effect) -> object:
        self.asked.append(effect)
        if type(effect) in self.fail:
            raise OSError("secret detail of the platform")
        if isinstance(effect, ReadBody):
            return Body(self.body if len(self.body) <= effect.limit else None, self.now)
        if isinstance(effect, ReadStore):
            return Stored(self.stored, self.now)
        if isinstance(effect, WriteStore):
            self.stored, self.expires_at = effect.value, effect.expires_at
            return None
        assert isinstance(effect, ReadAsset)
        return (self.files or {}).get(effect.name)

    def send(
        self,
        method: str,
        path: str | bytes,
        headers: Iterable[tuple[bytes, bytes]] = (),
        body: bytes = b"",
    ) -> Response:
        self.asked.clear()
        self.body = body
        raw = path.encode() if isinstance(path, str) else path
        request = Request(method, raw, tuple(headers))
        response = drive(self.service(request), self.perform)
        check_answer(request, response)
        return response

    def get(self, path: str) -> Any:
        response = self.send("GET", path)
        assert response.status == 200, response
        return json.loads(response.body)

    def post(self, path: str, value: object) -> Response:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        return self.send("POST", path, JSON_HEADERS, body)


def header(response: Response, name: str) -> str | None:
    """Give the one value of a response header, None where it is not there."""
    found = [value for key, value in response.headers if key.lower() == name.lower()]
    assert len(found) <= 1, f"{name} stands {len(found)} times"
    return found[0] if found else None


def error(response: Response) -> tuple[int, str]:
    """Give status and code of an error answer with a body."""
    return response.status, json.loads(response.body)["error"]


def check_answer(request: Request, response: Response) -> None:
    """Hold an answer against the rules that all answers obey."""
    assert header(response, "Access-Control-Allow-Origin") == "*"
    assert header(response, "X-Content-Type-Options") == "nosniff"
    assert header(response, "Referrer-Policy") == "no-referrer"
    assert header(response, "Access-Control-Allow-Credentials") is None
    cache = header(response, "Cache-Control")
    stores = cache == "no-store, max-age=0"
    for name in ("CDN-Cache-Control", "Cloudflare-CDN-Cache-Control"):
        assert header(response, name) == ("no-store" if stores else None)
    if response.status in {204, 304} or request.method == "HEAD":
        assert response.body == b""
    else:
        assert header(response, "Content-Length") == str(len(response.body))
    if response.status >= 400:
        assert stores
        assert header(response, "Content-Type") == "application/json; charset=utf-8"
    if response.status >= 400 and request.method != "HEAD":
        body = json.loads(response.body)
        assert list(body) == ["error"]
        assert STATUS_OF[body["error"]] == response.status
    assert (header(response, "Allow") is not None) == (response.status == 405)
    assert (header(response, "WWW-Authenticate") == "Bearer") == (response.status == 401)
    assert TOKEN.encode() not in response.body
