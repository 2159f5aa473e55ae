"""Parse, check and encode bodies: bytes and a receive time to a valid model, and models to bytes.

The service parses what it receives; agents check what they are about to send.

Invariant *parse agrees with check*: `parse_…` accepts exactly the bodies for which `check_…`
returns no findings.
Invariant *nothing else is raised*: whatever the bytes, the only exception is `ContractError`; a
value that is not bytes (text, above all), or a time that is not an int, raises TypeError.
Invariant *encode agrees with check*: `encode` returns the bytes of a `Snapshot` or a `Window`
exactly if `check_snapshot` or `check_window` returns no findings; parsing them returns an equal
model.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import islice
from typing import Any, Final, Generic, Literal, TypeVar

import attrs

from devicestatus import limits
from devicestatus.cross_field import RULES, part_findings, snapshot_findings, window_findings
from devicestatus.errors import ContractError
from devicestatus.models import Snapshot, Window
from devicestatus.music_urls import ITUNES, CatalogHosts
from status_contracts import json_text
from status_contracts.findings import Finding
from status_contracts.instants import check_instant
from status_contracts.json_text import describe_syntax_error
from status_contracts.primitives import ABSENT, Octets, is_octets, to_bytes
from status_contracts.structuring.converter import to_checkable, unstructure
from status_contracts.structuring.decoder import ModelDecoder, ValidationError

__all__ = [
    "Kind",
    "check_body",
    "check_snapshot",
    "check_window",
    "encode",
    "kind_of",
    "parse_snapshot",
    "parse_window",
]

Kind = Literal["snapshot", "window"]

_WINDOW_VERSION: Final = 2

M = TypeVar("M", bound=attrs.AttrsInstance)
_FindingsOf = Callable[[M, int | None, CatalogHosts], Iterator[Finding]]


@attrs.frozen
class _BodyKind(Generic[M]):
    """One kind of body: its decoder, its size limit and its cross-field rules.

    `early` returns the findings of the rules that are checked before models are built, where the
    fast decoder decides; `late` those of the others, `findings_of` all.
    """

    decoder: ModelDecoder[M]
    max_bytes: int
    findings_of: _FindingsOf[M]
    late: _FindingsOf[M]
    early: Callable[[M, CatalogHosts], Iterator[Finding]] | None = None

    def parse(self, body: Octets, received_at: int | None, catalog: CatalogHosts) -> M:
        body, early = body if type(body) is bytes else to_bytes(body), self.early
        if len(body) > self.max_bytes:
            raise ContractError("payload_too_large", (_finding("body.size"),))

        def refuse(first: Finding | None) -> None:
            if first is not None:
                find_all = partial(self._find_all, body, received_at, catalog)
                raise ContractError("invalid_payload", find_all)

        try:
            check = (lambda decoded: refuse(next(early(decoded, catalog), None))) if early else None
            model = self.decoder.decode(body, check)
        except ValidationError as error:
            raise ContractError("invalid_payload", error.find) from None
        except json_text.JsonDepthError:
            raise ContractError("invalid_payload", (_finding("json.depth"),)) from None
        except json_text.JsonTextError:
            raise ContractError("invalid_json", partial(_syntax_error, body)) from None
        refuse(next(self.late(model, received_at, catalog), None))
        return model

    def _find_all(
        self, body: bytes, received_at: int | None, catalog: CatalogHosts
    ) -> tuple[Finding, ...]:
        try:
            model = self.decoder.decode(body)
        except ValidationError as error:
            return error.find()
        return self._cross_field(model, received_at, catalog)

    def check(
        self, value: object, received_at: int | None, catalog: CatalogHosts
    ) -> tuple[Finding, ...]:
        if received_at is not None:
            check_instant("received_at", received_at)
        if is_octets(value):
            try:
                self.parse(value, received_at, catalog)
            except ContractError as error:
                return error.findings
            return ()
        plain = to_checkable(value) if isinstance(value, self.decoder.model) else value
        model, findings = self.decoder.validate(plain)
        if model is not None:
            findings = self._cross_field(model, received_at, catalog)
        # Only a valid value is known to have an encoding, and so a size.
        if not findings and len(json_text.encode(plain)) > self.max_bytes:
            return (_finding("body.size"),)
        return findings

    def _cross_field(
        self, model: M, received_at: int | None, catalog: CatalogHosts
    ) -> tuple[Finding, ...]:
        return tuple(islice(self.findings_of(model, received_at, catalog), limits.FINDINGS_CAP))


_SNAPSHOT: Final = _BodyKind(
    ModelDecoder(Snapshot), limits.UPDATE_BODY_BYTES, snapshot_findings, snapshot_findings
)
_WINDOW: Final = _BodyKind(
    ModelDecoder(Window),
    limits.BATCH_BODY_BYTES,
    window_findings,
    partial(window_findings, has_parts=False),
    part_findings,
)


def parse_snapshot(body: Octets, *, received_at: int, catalog: CatalogHosts = ITUNES) -> Snapshot:
    """Parse and validate the body of `POST /api/update`.

    Args:
        body: the whole body.
        received_at: when the body was complete, ms since the epoch.
        catalog: the music catalog's hosts.

    Raises:
        ContractError: the body breaks the contract; nothing else is raised for any bytes.
        TypeError: the body is not bytes, but text, for example, or `received_at` is not an int.

    """
    check_instant("received_at", received_at)
    return _SNAPSHOT.parse(body, received_at, catalog)


def parse_window(body: Octets, *, received_at: int, catalog: CatalogHosts = ITUNES) -> Window:
    """Parse and validate the body of `POST /api/batch`; arguments as in `parse_snapshot`."""
    check_instant("received_at", received_at)
    return _WINDOW.parse(body, received_at, catalog)


def kind_of(body: Octets) -> Kind:
    """Return the kind of a body by its own members, else its version; a snapshot if neither."""
    text = to_bytes(body)
    for name in ("window_start", "collected_at", "events", "baseline"):
        if json_text.member_at(text, name) is not ABSENT:
            return "snapshot" if name == "collected_at" else "window"
    version = json_text.member_at(text, "schema_version")
    return "window" if version == _WINDOW_VERSION else "snapshot"


def check_body(
    body: Octets, *, received_at: int | None = None, catalog: CatalogHosts = ITUNES
) -> tuple[Kind, tuple[Finding, ...]]:
    """Return the kind of a body, and every fault of it, as `check_window` or `check_snapshot`."""
    kind = kind_of(body)
    checked = _WINDOW if kind == "window" else _SNAPSHOT
    return kind, checked.check(body, received_at, catalog)


def check_snapshot(
    value: object, *, received_at: int | None = None, catalog: CatalogHosts = ITUNES
) -> tuple[Finding, ...]:
    """Return every fault of a snapshot, up to 100; empty if it is valid.

    Args:
        value: a body (bytes), a plain JSON value, or a `Snapshot`; a body over the size limit is
            not looked at any further.  Text raises TypeError: a body is bytes.
        received_at: receive time, ms since the epoch; None leaves out the clock rule.
        catalog: the music catalog's hosts.

    """
    return _SNAPSHOT.check(value, received_at, catalog)


def check_window(
    value: object, *, received_at: int | None = None, catalog: CatalogHosts = ITUNES
) -> tuple[Finding, ...]:
    """Return every fault of a window, up to 100; as `check_snapshot`, with a `Window`."""
    return _WINDOW.check(value, received_at, catalog)


def _syntax_error(body: bytes) -> tuple[Finding, ...]:
    return (Finding("", "json.text", describe_syntax_error(body)),)


def _finding(rule: str) -> Finding:
    return Finding("", rule, RULES[rule])


def encode(
    model: attrs.AttrsInstance, *, received_at: int | None = None, catalog: CatalogHosts = ITUNES
) -> bytes:
    """Return the bytes of a model: compact JSON in UTF-8.

    Args:
        model: a `Snapshot` or a `Window`, which may be sent to the service, or a response
            body (`devicestatus.responses`), of which members and types are checked.
        received_at: when the service will receive the bytes, ms since the epoch; None leaves
            out the clock rules (`snapshot.skew`, `window.skew`).
        catalog: the music catalog's hosts.

    Raises:
        ContractError: the model is invalid (`invalid_payload`), or has more bytes than its
            endpoint accepts (`payload_too_large`).
        TypeError: the value is not one of these models.

    """
    if isinstance(model, Window):
        findings = check_window(model, received_at=received_at, catalog=catalog)
    elif type(model) is not Snapshot and (decoder := _response_decoder(type(model))) is not None:
        _, findings = decoder.validate(to_checkable(model))
    elif isinstance(model, Snapshot):
        findings = check_snapshot(model, received_at=received_at, catalog=catalog)
    else:
        raise TypeError(
            f"a Snapshot, a Window or a response body is needed, not {type(model).__name__}"
        )
    if findings:
        is_too_large = findings[0].rule == "body.size"
        raise ContractError("payload_too_large" if is_too_large else "invalid_payload", findings)
    return json_text.encode(unstructure(model))


@cache
def _response_decoder(model: type[attrs.AttrsInstance]) -> ModelDecoder[Any] | None:
    """Return the decoder of a response body, which agents need not import; else None."""
    from devicestatus.responses import BODIES  # noqa: PLC0415

    return ModelDecoder(model) if model in BODIES else None
