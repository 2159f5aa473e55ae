"""Bodies and plain values to models: the fast path, and the findings path where it defers.

Both paths are derived from the models' annotations (`purewire.structuring.fast_decoder`,
`purewire.structuring.validator`).

Where the fast path defers, it still takes the items of lists that are sound by themselves, and the
findings path reads the others.  It reads the whole only where someone asks for the findings: that
there is one is often known from the one place at which the fast path stopped.

Invariant *two paths, one verdict*: the fast path only ever accepts, and only what the findings
path accepts with an equal model; a body is refused exactly when the findings path names a fault.
"""

from collections.abc import Callable
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import attrs

from purewire.findings import Finding
from purewire.json import codec
from purewire.structuring.partial import Settled
from purewire.structuring.undecided import CertainFault, Undecided

if TYPE_CHECKING:
    from purewire.structuring.fast_decoder import FastDecoder
    from purewire.structuring.validator import Validator

__all__ = ["ModelDecoder", "ValidationError"]

M = TypeVar("M", bound=attrs.AttrsInstance)
_Reading = tuple[Any, tuple[Finding, ...]]


class ValidationError(Exception):
    """A body is JSON text and has no model.

    Attributes:
        read: gives its sound parts and the findings of its structure.

    """

    def __init__(self, read: Callable[[], _Reading]) -> None:
        super().__init__()
        self.read = read


class ModelDecoder(Generic[M]):
    """Structures one model class; names at most `cap` faults of one value.

    A body that does not suit (see `FastDecoder`) has no model, though its structure has no fault.
    """

    def __init__(
        self, model: type[M], *, cap: int, suits: Callable[[Any], bool] | None = None
    ) -> None:
        self.model = model
        self._suits = suits
        self._cap = cap

    @cached_property
    def _decoder(self) -> "FastDecoder[M]":
        # msgspec takes long to import, and its types to derive: both wait for the first body.
        decoder: FastDecoder[M] = import_module("purewire.structuring.fast_decoder").FastDecoder(
            self.model, settled=Settled, suits=self._suits
        )
        return decoder

    @cached_property
    def _validator(self) -> "Validator[M]":
        # cattrs takes long to import, and who is sent sound bodies needs none.
        reader: Validator[M] = import_module("purewire.structuring.validator").Validator(
            self.model, cap=self._cap
        )
        return reader

    def try_decode(self, body: bytes) -> M | None:
        """Give the model of a body by the fast path alone, None where that path defers."""
        try:
            return self._decoder.decode(body)
        except Undecided:
            return None

    def decode(self, body: bytes) -> M:
        """Give the model of a body.

        Raises:
            ValidationError: the body has no model.
            JsonTextError: the body is not JSON text.
            JsonDepthError: it is, but nested too deep to be any model.

        """
        try:
            return self._decoder.decode(body)
        except CertainFault:
            raise ValidationError(partial(self._read_body, body)) from None
        except Undecided as undecided:
            where = undecided.where
        plain = codec.decode(body)
        if where and self._validator.refuses(plain, where):
            del plain  # or the error's traceback would hold it beside what is read again
            raise ValidationError(partial(self._read_body, body))
        reading = self.validate(self._decoder.settle(body, plain))
        model, findings = reading
        if findings or (self._suits is not None and not self._suits(model)):
            raise ValidationError(lambda: reading)
        sound: M = model
        return sound

    def decode_with_findings(self, body: bytes) -> _Reading:
        """Give the model of a body and no findings, or its sound parts and the findings.

        Raises JsonTextError and JsonDepthError as `decode` does.
        """
        try:
            return self.decode(body), ()
        except ValidationError as unsound:
            return unsound.read()

    def _read_body(self, body: bytes) -> _Reading:
        return self.validate(self._decoder.settle(body, codec.decode(body)))

    def validate(self, value: object) -> _Reading:
        """Give the model of a plain value and no findings, or its sound parts and the findings."""
        return self._validator.validate(value)
