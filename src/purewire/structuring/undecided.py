"""How the fast path says that it accepts no body: not decided, or certainly at fault.

The exceptions have a module of their own, so that catching them does not import msgspec.
"""

from purewire.findings import Step

__all__ = ["CertainFault", "Undecided"]


class Undecided(Exception):
    """The fast path cannot accept this body; the findings path decides.

    Attributes:
        where: the steps to the value that does not fit, as far as they are known.

    """

    def __init__(self, where: tuple[Step, ...] = ()) -> None:
        super().__init__()
        self.where = where


class CertainFault(Undecided):
    """The body is JSON text, and no model; the findings path says why."""
