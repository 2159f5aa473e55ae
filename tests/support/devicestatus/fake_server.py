"""A service with a store, assets, clock and body that the test sets."""

import json
from collections.abc import Iterable
from functools import partial
from typing import Any

from devicestatus import Settings
from devicestatus.service import Service
from status_contracts import exchange
from status_contracts.messages import Asset, Request, Response
from support.checks.answer_rules import DEVICE, check, header
from support.devicestatus.examples import JSON_HEADERS, NOON, TOKEN

__all__ = ["FakeServer", "check_answer", "error", "header"]

check_answer = partial(check, DEVICE)
"""Check a response against the rules (see `answer_rules`)."""


class FakeServer:
    """One service; `effects` lists the effects of the last request."""

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
        self.fail: set[type[exchange.Effect]] = set()
        self.body: bytes = b""
        self.effects: list[exchange.Effect] = []

    def count(self, kind: type[exchange.Effect]) -> int:
        return sum(isinstance(effect, kind) for effect in self.effects)

    def perform(self, effect: exchange.Effect) -> object:
        self.effects.append(effect)
        if type(effect) in self.fail:
            raise OSError("secret detail of the platform")
        if isinstance(effect, exchange.ReadBody):
            return exchange.Body(self.body if len(self.body) <= effect.limit else None, self.now)
        if isinstance(effect, exchange.ReadStore):
            return exchange.Stored(self.stored, self.now)
        if isinstance(effect, exchange.WriteStore):
            self.stored, self.expires_at = effect.value, effect.expires_at
            return None
        assert isinstance(effect, exchange.ReadAsset)
        return (self.files or {}).get(effect.name)

    def send(
        self,
        method: str,
        path: str | bytes,
        headers: Iterable[tuple[bytes, bytes]] = (),
        body: bytes = b"",
    ) -> Response:
        self.effects.clear()
        self.body = body
        raw = path.encode() if isinstance(path, str) else path
        request = Request(method, raw, tuple(headers))
        return exchange.drive(self.service(request), self.perform)

    def get(self, path: str) -> Any:
        response = self.send("GET", path)
        assert response.status == 200, response
        return json.loads(response.body)

    def post(self, path: str, value: object) -> Response:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        return self.send("POST", path, JSON_HEADERS, body)


def error(response: Response) -> tuple[int, str]:
    """Return status and code of an error response with a body."""
    return response.status, json.loads(response.body)["error"]
