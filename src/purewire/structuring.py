"""Bodies and plain values to models: the fast path, and the findings path where it defers.

Both paths are derived from the models' annotations (`purewire.closed`, `purewire.strict`).

Where the fast path defers, it still takes the items of lists that are sound by themselves, and the
findings path reads the others.

Invariant *two paths, one verdict*: the fast path only ever accepts, and only what the findings
path accepts with an equal model; that a value has no model, only the findings path says.
"""

from typing import Any, Generic, TypeVar

import attrs

from purewire import jsontext
from purewire.closed import ClosedDecoder, Undecided
from purewire.findings import Finding
from purewire.strict import Settled, StrictReader

__all__ = ["TwoPaths"]

M = TypeVar("M", bound=attrs.AttrsInstance)


class TwoPaths(Generic[M]):
    """Structures one model class; names at most `cap` faults of one value."""

    def __init__(self, model: type[M], *, cap: int) -> None:
        self.model = model
        self._decoder = ClosedDecoder(model, settled=Settled)
        self._reader = StrictReader(model, cap=cap)

    def accept(self, body: bytes) -> M | None:
        """Give the model of a body by the fast path alone, None where that path defers."""
        try:
            return self._decoder.decode(body)
        except Undecided:
            return None

    def decode(self, body: bytes) -> tuple[Any, tuple[Finding, ...]]:
        """Give the model of a body and no findings, or its sound parts and the findings.

        Raises:
            JsonTextError: the body is not JSON text.
            JsonDepthError: it is, but nested too deep to be any model.

        """
        model = self.accept(body)
        if model is not None:
            return model, ()
        return self.read(self._decoder.settle(body, jsontext.decode(body)))

    def read(self, value: object) -> tuple[Any, tuple[Finding, ...]]:
        """Give the model of a plain value and no findings, or its sound parts and the findings."""
        return self._reader.read(value)
