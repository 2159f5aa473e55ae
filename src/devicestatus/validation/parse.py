"""Parse and check bodies: bytes and a receive time to a valid model or the contract error.

Source: device-status specification, "POST /api/update" and "POST /api/batch".  Services use it to
accept, agents to see every fault before they send.

Invariant *one verdict*: `parse_…` accepts exactly the bodies for which `check_…` finds nothing.
Invariant *nothing else is raised*: whatever the bytes, the only exception is `ContractError`; what
is not bytes (text, above all) raises TypeError.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any, Final, Generic, TypeVar

import attrs

from devicestatus import limits
from devicestatus.errors import ContractError, ErrorCode
from devicestatus.models.snapshot import Snapshot
from devicestatus.models.window import Window
from devicestatus.validation.cross_field import (
    has_order,
    snapshot_findings,
    snapshot_holds,
    window_findings,
    window_holds,
)
from devicestatus.validation.music_urls import ITUNES, CatalogHosts
from devicestatus.validation.rule_ids import RULES
from purewire.bytes_like import Octets, is_octets, to_bytes
from purewire.findings import Finding
from purewire.json import codec
from purewire.json.error_position import describe_syntax_error
from purewire.structuring.decoder import ModelDecoder, ValidationError
from purewire.structuring.to_builtins import to_plain

__all__ = ["check_snapshot", "check_window", "parse_snapshot", "parse_window", "plain_value"]

M = TypeVar("M", bound=attrs.AttrsInstance)
T = TypeVar("T")


@attrs.frozen
class _BodyKind(Generic[M]):
    """One kind of body: how it is structured, how it is judged, and its size."""

    paths: ModelDecoder[M]
    holds: Callable[[M, int | None, CatalogHosts], bool]
    judge: Callable[[M, int | None, CatalogHosts], Iterator[Finding]]
    limit: int

    def parse(self, body: Octets, received_at: int, catalog: CatalogHosts) -> M:
        try:
            model = _decoded(self.paths.decode, self._sized(to_bytes(body)))
        except ValidationError as unsound:
            look = partial(self._read, unsound, received_at, catalog)
            raise ContractError("invalid_payload", look) from None
        if self.holds(model, received_at, catalog):
            return model
        if next(self.judge(model, received_at, catalog), None) is not None:
            look = partial(self._judged, model, (), received_at, catalog)
            raise ContractError("invalid_payload", look)
        return model

    def _read(
        self, unsound: ValidationError, received_at: int, catalog: CatalogHosts
    ) -> tuple[Finding, ...]:
        tree, findings = unsound.read()
        return self._judged(tree, findings, received_at, catalog)

    def check(
        self, value: object, received_at: int | None, catalog: CatalogHosts
    ) -> tuple[Finding, ...]:
        try:
            plain = self._plain(value)
        except ContractError as error:
            return error.findings
        tree, findings = self.paths.validate(plain)
        findings = self._judged(tree, findings, received_at, catalog)
        # Only a valid value is known to have a text, and so a size.
        if not findings and not is_octets(value):
            too_large = len(codec.encode(plain)) > self.limit
            findings = (_finding("body.size"),) if too_large else ()
        return findings

    def _sized(self, body: bytes) -> bytes:
        if len(body) > self.limit:
            raise _refusal("payload_too_large", "body.size")
        return body

    def _judged(
        self,
        tree: Any,  # noqa: ANN401 - a model, or the sound parts of one
        findings: tuple[Finding, ...],
        received_at: int | None,
        catalog: CatalogHosts,
    ) -> tuple[Finding, ...]:
        room = limits.FINDINGS_CAP - len(findings)
        return (*findings, *islice(self.judge(tree, received_at, catalog), room))

    def _plain(self, value: object) -> object:
        """Give the plain value of a body, a model or a plain value; raises ContractError."""
        if is_octets(value):
            return _decoded(codec.decode, self._sized(bytes(value)))
        if not isinstance(value, self.paths.model):
            return value
        return plain_value(value)


_SNAPSHOT: Final = _BodyKind(
    ModelDecoder(Snapshot, cap=limits.FINDINGS_CAP),
    snapshot_holds,
    snapshot_findings,
    limits.UPDATE_BODY_BYTES,
)
_WINDOW: Final = _BodyKind(
    ModelDecoder(Window, cap=limits.FINDINGS_CAP, precheck=has_order),
    window_holds,
    window_findings,
    limits.BATCH_BODY_BYTES,
)


def parse_snapshot(body: Octets, *, received_at: int, catalog: CatalogHosts = ITUNES) -> Snapshot:
    """Give the valid snapshot in the body of `POST /api/update`.

    Args:
        body: the whole body.
        received_at: when the body was complete, ms since the epoch.
        catalog: the music catalog's hosts.

    Raises:
        ContractError: the body breaks the contract; nothing else is raised for any bytes.
        TypeError: the body is not bytes, but text, for example.

    """
    return _SNAPSHOT.parse(body, received_at, catalog)


def parse_window(body: Octets, *, received_at: int, catalog: CatalogHosts = ITUNES) -> Window:
    """Give the valid window in the body of `POST /api/batch`; as `parse_snapshot`."""
    return _WINDOW.parse(body, received_at, catalog)


def check_snapshot(
    value: object, *, received_at: int | None = None, catalog: CatalogHosts = ITUNES
) -> tuple[Finding, ...]:
    """Give every fault of a snapshot, up to 100; empty when it is valid.

    Args:
        value: a body (bytes), a plain JSON value, or a `Snapshot` of your own; of a body over its
            size nothing else is looked at.  Text raises TypeError: a body is bytes.
        received_at: receive time to judge by, ms since the epoch; None leaves the clock rule out.
        catalog: the music catalog's hosts.

    """
    return _SNAPSHOT.check(value, received_at, catalog)


def check_window(
    value: object, *, received_at: int | None = None, catalog: CatalogHosts = ITUNES
) -> tuple[Finding, ...]:
    """Give every fault of a window, up to 100; as `check_snapshot`, with a `Window`."""
    return _WINDOW.check(value, received_at, catalog)


def plain_value(model: attrs.AttrsInstance) -> object:
    """Return the plain value of a model; raise ContractError where a member has no text."""
    try:
        return to_plain(model)
    except (ArithmeticError, AttributeError, TypeError, ValueError):
        raise _refusal("invalid_payload", "type") from None


def _decoded(decode: Callable[[bytes], T], body: bytes) -> T:
    try:
        return decode(body)
    except codec.JsonTextError:
        look = partial(_json_findings, body)
        raise ContractError("invalid_json", look) from None
    except codec.JsonDepthError:
        raise _refusal("invalid_payload", "json.depth") from None


def _refusal(code: ErrorCode, rule: str) -> ContractError:
    return ContractError(code, (_finding(rule),))


def _json_findings(body: bytes) -> tuple[Finding, ...]:
    return (Finding("", "json.text", describe_syntax_error(body)),)


def _finding(rule: str) -> Finding:
    return Finding("", rule, RULES[rule])
