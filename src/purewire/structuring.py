"""Bodies and plain values to models: the fast path, and the findings path where it defers.

Both paths are derived from the models' annotations (`purewire.closed`, `purewire.strict`).

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

from purewire import jsontext
from purewire.findings import Finding
from purewire.soundparts import Settled
from purewire.undecided import CertainFault, Undecided

if TYPE_CHECKING:
    from purewire.closed import ClosedDecoder
    from purewire.strict import StrictReader

__all__ = ["TwoPaths", "Unsound"]

M = TypeVar("M", bound=attrs.AttrsInstance)
_Reading = tuple[Any, tuple[Finding, ...]]


class Unsound(Exception):
    """A body is JSON text and has no model.

    Attributes:
        read: gives its sound parts and the findings of its structure.

    """

    def __init__(self, read: Callable[[], _Reading]) -> None:
        super().__init__()
        self.read = read


class TwoPaths(Generic[M]):
    """Structures one model class; names at most `cap` faults of one value.

    A body that does not suit (see `ClosedDecoder`) has no model, though its structure has no fault.
    """

    def __init__(
        self, model: type[M], *, cap: int, suits: Callable[[Any], bool] | None = None
    ) -> None:
        self.model = model
        self._suits = suits
        self._cap = cap

    @cached_property
    def _decoder(self) -> "ClosedDecoder[M]":
        # msgspec takes long to import, and its types to derive: both wait for the first body.
        decoder: ClosedDecoder[M] = import_module("purewire.closed").ClosedDecoder(
            self.model, settled=Settled, suits=self._suits
        )
        return decoder

    @cached_property
    def _reader(self) -> "StrictReader[M]":
        # cattrs takes long to import, and who is sent sound bodies needs none.
        reader: StrictReader[M] = import_module("purewire.strict").StrictReader(
            self.model, cap=self._cap
        )
        return reader

    def accept(self, body: bytes) -> M | None:
        """Give the model of a body by the fast path alone, None where that path defers."""
        try:
            return self._decoder.decode(body)
        except Undecided:
            return None

    def structure(self, body: bytes) -> M:
        """Give the model of a body.

        Raises:
            Unsound: the body has no model.
            JsonTextError: the body is not JSON text.
            JsonDepthError: it is, but nested too deep to be any model.

        """
        try:
            return self._decoder.decode(body)
        except CertainFault:
            raise Unsound(partial(self._read_body, body)) from None
        except Undecided as undecided:
            where = undecided.where
        plain = jsontext.decode(body)
        if where and self._reader.refuses(plain, where):
            del plain  # or the error's traceback would hold it beside what is read again
            raise Unsound(partial(self._read_body, body))
        reading = self.read(self._decoder.settle(body, plain))
        model, findings = reading
        if findings or (self._suits is not None and not self._suits(model)):
            raise Unsound(lambda: reading)
        sound: M = model
        return sound

    def decode(self, body: bytes) -> _Reading:
        """Give the model of a body and no findings, or its sound parts and the findings.

        Raises JsonTextError and JsonDepthError as `structure` does.
        """
        try:
            return self.structure(body), ()
        except Unsound as unsound:
            return unsound.read()

    def _read_body(self, body: bytes) -> _Reading:
        return self.read(self._decoder.settle(body, jsontext.decode(body)))

    def read(self, value: object) -> _Reading:
        """Give the model of a plain value and no findings, or its sound parts and the findings."""
        return self._reader.read(value)
